"""Products and convolutions by oneDNN, as extern calls; running them needs functions of these names (register_func)."""
from .. import te, tir
from ._product import product as _product


def matmul(lhs, rhs, transa=False, transb=False, **kwargs):
    """The product as one extern call."""
    return _product("tvm.contrib.dnnl.matmul", lhs, rhs, transa, transb, kwargs.pop("dtype", None), **kwargs)


def dnnl_conv2d(src, weights, stride, padding, dilation, groups, channel_last=False, out_dtype="float32", **kwargs):
    """A convolution as one extern call: NCHW and OIHW, or NHWC and HWIO."""
    from ..topi.nn.utils import get_pad_tuple
    from ..topi.utils import get_const_tuple

    batch, channels, height, width = [get_const_tuple(src.shape)[i] for i in ((0, 3, 1, 2) if channel_last else (0, 1, 2, 3))]
    out_channels, in_channels, rows, columns = [get_const_tuple(weights.shape)[i] for i in ((3, 2, 0, 1) if channel_last else (0, 1, 2, 3))]
    if in_channels * groups != channels:
        raise ValueError(f"the weights are for {in_channels * groups} channels, the data have {channels}")
    down, along = stride if isinstance(stride, (tuple, list)) else (stride, stride)
    dilated = dilation if isinstance(dilation, (tuple, list)) else (dilation, dilation)
    sizes = [(size - 1) * step + 1 for size, step in zip((rows, columns), dilated)]
    top, left, bottom, right = get_pad_tuple(padding, sizes)
    out = [(height + top + bottom - sizes[0]) // down + 1, (width + left + right - sizes[1]) // along + 1]
    shape = [batch, *out, out_channels] if channel_last else [batch, out_channels, *out]
    return te.extern(shape, [src, weights], lambda ins, outs: tir.call_packed("tvm.contrib.dnnl.conv2d", ins[0], ins[1], outs[0], top, bottom, left, right,
                                                                             down, along, groups, channel_last, True),
                     name="C", dtype=out_dtype, **kwargs)
