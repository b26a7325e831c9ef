"""A scheduled function as the code of a GPU would have it, as far as its threads, memory and vectors are to be counted: the steps of TVM's
VerifyGPUCode."""
_GPU_PASSES = ("LowerCrossThreadReduction", "LowerInitBlock", "PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque", "LiftThreadBinding",
               "CompactBufferAllocation", "Simplify", "LowerAutoCopy", "UnifyThreadBinding", "LowerMatchBuffer", "InjectSoftwarePipeline", "LowerOpaqueBlock",
               "FlattenBuffer", "BF16ComputeLegalize", ("NarrowDataType", 32), "Simplify", ("VectorizeLoop", True), "InjectVirtualThread", "InjectDoubleBuffer",
               "StorageRewrite", "MergeSharedMemoryAllocations", "LowerIntrin")
_PIPELINE = ("LowerInitBlock", "PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque", "CompactBufferAllocation", "LowerMatchBuffer",
             "InjectSoftwarePipeline", "LowerOpaqueBlock", "FlattenBuffer")
_VTCM_PASSES = (*_PIPELINE, "Simplify", ("VectorizeLoop", True), "StorageRewrite")
_COPY_PASSES = (*_PIPELINE, "BF16ComputeLegalize", ("NarrowDataType", 32), "Simplify", "InjectVirtualThread", "InjectDoubleBuffer",
                ("VectorizeLoop", True), "StorageRewrite")


def _made(passes):
    from ..tir import transform

    rows = [one if isinstance(one, tuple) else (one,) for one in passes]
    return [getattr(transform, step)(*args) for step, *args in rows]


def vtcm_passes():
    """The steps after which the memory of a Hexagon is counted, as passes."""
    return _made(_VTCM_PASSES)


def _lowered(name, func, passes):
    from ..error import TVMError
    from ..ir import IRModule

    mod = IRModule({name: func.with_attr("global_symbol", name)})
    try:
        for step in _made(passes):
            mod = step(mod)
    except (TVMError, ValueError):
        return None
    return mod


def lowered_for_gpu(name, func, target):
    """A module of the lowered function; None: it cannot be lowered."""
    return _lowered(name, func.with_attr("target", target).with_attr("tir.noalias", True), _GPU_PASSES)


def lowered_for_vtcm(name, func):
    """The same as far as the memory of a Hexagon is to be counted."""
    return _lowered(name, func.with_attr("tir.noalias", True), _VTCM_PASSES)


def lowered_copies(name, func):
    """The same as far as the copies that run beside the program are to be seen."""
    return _lowered(name, func, _COPY_PASSES)
