"""Products of matrices that hipBLAS computes."""
from ...transform import FuseOpsByPattern
from ..cuda.checks import equal, has_leaking_intermediate_variables, is_number, product, proves
from ..pattern_registry import get_patterns_with_prefix, register_patterns
from ..patterns import make_matmul_pattern


def _check_matmul(context):
    """One type on both sides, sums of known length, a vector for bias, and batches on both sides or none on the right one."""
    if has_leaking_intermediate_variables(context):
        return False
    parts = context.annotated_expr
    lhs, rhs = parts["lhs"].struct_info, parts["rhs"].struct_info
    left, right = lhs.shape.values, rhs.shape.values
    if lhs.dtype != rhs.dtype or str(lhs.dtype) not in ("float16", "float32", "int8") or not is_number(left[-1]):
        return False
    if str(lhs.dtype) == "int8" and (int(left[-1]) % 4 or not is_number(right[-1]) or int(right[-1]) % 4):
        return False
    if "bias" in parts:
        rows = product(parts["bias"].struct_info.shape.values[:-1])
        if str(lhs.dtype) == "int8" or not is_number(rows) or int(rows) > 1:
            return False
    first, second = product(left[:-2]), product(right[:-2])
    return equal(first, second) or (proves(first >= 1) and equal(second, 1))


def _patterns():
    found = []
    for transposed in (False, True):
        name = "hipblas.matmul" + ("_transposed" if transposed else "")
        found.append((name, *make_matmul_pattern(transposed_rhs=transposed), _check_matmul))
        for suffix, activation in (("", None), ("_relu", "relax.nn.relu"), ("_gelu", "relax.nn.gelu")):
            found.append((f"{name}_bias{suffix}", *make_matmul_pattern(with_bias=True, activation=activation, transposed_rhs=transposed), _check_matmul))
    return found


register_patterns(_patterns())


def partition_for_hipblas(mod, bind_constants=False):
    """The module with what hipBLAS computes in functions of their own."""
    return FuseOpsByPattern(get_patterns_with_prefix("hipblas"), bind_constants=bind_constants, annotate_codegen=True)(mod)
