"""Default schedules: programs get a reasonable schedule by rules, without searching.

Each rule of `gpu`, `cpu` and `adreno` knows one shape of program. `ApplyDefaultSchedule(*rules)` asks them in order for every
function of a module and takes the first that answers. Source: what the rules of the same names of TVM v0.20 give.
"""
from . import adreno, analysis, base, cpu, gpu
from .analysis import BlockInfo, IterInfo, normalize_prim_func
from .base import ApplyDefaultSchedule, ScheduleRule, try_inline, try_inline_contiguous_spatial

from .._alias import moved as _moved  # noqa: E402

# the files that TVM keeps these in
for _name, _where in {"base.analysis": "analysis", "base.common_schedules": "base.inline", "base.schedule_rule": "base.rule", "base.transform": "base.rule",
                      "base.utils": "base.common", "analysis.common_analysis": "analysis", "gpu.utils": "base.threads", "cpu.base": "base.rule",
                      "benchmark.bench": "benchmark.measure", "benchmark.utils": "benchmark.measure"}.items():
    _moved(f"{__name__}.{_name}", f"{__name__}.{_where}")
