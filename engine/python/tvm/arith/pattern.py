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


def detect_clip_bound(expr, var_list):
    """Not offered."""
    raise NotImplementedError("detect_clip_bound is not offered")
