"""Stages and functions made of them."""
import inspect

import _loopscope as _core

from ..ir import Range
from ..ir.container import Array
from ..tir import buffer as _buffer
from ..tir import expr as _expr
from .tag import TagScope
from .tensor import _SCAN, SCAN_AXIS, ScanOp, Tensor


def _shape(shape):
    return list(shape) if isinstance(shape, (list, tuple, Array)) else [shape]


def placeholder(shape, dtype=None, name="placeholder"):
    """A tensor that is given."""
    return _core.te_placeholder(name, _shape(shape), "float32" if dtype is None else str(dtype))


def _axis_names(fcompute, ndim, varargs_names):
    spec = inspect.getfullargspec(fcompute)
    args = list(spec.args)
    if inspect.ismethod(fcompute):
        args = args[1:]
    if spec.varkw is not None:
        raise AssertionError("Variable keyword arguments not supported in fcompute")
    if spec.kwonlyargs:
        raise AssertionError("Keyword arguments are not supported in fcompute")
    if spec.defaults:
        raise AssertionError("Default arguments are not supported in fcompute")
    if not args and spec.varargs is None:
        return [f"i{i}" for i in range(ndim)]
    if spec.varargs is None:
        return args
    rest = ndim - len(args)
    if varargs_names is not None:
        if len(varargs_names) != rest:
            raise RuntimeError(f"Number of varargs_names ({varargs_names}) does not match the number of unnamed args ({spec.varargs})")
        return args + list(varargs_names)
    return args + [f"i{i}" for i in range(rest)]


def compute(shape, fcompute, name="compute", tag="", attrs=None, varargs_names=None):
    """A tensor whose elements are what a function gives for their indices."""
    scope = TagScope.get_current()
    if scope is not None:
        if tag != "":
            raise ValueError("nested tag is not allowed for now")
        tag = scope.tag
    shape = [_core.convert_expr(x) for x in _shape(shape)]
    names = _axis_names(fcompute, len(shape), varargs_names)
    if len(names) > len(shape):
        raise ValueError(f"Number of args to fcompute does not match dimension, args={len(names)}, dimension={len(shape)}")
    axes = _core.te_axes(shape[:len(names)], " ".join(names))
    body = fcompute(*[axis.var for axis in axes])
    bodies = list(body) if isinstance(body, (list, tuple, Array)) else [body]
    outputs = _core.items(_core.te_compute(name, tag, attrs or {}, axes, bodies))
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def reduce_axis(dom, name="rv", thread_tag="", span=None):
    """An axis that is summed away."""
    return _expr.IterVar(dom, name, 2, thread_tag)


def thread_axis(dom=None, tag="", name="", span=None):
    """A thread of a GPU."""
    if isinstance(dom, str):
        dom, tag = None, dom
    if not tag:
        raise ValueError("tag must be given as Positional or keyword argument")
    return _expr.IterVar(dom, name or tag, 1, tag)


def var(name="tindex", dtype="int32", span=None):
    """A variable."""
    return _expr.Var(name, dtype)


def size_var(name="size", dtype="int32", span=None):
    """A variable that is never negative."""
    return _expr.SizeVar(name, dtype)


def const_axes(shape, names):
    """Axes over a shape."""
    return _core.te_axes(shape, names)


def reduce_with(reducer, expr, axis, where=None, init=None):
    """Reductions by a CommReducer, one for each of its values."""
    sources = list(expr) if isinstance(expr, (list, tuple, Array)) else [expr]
    axes = list(axis) if isinstance(axis, (list, tuple, Array)) else [axis]
    where = True if where is None else where
    starts = [] if init is None else list(init) if isinstance(init, (list, tuple, Array)) else [init]
    outputs = tuple(_core.reduce(reducer, sources, axes, where, i, starts) for i in range(len(sources)))
    return outputs[0] if len(outputs) == 1 else outputs


def reduce_by(fcombine, fidentity, expr, axis, where=None, init=None):
    """Reductions by a function of two values (or two lists of values) and the neutral value of a type."""
    first, second = fcombine.__code__.co_varnames[:2]
    several = isinstance(expr, (list, tuple, Array))
    sources = [_core.convert_expr(x) for x in (expr if several else [expr])]
    dtypes = [x.dtype for x in sources]
    if several:
        lhs = [_expr.Var(f"{first}_{i}", t) for i, t in enumerate(dtypes)]
        rhs = [_expr.Var(f"{second}_{i}", t) for i, t in enumerate(dtypes)]
        result, identity = fcombine(lhs, rhs), fidentity(*dtypes)
    else:
        lhs, rhs = [_expr.Var(first, dtypes[0])], [_expr.Var(second, dtypes[0])]
        result, identity = [fcombine(lhs[0], rhs[0])], [fidentity(dtypes[0])]
    reducer = _expr.CommReducer(lhs, rhs, list(result), list(identity))
    return reduce_with(reducer, sources if several else sources[0], axis, where, init)


def extern(shape, inputs, fcompute, name="extern", dtype=None, in_buffers=None, out_buffers=None, tag="", attrs=None):
    """Tensors that a statement computes."""
    scope = TagScope.get_current()
    if scope is not None:
        tag = scope.tag
    shapes = [shape] if not isinstance(shape, (list, tuple)) or (len(shape) > 0 and isinstance(shape[0], (int, _expr.PrimExpr))) else list(shape)
    if len(shapes) == 0:
        shapes = [()]
    inputs = list(inputs)
    if dtype is None:
        types = {t.dtype for t in inputs}
        if len(types) != 1:
            raise ValueError("Cannot infer output type, please provide dtype argument")
        dtypes = [types.pop()] * len(shapes)
    else:
        dtypes = [dtype] * len(shapes) if isinstance(dtype, str) else list(dtype)
    ins = [in_buffers] if isinstance(in_buffers, _buffer.Buffer) else list(in_buffers) if in_buffers is not None else [_core.te_extern_buffer(t) for t in inputs]
    if out_buffers is None:
        outs = [_buffer.decl_buffer(_shape(s), t, name, elem_offset=_expr.Var("elem_offset", "int32")) for s, t in zip(shapes, dtypes)]
    else:
        outs = [out_buffers] if isinstance(out_buffers, _buffer.Buffer) else list(out_buffers)
    body = fcompute(ins, outs)
    if isinstance(body, _expr.PrimExpr):
        body = _core.make("Evaluate", body)
    outputs = _core.items(_core.te_extern(name, tag, attrs or {}, inputs, ins, outs, body))
    return outputs[0] if len(outputs) == 1 else outputs


def scan(init, update, state_placeholder, inputs=None, name="scan", tag="", attrs=None):
    """Tensors whose rows are computed one after the other: where they begin, how a row comes from those before, what stands for them."""
    init, update, state = ([x] if isinstance(x, Tensor) else list(x) for x in (init, update, state_placeholder))
    if not len(init) == len(update) == len(state):
        raise ValueError("init, update, state_placeholder must have same length")
    scope = TagScope.get_current()
    if scope is not None:
        if tag != "":
            raise ValueError("nested tag is not allowed for now")
        tag = scope.tag
    outs = [_buffer.decl_buffer(list(x.shape), x.dtype, name) for x in state]
    read = [*init, *update, *state, *([inputs] if isinstance(inputs, Tensor) else inputs or [])]
    first = init[0].shape[0]
    axis = _expr.IterVar(Range.from_min_extent(first, update[0].shape[0] - first), f"{name}.idx", 3)
    steps = _core.te_extern(name, tag, {**(attrs or {}), _SCAN: len(init), SCAN_AXIS: axis}, read, [_core.te_extern_buffer(t) for t in read], outs, _core.make("Evaluate", 0))
    outputs = _core.items(steps)
    return outputs[0] if len(outputs) == 1 else outputs


def extern_primfunc(input_tensors, primfunc, **kwargs):
    """A PrimFunc as a stage: what it only writes are the outputs, or the last that it writes."""
    outputs = _core.items(_core.te_extern_primfunc(list(input_tensors), primfunc))
    return outputs[0] if len(outputs) == 1 else outputs


def _refuse_scans(tensors):
    todo, seen = [x.op for x in tensors if isinstance(x, Tensor)], set()
    while todo:
        op = todo.pop()
        if _core.address(op) in seen:
            continue
        seen.add(_core.address(op))
        if isinstance(op, ScanOp):
            raise TypeError(f"Unsupported Operation: ScanOp. {op.name} has steps, which a PrimFunc of create_prim_func has not")
        todo.extend(x.op for x in op.input_tensors)


def create_prim_func(ops, index_dtype_override=None):
    """The stages that tensors depend on as one function whose parameters they are."""
    if not isinstance(ops, (list, tuple, Array)):
        ops = [ops]
    if not all(isinstance(x, (Tensor, _expr.Var)) for x in ops):
        raise TypeError("create_prim_func takes tensors and variables")
    _refuse_scans(ops)
    return _core.te_create_prim_func(list(ops), index_dtype_override)


create_relax_prim_func = create_prim_func


def all(*conditions):  # noqa: A001
    """Do all conditions hold?"""
    from ..tir import op

    return op.all(*conditions)
