"""Kernels for the devices that a module names: each has the target of its device as an attribute and the kind of it in its name.

    C = R.call_tir(cls.add, (A, B), out_sinfo=R.Tensor(.., "float32", "llvm"))   ->   cls.add_llvm, which has "target": T.target("llvm")
"""


def _target_of(infos):
    """The target of the first device that is named, or None."""
    from ...struct_info import TensorStructInfo, TupleStructInfo

    for info in infos:
        if isinstance(info, TupleStructInfo):
            found = _target_of(info.fields)
        else:
            found = info.vdevice.target if isinstance(info, TensorStructInfo) and info.vdevice is not None else None
        if found is not None:
            return found
    return None


def kernels_by_device(before, mod):
    """The module with the PrimFuncs that are new since `before` once for each device that they run on."""
    from ....tir import PrimFunc
    from ...expr import Call, Function, GlobalVar
    from ...expr_functor import PyExprMutator, mutator

    if "vdevice" not in (mod.global_infos or {}):
        return mod
    fresh = {var.name_hint for var, func in mod.functions.items() if isinstance(func, PrimFunc)} - {var.name_hint for var in before.functions}
    plain, made = set(), {}

    @mutator
    class ByDevice(PyExprMutator):
        """Sends each call of a new PrimFunc to the one for its device."""

        def visit_call_(self, op):
            """A call."""
            call = super().visit_call_(op)
            kernel = call.args[0] if isinstance(call, Call) and call.args else None
            if not isinstance(kernel, GlobalVar) or kernel.name_hint not in fresh:
                return call
            target = _target_of(call.sinfo_args)
            if target is None:
                plain.add(kernel.name_hint)
                return call
            key = kernel.name_hint, str(target)
            if key not in made:
                made[key] = self.builder_.add_func(mod[kernel].with_attr("target", target), f"{kernel.name_hint}_{target.kind.name}")
            return Call(call.op, [made[key], *call.args[1:]], call.attrs, call.sinfo_args)

    by_device = ByDevice(mod)
    for var, func in mod.functions.items():
        if isinstance(func, Function):
            changed = by_device.visit_expr(func)
            if not changed.same_as(func):
                by_device.builder_.update_func(var, changed)
    if not made:
        return mod
    result = by_device.builder_.get()
    for name in {name for name, _ in made} - plain:
        del result[name]
    return result
