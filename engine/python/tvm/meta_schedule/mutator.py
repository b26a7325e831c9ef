"""Changing one decision of a trace."""
import _loopscope as _core

from ..tir.schedule.trace import Trace


class Mutator:
    """A mutator; apply needs a context with a module."""

    _what = 4
    max_jobs = 16

    def __init__(self):
        self._context = None

    def _initialize_with_tune_context(self, context):
        self._context = context

    def apply(self, trace):
        """Another trace, or None when there is nothing to change."""
        seed = self._context._draw_seed()
        made = _core.trace_mutate(trace._impl, self._context.mod, self._what, self.max_jobs, seed)
        return Trace._wrap(made) if made is not None else None

    def clone(self):
        """The same again."""
        return self

    @staticmethod
    def create(kind):
        """Those of a kind of target, with how likely each is."""
        return {MutateTileSize(): 0.9, MutateComputeLocation(): 0.05, MutateUnroll(): 0.03, MutateParallel(16): 0.02}


class MutateTileSize(Mutator):
    """Moves a factor from one tile to another."""

    _what = 0


class MutateComputeLocation(Mutator):
    """Another place of a block."""

    _what = 1


class MutateUnroll(Mutator):
    """Another bound of unrolling."""

    _what = 2


class MutateParallel(Mutator):
    """Another number of fused parallel loops."""

    _what = 3

    def __init__(self, max_jobs_per_core):
        super().__init__()
        self.max_jobs = max_jobs_per_core


create = Mutator.create


class PyMutator(Mutator):
    """A base for changes written in Python."""
