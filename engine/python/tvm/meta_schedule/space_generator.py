"""Where schedules come from."""
import _loopscope as _core

from ..tir.schedule import Schedule
from ..tir.schedule.trace import Trace


class SpaceGenerator:
    """Makes the designs for a module: schedules whose sampling steps are drawn anew for each trial."""

    def __init__(self, sch_rules="from-target", postprocs="from-target", mutator_probs="from-target"):
        self.sch_rules, self.postprocs, self.mutator_probs = sch_rules, postprocs, mutator_probs
        self._context = None

    ScheduleFnType = object

    def _initialize_with_tune_context(self, context):
        self._context = context

    def generate_design_space(self, mod):
        """A list of schedules."""
        raise NotImplementedError

    def clone(self):
        """The same again."""
        import copy

        return copy.copy(self)

    @property
    def finishes(self):
        """Are programs finished by the postprocs of a CPU?"""
        return self.postprocs != [] and self.postprocs is not None

    @staticmethod
    def create(kind="post-order-apply", *args, **kwargs):
        """By name, or from a function."""
        if callable(kind) and not isinstance(kind, SpaceGenerator):
            return ScheduleFn(kind, *args, **kwargs)
        if isinstance(kind, SpaceGenerator):
            return kind
        if kind == "post-order-apply":
            return PostOrderApply(*args, **kwargs)
        if kind == "union":
            return SpaceGeneratorUnion(*args, **kwargs)
        raise ValueError(f"Unknown SpaceGenerator: {kind}")


class PySpaceGenerator(SpaceGenerator):
    """A base for spaces written in Python."""


class ScheduleFn(SpaceGenerator):
    """A Python function that schedules the given Schedule, or gives one or several."""

    def __init__(self, sch_fn, sch_rules="from-target", postprocs="from-target", mutator_probs="from-target"):
        super().__init__(sch_rules, postprocs, mutator_probs)
        self.sch_fn = sch_fn

    def generate_design_space(self, mod):
        seed = self._context._draw_seed() if self._context is not None else None
        sch = Schedule(mod, seed=seed)
        result = self.sch_fn(sch)
        if result is None:
            return [sch]
        if isinstance(result, Schedule):
            return [result]
        if isinstance(result, (list, tuple)):
            for one in result:
                if not isinstance(one, Schedule):
                    raise TypeError(f"Expect the return type of ScheduleFn to be None, Schedule, or List[Schedule], but got: {type(one)}")
            return list(result)
        raise TypeError(f"Expect the return type of ScheduleFn to be None, Schedule, or List[Schedule], but got: {type(result)}")


class PostOrderApply(SpaceGenerator):
    """The rules for a CPU: inlining, rfactor, multi-level tiling, marks for parallel, vector and unrolled loops, compute locations."""

    def __init__(self, f_block_filter=None, sch_rules="from-target", postprocs="from-target", mutator_probs="from-target"):
        super().__init__(sch_rules, postprocs, mutator_probs)
        self.f_block_filter = f_block_filter

    def generate_design_space(self, mod):
        from .utils import num_cores

        context = self._context
        cores = num_cores(context.target) if context is not None and context.target is not None else 0
        if context is not None and context.target is not None and context.target.kind.name not in ("llvm", "c"):
            raise NotImplementedError(f"the rules are those of a CPU; there are none for {context.target.kind.name}")
        designs = []
        for impl in _core.space_designs(mod, cores, context._draw_seed() if context is not None else 1):
            sch = Schedule(mod)
            Trace._wrap(impl).apply_to_schedule(sch, remove_postproc=False)
            designs.append(sch)
        return designs


class SpaceGeneratorUnion(SpaceGenerator):
    """The designs of several spaces."""

    def __init__(self, space_generators, sch_rules="from-target", postprocs="from-target", mutator_probs="from-target"):
        super().__init__(sch_rules, postprocs, mutator_probs)
        self.space_generators = [SpaceGenerator.create(one) for one in space_generators]

    def _initialize_with_tune_context(self, context):
        super()._initialize_with_tune_context(context)
        for one in self.space_generators:
            one._initialize_with_tune_context(context)

    def generate_design_space(self, mod):
        return [design for one in self.space_generators for design in one.generate_design_space(mod)]


SpaceGenerator.ScheduleFnType = object
create = SpaceGenerator.create
