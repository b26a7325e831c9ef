"""Types of values, as they were before struct info."""
import _loopscope as _core

from ..ir.type import FuncType, TupleType, Type


class DynTensorType:
    """The number of dimensions and the type of a tensor."""

    def __init__(self, ndim=-1, dtype="float32", span=None):
        self.ndim, self.dtype = ndim, dtype

    def as_struct_info(self, shape=None):
        """The struct info that a variable of this type and shape has."""
        from .struct_info import TensorStructInfo

        return TensorStructInfo(shape, self.dtype, ndim=-1 if shape is not None else self.ndim)

    def __repr__(self):
        return f"DynTensorType(ndim={self.ndim}, dtype={self.dtype})"


class ShapeType:
    """A shape."""

    def __init__(self, ndim=-1, span=None):
        self.ndim = ndim


class ObjectType:
    """Anything."""


class PackedFuncType:
    """A packed function."""


__all__ = ["DynTensorType", "ShapeType", "ObjectType", "PackedFuncType", "FuncType", "TupleType", "Type", "_core"]
