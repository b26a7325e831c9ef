"""Boxes that overlap: those with a score above a limit, and of these the ones that no better box covers.

A box is a row of numbers: its class, its score and two corners, wherever the arguments say that they stand."""
from ... import te, tir


def _rows(builder, count):
    """A loop over the batch."""
    return builder.for_range(0, count, name="i")


def _clear(builder, out, i, at, length):
    """A box that is none: all -1."""
    with builder.for_range(0, length, name="k") as k:
        out[i, at, k] = tir.const(-1.0, out.dtype)


def get_valid_counts(data, score_threshold=0, id_index=0, score_index=1):
    """How many boxes of each picture have a higher score (and a class that is not below 0; id_index -1: no class); these
    boxes first, the others -1; and where each was, or -1."""
    batch, boxes, length = data.shape
    limit = score_threshold if isinstance(score_threshold, te.Tensor) else None

    def kernel(ins, outs):
        builder = tir.ir_builder.create()
        source, count, out, places = (builder.buffer_ptr(x) for x in (ins[0], *outs))
        least = builder.buffer_ptr(ins[1])[0] if limit is not None else tir.const(float(score_threshold), data.dtype)
        with _rows(builder, batch) as i:
            count[i] = tir.const(0, "int32")
            with builder.for_range(0, boxes, name="j") as j:
                _clear(builder, out, i, j, length)
                places[i, j] = tir.const(-1, "int32")
                good = source[i, j, score_index] > least
                if id_index >= 0:
                    good = tir.all(good, source[i, j, id_index] >= tir.const(0.0, data.dtype))
                with builder.if_scope(good):
                    with builder.for_range(0, length, name="k") as k:
                        out[i, count[i], k] = source[i, j, k]
                    places[i, count[i]] = j.astype("int32")
                    count[i] += tir.const(1, "int32")
        return builder.get()

    return list(te.extern([(batch,), data.shape, (batch, boxes)], [data] + ([limit] if limit is not None else []), kernel,
                          dtype=["int32", data.dtype, "int32"], name="get_valid_counts", tag="get_valid_counts"))


def _by_score(data, valid_count, score_index):
    """The indices of the valid boxes, the highest score first; of equal ones the earlier."""
    batch, boxes, _ = data.shape

    def kernel(ins, outs):
        builder = tir.ir_builder.create()
        source, count, order = (builder.buffer_ptr(x) for x in (*ins, *outs))
        with _rows(builder, batch) as i:
            with builder.for_range(0, boxes, name="j") as j:
                order[i, j] = tir.const(0, "int32")
            with builder.for_range(0, count[i], name="j") as j:
                rank = builder.allocate("int32", 1, name="rank", scope="local")
                rank[0] = tir.const(0, "int32")
                with builder.for_range(0, count[i], name="k") as k:
                    a, b = source[i, k, score_index], source[i, j, score_index]
                    with builder.if_scope(tir.any(a > b, tir.all(a == b, k < j))):
                        rank[0] += tir.const(1, "int32")
                order[i, rank[0]] = j.astype("int32")
        return builder.get()

    return te.extern([(batch, boxes)], [data, valid_count], kernel, dtype="int32", name="nms_order", tag="nms_order")


def _overlap(out, i, a, b, start):
    """What two boxes share, of what both cover."""
    def edges(box, at):
        first, last = out[i, box, start + at], out[i, box, start + at + 2]
        return te.min(first, last), te.max(first, last)

    sides, areas = [], [None, None]
    for at in (0, 1):
        (low_a, high_a), (low_b, high_b) = edges(a, at), edges(b, at)
        sides.append(te.max(tir.const(0.0, out.dtype), te.min(high_a, high_b) - te.max(low_a, low_b)))
        for k, size in enumerate((high_a - low_a, high_b - low_b)):
            areas[k] = size if areas[k] is None else areas[k] * size
    shared = sides[0] * sides[1]
    both = areas[0] + areas[1] - shared
    return tir.if_then_else(both <= tir.const(0.0, out.dtype), tir.const(0.0, out.dtype), shared / both)


def _keep(data, valid_count, order, indices, most, threshold, force, top_k, start, score_index, id_index, return_indices):
    """The boxes by their score, those that are covered -1, and the indices of the boxes."""
    batch, boxes, length = data.shape
    tensors = [most] if isinstance(most, te.Tensor) else []

    def kernel(ins, outs):
        builder = tir.ir_builder.create()
        source, count, ranks, given, out, places = (builder.buffer_ptr(x) for x in (*ins[:4], *outs))
        limit = builder.buffer_ptr(ins[4])[0] if tensors else tir.const(most, "int32")
        zero = tir.const(0.0, data.dtype)

        def drop(i, j):
            _clear(builder, out, i, j, length)
            places[i, j] = tir.const(-1, "int32")

        def same_class(i, j, k):
            if id_index < 0:
                return tir.const(True, "bool")
            known = out[i, k, id_index] >= zero
            return known if force else tir.all(known, out[i, j, id_index] == out[i, k, id_index])

        def choose(i):
            kept = builder.allocate("int32", 1, name="kept", scope="local")
            valid = builder.allocate("int32", 1, name="valid", scope="local")
            kept[0] = tir.const(0, "int32")
            with builder.for_range(0, count[i], name="j") as j:
                with builder.if_scope(kept[0] == limit):
                    drop(i, j)
                with builder.else_scope():
                    with builder.if_scope(out[i, j, score_index] > zero):
                        valid[0] = tir.const(1, "int32")
                        with builder.for_range(0, j, name="k") as k:
                            with builder.if_scope(tir.all(valid[0] == 1, out[i, k, score_index] > zero, same_class(i, j, k))):
                                with builder.if_scope(_overlap(out, i, j, k, start) >= tir.const(float(threshold), data.dtype)):
                                    valid[0] = tir.const(0, "int32")
                        with builder.if_scope(valid[0] == 0):
                            drop(i, j)
                        with builder.else_scope():
                            kept[0] += tir.const(1, "int32")

        with _rows(builder, batch) as i:
            with builder.for_range(0, boxes, name="j") as j:
                drop(i, j)
            wanted = te.min(count[i], tir.const(top_k, "int32")) if top_k > 0 and threshold > 0 else count[i]
            with builder.for_range(0, wanted, name="j") as j:
                at = ranks[i, j] if threshold > 0 else j.astype("int32")
                with builder.for_range(0, length, name="k") as k:
                    out[i, j, k] = source[i, at, k]
                places[i, j] = at
            if threshold > 0:
                choose(i)
            if return_indices:
                with builder.for_range(0, count[i], name="j") as j:
                    with builder.if_scope(places[i, j] >= 0):
                        places[i, j] = given[i, places[i, j]]
        return builder.get()

    return te.extern([data.shape, (batch, boxes)], [data, valid_count, order, indices, *tensors], kernel, dtype=[data.dtype, "int32"], name="nms", tag="nms")


def _boxes_first(data):
    """The boxes that are none behind the others."""
    batch, boxes, length = data.shape

    def kernel(ins, outs):
        builder = tir.ir_builder.create()
        source, out = (builder.buffer_ptr(x) for x in (*ins, *outs))
        with _rows(builder, batch) as i:
            count = builder.allocate("int32", 1, name="count", scope="local")
            count[0] = tir.const(0, "int32")
            with builder.for_range(0, boxes, name="j") as j:
                _clear(builder, out, i, j, length)
                with builder.if_scope(source[i, j, 0] >= tir.const(0.0, data.dtype)):
                    with builder.for_range(0, length, name="k") as k:
                        out[i, count[0], k] = source[i, j, k]
                    count[0] += tir.const(1, "int32")
        return builder.get()

    return te.extern([data.shape], [data], kernel, dtype=data.dtype, name="rearrange_box_out", tag="rearrange_box_out")


def _indices_first(places):
    """The indices that are none behind the others, and how many there are of the others."""
    batch, boxes = places.shape

    def kernel(ins, outs):
        builder = tir.ir_builder.create()
        source, out, count = (builder.buffer_ptr(x) for x in (*ins, *outs))
        with _rows(builder, batch) as i:
            count[i, 0] = tir.const(0, "int32")
            with builder.for_range(0, boxes, name="j") as j:
                out[i, j] = tir.const(-1, "int32")
                with builder.if_scope(source[i, j] >= 0):
                    out[i, count[i, 0]] = source[i, j]
                    count[i, 0] += tir.const(1, "int32")
        return builder.get()

    return list(te.extern([(batch, boxes), (batch, 1)], [places], kernel, dtype=["int32", "int32"], name="rearrange_indices_out", tag="rearrange_indices_out"))


def non_max_suppression(data, valid_count, indices, max_output_size=-1, iou_threshold=0.5, force_suppress=False, top_k=-1, coord_start=2, score_index=1, id_index=0,
                        return_indices=True, invalid_to_bottom=False):
    """Of the first valid_count boxes of each picture those that share less than iou_threshold with each better one of their class (force_suppress:
    of any class), max_output_size at most (-1: all).

    With return_indices: (indices of these boxes as `indices` says them, their number); without: the boxes by their score, those that are dropped -1, and with
    invalid_to_bottom behind the others."""
    order = _by_score(data, valid_count, score_index)
    out, places = _keep(data, valid_count, order, indices, max_output_size, float(iou_threshold), bool(force_suppress), int(top_k), int(coord_start), int(score_index),
                        int(id_index), bool(return_indices))
    if return_indices:
        return _indices_first(places)
    return _boxes_first(out) if invalid_to_bottom else out
