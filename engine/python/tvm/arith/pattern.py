"""Simple patterns of expressions."""
import _loopscope as _core


def detect_linear_equation(expr, var_list):
    """[a1, ..., an, b] of a1 * v1 + ... + b, or [] when the expression is not linear."""
    from ..arith.analyzer import Analyzer
    from ..tir.expr import Add, Mul, Sub, Var, const, convert

    expr = convert(expr)
    zero = const(0, expr.dtype)

    def uses(e, v):
        return _core.uses(e, v)

    def split(e, v):
        if isinstance(e, Var) and e.same_as(v):
            return const(1, e.dtype), zero
        if not uses(e, v):
            return zero, e
        if isinstance(e, (Add, Sub)):
            x, y = split(e.a, v), split(e.b, v)
            if x is None or y is None:
                return None
            return (x[0] + y[0], x[1] + y[1]) if isinstance(e, Add) else (x[0] - y[0], x[1] - y[1])
        if isinstance(e, Mul):
            x, y = split(e.a, v), split(e.b, v)
            if x is None or y is None:
                return None
            if uses(e.a, v) and uses(e.b, v):
                return None
            return (x[0] * e.b, x[1] * e.b) if uses(e.a, v) else (y[0] * e.a, y[1] * e.a)
        return None

    result, rest, analyzer = [], expr, Analyzer()
    for var in var_list:
        parts = split(rest, var)
        if parts is None or any(uses(parts[0], v) for v in var_list):
            return []
        result.append(analyzer.simplify(parts[0]))
        rest = parts[1]
    return result + [analyzer.simplify(rest)]


def _conjuncts(cond):
    from ..tir.expr import And

    return _conjuncts(cond.a) + _conjuncts(cond.b) if isinstance(cond, And) else [cond]


def _difference(cond):
    """A comparison as (e, exactly) with e >= 0, or e == 0."""
    from ..tir.expr import EQ, GE, GT, LE, LT

    if isinstance(cond, (LT, LE)):
        e = cond.b - cond.a
    elif isinstance(cond, (GT, GE, EQ)):
        e = cond.a - cond.b
    else:
        return None
    if "int" not in str(e.dtype):
        return None
    return (e - 1 if isinstance(cond, (LT, GT)) else e), isinstance(cond, EQ)


def detect_clip_bound(expr, var_list):
    """[lowest of v1, highest of v1, ...] where a conjunction only bounds single variables, or []; None for an end that is free."""
    from ..arith.analyzer import Analyzer
    from ..tir.expr import IntImm, Max, Min

    analyzer = Analyzer()
    lows, highs = [None] * len(var_list), [None] * len(var_list)
    for cond in _conjuncts(analyzer.simplify(expr)):
        found = _difference(cond)
        used = [i for i, v in enumerate(var_list) if _core.uses(cond, v)]
        if found is None or len(used) != 1:
            return []
        at, parts = used[0], detect_linear_equation(found[0], [var_list[used[0]]])
        scale = analyzer.simplify(parts[0]) if parts else None
        if not isinstance(scale, IntImm) or scale.value not in (1, -1):
            return []
        low = -parts[1] if scale.value == 1 else None
        high = parts[1] if scale.value == -1 else None
        if found[1]:
            low = high = low if low is not None else high
        if low is not None:
            lows[at] = low if lows[at] is None else Max(lows[at], low)
        if high is not None:
            highs[at] = high if highs[at] is None else Min(highs[at], high)
    ends = [end for pair in zip(lows, highs) for end in pair]
    return [None if end is None else analyzer.simplify(end) for end in ends]


def detect_common_subexpr(expr, threshold):
    """The parts of an expression that occur at least so many times, with their numbers."""
    from ..ir.base import structural_equal, structural_hash
    from ..ir.expr import PrimExpr
    from ..tir.expr import BufferLoad, ConstExpr, Var

    groups = {}

    def count(node):
        if not isinstance(node, PrimExpr) or isinstance(node, (Var, ConstExpr, BufferLoad)):
            return
        group = groups.setdefault(structural_hash(node), [])
        for entry in group:
            if structural_equal(entry[0], node):
                entry[1] += 1
                return
        group.append([node, 1])

    _core.walk(expr, None, count)
    return {node: number for group in groups.values() for node, number in group if number >= threshold}
