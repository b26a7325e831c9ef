"""Systems of linear equations and inequalities over integers.

Equations: the matrix is brought to diagonal form by row and column steps (Smith); what stays free becomes a new variable.
Inequalities: one variable after the other is eliminated (Fourier and Motzkin); its bounds are kept.

Both can cost more than anyone waits for: the steps on a matrix grow with the cube of its sides and the numbers in it with every step, and
elimination may square the number of conditions for each variable.  So systems that are too large are refused with a sentence before the work,
and the work stops with one where it gets out of hand.
"""
import _loopscope as _core

from ..ir.expr import PrimExpr, Range
from ..tir import expr as tir
from .analyzer import Analyzer
from .int_set import NEG_INF, POS_INF, IntervalSet
from .pattern import detect_linear_equation

_FALSE = False
MOST = 1000                     # variables, and relations, of a system
MOST_STEPS = 20_000_000         # on numbers of a matrix
STEPS_OF_TERM = 20              # as many of these as one of an expression takes
MOST_BITS = 2048                # of such a number
MOST_PAIRS = 4096               # of a lower with an upper bound, when a variable is eliminated


def _listed(values, what, fits, expected):
    """Values as a list, each of which fits; a text is none of them and not taken apart."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise TypeError(f"the {what} of a system of relations are a list of {expected}, not {_short(values)}")
    result = list(values)
    for at, value in enumerate(result):
        if not fits(value):
            raise TypeError(f"the {what} of a system of relations are {expected}; number {at + 1} is {_short(value)}")
    return result


def _short(value):
    text = repr(value)
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"


def _is_relation(value):
    return isinstance(value, PrimExpr) and not isinstance(value, tir.StringImm)


class IntConstraints:
    """Variables, their ranges and relations between them."""

    def __init__(self, variables, ranges=None, relations=None):
        self.variables = _listed(variables if variables is not None else [], "variables", lambda v: isinstance(v, tir.Var), "variables")
        if ranges is not None and not hasattr(ranges, "items"):
            raise TypeError(f"the ranges of a system of relations are a dictionary of variables and ranges, not {_short(ranges)}")
        self.ranges = dict((ranges if ranges is not None else {}).items())
        relations = relations if relations is not None else []
        if not isinstance(relations, (str, bytes)) and hasattr(relations, "__iter__"):
            relations = [tir.IntImm("bool", one) if isinstance(one, bool) else one.asobject() if hasattr(one, "asobject") else one for one in relations]
        self.relations = _listed(relations, "relations", _is_relation, "conditions")


class IntConstraintsTransform:
    """A system, another one, and each one's variables in terms of the other's."""

    def __init__(self, src, dst, src_to_dst, dst_to_src):
        self.src, self.dst = src, dst
        self.src_to_dst, self.dst_to_src = dict(src_to_dst), dict(dst_to_src)


class IntGroupBounds:
    """coef * variable against lower, equal and upper."""

    def __init__(self, coef, lower, equal, upper):
        self.coef, self.lower, self.equal, self.upper = coef, list(lower), list(equal), list(upper)

    @staticmethod
    def from_range(rng):
        """The bounds that a range gives."""
        simplify = Analyzer().simplify
        if isinstance(rng.extent, tir.IntImm) and rng.extent.value == 1:
            return IntGroupBounds(1, [], [simplify(rng.min)], [])
        return IntGroupBounds(1, [simplify(rng.min)], [], [simplify(rng.min + rng.extent - 1)])

    def find_best_range(self, ranges=None):
        """The shortest range that one lower and one upper bound give, or None."""
        ranges = dict((ranges or {}).items())
        analyzer, best = _analyzer(ranges), None
        coef = self.coef.value if isinstance(self.coef, tir.IntImm) else self.coef
        for low in self.equal + self.lower:
            start = analyzer.simplify(tir.FloorDiv(low + (coef - 1), coef) if coef != 1 else low, 3)
            for high in self.equal + self.upper:
                spans = [_largest(tir.FloorDiv(high - low, coef) if coef != 1 else high - low, ranges, analyzer),
                         _largest((tir.FloorDiv(high, coef) if coef != 1 else high) - start, ranges, analyzer)]
                spans = [s for s in spans if s is not None]
                if not spans:
                    continue
                span = spans[-1] if len(spans) == 2 and analyzer.can_prove(spans[1] - spans[0] < 0) else spans[0]
                if best is None or analyzer.can_prove(span - best[1] < 0):
                    best = (start, span)
        return None if best is None else Range.from_min_extent(best[0], analyzer.simplify(best[1] + 1))


def _analyzer(ranges):
    analyzer = Analyzer()
    for var, rng in ranges.items():
        analyzer.bind(var, rng)
    return analyzer


def _domain(expr, ranges):
    return IntervalSet._from(_core.int_set(expr, ranges, None))


def _largest(expr, ranges, analyzer):
    """The largest value over ranges, or None where it is not known."""
    top = _domain(analyzer.simplify(expr, 3), ranges).max_value
    return None if top is POS_INF or top is NEG_INF else analyzer.simplify(top, 3)


def _as_system(relations, variables, ranges):
    system = relations if isinstance(relations, IntConstraints) else IntConstraints(variables, ranges, relations)
    for what, there in (("variables", system.variables), ("relations", system.relations)):
        if len(there) > MOST:
            raise ValueError(f"a system of up to {MOST} {what} is solved; this one has {len(there)}")
    return system


# ---- equations ----------------------------------------------------------------------


def _bezout(a, b):
    """g, x, y with a * x + b * y == g, the greatest common divisor."""
    if b % a == 0:
        return abs(a), (1 if a > 0 else -1), 0
    old, new = (a, 1, 0), (b, 0, 1)
    while new[0] != 0:
        q = old[0] // new[0]
        old, new = new, tuple(p - q * r for p, r in zip(old, new))
    return old if old[0] > 0 else tuple(-p for p in old)


class _Diagonal:
    """S = U A V while A becomes diagonal; y is U times the right side, x is the inverse of V times the variables."""

    def __init__(self, rows, right, variables):
        n = len(variables)
        self.steps = 0
        self.s, self.y, self.x = rows, right, list(variables)
        self.analyzer = Analyzer()
        self.v = [[int(i == j) for j in range(n)] for i in range(n)]
        for at in range(min(len(rows), n)):
            while self._clear(at):
                pass

    def _clear(self, at):
        """One round at a place of the diagonal; says whether another one is needed."""
        s = self.s
        candidates = [i for i in range(at, len(s)) if s[i][at] != 0]
        if candidates:
            best = min(candidates, key=lambda i: abs(s[i][at]))
            s[at], s[best] = s[best], s[at]
            self.y[at], self.y[best] = self.y[best], self.y[at]
        else:
            free = [j for j in range(at + 1, len(self.x)) if s[at][j] != 0]
            if not free:
                return False
            self._swap_columns(at, free[0])
        for i in range(at + 1, len(s)):
            if s[i][at] != 0:
                self._row(at, i)
        for j in range(at + 1, len(self.x)):
            if s[at][j] != 0:
                self._column(at, j)
        return any(s[i][at] for i in range(at + 1, len(s)))

    def _count(self, *rows):
        """Stops what takes too long: `rows` were just made."""
        self.steps += sum(len(row) for row in rows)
        if self.steps > MOST_STEPS:
            raise ValueError(f"the equations need more than {MOST_STEPS} steps; fewer of them at a time may be solved")
        if any(number.bit_length() > MOST_BITS for row in rows for number in row):
            raise ValueError(f"the coefficients grow beyond {MOST_BITS} bits while the equations are solved")

    def _swap_columns(self, i, j):
        for row in self.s + self.v:
            row[i], row[j] = row[j], row[i]
        self.x[i], self.x[j] = self.x[j], self.x[i]

    def _row(self, at, i):
        g, a, b = _bezout(self.s[at][at], self.s[i][at])
        c, d = self.s[i][at] // g, self.s[at][at] // g
        top, low = self.s[at], self.s[i]
        self.s[at] = [a * p + b * q for p, q in zip(top, low)]
        self.s[i] = [c * p - d * q for p, q in zip(top, low)]
        self._count(self.s[at], self.s[i])
        self.y[at], self.y[i] = self._mixed(self.y[at], self.y[i], a, b, c, d)

    def _column(self, at, j):
        g, a, b = _bezout(self.s[at][at], self.s[at][j])
        c, d = self.s[at][j] // g, self.s[at][at] // g
        for row in self.s + self.v:
            row[at], row[j] = a * row[at] + b * row[j], c * row[at] - d * row[j]
            self._count((row[at], row[j]))
        self.x[at], self.x[j] = self._mixed(self.x[at], self.x[j], d, c, b, a)

    def _mixed(self, p, q, a, b, c, d):
        """a p + b q and c p - d q, simple: otherwise either would be twice as long with every step."""
        self.steps += STEPS_OF_TERM * len(self.x)
        a, b, c, d = (_constant(p.dtype, number) for number in (a, b, c, d))
        return self.analyzer.simplify(p * a + q * b), self.analyzer.simplify(p * c - q * d)


def _linear_rows(system, analyzer):
    rows, right, rest = [], [], []
    for relation in system.relations:
        parts = detect_linear_equation(analyzer.simplify(relation.a - relation.b), system.variables) if isinstance(relation, tir.EQ) else []
        if system.variables and parts and all(isinstance(p, tir.IntImm) for p in parts[:-1]):
            rows.append([p.value for p in parts[:-1]])
            right.append(-parts[-1])
        else:
            rest.append(relation)
    return rows, right, rest


def _constant(dtype, number):
    """A factor in the type of a variable."""
    if number.bit_length() > (31 if dtype == "int32" else 63):
        raise ValueError(f"the equations lead to a coefficient of {number.bit_length()} bits, which {dtype} does not hold")
    return tir.IntImm(dtype, number)


def _unsolvable(system):
    return IntConstraintsTransform(system, IntConstraints([], {}, [tir.IntImm("bool", _FALSE)]), {}, {})


def solve_linear_equations(equations, variables=None, ranges=None):
    """Solves equations for variables: a transformation to a system with as few variables as there are degrees of freedom."""
    system = _as_system(equations, variables, ranges)
    if not system.variables:
        return IntConstraintsTransform(system, system, {}, {})
    analyzer = _analyzer(system.ranges)
    rows, right, rest = _linear_rows(system, analyzer)
    form = _Diagonal(rows, right, system.variables)
    right = [analyzer.simplify(r) for r in form.y]
    relations = []
    for j, row in enumerate(form.s):
        pivot = abs(row[j]) if j < len(system.variables) else 0
        holds = analyzer.simplify(tir.EQ(tir.FloorMod(right[j], pivot), 0) if pivot else tir.EQ(right[j], 0))
        if not isinstance(holds, tir.IntImm):
            relations.append(holds)
        elif not holds.value:
            return _unsolvable(system)
    values, fresh = [], {}
    for j, var in enumerate(system.variables):
        pivot = form.s[j][j] if j < len(form.s) else 0
        if pivot == 0:
            old = analyzer.simplify(form.x[j])
            new = tir.Var(f"n{len(fresh)}" + (f"_{old.name}" if isinstance(old, tir.Var) else ""), var.dtype)
            fresh[new] = old
            values.append(new)
        else:
            values.append(analyzer.simplify(tir.FloorDiv(right[j], pivot) if pivot > 0 else tir.FloorDiv(-right[j], -pivot)))
    forward = {}
    for var, row in zip(system.variables, form.v):
        total = tir.IntImm(var.dtype, 0)
        for factor, value in zip(row, values):
            if factor == 0:
                continue
            total = total + _constant(var.dtype, factor) * value
        forward[var] = analyzer.simplify(total)
    return _with_ranges(system, forward, fresh, relations, rest)


def _with_ranges(system, forward, fresh, relations, rest):
    """Ranges of the new variables, and as relations what the old ranges say beyond them."""
    ranges = {}
    for new, old in fresh.items():
        found = _domain(old, system.ranges)
        if found.min_value is not NEG_INF and found.max_value is not POS_INF:
            simplify = Analyzer().simplify
            ranges[new] = Range.from_min_extent(simplify(found.min_value), simplify(found.max_value - found.min_value + 1))
    analyzer = _analyzer(ranges)
    for var in system.variables:
        rng = system.ranges.get(var)
        for cond in [] if rng is None else [tir.LE(rng.min, forward[var]), tir.LT(forward[var], rng.min + rng.extent)]:
            cond = analyzer.simplify(cond)
            if not (isinstance(cond, tir.IntImm) and cond.value):
                relations.append(cond)
    relations += [_core.substitute(cond, forward) for cond in rest]
    return IntConstraintsTransform(system, IntConstraints(list(fresh), ranges, relations), forward, fresh)


# ---- inequalities -------------------------------------------------------------------


def _normalized(cond, analyzer):
    """A comparison as e <= 0 or e == 0."""
    cond = analyzer.simplify(cond, 3)
    if isinstance(cond, (tir.LT, tir.GT, tir.LE, tir.GE)):
        small, large = (cond.a, cond.b) if isinstance(cond, (tir.LT, tir.LE)) else (cond.b, cond.a)
        e = small - large
        return tir.LE(analyzer.simplify(e + 1 if isinstance(cond, (tir.LT, tir.GT)) else e), tir.IntImm(e.dtype, 0))
    if isinstance(cond, tir.EQ):
        e = analyzer.simplify(cond.a - cond.b)
        return tir.EQ(e, tir.IntImm(e.dtype, 0))
    return cond


def _add(conds, cond, analyzer):
    """Adds a condition unless it follows from one that is there, which it may replace."""
    if isinstance(cond, tir.IntImm) and cond.value or analyzer.can_prove(cond) or any(_core.equal(c, cond, False) is True for c in conds):
        return
    if isinstance(cond, tir.LE):
        kept = []
        for old in conds:
            if isinstance(old, tir.LE) and analyzer.can_prove(cond.a - old.a <= 0):
                return
            if not (isinstance(old, tir.LE) and analyzer.can_prove(old.a - cond.a <= 0)):
                kept.append(old)
        conds[:] = kept
    conds.append(cond)


class _Elimination:
    """One variable after the other, in their order: bounds[var], and in `rest` what no bound says."""

    def __init__(self, system):
        self.system, self.analyzer = system, _analyzer(system.ranges)
        self.bounds, self.rest = {}, []
        conds = []
        for relation in system.relations:
            _add(conds, _normalized(relation, self.analyzer), self.analyzer)
        for var in system.variables:
            conds = self._eliminate(var, conds)
        left = [self.analyzer.simplify(c) for c in conds]
        if any(isinstance(c, tir.IntImm) and not c.value for c in left):
            left = [tir.IntImm("bool", _FALSE)]
        self.others = [c for c in left if not (isinstance(c, tir.IntImm) and c.value)] + self.rest

    def _eliminate(self, var, conds):
        above, below, later, simplify = [], [], [], self.analyzer.simplify
        rng = self.system.ranges.get(var)
        if rng is not None:
            below.append((-1, simplify(rng.min, 3)))
            above.append((1, simplify(-(rng.min + rng.extent - 1), 3)))
        for cond in conds:
            self._classify(var, cond, above, below, later)
        if len(above) * len(below) > MOST_PAIRS:
            raise ValueError(f"{var.name} has {len(below)} lower and {len(above)} upper bounds: their {len(above) * len(below)} pairs are more than "
                             f"the {MOST_PAIRS} that are looked at; fewer relations at a time may be solved")
        for p, first in above:
            for q, second in below:
                g = _bezout(p, -q)[0]
                _add(later, _normalized(tir.LE(second * (p // g) + first * (-q // g), tir.IntImm(var.dtype, 0)), self.analyzer), self.analyzer)
        scale = 1
        for factor, _ in above + below:
            scale = scale * abs(factor) // _bezout(scale, abs(factor))[0]
        highs = self._best([simplify(e * (-scale // p), 3) for p, e in above], lambda old, new: old - new <= 0)
        lows = self._best([simplify(e * (scale // -q), 3) for q, e in below], lambda old, new: old - new >= 0)
        equal = [e for e in lows if any(_core.equal(e, h, False) is True for h in highs)]
        without = lambda ends: [e for e in ends if not any(_core.equal(e, q, False) is True for q in equal)]  # noqa: E731
        equal.sort(key=lambda e: len(str(e)))
        self.bounds[var] = IntGroupBounds(tir.IntImm(var.dtype, scale), without(lows), equal, without(highs))
        return later

    def _classify(self, var, cond, above, below, later):
        if not isinstance(cond, (tir.LE, tir.EQ)):
            if isinstance(cond, tir.IntImm):
                later.append(cond)
            else:
                self.rest.append(cond)
            return
        parts = detect_linear_equation(cond.a, [var])
        if not parts or not isinstance(parts[0], tir.IntImm):
            self.rest.append(cond)
            return
        factor = parts[0].value
        if factor == 0:
            later.append(cond)
            return
        signs = (1, -1) if isinstance(cond, tir.EQ) else (1,)
        for sign in signs:
            (above if factor * sign > 0 else below).append((factor * sign, parts[1] if sign == 1 else -parts[1]))

    def _best(self, ends, better):
        kept = []
        for end in ends:
            if any(self.analyzer.can_prove(better(old, end)) for old in kept):
                continue
            kept = [old for old in kept if not self.analyzer.can_prove(better(end, old))]
            kept.append(end)
        return kept

    def conditions(self):
        """All bounds as conditions, then the rest."""
        result = []
        for var in self.system.variables:
            b = self.bounds[var]
            left = var if b.coef.value == 1 else b.coef * var
            result += [tir.EQ(left, e) for e in b.equal] + [tir.GE(left, e) for e in b.lower] + [tir.LE(left, e) for e in b.upper]
        return result + self.others


def _better_range(bound, var, ranges):
    if var in ranges:
        more = IntGroupBounds.from_range(ranges[var])
        if bound.coef.value == 1:
            bound = IntGroupBounds(bound.coef, bound.lower + more.lower, bound.equal + more.equal, bound.upper + more.upper)
    return bound.find_best_range(ranges)


def _empty(rng, analyzer):
    return analyzer.can_prove(-rng.extent >= 0)


def solve_inequalities_as_condition(variables, ranges, inequalities):
    """The bounds of the variables as conditions, each variable's without those before it."""
    return _Elimination(IntConstraints(variables, ranges, inequalities)).conditions()


def _to_range(system, solved):
    ranges, result = dict(system.ranges), {}
    for var in reversed(system.variables):
        bound, analyzer = solved.bounds[var], _analyzer(ranges)
        if bound.coef.value == 1 and bound.equal:
            found = Range.from_min_extent(bound.equal[0], tir.IntImm(var.dtype, 1))
        else:
            found = _better_range(bound, var, ranges)
            if found is not None and _empty(found, analyzer):
                return IntConstraints([], {}, [tir.IntImm("bool", _FALSE)])
        if found is not None:
            ranges[var] = result[var] = found
    analyzer = _analyzer(ranges)
    return IntConstraints(system.variables, result, [c for c in solved.conditions() if not analyzer.can_prove(c)])


def _deskewed(system, solved):
    ranges, forward, back, variables, result = dict(system.ranges), {}, {}, [], {}
    for var in reversed(system.variables):
        bound, analyzer = solved.bounds[var], _analyzer(ranges)
        replaced = [[_core.substitute(e, forward) for e in ends] for ends in (bound.lower, bound.equal, bound.upper)]
        bound = IntGroupBounds(bound.coef, *replaced)
        if bound.coef.value == 1 and bound.equal:
            forward[var] = bound.equal[0]
            continue
        found = _better_range(bound, var, ranges)
        if found is None:
            forward[var] = back[var] = var
            variables.append(var)
        elif isinstance(found.extent, tir.IntImm) and found.extent.value == 1:
            forward[var] = found.min
        elif _empty(found, analyzer):
            return _unsolvable(system)
        else:
            new = tir.Var(var.name, var.dtype)
            forward[var] = new + found.min
            back[new] = analyzer.simplify(var - _core.substitute(found.min, back))
            ranges[new] = result[new] = Range.from_min_extent(tir.IntImm(var.dtype, 0), found.extent)
            variables.append(new)
    analyzer = _analyzer(ranges)
    conds = [analyzer.simplify(_core.substitute(c, forward)) for c in solved.conditions()]
    conds = [c for c in conds if not (isinstance(c, tir.IntImm) and c.value)]
    return IntConstraintsTransform(system, IntConstraints(variables[::-1], result, conds), forward, back)


def solve_linear_inequalities(equations, variables=None, ranges=None, deskew_range=False):
    """Solves inequalities for variables: ranges and what else must hold; with deskew_range a transformation to variables from 0."""
    system = _as_system(equations, variables, ranges)
    solved = _Elimination(system)
    return _deskewed(system, solved) if deskew_range else _to_range(system, solved)
