"""Simple patterns of expressions."""
import _loopscope as _core


def _both(a, b, join, alone):
    """Two parts of a sum joined, where either may be absent (None)."""
    if a is None or b is None:
        return a if b is None else alone(b)
    return join(a, b)


def _joined(expr, a, b):
    """(coefficient, rest) of a sum, difference or product by those of its two sides; None: not linear."""
    from ..tir.expr import Add, Sub, const

    if a is None or b is None:
        return None
    if a[0] is None and b[0] is None:
        return None, expr
    if isinstance(expr, Add):
        return tuple(_both(x, y, lambda p, q: p + q, lambda q: q) for x, y in zip(a, b))
    if isinstance(expr, Sub):
        return tuple(_both(x, y, lambda p, q: p - q, lambda q: const(0, q.dtype) - q) for x, y in zip(a, b))
    (factor, plain), (other, rest) = (b, a) if a[0] is not None else (a, b)
    if factor is not None:
        return None
    return (None if plain is None or other is None else plain * other), (None if plain is None or rest is None else plain * rest)


def _split(expr, var):
    """(coefficient, rest) of expr = coefficient * var + rest, each None where it is absent; None: not linear in var.  Sides first, however deep."""
    from ..tir.expr import Add, Mul, Sub, const

    todo, done = [(expr, False)], []
    while todo:
        node, sides_are_done = todo.pop()
        if sides_are_done:
            b = done.pop()
            done.append(_joined(node, done.pop(), b))
        elif node.same_as(var):
            done.append((const(1, node.dtype.replace("uint", "int")), None))
        elif isinstance(node, (Add, Sub, Mul)):
            todo += [(node, True), (node.b, False), (node.a, False)]
        else:
            done.append(None if _core.uses(node, var) else (None, node))
    return done.pop()


def detect_linear_equation(expr, var_list):
    """[a1, ..., an, b] of a1 * v1 + ... + b, or [] when the expression is not linear."""
    from ..tir.expr import const, convert

    result, rest = [], convert(expr)
    for var in var_list:
        parts = _split(rest, var)
        if parts is None:
            return []
        result.append(const(0, var.dtype) if parts[0] is None else parts[0])
        rest = const(0, var.dtype) if parts[1] is None else parts[1]
    if any(_core.uses(part, later) for i, part in enumerate(result) for later in var_list[i + 1:]):
        return []
    return result + [rest]


def _conjuncts(cond):
    from ..tir.expr import And

    todo, found = [cond], []
    while todo:
        part = todo.pop()
        if isinstance(part, And):
            todo += [part.b, part.a]
        else:
            found.append(part)
    return found


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
