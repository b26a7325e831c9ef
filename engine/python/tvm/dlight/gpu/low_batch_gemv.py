"""Products of a matrix and a few vectors whose number is not known: vectors in tiles of a fixed number, each as GEMV sums."""
from ...tir import IntImm
from ...tir.schedule import ScheduleError
from ..analysis import get_reduction_blocks, is_broadcast_epilogue, is_gemv, iter_splits, normalize_prim_func
from ..analysis.access import factor_of, has, region_variables
from ..analysis.blocks import get_block_info
from ..base.inline import try_inline_contiguous_spatial
from ..base.rule import schedule_of
from ..base.threads import unroll_fully
from .base import GPUScheduleRule
from .gemv import extent_of
from .gemv_sizes import largest_factor, sizes_for


def _open_axes(block):
    """The iterators of a block whose extent is not known."""
    return [one.var for one in block.iter_vars if not isinstance(one.dom.extent, IntImm)]


def _matrix_access(block, batch):
    """The flat address of the operand with the most iterators that is not of the batch; None: there is none."""
    best, most = None, 0
    for region in block.reads:
        used = region_variables(block, region)
        if len(used) > most and not any(has(used, one) for one in batch):
            best, most = region, len(used)
    if best is None:
        return None
    (address,) = best.buffer.offset_of([dim.min for dim in best.region])
    return address


class LowBatchGEMV(GPUScheduleRule):
    """For products whose rows are few but of unknown number; `bucket` of them are summed together."""

    def __init__(self, bucket=4):
        self.bucket = int(bucket)

    def apply(self, func, target, tunable):
        del tunable
        sch = schedule_of(func) if self.is_target_available(target) else None
        if sch is None:
            return None
        infos = try_inline_contiguous_spatial(sch, normalize_prim_func(sch))
        if not infos or len(infos) > 2:
            return None
        info, epilogue = infos[0], infos[1] if len(infos) == 2 else None
        if get_reduction_blocks(sch, [one.block_rv for one in infos]) is None or epilogue is not None and not epilogue.is_injective():
            return None
        block = sch.get(info.block_rv)
        batch = _open_axes(block)
        if not info.is_reduction() or len(block.reads) < 2 or len(batch) != 1 or is_gemv(sch, info) is not None:
            return None
        kinds = {one.kind for one in info.iters if one.var.same_as(batch[0])}
        if kinds != {"S"} or _matrix_access(block, batch) is None:
            return None
        try:
            return self._pad_and_sum(sch, target, info, epilogue.block_rv if epilogue is not None else None)
        except ScheduleError:
            return None

    def _pad_and_sum(self, sch, target, info, epilogue):
        handle = info.block_rv
        sch.pad_einsum(handle, [1 if isinstance(one.dom, int) else self.bucket for one in info.iters])
        for producer in sch.get_producers(handle):
            sch.compute_inline(producer)
        out = list(sch.get_consumers(handle))
        if epilogue is not None and out:
            sch.compute_inline(out[0])
            out = list(sch.get_consumers(handle))
        epilogue = out[0] if out else None
        if not self._order(sch, handle):
            return None
        return self._sum_rows(sch, target, handle, epilogue)

    @staticmethod
    def _order(sch, handle):
        """The loops as batch, data, sum: one of each. False: the matrix is not addressed by a sum of them, or its innermost axis is not summed."""
        block = sch.get(handle)
        batch = _open_axes(block)
        splits = iter_splits(block, _matrix_access(block, batch))
        if not splits or any(factor_of(one) is None for one in splits):
            return False
        infos = list(get_block_info(sch, handle).iters)
        data, summed, parts, inner = [], [], [], False
        for split in splits:
            own = next((one for one in infos if one.var.same_as(split.var)), None)
            if own is None:
                return False
            infos.remove(own)
            loop, inner = own.loop_rv, own.kind == "R"
            if factor_of(split) > 1:
                if parts:
                    return False
                loop, part = sch.split(loop, [None, factor_of(split)])
                parts.append(part)
            (summed if inner else data).append(loop)
        rest = [one.loop_rv for one in infos]
        if not inner or not data or not summed or len(rest) != 1:
            return False
        sch.reorder(*rest, *data, *summed, *parts)
        sch.fuse(*data)
        summed = sch.fuse(*summed)
        if parts:
            sch.fuse(summed, *parts)
        return True

    def _sum_rows(self, sch, target, block, epilogue):
        batch, data, summed = sch.get_loops(block)
        rows, length = extent_of(sch, data), extent_of(sch, summed)
        sizes = sizes_for(target, rows, length)
        if target.kind.name == "cuda" and isinstance(rows, int) and isinstance(length, int):
            sizes.threads = (4, 64) if rows > length else (16, 32)
        count_s, count_r = sizes.threads
        tile_s = 2
        tile_r = max(largest_factor(length, [count_r * n for n in (1, 2, 4, 8)]) // count_r, 1)
        lanes = min(largest_factor(tile_r, (1, 2, 4, 8)), sizes.lanes)

        _, tile = sch.split(batch, [None, self.bucket])
        _, thread_s, own_s = sch.split(data, [None, count_s, tile_s])
        steps, thread_r, own_r, lane = sch.split(summed, [None, count_r, tile_r // lanes, lanes])
        sch.reorder(steps, own_r, thread_r, lane)
        partial = sch.rfactor(sch.fuse(thread_r, lane), 0)
        both = list(sch.get_loops(block))[-1]
        thread_r, _ = sch.split(both, [count_r, None])
        lane_sums = sch.rfactor(thread_r, 0)

        grid_y, tile, grid_x, thread_s, own_s, steps, own_r, both = sch.get_loops(partial)
        thread_r, lane = sch.split(both, [count_r, None])
        sch.reorder(grid_y, grid_x, thread_s, thread_r, steps, tile, own_s, own_r, lane)
        sch.bind(grid_y, "blockIdx.y")
        sch.bind(grid_x, "blockIdx.x")
        sch.bind(thread_s, sizes.axes[0])
        sch.bind(thread_r, sizes.axes[1])
        sch.vectorize(lane)

        sch.reverse_compute_at(lane_sums, grid_x, preserve_unit_loops=True)
        thread_r, lane, tile, *rest = list(sch.get_loops(lane_sums))[2:]
        outer, inner, own_s = sch.split(sch.fuse(*rest), [None, count_s, tile_s])
        own_s, vector = sch.split(own_s, [None, largest_factor(tile_s, (1, 2, 4, 8))])
        thread_s = sch.fuse(outer, inner)
        sch.reorder(thread_s, thread_r, own_s, tile, vector, lane)
        sch.bind(thread_s, sizes.axes[0])
        sch.bind(thread_r, sizes.axes[1])
        sch.vectorize(vector)

        sch.reverse_compute_at(block, grid_x, preserve_unit_loops=True)
        thread_r, tile, *rest = list(sch.get_loops(block))[2:]
        outer, inner, own_s = sch.split(sch.fuse(*rest), [None, count_s, tile_s])
        thread_s = sch.fuse(outer, inner)
        sch.reorder(own_s, tile, thread_s, thread_r)
        sch.bind(thread_s, sizes.axes[0])
        sch.bind(thread_r, sizes.axes[1])
        sch.decompose_reduction(partial, list(sch.get_loops(partial))[4])
        sch.decompose_reduction(lane_sums, list(sch.get_loops(lane_sums))[-1])
        sch.set_scope(partial, 0, "local")
        sch.set_scope(lane_sums, 0, "local")
        unroll_fully(sch, list(sch.get_loops(partial))[4], sizes.unroll)
        unroll_fully(sch, list(sch.get_loops(lane_sums))[4], sizes.unroll)
        if epilogue is not None:
            self._finish(sch, block, epilogue, grid_x, sizes, tile_s)
        return sch

    @staticmethod
    def _finish(sch, block, epilogue, grid, sizes, tile_s):
        """What follows the product, by the threads that summed it."""
        sch.reverse_compute_at(epilogue, grid, preserve_unit_loops=True)
        tile, *rest = list(sch.get_loops(epilogue))[2:]
        if is_broadcast_epilogue(sch, block, epilogue):
            sch.set_scope(block, 0, "shared")
            _, thread = sch.split(sch.fuse(tile, *rest), [None, sizes.threads[0]])
            sch.bind(thread, sizes.axes[0])
            return
        sch.set_scope(block, 0, "local")
        outer, inner, _ = sch.split(sch.fuse(*rest), [None, sizes.threads[0], tile_s])
        sch.bind(sch.fuse(outer, inner), sizes.axes[0])
