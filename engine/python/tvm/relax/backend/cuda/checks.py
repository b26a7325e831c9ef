"""What the checks of several libraries ask."""
from functools import reduce


def product(extents):
    """All extents multiplied."""
    return reduce(lambda a, b: a * b, extents, 1)


def is_number(extent):
    """Is the extent known?"""
    from ....tir import IntImm

    return isinstance(extent, (int, IntImm))


def proves(condition):
    """Does the condition hold for every value of its variables?"""
    from ....arith import Analyzer

    return bool(condition) if isinstance(condition, bool) else Analyzer().can_prove(condition)


def equal(a, b):
    """Are two extents the same for every value of their variables?"""
    from ....arith import Analyzer

    return a == b if isinstance(a, int) and isinstance(b, int) else Analyzer().can_prove_equal(a, b)


def same_shape(a, b):
    """Are two lists of extents the same?"""
    return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b))


def has_leaking_intermediate_variables(context):
    """Does anything behind the match read a variable from inside it?"""
    variables = {var for var, value in context.matched_bindings.items() if not value.same_as(context.matched_expr)}
    outside = [user for var in variables for user in context.var_usages.get(var, ()) if user not in context.matched_bindings]
    return bool(outside)
