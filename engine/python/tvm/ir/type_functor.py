"""Visitors of types."""
from .type import FuncType, PointerType, PrimType, TupleType, Type


class TypeFunctor:
    """Calls visit_<class> for a type."""

    def visit(self, typ):
        """One type."""
        for kind, name in ((FuncType, "func_type"), (TupleType, "tuple_type"), (PointerType, "pointer_type"), (PrimType, "prim_type")):
            if isinstance(typ, kind):
                return getattr(self, "visit_" + name, self.generic)(typ)
        if isinstance(typ, Type):
            return self.generic(typ)
        raise TypeError(f"a visitor of types takes a type, not {type(typ)}")

    def generic(self, typ):
        """A type without a visit of its own."""
        return typ


class TypeVisitor(TypeFunctor):
    """Goes through the parts of a type."""

    def visit_tuple_type(self, typ):
        """Its fields."""
        for field in typ.fields:
            self.visit(field)

    def visit_func_type(self, typ):
        """Its parameters and result."""
        for part in list(typ.arg_types) + [typ.ret_type]:
            self.visit(part)


class TypeMutator(TypeFunctor):
    """Makes a type of what the visits of its parts give."""

    def visit_tuple_type(self, typ):
        """Of the fields."""
        return TupleType([self.visit(field) for field in typ.fields])

    def visit_func_type(self, typ):
        """Of parameters and result."""
        return FuncType([self.visit(part) for part in typ.arg_types], self.visit(typ.ret_type))
