"""Tuning TensorIR."""
from ..tir import PrimFunc
from .tune import TuneConfig, tune_tasks
from .tune_context import TuneContext
from .utils import as_target, fork_seed, normalize_mod


def tune_tir(mod, target, work_dir=None, max_trials_global=None, *, max_trials_per_task=None, num_trials_per_iter=64, builder="local", runner="local",
             database="json", cost_model="xgb", measure_callbacks="default", task_scheduler="gradient", space="post-order-apply", strategy="evolutionary",
             num_tuning_cores="physical", seed=None, module_equality="structural", special_space=None, post_optimization=False, config=None, task_name=None):
    """Searches schedules for the functions of a module; gives the database.

    With config=TuneConfig(..), the form of 2022, it gives the best Schedule."""
    if config is not None:
        if not isinstance(config, TuneConfig):
            raise TypeError(f"config is a TuneConfig, not {type(config)}")
        max_trials_global, num_trials_per_iter = config.max_trials_global, config.num_trials_per_iter
        max_trials_per_task, strategy, task_scheduler = config.max_trials_per_task, config.strategy, config.task_scheduler
    if max_trials_global is None:
        raise TypeError("tune_tir() missing 1 required argument: 'max_trials_global'")
    if work_dir is None:
        if database == "json":
            raise TypeError("tune_tir() missing 1 required argument: 'work_dir'")
    target = as_target(target)
    if isinstance(mod, PrimFunc):
        mod = normalize_mod(mod)
    named = sorted(((var.name_hint, func) for var, func in mod.functions.items() if isinstance(func, PrimFunc)), key=lambda pair: pair[0])
    seeds = fork_seed(seed, len(named))
    tasks = []
    for (name, func), own_seed in zip(named, seeds):
        own_space = (special_space or {}).get(name, space)
        if own_space is None:
            continue
        tasks.append(TuneContext(func, target=target, space_generator=own_space, search_strategy=strategy, task_name=name, rand_state=own_seed,
                                 num_threads=num_tuning_cores).clone())
    database = tune_tasks(tasks=tasks, task_weights=[1.0] * len(tasks), work_dir=work_dir, max_trials_global=max_trials_global,
                          max_trials_per_task=max_trials_per_task, num_trials_per_iter=num_trials_per_iter, builder=builder, runner=runner,
                          database=database, cost_model=cost_model, measure_callbacks=measure_callbacks, task_scheduler=task_scheduler,
                          module_equality=module_equality, post_optimization=post_optimization)
    return compile_tir(database, mod, target) if config is not None else database


def compile_tir(database, mod, target):
    """The fastest schedule of a module that the database has, or None."""
    return database.query_schedule(normalize_mod(mod), as_target(target), workload_name="main")
