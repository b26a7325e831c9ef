"""What the rules for Adreno share."""
from ...tir import Call, IntImm, Var
from ...tir.stmt_functor import post_order_visit
from ..analysis import get_block_info, get_root_block
from ..base.rule import ScheduleRule, schedule_of


class AdrenoScheduleRule(ScheduleRule):
    """A rule that is for targets with the key "adreno"."""

    def is_target_available(self, target):
        """Is it a GPU of Qualcomm?"""
        return "adreno" in target.keys

    def begin(self, func, target):
        """A schedule of the function and its blocks under the root, or None and nothing where the rule is not for it."""
        sch = schedule_of(func) if self.is_target_available(target) else None
        return sch, [get_block_info(sch, block) for block in sch.get_child_blocks(get_root_block(sch))] if sch is not None else []


def has_condition(block):
    """Is there a T.if_then_else in it, as padding has?"""
    found = []
    post_order_visit(block.body, lambda node: found.append(node) if isinstance(node, Call) and getattr(node.op, "name", "") == "tir.if_then_else" else None)
    return bool(found)


def over_threads(sch, loops, most):
    """Runs loops as blocks and threads, at the most so many: the loop of the threads."""
    fused = sch.fuse(*loops)
    extent = sch.get(fused).extent
    blocks, threads = sch.split(fused, [None, min(int(extent), most) if isinstance(extent, IntImm) else most])
    sch.bind(blocks, "blockIdx.x")
    sch.bind(threads, "threadIdx.x")
    return threads


def innermost_of(sch, info, region):
    """The loop that runs along the last dimension of a region, or None where that is no plain iterator."""
    index = region.region[-1].min if region.region else None
    if isinstance(index, Var):
        for one in info.iters:
            if one.var.same_as(index):
                return one.loop_rv
    return None


def vector_size(sch, loop):
    """The lanes that divide a loop: 4, 2 or 1."""
    extent = sch.get(loop).extent
    return next(n for n in (4, 2, 1) if int(extent) % n == 0) if isinstance(extent, IntImm) else 1


def inline_left(sch, infos, summed):
    """Inlines blocks into their readers until one that sums has come, behind it into what they read; what cannot be stays."""
    from ...tir.schedule import ScheduleError

    for info in infos:
        try:
            (sch.reverse_compute_inline if summed else sch.compute_inline)(info.block_rv)
        except ScheduleError:
            continue
