"""Where schedules come from."""
from ..error import TVMError
from ..tir import PrimFunc
from ..tir.schedule import Schedule
from .utils import Named, missing


class SpaceGenerator(Named):
    """Makes the designs for a module: schedules whose sampling steps are drawn anew for each trial.

    sch_rules, postprocs, mutator_probs: lists and a dictionary, or the name of a kind of target; "from-target": those of the context's target.
    """

    ScheduleFnType = object

    def __init__(self, sch_rules="from-target", postprocs="from-target", mutator_probs="from-target"):
        self.sch_rules, self.postprocs, self.mutator_probs = _named(sch_rules, postprocs, mutator_probs)
        self._context = None

    def _initialize_with_tune_context(self, context):
        from .mutator import Mutator
        from .postproc import Postproc
        from .schedule_rule import ScheduleRule, kind_of_rules

        self._context = context
        if context.target is not None and None in (self.sch_rules, self.postprocs, self.mutator_probs):
            kind = kind_of_rules(context.target)
            self.sch_rules = ScheduleRule.create(kind) if self.sch_rules is None else self.sch_rules
            self.postprocs = Postproc.create(kind) if self.postprocs is None else self.postprocs
            self.mutator_probs = Mutator.create(kind) if self.mutator_probs is None else self.mutator_probs
        for one in [*(self.sch_rules or ()), *(self.postprocs or ()), *(self.mutator_probs or ())]:
            one._initialize_with_tune_context(context)

    def generate_design_space(self, mod):
        """A list of schedules."""
        raise NotImplementedError

    def clone(self):
        """The same again."""
        import copy

        other = copy.copy(self)
        other._context = None
        other.sch_rules = [one.clone() for one in self.sch_rules] if self.sch_rules is not None else None
        other.postprocs = [one.clone() for one in self.postprocs] if self.postprocs is not None else None
        other.mutator_probs = {one.clone(): p for one, p in self.mutator_probs.items()} if self.mutator_probs is not None else None
        return other

    @staticmethod
    def create(kind="post-order-apply", *args, **kwargs):
        """By name, or from a function."""
        if isinstance(kind, SpaceGenerator):
            return kind
        if callable(kind):
            return ScheduleFn(kind, *args, **kwargs)
        if kind == "post-order-apply":
            return PostOrderApply(*args, **kwargs)
        if kind == "union":
            return SpaceGeneratorUnion(*args, **kwargs)
        raise ValueError(f"there is no space generator {kind}; there are post-order-apply and union")


def _named(sch_rules, postprocs, mutator_probs):
    from .mutator import Mutator
    from .postproc import Postproc
    from .schedule_rule import ScheduleRule

    def one(value, make):
        return None if value == "from-target" else make(value) if isinstance(value, str) else value

    return one(sch_rules, ScheduleRule.create), one(postprocs, Postproc.create), one(mutator_probs, Mutator.create)


class PySpaceGenerator(SpaceGenerator):
    """A base for spaces written in Python."""

    _initialize_with_tune_context = missing("_initialize_with_tune_context")
    generate_design_space = missing("generate_design_space")
    clone = missing("clone")


class ScheduleFn(SpaceGenerator):
    """A Python function that schedules the given Schedule, or gives one or several."""

    def __init__(self, sch_fn, sch_rules="from-target", postprocs="from-target", mutator_probs="from-target"):
        super().__init__(sch_rules, postprocs, mutator_probs)
        self.sch_fn = sch_fn

    def generate_design_space(self, mod):
        sch = Schedule(mod, seed=self._context._draw_seed() if self._context is not None else None)
        result = self.sch_fn(sch)
        if result is None:
            return [sch]
        if isinstance(result, Schedule):
            return [result]
        if isinstance(result, (list, tuple)):
            for one in result:
                if not isinstance(one, Schedule):
                    raise TypeError(f"the function of a space gives a list of schedules, with {type(one).__name__} among them")
            return list(result)
        raise TypeError(f"the function of a space gives nothing, a schedule or a list of them, not {type(result).__name__}")


class PostOrderApply(SpaceGenerator):
    """Each rule in turn on each block, consumers first, on every design that the rules before gave.

    f_block_filter: which blocks are looked at; a function of a Block, or the name of a registered one.
    """

    def __init__(self, f_block_filter=None, sch_rules="from-target", postprocs="from-target", mutator_probs="from-target"):
        super().__init__(sch_rules, postprocs, mutator_probs)
        if isinstance(f_block_filter, str):
            from ..runtime._registry import get_global_func

            f_block_filter = get_global_func(f_block_filter)
        self.f_block_filter = f_block_filter

    def generate_design_space(self, mod):
        if self.sch_rules is None:
            raise TVMError("ValueError: PostOrderApply needs its rules, or a target in the context that says which")
        first = Schedule(mod, seed=self._context._draw_seed() if self._context is not None else None)
        blocks = self._collect(first)
        designs = [first]
        for rule in self.sch_rules:
            left, designs = [(sch, len(blocks)) for sch in designs], []
            while left:
                sch, n = left.pop()
                while n > 0 and not self._applies(rule, sch, blocks[n - 1]):
                    n -= 1
                if n == 0:
                    designs.append(sch)
                else:
                    left += [(made, n - 1) for made in rule.apply(sch, blocks[n - 1])]
        return designs

    @staticmethod
    def _applies(rule, sch, block):
        found = sch._resolve(block)
        return found is not None and (getattr(rule, "is_custom", False) or "schedule_rule" not in found.annotations)

    def _collect(self, sch):
        from ..tir import Block
        from ..tir.stmt_functor import post_order_visit

        found = []
        for var, func in sch.mod.functions.items():
            if not isinstance(func, PrimFunc):
                continue
            names, chosen = set(), []

            def visit(node):
                if not isinstance(node, Block):
                    return
                if node.name_hint in names:  # noqa: B023
                    # programs look for TVM's check and sentence
                    raise TVMError("TVMError: Check failed: (block_names_.count(block->name_hint) == 0) is false: "
                                   f"Duplicated block name {node.name_hint} in function {var.name_hint} not supported! "  # noqa: B023
                                   "A trace finds blocks by their names.")
                names.add(node.name_hint)  # noqa: B023
                if self.f_block_filter is None or self.f_block_filter(node):
                    chosen.append(node.name_hint)  # noqa: B023

            post_order_visit(func.body, visit)
            found += [sch.get_block(name, var.name_hint) for name in chosen]
        return found


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

    def clone(self):
        other = super().clone()
        other.space_generators = [one.clone() for one in self.space_generators]
        return other


create = SpaceGenerator.create
