"""The rule that takes every program: data over blocks and threads, reductions within a thread."""
from ...tir import AttrStmt
from ...tir.stmt_functor import post_order_visit
from ..analysis import normalize_prim_func
from ..base.inline import try_inline
from ..base.rule import schedule_of
from ..base.threads import max_threads_per_block
from .base import GPUScheduleRule


def _launches(block):
    """Is the body of the block a kernel that somebody wrote, with threads of its own?"""
    found = []
    post_order_visit(block.body, lambda node: found.append(node) if isinstance(node, AttrStmt) and node.attr_key == "thread_extent" else None)
    return bool(found)


class Fallback(GPUScheduleRule):
    """Fuses the loops over data of each block and gives them to blocks and threads; what can be inlined is."""

    def apply(self, func, target, tunable):
        del tunable
        sch = schedule_of(func) if self.is_target_available(target) else None
        if sch is None:
            return None
        infos = normalize_prim_func(sch)
        if infos is None:
            return None
        sums = []
        for info in try_inline(sch, infos):
            kinds, block = info.dom_kind(), info.block_rv
            loops = list(sch.get_loops(block))
            if not loops or any(sch.get(one).thread_binding is not None for one in loops) or "S" not in kinds or _launches(sch.get(block)):
                continue
            data, reduced, other = ([loop for loop, kind in zip(loops, kinds) if kind == wanted] for wanted in "SRO")
            sch.reorder(*data, *reduced, *other)
            blocks, threads = sch.split(sch.fuse(*data), [None, max_threads_per_block(target)])
            sch.bind(blocks, "blockIdx.x")
            sch.bind(threads, "threadIdx.x")
            if reduced:
                sums.append((block, reduced[0]))
        for block, loop in sums:
            sch.decompose_reduction(block, loop)
        return sch
