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


def _total_padding(extent, stride, kernel):
    over = extent % stride
    return max(kernel - stride, 0) if over == 0 else max(kernel - over, 0)


def autopad(bb, data, strides, kernel_shape, dilations=(1, 1), pad_type="constant", deconv=False, mode="SAME_UPPER", pad_value=0.0):
    """The data with as much padding behind the first two dimensions as a window needs so that each stride gives one result."""
    from ... import topi

    if pad_type not in ("constant", "edge", "reflect"):
        raise ValueError(f"Pad type {pad_type} is not supported: it is \"constant\", \"edge\" or \"reflect\"")
    shape = [int(x) for x in data.struct_info.shape.values]
    pads = [(0, 0), (0, 0)]
    for extent, stride, kernel, dilation in zip(shape[2:], strides, kernel_shape, dilations):
        total = _total_padding(extent, stride, (kernel - 1) * dilation + 1)
        total = kernel - 1 - total if deconv else total
        small, large = total // 2, total - total // 2
        pads.append((large, small) if "LOWER" in mode else (small, large))

    before, after = [a for a, _ in pads], [b for _, b in pads]
    if pad_type == "constant":
        return bb.emit_te(topi.nn.pad, data, before, after, pad_value)
    if pad_type == "edge":
        return bb.emit_te(topi.nn.replicate_pad, data, before, after)
    return bb.emit_te(topi.nn.mirror_pad, data, before, after, "REFLECT")
