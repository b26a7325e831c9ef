"""Types of values, as they were before struct info."""
from ..ir.type import PrimType, Type


class _Static:
    """Types that are equal when they say the same."""

    def _key(self):
        return ()

    def __eq__(self, other):
        return type(self) is type(other) and self._key() == other._key()

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((type(self).__name__,) + tuple(str(x) for x in self._key()))

    def same_as(self, other):
        """The same type?"""
        return self == other

    def script(self, **unused):
        """As a script says it."""
        return _SCRIPTS[type(self)](self)

    _relax_script = script

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(str(x) for x in self._key())})"


class DynTensorType(_Static):
    """The number of dimensions and the type of a tensor.  Where a shape stands first it is what 2026 calls so: a struct info."""

    def __new__(cls, ndim=-1, dtype="float32", vdevice=None, shape=None, **more):
        shape = ndim if shape is None and not isinstance(ndim, int) else shape
        if shape is None:
            return super().__new__(cls)
        from .struct_info import TensorStructInfo

        return TensorStructInfo(shape, dtype, vdevice)

    def __init__(self, ndim=-1, dtype="float32", span=None):
        self.ndim, self.dtype = ndim, dtype or "void"

    def _key(self):
        return self.ndim, self.dtype

    def as_struct_info(self, shape=None):
        """The struct info that a variable of this type and shape has."""
        from .struct_info import TensorStructInfo

        return TensorStructInfo(shape, self.dtype, ndim=-1 if shape is not None else self.ndim)

    def __repr__(self):
        return f"DynTensorType(ndim={self.ndim}, dtype={self.dtype})"


TensorType = DynTensorType


class ShapeType(_Static):
    """A shape; with its extents it is what 2026 calls so: a struct info."""

    def __new__(cls, ndim=-1, span=None, **more):
        if isinstance(ndim, int) and "values" not in more:
            return super().__new__(cls)
        from .struct_info import ShapeStructInfo

        return ShapeStructInfo(more.get("values", ndim))

    def __init__(self, ndim=-1, span=None):
        self.ndim = ndim

    def _key(self):
        return (self.ndim,)


class ObjectType(_Static):
    """Anything."""

    def __init__(self, span=None):
        pass


class PackedFuncType(_Static):
    """A packed function."""

    def __init__(self, span=None):
        pass


def _are_infos(values):
    from .struct_info import StructInfo

    return any(isinstance(x, StructInfo) for x in values)


class TupleType(_Static):
    """Several types; of struct infos it is what 2026 calls so: a struct info."""

    def __new__(cls, fields, span=None):
        if not _are_infos(fields):
            return super().__new__(cls)
        from .struct_info import TupleStructInfo

        return TupleStructInfo(list(fields))

    def __init__(self, fields, span=None):
        self.fields = list(fields)

    def _key(self):
        return tuple(self.fields)


class FuncType(_Static):
    """Types of parameters and of the result; of struct infos it is what 2026 calls so: a struct info."""

    def __new__(cls, arg_types, ret_type, *args, **kwargs):
        if not _are_infos([*arg_types, ret_type]):
            return super().__new__(cls)
        from .struct_info import FuncStructInfo

        return FuncStructInfo(list(arg_types), ret_type, *args, **kwargs)

    def __init__(self, arg_types, ret_type, span=None):
        self.arg_types, self.ret_type = list(arg_types), ret_type

    def _key(self):
        return tuple(self.arg_types) + (self.ret_type,)


def _said(types):
    return ", ".join(one.script() for one in types)


_SCRIPTS = {
    DynTensorType: lambda ty: f'R.Tensor(ndim={ty.ndim}, dtype="{ty.dtype}")',
    ShapeType: lambda ty: f"R.Shape(ndim={ty.ndim})",
    ObjectType: lambda ty: "R.Object",
    PackedFuncType: lambda ty: "R.PackedFunc",
    TupleType: lambda ty: f"R.Tuple({_said(ty.fields)})" if ty.fields else "R.Tuple",
    FuncType: lambda ty: f"R.Callable(({_said(ty.arg_types)}{',' if len(ty.arg_types) == 1 else ''}), {ty.ret_type.script()})",
}

__all__ = ["DynTensorType", "TensorType", "ShapeType", "ObjectType", "PackedFuncType", "FuncType", "TupleType", "PrimType", "Type"]
