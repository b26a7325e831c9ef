"""LowerAsyncDMA: copies that a pipeline starts and waits for become calls of a DMA engine.

    attr "async_commit_queue_scope" = q        ->    the same attrs around T.dma_copy(q, target, source, bytes, bypass)
        a nest of loops that copies a region
    attr "async_wait_queue_scope" = q          ->    T.dma_wait(q, n); body
        attr "async_wait_inflight_count" = n

Several copies of one commit stand between dma_start_group and dma_end_group.  A wait for a queue that nothing was copied by stays."""
from ..analysis.memcpy import NoCopy, memcpy_of
from .each import each_function, with_body

_BYPASS = "tir.experimental_dma_bypass_cache"


def _call(name, *args):
    from .. import Call, Evaluate

    return Evaluate(Call("int32", "tir.dma_" + name, list(args)))


def _address(region):
    from .. import BufferLoad, Call

    return Call("handle", "tir.address_of", [BufferLoad(region.buffer, [region.region[0].min])])


def _copy(loop, queue, bypass, analyzer):
    """The call that copies what a nest of loops copies."""
    from ...runtime import DataType

    try:
        source, target = memcpy_of(loop, analyzer)
    except NoCopy as why:
        raise RuntimeError(f"Unable to lower async dma due to non contiguous memory access: {why}") from None
    if len(source.region) != 1 or len(target.region) != 1:
        raise RuntimeError("Unable to lower async dma due to non contiguous memory access: a buffer has more than one dimension")
    size = target.region[0].extent * (DataType(source.buffer.dtype).bits // 8)
    return _call("copy", queue, _address(target), _address(source), size, int(bypass))


def _flat(node):
    """A sequence without sequences in it; None: it stays."""
    from .. import SeqStmt

    if not isinstance(node, SeqStmt) or not any(isinstance(one, SeqStmt) for one in node.seq):
        return None
    return SeqStmt([part for one in node.seq for part in (one.seq if isinstance(one, SeqStmt) else [one])])


class _Lowering:
    """One function: its loops that are open, and the queues that copies were put into."""

    def __init__(self, bypass):
        from ...arith import Analyzer

        self._bypass, self._analyzer = bypass, Analyzer()
        self._queues = set()

    def visit(self, stmt):
        from ..stmt_functor import ir_transform

        return ir_transform(stmt, self._enter, _flat, ["tir.For", "tir.AttrStmt", "tir.SeqStmt"])

    def _enter(self, node):
        from ...ir import Range
        from ..stmt import AttrStmt, For

        if isinstance(node, For):
            self._analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent))
        elif isinstance(node, AttrStmt) and node.attr_key == "async_commit_queue_scope":
            return self._commit(node)
        elif isinstance(node, AttrStmt) and node.attr_key == "async_wait_queue_scope":
            return self._wait(node)
        return None

    def _commit(self, node):
        from .. import AttrStmt, SeqStmt
        from ..stmt import For
        from ..stmt_functor import ir_transform

        copies = []

        def copy(inner):
            if not isinstance(inner, For):
                return None
            copies.append(_copy(inner, node.value, self._bypass, self._analyzer))
            return copies[-1]

        body = ir_transform(node.body, copy, lambda inner: None, ["tir.For"])
        if copies:
            self._queues.add(int(node.value))
        result = AttrStmt(node.node, node.attr_key, node.value, body)
        return SeqStmt([_call("start_group", node.value), result, _call("end_group", node.value)]) if len(copies) > 1 else result

    def _wait(self, node):
        from .. import AttrStmt, SeqStmt

        body = self.visit(node.body)
        inner = node.body
        if int(node.value) not in self._queues or not isinstance(inner, AttrStmt) or inner.attr_key != "async_wait_inflight_count":
            return AttrStmt(node.node, node.attr_key, node.value, body)
        return SeqStmt([_call("wait", node.value, inner.value), body.body])


def LowerAsyncDMA():
    """Makes calls of a DMA engine of the copies that a pipeline starts and waits for."""
    return each_function("LowerAsyncDMA", lambda func, ctx: with_body(func, _Lowering(bool(ctx.config.get(_BYPASS, False))).visit(func.body)))
