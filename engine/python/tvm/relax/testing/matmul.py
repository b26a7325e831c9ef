"""A product of matrices with what often follows it, as a module of Relax."""
from ... import relax as _relax
from ...script import relax as _R


def get_relax_matmul_module(x_shape, y_shape, in_dtype, out_dtype, transposed_y=False, bias_shape=None, activation=None, residual_bin_op=None,
                            residual_activation=None):
    """main (x, y, bias?): x y^T + bias, `activation` of that, `residual_bin_op` of that and x, `residual_activation`.
    Activations and the operator are functions of relax.op."""
    builder = _relax.BlockBuilder()
    x = _relax.Var("x", _R.Tensor(x_shape, in_dtype))
    y = _relax.Var("y", _R.Tensor(y_shape, in_dtype))
    params = [x, y]
    if bias_shape is not None:
        params.append(_relax.Var("bias", _R.Tensor(bias_shape, out_dtype)))
    with builder.function("main", params):
        with builder.dataflow():
            right = y
            if transposed_y:
                right = builder.emit(_relax.op.permute_dims(y, [*range(len(y_shape) - 2), -1, -2]))
            result = _relax.op.matmul(x, right, out_dtype=out_dtype)
            if bias_shape is not None:
                result = _relax.op.add(builder.emit(result), params[2])
            if activation is not None:
                result = activation(builder.emit(result))
            if residual_bin_op is not None:
                result = residual_bin_op(builder.emit(result), x)
                if residual_activation is not None:
                    result = residual_activation(builder.emit(result))
            result = builder.emit_output(result)
        builder.emit_func_output(result)
    return builder.get()
