"""InstrumentBoundCheckers: a store is done only where all of its places lie in their arrays.

What an array holds stands around its uses: T.attr(array, "buffer_bound", T.tvm_tuple(extents)).  A store whose value chooses
by T.if_then_else is left alone: what it reads may depend on the choice."""
import _loopscope as _core

from ...error import TVMError as _TVMError
from .each import each_function, with_body


class _Checks:
    """One function: the extents of each array."""

    def __init__(self):
        self._extents = {}

    def collect(self, body):
        """Finds what stands around the uses; are there any arrays?"""
        def note(node):
            if _core.kind(node) == "AttrStmt" and node.attr_key == "buffer_bound" and _core.kind(node.node) == "Var" and _core.kind(node.value) == "Call":
                self._extents[_core.address(node.node)] = list(node.value.args)

        _core.walk(body, note, None)
        return bool(self._extents)

    def rewrite(self, body):
        """The body with conditions."""
        return _core.transform(body, self._enter, self._leave, ["Allocate", "BufferStore"])

    def _enter(self, node):
        from .. import const

        if _core.kind(node) == "Allocate" and _core.address(node.buffer_var) in self._extents:
            lanes = int(node.dtype.partition("x")[2] or 1)
            self._extents[_core.address(node.buffer_var)] = [const(lanes, "uint64") * extent.astype("uint64") for extent in node.extents]
        return None

    def _accesses(self, store):
        """(indices, extents) of what a store reads and writes; none where its value chooses."""
        found, chooses = [], []

        def note(node):
            kind = _core.kind(node)
            if kind == "Call" and getattr(node.op, "name", "") == "tir.if_then_else":
                chooses.append(node)
            elif kind == "BufferLoad" and not chooses:
                found.append(node)

        for part in (store.value, *store.indices):
            _core.walk(part, note, None)
        if not chooses:
            found.append(store)
        known = [(node, self._extents.get(_core.address(node.buffer.data))) for node in found]
        return [(node.indices, extents) for node, extents in known if extents is not None]

    def _inside(self, index, extent):
        from ... import arith
        from .. import And, Cast, const

        if _core.kind(index) == "Ramp":
            index = index.base + index.stride * (int(index.lanes) - 1)
        analyzer = arith.Analyzer()
        index, extent = (Cast("int64", analyzer.simplify(one)) for one in (index, extent))
        return And(index >= const(0, "int64"), index < extent)

    def _leave(self, node):
        from .. import And, AssertStmt, Evaluate, IfThenElse, StringImm

        if _core.kind(node) != "BufferStore":
            return node
        condition = None
        for indices, extents in self._accesses(node):
            if len(indices) != len(extents):
                raise _TVMError(f"InstrumentBoundCheckers: {len(indices)} indices go into an array of {len(extents)} extents")
            for index, extent in zip(indices, extents):
                one = self._inside(index, extent)
                condition = one if condition is None else And(condition, one)
        if condition is None:
            return node
        return IfThenElse(condition, node, AssertStmt(condition, StringImm("OUT OF THE BOUNDS"), Evaluate(1)))


def InstrumentBoundCheckers():
    """Stores only where each index lies in what "buffer_bound" says of its array; elsewhere the program stops."""
    def rewrite(func, ctx):
        checks = _Checks()
        return with_body(func, checks.rewrite(func.body)) if checks.collect(func.body) else func

    return each_function("InstrumentBoundCheckers", rewrite)
