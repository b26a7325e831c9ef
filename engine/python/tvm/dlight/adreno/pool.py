"""Maxima and sums over windows, with channels in blocks."""
from .base import AdrenoScheduleRule, inline_left, over_threads

_MOST = 256


class Pool2D(AdrenoScheduleRule):
    """Functions with a block pool_max or adaptive_pool_sum, its padding and what follows it."""

    def apply(self, func, target, _):
        sch, infos = self.begin(func, target)
        pools = [one for one in infos if one.name in ("pool_max", "adaptive_pool_sum")]
        if sch is None or len(pools) != 1 or pools[0].dom_kind() != "SSSSSRR" or len(sch.get_loops(pools[0].block_rv)) != 7:
            return None
        at, pool = infos.index(pools[0]), pools[0].block_rv
        inline_left(sch, [one for one in infos[:at] if one.name != "pad_temp"], False)
        for one in infos[:at]:
            if one.name == "pad_temp":
                *rest, last = sch.get_loops(one.block_rv)
                sch.vectorize(last)
                over_threads(sch, rest, _MOST)
        loops = sch.get_loops(pool)
        sch.reverse_compute_at(sch.cache_write(pool, 0, "local"), loops[4])
        over_threads(sch, loops[:4], _MOST)
        sch.vectorize(loops[4])
        inline_left(sch, infos[at + 1:], True)
        return sch
