"""Chains of reductions over the same data (softmax, layer norm): one block of threads for each row."""
from ...tir import IndexMap, IntImm, Var
from ..analysis import normalize_prim_func
from ..base.inline import try_inline_contiguous_spatial
from ..base.rule import schedule_of
from ..base.threads import unroll_fully
from .base import GPUScheduleRule

# Threads in a block, and steps to unroll.
_SIZES = {"cuda": (256, 256), "opencl": (256, 64)}


class GeneralReduction(GPUScheduleRule):
    """Several blocks that sum over the same axes, then one that uses the sums: sums stay in shared memory."""

    def apply(self, func, target, tunable):
        del tunable
        sch = schedule_of(func) if self.is_target_available(target) else None
        if sch is None:
            return None
        threads, unroll = _SIZES.get(target.kind.name, (64, 64))
        infos = try_inline_contiguous_spatial(sch, normalize_prim_func(sch))
        if not infos:
            return None
        kinds = infos[0].dom_kind()
        rows = len(kinds) - len(kinds.lstrip("S"))
        reduced = len(kinds) - len(kinds.rstrip("R"))
        last = infos[-1]
        if any(one.dom_kind() != kinds for one in infos[1:-1]) or not last.is_injective() or len(last.iters) > len(kinds):
            return None
        if rows == 0 or reduced == 0 or rows + reduced != len(kinds):
            return None
        if len(last.iters) < len(kinds):
            own = [Var(f"i{k}", one.var.dtype) for k, one in enumerate(last.iters)]
            missing = [IntImm("int64", 0)] * (len(kinds) - len(own))
            sch.transform_block_layout(last.block_rv, IndexMap(own, own + missing, None))
        loops = list(sch.get_loops(last.block_rv))
        grid = sch.fuse(*loops[:rows])
        sch.bind(grid, "blockIdx.x")
        self._over_threads(sch, loops[-1], threads, unroll)
        for info in reversed(infos[:-1]):
            block = info.block_rv
            for i in range(len(sch.get(block).writes)):
                sch.set_scope(block, i, "shared")
            sch.compute_at(block, grid, preserve_unit_loops=True)
            self._over_threads(sch, sch.fuse(*list(sch.get_loops(block))[-reduced:]), threads, unroll)
        return sch

    @staticmethod
    def _over_threads(sch, loop, threads, unroll):
        """The loop's inner part over the threads, outside of what each of them does."""
        steps, lane = sch.split(loop, [None, threads])
        sch.reorder(lane, steps)
        sch.bind(lane, "threadIdx.x")
        unroll_fully(sch, steps, unroll)
