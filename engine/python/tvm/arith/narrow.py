"""A condition without some of its parameters: true only where the condition is true for every value of these."""
import _loopscope as _core

from ..tir import expr as tir

_STRICT = {tir.GT: (tir.GT, False), tir.GE: (tir.GE, False), tir.LT: (tir.LT, True), tir.LE: (tir.LE, True)}


class _Narrower:
    """Walks a condition and knows at each place whether a large or a small value makes the whole stronger."""

    def __init__(self, ranges):
        self.ranges = ranges
        self.unknown = False

    def visit(self, expr, largest):
        """The expression with each parameter at the end that `largest` asks for."""
        result = self._step(expr, largest)
        if self.unknown and str(expr.dtype) == "bool":
            self.unknown = False
            return tir.IntImm("bool", largest)
        return result

    def _step(self, expr, largest):
        kind = type(expr)
        if kind in _STRICT:
            make, up = _STRICT[kind]
            return make(self.visit(expr.a, up != largest), self.visit(expr.b, up == largest))
        if kind is tir.EQ:
            return self._both(tir.And, tir.LE, expr, largest)
        if kind is tir.NE:
            return self._both(tir.Or, tir.LT, expr, largest)
        if kind is tir.Not:
            inner = self.visit(expr.a, not largest)
            return tir.IntImm("bool", not inner.value) if isinstance(inner, tir.IntImm) else tir.Not(inner)
        if kind is tir.Sub:
            return tir.Sub(self.visit(expr.a, largest), self.visit(expr.b, not largest))
        if kind is tir.FloorDiv:
            return self._divide(expr, largest)
        if kind in (tir.FloorMod, tir.BufferLoad):
            self.unknown = True
            return expr
        if isinstance(expr, tir.Var):
            return self._parameter(expr, largest)
        if kind in (tir.Add, tir.Mul, tir.Div, tir.Mod, tir.Min, tir.Max, tir.And, tir.Or):
            return kind(self.visit(expr.a, largest), self.visit(expr.b, largest))
        return expr

    def _both(self, join, compare, expr, largest):
        first = self.visit(compare(expr.a, expr.b), largest)
        second = self.visit(compare(expr.b, expr.a), largest)
        for one, other in ((first, second), (second, first)):
            if isinstance(one, tir.IntImm):
                decides = bool(one.value) == (join is tir.Or)
                return one if decides else other
        return join(first, second)

    def _divide(self, expr, largest):
        a, b = self.visit(expr.a, largest), self.visit(expr.b, largest)
        if isinstance(b, tir.IntImm) and b.value == 0:
            self.unknown = True
            return tir.IntImm(expr.dtype, 0)
        return tir.FloorDiv(a, b)

    def _parameter(self, var, largest):
        domain = self.ranges.get(var)
        if domain is None:
            return var
        from .analyzer import Analyzer

        return Analyzer().simplify(domain.min + domain.extent - 1) if largest else domain.min


def narrow_predicate_expression(expr, free_parameters):
    """A condition that implies `expr` for all values of the parameters in their ranges, without these parameters."""
    return _Narrower(dict(free_parameters.items())).visit(_core.convert_expr(expr), False)
