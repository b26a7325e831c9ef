"""Relax functions of a lowered module as functions of TensorIR that work on registers: what TVM calls the compiled mode of its virtual machine.

NAME becomes __vmtir__NAME(ctx_ptr, r, c, f): the machine, its registers, its constants and its functions.  The first registers are the parameters,
the next one is the result.  Each value is computed into a register of its own; an `if` has one for what both branches give.
"""
from ..error import InternalError, TVMError
from ..ir import GlobalVar, Op
from ..tir import Call as TirCall, Evaluate, IfThenElse, IntImm, PrimFunc, SeqStmt, StringImm, Var as TirVar, op as tir_op
from . import expr as e
from .struct_info import TupleStructInfo


def _number(value):
    return IntImm("int32", value)


def _is_nothing(call, mod):
    """Does the call give no value?"""
    info = call.struct_info_
    if info is None and isinstance(call.op, GlobalVar) and call.op in mod.functions:
        return isinstance(mod[call.op], PrimFunc)
    return isinstance(info, TupleStructInfo) and not info.fields


class _Writer:
    def __init__(self, builder, mod):
        self.builder, self.mod, self.functions = builder, mod, {}

    # ---- statements -----------------------------------------------------------------------------

    def put(self, call):
        self.lines.append(Evaluate(call))

    def new_register(self):
        self.registers += 1
        return self.registers - 1

    def register(self, number):
        return tir_op.anylist_getitem(self.r, _number(number))

    def constant(self, value):
        return tir_op.anylist_getitem(self.c, _number(self.builder.convert_constant(value).value))

    def call(self, name, args, target):
        """The call of a packed function, into a register unless `target` is None."""
        if target is None:
            self.put(TirCall("int32", "tir.tvm_call_packed", [StringImm(name), *args]))
        else:
            self.put(tir_op.anylist_setitem_call_packed(self.r, _number(target), name, *args))

    def call_compiled(self, name, args, target):
        """The call of a function of the same module; the last argument is the place of resources, of which there are none."""
        args = [*args, tir_op.reinterpret("handle", IntImm("uint64", 0))]
        if target is None:
            self.put(tir_op.call_cpacked(name, *args))
        else:
            self.put(tir_op.anylist_setitem_call_cpacked(self.r, _number(target), name, *args))

    # ---- values ---------------------------------------------------------------------------------

    def value(self, node):
        if isinstance(node, e.Var):
            return self.known[node]
        if isinstance(node, e.Constant):
            return self.constant(node.data)
        if isinstance(node, e.ShapeExpr):
            if not all(isinstance(extent, IntImm) for extent in node.values):
                raise InternalError(f"the shape {node} has to be made of numbers here: VMShapeLower has not run")
            from ..runtime import ShapeTuple

            return self.constant(ShapeTuple([int(extent) for extent in node.values]))
        if isinstance(node, e.PrimValue):
            return node.value
        if isinstance(node, e.StringImm):
            return StringImm(node.value)
        if isinstance(node, e.DataTypeImm):
            return self.constant(node.value)
        if isinstance(node, (GlobalVar, e.ExternFunc)):
            name = node.name_hint if isinstance(node, GlobalVar) else node.global_symbol
            return tir_op.anylist_getitem(self.f, _number(self.functions.setdefault(name, len(self.functions))))
        if isinstance(node, e.Tuple):
            target = self.new_register()
            self.call("vm.builtin.make_tuple", [self.value(field) for field in node.fields], target)
            return self.register(target)
        if isinstance(node, e.TupleGetItem):
            target = self.new_register()
            self.call("vm.builtin.tuple_getitem", [self.value(node.tuple_value), _number(node.index)], target)
            return self.register(target)
        if isinstance(node, e.If):
            return self.branches(node)
        if isinstance(node, e.SeqExpr):
            return self.sequence(node)
        if isinstance(node, e.Call):
            return self.called(node)
        raise TVMError(f"the machine's code has no form for {type(node).__name__}: {node}")

    def called(self, node):
        name = getattr(node.op, "name", None) if isinstance(node.op, Op) else None
        if name == "relax.null_value":
            return tir_op.reinterpret("handle", IntImm("int64", 0))
        if name == "relax.vm.kill_object":
            register = self.value(node.args[0])
            self.put(tir_op.anylist_resetitem(self.r, register.args[1]))
            return None
        target = None if _is_nothing(node, self.mod) else self.new_register()
        if name is not None:
            self.operator(name, node, target)
        elif isinstance(node.op, e.ExternFunc):
            self.call(node.op.global_symbol, [self.value(arg) for arg in node.args], target)
        elif isinstance(node.op, GlobalVar) and node.op in self.mod.functions and isinstance(self.mod[node.op], PrimFunc):
            self.call_compiled(str(self.mod[node.op].attrs["global_symbol"]), [self.value(arg) for arg in node.args], target)
        else:
            self.call("vm.builtin.invoke_closure", [self.ctx, self.value(node.op), *[self.value(arg) for arg in node.args]], target)
        return None if target is None else self.register(target)

    def operator(self, name, node, target):
        def many(arg):
            return [self.value(field) for field in (arg.fields if isinstance(arg, e.Tuple) else [arg])]

        if name == "relax.call_builtin_with_ctx":
            self.call(node.args[0].global_symbol, [self.ctx, *many(node.args[1])], target)
        elif name in ("relax.invoke_closure", "relax.invoke_pure_closure"):
            self.call("vm.builtin.invoke_closure", [self.ctx, self.value(node.args[0]), *many(node.args[1])], target)
        elif name == "relax.vm.alloc_storage":
            self.call("vm.builtin.alloc_storage", [self.ctx, *[self.value(arg) for arg in node.args]], target)
        elif name == "relax.vm.alloc_tensor":
            self.call("vm.builtin.alloc_tensor", [self.value(arg) for arg in node.args], target)
        elif name == "relax.vm.call_tir_dyn":
            self.call("vm.builtin.call_tir_dyn", [self.value(node.args[0]), *many(node.args[1])], target)
        else:
            raise TVMError(f"{name} has no form in the machine's code: lower the module first (relax.get_pipeline)")

    def branches(self, node):
        condition = TirCall("bool", "tir.tvm_call_packed", [StringImm("vm.builtin.read_if_cond"), self.value(node.cond)])
        target, outside, bodies = self.new_register(), self.lines, []
        for branch in (node.true_branch, node.false_branch):
            self.lines = []
            self.call("vm.builtin.copy", [self.value(branch)], target)
            bodies.append(self.lines[0] if len(self.lines) == 1 else SeqStmt(self.lines))
        self.lines = outside
        self.lines.append(IfThenElse(condition, *bodies))
        return self.register(target)

    def sequence(self, node):
        for block in node.blocks:
            for binding in block.bindings:
                self.known[binding.var] = self.value(binding.value)
        return self.value(node.body)

    def function(self, func, name):
        self.ctx, self.r, self.c, self.f = (TirVar(one, "handle") for one in ("ctx_ptr", "r", "c", "f"))
        self.lines, self.registers, self.known = [], 0, {}
        for param in func.params:
            self.known[param] = self.register(self.new_register())
        target = self.new_register()
        self.call("vm.builtin.copy", [self.value(func.body)], target)
        body = self.lines[0] if len(self.lines) == 1 else SeqStmt(self.lines)
        return PrimFunc([self.ctx, self.r, self.c, self.f], body).with_attr("global_symbol", name)


def functions_of(builder, mod):
    """{global variable: function} of all Relax functions of a lowered module."""
    from ..ir import GlobalVar as Global

    writer, made = _Writer(builder, mod), {}
    for _, func in mod.functions_items():
        if isinstance(func, e.Function) and "global_symbol" in (func.attrs or {}):
            name = "__vmtir__" + str(func.attrs["global_symbol"])
            made[Global(name)] = writer.function(func, name)
    return made
