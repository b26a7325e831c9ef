"""PrimFunc.specialize: parameters and shapes that are known."""
import _loopscope as _core

from ..ir.expr import PrimExpr


def _match(values, old, new):
    """Notes that a variable of the old buffer stands for an expression of the new one."""
    from .expr import Var

    if _core.deep_equal(old, new):
        return
    if not isinstance(old, Var):
        raise TypeError(f"The signature of target buffer exprected an independent Var, but got {old}.")
    if old in values and not _core.deep_equal(values[old], new):
        raise ValueError(f"The assigned value of var {old} mismatched. {values[old]} vs. {new}.")
    values[old] = new


def _match_buffers(values, old, new):
    for what in ("shape", "strides"):
        if len(getattr(old, what)) != len(getattr(new, what)):
            raise ValueError(f"The buffer {what} dimensions mismatched: {len(getattr(old, what))} vs. {len(getattr(new, what))}.")
    _match(values, old.data, new.data)
    for a, b in zip(list(old.shape) + list(old.strides) + [old.elem_offset], list(new.shape) + list(new.strides) + [new.elem_offset]):
        _match(values, a, b)
    for what in ("data_alignment", "offset_factor"):
        if getattr(old, what) != getattr(new, what):
            raise ValueError(f"The buffer {what} mismatched: {getattr(old, what)} vs. {getattr(new, what)}.")


def specialize(func, param_map):
    """A copy of a function: a parameter of a number becomes a constant, a buffer parameter one of another shape."""
    from .buffer import Buffer

    values, buffers = {}, func.buffer_map
    for param, value in param_map.items():
        if not any(p.same_as(param) for p in func.params):
            raise ValueError(f"specialize expects param to be in PrimFunc's params, but {param} is not")
        if isinstance(value, Buffer):
            if param not in buffers:
                raise ValueError(f"specialize expects param to be in PrimFunc's buffer_map, but {param} is not")
            _match_buffers(values, buffers[param], value)
        elif isinstance(value, (bool, int, float, PrimExpr)):
            if param in buffers:
                raise ValueError(f"specialize expects param to not be in PrimFunc's buffer_map, but {param} is")
            values[param] = value if getattr(value, "dtype", None) == param.dtype else _core.cast(param.dtype, value)
        else:
            raise TypeError(f"specialize expected instance to be Buffer or PrimExpr, but got {type(value).__name__}")
    return _core.specialize(func, values)
