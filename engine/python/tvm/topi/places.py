"""Operators that say for each place of the result where its element comes from, written over te."""
from .. import te, tir
from .reduction import _axes

__all__ = ["adv_index", "ceil_log2", "const_vector", "expand_like", "fixed_point_multiply", "fixed_point_multiply_per_axis", "invert_permutation",
           "searchsorted", "slice_scatter", "sliding_window", "sparse_to_dense", "strided_set"]

INJECTIVE = "injective"


def adv_index(data, indices):
    """Elements at the places that tensors of indices name together, as numpy's data[i, j]."""
    from .broadcast import broadcast_to

    indices = list(indices)
    shape = list(indices[0].shape)
    for index in indices[1:]:
        shape = _broadcast(shape, list(index.shape))
    if len(indices) > 1:
        indices = [broadcast_to(index, shape) for index in indices]

    def at(*places):
        inner, rest = places[:len(shape)], places[len(shape):]
        return data(*[index(*inner) for index in indices], *rest)

    return te.compute(shape + list(data.shape[len(indices):]), at, name="advanced_index", tag=INJECTIVE)


def _broadcast(a, b):
    out = []
    for i in range(max(len(a), len(b))):
        x, y = a[-1 - i] if i < len(a) else 1, b[-1 - i] if i < len(b) else 1
        one = isinstance(x, (int, tir.IntImm)) and int(x) == 1
        if not one and not (isinstance(y, (int, tir.IntImm)) and int(y) == 1) and isinstance(x, (int, tir.IntImm)) and isinstance(y, (int, tir.IntImm)) and int(x) != int(y):
            raise ValueError(f"indices of the shapes {a} and {b} do not go together")
        out.insert(0, y if one else x)
    return out


def const_vector(vector, name="const_vector"):
    """A tensor of known numbers."""
    import numpy as np

    values = np.asarray(vector)

    def at(i):
        found = tir.const(0, str(values.dtype))
        for place, value in enumerate(values):
            found = tir.Select(i == place, tir.const(value.item(), str(values.dtype)), found)
        return found

    return te.compute(values.shape, at, name=name)


def expand_like(a, shape_like, axis):
    """The tensor repeated along axes of another one."""
    n = len(shape_like.shape)
    axes = [axis] if isinstance(axis, int) else list(_axes(axis) or [])
    if len(axes) + len(a.shape) != n:
        if len(a.shape) == 1 and len(axes) == n:
            return te.compute(shape_like.shape, lambda *places: a(0))
        raise ValueError(f"a tensor of {len(a.shape)} dimensions and {len(axes)} new axes is none of {n} dimensions")
    new = {i % n for i in axes}
    return te.compute(shape_like.shape, lambda *places: a(*[place for i, place in enumerate(places) if i not in new]))


def sliding_window(data, axis, window_shape, strides):
    """The windows of the last axes, each with axes of its own."""
    axis = axis + len(data.shape) if axis < 0 else axis
    window, strides, shape = list(window_shape), list(strides), list(data.shape)
    if axis + len(window) > len(shape) or len(window) != len(strides):
        raise ValueError("a window has one extent and one stride for each of its axes")
    counts = [te.floordiv(extent - (size - 1) + stride - 1, stride) for extent, size, stride in zip(shape[axis:], window, strides)]

    def at(*places):
        outer, inner = places[axis:axis + len(window)], places[axis + len(window):]
        return data(*places[:axis], *[o * stride + i for o, i, stride in zip(outer, inner, strides)])

    return te.compute(shape[:axis] + counts + window, at, name="T_sliding_window", tag=INJECTIVE)


def sparse_to_dense(sparse_indices, output_shape, sparse_values, default_value=0):
    """A tensor of one value but for the places that are listed; later ones count."""
    rank = len(sparse_indices.shape)
    shape = list(output_shape)

    def at(*places):
        found = default_value() if isinstance(default_value, te.Tensor) else tir.const(default_value, sparse_values.dtype)
        value = (lambda i: sparse_values[i]) if len(sparse_values.shape) else (lambda i: sparse_values())
        if rank == 0:
            return tir.if_then_else(places[0] == sparse_indices(), sparse_values(), found)
        for j in range(int(sparse_indices.shape[0])):
            if rank == 1:
                found = tir.if_then_else(places[0] == sparse_indices[j], value(j), found)
            else:
                here = [places[k] == sparse_indices[j, k] for k in range(int(sparse_indices.shape[1]))]
                found = tir.if_then_else(tir.all(*here) if len(here) > 1 else here[0], value(j), found)
        return found

    return te.compute(shape, at, name="T_sparse_to_dense", tag=INJECTIVE)


def slice_scatter(input_tensor, src, start, end, step, axis):
    """A tensor whose part takes over another one."""
    import _loopscope as _core

    return _core.topi("slice_scatter", input_tensor, src, start, end, step, axis)


def _within(begin, end, stride, place):
    before = tir.Select(stride < 0, place <= end, place < begin)
    behind = tir.Select(stride < 0, place > begin, place >= end)
    step = tir.if_then_else(stride < 0, ((place - end) + (end % te.abs(stride)) + 1) % te.abs(stride), (place - begin) % stride)
    return tir.Select(tir.Or(before, behind), tir.const(False), step.equal(0))


def _number(begin, end, stride, extent, place):
    before = tir.Select(stride < 0, place <= end, place < begin)
    behind = tir.Select(stride < 0, place > begin, place >= end)
    begin = tir.Select(extent < begin, extent - 1, begin)
    step = tir.if_then_else(stride < 0, (begin - place) // te.abs(stride), (place - begin) // stride)
    return tir.if_then_else(tir.Or(before, behind), 88, step)


def strided_set(a, v, begin, end, strides=None):
    """A tensor whose slice takes over another one; the ends of the slice are tensors of int32."""
    for name, vector in (("begin", begin), ("end", end), ("strides", strides)):
        if vector is not None and len(vector.shape) != 1:
            raise ValueError(f"{name} should be a vector")
        if vector is not None and vector.dtype != "int32":
            raise TypeError(f"{name} should be int32")
    n = len(a.shape)

    def given(vector, i, other):
        return tir.if_then_else(vector.shape[0] > i, vector[i], other)

    steps = [tir.const(1, "int32") if strides is None else given(strides, i, tir.const(1, "int32")) for i in range(n)]
    begins = [given(begin, i, tir.Select(steps[i] > 0, tir.const(0, "int32"), a.shape[i])) for i in range(n)]
    ends = [given(end, i, tir.Select(steps[i] > 0, a.shape[i] + 1, -(a.shape[i] + 1))) for i in range(n)]
    begins = [tir.if_then_else(x < 0, x + a.shape[i], x) for i, x in enumerate(begins)]
    ends = [tir.if_then_else(x < 0, x + a.shape[i], x) for i, x in enumerate(ends)]

    def at(*places):
        inside = [_within(begins[i], ends[i], steps[i], places[i]) for i in range(n)]
        where = [_number(begins[i], ends[i], steps[i], a.shape[i], places[i]) for i in range(n)]
        return tir.if_then_else(tir.all(*inside) if n > 1 else inside[0], v(*where), a(*places))

    return te.compute(a.shape, at, name="strided_set", tag="injective,strided_set")


def fixed_point_multiply(x, multiplier, shift):
    """x times multiplier * 2 ** (shift - 31), in whole numbers."""
    return te.compute(x.shape, lambda *places: tir.q_multiply_shift(x(*places), tir.const(multiplier, "int32"), tir.const(31, "int32"), tir.const(shift, "int32")))


def fixed_point_multiply_per_axis(x, y, lshift, rshift, is_lshift_required, is_rshift_required, axes):
    """The same with a multiplier and shifts for each place along axes."""
    def at(*places):
        here = [places[i] for i in axes]
        return tir.q_multiply_shift_per_axis(x(*places), y(*here), lshift(*here), rshift(*here), tir.const(31, "int32"), tir.const(is_lshift_required, "bool"),
                                             tir.const(is_rshift_required, "bool"))

    return te.compute(x.shape, at)


def ceil_log2(x):
    """The logarithm of base 2, rounded up."""
    x = x if isinstance(x, tir.PrimExpr) else tir.const(x)
    if "float" in x.dtype:
        return te.ceil(te.log2(x))
    return te.ceil(te.log2(x.astype("float64"))).astype(x.dtype)


def invert_permutation(data):
    """Where each number stands in a permutation."""
    def fill(ins, outs):
        builder = tir.ir_builder.create()
        source, out = builder.buffer_ptr(ins[0]), builder.buffer_ptr(outs[0])
        with builder.for_range(0, data.shape[0], "ind") as ind:
            out[source[ind]] = ind
        return builder.get()

    buffer = tir.decl_buffer(data.shape, data.dtype, "out_buf", data_alignment=8)
    return te.extern([data.shape], [data], fill, dtype=data.dtype, out_buffers=[buffer], name="invert_permutation", tag="invert_permutation_cpu")


def searchsorted(sorted_sequence, values, right=False, out_dtype="int64"):
    """How many elements of a sorted row lie below each value, or not above it."""
    def search(ins, outs):
        builder = tir.ir_builder.create()
        row, wanted, out = (builder.buffer_ptr(x) for x in (ins[0], ins[1], outs[0]))
        length = sorted_sequence.shape[-1]
        total = 1
        for extent in values.shape:
            total = total * extent
        with builder.for_range(0, total, name="i", kind="parallel") as i:
            offset = 0 if len(sorted_sequence.shape) == 1 else i // values.shape[-1] * length
            low = builder.allocate(out_dtype, (1,), name="lo", scope="local")
            high = builder.allocate(out_dtype, (1,), name="hi", scope="local")
            low[0], high[0] = tir.Cast(out_dtype, tir.const(0, "int32")) if out_dtype != "int32" else tir.const(0, "int32"), tir.const(length, out_dtype) if isinstance(length, int) else length.astype(out_dtype)
            with builder.while_loop(low[0] < high[0]):
                middle = low[0] + ((high[0] - low[0]) >> 1)
                here = row[offset + middle]
                with builder.if_scope(here <= wanted[i] if right else here < wanted[i]):
                    low[0] = middle + 1
                with builder.else_scope():
                    high[0] = middle
            out[i] = low[0]
        return builder.get()

    return te.extern(values.shape, [sorted_sequence, values], search, name="searchsorted", dtype=out_dtype)
