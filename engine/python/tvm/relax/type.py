"""Types as 2026 has them: what was struct info until then, under the names of its classes."""
from .struct_info import FuncStructInfo as FuncType
from .struct_info import ObjectStructInfo as AnyType
from .struct_info import PrimStructInfo as PrimType
from .struct_info import ShapeStructInfo as ShapeType
from .struct_info import StructInfo as Type
from .struct_info import TensorStructInfo as TensorType
from .struct_info import TupleStructInfo as TupleType
from .struct_info import *  # noqa: F401,F403
from .ty import PackedFuncType  # noqa: F401

ObjectType = AnyType
