"""Products of a matrix and a vector: several threads sum one value together, in lanes."""
from ...runtime import DataType
from ...tir import IntImm
from ...tir.schedule import ScheduleError
from ..analysis import is_broadcast_epilogue, is_gemv, normalize, normalize_prim_func
from ..base.inline import try_inline_contiguous_spatial
from ..base.rule import schedule_of
from ..base.threads import unroll_fully
from .base import GPUScheduleRule
from .gemv_sizes import largest_factor, sizes_for


def extent_of(sch, loop):
    """The extent of a loop: an int where it is known, otherwise an expression."""
    extent = sch.get(loop).extent
    return int(extent) if isinstance(extent, IntImm) else extent


class GEMV(GPUScheduleRule):
    """A matrix whose rows are summed, with one block before (unpacking) and one after it."""

    def apply(self, func, target, tunable):
        del tunable
        sch = schedule_of(func) if self.is_target_available(target) else None
        if sch is None:
            return None
        infos = try_inline_contiguous_spatial(sch, normalize_prim_func(sch))
        if not infos or len(infos) > 2:
            return None
        info, epilogue = infos[0], infos[1] if len(infos) == 2 else None
        if epilogue is not None and not epilogue.is_injective():
            return None
        vectors = is_gemv(sch, info)
        if vectors is None or not normalize(sch, info):
            return None
        try:
            return self._sum_rows(sch, target, info.block_rv, vectors, epilogue.block_rv if epilogue is not None else None)
        except ScheduleError:
            return None

    @staticmethod
    def _sum_rows(sch, target, block, vectors, epilogue):
        batch, data, summed, parts = sch.get_loops(block)
        rows, length, packed = extent_of(sch, data), extent_of(sch, summed), extent_of(sch, parts)
        sizes = sizes_for(target, rows, length * packed if isinstance(length, int) and isinstance(packed, int) else length)
        count_s, count_r = sizes.threads
        tile_s = 1
        tile_r = packed if isinstance(packed, int) and packed > 1 else max(
            largest_factor(length, [count_r * n for n in (1, 2, 4, 8)]) // count_r, 1)
        lanes = min(largest_factor(tile_r, (1, 2, 4, 8)), sizes.lanes)

        data = sch.fuse(batch, data)
        summed = sch.fuse(summed, parts)
        _, thread_s, own_s = sch.split(data, [None, count_s, tile_s])
        steps, thread_r, own_r, lane = sch.split(summed, [None, count_r, tile_r // lanes, lanes])
        sch.reorder(steps, own_r, thread_r, lane)
        partial = sch.rfactor(sch.fuse(thread_r, lane), 0)
        _, thread_s, own_s, both = sch.get_loops(block)
        thread_r, _ = sch.split(both, [count_r, None])
        lane_sums = sch.rfactor(thread_r, 0)

        grid, thread_s, own_s, steps, own_r, both = sch.get_loops(partial)
        thread_r, lane = sch.split(both, [count_r, None])
        sch.reorder(grid, thread_s, thread_r, steps, own_s, own_r, lane)
        sch.bind(grid, "blockIdx.x")
        sch.bind(thread_s, sizes.axes[0])
        sch.bind(thread_r, sizes.axes[1])
        sch.vectorize(lane)

        reads = [region.buffer for region in sch.get(partial).reads]
        reads = [one for one in reads if not any(one.same_as(region.buffer) for region in sch.get(partial).writes)]
        vector = [i for i, one in enumerate(reads) if any(one.same_as(other) for other in vectors)]
        matrix = next(i for i in range(len(reads)) if i not in vector)
        loaded = sch.cache_read(partial, matrix, "local")
        sch.compute_at(loaded, steps, preserve_unit_loops=True)
        together = max(1, sizes.load_bytes * 8 // DataType(reads[matrix].dtype).bits)
        _, lane = sch.split(sch.fuse(*list(sch.get_loops(loaded))[-2:]), [None, together])
        sch.vectorize(lane)
        shared = None
        if sizes.share and vector:
            shared = GEMV._share(sch, partial, vector[0], thread_r, sizes)

        GEMV._sum_lanes(sch, lane_sums, grid, sizes, tile_s)
        sch.reverse_compute_at(block, grid, preserve_unit_loops=True)
        thread_r, *rest = list(sch.get_loops(block))[1:]
        outer, inner, own_s = sch.split(sch.fuse(*rest), [None, count_s, tile_s])
        thread_s = sch.fuse(outer, inner)
        sch.reorder(own_s, thread_s, thread_r)
        sch.bind(thread_s, sizes.axes[0])
        sch.bind(thread_r, sizes.axes[1])
        sch.decompose_reduction(partial, list(sch.get_loops(partial))[3])
        sch.decompose_reduction(lane_sums, list(sch.get_loops(lane_sums))[-1])
        sch.set_scope(partial, 0, "local")
        sch.set_scope(lane_sums, 0, "local")
        unroll_fully(sch, list(sch.get_loops(partial))[3], sizes.unroll)
        unroll_fully(sch, list(sch.get_loops(lane_sums))[3], sizes.unroll)
        if shared is not None:
            steps = list(sch.get_loops(shared))[-4]
            sch.annotate(steps, "pragma_unroll_explicit", sizes.unroll)
            sch.annotate(steps, "pragma_vectorize", 1)
        if epilogue is not None:
            GEMV._finish(sch, block, epilogue, grid, sizes, tile_s)
        return sch

    @staticmethod
    def _share(sch, block, operand, loop, sizes):
        """The vector in shared memory, brought by all threads together."""
        shared = sch.cache_read(block, operand, "shared")
        sch.compute_at(shared, loop, preserve_unit_loops=True)
        last = list(sch.get_loops(shared))[-1]
        count = sizes.threads[0] * sizes.threads[1]
        extent = extent_of(sch, last)
        lanes = 1
        if isinstance(extent, int):
            lanes = max(min(largest_factor(extent, [count * n for n in (1, 2, 4, 8)]) // count, sizes.share_lanes), 1)
        _, first, second, lane = sch.split(last, [None, *(sizes.threads if sizes.axes[1] == "threadIdx.x" else reversed(sizes.threads)), lanes])
        sch.bind(first, "threadIdx.y")
        sch.bind(second, "threadIdx.x")
        sch.vectorize(lane)
        return shared

    @staticmethod
    def _sum_lanes(sch, lane_sums, grid, sizes, tile_s):
        """Each thread's lanes become one value."""
        sch.reverse_compute_at(lane_sums, grid, preserve_unit_loops=True)
        thread_r, lane, *rest = list(sch.get_loops(lane_sums))[1:]
        outer, inner, own_s = sch.split(sch.fuse(*rest), [None, sizes.threads[0], tile_s])
        own_s, vector = sch.split(own_s, [None, largest_factor(tile_s, (1, 2, 4, 8))])
        thread_s = sch.fuse(outer, inner)
        sch.reorder(thread_s, thread_r, own_s, vector, lane)
        sch.bind(thread_s, sizes.axes[0])
        sch.bind(thread_r, sizes.axes[1])
        sch.vectorize(vector)

    @staticmethod
    def _finish(sch, block, epilogue, grid, sizes, tile_s):
        """What follows the product, by the threads that summed it."""
        sch.reverse_compute_at(epilogue, grid, preserve_unit_loops=True)
        rest = list(sch.get_loops(epilogue))[1:]
        if is_broadcast_epilogue(sch, block, epilogue):
            sch.set_scope(block, 0, "shared")
            _, thread = sch.split(sch.fuse(*rest), [None, sizes.threads[0]])
            sch.bind(thread, sizes.axes[0])
            return
        sch.set_scope(block, 0, "local")
        outer, inner, _ = sch.split(sch.fuse(*rest), [None, sizes.threads[0], tile_s])
        sch.bind(sch.fuse(outer, inner), sizes.axes[0])
