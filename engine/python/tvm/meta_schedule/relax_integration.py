"""Tuning the TensorIR functions of Relax modules."""
import logging

from ..ir.module import IRModule
from ..tir import PrimFunc
from .extracted_task import ExtractedTask
from .tune import tune_tasks
from .tune_context import TuneContext
from .utils import as_target, fork_seed, normalize_mod


def _bare(mod):
    """The module without what a Relax module has besides."""
    return mod if isinstance(mod, IRModule) else IRModule.from_expr(mod)


def _called(mod):
    """(name, function) of each R.call_tir of the Relax functions, in their order; a module without Relax functions: all its functions."""
    import _loopscope as _core

    from ..ir import GlobalVar
    from ..relax.expr import Call, Function

    found, relax_functions = [], [func for func in mod.functions.values() if isinstance(func, Function)]
    for func in relax_functions:
        def look(node):
            if isinstance(node, Call) and getattr(node.op, "name", None) == "relax.call_tir" and isinstance(node.args[0], GlobalVar):
                found.append((node.args[0].name_hint, mod[node.args[0]]))
            return True

        _core.walk(func.body, look, None)
    called = found if relax_functions else [(var.name_hint, func) for var, func in mod.functions.items()]
    return [(name, func) for name, func in called if isinstance(func, PrimFunc)]


def extract_tasks(mod, target, params=None, *, module_equality="structural"):
    """One task for each different TensorIR function that is called, weighted by the number of its calls."""
    from .database import _Same

    target, same = as_target(target), _Same(module_equality)
    tasks = []
    for name, func in _called(_bare(mod)):
        plain = normalize_mod(func)
        known = next((task for task in tasks if same(task.dispatched[0], plain)), None)
        if known is not None:
            known.weight += 1
        else:
            tasks.append(ExtractedTask(name, plain, target, [plain], 1))
    return tasks


def extracted_tasks_to_tune_contexts(extracted_tasks, work_dir, space="post-order-apply", strategy="evolutionary", num_threads="physical", seed=None):
    """(contexts, weights); each context has a space and a strategy of its own."""
    contexts = [TuneContext(task.dispatched[0], target=task.target, space_generator=space, search_strategy=strategy, task_name=task.task_name,
                            rand_state=own, num_threads=num_threads).clone() for task, own in zip(extracted_tasks, fork_seed(seed, len(extracted_tasks)))]
    return contexts, [float(task.weight) for task in extracted_tasks]


def tune_relax(mod, params, target, work_dir, max_trials_global, *, max_trials_per_task=None, op_names=None, num_trials_per_iter=64, builder="local",
               runner="local", database="json", cost_model="xgb", measure_callbacks="default", task_scheduler="gradient", space="post-order-apply",
               strategy="evolutionary", seed=None, module_equality="structural"):
    """Searches schedules for the TensorIR functions of a module whose operators are legalized; gives the database."""
    tasks = extract_tasks(mod, target, params, module_equality=module_equality)
    if op_names:
        tasks = [task for task in tasks if any(name in task.task_name for name in op_names)]
    contexts, weights = extracted_tasks_to_tune_contexts(tasks, work_dir, space, strategy, seed=seed)
    return tune_tasks(tasks=contexts, task_weights=weights, work_dir=work_dir, max_trials_global=max_trials_global, max_trials_per_task=max_trials_per_task,
                      num_trials_per_iter=num_trials_per_iter, builder=builder, runner=runner, database=database, cost_model=cost_model,
                      measure_callbacks=measure_callbacks, task_scheduler=task_scheduler, module_equality=module_equality)


def _by_record(record, mod, target):
    """The module after a record's trace; where it was found for another module around the same heavy block, as far as it fits."""
    from ..ir.base import structural_equal
    from ..tir.schedule import Schedule
    from .postproc import Postproc
    from .schedule_rule import kind_of_rules
    from .trace_apply import schedule_using_anchor_trace
    from .tune_context import TuneContext

    if structural_equal(record.workload.mod, mod):
        # Equal programs may call their blocks otherwise; the trace names those of the program that was tuned.
        sch = Schedule(record.workload.mod)
        record.trace.apply_to_schedule(sch, remove_postproc=False)
        return sch.mod
    sch = Schedule(mod)
    schedule_using_anchor_trace(sch, record.trace, target)
    sch.enter_postproc()
    context = TuneContext(mod, target=target)
    for postproc in Postproc.create(kind_of_rules(as_target(target))):
        postproc._initialize_with_tune_context(context)
        if not postproc.apply(sch):
            return None
    return sch.mod


def apply_database(database, mod, target, warns=False):
    """The module in which tuned functions have their fastest schedule."""
    result = mod.clone()
    for var, func in list(mod.functions.items()):
        if not isinstance(func, PrimFunc):
            continue
        plain = normalize_mod(func)
        record = database.query_tuning_record(plain, target, var.name_hint)
        tuned = _by_record(record, plain, target) if record is not None else None
        if tuned is None:
            if warns:
                logging.getLogger(__name__).warning("%s was not tuned", var.name_hint)
            continue
        (made,) = tuned.functions.values()
        made = PrimFunc(made.params, made.body, made.ret_type, made.buffer_map, func.attrs)
        result.update_func(var, made.with_attr("tir.is_scheduled", True))
    return result


def compile_relax(database, mod, target, params=None, enable_weight_layout_rewrite=False):
    """An executable in which tuned functions have their fastest schedule."""
    from .. import relax

    return relax.build(apply_database(database, mod, target), as_target(target), params=params)
