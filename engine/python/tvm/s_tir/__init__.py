"""Schedulable TensorIR: what later versions of TVM keep apart from tvm.tirx.

The modules below it (schedule, transform, analysis, tensor_intrin, meta_schedule, dlight, script) are those of tvm.tir and tvm: tvm/__init__.py says which.
"""
import importlib as _importlib

from .. import tir as _tir
from ..tir import BlockDependenceInfo as SBlockDependenceInfo
from ..tir import Block as SBlock
from ..tir import BlockRealize as SBlockRealize
from ..tir import BijectiveLayout as SBijectiveLayout
from ..tir import IndexMap, IterVar, Layout as SLayout, MatchBufferRegion, TensorIntrin
from ..tir import bijective_layout as sbijective_layout, layout as slayout
from ..tir.schedule import *  # noqa: F401,F403
from ..tir.schedule import BlockRV as SBlockRV, BlockScope as SBlockScope
from ..tir.schedule import BlockRV, LoopRV, Schedule, ScheduleError, ScheduleState, StmtSRef, Trace


def renew_defs(func):
    """The same function with variables and buffers of its own."""
    return _tir.stmt_functor.renew_defs(func)


def __getattr__(name):
    if name in ("schedule", "transform", "analysis", "tensor_intrin", "meta_schedule", "dlight", "script"):
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'tvm.s_tir' has no attribute '{name}'")
