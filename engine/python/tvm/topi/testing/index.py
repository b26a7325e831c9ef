"""Parts, places and orders."""
import numpy as np


def strided_slice_python(data, begin, end, strides, slice_mode="end", axes=None):
    """data[begin:end:strides], by sizes where that is asked."""
    strides = list(strides) if strides is not None and len(strides) else []
    places = list(range(data.ndim)) if axes is None else [a % data.ndim for a in axes]
    slices = [slice(None)] * data.ndim
    for i, (axis, first) in enumerate(zip(places, begin)):
        step = strides[i] if i < len(strides) else 1
        last = end[i] if i < len(end) else None
        if slice_mode == "size":
            step = 1
            last = None if last is not None and last < 0 else first + last
        elif last is not None and step < 0 and last < -data.shape[axis]:
            last = None
        slices[axis] = slice(first, last, step)
    return data[tuple(slices)]


def strided_set_python(data, v, begin, end, strides):
    """The same places, set."""
    result = data.copy()
    result[tuple(slice(b, e, s) for b, e, s in zip(begin, end, strides or [1] * len(begin)))] = v
    return result


def slice_axis_python(data, axis, begin, end=None):
    """A part along one axis."""
    return data[tuple(slice(begin, end) if i == axis % data.ndim else slice(None) for i in range(data.ndim))]


def gather_python(data, axis, indices):
    """data at indices along an axis."""
    index = list(np.indices(indices.shape))
    index[axis] = indices
    return data[tuple(index)]


def gather_nd_python(a_np, indices_np, batch_dims=0):
    """data at coordinates (M, ...)."""
    if batch_dims == 0:
        return a_np[tuple(indices_np)]
    lead = a_np.shape[:batch_dims]
    moved = np.moveaxis(indices_np, 0, batch_dims)
    return np.stack([a_np[at][tuple(moved[at])] for at in np.ndindex(*lead)]).reshape(*lead, *a_np[(0,) * batch_dims][tuple(moved[(0,) * batch_dims])].shape)


def one_hot(indices, on_value, off_value, depth, axis, dtype):
    """on where the position is the index."""
    hot = np.expand_dims(indices, -1) == np.arange(depth)
    result = np.where(hot, on_value, off_value).astype(dtype)
    return result if axis in (-1, indices.ndim) else np.moveaxis(result, -1, axis)


def sequence_mask(data, valid_length, mask_value, axis):
    """What is behind the length of each sequence is masked; axis 0 or 1 is time, the other one the batch."""
    times = np.arange(data.shape[axis])
    beyond = times[:, None] >= valid_length[None, :] if axis == 0 else times[None, :] >= valid_length[:, None]
    return np.where(beyond.reshape(beyond.shape + (1,) * (data.ndim - 2)), mask_value, data).astype(data.dtype)


def matrix_set_diag(input_np, diagonal, k=0, align="RIGHT_LEFT"):
    """Diagonals of matrices, set."""
    result = input_np.copy()
    first, last = (k, k) if isinstance(k, int) else (k[0], k[-1])
    rows, columns = input_np.shape[-2:]
    longest = max(min(rows + min(d, 0), columns - max(d, 0)) for d in range(first, last + 1))
    upper, lower = align.split("_")
    for d in range(first, last + 1):
        length = min(rows + min(d, 0), columns - max(d, 0))
        values = diagonal if first == last else diagonal[..., last - d, :]
        shift = longest - length if first != last and (upper if d >= 0 else lower) == "RIGHT" else 0
        at = np.arange(length)
        result[..., at + max(-d, 0), at + max(d, 0)] = values[..., shift:shift + length]
    return result


def searchsorted_ref(sorted_sequence, values, right, out_dtype):
    """Where values stand in rows that are sorted."""
    side = "right" if right else "left"
    if sorted_sequence.ndim == 1:
        return np.searchsorted(sorted_sequence, values, side=side).astype(out_dtype)
    rows, wanted = sorted_sequence.reshape(-1, sorted_sequence.shape[-1]), values.reshape(-1, values.shape[-1])
    return np.stack([np.searchsorted(r, w, side=side) for r, w in zip(rows, wanted)]).reshape(values.shape).astype(out_dtype)


def depth_to_space_python(data, block_size, mode="DCR"):
    """Channels as places."""
    n, c, h, w = data.shape
    out = c // block_size ** 2
    shape, order = ((n, block_size, block_size, out, h, w), (0, 3, 4, 1, 5, 2)) if mode == "DCR" else ((n, out, block_size, block_size, h, w), (0, 1, 4, 2, 5, 3))
    return data.reshape(shape).transpose(order).reshape(n, out, h * block_size, w * block_size)


def space_to_depth_python(data, block_size):
    """Places as channels."""
    n, c, h, w = data.shape
    parts = data.reshape(n, c, h // block_size, block_size, w // block_size, block_size).transpose(0, 3, 5, 1, 2, 4)
    return parts.reshape(n, c * block_size ** 2, h // block_size, w // block_size)


def space_to_batch_nd_python(data, block_shape, pad_before, pad_after, pad_value=0):
    """Places as items of the batch."""
    m = len(block_shape)
    pads = [(0, 0)] + list(zip(pad_before, pad_after)) + [(0, 0)] * (data.ndim - m - 1)
    padded = np.pad(data, pads, constant_values=pad_value)
    shape = [padded.shape[0]]
    for size, block in zip(padded.shape[1:], block_shape):
        shape += [size // block, block]
    parts = padded.reshape(shape + list(padded.shape[1 + m:]))
    order = [2 * i + 2 for i in range(m)] + [0] + [2 * i + 1 for i in range(m)] + list(range(2 * m + 1, parts.ndim))
    return parts.transpose(order).reshape([-1] + [s // b for s, b in zip(padded.shape[1:], block_shape)] + list(padded.shape[1 + m:]))


def batch_to_space_nd_python(data, block_shape, crop_begin_list, crop_end_list):
    """The way back."""
    m = len(block_shape)
    batch = data.shape[0] // int(np.prod(block_shape))
    parts = data.reshape(list(block_shape) + [batch] + list(data.shape[1:]))
    order = [m]
    for i in range(m):
        order += [m + 1 + i, i]
    whole = parts.transpose(order + list(range(2 * m + 1, parts.ndim))).reshape([batch] + [n * b for n, b in zip(data.shape[1:], block_shape)]
                                                                                + list(data.shape[1 + m:]))
    crop = tuple(slice(b, n - e) for b, e, n in zip(crop_begin_list, crop_end_list, whole.shape[1:]))
    return whole[(slice(None),) + crop]
