"""RemoveAssume and RemoveStoreUndef: what was only said to the compiler goes, and the loops that are left empty with it.

A store of a value that hangs on T.undef(), also by way of a T.LetStmt, is no store.  T.undef() in an index has no meaning
and is told."""
import _loopscope as _core

from ...error import TVMError
from ...ir import transform as _transform


def _calls(node, name):
    return _core.kind(node) == "Call" and getattr(node.op, "name", "") == name


def with_body(func, body):
    """The function with another body; the same function where it is the same."""
    from ..function import PrimFunc

    return func if body.same_as(func.body) else PrimFunc(func.params, body, func.ret_type, func.buffer_map, func.attrs)


def each_function(name, rewrite):
    """A pass that rewrites the bodies of PrimFuncs; the module stays itself where nothing changes."""
    def run(mod, ctx):
        result = None
        for var, func in mod.functions.items():
            if _core.kind(func) == "PrimFunc":
                after = rewrite(func, ctx)
                if not after.same_as(func):
                    result = result or mod.clone()
                    result[var] = after
        return result or mod

    return _transform.ModulePass(run, _transform.PassInfo(0, "tir." + name))


def _nothing():
    from ..expr import IntImm
    from ..stmt import Evaluate

    return Evaluate(IntImm("int32", 0))


def _drop_assumptions(func, ctx):
    def change(node):
        return _nothing() if _calls(node.value, "tir.assume") else None

    return with_body(func, _core.transform(func.body, None, change, ["Evaluate"]))


class _Undefined:
    """Which variables and stores hang on T.undef()."""

    def __init__(self):
        self.variables = set()

    def reaches(self, expr):
        """Does a value hang on T.undef()?  What stands in an index does not count."""
        found = []

        def enter(node):
            if _core.kind(node) == "BufferLoad":
                return False
            if _calls(node, "tir.undef") or (_core.kind(node) == "Var" and _core.address(node) in self.variables):
                found.append(node)
            return not found

        _core.walk(expr, enter, None)
        return bool(found)

    def note(self, node):
        kind = _core.kind(node)
        if kind in ("LetStmt", "Let") and self.reaches(node.value):
            self.variables.add(_core.address(node.var))
        elif kind in ("BufferLoad", "BufferStore") and any(self.reaches(i) for i in node.indices):
            raise TVMError(f"T.undef() in the indices of an access to {node.buffer.name}: an index has to have a value")
        return True


def _drop_undefined(func, ctx):
    state = _Undefined()
    _core.walk(func.body, state.note, None)

    def change(node):
        if _core.kind(node) == "BufferStore":
            return _nothing() if state.reaches(node.value) else None
        return node.body if _core.address(node.var) in state.variables else None

    # Addresses are taken of nodes that func.body keeps alive.
    body = _core.transform(func.body, None, change, ["BufferStore", "LetStmt"])
    left = _Undefined()

    def check(node):
        if _calls(node, "tir.undef"):
            raise TVMError("T.undef() is only offered as the value that a store or a binding hangs on")
        return True

    left.variables = state.variables
    _core.walk(body, check, None)
    return with_body(func, body)


def _then_clean(name, rewrite):
    from . import RemoveNoOp

    return _transform.Sequential([each_function(name + "Internal", rewrite), RemoveNoOp()], name="tir." + name)


def RemoveAssume():
    """Takes T.assume out, and the statements that did nothing else."""
    return _then_clean("RemoveAssume", _drop_assumptions)


def RemoveStoreUndef():
    """Takes the stores of T.undef() out, and the statements that did nothing else."""
    return _then_clean("RemoveStoreUndef", _drop_undefined)
