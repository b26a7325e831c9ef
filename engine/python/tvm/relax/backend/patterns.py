"""Patterns that compilers have in common; most functions give a pattern and its parts by name."""
from ..dpl.pattern import GlobalVarPattern, TuplePattern, is_const, is_op, is_tuple_get_item, wildcard


def _with_bias_activation_pattern(out, annotations, with_bias=False, activation=None):
    if with_bias:
        annotations["bias"] = wildcard()
        out = is_op("relax.add")(out, annotations["bias"])
    if activation:
        out = is_op(activation)(out)
    return out, annotations


def _binary(op_name, names, transposed_rhs=False):
    parts = {name: wildcard() for name in names}
    lhs, rhs = parts.values()
    out = is_op(op_name)(lhs, is_op("relax.permute_dims")(rhs) if transposed_rhs else rhs)
    parts["root"] = out
    return out, parts


def make_fused_bias_activation_pattern(op_name, with_bias=False, activation=None):
    """An operator on two tensors, then the addition of a bias, then an activation."""
    return _with_bias_activation_pattern(*_binary(op_name, ("lhs", "rhs")), with_bias, activation)


def make_residual_block_pattern(node_output, binary_op="relax.add", activation=None):
    """What a pattern gives, and something else, put together."""
    node_output, parts = node_output if isinstance(node_output, tuple) else (node_output, {})
    residual = wildcard()
    op = is_op(binary_op)
    out = op(node_output, residual) | op(residual, node_output)
    if activation is not None:
        out = is_op(activation)(out)
    return out, {**parts, "residual": residual}


def make_conv2d_pattern(with_bias=False, activation=None):
    """A convolution."""
    return _with_bias_activation_pattern(*_binary("relax.nn.conv2d", ("input", "weight")), with_bias, activation)


def make_matmul_pattern(with_bias=False, activation=None, transposed_rhs=False):
    """A product of matrices."""
    return _with_bias_activation_pattern(*_binary("relax.matmul", ("lhs", "rhs"), transposed_rhs), with_bias, activation)


def make_attention_pattern(with_bias=False, var_len=False):
    """Attention as one operator."""
    names = ["query", "key", "value"]
    op_name = "relax.nn.attention"
    if with_bias:
        names, op_name = names + ["bias"], "relax.nn.attention_bias"
    elif var_len:
        names, op_name = names + ["seqstart_q", "seqstart_k", "max_seqlen_q", "max_seqlen_k"], "relax.nn.attention_var_len"
    parts = {name: wildcard() for name in names}
    return is_op(op_name)(*parts.values()), parts


def make_stacked_attention_pattern(start_op, with_bias=False, layout="BS3NH"):
    """Attention on one tensor that holds query, key and value."""
    stacked = wildcard()
    ops = {}
    if start_op == "split":
        ops["split"] = is_op("relax.split")(stacked)
        raw = [is_tuple_get_item(ops["split"], i) for i in range(3)]
    elif start_op == "strided_slice":
        raw = [is_op("relax.strided_slice")(stacked, varg_default_wildcard=True) for _ in range(3)]
        ops.update(zip(("strided_slice_query", "strided_slice_key", "strided_slice_value"), raw))
    else:
        raise NotImplementedError()
    shapes = [wildcard() for _ in range(3)]
    if layout == "BS3NH":
        operands = [is_op("relax.reshape")(x, shape) for x, shape in zip(raw, shapes)]
    elif layout == "SBN3H":
        operands = [is_op("relax.permute_dims")(x) for x in raw]
        ops.update(zip(("q_transpose", "k_transpose", "v_transpose"), operands))
    parts = {"stacked_qkv": stacked, **dict(zip(("query_reshape_list", "key_reshape_list", "value_reshape_list"), shapes)), **ops}
    if with_bias:
        parts["bias"] = wildcard()
        out = is_op("relax.nn.attention_bias")(*operands, parts["bias"])
    else:
        out = is_op("relax.nn.attention")(*operands)
    return is_op("relax.permute_dims")(out) if layout == "SBN3H" else out, parts


def make_layer_norm_pattern():
    """A layer norm."""
    return is_op("relax.nn.layer_norm")(wildcard(), wildcard(), wildcard()), {}


def make_rms_norm_pattern():
    """A norm by the root of the mean square, as a call of TensorIR."""
    gv, inp, weight = GlobalVarPattern(), wildcard(), wildcard()
    out = is_op("relax.call_tir")(gv, TuplePattern([inp, weight]))
    return out, {"gv": gv, "inp": inp, "rms_norm": out}


def make_matmul_dequantize_pattern(transposed_rhs=False):
    """A product of matrices whose result is dequantized."""
    out, parts = _binary("relax.matmul", ("lhs", "rhs"), transposed_rhs)
    parts.update(scale=is_const(), zp=is_const())
    return is_op("relax.dequantize")(out, parts["scale"], parts["zp"]), parts


def make_matmul_multiply_pattern(transposed_rhs=False):
    """A product of matrices times two scales."""
    out, parts = _binary("relax.matmul", ("lhs", "rhs"), transposed_rhs)
    parts.update(scaleA=wildcard(), scaleB=wildcard())
    scale = is_op("relax.multiply")(parts["scaleA"].has_shape((1,)), parts["scaleB"].has_shape((1,)))
    return is_op("relax.astype")(is_op("relax.multiply")(out, scale)), parts
