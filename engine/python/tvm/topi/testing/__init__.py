"""References of operators in numpy, and help for tests: what each name gives is what the operator of that name has to give."""
from .common import compare_numpy_tvm, dispatch
from .conv import (conv1d_ncw_python, conv1d_transpose_ncw_python, conv2d_hwcn_python, conv2d_nchw_python, conv2d_nhwc_python, conv2d_transpose_nchw_python,
                   conv2d_transpose_nhwc_python, conv3d_ncdhw_python, conv3d_ndhwc_python, conv3d_transpose_ncdhw_python, depthwise_conv2d_python_nchw,
                   depthwise_conv2d_python_nhwc, dilate_python, group_conv1d_ncw_python)
from .index import (batch_to_space_nd_python, depth_to_space_python, gather_nd_python, gather_python, matrix_set_diag, one_hot, searchsorted_ref, sequence_mask,
                    slice_axis_python, space_to_batch_nd_python, space_to_depth_python, strided_set_python, strided_slice_python)
from .linear import attention_python, batch_matmul, dense, lstm_python
from .norm import (batch_norm, group_norm_python, instance_norm_python, l2_normalize_python, layer_norm_python, log_softmax_python, lrn_python, nll_loss,
                   rms_norm_python, softmax_python)
from .pool import adaptive_pool, pool1d_ncw_python, pool3d_ncdhw_python, poolnd_python, upsampling_python
