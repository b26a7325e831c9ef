"""What stands behind the passes, for tests of it."""
import _loopscope as _core

from ...ir.transform import module_pass
from ..expr_functor import PyExprMutator, mutator


@module_pass(opt_level=0, name="ApplyEmptyCppMutator")
def _apply_nothing(mod, ctx):
    @mutator
    class Nothing(PyExprMutator):
        """Changes nothing."""

    walk = Nothing(mod)
    for gvar, func in mod.functions_items():
        if type(func).__name__ == "Function":
            walk.builder_.update_func(gvar, walk.visit_expr(func))
    return walk.builder_.get()


def ApplyEmptyCppMutator():
    """A pass that visits every Relax function and changes none."""
    return _apply_nothing


def dataflow_liveness_analysis(block):
    """{variable: (number of the binding that makes it, -1 for one from outside; of the one that uses it last, of the end for one that lives on)}."""
    return {var: (first, last) for var, first, last in _core.dataflow_inplace(block, [])[0]}


def dataflow_alias_analysis(block, inputs):
    """({variable: places that it may stand for, -1 for any}, {place of a tuple: places of its fields}); each input has a place of its own."""
    _, places, fields, _, _ = _core.dataflow_inplace(block, list(inputs))
    return {var: set(found) for var, found in places}, {place: [set(one) for one in sets] for place, sets in fields}


def dataflow_inplace_analysis(block, inputs, mod=None):
    """([(binding, arguments of fitting size that are needed no more)], [(binding, those of the same shape)])."""
    _, _, _, fitting, exact = _core.dataflow_inplace(block, list(inputs))
    return [(at, set(found)) for at, found in fitting], [(at, set(found)) for at, found in exact]


def dataflow_single_inplace_call(mod, call, inplace_indices):
    """(the call of an operator as one that writes into its argument, the module with the function for it)."""
    if len(inplace_indices) != 1:
        raise ValueError("An operator has one result: exactly one argument is written into.")
    return _core.inplace_call(mod, call, int(inplace_indices[0]))
