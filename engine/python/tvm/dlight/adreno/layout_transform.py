"""Copies into another layout."""
from .base import AdrenoScheduleRule, innermost_of, over_threads, vector_size


class LayoutTransform(AdrenoScheduleRule):
    """Functions with one block te_layout_transform (use_op_name=False: any one copy): what lies side by side is read and written as vectors."""

    def __init__(self, use_op_name=True):
        self.use_op_name = use_op_name

    def apply(self, func, target, _):
        sch, infos = self.begin(func, target)
        if sch is None or len(infos) != 1 or not infos[0].is_injective():
            return None
        info, block = infos[0], sch.get(infos[0].block_rv)
        if (self.use_op_name and info.name != "te_layout_transform") or len(block.reads) != 1 or len(block.writes) != 1:
            return None
        read, written = innermost_of(sch, info, block.reads[0]), innermost_of(sch, info, block.writes[0])
        if read is None or written is None or len(sch.get_loops(info.block_rv)) != len(info.iters):
            return None
        rest = [one.loop_rv for one in info.iters if not sch.get(one.loop_rv).same_as(sch.get(read)) and not sch.get(one.loop_rv).same_as(sch.get(written))]
        if sch.get(read).same_as(sch.get(written)):
            sch.reorder(*rest, written)
            outer, lanes = sch.split(written, [None, vector_size(sch, written)], preserve_unit_iters=True)
            sch.vectorize(lanes)
            over_threads(sch, [*rest, outer], 256)
            return sch
        sch.reorder(*rest, read, written)
        read_outer, read_lanes = sch.split(read, [None, vector_size(sch, read)], preserve_unit_iters=True)
        outer, lanes = sch.split(written, [None, vector_size(sch, written)], preserve_unit_iters=True)
        sch.reorder(read_outer, outer, read_lanes, lanes)
        tile = sch.cache_read(info.block_rv, 0, "local")
        sch.compute_at(tile, outer, preserve_unit_loops=True)
        sch.vectorize(sch.get_loops(tile)[-1])
        sch.vectorize(lanes)
        over_threads(sch, [*rest, read_outer, outer], 256)
        return sch
