"""Schedulable TensorIR: what later versions of TVM keep apart from tvm.tirx."""
import importlib as _importlib

from ..tir import IndexMap, TensorIntrin, tensor_intrin
from ..tir import schedule
from ..tir.schedule import *  # noqa: F401,F403
from ..tir.schedule import BlockRV, LoopRV, Schedule, ScheduleError, Trace

SBlockRV = BlockRV


def __getattr__(name):
    if name == "meta_schedule":
        return _importlib.import_module("tvm.meta_schedule")
    raise AttributeError(f"module 'tvm.s_tir' has no attribute '{name}'")
