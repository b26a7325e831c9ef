"""Operators that read images at other places: correlation, deformable convolution; and a queue of frames."""
from ... import te, tir
from .paddings import get_pad_tuple

__all__ = ["correlation_nchw", "deformable_conv2d_nchw", "deformable_conv2d_nhwc", "fifo_buffer"]


def _two(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def correlation_nchw(data1, data2, kernel_size, max_displacement, stride1, stride2, padding, is_multiply):
    """How patches of one image fit those around their place in another one; a channel for each displacement."""
    from . import pad

    batch, channels, height, width = data1.shape
    top, left, down, right = get_pad_tuple(padding, (kernel_size, kernel_size))
    first = pad(data1, [0, 0, top, left], [0, 0, down, right])
    second = pad(data2, [0, 0, top, left], [0, 0, down, right])
    border = max_displacement + (kernel_size - 1) // 2
    radius = max_displacement // stride2
    size = 2 * radius + 1
    out = [(extent - 2 * border + stride1 - 1) // stride1 for extent in (height + top + down, width + left + right)]
    rc = te.reduce_axis((0, channels), name="rc")
    ry, rx = te.reduce_axis((0, kernel_size), name="ry"), te.reduce_axis((0, kernel_size), name="rx")

    def value(n, q, i, j):
        y, x = i * stride1 + max_displacement + ry, j * stride1 + max_displacement + rx
        moved = second(n, rc, y + (te.indexdiv(q, size) - radius) * stride2, x + (te.indexmod(q, size) - radius) * stride2)
        pixel = first(n, rc, y, x)
        both = pixel * moved if is_multiply else tir.abs(pixel - moved)
        return te.sum(both / (kernel_size * kernel_size * channels), axis=[rc, ry, rx])

    return te.compute((batch, size * size, *out), value, tag="correlation_nchw")


def _between(pixel, y, x, height, width, dtype):
    """The value between four pixels; nothing outside of the image."""
    low = [te.floor(y), te.floor(x)]
    share = [y - low[0], x - low[1]]
    at = [[tir.max(tir.min(place.astype("int32") + more, extent - 1), 0) for more in (0, 1)] for place, extent in zip(low, (height, width))]
    value = sum((pixel(at[0][i], at[1][j]) * (share[0] if i else 1 - share[0]) * (share[1] if j else 1 - share[1]) for i in (0, 1) for j in (0, 1)),
                tir.const(0, dtype))
    outside = tir.any(y < 0, x < 0, y >= tir.Cast(y.dtype, height), x >= tir.Cast(x.dtype, width))
    return tir.if_then_else(outside, tir.const(0, dtype), value)


def _deformable(data, offset, kernel, strides, padding, dilation, deformable_groups, groups, out_dtype, last):
    """Both layouts; `last`: the channels are the last axis, and the kernel is HWIO."""
    out_dtype = data.dtype if out_dtype is None else out_dtype
    stride, step = _two(strides), _two(dilation)
    if last:
        batch, height, width, channels = data.shape
        rows, columns, each, filters = kernel.shape
        _, out_height, out_width, _ = offset.shape
    else:
        batch, channels, height, width = data.shape
        filters, each, rows, columns = kernel.shape
        _, _, out_height, out_width = offset.shape
    top, left, _, _ = get_pad_tuple(padding, ((rows - 1) * step[0] + 1, (columns - 1) * step[1] + 1))
    share = te.indexdiv(channels, deformable_groups)
    rc = te.reduce_axis((0, each), name="rc")
    ry, rx = te.reduce_axis((0, rows), name="ry"), te.reduce_axis((0, columns), name="rx")

    def moved(n, c, y, x, dy, dx):
        at = te.indexdiv(c, share) * (rows * columns * 2) + (dy * columns + dx) * 2
        shift = [offset[n, y, x, at + i] if last else offset[n, at + i, y, x] for i in (0, 1)]
        places = [y * stride[0] - top + dy * step[0] + shift[0], x * stride[1] - left + dx * step[1] + shift[1]]
        pixel = (lambda i, j: data[n, i, j, c]) if last else (lambda i, j: data[n, c, i, j])
        return _between(pixel, *places, height, width, data.dtype)

    shape = (batch, channels, rows, columns, out_height, out_width)
    seen = te.compute(shape, lambda n, c, dy, dx, y, x: moved(n, c, y, x, dy, dx), tag="data_deform")

    def value(n, f, y, x):
        c = te.indexdiv(f, te.indexdiv(filters, groups)) * each + rc
        weight = kernel[ry, rx, rc, f] if last else kernel[f, rc, ry, rx]
        return te.sum(seen[n, c, ry, rx, y, x].astype(out_dtype) * weight.astype(out_dtype), axis=[rc, ry, rx])

    if last:
        return te.compute((batch, out_height, out_width, filters), lambda n, y, x, f: value(n, f, y, x), tag="deformable_conv2d_nhwc")
    return te.compute((batch, filters, out_height, out_width), value, tag="deformable_conv2d_nchw")


def deformable_conv2d_nchw(data, offset, kernel, strides, padding, dilation, deformable_groups, groups, out_dtype=None):
    """A convolution each of whose weights reads the image at a place that is moved by offsets."""
    return _deformable(data, offset, kernel, strides, padding, dilation, deformable_groups, groups, out_dtype, False)


def deformable_conv2d_nhwc(data, offset, kernel, strides, padding, dilation, deformable_groups, groups, out_dtype=None):
    """The same with the channels last."""
    return _deformable(data, offset, kernel, strides, padding, dilation, deformable_groups, groups, out_dtype, True)


def fifo_buffer(data, buffer, axis):
    """A buffer with new data behind its own, and as much of its front gone."""
    extent, new = buffer.shape[axis], data.shape[axis]

    def value(*places):
        fresh, old = list(places), list(places)
        fresh[axis] = places[axis] - extent + new
        old[axis] = places[axis] + new
        return tir.if_then_else(places[axis] < extent - new, buffer(*old), data(*fresh))

    return te.compute(buffer.shape, value, name="new_buffer")
