"""Rules, and the pass that applies them to a module."""
from ...ir import IRModule
from ...ir.transform import module_pass
from ...target import Target
from ...tir import Schedule
from ..analysis.blocks import functions_of

SCHEDULED = "tir.is_scheduled"


class ScheduleRule:
    """A rule: `apply` answers with a schedule of the function, or with None where the rule is not for it."""

    def apply(self, func, target, tunable):
        """A schedule of `func` for the target; None: not for this rule. `tunable`: may it hold samples (no rule here does)."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it applies")

    @staticmethod
    def from_callable(name):
        """A decorator that makes a rule of a function (func, target, tunable)."""

        def decorate(function):
            kind = type(name, (ScheduleRule,), {"apply": lambda self, func, target, tunable: function(func, target, tunable)})
            return kind()

        return decorate

    def is_target_available(self, target):
        """May the rule be used for the target?"""
        del target
        return True


def _only(found, rule, var):
    """The one schedule that a rule answered with, by itself or as a list of one."""
    made = list(found) if isinstance(found, (list, tuple)) else [found]
    if len(made) != 1 or not isinstance(made[0], Schedule):
        what = f"{len(made)} schedules" if all(isinstance(one, Schedule) for one in made) else " and ".join(type(one).__name__ for one in made)
        raise TypeError(f"the rule {type(rule).__name__} answers for {var.name_hint} with {what}; one schedule, or None, is expected")
    return made[0]


@module_pass(opt_level=0, name="ApplyDefaultSchedule")
class ApplyDefaultSchedule:
    """A pass: the first of the rules that answers schedules each function; those scheduled before and those without an answer stay as they are.

    The target is the current one (`with target:`); without one it is an error.
    """

    def __init__(self, *rules):
        self.rules = list(rules)

    def transform_module(self, mod, ctx):
        """A new module; the one that is given stays as it is."""
        del ctx
        target = Target.current(allow_none=False)
        done = {}
        for var, func in functions_of(mod):
            if func.attrs is not None and SCHEDULED in func.attrs and bool(func.attrs[SCHEDULED]):
                continue
            for rule in self.rules:
                found = rule.apply(func, target, False)
                if found is not None:
                    done[var] = _only(found, rule, var).mod["main"].with_attr(SCHEDULED, 1)
                    break
        return IRModule({var: done.get(var, func) for var, func in mod.functions.items()}, attrs=mod.attrs,
                        global_infos=mod.global_infos) if done else mod


def schedule_of(func):
    """A schedule to write to; None for what is no function of TensorIR."""
    from ...tir import PrimFunc
    return Schedule(func) if isinstance(func, PrimFunc) else None
