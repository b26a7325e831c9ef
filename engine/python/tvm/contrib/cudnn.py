"""cuDNN: its functions by name.  The library is not here; what asks for it says so."""
from .. import te, tir
from ._library import asked, needed



def exists():
    """Is the library here?"""
    return bool(asked("tvm.contrib.cudnn.exists"))


def algo_to_index(algo_type, algo_name):
    """The number of an algorithm; -1: there is none of this name."""
    names = {"fwd": ("CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM", "CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM", "CUDNN_CONVOLUTION_FWD_ALGO_GEMM",
                     "CUDNN_CONVOLUTION_FWD_ALGO_DIRECT", "CUDNN_CONVOLUTION_FWD_ALGO_FFT", "CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING",
                     "CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD", "CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED")}.get(algo_type, ())
    return names.index(algo_name) if algo_name in names else -1


def conv_output_shape(tensor_format, pad, stride, dilation, x_shape, w_shape, data_dtype, conv_dtype, groups=1):
    """The extents of a convolution's result (tensor_format 0: channels second, 1: channels last)."""
    del data_dtype, conv_dtype
    places = list(x_shape[2:] if tensor_format == 0 else x_shape[1:-1])
    sizes = list(w_shape[2:] if tensor_format == 0 else w_shape[1:-1])
    if x_shape[1 if tensor_format == 0 else -1] != groups * w_shape[1 if tensor_format == 0 else -1]:
        raise ValueError("the weights are for another number of channels than the data have")
    out = [1 + (n + 2 * p - ((k - 1) * d + 1)) // s for n, k, p, s, d in zip(places, sizes, pad, stride, dilation)]
    return [x_shape[0], w_shape[0], *out] if tensor_format == 0 else [x_shape[0], *out, w_shape[0]]


def conv_forward(x, w, pad, stride, dilation, conv_mode, tensor_format, algo, conv_dtype, groups=1, verbose=True):
    """A convolution as one extern call; an algorithm of -1 is looked for by the library."""
    del verbose
    shape = conv_output_shape(tensor_format, pad, stride, dilation, [int(n) for n in x.shape], [int(n) for n in w.shape], x.dtype, conv_dtype, groups)
    if algo == -1:
        algo = needed("tvm.contrib.cudnn.conv.forward_find_algo")(tensor_format, len(pad), *pad, *stride, *dilation)
    dims = len(pad)
    name = "tvm.contrib.cudnn.conv2d.forward" if dims == 2 else "tvm.contrib.cudnn.conv3d.forward"
    return te.extern(shape, [x, w], lambda ins, outs: tir.call_packed(name, conv_mode, tensor_format, algo, *pad, *stride, *dilation, ins[0], ins[1], outs[0],
                                                                     conv_dtype, groups),
                     name="y", dtype=conv_dtype)


def softmax(x, axis=-1):
    """Softmax as one extern call."""
    return te.extern(x.shape, [x], lambda ins, outs: tir.call_packed("tvm.contrib.cudnn.softmax.forward", ins[0], outs[0], axis), name="y")


def log_softmax(x, axis=-1):
    """The logarithm of softmax as one extern call."""
    return te.extern(x.shape, [x], lambda ins, outs: tir.call_packed("tvm.contrib.cudnn.log_softmax.forward", ins[0], outs[0], axis), name="y")
