"""Relax programs as nodes and their fields, for looking at how they are put together.

Every node is KIND(field=text, ...); the fields of each kind are in one table for expressions, struct infos and types.
"""
from ...ir.container import Array
from .. import expr as _e, struct_info as _s, ty as _t
from ..expr_functor import ExprFunctor


def _quoted(value):
    return f'"{value}"'


def _attribute(value):
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, (list, tuple, Array)):
        return "[" + ", ".join(map(_attribute, value)) + "]"
    if getattr(value, "dtype", None) == "bool" and hasattr(value, "value"):
        return str(bool(value.value))
    return str(int(value.value)) if hasattr(value, "value") and "int" in str(getattr(value, "dtype", "")) else str(value)


class ASTPrinter(ExprFunctor):
    """Says the nodes of an expression; what is said besides is chosen."""

    def __init__(self, indent_str="    ", include_type_annotations=False, include_struct_info_annotations=True, include_call_attrs=True):
        self.indent_str = indent_str
        self.include_type_annotations = include_type_annotations
        self.include_struct_info_annotations = include_struct_info_annotations
        self.include_call_attrs = include_call_attrs

    # ---- layout ---------------------------------------------------------------------------------

    def indent(self, text):
        """Every line further in."""
        return "\n".join(self.indent_str + line for line in text.split("\n")) if text else ""

    def build_list(self, members, open_tok="[", close_tok="]", force_newline=False):
        """Members on lines of their own; one short member stays on the line."""
        members = list(members)
        if len(members) > 1 or (members and (force_newline or "\n" in members[0])):
            return open_tok + "\n" + ",\n".join(self.indent(x) for x in members) + "\n" + close_tok
        return open_tok + "".join(members) + close_tok

    def build_ast_node(self, nodename, force_newline=False, **kwargs):
        """nodename(field=text, ...)"""
        return self.build_list([f"{name}={text}" for name, text in kwargs.items()], nodename + "(", ")", force_newline)

    def build_expr(self, node, nodename, force_newline=False, **kwargs):
        """The same with what is known of an expression."""
        info = getattr(node, "struct_info_", None)
        if info is not None and self.include_struct_info_annotations:
            kwargs["struct_info"] = self.visit_struct_info_(info)
        if info is not None and self.include_type_annotations:
            from ..analysis import get_static_type

            kwargs["checked_type_"] = self.visit_type_(get_static_type(info))
        return self.build_ast_node(nodename, force_newline, **kwargs)

    def _all(self, visit, values):
        return self.build_list([visit(x) for x in values])

    # ---- expressions ----------------------------------------------------------------------------

    def visit_expr(self, expr):
        """The method of the kind, for blocks and bindings too."""
        if isinstance(expr, _e.BindingBlock):
            return self.visit_binding_block_(expr)
        return self.visit_binding_(expr) if isinstance(expr, _e.Binding) else super().visit_expr(expr)

    def visit_constant_(self, op):
        """Data; a scalar stays on the line."""
        return self.build_expr(op, "Constant", len(op.data.shape) > 0, data=str(op.data))

    def visit_tuple_(self, op):
        """Fields."""
        return self.build_expr(op, "Tuple", fields=self._all(self.visit_expr, op.fields))

    def visit_var_(self, op):
        """A name."""
        return self.build_expr(op, "Var", name_hint=_quoted(op.name_hint))

    def visit_dataflow_var_(self, op):
        """A name."""
        return self.build_expr(op, "DataflowVar", name_hint=_quoted(op.name_hint))

    def visit_shape_expr_(self, op):
        """Dimensions."""
        return self.build_expr(op, "ShapeExpr", values=self._all(self.visit_prim_expr_, op.values))

    def visit_extern_func_(self, op):
        """A name."""
        return self.build_ast_node("ExternFunc", global_symbol=_quoted(op.global_symbol))

    def visit_global_var_(self, op):
        """A name."""
        return self.build_expr(op, "GlobalVar", name_hint=_quoted(op.name_hint))

    def visit_function_(self, op):
        """Parameters, body, what it gives, attributes."""
        fields = {"params": self._all(self.visit_expr, op.params), "body": self.visit_expr(op.body),
                  "ret_struct_info": self.visit_struct_info_(op.ret_struct_info), "is_pure": bool(op.is_pure)}
        if op.attrs:
            fields["attrs"] = self.build_list([f"{_quoted(k)}: {_quoted(v)}" for k, v in op.attrs.items()], "{", "}")
        return self.build_expr(op, "Function", **fields)

    def visit_call_(self, op):
        """Callee, arguments, struct infos, attributes."""
        fields = {"op": self.visit_expr(op.op), "args": self._all(self.visit_expr, op.args)}
        if op.sinfo_args:
            fields["sinfo_args"] = self._all(self.visit_struct_info_, op.sinfo_args)
        if self.include_call_attrs and op.attrs:
            fields["attrs"] = self.build_list([f"{_quoted(k)}: {_attribute(op.attrs[k])}" for k in op.attrs.keys()], "{", "}")
        return self.build_expr(op, "Call", **fields)

    def visit_seq_expr_(self, op):
        """Blocks and a result."""
        return self.build_expr(op, "SeqExpr", blocks=self._all(self.visit_binding_block_, op.blocks), body=self.visit_expr(op.body))

    def visit_if_(self, op):
        """A choice."""
        return self.build_expr(op, "If", **{name: self.visit_expr(getattr(op, name)) for name in ("cond", "true_branch", "false_branch")})

    def visit_prim_value_(self, op):
        """A number."""
        return self.build_expr(op, "PrimValue", value=self.visit_prim_expr_(op.value))

    def visit_string_imm_(self, op):
        """A text."""
        return self.build_expr(op, "StringImm", value=_quoted(op.value))

    def visit_data_type_imm_(self, op):
        """A type of elements."""
        return self.build_expr(op, "DataTypeImm", value=str(op.value))

    def visit_op_(self, op):
        """An operator."""
        return self.build_ast_node("Op", name=_quoted(op.name))

    def visit_prim_expr_(self, prim_expr):
        """A dimension, as its text."""
        return self.build_ast_node("PrimExpr", value=f"`{prim_expr}`")

    def visit_tuple_getitem_(self, op):
        """A field."""
        return self.build_expr(op, "TupleGetItem", tuple_value=self.visit_expr(op.tuple_value), index=str(op.index))

    # ---- blocks and bindings ----------------------------------------------------------------------

    def visit_binding_block_(self, block):
        """Bindings."""
        kind = "DataflowBlock" if isinstance(block, _e.DataflowBlock) else "BindingBlock"
        return self.build_ast_node(kind, bindings=self.build_list([self.visit_binding_(x) for x in block.bindings], force_newline=True))

    visit_dataflow_block_ = visit_binding_block_

    def visit_binding_(self, binding):
        """var = value"""
        fields = {"var": self.visit_expr(binding.var), "value": self.visit_expr(binding.value)}
        if isinstance(binding, _e.MatchCast):
            return self.build_ast_node("MatchCast", **fields, struct_info=self.visit_struct_info_(binding.struct_info))
        return self.build_ast_node("VarBinding", **fields)

    # ---- struct infos and types -------------------------------------------------------------------

    def visit_struct_info_(self, struct_info_node):
        """What is known of a value."""
        info, fields = struct_info_node, {}
        if isinstance(info, _s.ShapeStructInfo):
            fields["ndim"] = str(info.ndim)
            if info.values is not None:
                fields["values"] = self._all(self.visit_prim_expr_, info.values)
        elif isinstance(info, _s.TensorStructInfo):
            fields["dtype"] = info.dtype
            fields.update({"shape": self.visit_expr(info.shape)} if info.shape is not None else {"ndim": str(info.ndim)})
        elif isinstance(info, _s.PrimStructInfo):
            fields["dtype"] = info.dtype
        elif isinstance(info, _s.TupleStructInfo):
            fields["fields"] = self._all(self.visit_struct_info_, info.fields)
        elif isinstance(info, _s.FuncStructInfo):
            if info.params is not None:
                fields["params"] = self._all(self.visit_struct_info_, info.params)
            fields.update(ret=self.visit_struct_info_(info.ret), purity=bool(info.purity))
        elif not isinstance(info, _s.ObjectStructInfo):
            raise ValueError(f"Invalid Relax StructInfo {info} ({type(info)})")
        return self.build_ast_node(type(info).__name__, **fields)

    def visit_type_(self, type_node):
        """The type of a value."""
        fields = {}
        if isinstance(type_node, _t.DynTensorType):
            fields.update(ndim=str(type_node.ndim), dtype=str(type_node.dtype))
        elif isinstance(type_node, _t.ShapeType):
            fields["ndim"] = str(type_node.ndim)
        elif isinstance(type_node, _t.TupleType):
            fields["fields"] = self._all(self.visit_type_, type_node.fields)
        elif isinstance(type_node, _t.FuncType):
            fields.update(arg_types=self._all(self.visit_type_, type_node.arg_types), ret_type=self.visit_type_(type_node.ret_type))
        elif type(type_node).__name__ == "PrimType":
            fields["dtype"] = str(type_node.dtype)
        elif not isinstance(type_node, (_t.ObjectType, _t.PackedFuncType)):
            raise ValueError(f"Invalid Relax Type {type_node} ({type(type_node)})")
        return self.build_ast_node(type(type_node).__name__, **fields)


def dump_ast(exp, indent_str="    ", include_type_annotations=False, include_struct_info_annotations=True, include_call_attrs=True):
    """The nodes of an expression, a block or a binding as text."""
    return ASTPrinter(indent_str, include_type_annotations, include_struct_info_annotations, include_call_attrs).visit_expr(exp)
