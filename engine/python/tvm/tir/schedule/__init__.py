"""Schedules: programs transformed step by step."""
from .block_scope import BlockDependenceInfo, BlockScope, Dependency, DepKind, StmtSRef
from .instruction import Instruction, InstructionKind
from .schedule import BlockRV, ExprRV, LoopRV, RAND_VAR_TYPE, SBlockRV, Schedule, ScheduleError
from .state import ScheduleDebugMask, ScheduleState
from .trace import Trace
from . import analysis, schedule, state, trace, transform
