"""Bounds of one variable from a condition."""
import _loopscope as _core

from .int_set import IntervalSet, domains


def deduce_bound(var, cond, hint_map, relax_map):
    """The values of a variable for which a condition holds.

    hint_map says where the other variables lie; the bound names none of the variables of relax_map.  Where nothing can
    be said the empty set is given.
    """
    return IntervalSet._from(_core.deduce_bound(var, cond, domains(dict(hint_map.items())), domains(dict(relax_map.items()))))
