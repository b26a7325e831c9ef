"""Convolutions and attention that cuDNN computes."""
from ...transform import FuseOpsByPattern
from ..pattern_registry import get_patterns_with_prefix, register_patterns
from ..patterns import make_conv2d_pattern, make_stacked_attention_pattern
from .checks import has_leaking_intermediate_variables

_FORMATS = {("NHWC", "OHWI"), ("NCHW", "OIHW")}


def _check_conv2d(context):
    """One type on both sides, float32 or float16, in a layout that the library has."""
    if has_leaking_intermediate_variables(context):
        return False
    parts = context.annotated_expr
    types = {str(parts[name].struct_info.dtype) for name in ("input", "weight")}
    attrs = parts["root"].attrs
    return len(types) == 1 and types <= {"float16", "float32"} and (str(attrs.data_layout), str(attrs.kernel_layout)) in _FORMATS


def _check_stacked_attention(context, layout):
    """Queries, keys and values of one tensor of three axes, cut along the last one, with heads as the layout has them."""
    if has_leaking_intermediate_variables(context):
        return False
    parts = context.annotated_expr
    if parts["stacked_qkv"].struct_info.ndim != 3:
        return False
    if "split" in parts and int(parts["split"].attrs.axis) != 2:
        return False
    if layout == "SBN3H":
        return all([int(axis) for axis in parts[name].attrs.axes] == [1, 0, 2, 3] for name in ("q_transpose", "k_transpose", "v_transpose"))
    return True


register_patterns([
    ("cudnn.conv2d.nhwc_ohwi", *make_conv2d_pattern(), _check_conv2d),
    ("cudnn.conv2d.nhwc_ohwi_bias", *make_conv2d_pattern(with_bias=True), _check_conv2d),
    ("cudnn.conv2d.nhwc_ohwi_bias_relu", *make_conv2d_pattern(with_bias=True, activation="relax.nn.relu"), _check_conv2d),
    ("cudnn.attention.BS3NH", *make_stacked_attention_pattern(start_op="split", layout="BS3NH"), lambda context: _check_stacked_attention(context, "BS3NH")),
    ("cudnn.attention.SBN3H", *make_stacked_attention_pattern(start_op="split", layout="SBN3H"), lambda context: _check_stacked_attention(context, "SBN3H")),
])


def partition_for_cudnn(mod):
    """The module with what cuDNN computes in functions of their own."""
    return FuseOpsByPattern(get_patterns_with_prefix("cudnn"), bind_constants=False, annotate_codegen=True)(mod)
