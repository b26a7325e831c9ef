"""Convolutions, products, attention and norms that CUTLASS computes."""
from ...expr import Function
from ...expr_functor import PyExprMutator, mutator
from ...transform import AllocateWorkspace, FuseOpsByPattern
from ..pattern_registry import get_patterns_with_prefix, register_patterns
from ..patterns import (make_attention_pattern, make_fused_bias_activation_pattern, make_layer_norm_pattern, make_matmul_pattern,
                        make_residual_block_pattern, make_rms_norm_pattern, make_stacked_attention_pattern)
from .checks import equal, has_leaking_intermediate_variables, is_number, product, same_shape

_BYTES = ("int8", "uint8")
_ACTIVATIONS = {"_relu": "relax.nn.relu", "_gelu": "relax.nn.gelu", "_silu": "relax.nn.silu"}


def _fits_types(lhs, rhs):
    left, right = lhs.struct_info.dtype, rhs.struct_info.dtype
    return left == right and left in ("float16", "float32") or left in _BYTES and right in _BYTES


def _follows(later, earlier, usages):
    """Is one variable computed from another?"""
    todo, seen = [earlier], set()
    while todo:
        var = todo.pop()
        if var == later:
            return True
        for user in usages.get(var, ()):
            if user not in seen:
                seen.add(user)
                todo.append(user)
    return False


def _fits_residual(context):
    """What is added at the end does not come from the operator, and has its shape or that of a row."""
    from ...expr import Var

    residual, root = context.annotated_expr.get("residual"), context.annotated_expr["root"]
    if residual is None:
        return True
    if not isinstance(residual, Var):
        if residual not in context.value_to_bound_var:
            return False
        residual = context.value_to_bound_var[residual]
    bound = context.value_to_bound_var[root]
    if _follows(residual, bound, context.var_usages):
        return False
    shape, other = list(bound.struct_info.shape.values), list(residual.struct_info.shape.values)
    return same_shape(shape, other) or equal(other[-1], shape[-1]) and equal(product(other), shape[-1])


def _check_conv2d(context):
    """NHWC and OHWI, known extents, no channel on its own."""
    if has_leaking_intermediate_variables(context):
        return False
    call = context.annotated_expr["root"]
    data, weight = call.args[0], call.args[1]
    if call.attrs["data_layout"] != "NHWC" or call.attrs["kernel_layout"] != "OHWI" or not _fits_types(data, weight) or not _fits_residual(context):
        return False
    extents, kernel = data.struct_info.shape.values, weight.struct_info.shape.values
    alone = is_number(extents[3]) and int(extents[3]) == int(kernel[0]) == int(call.attrs["groups"])
    return all(is_number(x) for x in extents) and not alone


def _check_matmul(context):
    """Types that fit, numbers for the inner extents, batches on both sides alike or on one side only."""
    if has_leaking_intermediate_variables(context):
        return False
    lhs, rhs = context.annotated_expr["lhs"], context.annotated_expr["rhs"]
    if not _fits_types(lhs, rhs) or not _fits_residual(context):
        return False
    a, b = lhs.struct_info.shape.values, rhs.struct_info.shape.values
    if not is_number(a[-1]) or not is_number(b[-1]) or not is_number(b[-2]):
        return False
    left, right = product(a[:-2]), product(b[:-2])
    return equal(left, 1) or equal(right, 1) or equal(left, right)


def _check_layer_norm(context):
    attrs, rank = context.matched_expr.attrs, context.matched_expr.struct_info.ndim
    axes = [int(x) for x in attrs["axes"]]
    return bool(attrs["center"]) and bool(attrs["scale"]) and len(axes) == 1 and axes[0] % rank == rank - 1


def _check_rms_norm(context):
    return "rms_norm" in context.annotated_expr["rms_norm"].args[0].name_hint


def _check_stacked(context):
    """Query, key and value lie one behind the other in the last of three dimensions."""
    parts = context.annotated_expr
    if has_leaking_intermediate_variables(context) or parts["stacked_qkv"].struct_info.ndim != 3:
        return False
    if "split" in parts:
        return int(parts["split"].attrs["axis"]) == 2
    end = 0
    for name in ("query", "key", "value"):
        axes, begin, ends, strides = ([int(x.value) for x in tup.fields] for tup in parts[f"strided_slice_{name}"].args[1:5])
        if axes != [2] or begin != [end] or len(ends) != 1 or strides != [1]:
            return False
        end = ends[0]
    return True


def _base(kind, make, check, suffixes):
    for suffix in suffixes:
        activation = next((op for name, op in _ACTIVATIONS.items() if suffix.endswith(name)), None)
        yield f"cutlass.{kind}{suffix}", make("_transposed" in suffix, "_bias" in suffix, activation), check


def _bases():
    def conv2d(transposed, bias, activation):
        return make_fused_bias_activation_pattern("relax.nn.conv2d", with_bias=bias, activation=activation)

    def matmul(transposed, bias, activation):
        return make_matmul_pattern(transposed_rhs=transposed, with_bias=bias, activation=activation)

    products = ("", "_bias", "_bias_relu", "_bias_gelu")
    yield from _base("conv2d", conv2d, _check_conv2d, ("", "_bias", "_bias_relu", "_bias_silu"))
    yield from _base("matmul", matmul, _check_matmul, products + tuple("_transposed" + x for x in products))


def _residuals():
    for ending, activation in (("", None), ("_relu", "relax.nn.relu")):
        for name, pattern, check in _bases():
            for op in ("add", "multiply") if "bias" in name else ():
                made = make_residual_block_pattern(pattern, binary_op=f"relax.{op}", activation=activation)
                yield f"{name}_residual_{op}{ending}", *made, check


def _attentions():
    yield "cutlass.attention", *make_attention_pattern()
    yield "cutlass.attention_bias", *make_attention_pattern(with_bias=True)
    for start in ("split", "strided_slice"):
        for bias in (False, True):
            yield "cutlass.stacked_attention", *make_stacked_attention_pattern(start_op=start, with_bias=bias), _check_stacked
    yield "cutlass.attention_var_len", *make_attention_pattern(var_len=True)


register_patterns([
    *((name, *pattern, check) for name, pattern, check in _bases()),
    *_residuals(),
    *_attentions(),
    ("cutlass.layer_norm", *make_layer_norm_pattern(), _check_layer_norm),
    ("cutlass.rms_norm", *make_rms_norm_pattern(), _check_rms_norm),
])


def _said(func, name):
    value = func.attrs.get(name) if func.attrs else None
    return "" if value is None else str(value)


@mutator
class _Workspaces(PyExprMutator):
    """Says of functions with attention how many bytes they need beside their result; 8 where that is not known."""

    def visit_function_(self, f):
        """A function of the module or one inside."""
        composite = _said(f, "Composite")
        if not composite:
            body = self.visit_expr(f.body)
            fresh = Function(f.params, body, f.ret_struct_info, f.is_pure, f.attrs)
            inner = body.blocks[0].bindings[0].value if "cutlass" in _said(f, "global_symbol") and len(body.blocks) else None
            if isinstance(inner, Function) and "WorkspaceSize" in (inner.attrs or {}):
                return fresh.with_attr("WorkspaceSize", inner.attrs["WorkspaceSize"])
            return fresh
        if "attention" not in composite or "cutlass" not in composite:
            return f
        size = product(f.ret_struct_info.shape.values) * (2 if f.ret_struct_info.dtype == "float16" else 4)
        return f.with_attr("WorkspaceSize", int(size) if is_number(size) else 8)


def annotate_workspace(mod, _=None):
    """The module with the sizes of workspaces at the functions for CUTLASS."""
    walker = _Workspaces(mod)
    for name, func in mod.functions_items():
        if isinstance(func, Function) and "cutlass" in name.name_hint:
            walker.builder_.update_func(name, walker.visit_expr(func))
    return walker.builder_.get()


def partition_for_cutlass(mod, annotate_codegen=True, use_flash_mqa=True):
    """The module with what CUTLASS computes in functions of their own."""
    mod = FuseOpsByPattern(get_patterns_with_prefix("cutlass"), bind_constants=False, annotate_codegen=annotate_codegen)(mod)
    return AllocateWorkspace()(annotate_workspace(mod))
