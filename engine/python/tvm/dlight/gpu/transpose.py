"""Transposes of matrices through shared memory."""
from ...tir import BufferStore, Var
from ...tir.expr import BufferLoad
from ..analysis import iter_splits, detect_dominant_read
from ..analysis.access import factor_of, has
from ..analysis.blocks import get_block_info, get_root_block
from ..base.inline import auto_inline_consumers
from ..base.rule import schedule_of
from ..base.threads import unroll_fully
from ...tir.schedule import ScheduleError
from .base import GPUScheduleRule

# Threads in x and y, and steps to unroll.
_SIZES = {"cuda": (16, 8, 256), "opencl": (16, 8, 64)}


def _is_transpose(block):
    """Is the block `B[i, j] = A[j, i]`: the same variables, in another order?"""
    body = block.body
    if len(block.writes) != 1 or not isinstance(body, BufferStore) or not isinstance(body.value, BufferLoad):
        return False
    to, source = list(body.indices), list(body.value.indices)
    if not all(isinstance(one, Var) for one in to + source):
        return False
    return all(has(to, one) for one in source) and any(not a.same_as(b) for a, b in zip(to, source))


class Transpose(GPUScheduleRule):
    """Reads tiles of the matrix row by row into shared memory and writes them row by row."""

    def apply(self, func, target, tunable):
        del tunable
        sch = schedule_of(func) if self.is_target_available(target) else None
        if sch is None:
            return None
        width, height, unroll = _SIZES.get(target.kind.name, (8, 4, 64))
        blocks = list(sch.get_child_blocks(get_root_block(sch)))
        found = [i for i, one in enumerate(blocks) if _is_transpose(sch.get(one))]
        if not found or len(found) > 1:
            return None
        before, block, after = blocks[:found[0]], blocks[found[0]], blocks[found[0] + 1:]
        if len(before) > 1 or len(list(sch.get_loops(block))) != 2:
            return None
        parts = 1
        if before:
            parts = self._parts(sch, before[0])
            if parts is None:
                return None
        rows, columns = sch.get_loops(block)
        rows, part = sch.split(rows, [None, parts])
        grid_y, thread_y = sch.split(rows, [None, height])
        grid_x, thread_x = sch.split(columns, [None, width])
        sch.reorder(grid_y, grid_x, thread_y, thread_x, part)
        sch.bind(grid_y, "blockIdx.y")
        sch.bind(grid_x, "blockIdx.x")
        sch.bind(thread_y, "threadIdx.y")
        sch.bind(thread_x, "threadIdx.x")
        lanes = min(parts, 4)
        _, part = sch.split(part, [None, lanes])
        if lanes > 1:
            sch.vectorize(part)
        tile = sch.cache_read(block, 0, "shared")
        sch.compute_at(tile, grid_x, preserve_unit_loops=True)
        loops = list(sch.get_loops(tile))
        _, thread_y, thread_x, part = sch.split(sch.fuse(*loops[2:]), [None, height, width, parts])
        sch.bind(thread_y, "threadIdx.y")
        sch.bind(thread_x, "threadIdx.x")
        sch.unroll(part)
        sch.storage_align(tile, 0, axis=0, factor=32, offset=1)
        unroll_fully(sch, grid_y, unroll)
        try:
            if before:
                sch.compute_inline(before[0])
            if after:
                auto_inline_consumers(sch, block)
                if list(sch.get_consumers(block)):
                    return None
        except ScheduleError:
            return None
        return sch

    @staticmethod
    def _parts(sch, block):
        """How many values one element holds that the block unpacks; None: not known."""
        stmt = sch.get(block)
        info = get_block_info(sch, block)
        if not info.is_injective() or len(stmt.writes) != 1 or not stmt.reads:
            return None
        splits = iter_splits(stmt, detect_dominant_read(stmt))
        if splits is None:
            return None
        factors = [factor_of(one) for one in splits if factor_of(one) != 1]
        if len(factors) > 1 or None in factors:
            return None
        return factors[0] if factors else 1
