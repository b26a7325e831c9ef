"""Shapes, positions, selection."""
import _loopscope as _core

from .reduction import _axes


def expand_dims(a, axis, num_newaxis=1):
    """New axes of extent 1."""
    return _core.topi("expand_dims", a, axis, num_newaxis)


def transpose(a, axes=None):
    """The axes in another order."""
    return _core.topi("transpose", a, None if axes is None else list(axes))


def reverse_sequence(a, seq_lengths, seq_axis=1, batch_axis=0):
    """Each sequence backwards as far as its length, the rest as it is."""
    return _core.topi("reverse_sequence", a, seq_lengths, seq_axis, batch_axis)


def sequence_mask(data, valid_length, mask_value=0, axis=0):
    """The steps behind the length of their sequence become mask_value."""
    return _core.topi("sequence_mask", data, valid_length, float(mask_value), axis)


def flip(a, axis=0):
    """An axis the other way round."""
    return _core.topi("flip", a, axis)


def _list(value):
    return None if value is None else list(value) if hasattr(value, "__iter__") or hasattr(value, "__len__") else [value]


def strided_slice(a, begin, end, strides=None, axes=None, slice_mode="end", assume_inbound=True):
    """Part of a tensor."""
    return _core.topi("strided_slice", a, _list(begin), _list(end), _list(strides) or None, _list(axes) or None, slice_mode)


def dynamic_strided_slice(a, begin, end, strides, output_shape):
    """Part of a tensor whose ends are tensors."""
    return _core.topi("dynamic_strided_slice", a, begin, end, strides, list(output_shape))


def reshape(a, newshape):
    """The same elements in another shape."""
    return _core.topi("reshape", a, _list(newshape))


def squeeze(a, axis=None):
    """Without axes of extent 1."""
    return _core.topi("squeeze", a, _axes(axis))


def concatenate(a_tuple, axis=0):
    """Tensors one behind another."""
    return _core.topi("concatenate", list(a_tuple), axis)


def stack(tensors, axis=0):
    """Tensors along a new axis."""
    return _core.topi("stack", list(tensors), axis)


def split(ary, indices_or_sections, axis=0):
    """Parts of a tensor."""
    if isinstance(indices_or_sections, int):
        return _core.items(_core.topi("split_sections", ary, indices_or_sections, axis))
    return _core.items(_core.topi("split_indices", ary, list(indices_or_sections), axis))


def take(a, indices, axis=None, batch_dims=0, mode="clip"):
    """Elements by index."""
    return _core.topi("take", a, indices, None if axis is None else int(axis), int(batch_dims), mode)


def gather(data, axis, indices):
    """Elements by index along an axis."""
    return _core.topi("gather", data, axis, indices)


def gather_nd(a, indices, batch_dims=0):
    """Elements by index tuples."""
    return _core.topi("gather_nd", a, indices, batch_dims)


def matmul(a, b, transp_a=False, transp_b=False):
    """The product of matrices."""
    return _core.topi("matmul", a, b, transp_a, transp_b)


def tensordot(a, b, axes):
    """A product summed over axes."""
    if isinstance(axes, int):
        n = len(a.shape)
        return _core.topi("tensordot", a, b, list(range(n - axes, n)), list(range(axes)))
    if isinstance(axes[0], int):
        return _core.topi("tensordot", a, b, [axes[0]], [axes[1]])
    return _core.topi("tensordot", a, b, list(axes[0]), list(axes[1]))


def arange(start, stop=None, step=1, dtype="float32"):
    """Numbers in a row."""
    if stop is None:
        start, stop = 0, start
    return _core.topi("arange", start, stop, step, dtype)


def meshgrid(a_tuple, indexing):
    """Coordinates of a grid."""
    return _core.items(_core.topi("meshgrid", list(a_tuple), indexing))


def repeat(a, repeats, axis):
    """Each element several times."""
    return _core.topi("repeat", a, repeats, axis)


def tile(a, reps):
    """The tensor several times."""
    return _core.topi("tile", a, _list(reps))


def layout_transform(array, src_layout, dst_layout, schedule_rule="None"):
    """Another layout, such as NCHW to NHWC."""
    return _core.topi("layout_transform", array, src_layout, dst_layout, schedule_rule)


def shape(array, dtype="int32"):
    """The shape as a tensor."""
    return _core.topi("shape", array, dtype)


def ndarray_size(array, dtype="int32"):
    """The number of elements."""
    return _core.topi("ndarray_size", array, dtype)


def where(condition, x, y):
    """x or y, element by element."""
    return _core.topi("where", condition, x, y)


def one_hot(indices, on_value, off_value, depth, axis, dtype):
    """One value at the indices, another elsewhere."""
    return _core.topi("one_hot", indices, on_value, off_value, depth, axis, dtype)


def unravel_index(indices, shape):  # noqa: A002
    """Flat indices as coordinates."""
    return _core.topi("unravel_index", indices, shape)


def matrix_set_diag(data, diagonal, k=0, align="RIGHT_LEFT"):
    """Another diagonal."""
    low, high = (k, k) if isinstance(k, int) else (k[0], k[0]) if len(k) == 1 else (k[0], k[1])
    return _core.topi("matrix_set_diag", data, diagonal, low, high, align.upper().startswith("RIGHT"), align.upper().endswith("RIGHT"))


def trilu(data, k, upper):
    """The upper or lower triangle."""
    return _core.topi("trilu", data, k, upper)


def einsum(subscripts, *operand):
    """Einstein's sum."""
    if len(operand) == 1 and isinstance(operand[0], (list, tuple)):
        operand = operand[0]
    return _core.topi("einsum", subscripts, list(operand))


def cumsum(data, axis=None, dtype=None, exclusive=None):
    """Sums of what came so far."""
    return _core.topi("scan", "cumsum", data, axis, dtype, bool(exclusive))


def cumprod(data, axis=None, dtype=None, exclusive=None):
    """Products of what came so far."""
    return _core.topi("scan", "cumprod", data, axis, dtype, bool(exclusive))


def sort(data, axis=-1, is_ascend=1):
    """In order."""
    return _core.topi("sort", data, axis, bool(is_ascend))


def argsort(data, valid_count=None, axis=-1, is_ascend=1, dtype="float32"):
    """The indices that put a tensor in order."""
    return _core.topi("argsort", data, axis, bool(is_ascend), dtype)


def topk(data, k=1, axis=-1, ret_type="both", is_ascend=False, dtype="int64"):
    """The highest elements and where they are."""
    result = _core.items(_core.topi("topk", data, k, axis, ret_type, is_ascend, dtype))
    return result if ret_type == "both" else result[0]


def scatter_elements(data, indices, updates, axis=0, reduction="update"):
    """Elements put at indices along an axis."""
    return _core.topi("scatter_elements", data, indices, updates, axis, reduction)


def scatter_nd(data, indices, updates, mode):
    """Elements put at index tuples."""
    return _core.topi("scatter_nd", data, indices, updates, mode)


__all__ = [name for name, value in list(globals().items()) if callable(value) and not name.startswith("_")]
