"""Visitors and mutators of Relax expressions, written in Python."""
import _loopscope as _core

from ..ir.expr import GlobalVar
from ..ir.op import Op
from . import expr as _e
from .block_builder import BlockBuilder

_VISITS = {
    "RelaxVar": "visit_var_", "DataflowVar": "visit_dataflow_var_", "Constant": "visit_constant_", "RelaxTuple": "visit_tuple_",
    "ShapeExpr": "visit_shape_expr_", "ExternFunc": "visit_extern_func_", "GlobalVar": "visit_global_var_", "Function": "visit_function_",
    "RelaxCall": "visit_call_", "SeqExpr": "visit_seq_expr_", "RelaxIf": "visit_if_", "Op": "visit_op_", "RelaxOp": "visit_op_",
    "TupleGetItem": "visit_tuple_getitem_", "PrimValue": "visit_prim_value_", "RelaxString": "visit_string_imm_", "DataTypeImm": "visit_data_type_imm_",
}


class ExprFunctor:
    """One method for each kind of expression."""

    def visit_expr(self, expr):
        """Calls the method of the kind."""
        method = _VISITS.get(_core.kind(expr))
        if method is None:
            raise TypeError(f"Invalid type: {type(expr)}")
        return getattr(self, method)(expr)


class PyExprVisitor(ExprFunctor):
    """Visits all parts of an expression; methods that are overridden see their kind."""

    def visit_leaf(self, op):
        """Nothing is below."""

    visit_constant_ = visit_extern_func_ = visit_global_var_ = visit_op_ = visit_prim_value_ = visit_string_imm_ = visit_data_type_imm_ = visit_leaf

    def visit_var_(self, op):
        """A variable that is used."""

    def visit_dataflow_var_(self, op):
        """A dataflow variable that is used."""

    def visit_shape_expr_(self, op):
        """A shape."""
        for value in op.values:
            self.visit_prim_expr(value)

    def visit_prim_expr(self, expr):
        """A dimension."""

    def visit_tuple_(self, op):
        """A tuple."""
        for field in op.fields:
            self.visit_expr(field)

    def visit_tuple_getitem_(self, op):
        """A field of a tuple."""
        self.visit_expr(op.tuple_value)

    def visit_call_(self, op):
        """A call."""
        self.visit_expr(op.op)
        for arg in op.args:
            self.visit_expr(arg)

    def visit_if_(self, op):
        """A choice."""
        self.visit_expr(op.cond)
        self.visit_expr(op.true_branch)
        self.visit_expr(op.false_branch)

    def visit_function_(self, op):
        """A function."""
        for param in op.params:
            self.visit_var_def(param)
        self.visit_expr(op.body)

    def visit_seq_expr_(self, op):
        """Blocks and a result."""
        for block in op.blocks:
            self.visit_binding_block(block)
        self.visit_expr(op.body)

    def visit_binding_block(self, block):
        """A block."""
        if isinstance(block, _e.DataflowBlock):
            self.visit_dataflow_block_(block)
        else:
            self.visit_binding_block_(block)

    def visit_binding_block_(self, block):
        """A block with effects."""
        for binding in block.bindings:
            self.visit_binding(binding)

    visit_dataflow_block_ = visit_binding_block_

    def visit_binding(self, binding):
        """A binding."""
        if isinstance(binding, _e.MatchCast):
            self.visit_match_cast_(binding)
        else:
            self.visit_var_binding_(binding)

    def visit_var_binding_(self, binding):
        """var = value"""
        self.visit_expr(binding.value)
        self.visit_var_def(binding.var)

    def visit_match_cast_(self, binding):
        """var = match_cast (value)"""
        self.visit_expr(binding.value)
        self.visit_var_def(binding.var)

    def visit_var_def(self, var):
        """A variable that is defined."""
        if isinstance(var, _e.DataflowVar):
            self.visit_dataflow_var_def_(var)
        else:
            self.visit_var_def_(var)

    def visit_var_def_(self, var):
        """A variable that is defined."""

    def visit_dataflow_var_def_(self, var):
        """A dataflow variable that is defined."""

    def visit_span(self, span):
        """A place."""


def _shapes(info):
    """The shapes that a struct info says."""
    shape = getattr(info, "shape", None)
    if isinstance(shape, _e.ShapeExpr):
        yield shape
    for field in getattr(info, "fields", None) or ():
        yield from _shapes(field)


class PyExprMutator(ExprFunctor):
    """Rewrites an expression; methods that are overridden say what takes the place of their kind."""

    def __init__(self, mod=None):
        self.builder_ = BlockBuilder(mod)
        self._vars = {}

    # ---- the parts ------------------------------------------------------------------------------

    def visit_expr_post_order(self, expr):
        """The expression with its parts rewritten."""
        return getattr(PyExprMutator, _VISITS[_core.kind(expr)])(self, expr)

    def _leaf(self, op):
        return op

    visit_constant_ = visit_extern_func_ = visit_global_var_ = visit_op_ = visit_prim_value_ = visit_string_imm_ = visit_data_type_imm_ = _leaf

    def visit_var_(self, op):
        """A variable that is used: what took its place."""
        return self._vars.get(op, op)

    def visit_dataflow_var_(self, op):
        """The same for a dataflow variable."""
        return self._vars.get(op, op)

    def visit_shape_expr_(self, op):
        """A shape."""
        return op

    def visit_tuple_(self, op):
        """A tuple."""
        fields = [self.visit_expr(x) for x in op.fields]
        return op if all(a.same_as(b) for a, b in zip(fields, op.fields)) else _e.Tuple(fields)

    def visit_tuple_getitem_(self, op):
        """A field of a tuple."""
        value = self.visit_expr(op.tuple_value)
        return op if value.same_as(op.tuple_value) else _e.TupleGetItem(value, op.index)

    def visit_call_(self, op):
        """A call."""
        callee = self.visit_expr(op.op)
        args = [self.visit_expr(x) for x in op.args]
        if type(self).visit_shape_expr_ is not PyExprMutator.visit_shape_expr_:
            for shape in _shapes(op.struct_info_):
                self.visit_expr(shape)
        if callee.same_as(op.op) and all(a.same_as(b) for a, b in zip(args, op.args)):
            return op
        return _core.make("RelaxCall", callee, args, _core.field(op, "attr_names"), _core.field(op, "attrs"), _core.field(op, "sinfo_args"))

    def visit_if_(self, op):
        """A choice."""
        return _e.If(self.visit_expr(op.cond), self.visit_with_new_scope(op.true_branch), self.visit_with_new_scope(op.false_branch))

    def visit_function_(self, op):
        """A function."""
        params = [self._remap(p, self.visit_var_def(p)) for p in op.params]
        body = self.visit_with_new_scope(op.body)
        if body.same_as(op.body) and all(a.same_as(b) for a, b in zip(params, op.params)):
            return op
        info, found = op.ret_struct_info, self.builder_._impl.struct_info(body)
        if not info.is_base_of(found):
            info = found
        return _core.make("Function", params, info, body, _core.field(op, "attrs"), op.is_pure)

    def _remap(self, var, fresh):
        """A variable that is defined, and what takes its place where it is used."""
        if not fresh.same_as(var):
            self._vars[var] = fresh
        return fresh

    def visit_seq_expr_(self, op):
        """Blocks and a result."""
        blocks = []
        changed = False
        for block in op.blocks:
            fresh = self.visit_binding_block(block)
            changed = changed or not fresh.same_as(block)
            if len(fresh.bindings) > 0:
                blocks.append(fresh)
        self.builder_._begin_binding_block()
        body = self.builder_.normalize(self.visit_expr(op.body))
        if not isinstance(body, (_e._VarBase, _e.Constant, _e.Tuple, _e.ShapeExpr, _e.PrimValue)):
            body = self.builder_.emit(body)
        prologue = self.builder_._end_block()
        if len(prologue.bindings) > 0:
            blocks.append(prologue)
            changed = True
        if not changed and body.same_as(op.body):
            return op
        return _e.SeqExpr(blocks, body)

    # ---- blocks and bindings ----------------------------------------------------------------------

    def visit_binding_block(self, block):
        """A block."""
        return self.visit_dataflow_block_(block) if isinstance(block, _e.DataflowBlock) else self.visit_binding_block_(block)

    def _block(self, block, dataflow):
        if dataflow:
            self.builder_._begin_dataflow_block()
        else:
            self.builder_._begin_binding_block()
        for binding in block.bindings:
            self.visit_binding(binding)
        return self.builder_._end_block()

    def visit_binding_block_(self, block):
        """A block with effects."""
        return self._block(block, False)

    def visit_dataflow_block_(self, block):
        """A block without effects."""
        return self._block(block, True)

    def visit_binding(self, binding):
        """A binding."""
        if isinstance(binding, _e.MatchCast):
            self.visit_match_cast_(binding)
        else:
            self.visit_var_binding_(binding)

    def _define(self, var, fresh, value):
        """The variable for a new value: `fresh` when nothing is known otherwise of it."""
        info = self.builder_._impl.struct_info(value)
        if fresh.struct_info_ is not None and (info == fresh.struct_info_ or _core.kind(info) == "ObjectStructInfo"):
            return fresh
        made = type(fresh)(fresh.name_hint, info)
        self._vars[var] = made
        return made

    def _in_order(self, call):
        """The call as its operator wants it: by FNormalize, and the arguments of call_tir as a tuple that is written out."""
        if not isinstance(call, _e.Call) or not isinstance(call.op, Op):
            return call
        rule = call.op.get_attr("FNormalize")
        if rule is not None:
            made = rule(self.builder_, call)
            return call if made == call else made
        if call.op.name not in _e.CALLS_TIR or not isinstance(call.args[1], _e._VarBase):
            return call
        given = call.args[1]
        while isinstance(given, _e._VarBase) and self.builder_.lookup_binding(given) is not None:
            given = self.builder_.lookup_binding(given)
        if not isinstance(given, _e.Tuple):
            n = len(call.args[1].struct_info.fields)
            given = _e.Tuple([self.builder_.emit(_e.TupleGetItem(call.args[1], i)) for i in range(n)])
        return _e.Call(call.op, [call.args[0], given, *call.args[2:]], call.attrs, call.sinfo_args)

    def visit_var_binding_(self, binding):
        """var = value"""
        value = self._in_order(self.visit_expr(binding.value))
        known = any(v.same_as(binding.var) for v in self._vars)
        var = self._remap(binding.var, self.visit_var_def(binding.var))
        if value.same_as(binding.value) and var.same_as(binding.var) and not known:
            self.builder_.emit_normalized(binding)
            return
        value = self.builder_.normalize(value)
        var = self._define(binding.var, var, value)
        self.builder_.emit_normalized(_e.VarBinding(var, value))

    def visit_match_cast_(self, binding):
        """var = match_cast (value)"""
        value = self.builder_.normalize(self.visit_expr(binding.value))
        self.builder_.emit_normalized(_e.MatchCast(self._remap(binding.var, self.visit_var_def(binding.var)), value, binding.struct_info))

    def visit_var_def(self, var):
        """A variable that is defined."""
        return self.visit_dataflow_var_def_(var) if isinstance(var, _e.DataflowVar) else self.visit_var_def_(var)

    def visit_var_def_(self, var):
        """A variable that is defined."""
        return var

    def visit_dataflow_var_def_(self, var):
        """A dataflow variable that is defined."""
        return var

    # ---- for those who write mutators ---------------------------------------------------------------

    def set_var_remap(self, vid, var):
        """Another variable takes the place of this one."""
        self._vars[vid] = var

    def get_var_remap(self, vid):
        """What took its place."""
        return self._vars.get(vid, vid)

    def visit_with_new_scope(self, expr):
        """An expression as a body of its own."""
        body = self.visit_expr(expr)
        return body if isinstance(body, _e.SeqExpr) else _e.SeqExpr([], body)

    def lookup_binding(self, var):
        """What a variable was bound to."""
        return self.builder_.lookup_binding(var)

    def with_struct_info(self, var, struct_info):
        """The variable with another struct info."""
        return var if var.struct_info_ == struct_info else type(var)(var.name_hint, struct_info)

    def visit_span(self, span):
        """A place."""
        return span


ExprVisitor = PyExprVisitor
ExprMutator = PyExprMutator


def _decorated(cls, members):
    if hasattr(cls, "_cls"):
        raise TypeError(f"Inheritance from a decorated object `{cls.__name__}` is not allowed. Please inherit from `{cls.__name__}._cls`.")
    return type(cls.__name__, (cls,), {"_cls": cls, "__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__, **members})


def visitor(cls):
    """Decorator of visitors: `_cls` is the class as it was written, from which others may inherit."""
    return _decorated(cls, {})


def mutator(cls):
    """Decorator of mutators, as that of visitors; their builder is made even when they do not call super ().__init__."""
    def init(self, *args, **kwargs):
        if not hasattr(self, "builder_"):
            PyExprMutator.__init__(self)
        cls.__init__(self, *args, **kwargs)

    init.__doc__ = cls.__init__.__doc__
    return _decorated(cls, {"__init__": init})
