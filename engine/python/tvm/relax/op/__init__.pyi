"""Operators of Relax.

Made by data/scripts/make-stubs.
"""
from typing import Any

from tvm.ir import PrimExpr
from tvm.relax import Call, Expr

def abs(x: Expr) -> Call:
    """The operator relax.abs; R.abs in scripts."""
    ...
def acos(x: Expr) -> Call:
    """The operator relax.acos; R.acos in scripts."""
    ...
def acosh(x: Expr) -> Call:
    """The operator relax.acosh; R.acosh in scripts."""
    ...
def add(x1: Expr, x2: Expr) -> Call:
    """The operator relax.add; R.add in scripts."""
    ...
def arange(start: int | PrimExpr, end: int | PrimExpr, step: int | PrimExpr = 1, dtype: str = 'void') -> Call:
    """The operator relax.arange; R.arange in scripts."""
    ...
def argmax(x: Expr, axis: int | None = None, keepdims: bool = False) -> Call:
    """The operator relax.argmax; R.argmax in scripts."""
    ...
def argmin(x: Expr, axis: int | None = None, keepdims: bool = False) -> Call:
    """The operator relax.argmin; R.argmin in scripts."""
    ...
def argsort(data: Expr, axis: int = -1, descending: bool = False, dtype: str = 'int32') -> Call:
    """The operator relax.argsort; R.argsort in scripts."""
    ...
def asin(x: Expr) -> Call:
    """The operator relax.asin; R.asin in scripts."""
    ...
def asinh(x: Expr) -> Call:
    """The operator relax.asinh; R.asinh in scripts."""
    ...
def assert_op(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.assert_op; R.assert_op in scripts."""
    ...
def astype(x: Expr, dtype: str) -> Call:
    """The operator relax.astype; R.astype in scripts."""
    ...
def atan(x: Expr) -> Call:
    """The operator relax.atan; R.atan in scripts."""
    ...
def atanh(x: Expr) -> Call:
    """The operator relax.atanh; R.atanh in scripts."""
    ...
def bitwise_and(x1: Expr, x2: Expr) -> Call:
    """The operator relax.bitwise_and; R.bitwise_and in scripts."""
    ...
def bitwise_not(x: Expr) -> Call:
    """The operator relax.bitwise_not; R.bitwise_not in scripts."""
    ...
def bitwise_or(x1: Expr, x2: Expr) -> Call:
    """The operator relax.bitwise_or; R.bitwise_or in scripts."""
    ...
def bitwise_xor(x1: Expr, x2: Expr) -> Call:
    """The operator relax.bitwise_xor; R.bitwise_xor in scripts."""
    ...
def broadcast_to(x: Expr, shape: Expr | tuple) -> Call:
    """The operator relax.broadcast_to; R.broadcast_to in scripts."""
    ...
def bucketize(input_tensor: Expr, boundaries: Expr, out_int32: bool = False, right: bool = False) -> Call:
    """The operator relax.bucketize; R.bucketize in scripts."""
    ...
def call_builtin_with_ctx(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.call_builtin_with_ctx; R.call_builtin_with_ctx in scripts."""
    ...
def call_dps_packed(func: Any, args: Any, out_sinfo: Any) -> Any:
    """The call of a packed function that writes its results."""
    ...
def call_inplace_packed(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.call_inplace_packed; R.call_inplace_packed in scripts."""
    ...
def call_operator(path: Any, args: Any, kwargs: Any) -> Any:
    """What R.PATH gives for these arguments."""
    ...
def call_pure_packed(func: Any, *args: Any, sinfo_args: Any = ...) -> Any:
    """The call of a packed function without effects."""
    ...
def call_tir(gvar: Any, args: Any, out_sinfo: Any, tir_vars: Any = None, dtype: Any = None) -> Any:
    """The call of a PrimFunc that writes its results.  As in 2022, `out_sinfo` may be a shape, with `dtype`, and `gvar` a packed function."""
    ...
def call_tir_inplace(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.call_tir_inplace; R.call_tir_inplace in scripts."""
    ...
def call_tir_with_grad(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.call_tir_with_grad; R.call_tir_with_grad in scripts."""
    ...
def ceil(x: Expr) -> Call:
    """The operator relax.ceil; R.ceil in scripts."""
    ...
def clip(x: Expr, min: int | PrimExpr, max: int | PrimExpr) -> Call:
    """The operator relax.clip; R.clip in scripts."""
    ...
def collapse_sum_like(data: Expr, target: Expr) -> Call:
    """The operator relax.collapse_sum_like; R.collapse_sum_like in scripts."""
    ...
def collapse_sum_to(data: Expr, shape: Expr | tuple) -> Call:
    """The operator relax.collapse_sum_to; R.collapse_sum_to in scripts."""
    ...
def concat(tensors: list[Expr], axis: int = 0) -> Call:
    """The operator relax.concat; R.concat in scripts."""
    ...
def cos(x: Expr) -> Call:
    """The operator relax.cos; R.cos in scripts."""
    ...
def cosh(x: Expr) -> Call:
    """The operator relax.cosh; R.cosh in scripts."""
    ...
def cumprod(data: Expr, axis: int | None = None, dtype: str = 'void', exclusive: bool = False) -> Call:
    """The operator relax.cumprod; R.cumprod in scripts."""
    ...
def cumsum(data: Expr, axis: int | None = None, dtype: str = 'void', exclusive: bool = False) -> Call:
    """The operator relax.cumsum; R.cumsum in scripts."""
    ...
def dense(x: Any, w: Any) -> Any:
    """x times the transposed w, as it was called in 2022."""
    ...
def dequantize(data: Any, scale: Any, zero_point: Any, axis: Any = -1, out_dtype: Any = 'float32') -> Any:
    """Whole numbers of a scale as numbers."""
    ...
def divide(x1: Expr, x2: Expr) -> Call:
    """The operator relax.divide; R.divide in scripts."""
    ...
def dtype(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.dtype; R.dtype in scripts."""
    ...
def dynamic_strided_slice(x: Expr, begin: Expr, end: Expr, strides: Expr) -> Call:
    """The operator relax.dynamic_strided_slice; R.dynamic_strided_slice in scripts."""
    ...
def einsum(operands: list[Expr], subscripts: str) -> Call:
    """The operator relax.einsum; R.einsum in scripts."""
    ...
def equal(x1: Expr, x2: Expr) -> Call:
    """The operator relax.equal; R.equal in scripts."""
    ...
def erf(x: Expr) -> Call:
    """The operator relax.erf; R.erf in scripts."""
    ...
def ewise_fma(x1: Expr, x2: Expr, x3: Expr) -> Call:
    """The operator relax.ewise_fma; R.ewise_fma in scripts."""
    ...
def exp(x: Expr) -> Call:
    """The operator relax.exp; R.exp in scripts."""
    ...
def expand_dims(x: Expr, axis: int | list[int]) -> Call:
    """The operator relax.expand_dims; R.expand_dims in scripts."""
    ...
def eye(n: int | PrimExpr, m: int | PrimExpr | None = None, k: int | PrimExpr = 0, dtype: str = 'float32') -> Call:
    """The operator relax.eye; R.eye in scripts."""
    ...
def eye_like(x: Expr, k: int | PrimExpr = 0, dtype: str = 'void') -> Call:
    """The operator relax.eye_like; R.eye_like in scripts."""
    ...
def flatten(x: Expr) -> Call:
    """The operator relax.flatten; R.flatten in scripts."""
    ...
def flip(data: Expr, axis: int) -> Call:
    """The operator relax.flip; R.flip in scripts."""
    ...
def floor(x: Expr) -> Call:
    """The operator relax.floor; R.floor in scripts."""
    ...
def floor_divide(x1: Expr, x2: Expr) -> Call:
    """The operator relax.floor_divide; R.floor_divide in scripts."""
    ...
def floor_mod(x1: Expr, x2: Expr) -> Call:
    """The operator relax.floor_mod; R.floor_mod in scripts."""
    ...
def full(shape: Expr | tuple, fill_value: Expr, dtype: str = 'void') -> Call:
    """The operator relax.full; R.full in scripts."""
    ...
def full_like(x: Expr, fill_value: Expr, dtype: str = 'void') -> Call:
    """The operator relax.full_like; R.full_like in scripts."""
    ...
def gather_elements(data: Expr, indices: Expr, axis: int = 0) -> Call:
    """The operator relax.gather_elements; R.gather_elements in scripts."""
    ...
def gather_nd(data: Expr, indices: Expr, batch_dims: int = 0) -> Call:
    """The operator relax.gather_nd; R.gather_nd in scripts."""
    ...
def greater(x1: Expr, x2: Expr) -> Call:
    """The operator relax.greater; R.greater in scripts."""
    ...
def greater_equal(x1: Expr, x2: Expr) -> Call:
    """The operator relax.greater_equal; R.greater_equal in scripts."""
    ...
def hint_on_device(data: Expr, dst_vdevice: Any) -> Call:
    """The operator relax.hint_on_device; R.hint_on_device in scripts."""
    ...
def index_tensor(data: Expr, indices: list[Expr]) -> Call:
    """The operator relax.index_tensor; R.index_tensor in scripts."""
    ...
def invoke_closure(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.invoke_closure; R.invoke_closure in scripts."""
    ...
def invoke_pure_closure(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.invoke_pure_closure; R.invoke_pure_closure in scripts."""
    ...
def isfinite(x: Expr) -> Call:
    """The operator relax.isfinite; R.isfinite in scripts."""
    ...
def isinf(x: Expr) -> Call:
    """The operator relax.isinf; R.isinf in scripts."""
    ...
def isnan(x: Expr) -> Call:
    """The operator relax.isnan; R.isnan in scripts."""
    ...
def layout_transform(x: Any, index_map: Any, pad_value: Any = None, axis_separators: Any = None, input_axis_separators: Any = None) -> Any:
    """The tensor with its elements where the index map says."""
    ...
def left_shift(x1: Expr, x2: Expr) -> Call:
    """The operator relax.left_shift; R.left_shift in scripts."""
    ...
def less(x1: Expr, x2: Expr) -> Call:
    """The operator relax.less; R.less in scripts."""
    ...
def less_equal(x1: Expr, x2: Expr) -> Call:
    """The operator relax.less_equal; R.less_equal in scripts."""
    ...
def linear(data: Any, weight: Any, bias: Any = None, out_dtype: Any = None) -> Any:
    """data times the transposed weight, plus bias."""
    ...
def log(x: Expr) -> Call:
    """The operator relax.log; R.log in scripts."""
    ...
def log_add_exp(x1: Expr, x2: Expr) -> Call:
    """The operator relax.log_add_exp; R.log_add_exp in scripts."""
    ...
def logical_and(x1: Expr, x2: Expr) -> Call:
    """The operator relax.logical_and; R.logical_and in scripts."""
    ...
def logical_not(x: Expr) -> Call:
    """The operator relax.logical_not; R.logical_not in scripts."""
    ...
def logical_or(x1: Expr, x2: Expr) -> Call:
    """The operator relax.logical_or; R.logical_or in scripts."""
    ...
def logical_xor(x1: Expr, x2: Expr) -> Call:
    """The operator relax.logical_xor; R.logical_xor in scripts."""
    ...
def make_closure(func: Expr, args: Expr) -> Call:
    """The operator relax.make_closure; R.make_closure in scripts."""
    ...
def make_operator(path: Any, spec: Any = None) -> Any:
    """R.PATH as a Python function."""
    ...
def masked_fill(x: Any, mask: Any, value: Any) -> Any:
    """x, with one value where the mask holds."""
    ...
def matmul(x1: Expr, x2: Expr, out_dtype: str = 'void') -> Call:
    """The operator relax.matmul; R.matmul in scripts."""
    ...
def max(x: Expr, axis: int | list[int] | None = None, keepdims: bool = False) -> Call:
    """The operator relax.max; R.max in scripts."""
    ...
def maximum(x1: Expr, x2: Expr) -> Call:
    """The operator relax.maximum; R.maximum in scripts."""
    ...
def mean(x: Expr, axis: int | list[int] | None = None, keepdims: bool = False) -> Call:
    """The operator relax.mean; R.mean in scripts."""
    ...
def meshgrid(tensors: list[Expr], indexing: str = 'ij') -> Call:
    """The operator relax.meshgrid; R.meshgrid in scripts."""
    ...
def min(x: Expr, axis: int | list[int] | None = None, keepdims: bool = False) -> Call:
    """The operator relax.min; R.min in scripts."""
    ...
def minimum(x1: Expr, x2: Expr) -> Call:
    """The operator relax.minimum; R.minimum in scripts."""
    ...
def mod(x1: Expr, x2: Expr) -> Call:
    """The operator relax.mod; R.mod in scripts."""
    ...
def multinomial_from_uniform(prob: Expr, uniform_sample: Expr, sample_indices: Expr, dtype: str = 'int64') -> Call:
    """The operator relax.multinomial_from_uniform; R.multinomial_from_uniform in scripts."""
    ...
def multiply(x1: Expr, x2: Expr) -> Call:
    """The operator relax.multiply; R.multiply in scripts."""
    ...
def negative(x: Expr) -> Call:
    """The operator relax.negative; R.negative in scripts."""
    ...
def nonzero(x: Expr) -> Call:
    """The operator relax.nonzero; R.nonzero in scripts."""
    ...
def not_equal(x1: Expr, x2: Expr) -> Call:
    """The operator relax.not_equal; R.not_equal in scripts."""
    ...
def null_value() -> Call:
    """The operator relax.null_value; R.null_value in scripts."""
    ...
def one_hot(indices: Expr, on_value: int | PrimExpr, off_value: int | PrimExpr, depth: int, axis: int = -1) -> Call:
    """The operator relax.one_hot; R.one_hot in scripts."""
    ...
def ones(shape: Expr | tuple, dtype: str) -> Call:
    """The operator relax.ones; R.ones in scripts."""
    ...
def ones_like(x: Expr, dtype: str = 'void') -> Call:
    """The operator relax.ones_like; R.ones_like in scripts."""
    ...
def outer(x1: Expr, x2: Expr) -> Call:
    """The operator relax.outer; R.outer in scripts."""
    ...
def permute_dims(x: Expr, axes: int | list[int] | None = None) -> Call:
    """The operator relax.permute_dims; R.permute_dims in scripts."""
    ...
def permute_dims_matmul(x: Any, w: Any) -> Any:
    """x times the transposed w, what was called dense in 2022."""
    ...
def power(x1: Expr, x2: Expr) -> Call:
    """The operator relax.power; R.power in scripts."""
    ...
def prim_value(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.prim_value; R.prim_value in scripts."""
    ...
def print(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.print; R.print in scripts."""
    ...
def prod(x: Expr, axis: int | list[int] | None = None, keepdims: bool = False) -> Call:
    """The operator relax.prod; R.prod in scripts."""
    ...
def quantize(data: Any, scale: Any, zero_point: Any, axis: Any = -1, out_dtype: Any = 'int8') -> Any:
    """Numbers as whole numbers of a scale."""
    ...
def relu(data: Any) -> Any:
    """R.nn.relu, as it was called in 2022."""
    ...
def repeat(data: Expr, repeats: int, axis: int | None = None) -> Call:
    """The operator relax.repeat; R.repeat in scripts."""
    ...
def reshape(x: Expr, shape: Expr | tuple) -> Call:
    """The operator relax.reshape; R.reshape in scripts."""
    ...
def right_shift(x1: Expr, x2: Expr) -> Call:
    """The operator relax.right_shift; R.right_shift in scripts."""
    ...
def round(x: Expr) -> Call:
    """The operator relax.round; R.round in scripts."""
    ...
def rsqrt(x: Expr) -> Call:
    """The operator relax.rsqrt; R.rsqrt in scripts."""
    ...
def scatter_elements(data: Expr, indices: Expr, updates: Expr, axis: int = 0, reduction: str = 'update') -> Call:
    """The operator relax.scatter_elements; R.scatter_elements in scripts."""
    ...
def scatter_nd(data: Expr, indices: Expr, updates: Expr, reduction: str = 'update') -> Call:
    """The operator relax.scatter_nd; R.scatter_nd in scripts."""
    ...
def shape(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.shape; R.shape in scripts."""
    ...
def shape_of(expr: Expr) -> Call:
    """The operator relax.shape_of; R.shape_of in scripts."""
    ...
def shape_to_tensor(expr: Expr) -> Call:
    """The operator relax.shape_to_tensor; R.shape_to_tensor in scripts."""
    ...
def sigmoid(x: Expr) -> Call:
    """The operator relax.sigmoid; R.sigmoid in scripts."""
    ...
def sign(x: Expr) -> Call:
    """The operator relax.sign; R.sign in scripts."""
    ...
def signature(spec: Any) -> Any:
    """The parameters that a row of the table says: tensors first, then attributes; an attribute with "@" follows another one."""
    ...
def sin(x: Expr) -> Call:
    """The operator relax.sin; R.sin in scripts."""
    ...
def sinh(x: Expr) -> Call:
    """The operator relax.sinh; R.sinh in scripts."""
    ...
def slice_scatter(input_tensor: Expr, src: Expr, start: int | PrimExpr, end: int | PrimExpr, step: int | PrimExpr = 1, axis: int = 0) -> Call:
    """The operator relax.slice_scatter; R.slice_scatter in scripts."""
    ...
def sort(data: Expr, axis: int = -1, descending: bool = False) -> Call:
    """The operator relax.sort; R.sort in scripts."""
    ...
def split(x: Expr, indices_or_sections: Any, axis: int = 0) -> Call:
    """The operator relax.split; R.split in scripts."""
    ...
def sqrt(x: Expr) -> Call:
    """The operator relax.sqrt; R.sqrt in scripts."""
    ...
def square(x: Expr) -> Call:
    """The operator relax.square; R.square in scripts."""
    ...
def squeeze(x: Expr, axis: int | list[int] | None = None) -> Call:
    """The operator relax.squeeze; R.squeeze in scripts."""
    ...
def stack(tensors: list[Expr], axis: int = 0) -> Call:
    """The operator relax.stack; R.stack in scripts."""
    ...
def std(x: Expr, axis: int | list[int] | None = None, keepdims: bool = False) -> Call:
    """The operator relax.std; R.std in scripts."""
    ...
def str(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.str; R.str in scripts."""
    ...
def strided_slice(x: Expr, axes: Any, begin: Any, end: Any, strides: Any = None, assume_inbound: bool = False) -> Call:
    """The operator relax.strided_slice; R.strided_slice in scripts."""
    ...
def subtract(x1: Expr, x2: Expr) -> Call:
    """The operator relax.subtract; R.subtract in scripts."""
    ...
def sum(x: Expr, axis: int | list[int] | None = None, keepdims: bool = False) -> Call:
    """The operator relax.sum; R.sum in scripts."""
    ...
def take(x: Expr, indices: Expr, axis: int | None = None) -> Call:
    """The operator relax.take; R.take in scripts."""
    ...
def tan(x: Expr) -> Call:
    """The operator relax.tan; R.tan in scripts."""
    ...
def tanh(x: Expr) -> Call:
    """The operator relax.tanh; R.tanh in scripts."""
    ...
def tensor_to_shape(expr: Expr) -> Call:
    """The operator relax.tensor_to_shape; R.tensor_to_shape in scripts."""
    ...
def tile(data: Expr, repeats: int | list[int]) -> Call:
    """The operator relax.tile; R.tile in scripts."""
    ...
def to_vdevice(data: Expr, dst_vdevice: Any) -> Call:
    """The operator relax.to_vdevice; R.to_vdevice in scripts."""
    ...
def topk(data: Expr, k: int = 1, axis: int = -1, ret_type: str = 'both', largest: bool = True, dtype: str = 'int32') -> Call:
    """The operator relax.topk; R.topk in scripts."""
    ...
def tril(x: Expr, k: int | PrimExpr = 0) -> Call:
    """The operator relax.tril; R.tril in scripts."""
    ...
def triu(x: Expr, k: int | PrimExpr = 0) -> Call:
    """The operator relax.triu; R.triu in scripts."""
    ...
def trunc(x: Expr) -> Call:
    """The operator relax.trunc; R.trunc in scripts."""
    ...
def tuple(*args: Any, **kwargs: Any) -> Any:
    """The operator relax.tuple; R.tuple in scripts."""
    ...
def unique(x: Expr, sorted: int | PrimExpr = True, return_index: int | PrimExpr = False, return_inverse: int | PrimExpr = False, return_counts: int | PrimExpr = False, axis: int | PrimExpr | None = None) -> Call:
    """The operator relax.unique; R.unique in scripts."""
    ...
def variance(x: Expr, axis: int | list[int] | None = None, keepdims: bool = False) -> Call:
    """The operator relax.variance; R.variance in scripts."""
    ...
def where(condition: Expr, x1: Expr, x2: Expr) -> Call:
    """The operator relax.where; R.where in scripts."""
    ...
def wrap_param(data: Expr, dtype: str = 'float32') -> Call:
    """The operator relax.wrap_param; R.wrap_param in scripts."""
    ...
def zeros(shape: Expr | tuple, dtype: str) -> Call:
    """The operator relax.zeros; R.zeros in scripts."""
    ...
def zeros_like(x: Expr, dtype: str = 'void') -> Call:
    """The operator relax.zeros_like; R.zeros_like in scripts."""
    ...

class _builtin:
    @staticmethod
    def alloc_tensor(shape: Expr | tuple, dtype: Any, runtime_device_index: int | PrimExpr, storage_scope: Any = 'global') -> Call:
        """The operator relax.builtin.alloc_tensor; R.builtin.alloc_tensor in scripts."""
        ...
    @staticmethod
    def stop_lift_params(x: Expr) -> Call:
        """The operator relax.builtin.stop_lift_params; R.builtin.stop_lift_params in scripts."""
        ...

builtin: _builtin

class _ccl:
    @staticmethod
    def allgather(x: Expr, num_workers: int, in_group: bool = True) -> Call:
        """The operator relax.ccl.allgather; R.ccl.allgather in scripts."""
        ...
    @staticmethod
    def allreduce(x: Expr, op_type: str = 'sum', in_group: bool = True) -> Call:
        """The operator relax.ccl.allreduce; R.ccl.allreduce in scripts."""
        ...
    @staticmethod
    def broadcast_from_worker0(x: Expr) -> Call:
        """The operator relax.ccl.broadcast_from_worker0; R.ccl.broadcast_from_worker0 in scripts."""
        ...
    @staticmethod
    def scatter_from_worker0(x: Expr, num_workers: int, axis: int = 0) -> Call:
        """The operator relax.ccl.scatter_from_worker0; R.ccl.scatter_from_worker0 in scripts."""
        ...

ccl: _ccl

class _distributed:
    ...

distributed: _distributed

class _grad:
    @staticmethod
    def avg_pool2d_backward(output_grad: Expr, data: Expr, pool_size: int | list[int] = 1, strides: int | list[int] = 1, padding: int | list[int] = 0, dilation: int | list[int] = 1, ceil_mode: bool = False, count_include_pad: bool = False, layout: str = 'NCHW', out_layout: str | None = None) -> Call:
        """The operator relax.grad.avg_pool2d_backward; R.grad.avg_pool2d_backward in scripts."""
        ...
    @staticmethod
    def end_checkpoint(input: Expr) -> Call:
        """The operator relax.grad.end_checkpoint; R.grad.end_checkpoint in scripts."""
        ...
    @staticmethod
    def max_pool2d_backward(output_grad: Expr, data: Expr, pool_size: int | list[int] = 1, strides: int | list[int] = 1, padding: int | list[int] = 0, dilation: int | list[int] = 1, ceil_mode: bool = False, count_include_pad: bool = False, layout: str = 'NCHW', out_layout: str | None = None) -> Call:
        """The operator relax.grad.max_pool2d_backward; R.grad.max_pool2d_backward in scripts."""
        ...
    @staticmethod
    def nll_loss_backward(output_grad: Expr, predictions: Expr, targets: Expr, weights: Expr | None = None, reduction: str = 'mean', ignore_index: int = -100) -> Call:
        """The operator relax.grad.nll_loss_backward; R.grad.nll_loss_backward in scripts."""
        ...
    @staticmethod
    def no_grad(input: Expr) -> Call:
        """The operator relax.grad.no_grad; R.grad.no_grad in scripts."""
        ...
    @staticmethod
    def start_checkpoint(input: Expr) -> Call:
        """The operator relax.grad.start_checkpoint; R.grad.start_checkpoint in scripts."""
        ...
    @staticmethod
    def take_backward(output_grad: Expr, x: Expr, indices: Expr, axis: int | None = None) -> Call:
        """The operator relax.grad.take_backward; R.grad.take_backward in scripts."""
        ...

grad: _grad

class _image:
    @staticmethod
    def resize2d(data: Expr, size: Expr | tuple, roi: Any = None, layout: str = 'NCHW', method: str = 'linear', coordinate_transformation_mode: str = 'half_pixel', rounding_method: str = 'round', cubic_alpha: float = -0.75, cubic_exclude: int = 0, extrapolation_value: float = 0.0, out_dtype: str = 'void') -> Call:
        """The operator relax.image.resize2d; R.image.resize2d in scripts."""
        ...

image: _image

class _inspect:
    @staticmethod
    def tensor_byte_offset(x: Expr) -> Call:
        """The operator relax.inspect.tensor_byte_offset; R.inspect.tensor_byte_offset in scripts."""
        ...
    @staticmethod
    def tensor_dtype_bits(x: Expr) -> Call:
        """The operator relax.inspect.tensor_dtype_bits; R.inspect.tensor_dtype_bits in scripts."""
        ...
    @staticmethod
    def tensor_dtype_code(x: Expr) -> Call:
        """The operator relax.inspect.tensor_dtype_code; R.inspect.tensor_dtype_code in scripts."""
        ...
    @staticmethod
    def tensor_dtype_lanes(x: Expr) -> Call:
        """The operator relax.inspect.tensor_dtype_lanes; R.inspect.tensor_dtype_lanes in scripts."""
        ...
    @staticmethod
    def tensor_elem_offset(x: Expr) -> Call:
        """The operator relax.inspect.tensor_elem_offset; R.inspect.tensor_elem_offset in scripts."""
        ...
    @staticmethod
    def tensor_ndim(x: Expr) -> Call:
        """The operator relax.inspect.tensor_ndim; R.inspect.tensor_ndim in scripts."""
        ...
    @staticmethod
    def tensor_shape_i(x: Expr, axis: int | PrimExpr) -> Call:
        """The operator relax.inspect.tensor_shape_i; R.inspect.tensor_shape_i in scripts."""
        ...
    @staticmethod
    def tensor_stride_i(x: Expr, axis: int | PrimExpr) -> Call:
        """The operator relax.inspect.tensor_stride_i; R.inspect.tensor_stride_i in scripts."""
        ...

inspect: _inspect

class _memory:
    @staticmethod
    def alloc_storage(size: Expr | tuple, virtual_device_index: int | PrimExpr, storage_scope: Any, dtype: Any) -> Call:
        """The operator relax.memory.alloc_storage; R.memory.alloc_storage in scripts."""
        ...
    @staticmethod
    def alloc_tensor(storage: Expr, offset: int | PrimExpr, shape: Expr | tuple, dtype: Any) -> Call:
        """The operator relax.memory.alloc_tensor; R.memory.alloc_tensor in scripts."""
        ...
    @staticmethod
    def ensure_zero_offset(x: Expr) -> Call:
        """The operator relax.memory.ensure_zero_offset; R.memory.ensure_zero_offset in scripts."""
        ...
    @staticmethod
    def kill_storage(storage: Expr) -> Call:
        """The operator relax.memory.kill_storage; R.memory.kill_storage in scripts."""
        ...
    @staticmethod
    def kill_tensor(tensor: Expr) -> Call:
        """The operator relax.memory.kill_tensor; R.memory.kill_tensor in scripts."""
        ...
    @staticmethod
    def view(x: Expr, shape: Expr, dtype: Expr, relative_byte_offset: Expr) -> Call:
        """The operator relax.memory.view; R.memory.view in scripts."""
        ...

memory: _memory

class _nn:
    @staticmethod
    def adaptive_avg_pool1d(data: Expr, output_size: Any = None, layout: str = 'NCW', out_layout: str | None = None) -> Call:
        """The operator relax.nn.adaptive_avg_pool1d; R.nn.adaptive_avg_pool1d in scripts."""
        ...
    @staticmethod
    def adaptive_avg_pool2d(data: Expr, output_size: int | list[int] | None = None, layout: str = 'NCHW', out_layout: str | None = None) -> Call:
        """The operator relax.nn.adaptive_avg_pool2d; R.nn.adaptive_avg_pool2d in scripts."""
        ...
    @staticmethod
    def adaptive_avg_pool3d(data: Expr, output_size: int | list[int] | None = None, layout: str = 'NCDHW', out_layout: str | None = None) -> Call:
        """The operator relax.nn.adaptive_avg_pool3d; R.nn.adaptive_avg_pool3d in scripts."""
        ...
    @staticmethod
    def attention(query: Expr, key: Expr, value: Expr, bias: Expr | None = None, scale: Any = None, causal_mask: Any = None, window_size: Any = None) -> Call:
        """The operator relax.nn.attention; R.nn.attention in scripts."""
        ...
    @staticmethod
    def attention_var_len(query: Expr, key: Expr, value: Expr, seqstart_q: Expr, seqstart_k: Expr, max_seqlen_q: Expr, max_seqlen_k: Expr, scale: Any = None, causal_mask: Any = None, window_size: Any = None) -> Call:
        """The operator relax.nn.attention_var_len; R.nn.attention_var_len in scripts."""
        ...
    @staticmethod
    def avg_pool1d(data: Expr, pool_size: Any = 1, strides: Any = 1, dilation: Any = 1, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = False, layout: str = 'NCW', out_layout: str | None = None) -> Call:
        """The operator relax.nn.avg_pool1d; R.nn.avg_pool1d in scripts."""
        ...
    @staticmethod
    def avg_pool2d(data: Expr, pool_size: int | list[int] = 1, strides: int | list[int] = 1, dilation: int | list[int] = 1, padding: int | list[int] = 0, ceil_mode: bool = False, count_include_pad: bool = False, layout: str = 'NCHW', out_layout: str | None = None) -> Call:
        """The operator relax.nn.avg_pool2d; R.nn.avg_pool2d in scripts."""
        ...
    @staticmethod
    def avg_pool3d(data: Expr, pool_size: int | list[int] = 1, strides: int | list[int] = 1, dilation: int | list[int] = 1, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = False, layout: str = 'NCDHW', out_layout: str | None = None) -> Call:
        """The operator relax.nn.avg_pool3d; R.nn.avg_pool3d in scripts."""
        ...
    @staticmethod
    def batch_norm(data: Expr, gamma: Expr, beta: Expr, moving_mean: Expr, moving_var: Expr, axis: int, epsilon: float = 1e-05, center: bool = True, scale: bool = True, momentum: float = 0.1, training: bool = True) -> Call:
        """The operator relax.nn.batch_norm; R.nn.batch_norm in scripts."""
        ...
    @staticmethod
    def conv1d(data: Expr, weight: Expr, strides: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1, data_layout: str = 'NCW', kernel_layout: str = 'OIW', out_layout: str | None = None, out_dtype: str = 'void') -> Call:
        """The operator relax.nn.conv1d; R.nn.conv1d in scripts."""
        ...
    @staticmethod
    def conv1d_transpose(data: Expr, weight: Expr, strides: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, groups: int = 1, data_layout: str = 'NCW', kernel_layout: str = 'IOW', out_layout: str | None = None, out_dtype: str = 'void') -> Call:
        """The operator relax.nn.conv1d_transpose; R.nn.conv1d_transpose in scripts."""
        ...
    @staticmethod
    def conv2d(data: Expr, weight: Expr, strides: int | list[int] = 1, padding: int | list[int] = 0, dilation: int | list[int] = 1, groups: int = 1, data_layout: str = 'NCHW', kernel_layout: str = 'OIHW', out_layout: str | None = None, out_dtype: str = 'void') -> Call:
        """The operator relax.nn.conv2d; R.nn.conv2d in scripts."""
        ...
    @staticmethod
    def conv2d_transpose(data: Expr, weight: Expr, strides: int | list[int] = 1, padding: int | list[int] = 0, output_padding: int | list[int] = 0, dilation: int | list[int] = 1, groups: int = 1, data_layout: str = 'NCHW', kernel_layout: str = 'IOHW', out_layout: str | None = None, out_dtype: str = 'void') -> Call:
        """The operator relax.nn.conv2d_transpose; R.nn.conv2d_transpose in scripts."""
        ...
    @staticmethod
    def conv3d(data: Expr, weight: Expr, strides: int | list[int] = 1, padding: Any = 0, dilation: int | list[int] = 1, groups: int = 1, data_layout: str = 'NCDHW', kernel_layout: str = 'OIDHW', out_layout: str | None = None, out_dtype: str = 'void') -> Call:
        """The operator relax.nn.conv3d; R.nn.conv3d in scripts."""
        ...
    @staticmethod
    def cross_entropy_with_logits(predictions: Expr, labels: Expr) -> Call:
        """The operator relax.nn.cross_entropy_with_logits; R.nn.cross_entropy_with_logits in scripts."""
        ...
    @staticmethod
    def dropout(data: Expr, rate: float = 0.5) -> Call:
        """The operator relax.nn.dropout; R.nn.dropout in scripts."""
        ...
    @staticmethod
    def gelu(data: Expr) -> Call:
        """The operator relax.nn.gelu; R.nn.gelu in scripts."""
        ...
    @staticmethod
    def gelu_tanh(data: Expr) -> Call:
        """The operator relax.nn.gelu_tanh; R.nn.gelu_tanh in scripts."""
        ...
    @staticmethod
    def group_norm(data: Expr, gamma: Expr, beta: Expr, num_groups: int, channel_axis: int, axes: int | list[int], epsilon: float = 1e-05, center: bool = True, scale: bool = True) -> Call:
        """The operator relax.nn.group_norm; R.nn.group_norm in scripts."""
        ...
    @staticmethod
    def instance_norm(data: Expr, gamma: Expr, beta: Expr, channel_axis: int, axes: int | list[int], epsilon: float = 1e-05, center: bool = True, scale: bool = True) -> Call:
        """The operator relax.nn.instance_norm; R.nn.instance_norm in scripts."""
        ...
    @staticmethod
    def layer_norm(data: Expr, gamma: Expr, beta: Expr, axes: int | list[int], epsilon: float = 1e-05, center: bool = True, scale: bool = True) -> Call:
        """The operator relax.nn.layer_norm; R.nn.layer_norm in scripts."""
        ...
    @staticmethod
    def leakyrelu(data: Expr, alpha: float = 0.01) -> Call:
        """The operator relax.nn.leakyrelu; R.nn.leakyrelu in scripts."""
        ...
    @staticmethod
    def log_softmax(data: Expr, axis: int = -1) -> Call:
        """The operator relax.nn.log_softmax; R.nn.log_softmax in scripts."""
        ...
    @staticmethod
    def max_pool1d(data: Expr, pool_size: Any = 1, strides: Any = 1, dilation: Any = 1, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = False, layout: str = 'NCW', out_layout: str | None = None) -> Call:
        """The operator relax.nn.max_pool1d; R.nn.max_pool1d in scripts."""
        ...
    @staticmethod
    def max_pool2d(data: Expr, pool_size: int | list[int] = 1, strides: int | list[int] = 1, dilation: int | list[int] = 1, padding: int | list[int] = 0, ceil_mode: bool = False, count_include_pad: bool = False, layout: str = 'NCHW', out_layout: str | None = None) -> Call:
        """The operator relax.nn.max_pool2d; R.nn.max_pool2d in scripts."""
        ...
    @staticmethod
    def max_pool3d(data: Expr, pool_size: int | list[int] = 1, strides: int | list[int] = 1, dilation: int | list[int] = 1, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = False, layout: str = 'NCDHW', out_layout: str | None = None) -> Call:
        """The operator relax.nn.max_pool3d; R.nn.max_pool3d in scripts."""
        ...
    @staticmethod
    def nll_loss(predictions: Expr, targets: Expr, weights: Expr | None = None, reduction: str = 'mean', ignore_index: int = -100) -> Call:
        """The operator relax.nn.nll_loss; R.nn.nll_loss in scripts."""
        ...
    @staticmethod
    def pad(data: Expr, pad_width: int | list[int], pad_value: float = 0.0, pad_mode: str = 'constant') -> Call:
        """The operator relax.nn.pad; R.nn.pad in scripts."""
        ...
    @staticmethod
    def pixel_shuffle(data: Expr, upscale_factor: int) -> Call:
        """The operator relax.nn.pixel_shuffle; R.nn.pixel_shuffle in scripts."""
        ...
    @staticmethod
    def prelu(data: Expr, alpha: Expr, axis: int = 1) -> Call:
        """The operator relax.nn.prelu; R.nn.prelu in scripts."""
        ...
    @staticmethod
    def relu(data: Expr) -> Call:
        """The operator relax.nn.relu; R.nn.relu in scripts."""
        ...
    @staticmethod
    def relu6(data: Expr) -> Call:
        """The operator relax.nn.relu6; R.nn.relu6 in scripts."""
        ...
    @staticmethod
    def rms_norm(data: Expr, weight: Expr, axes: int | list[int] = -1, epsilon: float = 1e-05) -> Call:
        """The operator relax.nn.rms_norm; R.nn.rms_norm in scripts."""
        ...
    @staticmethod
    def selu(data: Expr) -> Call:
        """The operator relax.nn.selu; R.nn.selu in scripts."""
        ...
    @staticmethod
    def silu(data: Expr) -> Call:
        """The operator relax.nn.silu; R.nn.silu in scripts."""
        ...
    @staticmethod
    def softmax(data: Expr, axis: int = -1) -> Call:
        """The operator relax.nn.softmax; R.nn.softmax in scripts."""
        ...
    @staticmethod
    def softplus(data: Expr, beta: float = 1.0, threshold: float = 20.0) -> Call:
        """The operator relax.nn.softplus; R.nn.softplus in scripts."""
        ...

nn: _nn

class _vision:
    ...

vision: _vision
