"""Sequences of passes by name."""
from ..ir import transform as _transform


def zero_pipeline(*, enable_ipc_allreduce_rewrite=False):
    """Operators as TensorIR, constants folded, calls fused."""

    @_transform.module_pass(opt_level=0, name="zero_pipeline")
    def _pipeline(mod, ctx):
        from . import transform

        return _transform.Sequential([transform.LegalizeOps(), transform.AnnotateTIROpPattern(), transform.FoldConstant(), transform.FuseOps(),
                                      transform.FuseTIR()])(mod)

    return _pipeline


def default_build_pipeline():
    """What relax.build does before code is made."""

    @_transform.module_pass(opt_level=0, name="default_build_pipeline")
    def _pipeline(mod, ctx):
        from . import transform as t

        return _transform.Sequential([t.LegalizeOps(), t.RewriteDataflowReshape(), t.ToNonDataflow(), t.RemovePurityChecking(), t.CallTIRRewrite(),
                                      t.StaticPlanBlockMemory(), t.LowerAllocTensor(), t.KillAfterLastUse(), t.LowerRuntimeBuiltin(),
                                      t.ComputePrimValue(), t.VMShapeLower(), t.AttachGlobalSymbol()])(mod)

    return _pipeline


PIPELINE_MAP = {"zero": zero_pipeline, "default": default_build_pipeline, "default_build": default_build_pipeline}


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


def get_default_pipeline(target):
    """The pipeline of a target."""
    return default_build_pipeline()
