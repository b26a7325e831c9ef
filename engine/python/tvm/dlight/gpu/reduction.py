"""One reduction, with what follows it: a block of threads sums each value together."""
from ...tir import IntImm, IterVar
from ..analysis import detect_dominant_read, is_broadcast_epilogue, iter_splits, normalize_prim_func
from ..analysis.access import factor_of
from ..base.inline import try_inline_contiguous_spatial
from ..base.rule import schedule_of
from ..base.threads import suggest_threads_per_block, unroll_fully
from .base import GPUScheduleRule


class Reduction(GPUScheduleRule):
    """A block that sums and at most one that uses the sums: partial sums in registers, then a sum over the threads."""

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
        block = sch.get(info.block_rv)
        if not info.is_reduction() or len(block.writes) != 1 or not block.reads:
            return None
        order = self._order(sch, info)
        if order is None:
            return None
        inner, part = order
        if inner:
            self._rows(sch, target, info.block_rv, part, epilogue)
        else:
            self._columns(sch, info, part, epilogue)
        return sch

    @staticmethod
    def _order(sch, info):
        """The loops as data, reduction, parts. (Is the innermost axis of the operand reduced, parts of data; None: none); None: not for this rule."""
        block = sch.get(info.block_rv)
        splits = iter_splits(block, detect_dominant_read(block))
        if not splits or any(factor_of(one) is None for one in splits):
            return None
        infos = list(info.iters)
        data, reduced, parts = [], [], []
        part, inner = None, False
        for split in splits:
            own = next((one for one in infos if one.var.same_as(split.var)), None)
            if own is None:
                return None
            infos.remove(own)
            loop, inner = own.loop_rv, own.kind == "R"
            if factor_of(split) > 1:
                if parts:
                    return None
                loop, inside = sch.split(loop, [None, factor_of(split)])
                parts.append(inside)
                part = None if inner else factor_of(split)
            (reduced if inner else data).append(loop)
        if any(one.kind != "S" or one.dom != 1 for one in infos):
            return None
        data += [one.loop_rv for one in infos]
        if not data or not reduced:
            return None
        if not parts:
            parts.append(sch.add_unit_loop(info.block_rv))
        sch.reorder(*data, *reduced, *parts)
        sch.fuse(*data)
        sch.fuse(*reduced)
        return inner, part

    @staticmethod
    def _rows(sch, target, block, part, epilogue):
        """Each value of the result by one block of threads along the innermost axis."""
        _, reduced, _ = sch.get_loops(block)
        (threads,) = suggest_threads_per_block(target, [sch.get(reduced)])
        _, lane = sch.split(reduced, [None, threads])
        partial = sch.rfactor(lane, 0)
        grid, steps, lane, _ = sch.get_loops(partial)
        sch.reorder(grid, lane, steps)
        sch.bind(grid, "blockIdx.x")
        sch.bind(lane, "threadIdx.x")
        unroll_fully(sch, lane, 256)
        sch.set_scope(partial, 0, "local")
        sch.decompose_reduction(partial, steps)
        sch.reverse_compute_at(block, grid, preserve_unit_loops=True)
        _, lane, *rest = sch.get_loops(block)
        if part:
            *rest, inside = rest
            data = sch.fuse(*rest, inside) if rest else inside
            _, inside = sch.split(data, [None, part])
            sch.reorder(_, lane, inside)
        else:
            data = sch.fuse(*rest)
            sch.reorder(data, lane)
        sch.bind(lane, "threadIdx.x")
        if epilogue is None:
            return
        sch.reverse_compute_at(epilogue.block_rv, grid, preserve_unit_loops=True)
        if is_broadcast_epilogue(sch, block, epilogue.block_rv):
            sch.set_scope(block, 0, "shared")
            _, *rest = sch.get_loops(epilogue.block_rv)
            _, lane = sch.split(sch.fuse(*rest), [None, threads])
            sch.bind(lane, "threadIdx.x")
        else:
            sch.set_scope(block, 0, "local")

    @staticmethod
    def _columns(sch, info, part, epilogue):
        """Neighbouring values of the result by neighbouring threads, the sum of each by several of them."""
        block = info.block_rv
        across, down = 16, 16
        last = [one for one in sch.get(block).iter_vars if one.iter_type == IterVar.DataPar][-1].dom.extent
        if isinstance(last, IntImm):
            while across > 1 and int(last) % across:
                across -= 1
        data, reduced, *_ = sch.get_loops(block)
        sch.split(data, [None, across])
        _, lane_y = sch.split(reduced, [None, down])
        partial = sch.rfactor(lane_y, 0)
        grid, lane_x, steps, lane_y, *rest = sch.get_loops(partial)
        sch.reorder(grid, lane_x, lane_y, steps)
        sch.bind(lane_x, "threadIdx.x")
        sch.bind(lane_y, "threadIdx.y")
        sch.bind(grid, "blockIdx.x")
        sch.set_scope(partial, 0, "local")
        sch.decompose_reduction(partial, steps)
        sch.reverse_compute_at(block, grid, preserve_unit_loops=True)
        _, lane_y, *rest = sch.get_loops(block)
        if part:
            data = sch.fuse(*rest)
            data, inside = sch.split(data, [None, part])
            sch.reorder(data, lane_y, inside)
        else:
            data = sch.fuse(*rest)
            sch.reorder(data, lane_y)
        sch.bind(data, "threadIdx.x")
        sch.bind(lane_y, "threadIdx.y")
        if epilogue is None:
            return
        sch.reverse_compute_at(epilogue.block_rv, grid, preserve_unit_loops=True)
        _, *rest = sch.get_loops(epilogue.block_rv)
        if is_broadcast_epilogue(sch, block, epilogue.block_rv):
            sch.set_scope(block, 0, "shared")
            _, lane_x, lane_y = sch.split(sch.fuse(*rest), [None, across, down])
            sch.bind(lane_x, "threadIdx.x")
            sch.bind(lane_y, "threadIdx.y")
        else:
            sch.set_scope(block, 0, "local")
            sch.bind(sch.fuse(*rest), "threadIdx.x")
