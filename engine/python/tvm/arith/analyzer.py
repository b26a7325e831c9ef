"""The analyser."""
import enum
import sys
from typing import NamedTuple

import _loopscope as _core


class ProofStrength(enum.IntEnum):
    """How hard can_prove tries."""

    DEFAULT = 0
    SYMBOLIC_BOUND = 1


class CompareResult(enum.IntEnum):
    """The order of two expressions as far as it is known; the bits combine."""

    INCONSISTENT = 0
    EQ = 1
    LT = 2
    LE = 3
    GT = 4
    GE = 5
    NE = 6
    UNKNOWN = 7


class Extension(enum.Flag):
    """Optional parts of rewriting."""

    NoExtensions = 0
    TransitivelyProveInequalities = 1
    ConvertBooleanToAndOfOrs = 2
    ApplyConstraintsToBooleanBranches = 4
    ComparisonOfProductAndSum = 8


class ModularSet:
    """coeff * n + base"""

    def __init__(self, coeff, base):
        self.coeff, self.base = coeff, base

    def __repr__(self):
        return f"ModularSet(coeff={self.coeff}, base={self.base})"


class ConstIntBound:
    """The lowest and highest value."""

    POS_INF = _core.POS_INF
    NEG_INF = _core.NEG_INF

    def __init__(self, min_value, max_value):
        self.min_value, self.max_value = min_value, max_value

    def __repr__(self):
        words = {self.POS_INF: "pos_inf", self.NEG_INF: "neg_inf"}
        return f"ConstIntBound[{words.get(self.min_value, self.min_value)}, {words.get(self.max_value, self.max_value)}]"

    def __eq__(self, other):
        return isinstance(other, ConstIntBound) and (self.min_value, self.max_value) == (other.min_value, other.max_value)

    __hash__ = object.__hash__


class ConstraintScope:
    """What holds inside a `with`."""

    def __init__(self, fenter):
        self._fenter = fenter
        self._fexit = None

    def __enter__(self):
        self._fexit = self._fenter()

    def __exit__(self, *unused):
        self._fexit()


def _warn_of_vscale(expr):
    """Says why a condition with vscale() was not tried with the numbers that it can have: the target does not have them."""
    from ..target import Target

    if _core.get_vscale() or not _core.has_vscale(expr):
        return
    print("Warning: The expression contains scalable values. An attempt to prove by substituting with known values of vscale was not "
          f"performed. This proof currently only supports AArch64 SVE targets, but the target was {Target.current(allow_none=True)}", file=sys.stderr)


class RewriteSimplifierStats(NamedTuple):
    """How much the rewriting simplifier did; the canonical one, which rewrites too, is not in these counts."""

    nodes_visited: int
    constraints_entered: int
    rewrites_attempted: int
    rewrites_performed: int
    max_recursive_depth: int
    num_recursive_rewrites: int


class Analyzer:
    """What is known of variables, and what follows for expressions."""

    def __init__(self):
        self._impl = _core.Analyzer()

    def const_int_bound(self, expr):
        """The lowest and highest value."""
        return ConstIntBound(*self._impl._bound(expr))

    def const_int_bound_is_bound(self, var):
        """Were bounds given?"""
        return self._impl._is_bound(var)

    def modular_set(self, expr):
        """coeff and base."""
        return ModularSet(*self._impl._modular(expr))

    def simplify(self, expr, steps=2):
        """Rewriting and canonical form in turn."""
        return self._impl._simplify(expr, steps)

    def rewrite_simplify(self, expr):
        """Rules that match patterns."""
        return self._impl._rewrite(expr)

    @property
    def rewrite_simplify_stats(self):
        """What rewrite_simplify did since the last reset."""
        return RewriteSimplifierStats(*self._impl._stats())

    def reset_rewrite_simplify_stats(self):
        """Counts from 0."""
        self._impl._reset_stats()

    def canonical_simplify(self, expr):
        """Sums in one order."""
        return self._impl._canonical(expr)

    def int_set(self, expr, dom_map=None):
        """The values of an expression over domains."""
        from .int_set import IntervalSet, domains

        return IntervalSet._from(_core.int_set(expr, domains(dom_map), self._impl))

    def can_prove(self, expr, strength=ProofStrength.DEFAULT):
        """Does a condition hold always?"""
        holds = self._impl._can_prove(expr, int(strength))
        if not holds:
            _warn_of_vscale(expr)
        return holds

    def bind(self, var, expr, allow_override=False):
        """From here on a variable is a value, or in a range.  Another value or range than before needs allow_override."""
        self._impl._bind(var, expr, allow_override)

    def constraint_scope(self, constraint):
        """A condition that holds inside a `with`."""

        def enter():
            token = self._impl._enter(constraint)
            return lambda: self._impl._exit(token)

        return ConstraintScope(enter)

    def update(self, var, info, override=False):
        """Facts about a variable: a ConstIntBound or a ModularSet.  Another bound than before needs override."""
        if isinstance(info, ConstIntBound):
            self._impl._update_bound(var, info.min_value, info.max_value, override)
        elif isinstance(info, ModularSet):
            self._impl._update_modular(var, info.coeff, info.base, override)
        else:
            raise TypeError(f"Do not know how to handle type {type(info)}")

    def can_prove_equal(self, lhs, rhs):
        """Are two expressions equal always?"""
        return self._impl._can_prove_equal(lhs, rhs)

    def try_compare(self, lhs, rhs, propagate_inequalities=True):
        """The order of two expressions."""
        return CompareResult(self._impl._compare(lhs, rhs, propagate_inequalities))

    @property
    def enabled_extensions(self):
        """Optional parts of rewriting that are on."""
        return Extension(self._impl._extensions(None))

    @enabled_extensions.setter
    def enabled_extensions(self, flags):
        self._impl._extensions(Extension(flags).value)
