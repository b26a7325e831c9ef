"""Conversion between Python values and nodes."""
import _loopscope as _core

from .object import Object


class ObjectGeneric:
    """Something that can be turned into a node by `asobject`."""

    def asobject(self):
        """The node."""
        raise NotImplementedError


def convert(value, span=None):
    """A Python value as an object of the engine: numbers become constants, lists arrays, functions packed functions."""
    if callable(value) and not isinstance(value, (Object, ObjectGeneric)) and not hasattr(value, "asobject"):
        return value
    if isinstance(value, str):
        from .container import String

        return String(value)
    if isinstance(value, dict) and any(not isinstance(key, str) or (callable(item) and not isinstance(item, (Object, ObjectGeneric))) for key, item in value.items()):
        from ..ir.container import KeyedMap

        return KeyedMap({key: convert(item) for key, item in value.items()})
    if isinstance(value, _core.NDArray):
        return value
    if isinstance(value, (list, tuple)) and any(isinstance(item, _core.NDArray) or callable(item) for item in value):
        return [convert(item) for item in value]
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return const(value)
    return _core.convert(value)


convert_to_object = convert


def const(value, dtype=None, span=None):
    """A constant of a type; without one, of the type that the value suggests."""
    from ..tir.expr import const as tir_const

    return tir_const(value, dtype, span)
