"""Functions, index maps and intrinsics for tensors."""
import collections

import _loopscope as _core

from ..ir.expr import BaseFunc, Range
from ..ir.base import Node
from ..ir.container import Map
from ..runtime.object import Object, register
from ..runtime.script_printer import Scriptable


@register("PrimFunc")
class PrimFunc(BaseFunc, Scriptable):
    """A function of TensorIR."""

    __slots__ = ()

    def __new__(cls, params, body, ret_type=None, buffer_map=None, attrs=None, span=None):
        from .buffer import Buffer
        from .expr import Var

        chosen, buffers = [], []
        given = {}
        for var, buf in (buffer_map or {}).items():
            given[_core.address(var)] = buf
        for param in params:
            param = param.asobject() if hasattr(param, "asobject") and not isinstance(param, (Buffer, Var)) else param
            if isinstance(param, Buffer):
                var = Var(param.name, "handle")
                chosen.append(var)
                buffers.append(param)
            elif isinstance(param, Var):
                chosen.append(param)
                buffers.append(given.get(_core.address(param)))
            else:
                raise TypeError("params can only contain Var or Buffer")
        return _core.prim_func(chosen, body, ret_type, buffers, attrs)

    @property
    def buffer_map(self):
        """A dictionary from parameter to buffer."""
        pairs = zip(_core.items(_core.field(self, "params")), _core.items(_core.field(self, "buffer_map")))
        return _ByVar((v, b) for v, b in pairs if b is not None)

    @property
    def __name__(self):
        """The name that it has in a module."""
        name = (self.attrs or {}).get("global_symbol")
        if name is None:
            raise AttributeError("a private function has no name of its own")
        return str(name)

    @property
    def struct_info(self):
        """What Relax knows of the function."""
        from .. import relax

        return relax.analysis.prim_func_struct_info(self)

    def with_body(self, new_body, span=None):
        """A copy with another body."""
        return _core.with_field(self, "body", new_body)

    def specialize(self, param_map):
        """A copy with parameters replaced by constants or buffers of known shape."""
        from .specialize import specialize

        return specialize(self, param_map)

    def __call__(self, *args):
        """Compiles the function for this machine and runs it."""
        from ..driver import build

        return build(self, "llvm").entry_func(*args)

    def __repr__(self):
        return self.script()


class _ByVar(collections.OrderedDict):
    """A dictionary by variable; two wrappers of one variable are the same key."""

    def items(self):
        """Pairs."""
        return list(super().items())

    def __missing__(self, key):
        for k, v in super().items():
            if k.same_as(key):
                return v
        raise KeyError(key)


class TensorIntrin:
    """What a hardware instruction computes and how it is called, by name."""

    def __init__(self, name, desc, impl):
        self.name, self.desc, self.impl = name, desc, impl

    @staticmethod
    def register(name, desc, impl, override=False):
        """Makes an intrinsic known to schedules."""
        _core.register_tensor_intrin(name, desc, impl, override)
        return TensorIntrin(name, desc, impl)

    @staticmethod
    def get(name, allow_missing=False):
        """The intrinsic of a name."""
        found = _core.tensor_intrin(name)
        if found is None:
            if allow_missing:
                return None
            raise ValueError(f"TensorIntrin '{name}' is not registered")
        return TensorIntrin(name, *found)


@register("IndexMap")
class IndexMap(Object):
    """A map from indices to indices."""

    __slots__ = ()
    AXIS_SEPARATOR = "axis_separator"

    def __new__(cls, initial_indices, final_indices, inverse_index_map=None):
        if callable(inverse_index_map):
            inverse_index_map = IndexMap.from_func(inverse_index_map)
        return _core.make("IndexMap", initial_indices, final_indices, inverse_index_map)

    @staticmethod
    def from_func(mapping_function, ndim=None, inverse_index_map=None, *, index_dtype="int64"):
        """From a Python function over variables."""
        index_map, separators = IndexMap.from_func_with_separators(mapping_function, ndim, inverse_index_map, index_dtype=index_dtype)
        if separators:
            raise AssertionError("The mapping_function provided to IndexMap.from_func may not return IndexMap.AXIS_SEPARATOR.  "
                                 "If required, please use IndexMap.from_func_with_separators instead.")
        return index_map

    @staticmethod
    def from_func_with_separators(mapping_function, ndim=None, inverse_index_map=None, *, index_dtype="int64"):
        """The map and the places of axis separators."""
        import inspect
        from .expr import Var

        params = inspect.signature(mapping_function).parameters
        args = []
        kwargs = {}
        rest = None
        for name, param in params.items():
            if param.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
                args.append(Var(name, index_dtype))
            elif param.kind == inspect.Parameter.VAR_POSITIONAL:
                rest = name
            elif param.kind == inspect.Parameter.KEYWORD_ONLY:
                kwargs[name] = Var(name, index_dtype)
            else:
                raise ValueError("transform_layout mapping may not have **kwargs")
        if rest is not None:
            if ndim is None:
                raise ValueError("mapping_function takes any number of indices; say how many by ndim")
            args += [Var(f"{rest}_{i}", index_dtype) for i in range(ndim - len(args) - len(kwargs))]
        mapping = mapping_function(*args, **kwargs)
        if not isinstance(mapping, (tuple, list)):
            mapping = [mapping]
        final, separators = [], []
        for value in mapping:
            if isinstance(value, str) and value == IndexMap.AXIS_SEPARATOR:
                separators.append(len(final))
            else:
                final.append(value)
        inverse = IndexMap.from_func(inverse_index_map, index_dtype=index_dtype) if callable(inverse_index_map) else inverse_index_map
        return IndexMap(args + list(kwargs.values()), final, inverse), separators

    def is_equivalent_to(self, other_map):
        """Does it map the same?"""
        return _core.map_equivalent(self, other_map)

    def map_indices(self, indices, analyzer=None):
        """The final indices for initial ones."""
        return _core.map_indices(self, list(indices))

    def map_ranges(self, ranges):
        """The ranges of the final indices."""
        return _core.map_ranges(self, list(ranges))

    def map_shape(self, shape):
        """The shape of a buffer after the map."""
        return _core.map_shape(self, list(shape))

    def map_ndarray(self, arr_src):
        """The elements of an array in their new places."""
        import numpy as np

        from ..runtime.ndarray import array

        src = arr_src.numpy() if hasattr(arr_src, "numpy") else np.asarray(arr_src)
        shape = [int(x) for x in self.map_shape(list(src.shape))]
        dst = np.zeros(shape, src.dtype)
        for index in np.ndindex(*src.shape):
            dst[tuple(int(x) for x in self.map_indices(list(index)))] = src[index]
        return array(dst)

    def inverse(self, shape):
        """The map back, for a shape."""
        return _core.map_inverse(self, _ranges(shape))

    def non_surjective_inverse(self, shape):
        """The map back and where it reaches beyond the shape."""
        return _core.map_non_surjective_inverse(self, _ranges(shape))

    def __repr__(self):
        return f"T.index_map({_core.map_to_python(self)})"


def _ranges(shape):
    return [x if isinstance(x, Range) else Range(0, x) for x in shape]


__all__ = ["PrimFunc", "TensorIntrin", "IndexMap", "Node", "Map"]
