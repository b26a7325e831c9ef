"""DispatchSortScan: sorting and running sums as the TensorIR functions of their target.

Limits: the functions of processors alone.  For targets with threads the operators stay as they are, to be legalized or
run by the machine.
"""
from ...ir import Op
from ...ir.transform import module_pass
from ..expr import Function
from ..expr_functor import mutator
from .utils import BackendDispatcher


def _sort(topi, call):
    return topi.sort, (call.args[0], call.attrs.axis, not call.attrs.descending)


def _argsort(topi, call):
    return topi.argsort, (call.args[0],), {"axis": call.attrs.axis, "is_ascend": not call.attrs.descending, "dtype": call.attrs.dtype}


def _topk(topi, call):
    attrs = call.attrs
    return topi.topk, (call.args[0],), {"k": int(attrs.k), "axis": attrs.axis, "ret_type": attrs.ret_type, "is_ascend": not attrs.largest, "dtype": attrs.dtype}


def _scan(name):
    def choose(topi, call):
        attrs = call.attrs
        axis = int(attrs.axis) if attrs.axis is not None else None
        return getattr(topi, name), (call.args[0],), {"axis": axis, "dtype": str(attrs.dtype) if str(attrs.dtype) not in ("", "void") else None, "exclusive": attrs.exclusive}

    return choose


_CHOICES = {"relax.sort": _sort, "relax.argsort": _argsort, "relax.topk": _topk, "relax.cumsum": _scan("cumsum"), "relax.cumprod": _scan("cumprod")}


@mutator
class SortScanDispatcher(BackendDispatcher):
    """Replaces the calls."""

    def visit_call_(self, call):
        from ... import topi

        choice = _CHOICES.get(call.op.name) if isinstance(call.op, Op) else None
        if choice is None:
            return super().visit_call_(call)
        target = self._get_target(call.struct_info)
        call = super().visit_call_(call)
        if self.is_gpu_target(target):
            return call
        function, args, *named = choice(topi, call)
        with target:
            return self.builder_.call_te(function, *args, **(named[0] if named else {}))


@module_pass(opt_level=0, name="DispatchSortScan")
class DispatchSortScan:
    """Sorting and running sums as functions of TensorIR."""

    def transform_module(self, mod, ctx):
        """The pass."""
        dispatcher = SortScanDispatcher(mod)
        for gvar, func in mod.functions_items():
            if isinstance(func, Function):
                dispatcher.builder_.update_func(gvar, dispatcher.visit_expr(func))
        return dispatcher.builder_.finalize()
