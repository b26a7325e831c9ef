"""The rules of PostOrderApply.

Those of a CPU are the engine's (engine/schedule/space/space.h) as long as their parameters are those of the CPU's list; with others, and for GPUs and
tensor intrinsics, they are made here of primitives (_threads.py, _tiling.py).  Tiling for tensor cores is known by name only and says so.
"""
import _loopscope as _core

from ._blocks import has_condition, has_op, read_pattern, realize_of
from ._threads import bind_block, drawn_factor, limit_of, reduce_across_threads
from ._tensor_core import intrinsic_groups, tiled_for_tensor_cores
from ._tiling import WideTiling, tiled, tiled_with_intrin
from .utils import Named, missing, num_cores


class ReuseType:
    """What is cached, and at which levels: req "no", "may" or "must", levels, scope."""

    def __init__(self, req, levels, scope):
        if req not in ("no", "may", "must"):
            raise ValueError(f"a copy for reuse is no, may or must, not {req}")
        self.req, self.levels, self.scope = req, list(levels), scope

    def as_dict(self):
        """The three as a dictionary."""
        return {"req": self.req, "levels": self.levels, "scope": self.scope}


class ScheduleRule(Named):
    """Its apply gives the schedules that it makes of one at a block."""

    is_custom = False
    _context = None

    def _initialize_with_tune_context(self, context):
        self._context = context

    def apply(self, sch, block):
        """A list of schedules; [sch]: there is nothing to do."""
        raise NotImplementedError(f"{type(self).__name__} is not offered")

    def _target(self):
        return self._context.target if self._context is not None else None

    def clone(self):
        """The same again."""
        import copy

        other = copy.copy(self)
        other._context = None
        return other

    @staticmethod
    def create(kind):
        """The rules of a kind of target."""
        kinds = {"llvm": _for_cpu, "c": _for_cpu, "asimd": lambda: _for_arm(_NEON), "dotprod": lambda: _for_arm(_DOT_PRODUCTS), "cuda": _for_cuda,
                 "cuda-tensorcore": _for_tensor_cores, "vnni": lambda: _for_x86("dot_16x4_vnni"), "avx512": lambda: _for_x86("dot_16x4_avx512"),
                 "hexagon": _for_hexagon}
        if kind not in kinds:
            raise ValueError(f"there are no schedule rules for {kind}; there are some for {', '.join(kinds)}")
        return kinds[kind]()


def kind_of_rules(target):
    """The list of rules that suits a target."""
    from ..error import TVMError

    kind = target.kind.name
    if kind == "llvm" and (target.features.has_dotprod or target.features.has_asimd):
        return "dotprod" if target.features.has_dotprod else "asimd"
    if kind in ("llvm", "c", "hexagon"):
        return "llvm" if kind == "hexagon" else kind
    if "gpu" in target.keys or kind == "cuda":
        return "cuda"
    raise TVMError(f"ValueError: there are no rules for the target {target}")


def _for_cpu():
    return [ApplyCustomRule(), InlineConstantScalars(), _auto_inline_cpu(), AddRFactor(max_jobs_per_core=16, max_innermost_factor=64),
            MultiLevelTiling("SSRSRS", None, 64, None, None, ReuseType("may", [1, 2], "global")),
            ParallelizeVectorizeUnroll(16, 64, [0, 16, 64, 512], True), RandomComputeLocation()]


_NEON = ("dot_4x4_i8i8s32_neon",)
_DOT_PRODUCTS = ("dot_4x4_i8i8s32_sdot", "dot_4x4_u8u8u32_udot", "dot_4x4_u8u8i32_hdot")


def _for_arm(intrins):
    """Smaller tiles than other CPUs have, and tensor intrinsics before them."""
    from ..tir import tensor_intrin  # noqa: F401  (they are registered by it)

    return [ApplyCustomRule(), InlineConstantScalars(), _auto_inline_cpu(), AddRFactor(max_jobs_per_core=8, max_innermost_factor=32),
            *[MultiLevelTilingWithIntrin(name, "SSRSRS", None, 32, None, None, ReuseType("may", [1, 2], "global")) for name in intrins],
            MultiLevelTiling("SSRSRS", None, 32, None, None, ReuseType("may", [1, 2], "global")),
            ParallelizeVectorizeUnroll(8, 32, [0, 8, 32, 256], True), RandomComputeLocation()]


def _for_x86(intrin):
    """Those of a CPU, with an intrinsic that multiplies and adds small whole numbers."""
    from ..tir import tensor_intrin  # noqa: F401  (they are registered by it)

    rules = _for_cpu()
    rules.insert(4, MultiLevelTilingWithIntrin(intrin, "SSRSRS", None, 64, None, None, ReuseType("may", [1, 2], "global")))
    return rules


def _for_hexagon():
    return [ApplyCustomRule(), InlineConstantScalars(), _auto_inline_cpu(),
            MultiLevelTilingWideVector("SRSRS", 1024, 64, None, ReuseType("may", [1, 2], "global")),
            ParallelizeVectorizeUnroll(16, 128, [0, 16, 64, 512], True)]


def _for_cuda():
    return [ApplyCustomRule(),
            MultiLevelTiling("SSSRRSRS", ["blockIdx.x", "vthread.x", "threadIdx.x"], 64, [1, 2, 3, 4, 8, 16], ReuseType("must", [4], "shared"),
                             ReuseType("must", [3], "local")),
            InlineConstantScalars(), AutoInline(True, True, True, False, False, False, []), CrossThreadReduction([4, 8, 16, 32, 64, 128, 256, 512]),
            ParallelizeVectorizeUnroll(-1, -1, [0, 16, 64, 512, 1024], True), AutoBind(256, [32, 64, 128, 256, 512, 1024])]


def _for_tensor_cores():
    custom, *others = _for_cuda()
    groups = [group for types in (("float16", "float32"), ("float16", "float16"), ("int8", "int32")) for group in intrinsic_groups("wmma", types)]
    return [custom, MultiLevelTilingTensorCore(groups, "SSSRRSRS", ["blockIdx.y", "blockIdx.x", "threadIdx.y"], 4, [1, 2, 3, 4, 8, 16],
                                               ReuseType("must", [4], "shared.dyn"), ReuseType("must", [2], "shared.dyn")), *others]


def _auto_inline_cpu():
    return AutoInline(into_producer=False, into_consumer=True, inline_const_tensor=True, disallow_if_then_else=True, require_injective=True,
                      require_ordered=True, disallow_op=["tir.exp"])


def _is_spatial(root):
    """Do all blocks below run over data alone?"""
    from ..tir import Block, IterVar
    from ..tir.stmt_functor import post_order_visit

    found = []
    post_order_visit(root.body, lambda node: found.append(node) if isinstance(node, Block) else None)
    return all(var.iter_type == IterVar.DataPar for block in found for var in block.iter_vars)


class PyScheduleRule(ScheduleRule):
    """A base for rules written in Python."""

    _initialize_with_tune_context = missing("_initialize_with_tune_context")
    apply = missing("apply")
    clone = missing("clone")


class _EngineRule(ScheduleRule):
    """A rule of the engine, with its numbers."""

    _jobs = _innermost = _extent = 0

    def _engine_offers(self):
        return True

    def apply(self, sch, block):
        if not self._engine_offers():
            return super().apply(sch, block)
        cores = num_cores(self._context.target) if self._context is not None and self._context.target is not None else 0
        return _core.space_rule(sch, block, type(self).__name__, cores, self._jobs, self._innermost, self._extent)


class InlineConstantScalars(_EngineRule):
    """Inlines constants."""


class AutoInline(_EngineRule):
    """Inlines element-wise blocks into their consumers."""

    def __init__(self, into_producer=False, into_consumer=True, inline_const_tensor=True, disallow_if_then_else=True, require_injective=True,
                 require_ordered=True, disallow_op=("tir.exp",)):
        self.into_producer, self.into_consumer, self.inline_const_tensor = into_producer, into_consumer, inline_const_tensor
        self.disallow_if_then_else, self.require_injective, self.require_ordered = disallow_if_then_else, require_injective, require_ordered
        self.disallow_op = list(disallow_op or ())

    def _engine_offers(self):
        return (not self.into_producer and self.into_consumer and self.inline_const_tensor and self.disallow_if_then_else and self.require_injective
                and self.require_ordered and self.disallow_op == ["tir.exp"])

    def apply(self, sch, block):
        if self._engine_offers():
            return super().apply(sch, block)
        getattr(sch, self._way(sch, block) or "get")(block)
        return [sch]

    def _is_plain(self, sref):
        """Do the block's body and what it reads allow that it is inlined?"""
        found, realize = sref.stmt, realize_of(sref)
        if realize is None or self.disallow_op and has_op(realize, self.disallow_op) or self.disallow_if_then_else and has_condition(realize):
            return False
        patterns = [read_pattern(read, found.writes[0]) for read in found.reads]
        return all((injective or not self.require_injective) and (ordered or not self.require_ordered) for injective, ordered in patterns)

    def _way(self, sch, block):
        """The primitive that inlines the block; None: it stays."""
        sref, found = sch.get_sref(block), sch.get(block)
        if len(found.writes) != 1 or sref.parent is None:
            return None
        if self.inline_const_tensor and len(found.reads) == 0 and _can_inline(sch, block, "compute_inline"):
            return "compute_inline"
        if not _is_spatial(_root_of(sref)) and not self._is_plain(sref):
            return None
        if "meta_schedule.inline_rule" in found.annotations and str(found.annotations["meta_schedule.inline_rule"]) == "disable":
            return None
        if self.into_consumer and _can_inline(sch, block, "compute_inline"):
            return "compute_inline"
        if self.into_producer and _can_inline(sch, block, "reverse_compute_inline"):
            return "reverse_compute_inline"
        return None


def _root_of(sref):
    while sref.parent is not None:
        sref = sref.parent
    return sref.stmt


def _can_inline(sch, block, way):
    """Would the primitive take the block, and is there a consumer, or one producer that is not made of a tensor intrinsic?"""
    from ..tir.schedule import ScheduleError

    trial = sch.copy()
    others = trial.get_consumers(block) if way == "compute_inline" else trial.get_producers(block)
    if not others or way == "reverse_compute_inline" and (len(others) != 1 or "meta_schedule.auto_tensorize" in trial.get(others[0]).annotations):
        return False
    try:
        getattr(trial, way)(block)
    except ScheduleError:
        return False
    return True


class AddRFactor(_EngineRule):
    """Sums long reductions in parts."""

    def __init__(self, max_jobs_per_core=16, max_innermost_factor=None):
        self._jobs, self._innermost = max_jobs_per_core, max_innermost_factor or 64


class MultiLevelTiling(_EngineRule):
    """Tiles blocks that use values again."""

    def __init__(self, structure="SSRSRS", tile_binds=None, max_innermost_factor=64, vector_load_lens=None, reuse_read=None, reuse_write=None,
                 filter_fn=None):
        self.structure, self.tile_binds, self.vector_load_lens, self.filter_fn = structure, tile_binds, vector_load_lens, filter_fn
        self.reuse_read, self.reuse_write = reuse_read, reuse_write
        self._innermost = max_innermost_factor or 64

    def _engine_offers(self):
        write = self.reuse_write
        return (write is not None and self.filter_fn is None and self.structure == "SSRSRS" and not self.tile_binds and not self.vector_load_lens and (self.reuse_read is None or self.reuse_read.req == "no")
                and (write.req, write.levels, write.scope) == ("may", [1, 2], "global"))

    def apply(self, sch, block):
        return super().apply(sch, block) if self._engine_offers() else tiled(self, self._target(), sch, block)


class ParallelizeVectorizeUnroll(_EngineRule):
    """Marks what is to run in parallel, as vectors and unrolled."""

    def __init__(self, max_jobs_per_core=16, max_vectorize_extent=64, unroll_max_steps=(0, 16, 64, 512), unroll_explicit=True):
        self._jobs, self._extent = max_jobs_per_core, max_vectorize_extent
        self.unroll_max_steps, self.unroll_explicit = list(unroll_max_steps or ()), unroll_explicit

    def _engine_offers(self):
        return self._jobs > 0 and self._extent > 0 and self.unroll_max_steps == [0, 16, 64, 512] and self.unroll_explicit

    def apply(self, sch, block):
        return super().apply(sch, block) if self._engine_offers() else self._mark(sch, block)

    def _mark(self, sch, block):
        """The marks of other numbers; -1: none of that kind."""
        if sch.get_sref(block).parent is not None:
            return [sch]
        made = sch.copy()
        if self._jobs != -1:
            made.annotate(block, "meta_schedule.parallel", self._jobs * num_cores(self._context.target))
        if self._extent != -1:
            made.annotate(block, "meta_schedule.vectorize", self._extent)
        if self.unroll_max_steps and not _is_spatial(sch.get(block)):
            n = len(self.unroll_max_steps)
            steps = made.sample_categorical(self.unroll_max_steps, [1.0 / n] * n)
            made.annotate(block, "meta_schedule.unroll_explicit" if self.unroll_explicit else "meta_schedule.unroll_implicit", steps)
        return [made]


class RandomComputeLocation(_EngineRule):
    """Moves blocks to where they are used."""


class ApplyCustomRule(ScheduleRule):
    """Applies the rule that a block names in its annotation schedule_rule: meta_schedule.<key of the target>.<name> of the registry.  Where
    there is none the annotation goes, with a warning, and the other rules see the block."""

    is_custom = True

    def apply(self, sch, block):
        from ..error import TVMError
        from ..runtime._registry import get_global_func

        found = sch.get(block)
        name = found.annotations.get("schedule_rule") if "schedule_rule" in found.annotations else None
        if name is None or str(name) == "None":
            return [sch]
        names = [f"meta_schedule.{key}.{name}" for key in self._context.target.keys]
        rule = next(filter(None, (get_global_func(one, allow_missing=True) for one in names)), None)
        if rule is None:
            self._context.logger.warning("there is no schedule rule %s, looked for as %s", name, ", ".join(names))
            sch.unannotate(block, "schedule_rule")
            return [sch]
        made = rule(sch, block)
        if made is None:
            raise TVMError("ValueError: a rule of one's own gives schedules back, in a list; this one gave None")
        return list(made)


class AutoBind(ScheduleRule):
    """Binds the outer loops of blocks to thread blocks and threads."""

    def __init__(self, max_threadblocks=256, thread_extents=None, max_threads_per_block=-1):
        self.max_threadblocks, self.max_threads_per_block = max_threadblocks, max_threads_per_block
        self.thread_extents = list(thread_extents) if thread_extents is not None else [32, 64, 128, 256, 512, 1024]

    def _initialize_with_tune_context(self, context):
        super()._initialize_with_tune_context(context)
        self.max_threads_per_block = needed_limit(context, "max_threads_per_block")

    def apply(self, sch, block):
        bind_block(sch, block, self.max_threadblocks, self.max_threads_per_block, drawn_factor(sch, self.thread_extents))
        return [sch]


def needed_limit(context, name):
    """A number that the context's target has to say."""
    from ..error import TVMError

    limit = limit_of(context.target, name)
    if limit is None:
        raise TVMError(f"ValueError: missing attribute `{name}` in the target" if context.target is not None else "ValueError: target is not defined")
    return limit


class CrossThreadReduction(ScheduleRule):
    """Sums by many threads, at the place of their consumer where they fit there."""

    def __init__(self, thread_extents):
        self.thread_extents = list(thread_extents)
        if any(extent <= 0 for extent in self.thread_extents):
            raise ValueError("numbers of threads to choose from begin with 1")

    def apply(self, sch, block):
        target = self._target()
        return reduce_across_threads(sch, block, self.thread_extents, limit_of(target, "max_threads_per_block"), limit_of(target, "thread_warp_size"))


class MultiLevelTilingWithIntrin(ScheduleRule):
    """Tiling of what a tensor intrinsic leaves over."""

    def __init__(self, intrin_name, structure, tile_binds=None, max_innermost_factor=None, vector_load_lens=None, reuse_read=None, reuse_write=None):
        self.intrin_name, self.structure, self.tile_binds, self.vector_load_lens = intrin_name, structure, tile_binds, vector_load_lens
        self.reuse_read, self.reuse_write, self.filter_fn = reuse_read, reuse_write, None
        self._innermost = max_innermost_factor or 64

    def apply(self, sch, block):
        return tiled_with_intrin(self, self._target(), sch, block)


class MultiLevelTilingTensorCore(ScheduleRule):
    """Tiling of matrix products for tensor cores: operands by shared memory to fragments, the result back by shared memory.

    intrin_groups: the names init, load_a, load_b, compute and store of intrinsics that go together; each that fits gives designs.
    """

    def __init__(self, intrin_groups, structure, tile_binds=None, max_innermost_factor=None, vector_load_lens=None, reuse_read=None, reuse_write=None,
                 use_software_pipeline=False):
        self.intrin_groups = [dict(one) for one in (intrin_groups if isinstance(intrin_groups, (list, tuple)) else [intrin_groups])]
        self.structure, self.tile_binds, self.vector_load_lens, self.filter_fn = structure, tile_binds, vector_load_lens, None
        self.reuse_read, self.reuse_write, self.use_software_pipeline = reuse_read, reuse_write, use_software_pipeline
        self._innermost = max_innermost_factor or 64

    def apply(self, sch, block):
        return tiled_for_tensor_cores(self, self._target(), sch, block)


class MultiLevelTilingWideVector(ScheduleRule):
    """Tiling for long vectors."""

    def __init__(self, structure, vector_length_in_bits, max_innermost_factor=None, reuse_read=None, reuse_write=None):
        self.structure, self.vector_length_in_bits = structure, vector_length_in_bits
        self.tile_binds = self.vector_load_lens = self.filter_fn = None
        self.reuse_read, self.reuse_write, self._innermost = reuse_read, reuse_write, max_innermost_factor or 64

    def apply(self, sch, block):
        return tiled(self, self._target(), sch, block, WideTiling)


create = ScheduleRule.create
