"""Images at places between pixels: resize1d, resize3d, grid_sample, affine_grid, and the grey dilation."""
from ... import te, tir

INJECTIVE = "injective"

__all__ = ["affine_grid", "dilation2d_nchw", "dilation2d_nhwc", "grid_sample", "resize1d", "resize3d"]


def _place(at, extent, target, mode, start=None, end=None):
    """Where in the image a place of the result lies."""
    at = at.astype("float")
    if mode == "align_corners":
        return tir.const(0.0) if isinstance(target, int) and target == 1 else at * (_f(extent - 1) / _f(target - 1))
    scale = _f(extent) / _f(target)
    if mode == "half_pixel":
        return scale * (at + 0.5) - 0.5
    if mode == "asymmetric":
        return scale * at
    if mode == "pytorch_half_pixel":
        return te.if_then_else(target > 1, scale * (at + 0.5) - 0.5, 0.0)
    if mode == "tf_half_pixel_for_nn":
        return scale * (at + 0.5)
    raise ValueError(f"there is no way {mode!r} from the places of a result to those of its picture")


def _f(value):
    return tir.const(float(value), "float32") if isinstance(value, (int, float, tir.IntImm)) and not isinstance(value, tir.PrimExpr) else te.div(value.astype("float"), 1.0) if not isinstance(value, tir.IntImm) else tir.const(float(int(value)), "float32")


def _round(place, rounding):
    if rounding == "round":
        return te.round(place).astype("int32")
    if rounding == "round_prefer_floor":
        return te.ceil(place - 0.5).astype("int32")
    if rounding == "round_prefer_ceil":
        return te.floor(place + 0.5).astype("int32")
    if rounding == "floor":
        return te.floor(place + 1e-5).astype("int32")
    if rounding == "ceil":
        return te.ceil(place).astype("int32")
    raise ValueError(f"there is no rounding {rounding!r} of places")


def _cubic(t, alpha):
    """The weights of four pixels around a place (Keys 1981)."""
    t2, t3 = t * t, t * t * t
    return [alpha * (t3 - 2 * t2 + t), (alpha + 2) * t3 - (3 + alpha) * t2 + 1, -(alpha + 2) * t3 + (3 + 2 * alpha) * t2 - alpha * t, -alpha * t3 + alpha * t2]


def _mix(pixel, places, method, rounding, alpha, exclude, extents):
    """The value at places, of the pixels around them: the innermost axis is mixed first."""
    def go(done, rest):
        if not rest:
            return pixel(done)
        place, extent = rest[0]
        if method == "nearest_neighbor":
            return go(done + [_round(place, rounding)], rest[1:])
        low = te.floor(place).astype("int32")
        t = place - low
        if method == "linear":
            return go(done + [low], rest[1:]) * (1.0 - t) + go(done + [low + 1], rest[1:]) * t
        weights = _cubic(t, alpha)
        if exclude:
            weights = [tir.Select(tir.any(low - 1 + i < 0, low + i > extent), 0.0, w) for i, w in enumerate(weights)]
            total = weights[0] + weights[1] + weights[2] + weights[3]
            weights = [w / total for w in weights]
        parts = [go(done + [low - 1 + i], rest[1:]) * w for i, w in enumerate(weights)]
        return parts[0] + parts[1] + parts[2] + parts[3]

    return go([], list(zip(places, extents)))


def _resize(data, size, layout, axes, method, mode, rounding, alpha, exclude, out_dtype):
    if method not in ("nearest_neighbor", "linear", "cubic"):
        raise ValueError(f"{method} is no method of resizing; there are nearest_neighbor, linear and cubic")
    at = [layout.index(axis) for axis in axes]
    shape = list(data.shape)
    for i, extent in zip(at, size):
        shape[i] = extent
    rounding = rounding or ("round" if mode == "align_corners" else "floor")

    def value(*places):
        def pixel(where):
            index = list(places)
            for i, place in zip(at, where):
                index[i] = te.max(te.min(place, data.shape[i] - 1), 0)
            return data(*index).astype("float")

        mixed = _mix(pixel, [_place(places[i], data.shape[i], extent, mode) for i, extent in zip(at, size)], method, rounding, alpha, exclude,
                     [data.shape[i] for i in at])
        return mixed.astype(out_dtype or data.dtype)

    return te.compute(shape, value, name="resize", tag=INJECTIVE)


def resize1d(data, roi, size, layout="NCW", method="linear", coordinate_transformation_mode="half_pixel", rounding_method="", bicubic_alpha=-0.5,
             bicubic_exclude=0, extrapolation_value=0.0, out_dtype=None, output_shape=None):
    """Another width, by the nearest pixel, linear or cubic interpolation."""
    if layout not in ("NCW", "NWC"):
        raise ValueError(f"a row of pixels is laid out NCW or NWC, not {layout}")
    return _resize(data, list(size), layout, "W", method, coordinate_transformation_mode, rounding_method, bicubic_alpha, bicubic_exclude, out_dtype)


def resize3d(data, roi, size, layout="NCDHW", method="nearest_neighbor", coordinate_transformation_mode="half_pixel", rounding_method="", bicubic_alpha=-0.5,
             bicubic_exclude=0, extrapolation_value=0.0, out_dtype=None, output_shape=None):
    """Another depth, height and width."""
    if layout not in ("NCDHW", "NDHWC"):
        raise ValueError(f"a volume is laid out NCDHW or NDHWC, not {layout}")
    return _resize(data, list(size), layout, "DHW", method, coordinate_transformation_mode, rounding_method, bicubic_alpha, bicubic_exclude, out_dtype)


def affine_grid(data, target_shape):
    """The places that an affine map of (-1, 1) x (-1, 1) sends the pixels of an image to; data: (batch, 2, 3)."""
    assert target_shape is not None and len(target_shape) == 2, "target shape should be 2D"
    steps = [tir.const((2.0 - 1e-7) / (extent - 1), data.dtype) for extent in target_shape]
    start = tir.const(-1.0, data.dtype)

    def at(n, dim, i, j):
        y, x = start + i * steps[0], start + j * steps[1]
        return data[n, dim, 0] * x + data[n, dim, 1] * y + data[n, dim, 2]

    return te.compute((data.shape[0], data.shape[1], *target_shape), at, tag=INJECTIVE)


def grid_sample(data, grid, method="bilinear", layout="NCHW", padding_mode="zeros", align_corners=True):
    """The values of an image at places of a grid, whose channels are x, y (and z) from -1 to 1; layout NCHW or NCDHW."""
    if layout not in ("NCHW", "NCDHW"):
        raise ValueError(f"{layout} is not supported")
    n = len(layout) - 2
    if method not in ("bilinear", "nearest", "bicubic") or (method == "bicubic" and n == 3):
        raise ValueError(f"places of a picture {layout} are not read by {method}")
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(f"outside of a picture are zeros, its border or its reflection, not {padding_mode}")
    extents = list(data.shape[2:])

    def value(batch, channel, *places):
        def pixel(where):
            if padding_mode == "border" and method == "bicubic":
                where = [te.max(te.min(place, extent - 1), 0) for place, extent in zip(where, extents)]
            elif padding_mode == "reflection" and method == "bicubic":
                where = [_reflect(place.astype("float"), extent).astype("int32") for place, extent in zip(where, extents)]
            inside = [condition for place, extent in zip(where, extents) for condition in (place >= 0, place < extent)]
            return te.if_then_else(tir.all(*inside), data(batch, channel, *where), tir.const(0.0, dtype=data.dtype))

        def _reflect(place, extent):
            low, size = (0.0, extent - 1) if align_corners else (-0.5, extent)
            whole = te.abs(place - low)
            rest = te.fmod(whole, size.astype("float") if isinstance(size, tir.PrimExpr) else float(size))
            times = te.floor(whole / size).astype("int32")
            return te.max(te.min(te.if_then_else(times % 2 == 0, rest + low, size - rest + low), extent - 1), 0)

        found = []
        for i, extent in enumerate(extents):
            place = grid(batch, n - 1 - i, *places)
            place = (place + 1) * (extent - 1) / 2 if align_corners else -0.5 + (place + 1) * extent / 2
            if padding_mode == "border" and method != "bicubic":
                place = te.max(te.min(place, extent - 1), 0)
            elif padding_mode == "reflection" and method != "bicubic":
                place = _reflect(place, extent)
            found.append(place)
        if method == "nearest":
            return pixel([te.nearbyint(place).astype("int32") for place in found])
        return _mix(pixel, found, "linear" if method == "bilinear" else "cubic", "", -0.75, False, extents)

    return te.compute((data.shape[0], data.shape[1], *grid.shape[2:]), value, tag=INJECTIVE)


def _dilation2d(input, filter, stride, padding, dilations, out_dtype, layout):  # noqa: A002
    from ..nn import pad
    from ..nn.paddings import get_pad_tuple

    out_dtype = out_dtype or input.dtype
    strides, dilations = ([x, x] if isinstance(x, int) else list(x) for x in (stride, dilations))
    row, first = (2, 1) if layout == "NCHW" else (1, 0)
    kernel = list(filter.shape)[first:first + 2]
    wide = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    top, left, down, right = get_pad_tuple(padding, wide)
    before, behind = [0] * 4, [0] * 4
    before[row:row + 2], behind[row:row + 2] = [top, left], [down, right]
    temp = pad(input, before, behind, pad_value=tir.min_value(input.dtype), name="pad_temp")
    out = [(extent - w + a + b) // s + 1 for extent, w, a, b, s in zip(input.shape[row:row + 2], wide, (top, left), (down, right), strides)]
    ry, rx = te.reduce_axis((0, kernel[0]), name="ry"), te.reduce_axis((0, kernel[1]), name="rx")
    shape = list(input.shape)
    shape[row:row + 2] = out

    def value(*places):
        index = list(places)
        index[row] = places[row] * strides[0] + ry * dilations[0]
        index[row + 1] = places[row + 1] * strides[1] + rx * dilations[1]
        weight = filter[places[1], ry, rx] if layout == "NCHW" else filter[ry, rx, places[3]]
        return te.max(temp(*index).astype(out_dtype) + weight.astype(out_dtype), axis=[ry, rx])

    return te.compute(shape, value, tag=f"dilation2d_{layout.lower()}")


def dilation2d_nchw(input, filter, stride, padding, dilations, out_dtype=None):  # noqa: A002
    """The highest sum of pixels and filter under each place, filter: (channels, height, width)."""
    return _dilation2d(input, filter, stride, padding, dilations, out_dtype, "NCHW")


def dilation2d_nhwc(input, filter, stride, padding, dilations, out_dtype=None):  # noqa: A002
    """The same with the channels last."""
    return _dilation2d(input, filter, stride, padding, dilations, out_dtype, "NHWC")
