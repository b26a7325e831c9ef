"""Sets of integers."""
import _loopscope as _core

from ..tir.expr import IntImm


class IntSet:
    """A set of integers."""

    def is_nothing(self):
        """Is it empty?"""
        return False

    def is_everything(self):
        """Is it without bounds?"""
        return False

    @staticmethod
    def vector(vec):
        """The lanes of a vector."""
        if hasattr(vec, "stride"):
            if not isinstance(vec.lanes, int) and not isinstance(vec.lanes, IntImm):
                return IntervalSet(vec.base, POS_INF)
            return IntervalSet(vec.base, vec.base + vec.stride * (vec.lanes - 1))
        return IntervalSet(vec, vec)

    @staticmethod
    def single_point(point):
        """One number."""
        return IntervalSet(point, point)


class _Infinity:
    """An end that is not there."""

    def __init__(self, name):
        self.name = name

    def same_as(self, other):
        """The same end?"""
        return self is other

    def __repr__(self):
        return self.name


POS_INF = _Infinity("pos_inf")
NEG_INF = _Infinity("neg_inf")


def pos_inf():
    """No upper end."""
    return POS_INF


def neg_inf():
    """No lower end."""
    return NEG_INF


class IntervalSet(IntSet):
    """[min_value, max_value]"""

    def __init__(self, min_value, max_value):
        self.min_value = min_value if isinstance(min_value, _Infinity) else _core.convert_expr(min_value)
        self.max_value = max_value if isinstance(max_value, _Infinity) else _core.convert_expr(max_value)

    @staticmethod
    def _from(pair):
        if len(pair) == 0:
            return IntervalSet(POS_INF, NEG_INF)
        low, high = pair
        return IntervalSet(NEG_INF if low is None else low, POS_INF if high is None else high)

    def is_nothing(self):
        """Is it empty?"""
        return self.min_value is POS_INF

    def is_everything(self):
        """Is it without bounds?"""
        return self.min_value is NEG_INF and self.max_value is POS_INF

    def _domain(self):
        low, high = self.min_value, self.max_value
        return (None if low is NEG_INF else low), (None if high is POS_INF else high)

    def __repr__(self):
        return f"IntervalSet[{self.min_value}, {self.max_value}]"


def _before(a, b):
    """Is a no later than b + 1?  The ends may be infinite."""
    if a is NEG_INF or b is POS_INF:
        return True
    if a is POS_INF or b is NEG_INF:
        return False
    from .analyzer import Analyzer

    return Analyzer().can_prove(a <= b + 1)


def union_lower_bound(sets):
    """A set inside the union of intervals: those that touch are joined."""
    sets = [s for s in sets if not s.is_nothing()]
    if not sets:
        return IntervalSet(POS_INF, NEG_INF)
    result, rest = sets[0], sets[1:]
    changed = True
    while changed and rest:
        changed = False
        for s in list(rest):
            if _before(s.min_value, result.max_value) and _before(result.min_value, s.max_value):
                result = _hull(result, s)
                rest.remove(s)
                changed = True
    return result if not rest else IntervalSet(POS_INF, NEG_INF)


def _hull(a, b):
    """The smallest interval around two."""
    from ..tir.expr import Max, Min
    from .analyzer import Analyzer

    simplify = Analyzer().simplify
    low = NEG_INF if a.min_value is NEG_INF or b.min_value is NEG_INF else simplify(Min(a.min_value, b.min_value))
    high = POS_INF if a.max_value is POS_INF or b.max_value is POS_INF else simplify(Max(a.max_value, b.max_value))
    return IntervalSet(low, high)


class PresburgerSet(IntSet):
    """Not offered."""

    def __init__(self):
        raise NotImplementedError("PresburgerSet is not offered")


def domains(dom_map):
    """Ranges and sets as the engine takes them."""
    return {var: value._domain() if isinstance(value, IntervalSet) else value for var, value in (dom_map or {}).items()}


def _region(region, var_dom, predicate, how):
    found = _core.region_bound(region, domains(var_dom), predicate, how)
    return None if found is None else [IntervalSet._from(pair) for pair in found]


def estimate_region_lower_bound(region, var_dom, predicate):
    """Sets inside the union, or None."""
    return _region(region, var_dom, predicate, 1)


def estimate_region_strict_bound(region, var_dom, predicate):
    """The union exactly, or None."""
    return _region(region, var_dom, predicate, 0)


def estimate_region_upper_bound(region, var_dom, predicate):
    """Sets around the union."""
    return _region(region, var_dom, predicate, 2)
