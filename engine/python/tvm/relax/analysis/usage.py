"""Who uses whom: variables, functions that call each other, memory."""
import math

import _loopscope as _core


def used_vars(expr):
    """Variables that are used, each once."""
    result = []

    def enter(node):
        if _core.kind(node) in ("RelaxVar", "DataflowVar") and not any(node.same_as(x) for x in result):
            result.append(node)

    _core.walk(expr, enter, None)
    return result


def post_order_visit(expr, fvisit):
    """Calls fvisit for every expression, parts before wholes."""
    from ..expr import Binding, Expr, Var

    definitions = []

    def enter(node):
        if isinstance(node, Binding):
            definitions.append(node.var)
        elif _core.kind(node) == "Function":
            definitions.extend(node.params)

    def leave(node):
        if isinstance(node, Var) and any(node.same_as(var) for var in definitions):
            definitions[:] = [var for var in definitions if not var.same_as(node)]
            return
        if isinstance(node, Expr) or _core.kind(node) in ("Function", "GlobalVar", "SeqExpr", "Op", "RelaxOp"):
            fvisit(node)

    _core.walk(expr, enter, leave)


def called_global_vars(expr):
    """The functions that are called, each once, in the order of their first calls."""
    from . import all_global_vars

    return all_global_vars(expr)


def detect_recursion(mod):
    """Groups of functions that call each other, and functions that call themselves."""
    from . import all_global_vars

    names = {var.name_hint: var for var, func in mod.functions.items() if _core.kind(func) == "Function"}
    calls = {name: [x.name_hint for x in all_global_vars(mod[var]) if x.name_hint in names] for name, var in names.items()}

    def reach(name):
        seen, left = set(), list(calls[name])
        while left:
            x = left.pop()
            if x not in seen:
                seen.add(x)
                left.extend(calls[x])
        return seen

    reached = {name: reach(name) for name in names}
    groups, done = [], set()
    for name in sorted(names):
        if name in done or name not in reached[name]:
            continue
        group = [x for x in sorted(names) if x == name or (x in reached[name] and name in reached[x])]
        done.update(group)
        groups.append([mod.get_global_var(x) for x in group])
    return groups


def collect_non_negative_expressions(sinfo):
    """Dimensions that a struct info mentions; none of them is negative."""
    result = []

    def enter(node):
        kind = _core.kind(node)
        if kind == "ShapeExpr" or (kind == "ShapeStructInfo" and node.values is not None):
            for value in node.values:
                if _core.kind(value) != "IntImm" and not any(_core.equal(value, x, False) is True for x in result):
                    result.append(value)
            return False
        return kind != "PrimStructInfo"

    _core.walk(sinfo, enter, None)
    return result


def _bytes(shape, dtype):
    from ...runtime import DataType

    if any(_core.kind(x) != "IntImm" for x in shape):
        return None
    dtype = DataType(dtype)
    return math.prod(int(x) for x in shape) * ((dtype.bits * dtype.lanes + 7) // 8)


def _estimate(func):
    """Numbers and bytes of the tensors and storages that a function asks for."""
    tensors, storages, dynamic = [], [], []

    def enter(node):
        if _core.kind(node) != "RelaxCall":
            return
        name = getattr(node.op, "name", "")
        if name == "relax.builtin.alloc_tensor":
            info = node.struct_info
            size = _bytes(info.shape.values, info.dtype) if info.shape is not None else None
            (tensors if size is not None else dynamic).append(size)
            if size is not None:
                storages.append(size)
        elif name == "relax.memory.alloc_tensor":
            info = node.struct_info
            size = _bytes(info.shape.values, info.dtype) if info.shape is not None else None
            (tensors if size is not None else dynamic).append(size)
        elif name == "relax.memory.alloc_storage":
            size = _bytes(node.args[0].values, "uint8")
            if size is not None:
                storages.append(size)

    _core.walk(func, enter, None)
    return tensors, storages, dynamic


def estimate_memory_usage(mod):
    """How much memory the functions of a module need, without and with memory planning, as text."""
    if not hasattr(mod, "functions"):
        from ...ir import IRModule

        mod = IRModule({"main": mod})
    text = ["Memory usage estimation:"]
    for var, func in mod.functions.items():
        if _core.kind(func) != "Function":
            continue
        tensors, storages, dynamic = _estimate(func)
        text.append(f"- Function {var.name_hint}:")
        text.append(f" * Without memory planning, there are {len(tensors)} constant-size memory allocation(s) with total size {sum(tensors) / 2 ** 30:.4} GB.")
        if dynamic:
            text.append(f" * There are {len(dynamic)} dynamic-size memory allocation(s).")
        text.append(f" * With memory planning, there are {len(storages)} constant-size memory allocation(s) with total size {sum(storages) / 2 ** 30:.4} GB.")
        if storages and sum(tensors):
            text.append(f" * Memory planning reduces constant memory size to {100.0 * sum(storages) / sum(tensors):.1f}%.")
    return "\n".join(text)
