"""FewShotTuning: schedules drawn from the design space of each PrimFunc, without a search.

Traces are drawn until `valid_count` of them can be built; the first one is taken, or with `benchmark` the fastest.  Functions
that are scheduled already, and those of symbolic shape, stay.  Source: TVM's FewShotTuning (draws by replay-trace, local builder and runner).
"""
import logging

from ...error import TVMError
from ...ir.transform import ModulePass, PassInfo
from ...target import Target
from ...tir import IntImm, PrimFunc

_ROUNDS = 16    # of draws without a valid one before it gives up


def _seconds(pairs, target):
    """How long each takes, all measured in one round; infinity where it does not run."""
    from ... import meta_schedule as ms

    kind = target.kind.name if target.kind.name != "llvm" else "cpu"
    inputs = [ms.runner.RunnerInput(built.artifact_path, kind, candidate.args_info) for candidate, built in pairs]
    times = [[float(t) for t in future.result().run_secs or []] for future in ms.runner.LocalRunner().run(inputs)]
    return [sum(ts) / len(ts) if ts else float("inf") for ts in times]


def _valid(func, target, valid_count, benchmark):
    """Pairs of seconds and schedule, as many as asked for where there are so many."""
    from ... import meta_schedule as ms

    builder = ms.builder.LocalBuilder()
    context = ms.TuneContext(func.with_attr("global_symbol", "main"), target=target, space_generator="post-order-apply", search_strategy="replay-trace")
    context.pre_tuning(_ROUNDS * valid_count, num_trials_per_iter=valid_count)
    found = []
    while len(found) < valid_count:
        candidates = context.generate_measure_candidates()
        if not candidates:
            break
        built = builder.build([ms.builder.BuilderInput(c.sch.mod, target) for c in candidates])
        found += [pair for pair in zip(candidates, built) if pair[1].error_msg is None][:valid_count - len(found)]
    context.post_tuning()
    times = _seconds(found, target) if benchmark else [0.0] * len(found)
    return [(time, candidate.sch) for time, (candidate, _) in zip(times, found)]


def _is_static(func):
    return all(isinstance(extent, IntImm) for buffer in func.buffer_map.values() for extent in buffer.shape)


def _scheduled(func, target, valid_count, benchmark):
    found = _valid(func, target, valid_count, benchmark)
    log = logging.getLogger(__name__)
    if not found:
        log.warning("No valid schedule found")
        return func
    if len(found) < valid_count:
        log.warning("%d valid schedules were asked for, %d were found", valid_count, len(found))
    made = min(found, key=lambda pair: pair[0])[1].mod["main"]
    symbol = (func.attrs or {}).get("global_symbol")
    made = made.with_attr("global_symbol", symbol) if symbol is not None else made.without_attr("global_symbol")
    return made.with_attr("tir.is_scheduled", True)


def FewShotTuning(valid_count=1, benchmark=False):  # noqa: N802
    """The pass that gives each PrimFunc without a schedule one that is drawn from its design space, for the target around it."""
    if valid_count <= 0:
        raise TVMError("Valid_count must be positive.")
    if benchmark and valid_count < 2:
        raise TVMError("Benchmarking requires at least two valid trials.")

    def tune(mod, ctx):
        target = Target.current(allow_none=True)
        if target is None:
            raise TVMError("Target is not set in current context")
        result = mod.clone()
        for var, func in list(mod.functions.items()):
            if isinstance(func, PrimFunc) and not (func.attrs or {}).get("tir.is_scheduled") and _is_static(func):
                result.update_func(var, _scheduled(func, target, valid_count, benchmark))
        return result

    return ModulePass(tune, PassInfo(0, "FewShotTuning"))
