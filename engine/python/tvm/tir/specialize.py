"""PrimFunc.specialize: parameters and shapes that are known."""
import _loopscope as _core

from ..ir.expr import PrimExpr


def _match(values, old, new):
    """Notes that a variable of the old buffer stands for an expression of the new one."""
    from .expr import Var

    if _core.deep_equal(old, new):
        return
    if not isinstance(old, Var):
        raise TypeError(f"{old} is computed in the parameter that is given a buffer; only a variable can become {new}")
    if old in values and not _core.deep_equal(values[old], new):
        raise ValueError(f"{old} would be {values[old]} and {new} at once")
    values[old] = new


def _match_buffers(values, old, new):
    if old.dtype != new.dtype:
        raise ValueError(f"the parameter holds {old.dtype}, the buffer that is given {new.dtype}")
    for what in ("shape", "strides"):
        if len(getattr(old, what)) != len(getattr(new, what)):
            raise ValueError(f"the parameter has {what} of {len(getattr(old, what))} dimensions, the buffer that is given of {len(getattr(new, what))}")
    _match(values, old.data, new.data)
    for a, b in zip(list(old.shape) + list(old.strides) + [old.elem_offset], list(new.shape) + list(new.strides) + [new.elem_offset]):
        _match(values, a, b)
    for what in ("data_alignment", "offset_factor"):
        if getattr(old, what) != getattr(new, what):
            raise ValueError(f"the parameter has the {what} {getattr(old, what)}, the buffer that is given {getattr(new, what)}")


def specialize(func, param_map):
    """A copy of a function: a parameter of a number becomes a constant, a buffer parameter one of another shape."""
    from .buffer import Buffer

    if not hasattr(param_map, "items"):
        raise TypeError(f"specialize takes a map from parameters to what takes their place, not {type(param_map).__name__}")
    values, buffers = {}, func.buffer_map
    for param, value in param_map.items():
        if not any(p.same_as(param) for p in func.params):
            raise ValueError(f"{param} is no parameter of this function")
        if isinstance(value, Buffer):
            if param not in buffers:
                raise ValueError(f"{param} is a parameter without a buffer; a number takes its place")
            _match_buffers(values, buffers[param], value)
        elif isinstance(value, (bool, int, float, PrimExpr)):
            if param in buffers:
                raise ValueError(f"{param} is the parameter of a buffer; a buffer takes its place")
            values[param] = value if getattr(value, "dtype", None) == param.dtype else _core.cast(param.dtype, value)
        else:
            raise TypeError(f"a buffer or a number takes the place of a parameter, not {type(value).__name__}")
    return _core.specialize(func, values)
