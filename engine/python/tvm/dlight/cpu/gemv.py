"""Products of a matrix and a vector on a CPU: rows over the cores, several rows in a vector, the sum in pieces."""
from ...tir import IntImm
from ...tir.schedule import ScheduleError
from ..analysis import is_gemv, normalize, normalize_prim_func
from ..base.inline import try_inline_contiguous_spatial
from ..base.rule import ScheduleRule, schedule_of
from ..base.threads import unroll_fully


class CPUScheduleRule(ScheduleRule):
    """A rule for targets that run on a CPU."""

    def is_target_available(self, target):
        """Is it a CPU?"""
        return "cpu" in target.keys or target.kind.name == "llvm"


class GEMV(CPUScheduleRule):
    """A matrix whose rows are summed; what comes before it is taken in, what comes after stays a loop of its own."""

    def apply(self, func, target, tunable):
        del tunable
        sch = schedule_of(func) if self.is_target_available(target) else None
        if sch is None:
            return None
        infos = try_inline_contiguous_spatial(sch, normalize_prim_func(sch))
        if not infos or len(infos) > 2 or len(infos) == 2 and not infos[1].is_injective():
            return None
        if is_gemv(sch, infos[0]) is None or not normalize(sch, infos[0]):
            return None
        try:
            return self._rows(sch, infos[0].block_rv)
        except ScheduleError:
            return None

    @staticmethod
    def _rows(sch, block):
        _, data, summed, parts = sch.get_loops(block)
        rows, length, packed = (int(e) if isinstance(e, IntImm) else None for e in (sch.get(loop).extent for loop in (data, summed, parts)))
        lanes, piece = 64, 64
        if rows is not None and length is not None and packed is not None:
            lanes, piece = (128, 64) if rows > length * packed else (64, 128)
        outer, lane = sch.split(data, [None, lanes])
        steps, inner = sch.split(summed, [None, piece])
        part, within = sch.split(parts, [None, min(8, packed or 1)])
        sch.reorder(outer, lane, steps, inner, part, within)
        sch.parallel(outer)
        sch.vectorize(lane)
        unroll_fully(sch, steps, 256)
        return sch
