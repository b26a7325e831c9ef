"""DispatchSortScan: sorting and running sums as the TensorIR functions of their target.

What one function of topi does for a processor does another for a device with threads (tvm.topi.gpu); running sums along the last axis of it are a kernel
of their own.  Functions of topi that leave parts without threads (all scans, topk) get them from dlight at once."""
from ...ir import Op
from ...ir.transform import module_pass
from ..expr import Function
from ..expr_functor import mutator
from .utils import BackendDispatcher


def _type_or_none(dtype):
    return str(dtype) if str(dtype) not in ("", "void", "None") else None


def _sort(call):
    return {"axis": call.attrs.axis, "is_ascend": not call.attrs.descending}


def _argsort(call):
    return {"axis": call.attrs.axis, "is_ascend": not call.attrs.descending, "dtype": call.attrs.dtype}


def _topk(call):
    attrs = call.attrs
    return {"k": int(attrs.k), "axis": attrs.axis, "ret_type": attrs.ret_type, "is_ascend": not attrs.largest, "dtype": attrs.dtype}


def _scan(call):
    attrs = call.attrs
    return {"axis": int(attrs.axis) if attrs.axis is not None else None, "dtype": _type_or_none(attrs.dtype), "exclusive": attrs.exclusive}


_CHOICES = {"relax.sort": _sort, "relax.argsort": _argsort, "relax.topk": _topk, "relax.cumsum": _scan, "relax.cumprod": _scan}


_BOUND_AFTERWARDS = ("relax.topk", "relax.cumsum", "relax.cumprod")


@mutator
class SortScanDispatcher(BackendDispatcher):
    """Replaces the calls; functions that are to get threads are noted with their target."""

    def __init__(self, mod):
        super().__init__(mod)
        self.unbound = {}

    def visit_call_(self, call):
        from ... import topi

        choice = _CHOICES.get(call.op.name) if isinstance(call.op, Op) else None
        if choice is None:
            return super().visit_call_(call)
        target = self._get_target(call.struct_info)
        call = super().visit_call_(call)
        on_gpu = self.is_gpu_target(target)
        if on_gpu and call.op.name == "relax.cumsum" and self._is_along_rows(call):
            return self._along_rows(call)
        functions = topi.gpu if on_gpu else topi
        with target:
            made = self.builder_.call_te(getattr(functions, call.op.name.partition(".")[2]), call.args[0], **choice(call))
        if on_gpu and call.op.name in _BOUND_AFTERWARDS:
            self.unbound[made.args[0]] = target
        return made

    def bind_threads(self):
        """Loops of the noted functions that run on no thread are bound to threads."""
        from ... import dlight
        from ...ir import IRModule

        for gvar, target in self.unbound.items():
            func = self.builder_.get()[gvar]
            with target:
                bound = dlight.ApplyDefaultSchedule(dlight.gpu.Fallback())(IRModule({gvar: func}))
            self.builder_.update_func(gvar, bound[gvar.name_hint])

    def _is_along_rows(self, call):
        """Does a running sum go along what lies one behind another, itself included?"""
        shape, _ = self.get_shape_dtype(call.args[0])
        axis = call.attrs.axis
        return shape is not None and axis is not None and int(axis) in (-1, len(shape) - 1) and not call.attrs.exclusive

    def _along_rows(self, call):
        from ..op import call_tir, reshape
        from ..struct_info import TensorStructInfo
        from .gpu_generic import gpu_2d_continuous_cumsum

        shape, in_dtype = self.get_shape_dtype(call.args[0])
        out_dtype = _type_or_none(call.attrs.dtype) or in_dtype
        n_rows = 1
        for extent in shape[:-1]:
            n_rows = n_rows * extent
        kernel = self.builder_.add_func(gpu_2d_continuous_cumsum(in_dtype=in_dtype, out_dtype=out_dtype), "gpu_2d_continuous_cumsum")
        sums = call_tir(kernel, reshape(call.args[0], (n_rows, shape[-1])), out_sinfo=TensorStructInfo((n_rows, shape[-1]), out_dtype, call.struct_info.vdevice))
        return reshape(sums, list(shape))


@module_pass(opt_level=0, name="DispatchSortScan")
class DispatchSortScan:
    """Sorting and running sums as functions of TensorIR."""

    def transform_module(self, mod, ctx):
        """The pass."""
        dispatcher = SortScanDispatcher(mod)
        for gvar, func in mod.functions_items():
            if isinstance(func, Function):
                dispatcher.builder_.update_func(gvar, dispatcher.visit_expr(func))
        dispatcher.bind_threads()
        return dispatcher.builder_.finalize()
