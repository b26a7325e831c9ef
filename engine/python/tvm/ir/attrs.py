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


def older_key(key):
    """"tir.X" for a key of attributes or options that is called "tirx.X" or "s_tir.X" since 2026."""
    return "tir." + key.partition(".")[2] if key.startswith(("tirx.", "s_tir.")) else key


def as_attrs(value):
    """A Map as DictAttrs; None stays None."""
    return None if value is None else _core.wrap_as(value, DictAttrs)


def _test_attrs(given):
    """The attributes of the operator that only tests know: axis in [1, 10], name, padding."""
    from ..error import TVMError  # noqa: F401

    known = {"axis": 10, "name": "", "padding": [0, 0], "func": None}
    for key, value in given.items():
        if key not in known:
            raise AttributeError(f"attrs.TestAttrs: there is no field {key}; there are axis, name, padding and func")
        known[key] = value
    if not 1 <= int(known["axis"]) <= 10:
        raise AttributeError(f"attrs.TestAttrs.axis: {known['axis']} is not in [1, 10]")
    return DictAttrs({key: value for key, value in known.items() if value is not None})


def make_node(type_key, **kwargs):
    """A node of a registered class from its fields; attributes that are None are left out."""
    kwargs.pop("span", None)
    name = type_key.rpartition(".")[2]
    if name == "DictAttrs":
        return DictAttrs({key: value for key, value in kwargs.items() if value is not None})
    if name == "TestAttrs":
        return _test_attrs(kwargs)
    if name == "Tensor":
        return kwargs["op"].output(int(kwargs["value_index"]))
    if name == "MemoryInfo":
        from ..target.memory_info import MemoryInfo

        return MemoryInfo(**kwargs)
    from .. import tir

    made = getattr(tir, name, None)
    if made is not None:
        return made(**{k: str(v) if k == "dtype" else v for k, v in kwargs.items()})
    raise ValueError(f"make_node does not make {type_key}")
