"""Default schedules: programs get a reasonable schedule by rules, without searching.

Each rule of `gpu` and `cpu` knows one shape of program. `ApplyDefaultSchedule(*rules)` asks them in order for every
function of a module and takes the first that answers. Source: what the rules of the same names of TVM v0.20 give.
"""
from . import analysis, base, cpu, gpu
from .analysis import BlockInfo, IterInfo, normalize_prim_func
from .base import ApplyDefaultSchedule, ScheduleRule, try_inline, try_inline_contiguous_spatial
