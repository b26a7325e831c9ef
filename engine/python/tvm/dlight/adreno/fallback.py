"""What no other rule takes, where it writes to textures."""
from ...tir.schedule import ScheduleError
from ..analysis import get_block_info
from ..base.threads import max_threads_per_block
from .base import AdrenoScheduleRule, has_condition, innermost_of, over_threads


def _inline(sch, infos):
    """Each copy that has one reader goes into it, else into the one block that it reads."""
    left = []
    for info in infos:
        block = info.block_rv
        try:
            if len(sch.get_consumers(block)) == 1:
                sch.compute_inline(block)
            elif len(sch.get_producers(block)) == 1 and len(sch.get_consumers(sch.get_producers(block)[0])) == 1:
                sch.reverse_compute_inline(block)
            else:
                left.append(info)
        except ScheduleError:
            left.append(info)
    return left


def _schedule(sch, block, most):
    """Data over threads, the last dimension of what is written as a vector, sums in registers."""
    info = get_block_info(sch, block)
    vector = innermost_of(sch, info, sch.get(block).writes[0])
    data, reduced, other = ([one.loop_rv for one in info.iters if one.kind == kind and (vector is None or not sch.get(one.loop_rv).same_as(sch.get(vector)))] for kind in "SRO")
    if other or not data:
        return
    lanes = [vector] if vector is not None else []
    sch.reorder(*data, *reduced, *lanes)
    threads = over_threads(sch, data, most)
    made = []
    if reduced:
        made.append(sch.cache_write(block, 0, "local"))
        sch.reverse_compute_at(made[0], threads)
    if lanes:
        sch.vectorize(lanes[0])
    if reduced:
        made.append(sch.decompose_reduction(block, reduced[0]))
    for one in made if lanes else ():
        sch.vectorize(sch.get_loops(one)[-1])


class Fallback(AdrenoScheduleRule):
    """Any function of flat blocks of which one writes to a texture."""

    def apply(self, func, target, _):
        sch, infos = self.begin(func, target)
        if sch is None or any(sch.get_child_blocks(one.block_rv) for one in infos):
            return None
        if not any("texture" in region.buffer.scope() for one in infos for region in sch.get(one.block_rv).writes):
            return None
        own = [one for one in infos if not one.is_injective() or has_condition(sch.get(one.block_rv))]
        for one in own + _inline(sch, [one for one in infos if one not in own]):
            _schedule(sch, one.block_rv, max_threads_per_block(target))
        return sch
