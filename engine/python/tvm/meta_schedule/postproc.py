"""What is done to each program before it is measured.

DisallowDynamicLoop, RewriteParallelVectorizeUnroll and RewriteReductionBlock are the engine's (engine/schedule/space.h).
"""
import _loopscope as _core

from .utils import Named, missing


class Postproc(Named):
    """Its apply changes a schedule; False: the program is not measured."""

    _context = None

    def _initialize_with_tune_context(self, context):
        self._context = context

    def apply(self, sch):
        """Can the program be measured?"""
        raise NotImplementedError(f"{type(self).__name__} is not offered: postprocs are those of a CPU")

    def clone(self):
        """The same again."""
        import copy

        other = copy.copy(self)
        other._context = None
        return other

    @staticmethod
    def create(kind):
        """Those of a kind of target."""
        cpu = (DisallowDynamicLoop, RewriteParallelVectorizeUnroll, RewriteReductionBlock)
        kinds = {"llvm": cpu, "c": cpu, "cuda": (DisallowDynamicLoop, RewriteCooperativeFetch, RewriteUnboundBlock, RewriteParallelVectorizeUnroll,
                                                 RewriteReductionBlock, VerifyGPUCode)}
        if kind not in kinds:
            raise ValueError(f"Unsupported kind '{kind}' for postprocs")
        return [one() for one in kinds[kind]]


class PyPostproc(Postproc):
    """A base for finishing steps written in Python."""

    _initialize_with_tune_context = missing("_initialize_with_tune_context")
    apply = missing("apply")
    clone = missing("clone")


class _EnginePostproc(Postproc):
    def apply(self, sch):
        return _core.space_postproc(sch, type(self).__name__)


class DisallowDynamicLoop(_EnginePostproc):
    """Refuses loops of unknown extent."""


class RewriteParallelVectorizeUnroll(_EnginePostproc):
    """Does what was marked."""


class RewriteReductionBlock(_EnginePostproc):
    """Decomposes reductions."""


class DisallowAsyncStridedMemCopy(Postproc):
    """Refuses copies by DMA that are not of one piece: known by name only."""

    def __init__(self, merge_async_commit_queue_scope=True):
        self.merge_async_commit_queue_scope = merge_async_commit_queue_scope


class RewriteCooperativeFetch(Postproc):
    """Fetches by all threads: known by name only."""


class RewriteUnboundBlock(Postproc):
    """Binds what no thread runs: known by name only."""

    def __init__(self, max_threadblocks=256):
        self.max_threadblocks = max_threadblocks


class RewriteTensorize(Postproc):
    """Puts tensor intrinsics where they were marked: known by name only."""

    def __init__(self, vectorize_init_loop=False):
        self.vectorize_init_loop = vectorize_init_loop


class RewriteLayout(Postproc):
    """Changes the layout of inputs: known by name only."""


class VerifyGPUCode(Postproc):
    """Checks limits of a GPU: known by name only."""


class VerifyVTCMLimit(Postproc):
    """Checks the memory of Hexagon: known by name only."""


def finish(sch):
    """All those of a CPU on a schedule; False: the program is not measured."""
    return _core.space_postprocess(sch)


create = Postproc.create
