"""A scheduled function as the code of a GPU would have it, as far as its threads, memory and vectors are to be counted.

These are the steps of TVM's VerifyGPUCode that the engine offers as passes.  What is left out: sums by threads and copies in stages (both add
registers, which have no limit here), merging of dynamic shared memory (so that buffers that live one after the other count twice) and software
pipelines (so that their second and further copies of a buffer do not count).
"""
_PASSES = ("LowerInitBlock", "PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque", "LiftThreadBinding", "CompactBufferAllocation",
           "Simplify", "UnifyThreadBinding", "LowerMatchBuffer", "LowerOpaqueBlock", "FlattenBuffer", ("NarrowDataType", 32), "Simplify",
           ("VectorizeLoop", True), "InjectVirtualThread", "InjectDoubleBuffer", "StorageRewrite", "LowerIntrin")


def lowered_for_gpu(name, func, target):
    """A module of the lowered function; None: it cannot be lowered."""
    from ..error import TVMError
    from ..ir import IRModule
    from ..tir import transform

    func = func.with_attr("global_symbol", name).with_attr("target", target).with_attr("tir.noalias", True)
    mod = IRModule({name: func})
    try:
        for one in _PASSES:
            step, *args = one if isinstance(one, tuple) else (one,)
            mod = getattr(transform, step)(*args)(mod)
    except (TVMError, ValueError):
        return None
    return mod
