"""Operators of neural networks."""
import _loopscope as _core

from ..reduction import _axes


def _numbers(value):
    return list(value) if hasattr(value, "__len__") and not isinstance(value, str) else [value]


def _padding(padding, kernel, dilation):
    """Numbers, or "VALID" and "SAME" as numbers."""
    if padding == "VALID":
        return [0]
    if padding == "SAME":
        dilation = _numbers(dilation)
        dilation = dilation * len(kernel) if len(dilation) == 1 else dilation
        total = [(int(k) - 1) * int(d) for k, d in zip(kernel, dilation)]
        return [(t + 1) // 2 for t in total] + [t - (t + 1) // 2 for t in total]
    return _numbers(padding)


def relu(x):
    """max (x, 0)"""
    return _core.topi("nn_relu", x)


def leaky_relu(x, alpha):
    """x, or alpha * x where it is negative."""
    return _core.topi("nn_leaky_relu", x, alpha)


def prelu(x, slope, axis=1):
    """leaky_relu with a slope for each channel."""
    return _core.topi("nn_prelu", x, slope, axis)


def softplus(x, beta=1.0, threshold=20.0):
    """log (1 + exp (beta * x)) / beta"""
    return _core.topi("nn_softplus", x, beta, threshold)


def softmax(x, axis=-1):
    """exp (x) over its sum."""
    return _core.topi("nn_softmax", x, axis)


def log_softmax(x, axis=-1):
    """The logarithm of softmax."""
    return _core.topi("nn_log_softmax", x, axis)


def flatten(data):
    """All axes but the first as one."""
    return _core.topi("nn_flatten", data)


def scale_shift_nchw(data, Scale, Shift):
    """data * Scale + Shift for each channel."""
    return _core.topi("nn_scale_shift", data, Scale, Shift, 1)


def scale_shift_nhwc(data, Scale, Shift):
    """The same with the channels last."""
    return _core.topi("nn_scale_shift", data, Scale, Shift, 3)


def bias_add(data, bias, axis=1):
    """data + bias along an axis."""
    return _core.topi("nn_bias_add", data, bias, axis)


def dense(data, weight, bias=None, out_dtype=None, auto_scheduler_rewritten_layout="", meta_schedule_original_shape=None):
    """data times the transposed weight."""
    return _core.topi("nn_dense", data, weight, bias, out_dtype)


def matmul(tensor_a, tensor_b, bias=None, out_dtype=None, transpose_a=False, transpose_b=False, auto_scheduler_rewritten_layout="",
           meta_schedule_original_shape=None):
    """The product of matrices."""
    return _core.topi("nn_matmul", tensor_a, tensor_b, bias, out_dtype, transpose_a, transpose_b)


def batch_matmul(tensor_a, tensor_b, oshape=None, out_dtype=None, transpose_a=False, transpose_b=True, auto_scheduler_rewritten_layout="",
                 meta_schedule_original_shape=None):
    """Products of matrices, one for each of a batch."""
    return _core.topi("nn_batch_matmul", tensor_a, tensor_b, out_dtype, transpose_a, transpose_b)


def pad(data, pad_before, pad_after=None, pad_value=0.0, name="PadInput", attrs=None):
    """A tensor with a border."""
    from ...tir import const

    value = const(pad_value, data.dtype) if isinstance(pad_value, (int, float)) else pad_value
    return _core.topi("nn_pad", data, list(pad_before), None if not pad_after else list(pad_after), value, name)


def mirror_pad(data, pad_before, pad_after=None, mode="SYMMETRIC", name="MirrorPadInput"):
    """A border of mirrored elements."""
    return _core.topi("nn_mirror_pad", data, list(pad_before), None if not pad_after else list(pad_after), mode)


def replicate_pad(data, pad_before, pad_after=None, name="ReplicatePadInput"):
    """A border of the elements that are nearest to it."""
    return _core.topi("nn_mode_pad", data, list(pad_before), None if not pad_after else list(pad_after), "replicate")


def dilate(data, strides, dilation_value=0.0, name="DilatedInput"):
    """Gaps between elements."""
    return _core.topi("nn_dilate", data, list(strides), float(dilation_value), name)


def space_to_batch_nd(data, block_shape, pad_before, pad_after, pad_value=0.0):
    """The places of blocks as entries of the batch."""
    return _core.topi("nn_space_to_batch_nd", data, list(block_shape), list(pad_before), list(pad_after), float(pad_value))


def batch_to_space_nd(data, block_shape, crop_begin_list, crop_end_list):
    """Entries of the batch as the places of blocks."""
    return _core.topi("nn_batch_to_space_nd", data, list(block_shape), list(crop_begin_list), list(crop_end_list))


def space_to_depth(data, block_size, layout="NCHW"):
    """Blocks of elements as channels."""
    return _core.topi("nn_space_to_depth", data, block_size, layout)


def depth_to_space(data, block_size, layout="NCHW", mode="DCR"):
    """Channels as blocks of elements."""
    return _core.topi("nn_depth_to_space", data, block_size, layout, mode)


# ---- convolutions ------------------------------------------------------------------------------

def conv(inp, filt, stride, padding, dilation, groups, data_layout, kernel_layout="", out_dtype=None, auto_scheduler_rewritten_layout=None,
         meta_schedule_original_shape=None, auto_scheduler_should_rewrite_layout=False):
    """A convolution of any number of dimensions."""
    n = len(data_layout) - 2
    kernel = [filt.shape[(kernel_layout or "OI" + "DHW"[3 - n:]).index(c)] for c in "DHW"[3 - n:]]
    name = ("group_" if groups > 1 else "") + f"conv{n}d_{data_layout.lower()}"
    return _core.topi("nn_conv", inp, filt, _numbers(stride), _padding(padding, kernel, dilation), _numbers(dilation), groups, data_layout, kernel_layout,
                      out_dtype, name)


def conv2d_nchw(Input, Filter, stride, padding, dilation, out_dtype=None):
    """A convolution, channels first."""
    return _core.topi("nn_conv2d_nchw", Input, Filter, _numbers(stride), _padding(padding, Filter.shape[2:], dilation), _numbers(dilation), out_dtype)


def conv2d_nhwc(Input, Filter, stride, padding, dilation, out_dtype="float32", auto_scheduler_rewritten_layout="", meta_schedule_original_shape=None):
    """A convolution, channels last."""
    return _core.topi("nn_conv2d_nhwc", Input, Filter, _numbers(stride), _padding(padding, Filter.shape[:2], dilation), _numbers(dilation), out_dtype)


def conv2d(data, kernel, strides, padding, dilation, data_layout="NCHW", kernel_layout="", out_dtype=None):
    """A convolution in a layout."""
    if data_layout == "NCHW":
        return conv2d_nchw(data, kernel, strides, padding, dilation, out_dtype)
    if data_layout == "NHWC":
        return conv2d_nhwc(data, kernel, strides, padding, dilation, out_dtype)
    raise ValueError(f"not support this layout {data_layout} yet")


def conv1d(data, kernel, strides=1, padding="VALID", dilation=1, groups=1, data_layout="NCW", kernel_layout="", out_dtype=None):
    """A convolution over one dimension."""
    size = [kernel.shape[(kernel_layout or ("OIW" if data_layout == "NCW" else "WIO")).index("W")]]
    if groups != 1:
        return conv(data, kernel, strides, padding, dilation, groups, data_layout, kernel_layout, out_dtype)
    return _core.topi("nn_conv1d", data, kernel, _numbers(strides), _padding(padding, size, dilation), _numbers(dilation), data_layout, kernel_layout, out_dtype)


def conv1d_ncw(data, kernel, strides=1, padding="VALID", dilation=1, out_dtype=None):
    """A convolution over one dimension, channels first."""
    return conv1d(data, kernel, strides, padding, dilation, 1, "NCW", "", out_dtype)


def conv1d_nwc(data, kernel, strides=1, padding="VALID", dilation=1, out_dtype=None):
    """A convolution over one dimension, channels last."""
    return conv1d(data, kernel, strides, padding, dilation, 1, "NWC", "", out_dtype)


def conv3d_ncdhw(Input, Filter, stride, padding, dilation, groups=1, out_dtype=None):
    """A convolution over three dimensions."""
    return conv(Input, Filter, stride, padding, dilation, groups, "NCDHW", "OIDHW", out_dtype)


def group_conv2d_nchw(Input, Filter, stride, padding, dilation, groups, out_dtype=None):
    """A convolution in groups of channels."""
    return _core.topi("nn_group_conv2d_nchw", Input, Filter, _numbers(stride), _padding(padding, Filter.shape[2:], dilation), _numbers(dilation), groups, out_dtype)


def depthwise_conv2d_nchw(Input, Filter, stride, padding, dilation, out_dtype=None):
    """A convolution of each channel for itself."""
    return _core.topi("nn_depthwise_conv2d_nchw", Input, Filter, _numbers(stride), _padding(padding, Filter.shape[2:], dilation), _numbers(dilation), out_dtype)


def conv1d_transpose_ncw(data, kernel, stride, padding, out_dtype, output_padding):
    """A transposed convolution over one dimension."""
    return _core.topi("nn_conv1d_transpose_ncw", data, kernel, _numbers(stride), _padding(padding, kernel.shape[2:], 1), out_dtype, _numbers(output_padding), 1)


def conv2d_transpose_nchw(Input, Filter, strides, padding, out_dtype, output_padding):
    """A transposed convolution."""
    return _core.topi("nn_conv2d_transpose_nchw", Input, Filter, _numbers(strides), _padding(padding, Filter.shape[2:], 1), out_dtype,
                      _numbers(output_padding), 1)


def group_conv2d_transpose_nchw(data, kernel, stride, padding, out_dtype, output_padding, groups):
    """A transposed convolution in groups."""
    return _core.topi("nn_conv2d_transpose_nchw", data, kernel, _numbers(stride), _padding(padding, kernel.shape[2:], 1), out_dtype,
                      _numbers(output_padding), groups)


def conv3d_transpose_ncdhw(Input, Filter, strides, padding, out_dtype, output_padding):
    """A transposed convolution over three dimensions."""
    return _core.topi("nn_conv3d_transpose_ncdhw", Input, Filter, _numbers(strides), _padding(padding, Filter.shape[2:], 1), out_dtype,
                      _numbers(output_padding), 1)


def group_conv3d_transpose_ncdhw(data, kernel, strides, padding, out_dtype, output_padding, groups):
    """The same in groups."""
    return _core.topi("nn_conv3d_transpose_ncdhw", data, kernel, _numbers(strides), _padding(padding, kernel.shape[2:], 1), out_dtype,
                      _numbers(output_padding), groups)


# ---- pooling --------------------------------------------------------------------------------------

def _pool(layout, n):
    def call(data, kernel, stride, dilation, padding, pool_type, ceil_mode=False, layout=layout, count_include_pad=True):
        kernel, stride, dilation = (_numbers(x) * n if len(_numbers(x)) == 1 and n > 1 else _numbers(x) for x in (kernel, stride, dilation))
        return _core.topi("nn_pool", data, kernel, stride, dilation, _numbers(padding), pool_type, ceil_mode, layout, count_include_pad)

    call.__name__ = f"pool{n}d"
    call.__doc__ = f"The highest or mean element of windows over {n} dimensions."
    return call


pool1d = _pool("NCW", 1)
pool2d = _pool("NCHW", 2)
pool3d = _pool("NCDHW", 3)


def adaptive_pool(data, output_size, pool_type, layout="NCHW"):
    """Pooling to a size."""
    return _core.topi("nn_adaptive_pool", data, _numbers(output_size), pool_type, layout)


def adaptive_pool1d(data, output_size, pool_type, layout="NCW"):
    """Pooling to a size over one dimension."""
    return adaptive_pool(data, output_size, pool_type, layout)


def adaptive_pool3d(data, output_size, pool_type, layout="NCDHW"):
    """Pooling to a size over three dimensions."""
    return adaptive_pool(data, output_size, pool_type, layout)


def global_pool(data, pool_type, layout="NCHW"):
    """Pooling of everything."""
    return _core.topi("nn_global_pool", data, pool_type, layout)


# ---- normalisation, losses ---------------------------------------------------------------------------

def layer_norm(data, gamma, beta, axis, epsilon=1e-5):
    """Mean 0 and variance 1 over axes, then scale and shift."""
    return _core.topi("nn_layer_norm", data, gamma, beta, _axes(axis), epsilon)


def group_norm(data, gamma, beta, num_groups, channel_axis, axes, epsilon=1e-5):
    """layer_norm in groups of channels."""
    return _core.topi("nn_group_norm", data, gamma, beta, num_groups, channel_axis, _axes(axes), epsilon)


def instance_norm(data, gamma, beta, axis, epsilon=1e-5):
    """layer_norm of each channel."""
    return _core.topi("nn_instance_norm", data, gamma, beta, _axes(axis), epsilon)


def rms_norm(data, weight, axis, epsilon=1e-5):
    """Root mean square 1 over axes, then scale."""
    return _core.topi("nn_rms_norm", data, weight, _axes(axis), epsilon)


def batch_norm(data, gamma, beta, moving_mean, moving_var, axis=None, epsilon=None, center=None, scale=None, training=None, momentum=None):
    """Mean 0 and variance 1 over a batch: the result, the running mean, the running variance."""
    axis, epsilon, momentum = (1 if axis is None else axis), (1e-5 if epsilon is None else epsilon), (0.1 if momentum is None else momentum)
    center, scale, training = (True if center is None else center), (True if scale is None else scale), (False if training is None else training)
    return _core.items(_core.topi("nn_batch_norm", data, gamma, beta, moving_mean, moving_var, axis, epsilon, center, scale, training, momentum))


def upsampling(data, scale_h, scale_w, layout="NCHW", method="nearest_neighbor", align_corners=False, output_shape=None):
    """Height and width times their scales, by the nearest pixel or by interpolation."""
    from ...tir import Cast, IntImm, round as rounded
    from ..image import resize2d

    def scaled(extent, scale):
        if isinstance(extent, (int, IntImm)):
            return int(round(int(extent) * scale))
        return Cast(extent.dtype, rounded(Cast("float32", extent) * scale))

    height, width = layout.index("H"), layout.index("W")
    if output_shape is None:
        size = [scaled(data.shape[height], scale_h), scaled(data.shape[width], scale_w)]
    else:
        size = [output_shape[height], output_shape[width]]
    return resize2d(data, (0.0,) * 4, size, layout=layout, method=method[2:] if method[:2] == "bi" else method,
                    coordinate_transformation_mode="align_corners" if align_corners else "asymmetric")


def nll_loss(predictions, targets, weights, reduction, ignore_index):
    """The negative log likelihood."""
    return _core.topi("nn_nll_loss", predictions, targets, weights, reduction, ignore_index)


from .more import *  # noqa: E402,F403
from .bits import *  # noqa: E402,F403
from .pool_grads import *  # noqa: E402,F403
from .qnn import *  # noqa: E402,F403
from .sampled import *  # noqa: E402,F403
from .sparse import *  # noqa: E402,F403
from .blocked import conv2d_NCHWc, depthwise_conv2d_NCHWc  # noqa: E402
from .winograd import *  # noqa: E402,F403
from .._families import register as _register  # noqa: E402

_register(__name__)
