"""Iteration maps."""
from enum import IntEnum

import _loopscope as _core

from ..ir.expr import PrimExpr
from ..runtime.object import Object, register
from .int_set import domains


class IterMapLevel(IntEnum):
    """What is asked of a map."""

    Bijective = 0
    Surjective = 1
    Injective = 2
    NoCheck = 3

    @staticmethod
    def from_str(name):
        """By name."""
        levels = {"bijective": IterMapLevel.Bijective, "surjective": IterMapLevel.Surjective, "injective": IterMapLevel.Injective,
                  "nocheck": IterMapLevel.NoCheck}
        if name is None:
            return IterMapLevel.NoCheck
        if name.lower() not in levels:
            raise ValueError(f"Invalid IterMapLevel {name}")
        return levels[name.lower()]


def _level(check_level):
    if isinstance(check_level, str):
        return IterMapLevel.from_str(check_level)
    return IterMapLevel.NoCheck if check_level is None else IterMapLevel(check_level)


class IterMapExpr(PrimExpr):
    """Part of an iteration map."""

    __slots__ = ()


@register("IterMark")
class IterMark(Object):
    """An iterator: a variable or a sum that counts like one."""

    __slots__ = ()

    def __new__(cls, source, extent):
        return _core.make("IterMark", source, extent)


@register("IterSplit")
class IterSplitExpr(IterMapExpr):
    """((source // lower_factor) % extent) * scale"""

    __slots__ = ()

    def __new__(cls, source, lower_factor, extent, scale):
        return _core.iter_split(source, lower_factor, extent, scale)


@register("IterSum")
class IterSumExpr(IterMapExpr):
    """A sum of splits and a base."""

    __slots__ = ()

    def __new__(cls, args, base):
        return _core.iter_sum(list(args), base)


class IterMapResult:
    """What detect_iter_map found."""

    def __init__(self, indices, errors, padding_predicate):
        self.indices, self.errors, self.padding_predicate = indices, errors, padding_predicate


def detect_iter_map(indices, input_iters, predicate=True, check_level=IterMapLevel.Surjective, simplify_trivial_iterators=True):
    """Indices as sums of iterators, with reasons where they are none."""
    return IterMapResult(*_core.detect_iter_map(list(indices), domains(input_iters), predicate, int(_level(check_level)), simplify_trivial_iterators))


def normalize_to_iter_sum(index, input_iters):
    """An index as one sum, without checks."""
    return _core.normalize_to_iter_sum(index, domains(input_iters))


def iter_map_simplify(indices, input_iters, predicate=True, check_level=IterMapLevel.Surjective, simplify_trivial_iterators=True):
    """Indices simplified as an iteration map."""
    return _core.iter_map_simplify(list(indices), domains(input_iters), predicate, int(_level(check_level)), simplify_trivial_iterators)


def normalize_iter_map_to_expr(expr):
    """The plain expression of a map."""
    return _core.iter_map_to_expr(expr)


def subspace_divide(bindings, input_iters, sub_iters, predicate=True, check_level=IterMapLevel.Surjective, simplify_trivial_iterators=True):
    """Bindings divided into outer and inner iterators."""
    return _core.subspace_divide(list(bindings), domains(input_iters), list(sub_iters), predicate, int(_level(check_level)), simplify_trivial_iterators)


def inverse_affine_iter_map(iter_map, outputs):
    """The variables in terms of outputs."""
    pairs = _core.inverse_affine_iter_map(list(iter_map), list(outputs))
    if pairs is None:
        raise ValueError("the map cannot be turned round")
    return dict(pairs)
