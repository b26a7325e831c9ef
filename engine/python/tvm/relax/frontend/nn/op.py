"""Operators of a model.  Each takes and gives tensors, emits the call of an operator of Relax, and has a last parameter `name`, the name of the variable."""
import inspect
import math

import numpy as np

from .... import te, tir
from ... import expr as rx
from ... import op as _op
from ...block_builder import BlockBuilder
from ...struct_info import ObjectStructInfo
from .core import Tensor, get_default_dtype, wrap_nested
from .op_sampling import multinomial_from_uniform, renormalize_top_p_top_k_prob, sample_top_p_top_k_from_sorted_prob  # noqa: F401


def _unary(path, name, doc):
    """An operator with one tensor."""
    function = _op
    for part in path.split("."):
        function = getattr(function, part)

    def operator(x, name=name):
        return wrap_nested(function(x._expr), name)

    operator.__doc__ = doc
    operator.__name__ = operator.__qualname__ = path.rpartition(".")[2]
    return operator


def _binary(path, name, doc):
    """An operator with two tensors, which are broadcast."""
    function = getattr(_op, path)

    def operator(a, b, name=name):
        return wrap_nested(function(a._expr, b._expr), name)

    operator.__doc__ = doc
    operator.__name__ = operator.__qualname__ = path
    return operator


def _reduction(path):
    function = getattr(_op, path)

    def operator(x, axis=None, keepdims=False, name=path):
        return wrap_nested(function(x._expr, axis, keepdims), name)

    operator.__doc__ = f"The {path} over axes."
    operator.__name__ = operator.__qualname__ = path
    return operator


relu = _unary("nn.relu", "relu", "max(x, 0).")
relu6 = _unary("nn.relu6", "relu6", "x, not below 0 and not above 6.") if "nn.relu6" in _op._SPECS else lambda x, name="relu6": wrap_nested(_op.clip(x._expr, 0, 6), name)
silu = _unary("nn.silu", "silu", "x * sigmoid(x).")
sigmoid = _unary("sigmoid", "sigmoid", "1 / (1 + exp(-x)).")
tanh = _unary("tanh", "tanh", "The hyperbolic tangent.")
exp = _unary("exp", "exp", "e to the x.")
log = _unary("log", "log", "The natural logarithm.")
floor = _unary("floor", "floor", "The greatest whole number that is not above x.")
negative = _unary("negative", "neg", "-x.")
square = _unary("square", "square", "x * x.")
sqrt = _unary("sqrt", "sqrt", "The square root.")

add = _binary("add", "add", "a + b.")
subtract = _binary("subtract", "subtract", "a - b.")
multiply = _binary("multiply", "mul", "a * b.")
divide = _binary("divide", "divide", "a / b.")
less = _binary("less", "less", "a < b.")
less_equal = _binary("less_equal", "less_equal", "a <= b.")
greater = _binary("greater", "greater", "a > b.")
greater_equal = _binary("greater_equal", "greater_equal", "a >= b.")
equal = _binary("equal", "equal", "a == b.")
not_equal = _binary("not_equal", "not_equal", "a != b.")

sum, max, min = _reduction("sum"), _reduction("max"), _reduction("min")  # noqa: A001


def maximum(x1, x2, name="maximum"):
    """The greater one."""
    return wrap_nested(_op.maximum(x1._expr, x2._expr), name)


def minimum(x1, x2, name="minimum"):
    """The smaller one."""
    return wrap_nested(_op.minimum(x1._expr, x2._expr), name)


# ---- shapes -------------------------------------------------------------------------------------


def unsqueeze(x, dim, name="unsqueeze"):
    """A new dimension of one element."""
    return wrap_nested(_op.expand_dims(x._expr, dim), name)


def concat(x, dim, name="concat"):
    """Tensors one behind the other along a dimension."""
    return wrap_nested(_op.concat([t._expr for t in x], dim), name)


def chunk(x, chunks, dim=0, name="chunk"):
    """Equal parts along a dimension, a tuple."""
    return wrap_nested(_op.split(x._expr, chunks, dim), name)


def split(ary, indices_or_sections, axis=0, name="split"):
    """Parts along a dimension, a tuple."""
    sections = indices_or_sections if isinstance(indices_or_sections, int) else [int(x) for x in indices_or_sections]
    return wrap_nested(_op.split(ary._expr, sections, axis), name)


def broadcast_to(x, shape, name="broadcast_to"):
    """x in a greater shape."""
    return wrap_nested(_op.broadcast_to(x._expr, shape), name)


def permute_dims(x, axes=None, name=None):
    """The dimensions in another order, by default the reverse one."""
    if name is None:
        hint = getattr(x._expr, "name_hint", "")
        name = hint.replace("linear", "matmul") if "linear" in hint else "permute_dims"
    return wrap_nested(_op.permute_dims(x._expr, axes=axes), name)


def permute(x, axes, name="permute"):
    """The dimensions in another order."""
    return wrap_nested(_op.permute_dims(x._expr, axes=axes), name)


def reshape(x, shape, name="reshape"):
    """The elements in another shape; -1 stands for what is left, 0 for the extent at that place."""
    return wrap_nested(_op.reshape(x._expr, shape), name)


def repeat(x, repeats, axis=None, name="repeat"):
    """Each element several times."""
    return wrap_nested(_op.repeat(x._expr, repeats, axis), name)


def squeeze(x, axis=-1, name="squeeze"):
    """Without dimensions of one element."""
    return wrap_nested(_op.squeeze(x._expr, axis), name)


def take(x, indices, axis=None, name="take"):
    """The elements at indices along an axis."""
    return wrap_nested(_op.take(x._expr, indices._expr, axis), name)


def pad(x, pad, mode="constant", value=0.0, name="pad"):
    """x with elements around it: before and after, dimension by dimension."""
    return wrap_nested(_op.nn.pad(x._expr, pad_width=pad, pad_mode=mode, pad_value=value), name)


def astype(x, dtype, name="astype"):
    """The elements as numbers of another type; x itself where it has that type."""
    return x if x.dtype == dtype else wrap_nested(_op.astype(x._expr, dtype), name)


def where(condition, x1, x2, name="where"):
    """x1 where the condition holds, else x2."""
    condition = astype(condition, "bool")
    return wrap_nested(_op.where(condition._expr, x1._expr, x2._expr), name)


def triu(x, diagonal=0, name="triu"):
    """The upper triangle."""
    return wrap_nested(_op.triu(x._expr, diagonal), name)


def cumsum(data, axis=None, dtype=None, exclusive=None, name="cumsum"):
    """The sums of all elements up to each."""
    return wrap_nested(_op.cumsum(data._expr, axis, dtype, exclusive), name)


def sort(x, axis=-1, descending=False, name="sort"):
    """The elements in order."""
    return wrap_nested(_op.sort(x._expr, axis, descending), name)


def argsort(data, axis=-1, descending=False, dtype="int32", name="argsort"):
    """The places of the elements in order."""
    return wrap_nested(_op.argsort(data._expr, axis, descending, dtype), name)


def topk(data, k=1, axis=-1, ret_type="both", largest=True, dtype="int32", name="topk"):
    """The k greatest elements, their places, or both."""
    return wrap_nested(_op.topk(data._expr, k, axis, ret_type, largest, dtype), name)


# ---- products and layers ------------------------------------------------------------------------


def matmul(a, b, out_dtype=None, name="matmul"):
    """The product of matrices, broadcast over the other dimensions."""
    return wrap_nested(_op.matmul(a._expr, b._expr, out_dtype=out_dtype), name)


def _with_bias(result, bias, shape, name):
    return wrap_nested(result if bias is None else _op.add(result, _op.reshape(bias._expr, shape)), name)


def _bias_shape(layout, n_axes):
    if layout.startswith("NC"):
        return [1, -1] + [1] * n_axes
    if layout.endswith("C"):
        return [1] * (n_axes + 1) + [-1]
    raise NotImplementedError(f"Dont know how to handle layout {layout}.")


def conv1d(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, name="conv1d"):
    """A convolution over one axis."""
    result = _op.nn.conv1d(x._expr, weight._expr, strides=stride, padding=padding, dilation=dilation, groups=groups)
    return _with_bias(result, bias, [1, -1, 1], name)


def conv2d(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, data_layout="NCHW", name="conv2d"):
    """A convolution over two axes."""
    result = _op.nn.conv2d(x._expr, weight._expr, strides=stride, padding=padding, dilation=dilation, groups=groups, data_layout=data_layout)
    return _with_bias(result, bias, _bias_shape(data_layout, 2), name)


def conv3d(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, data_layout="NCDHW", name="conv3d"):
    """A convolution over three axes."""
    result = _op.nn.conv3d(x._expr, weight._expr, strides=stride, padding=padding, dilation=dilation, groups=groups, data_layout=data_layout)
    return _with_bias(result, bias, _bias_shape(data_layout, 3), name)


def conv1d_transpose(x, weight, bias=None, stride=1, padding=0, output_padding=0, dilation=1, groups=1, name="conv1d_transpose"):
    """The transposed convolution over one axis."""
    result = _op.nn.conv1d_transpose(x._expr, weight._expr, strides=stride, padding=padding, output_padding=output_padding, dilation=dilation, groups=groups)
    return _with_bias(result, bias, [1, -1, 1], name)


def conv2d_transpose(x, weight, bias=None, stride=1, padding=0, output_padding=0, dilation=1, groups=1, data_layout="NCHW", name="conv2d_transpose"):
    """The transposed convolution over two axes."""
    result = _op.nn.conv2d_transpose(x._expr, weight._expr, strides=stride, padding=padding, output_padding=output_padding, dilation=dilation, groups=groups,
                                     data_layout=data_layout)
    return _with_bias(result, bias, _bias_shape(data_layout, 2), name)


def gelu(x, approximate=None, name="gelu"):
    """x times the share of a normal distribution below x; approximate: "tanh"."""
    return wrap_nested(_op.nn.gelu_tanh(x._expr) if approximate == "tanh" else _op.nn.gelu(x._expr), name)


def softmax(x, axis=-1, name="softmax"):
    """exp(x) over the sum along the axis."""
    return wrap_nested(_op.nn.softmax(x._expr, axis), name)


def softplus(x, beta=1.0, threshold=20.0, name="softplus"):
    """log(1 + exp(beta * x)) / beta."""
    return wrap_nested(_op.nn.softplus(x._expr, beta=beta, threshold=threshold), name)


def prelu(x, alpha, name="prelu"):
    """x above 0, alpha * x below."""
    return wrap_nested(_op.nn.prelu(x._expr, alpha._expr), name)


def layer_norm(x, normalized_shape, weight=None, bias=None, eps=1e-5, name="layer_norm"):
    """Mean 0 and variance 1 over the last dimensions, then weight and bias."""
    shape = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
    gamma = weight._expr if weight is not None else rx.const(np.ones(shape), dtype=x.dtype)
    beta = bias._expr if bias is not None else rx.const(np.zeros(shape), dtype=x.dtype)
    return wrap_nested(_op.nn.layer_norm(x._expr, gamma=gamma, beta=beta, axes=list(range(-len(shape), 0)), epsilon=eps), name)


def rms_norm(x, weight, axes, epsilon=1e-5, name="rms_norm"):
    """x over the root of its mean square, times weight."""
    return wrap_nested(_op.nn.rms_norm(x._expr, weight._expr, axes, epsilon), name)


def group_norm(x, num_groups, weight, bias, eps=1e-5, channel_axis=1, axes=None, name="group_norm"):
    """Mean 0 and variance 1 within groups of channels, then weight and bias."""
    axes = list(range(2, x.ndim)) if axes is None else axes
    return wrap_nested(_op.nn.group_norm(x._expr, weight._expr if weight is not None else None, bias._expr if bias is not None else None, num_groups,
                                         channel_axis=channel_axis, axes=axes, epsilon=eps), name)


def scaled_dot_product_attention(query, key, value, attn_mask=None, is_causal=False, scale=None, name="scaled_dot_product_attention"):
    """softmax(query @ key^T * scale) @ value."""
    assert attn_mask is None, "attn_mask not yet supported."
    return wrap_nested(_op.nn.attention(query._expr, key._expr, value._expr, causal_mask="TopLeft" if is_causal else None, scale=scale), name)


def interpolate(x, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=None, data_layout="NCHW",
                name="interpolate"):
    """The picture in another size."""
    assert recompute_scale_factor is None, "recompute_scale_factor is not supported."
    assert antialias is None, "antialias is not supported."
    if size is None:
        places = [i for i, letter in enumerate(data_layout) if letter not in "NC"]
        factors = list(scale_factor) if isinstance(scale_factor, (list, tuple)) else [scale_factor] * len(places)
        size = [int(x.shape[i] * factor) for i, factor in zip(places, factors)]
    method = "nearest_neighbor" if mode.startswith("nearest") else mode[2:] if mode.startswith("bi") else mode
    where_from = "asymmetric" if method == "nearest_neighbor" else "align_corners" if align_corners else "half_pixel"
    return wrap_nested(_op.image.resize2d(x._expr, size, layout=data_layout, method=method, coordinate_transformation_mode=where_from), name)


def get_timestep_embedding(x, embedding_dim, flip_sin_to_cos=False, downscale_freq_shift=1, scale=1, max_period=10000, name="get_timestep_embedding"):
    """Sines and cosines of steps at falling frequencies."""
    half = embedding_dim // 2
    steps = _op.astype(x._expr, "float32")
    exponent = rx.const(-math.log(max_period), "float32") * _op.arange(start=0, end=half, dtype="float32")
    frequencies = _op.exp(exponent / rx.const(half - downscale_freq_shift, "float32"))
    angles = _op.expand_dims(steps, 1) * _op.expand_dims(frequencies, 0)
    if scale != 1:
        angles = rx.const(scale, "float32") * angles
    parts = [_op.cos(angles), _op.sin(angles)] if flip_sin_to_cos else [_op.sin(angles), _op.cos(angles)]
    # One calculation of the angles for both.
    angles = BlockBuilder.current().normalize(angles)
    result = _op.concat(parts, axis=-1)
    if embedding_dim % 2 == 1:
        result = _op.nn.pad(result, (0, 1, 0, 0))
    return wrap_nested(_op.astype(result, get_default_dtype()), name)


# ---- creation -----------------------------------------------------------------------------------


def arange(start, end=None, step=1, dtype="float32", name="arange"):
    """Numbers at equal distances."""
    return wrap_nested(_op.arange(start, end, step, dtype), name)


def full(shape, fill_value, dtype="float32", name="full"):
    """One value everywhere."""
    if isinstance(fill_value, (tir.FloatImm, tir.IntImm)):
        fill_value = fill_value.value
    value = rx.const(fill_value, dtype=dtype) if isinstance(fill_value, (int, float)) else fill_value._expr
    return wrap_nested(_op.full(shape, value, dtype), name)


def zeros(shape, dtype="float32", name="zeros"):
    """0 everywhere."""
    return wrap_nested(_op.zeros(shape, dtype), name)


def ones(shape, dtype="float32", name="ones"):
    """1 everywhere."""
    return wrap_nested(_op.ones(shape, dtype), name)


def empty(shape, dtype="float32", name="empty"):
    """A tensor whose elements nobody has written yet."""
    return wrap_nested(_op.builtin.alloc_tensor(rx.ShapeExpr(shape), dtype, runtime_device_index=0), name)


# ---- several workers ----------------------------------------------------------------------------


def ccl_allreduce(x, op_type="sum", in_group=True, name="ccl_allreduce"):
    """The tensors of all workers as one."""
    return wrap_nested(_op.ccl.allreduce(x._expr, op_type, in_group), name)


def ccl_allgather(x, num_workers, name="ccl_allgather"):
    """The tensors of all workers one behind the other."""
    return wrap_nested(_op.ccl.allgather(x._expr, num_workers), name)


def ccl_broadcast_from_worker0(x, name="broadcast_from_worker"):
    """The tensor of the first worker."""
    return wrap_nested(_op.ccl.broadcast_from_worker0(x._expr), name)


# ---- programs of one's own ----------------------------------------------------------------------


def tensor_expr_op(tensor_expr_func, name_hint, args, *, attrs=None):
    """What a function over te tensors gives, as a PrimFunc and its call."""
    operands = [x._expr if isinstance(x, Tensor) else x for x in args]
    return wrap_nested(BlockBuilder.current().emit_te(tensor_expr_func, *operands, primfunc_name_hint=name_hint, primfunc_attrs=attrs), name_hint)


def _program_arguments(kind, args, out):
    """Tensors, numbers, and the struct info of the results."""
    tensors, numbers = [], []
    for arg in args if isinstance(args, (tuple, list)) else [args]:
        if isinstance(arg, Tensor):
            tensors.append(arg._expr)
        elif isinstance(arg, (rx.ShapeExpr, tir.PrimExpr)):
            numbers.append(arg)
        else:
            raise TypeError(f"Unsupported type: {kind} args expect Tensor or ShapeExpr or PrimExpr,but got {type(arg)}")
    results = [x._expr.struct_info for x in ([out] if isinstance(out, Tensor) else out)]
    return tensors, numbers or None, results


def tensor_ir_op(func, name_hint, args, out):
    """The call of a PrimFunc that writes into new tensors like `out`."""
    tensors, numbers, results = _program_arguments("tensor_ir_op", args, out)
    builder = BlockBuilder.current()
    gvar = builder.add_func(func, name_hint)
    return wrap_nested(builder.emit(_op.call_tir(gvar, tensors, results, tir_vars=numbers)), name_hint)


def tensor_ir_inplace_op(func, name_hint, args, inplace_indices, out):
    """The call of a PrimFunc that writes into some of its arguments."""
    tensors, numbers, results = _program_arguments("tensor_ir_inplace_op", args, out)
    builder = BlockBuilder.current()
    gvar = builder.add_func(func, name_hint)
    places = [inplace_indices] if isinstance(inplace_indices, int) else list(inplace_indices)
    return wrap_nested(builder.emit(_op.call_tir_inplace(gvar, tensors, places, results, numbers)), name_hint)


def _value(arg, real="float64"):
    if isinstance(arg, Tensor):
        return arg._expr
    if isinstance(arg, int):
        return rx.PrimValue(tir.IntImm("int64", arg))
    if isinstance(arg, float):
        return rx.PrimValue(tir.FloatImm(real, arg))
    if isinstance(arg, str):
        return rx.StringImm(arg)
    if isinstance(arg, tir.PrimExpr):
        return rx.PrimValue(arg)
    if isinstance(arg, (tuple, list)):
        return rx.Tuple([_value(x, real) for x in arg])
    raise TypeError(f"Unsupported input type: {type(arg)}")


def extern(name, args, out):
    """The call of a packed function that writes into new tensors like `out`."""
    operands = _value(list(args))
    shape = BlockBuilder.current().normalize(_value(out)).struct_info if isinstance(out, (tuple, list)) else out._expr.struct_info
    return wrap_nested(_op.call_dps_packed(name, operands, out_sinfo=list(shape.fields) if isinstance(out, (tuple, list)) else shape), name)


def _caller(depth):
    frame = inspect.currentframe()
    for _ in range(depth):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def debug_func(name, *args, _line_info=None):
    """Calls a registered function (line, *arguments) while the model runs; the module is exported with debug=True."""
    from .exporter import Exporter

    io = Exporter.current().io_effect
    if io is None:
        raise RuntimeError("Debugging is only supported when debug mode is on.")
    line = _line_info or _caller(2)
    values = [_value(x, "float32") for x in args]
    io.effect = BlockBuilder.current().emit(
        _op.call_pure_packed("vm.builtin.invoke_debug_func", io.effect, rx.StringImm(name), rx.StringImm(line), *values, sinfo_args=[ObjectStructInfo()]),
        name_hint=io.effect.name_hint)


def print_(tensor):
    """Prints a tensor while the model runs."""
    debug_func("vm.builtin.debug_print", tensor, _line_info=_caller(2))


_ = te
