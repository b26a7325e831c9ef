"""Attributes of functions and calls."""
import _loopscope as _core

from .container import Map


class Attrs(Map):
    """Attributes by name."""

    __slots__ = ()


class DictAttrs(Attrs):
    """Attributes of a function or module."""

    __slots__ = ()

    def __new__(cls, values=()):
        return _core.wrap_as(_core.convert(dict(values)), DictAttrs)


def as_attrs(value):
    """A Map as DictAttrs; None stays None."""
    return None if value is None else _core.wrap_as(value, DictAttrs)


def make_node(type_key, **kwargs):
    """A node of a registered class from its fields."""
    if type_key in ("DictAttrs", "ir.DictAttrs"):
        return DictAttrs(kwargs)
    raise ValueError(f"make_node does not make {type_key}")
