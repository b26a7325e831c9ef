"""Visitors and mutators of TensorIR, written in Python: one method for each kind of expression and statement.

A method that is not overridden goes on to the parts: visit_expr and visit_stmt for each.  Variables where they are defined, buffers and operators are no
parts."""
import _loopscope as _core

from ..ir import PrimExpr
from .stmt import Stmt

_EXPRESSIONS = {
    "Var": "var", "SizeVar": "size_var", "BufferLoad": "buffer_load", "ProducerLoad": "producer_load", "Let": "let", "Call": "call", "Add": "add",
    "Sub": "sub", "Mul": "mul", "Div": "div", "Mod": "mod", "FloorDiv": "floor_div", "FloorMod": "floor_mod", "Min": "min", "Max": "max", "EQ": "eq",
    "NE": "ne", "LT": "lt", "LE": "le", "GT": "gt", "GE": "ge", "And": "and", "Or": "or", "Reduce": "reduce", "Cast": "cast", "Not": "not",
    "Select": "select", "Ramp": "ramp", "Broadcast": "broadcast", "Shuffle": "shuffle", "IntImm": "int_imm", "FloatImm": "float_imm", "StringImm": "string_imm",
}
_STATEMENTS = {
    "AttrStmt": "attr_stmt", "IfThenElse": "if_then_else", "LetStmt": "let_stmt", "For": "for", "While": "while", "Allocate": "allocate",
    "AllocateConst": "allocate_const", "DeclBuffer": "decl_buffer", "BufferStore": "buffer_store", "BufferRealize": "buffer_realize",
    "AssertStmt": "assert_stmt", "SeqStmt": "seq_stmt", "Evaluate": "evaluate", "Block": "block", "BlockRealize": "block_realize",
}
_DEFINES = {"For": "loop_var", "Let": "var", "LetStmt": "var", "Allocate": "buffer_var", "AllocateConst": "buffer_var"}


def _defined_by(node):
    name = _DEFINES.get(_core.kind(node))
    return getattr(node, name) if name else None


class _Functor:
    """Calls the method of a node's kind."""

    def _visit(self, node, kinds):
        name = kinds.get(_core.kind(node))
        if name is None:
            raise TypeError(f"{type(node).__name__} is none of the {'expressions' if kinds is _EXPRESSIONS else 'statements'} that are visited")
        return getattr(self, f"visit_{name}_")(node)

    def visit_expr(self, expr):
        """Visits an expression."""
        return self._visit(expr, _EXPRESSIONS)

    def visit_stmt(self, stmt):
        """Visits a statement."""
        return self._visit(stmt, _STATEMENTS)

    def _any(self, node):
        return self.visit_expr(node) if _core.kind(node) in _EXPRESSIONS else self.visit_stmt(node)

    @property
    def _outer(self):
        return lambda: self


class PyStmtExprVisitor(_Functor):
    """Visits all parts of a statement or an expression."""

    def visit_parts(self, node):
        """Visits what stands directly in a node."""
        own, binder = [node], _defined_by(node)

        def enter(one):
            if own:
                own.clear()
                return True
            if _core.kind(one) == "IterVar":
                if one.dom is not None:
                    self.visit_expr(one.dom.min)
                    self.visit_expr(one.dom.extent)
                return False
            if not isinstance(one, (PrimExpr, Stmt)):
                return True
            if binder is None or not one.same_as(binder):
                self._any(one)
            return False

        _core.walk(node, enter, None)


class PyStmtExprMutator(_Functor):
    """Gives a statement or an expression with other parts; itself where none is another one."""

    def visit_parts(self, node):
        """The node with what the visits of its parts gave."""
        own, binder = [node], _defined_by(node)

        def enter(one):
            if own:
                own.clear()
                return None
            if _core.kind(one) == "IterVar" or (binder is not None and one.same_as(binder)):
                return one
            return self._any(one) if isinstance(one, (PrimExpr, Stmt)) else None

        return _core.transform(node, enter, None, None)


def _default(name):
    def visit(self, op):
        return self.visit_parts(op)

    visit.__name__ = f"visit_{name}_"
    visit.__doc__ = f"Visits the parts of a node of the kind {name}."
    return visit


for _kind in (PyStmtExprVisitor, PyStmtExprMutator):
    for _name in (*_EXPRESSIONS.values(), *_STATEMENTS.values()):
        setattr(_kind, f"visit_{_name}_", _default(_name))


def visitor(cls):
    """Marks a class of visitors."""
    if not issubclass(cls, PyStmtExprVisitor):
        raise TypeError(f"{cls.__name__} is no PyStmtExprVisitor")
    return cls


def mutator(cls):
    """Marks a class of mutators."""
    if not issubclass(cls, PyStmtExprMutator):
        raise TypeError(f"{cls.__name__} is no PyStmtExprMutator")
    return cls
