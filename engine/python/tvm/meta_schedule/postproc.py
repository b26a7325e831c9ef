"""What is done to each program before it is measured.

DisallowDynamicLoop, RewriteParallelVectorizeUnroll and RewriteReductionBlock are the engine's (engine/schedule/space/space.h); those of threads, layouts
and tensor intrinsics are made here of primitives.
"""
import _loopscope as _core

from ._threads import bind_block, fetch_together, limit_of, threads_fit, unbound_blocks
from .utils import Named, missing


class Postproc(Named):
    """Its apply changes a schedule; False: the program is not measured."""

    _context = None

    def _initialize_with_tune_context(self, context):
        self._context = context

    def apply(self, sch):
        """Can the program be measured?"""
        raise NotImplementedError(f"{type(self).__name__} is not offered")

    def clone(self):
        """The same again."""
        import copy

        other = copy.copy(self)
        other._context = None
        return other

    @staticmethod
    def create(kind):
        """Those of a kind of target."""
        cpu = (DisallowDynamicLoop, RewriteParallelVectorizeUnroll, RewriteReductionBlock, RewriteLayout)
        gpu = (DisallowDynamicLoop, RewriteCooperativeFetch, RewriteUnboundBlock, RewriteParallelVectorizeUnroll, RewriteReductionBlock, VerifyGPUCode)
        arm = (DisallowDynamicLoop, RewriteParallelVectorizeUnroll, RewriteReductionBlock, lambda: RewriteTensorize(vectorize_init_loop=True), RewriteLayout)
        kinds = {"llvm": cpu, "c": cpu, "asimd": arm, "dotprod": arm, "vnni": arm, "avx512": arm, "hexagon": (*cpu, VerifyVTCMLimit), "cuda": gpu, "cuda-tensorcore": (*gpu, RewriteTensorize)}
        if kind not in kinds:
            raise ValueError(f"there are no postprocessors for {kind}; there are some for {', '.join(kinds)}")
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


def _functions(sch):
    from ..tir import PrimFunc

    return [(var.name_hint, func) for var, func in sch.mod.functions.items() if isinstance(func, PrimFunc)]


class DisallowAsyncStridedMemCopy(Postproc):
    """Refuses copies that run beside the program and are not of one piece."""

    def __init__(self, merge_async_commit_queue_scope=True):
        self.merge_async_commit_queue_scope = merge_async_commit_queue_scope

    def apply(self, sch):
        from ._lower import lowered_copies

        for name, func in _functions(sch):
            lowered = lowered_copies(name, func)
            if lowered is None or any(_copies_in_pieces(one.body) for one in lowered.functions.values()):
                return False
        return True


def _copies_in_pieces(body):
    """Does a copy that runs beside the program leave gaps where it reads or writes?"""
    from .. import arith
    from ..ir import Range

    loops, found = {}, []

    def is_scattered(loop):
        store = loop.body
        if _core.kind(store) != "BufferStore" or _core.kind(store.value) != "BufferLoad":
            return False
        ranges = {**loops, loop.loop_var: Range.from_min_extent(loop.min, loop.extent)}
        return any(len(arith.detect_iter_map(indices, ranges, True, arith.IterMapLevel.Surjective, False).errors) > 0
                   for indices in (store.indices, store.value.indices))

    def enter(node):
        kind = _core.kind(node)
        if kind == "For":
            loops[node.loop_var] = Range.from_min_extent(node.min, node.extent)
        elif kind == "AttrStmt" and node.attr_key == "async_commit_queue_scope" and _core.kind(node.body) == "AttrStmt":
            if _core.kind(node.body.body) == "For" and is_scattered(node.body.body):
                found.append(node)
        return not found

    _core.walk(body, enter, None)
    return bool(found)


class RewriteCooperativeFetch(Postproc):
    """Shares the copies that are marked for it among the threads."""

    def apply(self, sch):
        fetch_together(sch, limit_of(self._context.target if self._context is not None else None, "thread_warp_size"))
        return True


class RewriteUnboundBlock(Postproc):
    """Binds what no thread runs."""

    def __init__(self, max_threadblocks=256):
        self.max_threadblocks, self.max_threads_per_block = max_threadblocks, None

    def _initialize_with_tune_context(self, context):
        from .schedule_rule import needed_limit

        super()._initialize_with_tune_context(context)
        self.max_threads_per_block = needed_limit(context, "max_threads_per_block")

    def apply(self, sch):
        for func, block in unbound_blocks(sch):
            bind_block(sch, sch.get_block(block, func), self.max_threadblocks, self.max_threads_per_block,
                       lambda most: min(most, self.max_threads_per_block))
        return True


class RewriteTensorize(Postproc):
    """Puts tensor intrinsics where they were marked."""

    def __init__(self, vectorize_init_loop=False):
        self.vectorize_init_loop = vectorize_init_loop

    def apply(self, sch):
        for func, name, intrin in _marked_blocks(sch):
            if not intrin and not (self.vectorize_init_loop and "init" in name):
                continue
            block = sch.get_block(name, func)
            sch.unannotate(block, _TENSORIZE)
            if intrin:
                _tensorize(sch, block, intrin)
            else:
                (child,) = sch.get_child_blocks(block)
                (loop,) = sch.get_loops(child)
                sch.vectorize(loop)
        return True


_TENSORIZE = "meta_schedule.auto_tensorize"


def _marked_blocks(sch):
    """(function, name, intrinsic) of the blocks that are marked."""
    from ..tir import Block
    from ..tir.stmt_functor import post_order_visit

    found = []
    for name, func in _functions(sch):
        post_order_visit(func.body, lambda node, name=name: found.append((name, node.name_hint, str(node.annotations[_TENSORIZE])))
                         if isinstance(node, Block) and _TENSORIZE in node.annotations else None)
    return found


def _tensorize(sch, block, intrin):
    """A block that the intrinsic does not fit stays as it is, with a warning, as in TVM."""
    import logging

    from ..tir.schedule import ScheduleError

    try:
        sch.tensorize(block, intrin)
    except ScheduleError as error:
        logging.getLogger(__name__).warning("a block stays without its intrinsic: %s", error)


class RewriteLayout(Postproc):
    """Copies inputs that may be laid out freely into the order in which they are read."""

    def apply(self, sch):
        from ..error import TVMError
        from ._layout import rewrite_layouts

        try:
            rewrite_layouts(sch)
        except TVMError:
            return False
        return True


class VerifyGPUCode(Postproc):
    """Is the program, lowered, within the limits of the GPU, with as many threads as its blocks ask for?"""

    def _initialize_with_tune_context(self, context):
        from .schedule_rule import needed_limit

        super()._initialize_with_tune_context(context)
        self._warp = needed_limit(context, "thread_warp_size")
        self._limits = {name: needed_limit(context, name) for name in ("max_shared_memory_per_block", "max_threads_per_block")}
        self._limits.update(max_vthread=8, max_vector_bytes=16)

    def apply(self, sch):
        from ..tir import PrimFunc
        from ..tir.analysis import verify_gpu_code
        from ._lower import lowered_for_gpu

        for name, func in _functions(sch):
            if not threads_fit(func.body, self._warp):
                return False
            lowered = lowered_for_gpu(name, func, self._context.target)
            if lowered is None or not all(verify_gpu_code(one, self._limits) for one in lowered.functions.values() if isinstance(one, PrimFunc)):
                return False
        return True


class VerifyVTCMLimit(Postproc):
    """Does what the program keeps in the fast memory of a Hexagon at one time fit in there?"""

    def _initialize_with_tune_context(self, context):
        from ..error import TVMError

        super()._initialize_with_tune_context(context)
        if context.target is None or context.target.kind.name != "hexagon":
            raise TVMError(f"ValueError: the target has to be a hexagon, not {context.target}")
        self._capacity = int(context.target.attrs.get("vtcm-capacity", 0))

    def apply(self, sch):
        from ..tir.analysis import calculate_allocated_bytes
        from ._lower import lowered_for_vtcm

        for name, func in _functions(sch):
            lowered = lowered_for_vtcm(name, func)
            if lowered is None:
                return False
            used = max((scopes.get("global.vtcm", 0) for scopes in calculate_allocated_bytes(lowered).values()), default=0)
            if 0 < self._capacity < used:
                return False
        return True


def finish(sch):
    """All those of a CPU on a schedule; False: the program is not measured."""
    return _core.space_postprocess(sch)


create = Postproc.create
