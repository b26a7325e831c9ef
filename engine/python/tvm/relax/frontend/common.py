"""What all frontends share."""
from ...ir import IRModule
from ...runtime import ndarray
from .. import expr as _expr


def detach_params(mod):
    """The module without the attribute "params" of its functions, and these by the functions' names."""
    detached, params = {}, {}
    for gvar, func in mod.functions_items():
        if func.attrs is not None and "params" in func.attrs:
            params[gvar.name_hint] = [ndarray.array(x.numpy()) if isinstance(x, _expr.TensorData) else x for x in func.attrs["params"]]
            func = func.without_attr("params")
        detached[gvar] = func
    return IRModule(detached, attrs=mod.attrs), params
