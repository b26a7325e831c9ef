"""Changing one decision of a trace."""
import random

import _loopscope as _core

from ..tir.schedule.trace import Trace
from .utils import Named, missing, num_cores


class Mutator(Named):
    """Its apply gives another trace."""

    _what = 4
    max_jobs = 16
    _context = None

    def _initialize_with_tune_context(self, context):
        self._context = context

    def apply(self, trace):
        """Another trace, or None when there is nothing to change."""
        jobs = self.max_jobs * (num_cores(self._context.target) if self._context.target is not None else 1)
        made = _core.trace_mutate(trace._impl, self._context.mod, self._what, jobs, self._context._draw_seed())
        return Trace._wrap(made) if made is not None else None

    def clone(self):
        """The same again."""
        import copy

        other = copy.copy(self)
        other._context = None
        return other

    @staticmethod
    def create(kind):
        """Those of a kind of target, with how likely each is."""
        if kind in ("cuda", "cuda-tensorcore"):
            return {MutateTileSize(): 0.9, MutateUnroll(): 0.08, MutateThreadBinding(): 0.02}
        if kind in ("llvm", "c", "asimd", "dotprod", "vnni", "avx512", "hexagon"):
            return {MutateTileSize(): 0.9, MutateComputeLocation(): 0.05, MutateUnroll(): 0.03, MutateParallel(16): 0.02}
        raise ValueError(f"there are no mutators for {kind}")


class PyMutator(Mutator):
    """A base for changes written in Python."""

    _initialize_with_tune_context = missing("_initialize_with_tune_context")
    apply = missing("apply")
    clone = missing("clone")


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
        self.max_jobs = max_jobs_per_core


class MutateThreadBinding(Mutator):
    """Another number of threads: another choice of a sample_categorical whose result splits a loop that is bound to threadIdx.x."""

    def apply(self, trace):
        draws = self._draws(trace)
        if not draws:
            return None
        draw = self._context._random if self._context is not None else random
        inst, decision = draw.choice(draws)
        n = len(inst.attrs[0])
        if n <= 1:
            return None
        chosen = draw.randrange(n - 1)
        return trace.with_decision(inst, chosen + (chosen >= int(decision)), remove_postproc=True)

    @staticmethod
    def _draws(trace):
        """Steps that draw a number of threads, each with its decision: sample, split, bind or sample, split, fuse, .., bind."""
        sampled, split_by, found = {}, {}, []
        for inst in trace.insts:
            name = inst.kind.name
            if name == "SampleCategorical":
                sampled[_core.address(inst.outputs[0])] = inst
            elif name == "Split" and len(inst.outputs) == 2:
                by = [sampled[_core.address(x)] for x in inst.inputs if x is not None and _is_var(x) and _core.address(x) in sampled]
                if by:
                    split_by[_core.address(inst.outputs[1])] = by[-1]
            elif name == "Bind" and str(inst.attrs[0]) == "threadIdx.x" and _core.address(inst.inputs[0]) in split_by:
                source = split_by[_core.address(inst.inputs[0])]
                decision = trace.get_decision(source)
                if decision is not None:
                    found.append((source, decision))
        return found


def _is_var(value):
    return hasattr(value, "same_as") and _core.kind(value) == "Var"


create = Mutator.create
