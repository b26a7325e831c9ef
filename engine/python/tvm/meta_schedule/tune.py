"""Searching several tasks."""
import _loopscope as _core

from .builder import Builder
from .cost_model import CostModel
from .database import Database
from .measure_callback import MeasureCallback
from .runner import Runner
from .task_scheduler import TaskScheduler
from .utils import num_cores


class TuneConfig:
    """How much to search (the form of 2022)."""

    def __init__(self, max_trials_global=64, num_trials_per_iter=64, *, max_trials_per_task=None, strategy="evolutionary", task_scheduler="gradient",
                 search_strategy_config=None, task_scheduler_config=None, logger_config=None, adaptive_training=None):
        self.max_trials_global = max_trials_global
        self.num_trials_per_iter = num_trials_per_iter
        self.max_trials_per_task = max_trials_per_task
        self.strategy = strategy
        self.task_scheduler = task_scheduler


def _check_target(target):
    """Before the search: a target that nothing here makes code for would end in a database without a record."""
    from ..driver.build_module import _target_text

    if target is not None:
        _target_text(target, "kernels for {0} run on simulated threads, which have no times to search by; search for llvm")


def tune_tasks(*, tasks, task_weights, work_dir, max_trials_global, max_trials_per_task=None, num_trials_per_iter=64, builder="local", runner="local",
               database="json", cost_model="xgb", measure_callbacks="default", task_scheduler="gradient", module_equality="structural",
               post_optimization=False):
    """Searches several tasks in turn and gives the database.  Ctrl+C ends the search; what was measured stays in the database."""
    if len(tasks) == 0:
        raise ValueError("there is no task to tune")
    if len(tasks) != len(task_weights):
        raise ValueError(f"{len(tasks)} tasks have {len(task_weights)} weights")
    cores = num_cores(tasks[0].target) if tasks[0].target is not None else None
    if builder == "local" and max_trials_global > 0:
        for task in tasks:
            _check_target(task.target)
    builder = Builder.create(builder, **({"max_workers": cores} if builder == "local" else {}))
    runner = Runner.create(runner, max_workers=cores)
    if not isinstance(database, Database):
        database = Database.create(database, **({"work_dir": work_dir} if database == "json" else {}), module_equality=module_equality)
    if isinstance(measure_callbacks, MeasureCallback):
        measure_callbacks = [measure_callbacks]
    elif isinstance(measure_callbacks, str):
        measure_callbacks = MeasureCallback.create(measure_callbacks)
    # results are compared: nobody reads warnings of thousands of candidates, and they take their time
    asked = _core.set_order_asked(False)
    try:
        TaskScheduler.create(task_scheduler).tune(
            tasks=tasks, task_weights=task_weights, max_trials_global=max_trials_global,
            max_trials_per_task=max_trials_per_task or max_trials_global, num_trials_per_iter=num_trials_per_iter, builder=builder, runner=runner,
            measure_callbacks=measure_callbacks, database=database, cost_model=CostModel.create(cost_model))
    finally:
        _core.set_order_asked(asked)
    if post_optimization:
        from .post_optimization import PostOpt

        PostOpt(work_dir, tasks[0].target).run()
    return database
