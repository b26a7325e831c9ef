"""Bounds from conditions."""


def deduce_bound(var, cond, hint_map, relax_map):
    """Not offered."""
    raise NotImplementedError("deduce_bound is not offered")
