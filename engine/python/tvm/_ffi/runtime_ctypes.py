"""Types and devices."""
from ..runtime import DataType, DataTypeCode, Device
