"""Convolutions: every one is a padded, strided and dilated product over windows, of any number of axes."""
import itertools

import numpy as np


def _each(value, n):
    return (value,) * n if isinstance(value, int) else tuple(int(x) for x in value)


def paddings(padding, kernel, stride=None, dilation=None):
    """(before, after) for each axis: a number, one for each axis, before and after, VALID or SAME."""
    n = len(kernel)
    if isinstance(padding, str):
        totals = [0 if padding == "VALID" else k - 1 for k in kernel]
        return [((t + 1) // 2, t - (t + 1) // 2) if padding != "VALID" else (0, 0) for t in totals]
    values = _each(padding, n)
    if len(values) == 2 * n:
        return list(zip(values[:n], values[n:]))
    return [(p, p) for p in values]


def dilate_python(input_np, strides, dilation_value=0.0, out_dtype=None):
    """Zeros, or another value, between the elements."""
    shape = [(n - 1) * s + 1 for n, s in zip(input_np.shape, strides)]
    result = np.full(shape, dilation_value, out_dtype or input_np.dtype)
    result[tuple(slice(None, None, s) for s in strides)] = input_np
    return result


def _windows(data, kernel, stride):
    """(N, C, windows..., kernel...) of padded data (N, C, ...)."""
    n = len(kernel)
    view = np.lib.stride_tricks.sliding_window_view(data, kernel, axis=tuple(range(2, 2 + n)))
    return view[(slice(None), slice(None)) + tuple(slice(None, None, s) for s in stride)]


def convolve(data, weight, stride, padding, dilation=1, groups=1, out_dtype=None):
    """data (N, C, ...), weight (O, C / groups, ...) -> (N, O, ...)"""
    n = weight.ndim - 2
    stride, dilation = _each(stride, n), _each(dilation, n)
    weight = dilate_python(weight, (1, 1) + dilation)
    kernel = weight.shape[2:]
    padded = np.pad(data, [(0, 0), (0, 0)] + paddings(padding, kernel))
    outs, per = weight.shape[0] // groups, data.shape[1] // groups
    dtype = out_dtype or np.result_type(data, weight)
    axes = list(range(2 + n, 2 + 2 * n))
    parts = []
    for g in range(groups):
        windows = _windows(padded[:, g * per:(g + 1) * per].astype(dtype), kernel, stride)
        part = np.tensordot(windows, weight[g * outs:(g + 1) * outs].astype(dtype), axes=([1] + axes, list(range(1, 2 + n))))
        parts.append(np.moveaxis(part, -1, 1))
    return np.ascontiguousarray(np.concatenate(parts, axis=1).astype(dtype))


def conv1d_ncw_python(a_np, w_np, stride, padding, dilation):
    """(N, C, W) and (O, I, K)."""
    return convolve(a_np, w_np, stride, padding, dilation)


def group_conv1d_ncw_python(a_np, w_np, stride, padding, dilation, groups):
    """The same in groups."""
    return convolve(a_np, w_np, stride, padding, dilation, groups)


def conv2d_nchw_python(a_np, w_np, stride, padding, groups=1):
    """(N, C, H, W) and (O, I, H, W)."""
    return convolve(a_np, w_np, stride, padding, 1, groups)


def conv2d_nhwc_python(a_np, w_np, stride, padding, groups=1):
    """(N, H, W, C) and (H, W, I, O)."""
    return convolve(a_np.transpose(0, 3, 1, 2), w_np.transpose(3, 2, 0, 1), stride, padding, 1, groups).transpose(0, 2, 3, 1)


def conv2d_hwcn_python(a_np, w_np, stride, padding):
    """(H, W, C, N) and (H, W, I, O)."""
    return convolve(a_np.transpose(3, 2, 0, 1), w_np.transpose(3, 2, 0, 1), stride, padding).transpose(2, 3, 1, 0)


def conv3d_ncdhw_python(a_np, w_np, stride, padding, groups=1):
    """(N, C, D, H, W) and (O, I, D, H, W)."""
    return convolve(a_np, w_np, stride, padding, 1, groups)


def conv3d_ndhwc_python(a_np, w_np, stride, padding, groups=1):
    """(N, D, H, W, C) and (D, H, W, I, O)."""
    return convolve(a_np.transpose(0, 4, 1, 2, 3), w_np.transpose(4, 3, 0, 1, 2), stride, padding, 1, groups).transpose(0, 2, 3, 4, 1)


def depthwise_conv2d_python_nchw(input_np, filter_np, stride, padding):
    """(N, C, H, W) and (C, M, H, W)."""
    channels, times = filter_np.shape[:2]
    return convolve(input_np, filter_np.reshape(channels * times, 1, *filter_np.shape[2:]), stride, padding, 1, channels)


def depthwise_conv2d_python_nhwc(input_np, filter_np, stride, padding):
    """(N, H, W, C) and (H, W, C, M)."""
    return depthwise_conv2d_python_nchw(input_np.transpose(0, 3, 1, 2), filter_np.transpose(2, 3, 0, 1), stride, padding).transpose(0, 2, 3, 1)


def transposed(data, weight, stride, padding, output_padding, groups=1):
    """data (N, C, ...), weight (C, O / groups, ...): each element is spread over a window."""
    n = weight.ndim - 2
    stride, extra, kernel = _each(stride, n), _each(output_padding, n), weight.shape[2:]
    pads = paddings(padding, kernel)
    whole = [(d - 1) * s + k + e for d, s, k, e in zip(data.shape[2:], stride, kernel, extra)]
    per, outs = data.shape[1] // groups, weight.shape[1]
    result = np.zeros((data.shape[0], outs * groups, *whole), np.result_type(data, weight))
    for g in range(groups):
        for offset in itertools.product(*[range(k) for k in kernel]):
            part = np.tensordot(data[:, g * per:(g + 1) * per], weight[(slice(g * per, (g + 1) * per), slice(None)) + offset], axes=([1], [0]))
            at = tuple(slice(o, o + (d - 1) * s + 1, s) for o, d, s in zip(offset, data.shape[2:], stride))
            result[(slice(None), slice(g * outs, (g + 1) * outs)) + at] += np.moveaxis(part, -1, 1)
    return result[(slice(None), slice(None)) + tuple(slice(before, size - after) for (before, after), size in zip(pads, whole))]


def conv1d_transpose_ncw_python(a_np, w_np, stride, padding, output_padding):
    """(N, C, W) and (I, O, K)."""
    return transposed(a_np, w_np, stride, padding, output_padding)


def conv2d_transpose_nchw_python(a_np, w_np, stride, padding, output_padding, groups=1):
    """(N, C, H, W) and (I, O, H, W)."""
    return transposed(a_np, w_np, stride, padding, output_padding, groups)


def conv2d_transpose_nhwc_python(a_nhwc, weight, weight_format, stride, padding, output_padding=(0, 0)):
    """(N, H, W, C) and a weight of any order of H, W, I, O."""
    order = [weight_format.index(c) for c in "IOHW"]
    return transposed(a_nhwc.transpose(0, 3, 1, 2), weight.transpose(order), stride, padding, output_padding).transpose(0, 2, 3, 1)


def conv3d_transpose_ncdhw_python(a_np, w_np, stride, padding, output_padding):
    """(N, C, D, H, W) and (I, O, D, H, W)."""
    return transposed(a_np, w_np, stride, padding, output_padding)
