"""Bounds of one variable from a condition: the expression is turned round step by step until the variable is alone."""
import _loopscope as _core

from ..tir import expr as tir
from .analyzer import Analyzer
from .int_set import NEG_INF, POS_INF, IntervalSet, domains

_EQUAL, _GREATER, _LESS = "equal", "greater", "less"
_OTHER = {_EQUAL: _EQUAL, _GREATER: _LESS, _LESS: _GREATER}
_COMPARE = (tir.LT, tir.LE, tir.GT, tir.GE, tir.EQ)


class _NotDeduced(Exception):
    pass


def _point_or_ends(expr, domain):
    return IntervalSet._from(_core.int_set(expr, domains(domain), None))


class _Deducer:
    """The condition as `expr` (with the variable) against `result`, and which way it points."""

    def __init__(self, var, cond, hints, relaxed):
        self.var, self.hints, self.relaxed = var, hints, relaxed
        self.analyzer = Analyzer()
        self._orient(cond)
        if self._count(self.expr) != 1:
            raise _NotDeduced

    def _count(self, expr):
        found = []
        _core.walk(expr, None, lambda n: found.append(1) if isinstance(n, tir.Var) and n.same_as(self.var) else None)
        return len(found)

    def _orient(self, cond):
        cond = _core.convert_expr(cond)
        if not isinstance(cond, _COMPARE):
            raise _NotDeduced
        left = _core.uses(cond.a, self.var)
        self.expr, self.result = (cond.a, cond.b) if left else (cond.b, cond.a)
        if not left and not _core.uses(cond.b, self.var) or left and _core.uses(cond.b, self.var):
            raise _NotDeduced
        less = isinstance(cond, (tir.LT, tir.LE)) == left
        self.way = _EQUAL if isinstance(cond, tir.EQ) else _LESS if less else _GREATER
        if isinstance(cond, (tir.LT, tir.GT)):
            self.result = self.result - 1 if self.way == _LESS else self.result + 1

    def relax(self):
        """Takes away the variables that the bound may not name."""
        a, b = _point_or_ends(self.expr, self.relaxed), _point_or_ends(self.result, self.relaxed)
        if a.is_everything() or b.is_everything() or a.is_nothing() or b.is_nothing():
            raise _NotDeduced
        if self.way == _EQUAL and not all(not isinstance(x.min_value, type(NEG_INF)) and not isinstance(x.max_value, type(NEG_INF))
                                          and self.analyzer.can_prove_equal(x.min_value, x.max_value) for x in (a, b)):
            raise _NotDeduced
        self.expr = a.min_value if self.way == _GREATER else a.max_value
        self.result = b.max_value if self.way == _GREATER else b.min_value
        if any(x is NEG_INF or x is POS_INF for x in (self.expr, self.result)) or self._count(self.expr) != 1:
            raise _NotDeduced

    def solve(self):
        """Moves everything but the variable to the other side."""
        expr = self.expr
        while not isinstance(expr, tir.Var):
            if not isinstance(expr, (tir.Add, tir.Sub, tir.Mul, tir.FloorDiv)):
                raise _NotDeduced
            left = _core.uses(expr.a, self.var)
            inner, other = (expr.a, expr.b) if left else (expr.b, expr.a)
            if isinstance(expr, tir.Add):
                self.result = self.result - other
            elif isinstance(expr, tir.Sub):
                self._subtract(other, left)
            elif isinstance(expr, tir.Mul):
                self._multiply(other)
            else:
                self._divide(other, left)
            expr = inner

    def _subtract(self, other, left):
        if left:
            self.result = self.result + other
            return
        self.result = -(self.result - other)
        self.way = _OTHER[self.way]

    def _negative(self, operand):
        if str(operand.dtype).startswith("uint"):
            return False
        ends = _point_or_ends(operand, self.hints)
        low, high = (x.value if isinstance(x, tir.IntImm) else None for x in (ends.min_value, ends.max_value))
        if low is not None and low > 0:
            return False
        if high is not None and high < 0:
            return True
        raise _NotDeduced

    def _multiply(self, operand):
        if self._negative(operand):
            self.way = _OTHER[self.way]
        divides = self.analyzer.can_prove(tir.FloorMod(self.result, operand) == 0)
        self.result = tir.FloorDiv(self.result, operand)
        if not divides:
            if self.way == _EQUAL:
                raise _NotDeduced
            if self.way == _GREATER:
                self.result = self.result + 1

    def _divide(self, divisor, left):
        if not left or self.way == _EQUAL:
            raise _NotDeduced
        negative = self._negative(divisor)
        if self.way == _LESS:
            self.result = (self.result + 1) * divisor
            self.result = self.result + 1 if negative else self.result - 1
        else:
            self.result = self.result * divisor
        if negative:
            self.way = _OTHER[self.way]


def deduce_bound(var, cond, hint_map, relax_map):
    """The values of a variable for which a condition holds.

    hint_map says where the other variables lie; the bound names none of the variables of relax_map.  Where nothing can
    be said the empty set is given.
    """
    try:
        deducer = _Deducer(var, cond, dict(hint_map.items()), dict(relax_map.items()))
        deducer.relax()
        deducer.solve()
    except _NotDeduced:
        return IntervalSet(POS_INF, NEG_INF)
    result = deducer.analyzer.simplify(deducer.result)
    return IntervalSet(result if deducer.way != _LESS else NEG_INF, result if deducer.way != _GREATER else POS_INF)
