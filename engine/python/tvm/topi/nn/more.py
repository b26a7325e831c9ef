"""Operators of neural networks that are written over te."""
from ... import te, tir
from .paddings import get_pad_tuple

__all__ = ["conv2d_hwcn", "conv3d_ndhwc", "depthwise_conv2d_backward_input_nhwc", "depthwise_conv2d_backward_weight_nhwc", "depthwise_conv2d_nhwc",
           "fast_softmax", "get_pad_tuple", "group_conv1d_ncw", "group_conv1d_nwc", "group_conv2d_nhwc", "lrn", "scale_shift_nchwc", "unpack_NCHWc_to_nchw",
           "upsampling3d"]


def _two(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def conv2d_hwcn(Input, Filter, stride, padding, dilation, out_dtype=None):
    """A convolution of images in the layout HWCN with kernels in HWIO."""
    from . import conv

    return conv(Input, Filter, stride, padding, dilation, 1, "HWCN", "HWIO", out_dtype)


def conv3d_ndhwc(Input, Filter, stride, padding, dilation, groups=1, out_dtype="float32", auto_scheduler_rewritten_layout="", meta_schedule_origin_shape=None):
    """A convolution of volumes with the channels last."""
    from . import conv

    return conv(Input, Filter, stride, padding, dilation, groups, "NDHWC", "DHWIO", out_dtype)


def group_conv1d_ncw(data, kernel, strides=1, padding="VALID", dilation=1, groups=1, out_dtype=None):
    """A convolution of groups of channels over one dimension, channels first; kernels are (out, in, width)."""
    from . import conv

    return conv(data, kernel, strides, padding, dilation, groups, "NCW", "OIW", out_dtype)


def group_conv1d_nwc(data, kernel, strides=1, padding="VALID", dilation=1, groups=1, out_dtype=None):
    """A convolution of groups of channels over one dimension, channels last; kernels are (width, in, out)."""
    from . import conv

    return conv(data, kernel, strides, padding, dilation, groups, "NWC", "WIO", out_dtype)


def group_conv2d_nhwc(Input, Filter, stride, padding, dilation, groups, out_dtype=None):
    """A convolution of groups of channels, which come last."""
    from . import conv

    return conv(Input, Filter, stride, padding, dilation, groups, "NHWC", "HWIO", out_dtype)


def depthwise_conv2d_nhwc(Input, Filter, stride, padding, dilation, kernel_layout="HWOI", out_dtype=None):
    """A convolution of each channel by itself; the filter is (height, width, channels, results of each)."""
    from . import pad

    out_dtype = Input.dtype if out_dtype is None else out_dtype
    stride, dilation = _two(stride), _two(dilation)
    batch, height, width, _ = Input.shape
    if kernel_layout == "HWOI":
        rows, columns, channels, times = Filter.shape
        weight = lambda di, dj, c, m: Filter[di, dj, c, m]  # noqa: E731
    else:
        rows, columns, times, channels = Filter.shape
        weight = lambda di, dj, c, m: Filter[di, dj, m, c]  # noqa: E731
    wide = (rows - 1) * dilation[0] + 1, (columns - 1) * dilation[1] + 1
    top, left, down, right = get_pad_tuple(padding, wide)
    padded = pad(Input, [0, top, left, 0], [0, down, right, 0], name="PaddedInput")
    di, dj = te.reduce_axis((0, rows), name="di"), te.reduce_axis((0, columns), name="dj")
    out = [(height - wide[0] + top + down) // stride[0] + 1, (width - wide[1] + left + right) // stride[1] + 1]

    def value(b, i, j, c):
        pixel = padded[b, i * stride[0] + di * dilation[0], j * stride[1] + dj * dilation[1], te.indexdiv(c, times)]
        return te.sum(pixel.astype(out_dtype) * weight(di, dj, te.indexdiv(c, times), te.indexmod(c, times)).astype(out_dtype), axis=[di, dj])

    return te.compute((batch, *out, channels * times), value, name="DepthwiseConv2d", tag="depthwise_conv2d_nhwc")


def depthwise_conv2d_backward_input_nhwc(Filter, Out_grad, oshape, ishape, stride, padding):
    """The gradient of depthwise_conv2d_nhwc (filter HWOI) by its input, of the shape `ishape`; `oshape` is that of Out_grad."""
    from . import dilate, pad

    stride = _two(stride)
    rows, columns, channels, times = Filter.shape
    batch, height, width, _ = ishape
    top, left, _, _ = get_pad_tuple(padding, (rows, columns))
    spread = dilate(Out_grad, [1, stride[0], stride[1], 1], name="dilated_out_grad")
    before = rows - 1 - top, columns - 1 - left
    after = [height + size - 1 - edge - ((out - 1) * step + 1)
             for height, size, edge, out, step in zip((height, width), (rows, columns), before, oshape[1:3], stride)]
    padded = pad(spread, [0, *before, 0], [0, *after, 0], name="padded_out_grad")
    di, dj, dm = (te.reduce_axis((0, n), name=name) for n, name in ((rows, "dh"), (columns, "dw"), (times, "dc")))

    def value(b, i, j, c):
        return te.sum(padded[b, i + di, j + dj, c * times + dm] * Filter[rows - 1 - di, columns - 1 - dj, c, dm], axis=[di, dj, dm])

    return te.compute((batch, height, width, channels), value, name="DepthwiseConv2dBackwardInput", tag="depthwise_conv2d_backward_input_nhwc")


def depthwise_conv2d_backward_weight_nhwc(Input, Out_grad, oshape, fshape, stride, padding):
    """The gradient of depthwise_conv2d_nhwc by its filter, of the shape `fshape` (height, width, channels, results of each)."""
    from . import pad

    stride = _two(stride)
    rows, columns, channels, times = fshape
    batch, out_height, out_width, _ = oshape
    top, left, down, right = get_pad_tuple(padding, (rows, columns))
    padded = pad(Input, [0, top, left, 0], [0, down, right, 0], name="padded_in")
    db, di, dj = (te.reduce_axis((0, n), name=name) for n, name in ((batch, "db"), (out_height, "dh"), (out_width, "dw")))

    def value(i, j, c, m):
        return te.sum(Out_grad[db, di, dj, c * times + m] * padded[db, di * stride[0] + i, dj * stride[1] + j, c], axis=[db, di, dj])

    return te.compute((rows, columns, channels, times), value, name="DepthwiseConv2dBackwardWeight", tag="depthwise_conv2d_backward_weight_nhwc")


def fast_softmax(x, axis=-1):
    """softmax with a quick exponential."""
    import _loopscope as _core

    return _core.topi("nn_fast_softmax", x, axis)


def lrn(data, size, axis=1, alpha=0.0001, beta=0.75, bias=2):
    """Local response normalisation across channels: data / (bias + alpha / size * the squares of the neighbours) ** beta."""
    from .. import divide
    from . import pad

    if len(data.shape) != 4 or size % 2 == 0 or axis not in (1, 3):
        raise ValueError("lrn takes images with four dimensions, an odd size, and the axis 1 or 3")
    border = [0] * 4
    border[axis] = size // 2
    padded = pad(data, border, border, pad_value=0.0, name="pad_data")
    near = te.reduce_axis((0, size), name="rxs")

    def squares(*places):
        index = list(places)
        index[axis] = places[axis] + near
        return te.sum(padded(*index) * padded(*index), axis=near)

    total = te.compute(data.shape, squares, name="tensor")
    factor, offset, power = (tir.const(x, data.dtype) for x in (alpha, bias, beta))
    root = te.compute(data.shape, lambda *places: te.power(offset + te.div(factor * total(*places), size), power), name="tensor")
    return divide(data, root)


def scale_shift_nchwc(data, Scale, Shift):
    """data * Scale + Shift for each channel, of channels in blocks."""
    return te.compute(data.shape, lambda b, cc, i, j, cb: data[b, cc, i, j, cb] * Scale[cc, cb] + Shift[cc, cb], name="ScaleShift", tag="broadcast")


def unpack_NCHWc_to_nchw(packed_out, out_dtype):  # noqa: N802
    """Images whose channels are in blocks, with channels one behind another."""
    n, blocks, height, width, inner = (int(x) if isinstance(x, tir.IntImm) else x for x in packed_out.shape)
    return te.compute((n, blocks * inner, height, width), lambda b, c, h, w: packed_out[b, te.indexdiv(c, inner), h, w, te.indexmod(c, inner)].astype(out_dtype),
                      name="output_unpack", tag="injective,unpack_nchwc")


def upsampling3d(data, scale_d, scale_h, scale_w, layout="NCDHW", method="nearest_neighbor", coordinate_transformation_mode="half_pixel", output_shape=None):
    """Volumes made larger by factors."""
    from ..image import resize3d

    at = layout.index("D")

    def scaled(extent, scale):
        value = te.round(extent * scale)
        return int(float(value.value)) if hasattr(value, "value") else te.round(extent.astype("float") * scale).astype("int32")

    size = output_shape or [int(round(int(extent) * scale)) if isinstance(extent, (int, tir.IntImm)) else scaled(extent, scale)
                            for extent, scale in zip(data.shape[at:at + 3], (scale_d, scale_h, scale_w))]
    method = "linear" if method == "trilinear" else method
    return resize3d(data, (0.0,) * 6, size, layout=layout, method=method, coordinate_transformation_mode=coordinate_transformation_mode)
