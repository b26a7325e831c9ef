"""Questions about Relax programs."""
import _loopscope as _core

from .struct_info import (BaseCheckResult, derive_call_ret_struct_info, erase_to_well_defined, get_static_type, struct_info_base_check,
                          struct_info_is_base_of, struct_info_lca)
from .layouts import suggest_layout_transforms
from .usage import called_global_vars, collect_non_negative_expressions, detect_recursion, estimate_memory_usage, post_order_visit, used_vars


def remove_all_unused(func):
    """Without bindings that nobody uses."""
    return _core.remove_all_unused(func)


def free_vars(expr):
    """Variables that are used and not bound."""
    return _core.relax_free_vars(expr)


def _visit(expr):
    from ..expr import Var

    bound, used = [], []

    def enter(node):
        kind = _core.kind(node)
        if kind in ("VarBinding", "MatchCast"):
            bound.append(node.var)
        elif kind == "Function":
            bound.extend(node.params)
        elif isinstance(node, Var):
            used.append(node)

    _core.walk(expr, enter, None)
    return bound, used


def bound_vars(expr):
    """Variables that are bound."""
    return _visit(expr)[0]


def all_vars(expr):
    """All variables, each once."""
    result = []
    bound, used = _visit(expr)
    for var in bound + used:
        if not any(var.same_as(x) for x in result):
            result.append(var)
    return result


def all_global_vars(expr):
    """The functions that are named."""
    from ...ir.expr import GlobalVar

    result = []

    def enter(node):
        if isinstance(node, GlobalVar) and node.name_hint not in [x.name_hint for x in result]:
            result.append(node)

    _core.walk(expr, enter, None)
    return result


def free_symbolic_vars(func):
    """Dimensions that a function uses and does not bring."""
    return _core.relax_symbols(func, 1)


def defined_symbolic_vars(func):
    """Dimensions that a function brings."""
    return _core.relax_symbols(func, 2)


def tir_vars_in_struct_info(sinfo):
    """Dimensions in a struct info."""
    return _core.relax_symbols(sinfo, 0)


def definable_tir_vars_in_struct_info(sinfo):
    """Dimensions that a struct info can give a value to."""
    return _core.definable_symbols(sinfo)


def name_to_binding(func):
    """Bindings by the names of their variables."""
    result = {}

    def enter(node):
        if _core.kind(node) in ("VarBinding", "MatchCast"):
            result.setdefault(node.var.name_hint, []).append(node)

    _core.walk(func, enter, None)
    return result


def get_var2val(func):
    """Values by variable."""
    return {binding.var: binding.value for bindings in name_to_binding(func).values() for binding in bindings}


def udchain(dfb):
    """The users of each variable of a dataflow block."""
    users = {}
    for binding in dfb.bindings:
        users.setdefault(binding.var, [])
        for var in free_vars(binding.value):
            users.setdefault(var, []).append(binding.var)
    return users


def has_reshape_pattern(func):
    """Does a function of TensorIR only give its input another shape?"""
    return _core.has_reshape_pattern(func)


def contains_impure_call(expr, own_name=None):
    """Is there a call with effects?  Functions that are only defined in it do not count, nor calls of `own_name`."""
    found = []
    own = own_name if own_name is None or isinstance(own_name, str) else getattr(own_name, "name_hint", None)

    def enter(node):
        if _core.kind(node) == "Function" and not node.same_as(expr):
            return False
        if _core.kind(node) == "RelaxCall" and _core.is_impure_call(node, None):
            if own is None or getattr(node.op, "name_hint", None) != own:
                found.append(node)
        return None

    _core.walk(expr, enter, None)
    return bool(found)


def prim_func_struct_info(func):
    """What Relax knows of a PrimFunc."""
    from ...ir.type import PrimType
    from ...tir.analysis import is_pure_function
    from ..struct_info import FuncStructInfo, ObjectStructInfo, PrimStructInfo, TensorStructInfo, TupleStructInfo

    buffers = func.buffer_map

    def of_param(param):
        buffer = buffers.get(param)
        if buffer is not None:
            return TensorStructInfo(list(buffer.shape), buffer.dtype)
        return ObjectStructInfo() if param.dtype == "handle" else PrimStructInfo(param.dtype)

    ret = func.ret_type
    result = PrimStructInfo(ret.dtype) if isinstance(ret, PrimType) and ret.dtype not in ("void", "handle") else TupleStructInfo([])
    return FuncStructInfo([of_param(p) for p in func.params], result, is_pure_function(func))


def _out_of_order(obj):
    """Calls of call_tir whose arguments stand elsewhere, and what FNormalize, which programs register for operators, would change."""
    from ...ir.op import _ATTRS
    from .. import expr as _e
    from ..block_builder import BlockBuilder

    found, rules = [], {name: rule for (name, key), rule in _ATTRS.items() if key == "FNormalize"}

    def look(node):
        if _core.kind(node) == "RelaxCall" and getattr(node.op, "name", "") in _e.CALLS_TIR and not isinstance(node.args[1], _e.Tuple):
            found.append("The arguments of call_tir are written out as a tuple, no variable stands for it.")
        rule = rules.get(node.op.name) if isinstance(node, _e.Call) and hasattr(node.op, "name") else None
        if rule is not None and rule(BlockBuilder(), node) != node:
            found.append(f"A call of {node.op.name} is not in the form that FNormalize gives it.")

    for func in [f for _, f in obj.functions_items()] if hasattr(obj, "functions_items") else [obj]:
        if isinstance(func, _e.Function):
            post_order_visit(func, look)
    return found


def well_formed(obj, check_struct_info=True):
    """Is every variable bound before it is used, every expression in normal form, every effect said?  What is not goes to stderr."""
    findings = list(_core.relax_findings(obj)) + _out_of_order(obj)
    if findings:
        import sys

        sys.stderr.write("Warning: This IR is not well formed: " + findings[0] + "\n")
        sys.stderr.flush()
    return not findings


def computable_at_compile_time(func):
    """Variables that no input decides: parameters behind num_input, and what follows from them."""
    return _core.computable_at_compile_time(func)
