"""The program of a schedule and what is known of its blocks."""
from enum import IntEnum

from ...ir.module import IRModule


class ScheduleDebugMask(IntEnum):
    """What is checked after each step."""

    VERIFY_SREF_TREE = 1
    VERIFY_CACHED_FLAGS = 2


class CachedFlags:
    """What is known of a block."""

    def __init__(self, affine_binding, region_cover, stage_pipeline):
        self.affine_binding, self.region_cover, self.stage_pipeline = affine_binding, region_cover, stage_pipeline


class ScheduleState:
    """A module being scheduled."""

    def __init__(self, mod, *, debug_mask="none", enable_check=True):
        from .schedule import Schedule

        self._sch = mod if isinstance(mod, Schedule) else Schedule(mod)
        self.debug_mask = 0

    @property
    def mod(self):
        """The module."""
        return self._sch.mod

    def get_sref(self, stmt):
        """The place of a block or loop."""
        return self._sch._sref_of(stmt)

    def _get_cached_flags(self, block_sref):
        import _loopscope as _core

        flags = _core.block_flags(self._sch, block_sref.stmt)
        return CachedFlags(*flags)

    def replace(self, src_sref, tgt_stmt, block_sref_reuse=None):
        """Not offered: the program is changed by primitives."""
        raise NotImplementedError("ScheduleState.replace is not offered")


__all__ = ["ScheduleDebugMask", "ScheduleState", "CachedFlags", "IRModule"]
