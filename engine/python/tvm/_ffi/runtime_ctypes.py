"""Types and devices under the names of TVM's foreign function interface."""
from ..runtime._types import DataType, DataTypeCode
from ..runtime.ndarray import Device

TVMType = DataType
