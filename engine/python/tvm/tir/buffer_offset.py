"""Where an element of a buffer lies: the sum over the dimensions, with quotients and remainders of one divisor put together."""
import _loopscope as _core

from ..arith import Analyzer
from . import expr as tir


def _terms(expr):
    return _terms(expr.a) + _terms(expr.b) if isinstance(expr, tir.Add) else [expr]


def _plus(total, expr):
    return expr if total is None else total + expr


class _Sum:
    """A sum in three parts: products, remainders and the rest."""

    def __init__(self, expr):
        self.products, self.remainders, self.rest = [], [], None
        self.add(expr)

    def add(self, expr):
        """Adds the terms of an expression."""
        for term in _terms(expr):
            if isinstance(term, tir.FloorMod):
                self.remainders.append(term)
            elif isinstance(term, tir.Mul):
                self.products.append(term)
            else:
                self.rest = _plus(self.rest, term)

    def merge_one(self, analyzer):
        """Puts one product and one remainder together; False where none fit."""
        for remainder in self.remainders:
            for product in self.products:
                found = _merged(analyzer, product, remainder)
                if found is not None:
                    self.remainders = [r for r in self.remainders if r is not remainder]
                    self.products = [p for p in self.products if p is not product]
                    self.add(found)
                    return True
        return False

    def total(self):
        """The whole sum."""
        total = self.rest
        for term in self.products + self.remainders:
            total = _plus(total, term)
        return total


def _merged(analyzer, product, remainder):
    """(a + c // k * k1) * k2 and d % k with k = k1 * k2, c - d a multiple of k: a * k2 + c.  None: they do not fit."""
    outer, inner = product.b, product.a
    while isinstance(inner, tir.Mul):
        outer, inner = inner.b * outer, inner.a
    factor, rest = None, None
    while True:
        if isinstance(inner, tir.FloorDiv):
            whole = outer if factor is None else factor * outer
            if not (_core.deep_equal(whole, inner.b) and _core.deep_equal(whole, remainder.b)
                    and analyzer.can_prove_equal(tir.FloorMod(inner.a - remainder.a, remainder.b), 0)):
                return None
            return inner.a if rest is None else rest * outer + inner.a
        if isinstance(inner, tir.Mul):
            factor = inner.b if factor is None else inner.b * factor
            inner = inner.a
        elif isinstance(inner, tir.Add) and factor is None:
            rest, inner = _plus(rest, inner.a), inner.b
        else:
            return None


def merge_mul_mod(analyzer, expr):
    """The expression simplified, c // k * k + c % k as c also where the terms are apart."""
    simple = analyzer.simplify(expr)
    total = _Sum(simple)
    if not total.merge_one(analyzer):
        return simple
    while total.merge_one(analyzer):
        pass
    return total.total()


def buffer_offset(buffer, indices):
    """The offset of an element in each group of dimensions that axis separators make."""
    separators = [int(s) for s in buffer.axis_separators]
    indices, analyzer = list(indices), Analyzer()
    if len(indices) != len(buffer.shape):
        raise ValueError(f"{buffer.name} has {len(buffer.shape)} dimensions, not {len(indices)}")
    result, group = [tir.const(0, "int32") for _ in range(len(separators) + 1)], 0
    for i, index in enumerate(indices):
        if group < len(separators) and i == separators[group]:
            group += 1
        if len(buffer.strides) > 0:
            offset = result[group] + index * buffer.strides[i]
        else:
            offset = result[group] * buffer.shape[i] + index
        result[group] = merge_mul_mod(analyzer, offset) if i > 0 else offset
    if not (isinstance(buffer.elem_offset, tir.IntImm) and buffer.elem_offset.value == 0):
        result[0] = result[0] + buffer.elem_offset
    return [analyzer.simplify(offset) for offset in result]
