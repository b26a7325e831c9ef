"""Passes over virtual devices: one device in the place of another, and devices for everything that follows from a few.

What is known of a device flows forward, from operands to results, and backward, from a result to the operands; a variable
that only names another one has its device; to_vdevice begins anew.  A hint (hint_on_device) says it of its result, and of its
operand where nothing else does; it becomes the operand itself, or a to_vdevice where the operand stands elsewhere.
"""
from ...ir import IRModule
from ...ir.transform import ModulePass, PassInfo


def _with_device(info, old, new):
    """The struct info with `new` where `old` was (None: where nothing was said)."""
    from ..struct_info import TensorStructInfo, TupleStructInfo

    if isinstance(info, TupleStructInfo):
        return TupleStructInfo([_with_device(x, old, new) for x in info.fields])
    if not isinstance(info, TensorStructInfo) or not _is(info.vdevice, old):
        return info
    return TensorStructInfo(info.shape if info.shape is not None else None, info.dtype, new, info.ndim if info.shape is None else -1)


def _is(device, other):
    from ... import ir

    return device is other if device is None or other is None else bool(ir.structural_equal(device, other))


def _adopt(info, value):
    """The struct info with the devices of the value, where it says none."""
    from ..expr import Var
    from ..struct_info import TupleStructInfo

    fields = getattr(value, "fields", None)
    if isinstance(info, TupleStructInfo) and fields is not None and len(fields) == len(info.fields):
        return TupleStructInfo([_adopt(x, y) for x, y in zip(info.fields, fields)])
    device = getattr(value.struct_info, "vdevice", None) if isinstance(value, Var) else None
    return info if device is None else _with_device(info, None, device)


class _Rebuild:
    """A function again, with other struct infos for its variables."""

    def __init__(self, mod, infos, change, device_of=None):
        from ..block_builder import BlockBuilder

        self.builder, self.infos, self.change, self.device_of, self.vars = BlockBuilder(mod), infos, change, device_of, {}

    def function(self, func):
        """The function with what the rule says of its parameters, bindings and result."""
        from .. import expr as e

        params = [self.var(p) for p in func.params]
        blocks = [self.block(b) for b in func.body.blocks]
        body = self.use(func.body.body)
        result = _adopt(self.change(func.ret_struct_info, func.body.body), body)
        return e.Function(params, e.SeqExpr(blocks, body), result, func.is_pure, func.attrs)

    def var(self, var):
        """A variable at its definition."""
        fresh = type(var)(var.name_hint, self.infos(var))
        self.vars[var] = fresh
        return fresh

    def use(self, expr):
        """An expression with the new variables."""
        from .. import expr as e

        if isinstance(expr, e.Var):
            return self.vars.get(expr, expr)
        if isinstance(expr, e.Tuple):
            return e.Tuple([self.use(x) for x in expr.fields])
        if isinstance(expr, e.TupleGetItem):
            return e.TupleGetItem(self.use(expr.tuple_value), expr.index)
        if self.device_of is not None and _is_hint(expr):
            from ..op import to_vdevice

            device = expr.attrs["dst_vdevice"]
            return self.use(expr.args[0]) if _is(self.device_of(expr.args[0]), device) else to_vdevice(self.use(expr.args[0]), device)
        if isinstance(expr, e.Call):
            return e.Call(expr.op, [self.use(x) for x in expr.args], expr.attrs, [self.change(x, None) for x in expr.sinfo_args])
        return expr

    def block(self, block):
        """A block of bindings."""
        from .. import expr as e

        bindings = []
        for binding in block.bindings:
            value = self.use(binding.value)
            if isinstance(binding, e.MatchCast):
                bindings.append(e.MatchCast(self.var(binding.var), value, self.change(binding.struct_info, binding.var)))
            else:
                bindings.append(e.VarBinding(self.var(binding.var), value))
        return (e.DataflowBlock if isinstance(block, e.DataflowBlock) else e.BindingBlock)(bindings)


def UpdateVDevice(new_vdevice, index):  # noqa: N802
    """Another device in the place of that of this number, in the list of the module and in everything that stands on it."""

    def update(mod, ctx):
        from ..expr import Function

        devices = list(mod.global_infos["vdevice"])
        if not 0 <= index < len(devices):
            raise ValueError(f"the module has {len(devices)} virtual devices; there is no number {index}")
        old = devices[index]
        devices[index] = new_vdevice

        def change(info, unused):
            return _with_device(info, old, new_vdevice)

        funcs = {}
        for var, func in mod.functions_items():
            funcs[var] = _Rebuild(mod, lambda v: change(v.struct_info, v), change).function(func) if isinstance(func, Function) else func
        result = IRModule(funcs, attrs=mod.attrs, global_infos=dict(mod.global_infos))
        result.update_global_info("vdevice", devices)
        return result

    return ModulePass(update, PassInfo(0, "UpdateVDevice"))


def _is_hint(value):
    from ..expr import Call

    return isinstance(value, Call) and getattr(value.op, "name", "") == "relax.hint_on_device"


class _Flow:
    """What is known of the devices of a function's variables."""

    def __init__(self, func):
        self.devices, self.func, self.changed = {}, func, True
        for param in func.params:
            self.say(param, self.stated(param))
        self.bindings = [b for block in func.body.blocks for b in block.bindings]
        for binding in self.bindings:
            self.say(binding.var, self.stated(binding.var))
        self.result()
        self.settle()
        for binding in self.bindings:
            if _is_hint(binding.value):
                self.say(binding.value.args[0], binding.value.attrs["dst_vdevice"])
                self.settle()

    def settle(self):
        """Passes on what is known until nothing is new."""
        while self.changed:
            self.changed = False
            for binding in self.bindings:
                self.pass_on(binding)
            for binding in reversed(self.bindings):
                self.pass_on(binding)

    @staticmethod
    def stated(var):
        """The device that a variable's struct info says."""
        return getattr(var.struct_info, "vdevice", None)

    def say(self, var, device):
        """The device of a variable, unless one is known."""
        from ..expr import Var

        if device is not None and isinstance(var, Var) and var not in self.devices:
            self.devices[var] = device
            self.changed = True

    def result(self):
        """What the function says of its result."""
        from ..expr import Tuple

        body, info = self.func.body.body, self.func.ret_struct_info
        pairs = zip(body.fields, info.fields) if isinstance(body, Tuple) and hasattr(info, "fields") else [(body, info)]
        for var, one in pairs:
            self.say(var, getattr(one, "vdevice", None))

    def pass_on(self, binding):
        """Between a variable and what its value reads."""
        from .. import expr as e
        from ..struct_info import TensorStructInfo

        value, var = binding.value, binding.var
        if isinstance(value, e.Call) and getattr(value.op, "name", "") in ("relax.to_vdevice", "relax.hint_on_device"):
            self.say(var, value.attrs["dst_vdevice"])
            return
        reads = [value] if isinstance(value, e.Var) else [x for x in value.args if isinstance(x, e.Var)] if isinstance(value, e.Call) else []
        reads = [x for x in reads if isinstance(x.struct_info, TensorStructInfo)]
        for read in reads:
            self.say(var, self.devices.get(read))
        for read in reads:
            self.say(read, self.devices.get(var))


def RealizeVDevice():  # noqa: N802
    """Says of every variable on which device it stands, as far as that follows from the devices that are said."""

    def realize(mod, ctx):
        from ..expr import Function

        funcs = {}
        for gvar, func in mod.functions_items():
            if not isinstance(func, Function):
                funcs[gvar] = func
                continue
            flow = _Flow(func)

            def info_of(var, flow=flow):
                return _with_device(var.struct_info, None, flow.devices[var]) if var in flow.devices else var.struct_info

            def change(info, body, flow=flow):
                if body is None:
                    return info
                fields = getattr(body, "fields", None)
                if fields is not None and hasattr(info, "fields"):
                    from ..struct_info import TupleStructInfo

                    return TupleStructInfo([change(x, y) for x, y in zip(info.fields, fields)])
                return _with_device(info, None, flow.devices[body]) if body in flow.devices else info

            funcs[gvar] = _Rebuild(mod, info_of, change, flow.devices.get).function(func)
        return IRModule(funcs, attrs=mod.attrs, global_infos=mod.global_infos)

    return ModulePass(realize, PassInfo(0, "RealizeVDevice"))
