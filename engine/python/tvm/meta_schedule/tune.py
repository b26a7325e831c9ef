"""The search itself: the engine draws and learns, workers measure, the database keeps."""
import json
import logging

import _loopscope as _core

from ..tir.schedule.trace import Trace
from .arg_info import ArgInfo
from .builder import Builder
from .cost_model import CostModel
from .database import Database, TuningRecord
from .measure_callback import MeasureCallback
from .runner import Runner
from .search_strategy import MeasureCandidate
from .task_scheduler import TaskScheduler

_log = logging.getLogger(__name__)


class TuneConfig:
    """How much to search (the form of 2022)."""

    def __init__(self, max_trials_global=64, num_trials_per_iter=64, *, max_trials_per_task=None, strategy="evolutionary", task_scheduler="gradient",
                 search_strategy_config=None, task_scheduler_config=None, logger_config=None, adaptive_training=None):
        self.max_trials_global = max_trials_global
        self.num_trials_per_iter = num_trials_per_iter
        self.max_trials_per_task = max_trials_per_task
        self.strategy = strategy
        self.task_scheduler = task_scheduler


class _Task:
    """One search and what it has found."""

    def __init__(self, context, database, n_batch, learns):
        from .utils import num_cores

        self.context, self.database = context, database
        self.workload = database.commit_workload(context.mod)
        strategy = context.search_strategy
        evolutionary = learns and (strategy is None or strategy.evolutionary)
        designs = context.generate_design_space()
        finishes = context.space_generator.finishes
        self.tuner = _core.Tuner(context.mod, evolutionary, context._draw_seed(), n_batch, 16 * num_cores(context.target), finishes)
        for design in designs:
            self.tuner.add_design(design.trace._impl)
        for record in database.get_top_k(self.workload, 64):
            self.tuner.remember(record.trace._impl, record._mean)
        self.args = json.loads(_core.args_json(context.mod))
        self.n_measured, self.n_failed = 0, 0
        self.traces = {}
        self.first_problem = None

    def candidates(self, n):
        """Up to n programs: (number, text, arguments)."""
        for _ in range(n):
            found = self.tuner.next(0)
            if found is None:
                return
            number, trace, text = found[:3]
            self.traces[number] = trace
            yield number, text, self.args

    def take(self, number, seconds, problem, candidates):
        """What came of one."""
        median = sorted(seconds)[len(seconds) // 2] if seconds else -1.0
        self.tuner.report(number, median, problem)
        trace = Trace._wrap(self.traces.pop(number))
        if problem is not None:
            self.n_failed += 1
            self.first_problem = self.first_problem or problem
            _log.info("%s: a program has no time: %s", self.context.task_name, problem)
            return
        self.n_measured += 1
        self.database.commit_tuning_record(TuningRecord(trace, self.workload, seconds, self.context.target, ArgInfo._of(self.context.mod)))
        candidates.append((trace, seconds))


def _report(callbacks, task, number, candidates):
    for callback in callbacks:
        made = []
        for trace, _ in candidates:
            from ..tir.schedule import Schedule

            sch = Schedule(task.context.mod)
            trace.apply_to_schedule(sch, remove_postproc=False)
            made.append(MeasureCandidate(sch, ArgInfo._of(task.context.mod)))
        callback.apply(None, number, made, [], [seconds for _, seconds in candidates])


def tune_tasks(*, tasks, task_weights, work_dir, max_trials_global, max_trials_per_task=None, num_trials_per_iter=64, builder="local", runner="local",
               database="json", cost_model="xgb", measure_callbacks="default", task_scheduler="gradient", module_equality="structural",
               post_optimization=False):
    """Searches several tasks in turn and gives the database.  Ctrl+C ends the search; what was measured stays."""
    if len(tasks) == 0:
        raise ValueError("No tasks to tune.")
    if len(tasks) != len(task_weights):
        raise ValueError(f"Length of tasks ({len(tasks)}) and task_weights ({len(task_weights)}) do not match.")
    if not isinstance(database, Database):
        database = Database.create(database, **({"work_dir": work_dir} if database == "json" else {}), module_equality=module_equality)
    builder = Builder.create(builder)
    runner = Runner.create(runner, max_workers=builder.max_workers)
    TaskScheduler.create(task_scheduler)
    learns = CostModel.create(cost_model).learns
    callbacks = [measure_callbacks] if isinstance(measure_callbacks, MeasureCallback) else measure_callbacks if isinstance(measure_callbacks, list) else []
    max_trials_per_task = max_trials_per_task or max_trials_global
    running = [_Task(context, database, num_trials_per_iter, learns) for context in tasks]
    given = [0] * len(running)
    over = [False] * len(running)
    try:
        while not all(over) and sum(given) < max_trials_global:
            at = min((i for i in range(len(running)) if not over[i]), key=lambda i: given[i] / max(task_weights[i], 1e-9))
            task, candidates = running[at], []
            share = -(-(max_trials_global - sum(given)) // over.count(False))
            n = min(num_trials_per_iter, max_trials_per_task - given[at], share)
            before = task.n_measured + task.n_failed
            for number, seconds, problem in runner.measure(task.candidates(n), task.context.target.engine_text()):
                task.take(number, seconds, problem, candidates)
            done = task.n_measured + task.n_failed - before
            given[at] += done
            over[at] = done < n or given[at] >= max_trials_per_task
            _report(callbacks, task, at, candidates)
            best = task.tuner.best()
            if best is not None:
                _log.info("%s: %d programs measured, best %.3f us", task.context.task_name, task.n_measured, best[4] * 1e6)
    except KeyboardInterrupt:
        _log.warning("the search was ended; the best so far is kept")
    for task in running:
        if task.n_measured == 0 and task.n_failed > 0:
            _log.warning("%s: no program could be measured: %s", task.context.task_name, task.first_problem)
    return database
