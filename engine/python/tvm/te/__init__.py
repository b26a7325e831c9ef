"""Tensor expressions: the functional way of saying what a PrimFunc computes."""
from ..tir import (IterVar, Select, Var, abs, acos, acosh, all, any, asin, asinh, atan, atanh, ceil, ceildiv, clz, comm_reducer, const, cos, cosh, div, erf,  # noqa: A004
                   exp, floor, floordiv, floormod, fmod, if_then_else, indexdiv, indexmod, isfinite, isinf, isnan, log, log2, log10, logaddexp, max,
                   max_value, min, min_value, nearbyint, popcount, pow, power, round, rsqrt, sigmoid, sin, sinh, sqrt, sum, tan, tanh, trace, trunc,
                   truncdiv, truncmod)
from ..tir import decl_buffer, subtract, multiply, add, hypot
from .operation import (compute, const_axes, create_prim_func, extern, extern_primfunc, placeholder, reduce_axis, reduce_by, reduce_with, scan, size_var,
                        thread_axis, var)
from .tensor import (BaseComputeOp, ComputeOp, ExternOp, Operation, PlaceholderOp, ScanOp, Tensor, TensorComputeOp, TensorSlice)
from . import tensor


def tag_scope(tag):
    """The tag of the stages that are made inside a `with`."""
    from .tag import TagScope

    return TagScope(tag)

AXIS_SEPARATOR = "axis_separator"
