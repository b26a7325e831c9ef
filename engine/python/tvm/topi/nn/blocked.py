"""Convolutions whose channels lie in blocks, the innermost dimension one block of them."""
from ... import te, tir
from ..utils import get_const_tuple


def _pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def _borders(padding, kernel):
    """(top, left, bottom, right)"""
    if isinstance(padding, str):
        total = (0, 0) if padding == "VALID" else tuple(k - 1 for k in kernel)
        return ((total[0] + 1) // 2, (total[1] + 1) // 2, total[0] // 2, total[1] // 2)
    given = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
    return given * 2 if len(given) == 2 else given


def _geometry(data, kernel, stride, padding, dilation):
    """What both convolutions share: (the padded input, strides, dilations, (height, width) of the result)."""
    from . import pad

    strides, dilations = _pair(stride), _pair(dilation)
    high, wide = (int(x) for x in kernel.shape[2:4])
    spread = tuple((k - 1) * d + 1 for k, d in zip((high, wide), dilations))
    top, left, bottom, right = _borders(padding, spread)
    sizes = tuple((size + before + after - k) // step + 1
                  for size, before, after, k, step in zip(data.shape[2:4], (top, left), (bottom, right), spread, strides))
    if top or left or bottom or right:
        data = pad(data, (0, 0, top, left, 0), (0, 0, bottom, right, 0), name="data_pad")
    return data, strides, dilations, sizes


def conv2d_NCHWc(data, kernel, stride, padding, dilation, layout, out_layout, out_dtype="float32"):
    """A convolution of data [batch, block, row, column, channel of the block] with a kernel [block out, block in, row, column, in, out]."""
    del layout, out_layout
    out_dtype = out_dtype or data.dtype
    blocks, _, high, wide, _, each = get_const_tuple(kernel.shape)
    inner = int(data.shape[4])
    padded, strides, dilations, sizes = _geometry(data, kernel, stride, padding, dilation)
    ic = te.reduce_axis((0, data.shape[1] * inner), name="ic")
    kh, kw = te.reduce_axis((0, high), name="kh"), te.reduce_axis((0, wide), name="kw")

    def at(n, oc_chunk, oh, ow, oc_block):
        place = (n, tir.indexdiv(ic, inner), oh * strides[0] + kh * dilations[0], ow * strides[1] + kw * dilations[1], tir.indexmod(ic, inner))
        weight = kernel[oc_chunk, tir.indexdiv(ic, inner), kh, kw, tir.indexmod(ic, inner), oc_block]
        return te.sum(padded[place].astype(out_dtype) * weight.astype(out_dtype), axis=[ic, kh, kw])

    return te.compute((data.shape[0], blocks, *sizes, each), at, name="conv2d_NCHWc", tag="conv2d_NCHWc")


def depthwise_conv2d_NCHWc(Input, Filter, stride, padding, dilation, layout, out_layout, out_dtype=None):  # noqa: N803
    """The same where each channel has kernels of its own: Filter is [block out, 1, row, column, 1, channel of the block]."""
    del layout, out_layout
    out_dtype = out_dtype or Input.dtype
    blocks, _, high, wide, _, each = get_const_tuple(Filter.shape)
    inner = int(Input.shape[4])
    factor = blocks * each // (int(Input.shape[1]) * inner)
    padded, strides, dilations, sizes = _geometry(Input, Filter, stride, padding, dilation)
    kh, kw = te.reduce_axis((0, high), name="kh"), te.reduce_axis((0, wide), name="kw")

    def at(n, oc_chunk, oh, ow, oc_block):
        channel = tir.indexdiv(oc_chunk * each + oc_block, factor)
        place = (n, tir.indexdiv(channel, inner), oh * strides[0] + kh * dilations[0], ow * strides[1] + kw * dilations[1], tir.indexmod(channel, inner))
        return te.sum(padded[place].astype(out_dtype) * Filter[oc_chunk, 0, kh, kw, 0, oc_block].astype(out_dtype), axis=[kh, kw])

    return te.compute((Input.shape[0], blocks, *sizes, each), at, name="DepthwiseConv2d", tag="depthwise_conv2d_NCHWc")
