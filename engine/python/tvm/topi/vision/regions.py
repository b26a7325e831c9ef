"""What lies in regions of pictures: the mean or maximum of samples, the maximum of elements.

A region is (number of the picture, left, top, right, bottom)."""
from ... import te, tir


def _pair(value):
    return tuple(int(one) for one in value) if hasattr(value, "__len__") or isinstance(value, tuple) else (int(value), int(value))


def _between(data, at, y, x, height, width):
    """The element at a place between others: at (row, column) gives one.  Outside by a whole element or more it is 0."""
    low = tir.const(0, "float32")
    outside = tir.any(y < -1.0, x < -1.0, y > height, x > width)
    y, x = te.min(te.max(y, low), (height - 1).astype("float32")), te.min(te.max(x, low), (width - 1).astype("float32"))
    top, left = te.floor(y).astype("int32"), te.floor(x).astype("int32")
    bottom, right = te.ceil(y).astype("int32"), te.ceil(x).astype("int32")
    down, along = y - top, x - left
    value = (at(top, left) * (1.0 - down) * (1.0 - along) + at(top, right) * (1.0 - down) * along
             + at(bottom, left) * down * (1.0 - along) + at(bottom, right) * down * along)
    return tir.if_then_else(outside, tir.const(0.0, data.dtype), value)


def _align(data, rois, pooled_size, spatial_scale, mode, sample_ratio, aligned, shape_of, element, height, width):
    rows, columns = _pair(pooled_size)
    if mode not in (0, 1, b"avg", b"max", "avg", "max"):
        raise ValueError(f'a region is given by "avg" or "max", not {mode!r}')
    mean, dtype = mode in (0, b"avg", "avg"), rois.dtype
    height, width = [tir.const(one, "int32") if isinstance(one, int) else one for one in (height, width)]

    def compute(i, c, ph, pw):
        picture = rois[i, 0].astype("int32")
        left, top, right, bottom = [rois[i, k] * tir.const(spatial_scale, dtype) - tir.const(0.5 if aligned else 0.0, dtype) for k in (1, 2, 3, 4)]
        tall, wide = bottom - top, right - left
        if not aligned:
            tall, wide = te.max(tall, tir.const(1.0, dtype)), te.max(wide, tir.const(1.0, dtype))
        bin_h, bin_w = tall / rows, wide / columns
        if sample_ratio > 0:
            down = along = tir.const(int(sample_ratio), "int32")
        else:
            down, along = te.ceil(bin_h).astype("int32"), te.ceil(bin_w).astype("int32")
        rh, rw = te.reduce_axis((0, down), "rh"), te.reduce_axis((0, along), "rw")
        y = top + ph * bin_h + (rh + 0.5) * bin_h / down
        x = left + pw * bin_w + (rw + 0.5) * bin_w / along
        value = _between(data, lambda r, s: element(picture, c, r, s), y, x, height, width)
        return te.sum(value / (down * along), axis=[rh, rw]) if mean else te.max(value, axis=[rh, rw])

    return shape_of(rows, columns, compute)


def roi_align_nchw(data, rois, pooled_size, spatial_scale, mode, sample_ratio=-1, aligned=False):
    """(regions, channels, rows, columns): each the mean ("avg") or maximum ("max") of sample_ratio * sample_ratio samples of its part of the region
    (-1: as many as it is large)."""
    _, channels, height, width = data.shape
    return _align(data, rois, pooled_size, spatial_scale, mode, sample_ratio, aligned,
                  lambda rows, columns, compute: te.compute((rois.shape[0], channels, rows, columns), compute, tag="pool,roi_align_nchw"),
                  lambda n, c, y, x: data(n, c, y, x), height, width)


def roi_align_nhwc(data, rois, pooled_size, spatial_scale, mode, sample_ratio=-1, aligned=False):
    """The same with channels last."""
    _, height, width, channels = data.shape
    return _align(data, rois, pooled_size, spatial_scale, mode, sample_ratio, aligned,
                  lambda rows, columns, compute: te.compute((rois.shape[0], rows, columns, channels), lambda i, ph, pw, c: compute(i, c, ph, pw), tag="pool,roi_align_nhwc"),
                  lambda n, c, y, x: data(n, y, x, c), height, width)


def roi_pool_nchw(data, rois, pooled_size, spatial_scale):
    """(regions, channels, rows, columns): each the maximum of the elements of its part of the region, 0 where there are none."""
    rows, columns = _pair(pooled_size)
    _, channels, height, width = data.shape

    def edges(start, size, parts, place, most):
        first = te.floor(place * (size / parts)).astype("int32") + start
        last = te.ceil((place + 1) * (size / parts)).astype("int32") + start
        return te.max(te.min(first, most), 0), te.max(te.min(last, most), 0)

    def part(i, ph, pw):
        left, top, right, bottom = [te.round(rois[i, k] * spatial_scale).astype("int32") for k in (1, 2, 3, 4)]
        tall, wide = [te.max(end - start + 1, tir.const(1, "int32")).astype(rois.dtype) for start, end in ((top, bottom), (left, right))]
        return *edges(top, tall, rows, ph, height), *edges(left, wide, columns, pw, width)

    def compute(i, c, ph, pw):
        first_h, last_h, first_w, last_w = part(i, ph, pw)
        rh, rw = te.reduce_axis((0, last_h - first_h), "rh"), te.reduce_axis((0, last_w - first_w), "rw")
        return te.max(data[rois[i, 0].astype("int32"), c, first_h + rh, first_w + rw], axis=[rh, rw])

    def filled(i, c, ph, pw):
        first_h, last_h, first_w, last_w = part(i, ph, pw)
        return tir.Select(tir.any(first_h >= last_h, first_w >= last_w), tir.const(0.0, data.dtype), most(i, c, ph, pw))

    most = te.compute((rois.shape[0], channels, rows, columns), compute, tag="pool,roi_pool_nchw")
    return te.compute(most.shape, filled, tag="elemwise")
