"""Choices between transformations of a module: what may be done (Choice, Knob), what was done (Trace), how well it ran.

Passes that choose pop the trace of the current PassContext, try their candidates and push the best one; other passes are
recorded in the trace when the context says so.  Measured times are kept in a database, so that nothing is measured twice.
"""
import itertools
import json
import os

from ... import ir as _ir
from ...error import _json_rows, _reading
from ...ir import IRModule
from ...ir.transform import PassContext, Sequential
from ...runtime._registry import get_global_func, register_func

_SAME = "relax.tuning_api.Choice.default_transform_func"
_ALWAYS = "relax.tuning_api.Choice.default_constr_func"


@register_func(_SAME, override=True)
def default_transform_func(mod):
    """The module itself."""
    return mod


@register_func(_ALWAYS, override=True)
def default_constr_func(mod):
    """Every module will do."""
    return True


def _to_json(value):
    return value if value is None or isinstance(value, (bool, int, float, str)) else {"node": _ir.save_json(value)}


def _from_json(value):
    return _ir.load_json(value["node"]) if isinstance(value, dict) else value


class Choice:
    """A transformation by the name of its function, and a condition on the module."""

    def __init__(self, transform_func_key=None, transform_func_args=None, constr_func_key=None, constr_func_args=None):
        self.transform_func_key = transform_func_key or _SAME
        self.transform_func_args = list(transform_func_args or [])
        self.constr_func_key = constr_func_key or _ALWAYS
        self.constr_func_args = list(constr_func_args or [])

    def get_transform_func(self):
        """The function."""
        return get_global_func(self.transform_func_key)

    def get_constr_func(self):
        """The condition."""
        return get_global_func(self.constr_func_key)

    def check_constr(self, mod):
        """Does the condition hold?"""
        return bool(self.get_constr_func()(mod, *self.constr_func_args))

    def apply_transform_func(self, mod):
        """The transformed module; where the condition does not hold, the module itself."""
        return self.get_transform_func()(mod.clone(), *self.transform_func_args) if self.check_constr(mod) else mod

    def as_json(self):
        """As plain data."""
        return [self.transform_func_key, [_to_json(x) for x in self.transform_func_args],
                self.constr_func_key, [_to_json(x) for x in self.constr_func_args]]

    @staticmethod
    def from_json(json_obj):
        """What as_json gave."""
        transform, transform_args, constr, constr_args = json_obj
        return Choice(transform, [_from_json(x) for x in transform_args], constr, [_from_json(x) for x in constr_args])


class Knob:
    """A name and the choices it has."""

    def __init__(self, name, choices):
        self.name = name
        self.choices = {str(i): choice for i, choice in enumerate(choices)} if isinstance(choices, (list, tuple)) else dict(choices)

    def verify(self, decision):
        """Is there such a choice?"""
        return str(decision) in self.choices

    def get_choice(self, decision):
        """The choice of that name or number."""
        if not self.verify(decision):
            raise ValueError(f"{self.name} has no choice {decision}; it has {', '.join(self.choices)}")
        return self.choices[str(decision)]

    def apply(self, mod, decision):
        """The module after the choice."""
        return self.get_choice(decision).apply_transform_func(mod)

    def as_json(self):
        """As plain data."""
        return [self.name, {name: choice.as_json() for name, choice in self.choices.items()}]

    @staticmethod
    def from_json(json_obj):
        """What as_json gave."""
        return Knob(json_obj[0], {name: Choice.from_json(choice) for name, choice in json_obj[1].items()})

    def __str__(self):
        return f"{self.name} (# of choices: {len(self.choices)})"


class Trace:
    """A module and the decisions that were taken about it."""

    def __init__(self, in_mod, knobs=None, decisions=None):
        knobs, decisions = list(knobs or []), list(decisions or [])
        if len(knobs) != len(decisions):
            raise ValueError("a trace has one decision for each knob")
        self.in_mod = self.out_mod = in_mod
        self.knobs, self.decisions = [], []
        self.perf = -1
        for knob, decision in zip(knobs, decisions):
            self.add(knob, decision)

    @property
    def size(self):
        """The number of decisions."""
        return len(self.decisions)

    def verify(self):
        """Can all decisions be taken?"""
        return all(knob.verify(decision) for knob, decision in zip(self.knobs, self.decisions))

    def record(self, knob, decision, out_mod):
        """A decision whose module is known."""
        self.knobs.append(knob)
        self.decisions.append(str(decision))
        self.out_mod, self.perf = out_mod, -1
        return out_mod

    def add(self, knob, decision):
        """Takes a decision; gives the module after it."""
        return self.record(knob, decision, knob.apply(self.out_mod, decision))

    def set_perf(self, perf):
        """How long the module runs."""
        self.perf = perf

    def set_out_mod(self, mod):
        """Another module as the outcome."""
        self.out_mod = mod

    def copy(self):
        """A trace that goes on by itself."""
        other = Trace(self.in_mod)
        other.knobs, other.decisions = list(self.knobs), list(self.decisions)
        other.out_mod, other.perf = self.out_mod, self.perf
        return other

    def as_json(self, include_irmod=True):
        """As plain data."""
        steps = [[knob.as_json(), decision] for knob, decision in zip(self.knobs, self.decisions)]
        return [steps, self.perf, [_ir.save_json(self.in_mod), _ir.save_json(self.out_mod)] if include_irmod else None]

    @staticmethod
    def from_json(json_obj):
        """What as_json gave."""
        steps, perf, modules = json_obj
        before, after = [_ir.load_json(text) for text in modules] if modules else [IRModule({})] * 2
        trace = Trace(before)
        trace.knobs, trace.decisions = [Knob.from_json(knob) for knob, _ in steps], [decision for _, decision in steps]
        trace.out_mod, trace.perf = after, perf
        return trace

    def __str__(self):
        steps = "\n".join(f"[{i + 1}] {knob} -> {decision}" for i, (knob, decision) in enumerate(zip(self.knobs, self.decisions)))
        return f"Trace length: {self.size}\n{steps}\nPerf: {self.perf}"


def get_trace(in_):
    """A trace that begins with a module or a function."""
    if isinstance(in_, Trace):
        return in_
    return Trace(in_ if isinstance(in_, IRModule) else IRModule.from_expr(in_))


def note_pass(ctx, info, mod):
    """What a pass that does not choose leaves in the trace of its context."""
    ctx.get_current_trace().record(Knob(info.name, {"enabled": Choice()}), "enabled", mod)


class TuningRecord:
    """A trace and its measured times."""

    def __init__(self, trace, run_secs=None):
        self.trace, self.run_secs = trace, list(run_secs or [])

    def as_json(self, include_irmod=False):
        """As plain data."""
        return [self.trace.as_json(include_irmod), self.run_secs]

    @staticmethod
    def from_json(json_obj):
        """What as_json gave."""
        return TuningRecord(Trace.from_json(json_obj[0]), json_obj[1])


class Database:
    """Base of databases."""


def _lines(path):
    if not os.path.exists(path):
        return []
    return _json_rows(path)


def _append(path, row):
    with open(os.fspath(path), "a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


class JSONDatabase(Database):
    """Modules, traces and times in three files, a row a line."""

    def __init__(self, path_workload, path_tuning_record, path_measurement_record):
        self.path_workload, self.path_tuning_record, self.path_measurement_record = path_workload, path_tuning_record, path_measurement_record
        self._workloads, self._tuning, self._measured = [], [], {}
        for place, row in _lines(path_workload):
            with _reading(place):
                self._workloads.append(_ir.load_json(row))
        for place, row in _lines(path_tuning_record):
            with _reading(place):
                i, target, record = row
                self._tuning.append((i, target, TuningRecord.from_json(record)))
        for place, row in _lines(path_measurement_record):
            with _reading(place):
                i, target, secs = row
                self._measured[(i, target)] = secs

    def _find(self, mod):
        return next((i for i, known in enumerate(self._workloads) if known is mod or _ir.structural_equal(known, mod)), None)

    def has_workload(self, mod):
        """Is the module known?"""
        return self._find(mod) is not None

    def commit_workload(self, mod):
        """The number of a module, which is kept."""
        at = self._find(mod)
        if at is None:
            at = len(self._workloads)
            self._workloads.append(mod)
            _append(self.path_workload, _ir.save_json(mod))
        return at

    def commit_tuning_record(self, workload, target, record):
        """Keeps a trace and its times."""
        self._tuning.append((workload, str(target), record))
        _append(self.path_tuning_record, [workload, str(target), record.as_json(True)])

    def has_tuning_record(self, workload, target):
        """Is there a trace of the module?"""
        return any((i, name) == (workload, str(target)) for i, name, _ in self._tuning)

    def get_top_k(self, workload, target, top_k):
        """The fastest traces of the module."""
        rows = [record for i, name, record in self._tuning if (i, name) == (workload, str(target)) and record.run_secs]
        return sorted(rows, key=lambda record: sum(record.run_secs) / len(record.run_secs))[:top_k]

    def commit_measurement_record(self, workload, target, run_secs):
        """Keeps times of a module."""
        self._measured[workload, str(target)] = [float(x) for x in run_secs]
        _append(self.path_measurement_record, [workload, str(target), [float(x) for x in run_secs]])

    def has_measurement_record(self, workload, target):
        """Was the module measured?"""
        return (workload, str(target)) in self._measured

    def get_measurement_record(self, workload, target):
        """Its times; none where it was not measured."""
        return list(self._measured.get((workload, str(target)), []))


# ---- what passes that choose do by default ------------------------------------------------------------


def default_generate_candidate(knobs, trace, eval_passes=None):
    """A trace for each combination of choices whose conditions hold."""
    candidates = [trace]
    for knob in knobs:
        grown = []
        for candidate, (name, choice) in itertools.product(candidates, knob.choices.items()):
            if choice.check_constr(candidate.out_mod):
                fresh = candidate.copy()
                fresh.add(knob, name)
                grown.append(fresh)
        candidates = default_consider_eval_passes(grown, eval_passes) if eval_passes else grown
    return candidates


def default_consider_eval_passes(init_candidates, eval_passes=None):
    """Each candidate as the passes leave it."""
    ctx, steps = PassContext.current(), Sequential(list(eval_passes or []))
    result = []
    for candidate in init_candidates:
        ctx.push_trace(candidate.copy())
        for step in steps.passes:
            step(ctx.get_current_trace().out_mod)
        result.append(ctx.pop_trace())
    return result


def _measure(mod, target):
    from ... import cpu, nd
    from .. import VirtualMachine, build
    import numpy as np

    name = "main"
    params = mod[name].params
    args = []
    for param in params:
        info = param.struct_info
        shape = [int(x) for x in info.shape.values]
        args.append(nd.array(np.ones(shape).astype(info.dtype)))
    vm = VirtualMachine(build(mod, target), cpu())
    return list(vm.time_evaluator(name, cpu(), number=5, repeat=3)(*args).results)


def default_evaluate(candidates, target_str, params=None, builder=None, runner=None, ctx=None):
    """Measures the candidates that were not measured yet."""
    from ...target import Target

    ctx = ctx or PassContext.current()
    database, target, count = ctx.get_tuning_api_database(), Target(target_str), 0
    for candidate in candidates:
        if candidate.perf != -1:
            continue
        count += 1
        workload = database.commit_workload(candidate.out_mod) if database is not None else None
        secs = database.get_measurement_record(workload, target) if database is not None else []
        if not secs:
            secs = _measure(candidate.out_mod, target)
            if database is not None:
                database.commit_measurement_record(workload, target, secs)
        candidate.set_perf(sum(secs) / len(secs))
    ctx.inc_num_evals(count)


def select_best_candidate(candidates):
    """The fastest one."""
    if any(candidate.perf == -1 for candidate in candidates):
        raise ValueError("a candidate was not evaluated")
    return min(candidates, key=lambda candidate: candidate.perf)
