"""Questions about Relax programs."""
import _loopscope as _core


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
        if isinstance(node, GlobalVar) and not any(node.same_as(x) for x in result):
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
    return _core.relax_symbols(sinfo, 0)


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
    """Not offered."""
    raise NotImplementedError("has_reshape_pattern is not offered")


def contains_impure_call(expr, own_name=None):
    """Is there a call with effects?"""
    raise NotImplementedError("contains_impure_call is not offered")


def struct_info_is_base_of(base, derived):
    """Does everything that base says hold for derived?"""
    if base == derived:
        return True
    kind = _core.kind(base)
    if kind == "ObjectStructInfo":
        return True
    if kind != _core.kind(derived):
        return False
    if kind == "TensorStructInfo":
        if base.dtype not in ("void", "") and base.dtype != derived.dtype:
            return False
        if base.shape is not None:
            return derived.shape is not None and _core.equal(base.shape, derived.shape, True) is True
        return base.ndim in (-1, derived.ndim)
    if kind == "ShapeStructInfo":
        return base.values is None and base.ndim in (-1, derived.ndim)
    if kind == "PrimStructInfo":
        return base.dtype == derived.dtype and base.value is None
    if kind == "TupleStructInfo":
        return len(base.fields) == len(derived.fields) and all(struct_info_is_base_of(a, b) for a, b in zip(base.fields, derived.fields))
    return False


def prim_func_struct_info(func):
    """What Relax knows of a PrimFunc."""
    from ..struct_info import FuncStructInfo, PrimStructInfo, TensorStructInfo, TupleStructInfo

    buffers = func.buffer_map
    params = []
    for param in func.params:
        buffer = dict.get(buffers, param)
        params.append(TensorStructInfo(list(buffer.shape), buffer.dtype) if buffer is not None else PrimStructInfo(param.dtype))
    return FuncStructInfo(params, TupleStructInfo([]), False)


def get_static_type(sinfo):
    """The struct info itself: there are no types beside it."""
    return sinfo


def well_formed(obj, check_struct_info=True):
    """Is every variable that is used bound?"""
    funcs = [obj] if _core.kind(obj) == "Function" else [f for f in obj.functions.values() if _core.kind(f) == "Function"]
    return all(not free_vars(func) for func in funcs)


def computable_at_compile_time(func):
    """Variables that no input decides: parameters behind num_input, and what follows from them."""
    return _core.computable_at_compile_time(func)
