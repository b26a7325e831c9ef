"""Parts of pictures in another size."""
from ... import te, tir


def _pixel(data, layout, where, y, x):
    """The element of a channel of a picture at whole coordinates; `where`: (picture, channel)."""
    return data(where[0], where[1], y, x) if layout == "NCHW" else data(where[0], y, x, where[1])


def crop_and_resize(data, boxes, box_indices, crop_size, layout="NCHW", method="bilinear", extrapolation_value=None, out_dtype=None):
    """For each box (y1, x1, y2, x2, as shares of the picture box_indices names) that part of it, in the size crop_size.

    method: "bilinear" or "nearest_neighbor"; a place outside of the picture has extrapolation_value."""
    if layout not in ("NCHW", "NHWC"):
        raise ValueError(f"a picture is laid out NCHW or NHWC, not {layout}")
    if method not in ("bilinear", "nearest_neighbor"):
        raise ValueError(f'a picture is resized by "bilinear" or "nearest_neighbor", not {method}')
    channels_first = layout == "NCHW"
    height, width = (data.shape[2], data.shape[3]) if channels_first else (data.shape[1], data.shape[2])
    channels, count = data.shape[1] if channels_first else data.shape[3], boxes.shape[0]
    size, dtype = tuple(crop_size), out_dtype or data.dtype
    outside = tir.const(extrapolation_value or 0.0, dtype)

    def source(box, first, low, high, extent, step):
        """Where the step's row (or column) lies in the picture."""
        last = (extent - 1).astype("float32") if isinstance(extent, tir.PrimExpr) else tir.const(float(extent - 1), "float32")
        if first > 1:
            scale = (boxes(box, high) - boxes(box, low)) * last / tir.const(float(first - 1), "float32")
            return boxes(box, low) * last + step * scale
        return tir.const(0.5, "float32") * (boxes(box, low) + boxes(box, high)) * last

    def value(box, channel, y, x):
        where = (box_indices(box), channel)
        at_y, at_x = source(box, size[0], 0, 2, height, y), source(box, size[1], 1, 3, width, x)
        if method == "bilinear":
            top, left = te.floor(at_y).astype("int32"), te.floor(at_x).astype("int32")
            bottom, right = te.ceil(at_y).astype("int32"), te.ceil(at_x).astype("int32")
            part_y, part_x = at_y - top, at_x - left
            over = _pixel(data, layout, where, top, left) * (1.0 - part_x) + _pixel(data, layout, where, top, right) * part_x
            under = _pixel(data, layout, where, bottom, left) * (1.0 - part_x) + _pixel(data, layout, where, bottom, right) * part_x
            found = over * (1.0 - part_y) + under * part_y
        else:
            found = _pixel(data, layout, where, te.round(at_y).astype("int32"), te.round(at_x).astype("int32"))
        inside = tir.all(at_y >= 0, at_y <= height - 1, at_x >= 0, at_x <= width - 1)
        return tir.if_then_else(inside, found.astype(dtype), outside)

    if channels_first:
        return te.compute((count, channels, *size), lambda n, c, y, x: value(n, c, y, x), name="crop_and_resize", tag="injective")
    return te.compute((count, *size, channels), lambda n, y, x, c: value(n, c, y, x), name="crop_and_resize", tag="injective")
