"""The passes that lower TensorIR for a CPU, by the names that pipelines have."""
import _loopscope as _core

from .. import ir
from . import transform


def default_tir_pipeline():
    """Lowering as `tvm.compile` does it, without the steps that only accelerators need."""
    @ir.transform.module_pass(opt_level=0)
    def _pipeline(mod, ctx):
        own = [[], [], [], []]              # passes of the user's, by the phase before whose end they run
        for phase, one in ctx.config.get("tir.add_lower_pass") or []:
            own[min(max(int(phase), 0), 3)].append(one)
        steps = [*own[0], transform.LowerInitBlock(), transform.PlanAndUpdateBufferAllocationLocation(), transform.ConvertBlocksToOpaque(),
                 transform.CompactBufferAllocation(), transform.LowerMatchBuffer(), transform.Simplify(), transform.LowerOpaqueBlock(),
                 transform.FlattenBuffer(), *own[1], transform.VectorizeLoop(not ctx.config.get("tir.disable_vectorize", False)), transform.UnrollLoop(),
                 *own[2], transform.Simplify(), transform.RemoveNoOp(), transform.RewriteUnsafeSelect(), *own[3]]
        return ir.transform.Sequential(steps)(_core.settle_sums(mod))

    return _pipeline


def finalize_host_passes():
    """Nothing is left for the host: the code generator does the rest."""
    return ir.transform.Sequential([])


def finalize_device_passes():
    """Nothing is left for devices."""
    return ir.transform.Sequential([])


def get_default_tir_pipeline(target):
    """The pipeline of a target: all have the same one."""
    del target
    return default_tir_pipeline()


PIPELINE_MAP = {"default": default_tir_pipeline}


def get_tir_pipeline(name=None, **kwargs):
    """A pipeline by its name."""
    if name == "default":
        return default_tir_pipeline()
    if name not in PIPELINE_MAP:
        raise ValueError(f"Unknown pre-built pipeline {name},candidates are {list(PIPELINE_MAP.keys())}")
    return PIPELINE_MAP[name](**kwargs)


def get_default_tir_pipeline(target):
    """The pipeline of a target."""
    return default_tir_pipeline()
