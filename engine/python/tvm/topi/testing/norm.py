"""Normalisation, softmax and losses."""
import numpy as np


def softmax_python(a_np, axis=1):
    """exp (a) over its sum."""
    shifted = np.exp(a_np - a_np.max(axis=axis, keepdims=True))
    return shifted / shifted.sum(axis=axis, keepdims=True)


def log_softmax_python(a_np, axis=1):
    """Its logarithm."""
    shifted = a_np - a_np.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def _along(values, ndim, axis):
    return values.reshape([-1 if i == axis else 1 for i in range(ndim)])


def batch_norm(x, gamma, beta, moving_mean, moving_var, axis, epsilon, center, scale, training=False, momentum=0.1):
    """[result, mean, variance]"""
    others = tuple(i for i in range(x.ndim) if i != axis)
    mean, var = (x.mean(axis=others), x.var(axis=others)) if training else (moving_mean, moving_var)
    out = (x - _along(mean, x.ndim, axis)) / np.sqrt(_along(var, x.ndim, axis) + epsilon)
    out = out * _along(gamma, x.ndim, axis) if scale else out
    out = out + _along(beta, x.ndim, axis) if center else out
    if not training:
        return [out, moving_mean, moving_var]
    return [out, (1 - momentum) * moving_mean + momentum * mean, (1 - momentum) * moving_var + momentum * var]


def _normal(data, axes, epsilon):
    wide = data.astype("float32") if data.dtype == np.float16 else data
    return (wide - wide.mean(axis=axes, keepdims=True)) / np.sqrt(wide.var(axis=axes, keepdims=True) + epsilon)


def layer_norm_python(data, gamma, beta, axis, epsilon=1e-5):
    """Over some axes, with weights of these axes."""
    axes = tuple(a % data.ndim for a in ((axis,) if isinstance(axis, int) else axis))
    shape = [n if i in axes else 1 for i, n in enumerate(data.shape)]
    result = _normal(data, axes, epsilon) * gamma.reshape(shape)
    return (result + beta.reshape(shape) if beta is not None else result).astype(data.dtype)


def rms_norm_python(data, weight, axis, epsilon=1e-5):
    """By the root of the mean square."""
    axes = tuple(a % data.ndim for a in ((axis,) if isinstance(axis, int) else axis))
    shape = [n if i in axes else 1 for i, n in enumerate(data.shape)]
    wide = data.astype("float32")
    result = wide / np.sqrt((wide ** 2).mean(axis=axes, keepdims=True) + epsilon)
    return (result * weight.reshape(shape).astype("float32")).astype(data.dtype)


def group_norm_python(data, gamma, beta, num_groups, channel_axis, axes, epsilon=1e-5):
    """Over groups of channels and other axes."""
    channel_axis %= data.ndim
    shape = list(data.shape)
    split = shape[:channel_axis] + [num_groups, shape[channel_axis] // num_groups] + shape[channel_axis + 1:]
    over = [channel_axis + 1] + [a + (a > channel_axis) for a in (a % data.ndim for a in axes)]
    result = _normal(data.reshape(split), tuple(over), epsilon).reshape(shape)
    return (result * _along(gamma, data.ndim, channel_axis) + _along(beta, data.ndim, channel_axis)).astype(data.dtype)


def instance_norm_python(data, gamma, beta, axis, epsilon=1e-5):
    """Over some axes, with weights of the channels (axis 1)."""
    axes = tuple(a % data.ndim for a in ((axis,) if isinstance(axis, int) else axis))
    return (_normal(data, axes, epsilon) * _along(gamma, data.ndim, 1) + _along(beta, data.ndim, 1)).astype(data.dtype)


def l2_normalize_python(a_np, eps, axis=None):
    """By the length."""
    return a_np / np.sqrt(np.maximum(np.broadcast_to((a_np ** 2).sum(axis=axis, keepdims=True), a_np.shape), eps))


def lrn_python(a_np, size, axis, bias, alpha, beta):
    """By the squares of neighbours."""
    square, half = a_np ** 2, (size - 1) // 2
    sums = np.zeros_like(a_np)
    for i in range(a_np.shape[axis]):
        part = np.take(square, range(max(0, i - half), min(a_np.shape[axis], i + half + 1)), axis=axis).sum(axis=axis)
        sums[tuple(i if k == axis else slice(None) for k in range(a_np.ndim))] = part
    return a_np / (bias + alpha * sums / size) ** beta


def nll_loss(predictions, targets, weights, reduction="mean", ignore_index=-100):
    """The loss of the targets' logarithms."""
    kept = targets != ignore_index
    index = np.where(kept, targets, 0)
    picked = np.take_along_axis(predictions, np.expand_dims(index, 1), axis=1).squeeze(1)
    factor = np.where(kept, weights[index], 0)
    loss = -picked * factor
    return loss if reduction == "none" else loss.sum() if reduction == "sum" else loss.sum() / factor.sum()
