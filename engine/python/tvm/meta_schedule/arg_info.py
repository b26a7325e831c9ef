"""What a function takes."""
import json

import _loopscope as _core

from ..runtime import DataType
from .utils import Named


class ArgInfo(Named):
    """One parameter."""

    @staticmethod
    def from_json(data):
        """What as_json gave."""
        if data[0] != "TENSOR":
            raise ValueError(f"an argument is written as [\"TENSOR\", dtype, shape], not {data}")
        return TensorInfo(data[1], data[2])

    @staticmethod
    def from_prim_func(func):
        """Those of a function."""
        from .utils import normalize_mod

        return ArgInfo._of(normalize_mod(func))

    @staticmethod
    def from_entry_func(mod, remove_preproc=True):
        """Those of the module's function."""
        return ArgInfo._of(mod)

    @staticmethod
    def _of(mod):
        return [ArgInfo.from_json(one) for one in json.loads(_core.args_json(mod))]


class TensorInfo(ArgInfo):
    """A tensor."""

    def __init__(self, dtype, shape):
        self.dtype = DataType(dtype)
        self.shape = [int(n) for n in shape]

    def as_json(self):
        """As TVM writes it."""
        return ["TENSOR", str(self.dtype), list(self.shape)]

    def __repr__(self):
        return f'TensorInfo("{self.dtype}", {self.shape})'

    __str__ = __repr__
