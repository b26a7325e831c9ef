"""The program of a schedule and what is known of its blocks."""
from enum import IntEnum
from typing import NamedTuple

from ...ir.module import IRModule


class ScheduleDebugMask(IntEnum):
    """What TVM checks after each step.  It is kept and told; the engine's own tests check these, so a schedule does not."""

    VERIFY_SREF_TREE = 1
    VERIFY_CACHED_FLAGS = 2


def parse_debug_mask(debug_mask):
    """The bits that "all", "none" or a number stand for; ValueError for anything else."""
    if isinstance(debug_mask, str):
        bits = {"all": ScheduleDebugMask.VERIFY_SREF_TREE | ScheduleDebugMask.VERIFY_CACHED_FLAGS, "none": 0}.get(debug_mask)
        if bits is None:
            raise ValueError(f"Unrecognizable debug_mask: {debug_mask}")
        return int(bits)
    if not isinstance(debug_mask, bool) and isinstance(debug_mask, int) and debug_mask >= -1:
        return debug_mask
    raise TypeError(f"`debug_mask` should be integer or string, but gets: {debug_mask}")


class CachedFlags(NamedTuple):
    """What is known of a block."""

    affine_binding: bool
    region_cover: bool
    stage_pipeline: bool


class ScheduleState:
    """A module being scheduled."""

    def __init__(self, mod, *, debug_mask="none", enable_check=True):
        from .schedule import Schedule

        self._sch = mod if isinstance(mod, Schedule) else Schedule(mod, debug_mask=debug_mask)
        self.debug_mask = self._sch._debug_mask

    @property
    def mod(self):
        """The module."""
        return self._sch.mod

    def get_sref(self, stmt):
        """The place of a block or loop."""
        return self._sch._sref_of(stmt)

    def _get_cached_flags(self, block_sref):
        flags = self._sch._flags(block_sref.stmt)
        if flags is None:
            raise ValueError(f"{block_sref.stmt.name_hint} is no block of this program")
        return CachedFlags(*flags)

    def replace(self, src_sref, tgt_stmt, block_sref_reuse=None):
        """Not offered: the program is changed by primitives."""
        raise NotImplementedError("ScheduleState.replace is not offered")


__all__ = ["ScheduleDebugMask", "ScheduleState", "CachedFlags", "IRModule"]
