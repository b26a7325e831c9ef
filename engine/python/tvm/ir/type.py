"""Types of variables."""
import _loopscope as _core

from ..runtime.object import register
from .base import Node


class Type(Node):
    """A type."""

    __slots__ = ()

    def __eq__(self, other):
        return isinstance(other, Type) and _core.equal(self, other, False) is True

    def __ne__(self, other):
        return not self == other

    __hash__ = Node.__hash__


@register("PrimType")
class PrimType(Type):
    """The type of a number."""

    __slots__ = ()

    def __new__(cls, dtype):
        return _core.make("PrimType", dtype)

    def as_struct_info(self):
        """What is known of a number of this type."""
        return _core.make("PrimStructInfo", None, self.dtype)


@register("PointerType")
class PointerType(Type):
    """The type of a pointer."""

    __slots__ = ()

    def __new__(cls, element_type, storage_scope=""):
        return _core.make("PointerType", element_type, storage_scope)


@register("TupleType")
class TupleType(Type):
    """Several types; none of them: void."""

    __slots__ = ()

    def __new__(cls, fields=()):
        return _core.make("TupleType", list(fields))


class FuncType(Type):
    """The type of a function: those of its parameters, and that of its result behind them."""

    __slots__ = ()

    def __new__(cls, arg_types, ret_type):
        return _core.wrap_as(_core.make("TupleType", [*arg_types, ret_type]), cls)

    @property
    def arg_types(self):
        """The types of the parameters."""
        return list(_core.items(_core.field(self, "fields")))[:-1]

    @property
    def ret_type(self):
        """The type of the result."""
        return list(_core.items(_core.field(self, "fields")))[-1]


class TensorType(Type):
    """Not made by this engine."""

    __slots__ = ()


class IncompleteType(Type):
    """Not made by this engine."""

    __slots__ = ()


class TypeConstraint(Type):
    """Not made by this engine."""

    __slots__ = ()


class DynTensorType(Type):
    """What tensors of relax were before struct info; see tvm.relax."""

    __slots__ = ()
