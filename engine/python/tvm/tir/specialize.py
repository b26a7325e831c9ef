"""PrimFunc.specialize: parameters and shapes that are known."""
import _loopscope as _core

from ..ir.expr import PrimExpr


def specialize(func, param_map):
    """A copy of a function: a parameter of a number becomes a constant, a buffer parameter one of another shape."""
    from .buffer import Buffer
    from .expr import Var

    values, gone = {}, []
    buffers = func.buffer_map
    for param, value in param_map.items():
        if not any(p.same_as(param) for p in func.params):
            raise ValueError(f"{param} is no parameter of the function")
        if isinstance(value, Buffer):
            old = buffers[param]
            if len(old.shape) != len(value.shape):
                raise ValueError("The buffer dimensions do not match")
            for a, b in zip(list(old.shape) + list(old.strides), list(value.shape) + list(value.strides)):
                if isinstance(a, Var):
                    values[a] = b
        elif isinstance(value, (int, float, PrimExpr)):
            values[param] = _core.cast(param.dtype, value)
            gone.append(param)
    body = _core.substitute(func, values)
    params = [p for p in body.params if not any(p.same_as(g) for g in gone)]
    return type(func)(params, body.body, body.ret_type, {k: v for k, v in body.buffer_map.items()}, body.attrs)
