"""Programs of meta_schedule's spaces for threads, each with all its decisions: what `search --space cuda` measures.

The rules make designs; each is drawn with a seed and finished by the postprocs, which refuse most (too few threads, too many virtual ones, too much shared
memory).  Those that stay are written, a line of JSON each: the trace."""
import json
import time
import warnings


def programs(text, target, space, n, seed, seconds, path):
    """Writes up to n different programs' traces to a file; ends after so many seconds.  Prints how many were drawn, of how many designs."""
    import tvm
    from tvm import meta_schedule as ms

    warnings.simplefilter("ignore")
    mod = tvm.script.from_source(text)
    if isinstance(mod, tvm.tir.PrimFunc):
        mod = tvm.IRModule({"main": mod})
    generator = ms.space_generator.PostOrderApply(sch_rules=space, postprocs=space, mutator_probs=space)
    context = ms.TuneContext(mod=mod, target=tvm.target.Target(target), space_generator=generator, num_threads=1, rand_state=seed)
    designs = [tvm.tir.schedule.Trace(design.trace.insts, {}) for design in context.generate_design_space()]        # each draw decides anew
    end, drawn, found = time.monotonic() + seconds, 0, set()
    with open(path, "w", encoding="utf-8") as file:
        while designs and len(found) < n and time.monotonic() < end and drawn < 400 * n:
            sch = tvm.tir.Schedule(mod, seed=seed + drawn + 1)
            drawn += 1
            try:
                designs[drawn % len(designs)].apply_to_schedule(sch, remove_postproc=True)
                sch.enter_postproc()
                good = all(step.apply(sch) for step in context.space_generator.postprocs)
            except (tvm.TVMError, tvm.tir.ScheduleError):
                good = False
            key = sch.mod.script() if good else None
            if good and key not in found:
                found.add(key)
                file.write(json.dumps(_plain(sch.trace)) + "\n")
    print(f"{drawn} {len(designs)}")


def _plain(trace):
    """A trace as JSON's own values."""
    def plain(value):
        if isinstance(value, (bool, int, float, str)) or value is None:
            return value
        if hasattr(value, "value"):
            return plain(value.value)
        return [plain(item) for item in value]

    return plain(trace.as_json())
