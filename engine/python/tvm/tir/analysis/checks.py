"""Checks that walk over a whole function: single definitions, purity, bounds of accesses, memory that is allocated.

Each is one walk in the order of the program.  Names, results and what counts are those of TVM's tir.analysis."""
import re

import _loopscope as _core

from ...ir import transform as _transform
from ...ir.module import IRModule

_READ_STATE = 2
_EFFECTS = {}


def _effect(op):
    """How far a call of an operator reaches: above 2 it changes something."""
    if not _EFFECTS:
        _EFFECTS.update((name, effect) for name, _, _, effect in _core.ops())
    return _EFFECTS.get(getattr(op, "name", None), _READ_STATE + 1)


def _is_thread(node):
    return _core.kind(node) == "AttrStmt" and node.attr_key in ("thread_extent", "virtual_thread") and _core.kind(node.node) == "IterVar"


def _defined_by(node):
    """The variables that a statement makes."""
    kind = _core.kind(node)
    if kind == "For":
        return [node.loop_var]
    if kind == "LetStmt":
        return [node.var]
    if kind in ("Allocate", "AllocateConst"):
        return [node.buffer_var]
    if kind == "Block":
        return [v.var for v in node.iter_vars]
    return []


def verify_ssa(func):
    """Is each variable defined once?  The same T.Let may stand at several places."""
    from .. import PrimFunc
    from . import expr_deep_equal

    if not isinstance(func, PrimFunc):
        raise TypeError("verify_ssa wants a PrimFunc")
    values = {}
    state = [True]

    def define(var, value):
        known = values.get(_core.address(var))
        if known is not None and (value is None or known[1] is None or not expr_deep_equal(known[1], value)):
            state[0] = False
        values[_core.address(var)] = (var, value)

    def enter(node):
        if _core.kind(node) == "Let":
            define(node.var, node.value)
        elif _is_thread(node):
            values.setdefault(_core.address(node.node.var), (node.node.var, None))
        for var in _defined_by(node):
            define(var, None)
        return state[0]

    for param in func.params:
        define(param, None)
    _core.walk(func.body, enter, None)
    return state[0]


def repeated_definition(obj):
    """The name of a variable that is defined at two places, or None.  Threads may be entered twice in one function."""
    functions = [f for f in obj.functions.values() if _core.kind(f) == "PrimFunc"] if isinstance(obj, IRModule) else [obj]
    seen, found = {}, []

    def walk(func, threads):
        def enter(node):
            if _is_thread(node):
                var = node.node.var
                if _core.address(var) in seen and _core.address(var) not in threads:
                    found.append(var.name)
                threads.add(_core.address(var))
                seen[_core.address(var)] = var
            for var in _defined_by(node):
                if _core.address(var) in seen:
                    found.append(var.name)
                seen[_core.address(var)] = var
            return not found

        for param in func.params:
            if _core.address(param) in seen:
                found.append(param.name)
            seen[_core.address(param)] = param
        _core.walk(func.body, enter, None)

    for func in functions:
        walk(func, set())
    return found[0] if found else None


def second_thread_of_a_name(obj):
    """The name of threads that two variables of one function stand for, or None: a function has one variable for each."""
    for func in obj.functions.values() if isinstance(obj, IRModule) else [obj]:
        names, found = {}, []

        def enter(node):
            if _is_thread(node) and node.attr_key == "thread_extent":
                var = _core.address(node.node.var)
                if names.setdefault(node.node.thread_tag, var) != var:
                    found.append(node.node.thread_tag)
            return not found

        if _core.kind(func) == "PrimFunc":
            _core.walk(func.body, enter, None)
        if found:
            return found[0]
    return None


def told(findings):
    """The findings of the verifier, begun with the sentence that TVM says."""
    outside = re.search(r"\[tir/undefined\]: (\S+) is used outside", findings)
    if outside:
        return f"Invalid use of undefined variable {outside[1]} at a place where it is no longer in-scope.\n{findings}"
    undefined = re.search(r"\[tir/undefined\]: (\S+) is used", findings)
    if undefined:
        return f"Invalid use of undefined variable {undefined[1]}.\n{findings}"
    twice = re.search(r"\[tir/redefined\]: (\S+) is defined", findings)
    if twice:
        return f"TIR is ill-formed, due to multiple nested definitions of variable {twice[1]}.\n{findings}"
    return findings


def _impure(func):
    """What a function does to the world around it, in words; None: nothing."""
    inside, found = set(), []

    def enter(node):
        kind = _core.kind(node)
        if kind in ("Allocate", "AllocateConst"):
            inside.add(_core.address(node.buffer_var))
        elif kind == "Block":
            inside.update(_core.address(b.data) for b in node.alloc_buffers)
        elif kind == "BufferStore" and _core.address(node.buffer.data) not in inside:
            found.append(f"it writes to {node.buffer.name}, which it did not allocate")
        elif kind == "Call" and getattr(node.op, "name", "") != "tir.ret" and _effect(node.op) > _READ_STATE:
            found.append(f"it calls {node}")
        return not found

    _core.walk(func.body, enter, None)
    return found[0] if found else None


def is_pure_function(func):
    """Does a function change nothing but what it allocated?"""
    return _impure(func) is None


def assert_pure_function(func):
    """True, or AssertionError with what the function changes."""
    what = _impure(func)
    if what is not None:
        raise AssertionError(f"The function is not pure: {what}")
    return True


def OOBChecker():
    """A pass that raises ScheduleError where an access is outside its buffer for sure."""
    return _transform.ModulePass(_check_bounds, _transform.PassInfo(0, "tir.analysis.OOBChecker"))


def _check_bounds(mod, ctx):
    from ...arith import Analyzer
    from ..schedule import ScheduleError

    found = []

    def check(func):
        analyzer = Analyzer()
        bound = analyzer.const_int_bound

        def access(node):
            for index, extent in zip(node.indices, node.buffer.shape):
                if index.dtype not in ("int32", "int64"):
                    continue
                at, most = bound(index), bound(extent)
                widest = 2 ** (31 if index.dtype == "int32" else 63) - 1
                if at.NEG_INF < at.min_value < 0 and at.min_value > -widest or most.max_value <= at.max_value < min(widest, at.POS_INF):
                    found.append(f"buffer {node.buffer.name} of shape [{', '.join(map(str, node.buffer.shape))}]: index {index} is in "
                                 f"[{at.min_value}, {at.max_value}]")

        def under(condition, branches):
            for branch, holds in zip(branches, (condition, ~condition if condition.dtype == "bool" else condition == 0)):
                if branch is not None:
                    with analyzer.constraint_scope(holds):
                        _core.walk(branch, enter, None)

        def enter(node):
            kind = _core.kind(node)
            if kind == "For":
                analyzer.bind(node.loop_var, _range(node.min, node.extent))
            elif kind == "Block":
                for v in node.iter_vars:
                    analyzer.bind(v.var, v.dom)
            elif _is_thread(node):
                analyzer.bind(node.node.var, _range(0, node.value))
            elif kind in ("BufferLoad", "BufferStore"):
                access(node)
            elif kind == "IfThenElse":
                _core.walk(node.condition, enter, None)
                under(node.condition, (node.then_case, node.else_case))
                return False
            elif kind == "Call" and getattr(node.op, "name", "") == "tir.if_then_else":
                _core.walk(node.args[0], enter, None)
                under(node.args[0], node.args[1:])
                return False
            return True

        _core.walk(func.body, enter, None)

    for func in mod.functions.values():
        if _core.kind(func) == "PrimFunc":
            check(func)
    if found:
        raise ScheduleError("ScheduleError: The TIR program contains out-of-bounds accesses:\n  " + "\n  ".join(found))
    return mod


def _range(least, extent):
    from ...ir import Range

    return Range.from_min_extent(least, extent)


def _allocations(func, change):
    """Calls change(node, +1 or -1) where an allocation begins and ends."""
    _core.walk(func.body, lambda n: (change(n, 1) if _core.kind(n) == "Allocate" else None, True)[1],
               lambda n: change(n, -1) if _core.kind(n) == "Allocate" else None)


def _bytes(node):
    from ... import DataType

    size = DataType(node.dtype).itemsize()
    for extent in node.extents:
        if _core.kind(extent) != "IntImm":
            return 0
        size *= int(extent)
    return size


def _most(func, scope_of, size_of):
    now, most = {}, {}

    def change(node, sign):
        scope = scope_of(node)
        now[scope] = now.get(scope, 0) + sign * size_of(node)
        most[scope] = max(most.get(scope, 0), now[scope])

    _allocations(func, change)
    return most


def _scope(node):
    return node.buffer_var.type_annotation.storage_scope or "global"


def calculate_allocated_bytes(func_or_mod):
    """{function: {scope: the most bytes that are allocated at one time}}."""
    if isinstance(func_or_mod, IRModule):
        return {var.name_hint: _most(f, _scope, _bytes) for var, f in func_or_mod.functions.items() if _core.kind(f) == "PrimFunc"}
    return {"main": _most(func_or_mod, _scope, _bytes)}


def calculate_workspace_bytes(func, workspace_byte_alignment=1):
    """The most bytes that a function allocates at one time in global memory, each allocation aligned."""
    step = int(workspace_byte_alignment)
    return _most(func, _scope, lambda node: -(-_bytes(node) // step) * step).get("global", 0)


def calculate_constant_bytes(func, constant_byte_alignment=1):
    """The bytes of all constants that a function holds, each aligned."""
    step, total = int(constant_byte_alignment), [0]

    def leave(node):
        if _core.kind(node) == "AllocateConst":
            total[0] += -(-_bytes(node) // step) * step

    _core.walk(func.body, None, leave)
    return total[0]
