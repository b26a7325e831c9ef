"""Products of matrices that cuBLAS computes."""
from ....tir import Var
from ...transform import FuseOpsByPattern
from ..pattern_registry import get_patterns_with_prefix, register_patterns
from ..patterns import make_matmul_dequantize_pattern, make_matmul_multiply_pattern, make_matmul_pattern
from .checks import equal, has_leaking_intermediate_variables, is_number, product, proves

_ALIKE = ("float16", "float32", "bfloat16", "int8")
_FP8 = ("e4m3_float8", "float8_e4m3fn")


def _fits_fp8(context, call, shape, out_dtype):
    """The right side is transposed, and rows are of 16 bytes."""
    value = context.matched_bindings.get(call.args[1])
    wide = 4 if out_dtype == "float32" else 2 if "16" in out_dtype else 1
    return (value is not None and getattr(value.op, "name", "") == "relax.permute_dims" and is_number(shape[-1]) and int(shape[-1]) % 16 == 0
            and is_number(shape[-2]) and int(shape[-2]) % (16 // wide) == 0)


def _fits_types(context, call, lhs, rhs):
    left, right, out = lhs.struct_info.dtype, rhs.struct_info.dtype, call.struct_info.dtype
    a, b = lhs.struct_info.shape.values, rhs.struct_info.shape.values
    if left != right or not is_number(a[-1]):
        return False
    if left in _FP8:
        return "e5m2" not in out and _fits_fp8(context, call, b, out)
    if left == "int8":
        return "bias" not in context.annotated_expr and int(a[-1]) % 4 == 0 and is_number(b[-1]) and int(b[-1]) % 4 == 0
    return left in _ALIKE


def _fits_scale(context):
    parts = context.annotated_expr
    if "scale" not in parts or "zp" not in parts:
        return True
    return parts["scale"].struct_info.ndim == 0 and parts["zp"].struct_info.ndim == 0 and float(parts["zp"].data.numpy()[()]) == 0.0


def _fits_bias(context):
    if "bias" not in context.annotated_expr:
        return True
    rows = product(context.annotated_expr["bias"].struct_info.shape.values[:-1])
    return is_number(rows) and int(rows) == 1


def _check_matmul(context):
    """One type on both sides, a vector for bias, and batches on both sides or none on the right one."""
    if has_leaking_intermediate_variables(context):
        return False
    parts = context.annotated_expr
    lhs, rhs = parts["lhs"], parts["rhs"]
    if not (_fits_scale(context) and _fits_types(context, parts["root"], lhs, rhs) and _fits_bias(context)):
        return False
    left, right = product(lhs.struct_info.shape.values[:-2]), product(rhs.struct_info.shape.values[:-2])
    return isinstance(left, Var) or isinstance(right, Var) or equal(left, right) or (proves(left >= 1) and equal(right, 1))


def _patterns():
    found = []
    for transposed in (False, True):
        name = "cublas.matmul" + ("_transposed" if transposed else "")
        found.append((name, *make_matmul_pattern(transposed_rhs=transposed), _check_matmul))
        for suffix, activation in (("", None), ("_relu", "relax.nn.relu"), ("_gelu", "relax.nn.gelu")):
            found.append((f"{name}_bias{suffix}", *make_matmul_pattern(with_bias=True, activation=activation, transposed_rhs=transposed), _check_matmul))
    found.append(("cublas.matmul_transposed_dequantize", *make_matmul_dequantize_pattern(transposed_rhs=True), _check_matmul))
    found.append(("cublas.matmul_transposed_multiply", *make_matmul_multiply_pattern(transposed_rhs=True), _check_matmul))
    return found


register_patterns(_patterns())


def partition_for_cublas(mod, bind_constants=False):
    """The module with what cuBLAS computes in functions of their own."""
    return FuseOpsByPattern(get_patterns_with_prefix("cublas"), bind_constants=bind_constants, annotate_codegen=True)(mod)
