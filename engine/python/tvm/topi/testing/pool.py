"""Pooling and enlarging."""
import itertools
import math

import numpy as np


def poolnd_python(np_data, kernel, strides, dilation, padding_before, padding_after, pool_type, count_include_pad=True, ceil_mode=False, dtype="float32",
                  layout=None):
    """(N, C, ...) -> (N, C, ...): the largest or the mean of windows."""
    n = len(kernel)
    if layout is not None and layout.endswith("C"):
        moved = poolnd_python(np.moveaxis(np_data, -1, 1), kernel, strides, dilation, padding_before, padding_after, pool_type, count_include_pad, ceil_mode, dtype)
        return np.moveaxis(moved, 1, -1)
    sizes = np_data.shape[2:]
    rounded = math.ceil if ceil_mode else math.floor
    out = [int(rounded((s - (k - 1) * d - 1 + b + a) / t) + 1)
           for s, k, d, b, a, t in zip(sizes, kernel, dilation, padding_before, padding_after, strides)]
    result = np.zeros((*np_data.shape[:2], *out), dtype)
    for place in itertools.product(*[range(o) for o in out]):
        starts = [p * t - b for p, t, b in zip(place, strides, padding_before)]
        slots = [[s + i * d for i in range(k)] for s, k, d in zip(starts, kernel, dilation)]
        inside = [[i for i in slot if 0 <= i < size] for slot, size in zip(slots, sizes)]
        if any(not part for part in inside):
            result[(slice(None), slice(None)) + place] = np.finfo(dtype).min if pool_type == "max" else 0
            continue
        window = np_data[np.ix_(range(np_data.shape[0]), range(np_data.shape[1]), *inside)]
        axes = tuple(range(2, 2 + n))
        if pool_type == "max":
            value = window.max(axis=axes)
        else:
            padded = [[i for i in slot if i < size + after] for slot, size, after in zip(slots, sizes, padding_after)]
            value = window.sum(axis=axes) / (math.prod(len(x) for x in padded) if count_include_pad else math.prod(len(x) for x in inside))
        result[(slice(None), slice(None)) + place] = value
    return result


def pool1d_ncw_python(np_data, kernel, strides, dilation, padding, out_shape, pool_type, count_include_pad=True, ceil_mode=False, dtype="float32"):
    """One axis."""
    return poolnd_python(np_data, kernel, strides, dilation, padding[:1], padding[1:], pool_type, count_include_pad, ceil_mode, dtype)


def pool3d_ncdhw_python(np_data, kernel, strides, dilation, padding, out_shape, pool_type, count_include_pad=True, ceil_mode=False, dtype="float32"):
    """Three axes."""
    return poolnd_python(np_data, kernel, strides, dilation, padding[:3], padding[3:], pool_type, count_include_pad, ceil_mode, dtype)


def adaptive_pool(np_data, out_size, pool_type, layout):
    """Windows that share the input among so many outputs."""
    last = layout.endswith("C")
    data = np.moveaxis(np_data, -1, 1) if last else np_data
    size = (out_size,) * (data.ndim - 2) if isinstance(out_size, int) else tuple(out_size)
    result = np.zeros((*data.shape[:2], *size), data.dtype)
    for place in itertools.product(*[range(s) for s in size]):
        window = tuple(slice(p * n // s, -(-(p + 1) * n // s)) for p, n, s in zip(place, data.shape[2:], size))
        part = data[(slice(None), slice(None)) + window]
        axes = tuple(range(2, data.ndim))
        result[(slice(None), slice(None)) + place] = part.max(axis=axes) if pool_type == "max" else part.mean(axis=axes)
    return np.moveaxis(result, 1, -1) if last else result


def upsampling_python(data, scale, layout="NCHW"):
    """The nearest elements."""
    axes = [layout.index("H"), layout.index("W")]
    for axis, factor in zip(axes, scale):
        index = np.minimum((np.arange(round(data.shape[axis] * factor)) / factor).astype(int), data.shape[axis] - 1)
        data = np.take(data, index, axis=axis)
    return data
