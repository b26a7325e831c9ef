"""Sequences of passes by name."""
import sys

import _loopscope as _core

from ..ir import transform as _transform


@_transform.module_pass(opt_level=0, name="BeforeLegalize")
def _before_legalize(mod, ctx):
    """A look at what only a run knows (the indices of a scatter, whose function writes to a flat buffer, extents that have to be equal), and
    batch_norm that does not train as arithmetic over the statistics that it is given."""
    return _core.before_legalize(mod)


def zero_pipeline(*, enable_ipc_allreduce_rewrite=False):
    """Operators as TensorIR, constants folded, calls fused."""

    @_transform.module_pass(opt_level=0)
    def _pipeline(mod, ctx):
        from . import transform

        mod = _transform.Sequential([_before_legalize, transform.LegalizeOps(), transform.AnnotateTIROpPattern(), transform.FoldConstant(), transform.FuseOps(),
                                     transform.FuseTIR()])(mod)
        tuned = sys.modules.get("tvm.meta_schedule")
        return transform.MetaScheduleApplyDatabase()(mod) if tuned is not None and tuned.Database.current() else mod

    return _pipeline


def default_build_pipeline():
    """What relax.build does before code is made."""

    @_transform.module_pass(opt_level=0)
    def _pipeline(mod, ctx):
        from . import transform as t

        return _transform.Sequential([_before_legalize, t.LegalizeOps(), t.RewriteDataflowReshape(), t.ToNonDataflow(), t.RemovePurityChecking(), t.CallTIRRewrite(),
                                      t.StaticPlanBlockMemory(), t.LowerAllocTensor(), t.KillAfterLastUse(), t.LowerRuntimeBuiltin(),
                                      t.ComputePrimValue(), t.VMShapeLower(), t.AttachGlobalSymbol()])(mod)

    return _pipeline


def static_shape_tuning_pipeline(total_trials, target, work_dir="tuning_logs", cpu_weight_prepack=False):
    """A search for each TensorIR function of a model of fixed shapes, and the best schedules applied.  No trials: only what work_dir has.
    With cpu_weight_prepack weights may change their layout; what does that becomes a function transform_params."""

    @_transform.module_pass(opt_level=0)
    def _pipeline(mod, ctx):
        from ..target import Target
        from . import transform as t

        before = [t.AttachAttrLayoutFreeBuffers()] if cpu_weight_prepack else []
        after = [t.SplitLayoutRewritePreproc(), t.LiftTransformParams(), t.FoldConstant()] if cpu_weight_prepack else []
        search = [t.MetaScheduleTuneIRMod(params={}, work_dir=work_dir, max_trials_global=total_trials)] if total_trials > 0 else []
        with Target(target):
            return _transform.Sequential([t.DecomposeOpsForInference(), t.CanonicalizeBindings(), zero_pipeline(), *before, *search,
                                          t.MetaScheduleApplyDatabase(work_dir), *after])(mod)

    return _pipeline


PIPELINE_MAP = {"zero": zero_pipeline, "default": default_build_pipeline, "default_build": default_build_pipeline,
                "static_shape_tuning": static_shape_tuning_pipeline}


def get_pipeline(name="zero", **kwargs):
    """The pipeline of a name."""
    if name not in PIPELINE_MAP:
        raise ValueError(f"Unknown pre-built pipeline {name},candidates are {list(PIPELINE_MAP.keys())}")
    return PIPELINE_MAP[name](**kwargs)


def register_pipeline(name):
    """Decorator: a function that makes a pass becomes the pipeline of a name."""
    if name in PIPELINE_MAP:
        raise ValueError(f"Pipeline {name} has already been registered")

    def _register(func):
        PIPELINE_MAP[name] = func
        return func

    return _register


# ---- by target ----------------------------------------------------------------------------------------

def _family(target, what):
    """"cpu" or "gpu"; ValueError for targets that no list is made for."""
    from ..target import Target

    target = target if isinstance(target, Target) else Target(target)
    if "gpu" in target.keys:
        return "gpu"
    if target.kind.name == "llvm":
        return "cpu"
    raise ValueError(f"Target {target} is not yet supported by {what}. Please lower and build the IRModule manually.")


def library_dispatch_passes(target):
    """The passes that hand operators to libraries, or to functions written for them."""
    from . import backend

    _family(target, "library dispatch passes")
    return [backend.DispatchSampling(), backend.DispatchSortScan()]


def legalize_passes(target):
    """From operators to fused TensorIR; with schedules for threads where the target has them."""
    from . import transform as t

    family = _family(target, "legalize passes")
    passes = [t.LegalizeOps(), t.AnnotateTIROpPattern(), t.FoldConstant(), t.FuseOps(), t.FuseTIR()]
    if family == "gpu":
        from ..tir.transform import DefaultGPUSchedule

        passes.append(DefaultGPUSchedule())
    return passes


def dataflow_lower_passes(target):
    """From dataflow to calls that write into their last argument."""
    from . import transform as t

    _family(target, "dataflow lower passes")
    return [t.RewriteDataflowReshape(), t.ToNonDataflow(), t.RemovePurityChecking(), t.CallTIRRewrite()]


def finalize_passes(target):
    """Memory, symbolic extents and the functions' names."""
    from ..target import Target
    from . import transform as t

    _family(target, "finalize passes")
    graph = [t.RewriteCUDAGraph()] if Target(target).kind.name == "cuda" else []
    return [t.StaticPlanBlockMemory(), *graph, t.LowerAllocTensor(), t.KillAfterLastUse(), t.LowerRuntimeBuiltin(), t.ComputePrimValue(), t.VMShapeLower(),
            t.AttachGlobalSymbol()]


def get_default_pipeline(target):
    """All of them, one after the other."""
    _family(target, "the default pipeline")

    @_transform.module_pass(opt_level=0, name="default_pipeline")
    def _pipeline(mod, ctx):
        with target:
            return _transform.Sequential([*library_dispatch_passes(target), _before_legalize, *legalize_passes(target), *dataflow_lower_passes(target),
                                          *finalize_passes(target)])(mod)

    return _pipeline
