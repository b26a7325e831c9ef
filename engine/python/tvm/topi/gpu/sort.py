"""Sorting: a block for each row, whose threads exchange neighbours until all are in order (odd-even transposition, which keeps equal elements in their order).
Its work grows with the square of the length: it is for rows of some thousand elements."""
from ... import te, tir
from .. import transform
from ._threads import axis_of, launch, rows, threads, wait


def _ordered(data, axis, is_ascend, dtype, name):
    """The rows in order, and where each element was: two tensors; without dtype the first alone."""
    axis = axis_of(data, axis)

    def kernel(ins, outs):
        builder = tir.ir_builder.create()
        source, keys = builder.buffer_ptr(ins[0]), builder.buffer_ptr(outs[0])
        places = builder.buffer_ptr(outs[1]) if dtype else None
        before, length, behind = rows(data.shape, axis)
        per_block = threads()
        block, thread = launch(builder, before * behind, per_block)
        begin = tir.floordiv(block, behind) * length * behind + tir.floormod(block, behind)

        def share(count):
            """A loop whose rounds the threads divide among themselves."""
            return builder.for_range(0, tir.ceildiv(count, per_block), name="part")

        with share(length) as part:
            k = part * per_block + thread
            with builder.if_scope(k < length):
                keys[begin + k * behind] = source[begin + k * behind]
                if dtype:
                    places[begin + k * behind] = k.astype(dtype)
        wait(builder)
        with builder.for_range(0, length, name="turn") as turn:
            with share(tir.ceildiv(length, 2)) as part:
                k = 2 * (part * per_block + thread) + tir.floormod(turn, 2)
                with builder.if_scope(k + 1 < length):
                    low, high = begin + k * behind, begin + (k + 1) * behind
                    with builder.if_scope(keys[low] > keys[high] if is_ascend else keys[low] < keys[high]):
                        for array, kind in ((keys, data.dtype), (places, dtype)) if dtype else ((keys, data.dtype),):
                            kept = builder.allocate(kind, (1,), name="kept", scope="local")
                            kept[0] = array[low]
                            array[low] = array[high]
                            array[high] = kept[0]
            wait(builder)
        return builder.get()

    kinds = [data.dtype, dtype] if dtype else [data.dtype]
    source = tir.decl_buffer(data.shape, data.dtype, "data")
    results = [tir.decl_buffer(data.shape, kind, part) for kind, part in zip(kinds, ("keys", "places"))]
    return te.extern([data.shape] * len(kinds), [data], kernel, dtype=kinds, in_buffers=[source], out_buffers=results, name=name, tag=name)


def sort(data, axis=-1, is_ascend=1):
    """In order."""
    return _ordered(data, axis, bool(is_ascend), None, "sort_gpu")


def argsort(data, valid_count=None, axis=-1, is_ascend=1, dtype="float32", ret_type="indices"):
    """The indices that put a tensor in order; ret_type "both": what is in order too, first."""
    if valid_count is not None:
        raise NotImplementedError("argsort of the first valid_count elements is not offered")
    if ret_type not in ("indices", "both"):
        raise ValueError(f'ret_type is "indices" or "both", not {ret_type!r}')
    both = _ordered(data, axis, bool(is_ascend), str(dtype), "argsort_gpu")
    return list(both) if ret_type == "both" else both[1]


def topk(data, k=1, axis=-1, ret_type="both", is_ascend=False, dtype="int64"):
    """The first k elements in order (all where k is below 1) and where they are."""
    if ret_type not in ("both", "values", "indices"):
        raise ValueError(f'ret_type is "both", "values" or "indices", not {ret_type!r}')
    axis = axis_of(data, axis)
    ordered = list(_ordered(data, axis, bool(is_ascend), str(dtype), "topk_gpu"))
    if not isinstance(k, int) or k > 0:
        ordered = [transform.strided_slice(part, [0], [k], [1], axes=[axis]) for part in ordered]
    return ordered if ret_type == "both" else ordered[0 if ret_type == "values" else 1]
