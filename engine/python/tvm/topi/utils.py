"""Numbers in shapes."""
from ..tir import IntImm, PrimExpr


def get_const_int(expr):
    """A constant as a Python number."""
    if isinstance(expr, int):
        return expr
    from ..arith import Analyzer

    expr = expr if isinstance(expr, IntImm) else Analyzer().simplify(expr)
    if not isinstance(expr, IntImm):
        raise ValueError("Expect value to be constant int")
    return int(expr)


def get_const_float(expr):
    """A constant as a Python number."""
    return expr if isinstance(expr, float) else float(expr.value)


def get_const_tuple(in_tuple):
    """A shape with its constants as Python numbers."""
    return tuple(int(x) if isinstance(x, (int, IntImm)) else x for x in in_tuple)


def equal_const_int(expr, value):
    """Is it this constant?"""
    return isinstance(expr, (int, IntImm)) and int(expr) == value


def prod(x):
    """The product."""
    from ..tir import const

    result = const(1, "int32")
    for value in x:
        result = result * value
    return result


def simplify(expr):
    """Simplified, if it is an expression."""
    from ..arith import Analyzer

    return Analyzer().simplify(expr) if isinstance(expr, PrimExpr) else expr
