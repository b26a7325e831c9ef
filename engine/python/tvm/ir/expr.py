"""Expressions of all levels."""
from enum import IntEnum

import _loopscope as _core

from ..runtime.object import register
from ..runtime.script_printer import Scriptable
from .attrs import as_attrs, older_key as _older
from .base import Node


class CallingConv(IntEnum):
    """How a compiled function is called."""

    DEFAULT = 0
    C_PACKED_FUNC = 1
    DEVICE_KERNEL_LAUNCH = 2


class BaseExpr(Node):
    """Any expression."""

    __slots__ = ()

    @property
    def span(self):
        """The line that it came from, or None."""
        from .base import Span

        line = _core.line(self)
        return Span(None, line, line) if line else None


class PrimExpr(BaseExpr):
    """An expression over numbers."""

    __slots__ = ()


class RelaxExpr(BaseExpr):
    """An expression over tensors."""

    __slots__ = ()


RelayExpr = RelaxExpr


@register("GlobalVar")
class GlobalVar(RelaxExpr, Scriptable):
    """The name of a function of a module."""

    __slots__ = ()

    def __new__(cls, name_hint):
        return _core.make("GlobalVar", name_hint, None)

    @property
    def struct_info_(self):
        """What is known of the function, or None."""
        return _core.field(self, "struct_info_")

    @property
    def struct_info(self):
        """What is known of the function."""
        info = self.struct_info_
        if info is None:
            raise ValueError("The struct_info is not populated, check if you have normalized the expr")
        return info

    def __call__(self, *args):
        from ..tir import PrimExpr as _prim
        from ..tir import call_tir

        if all(isinstance(x, (int, float, _prim)) for x in args):
            return call_tir(self, *args)
        from .. import relax

        return relax.Call(self, list(args))

    def astext(self, show_meta_data=True):
        """The name as text."""
        return repr(self)


@register("Range")
class Range(Node):
    """The numbers from min up to min + extent."""

    __slots__ = ()

    def __new__(cls, begin, end=None, span=None):
        if end is None:
            zero = _core.const(begin.dtype, 0) if hasattr(begin, "dtype") else 0
            return _core.make("Range", zero, begin)
        extent = _core.binary("Sub", end, begin)
        if not isinstance(begin, (int, float)) or not isinstance(end, (int, float)):
            from ..arith import Analyzer

            extent = Analyzer().simplify(extent)
        return _core.make("Range", begin, extent)

    @staticmethod
    def from_min_extent(min_value, extent, span=None):
        """From the first number and how many there are."""
        return _core.make("Range", min_value, extent)

    def __eq__(self, other):
        return isinstance(other, Range) and _core.equal(self, other, False) is True

    def __ne__(self, other):
        return not self == other

    __hash__ = Node.__hash__


class BaseFunc(RelaxExpr):
    """A function of a module."""

    __slots__ = ()

    @property
    def attrs(self):
        """The attributes."""
        return as_attrs(_core.field(self, "attrs"))

    def with_attr(self, attr_key_or_dict, attr_value=None):
        """A copy with attributes added or replaced."""
        values = attr_key_or_dict if isinstance(attr_key_or_dict, dict) else {attr_key_or_dict: attr_value}
        attrs = dict(_core.map_items(_core.field(self, "attrs")))
        attrs.update({_older(key): value for key, value in values.items()})
        return _core.with_field(self, "attrs", attrs)

    def with_attrs(self, attr_map):
        """A copy with these attributes and no others."""
        return _core.with_field(self, "attrs", dict(attr_map) if attr_map is not None else {})

    def without_attr(self, attr_key):
        """A copy without an attribute."""
        attrs = dict(_core.map_items(_core.field(self, "attrs")))
        attrs.pop(_older(attr_key), None)
        return _core.with_field(self, "attrs", attrs)
