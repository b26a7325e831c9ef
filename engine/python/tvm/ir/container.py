"""Lists and dictionaries of nodes."""
import _loopscope as _core

from ..runtime.object import Object, register

ENV_FUNC_MARK = "__env_func__"      # the key by which the Map of an EnvFunc is known


class Values(list):
    """What the virtual machine gives for a tuple: to programs an Array, which holds arrays and numbers instead of nodes."""

    __slots__ = ()


class _ArrayClass(type):
    def __instancecheck__(cls, instance):
        return type.__instancecheck__(cls, instance) or type(instance) is Values


@register("Array")
class Array(Object, metaclass=_ArrayClass):
    """An immutable list."""

    __slots__ = ()

    def __new__(cls, values=()):
        return _core.convert(list(values))

    def __len__(self):
        return _core.array_len(self)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [_as_env_func(x) for x in _core.items(self)[index]]
        return _as_env_func(_core.array_get(self, index.__index__()))

    def __iter__(self):
        return iter([_as_env_func(x) for x in _core.items(self)])

    def __contains__(self, value):
        return any(bool(x == value) for x in self)

    def __add__(self, other):
        return _core.convert(_core.items(self) + list(other))

    def __radd__(self, other):
        return _core.convert(list(other) + _core.items(self))

    def __repr__(self):
        return "[" + ", ".join(f'"{x}"' if isinstance(x, str) else repr(x) for x in self) + "]"

    def __eq__(self, other):
        if isinstance(other, (list, tuple, Array)):
            return len(self) == len(other) and all(bool(a == b) for a, b in zip(self, other))
        return self.same_as(other)

    def __ne__(self, other):
        return not self.__eq__(other)

    __hash__ = Object.__hash__


def _as_target(value):
    """The target that an attribute holds; what is none stays."""
    if not isinstance(value, Map) or "__target__" not in value:
        return value
    from ..target import Target

    return Target.of_attribute(value)


def _as_env_func(value):
    """The registered function that a list or dictionary holds; what is none stays."""
    if not isinstance(value, Map) or ENV_FUNC_MARK not in _core.map_items(value):
        return value
    from .base import EnvFunc

    return _core.wrap_as(value, EnvFunc)


class Listed(list):
    """Keys or values of a map: a list that can be gone through by next(), too, as TVM's can."""

    def __next__(self):
        self._rest = getattr(self, "_rest", None) or iter(self)
        return next(self._rest)


@register("Map")
class Map(Object):
    """An immutable dictionary with text keys."""

    __slots__ = ()

    def __new__(cls, values=()):
        return _core.convert(dict(values))

    def _dict(self):
        items = _core.map_items(self)
        if "target" in items:
            items["target"] = _as_target(items["target"])
        for key, value in items.items():
            if isinstance(value, Map):
                items[key] = _as_env_func(value)
        return items

    def __getitem__(self, key):
        return self._dict()[key]

    def __contains__(self, key):
        return key in self._dict()

    def __iter__(self):
        return iter(self._dict())

    def __len__(self):
        return len(self._dict())

    def keys(self):
        """The keys."""
        return Listed(self._dict().keys())

    def values(self):
        """The values."""
        return Listed(self._dict().values())

    def items(self):
        """Pairs of key and value."""
        return list(self._dict().items())

    def get(self, key, default=None):
        """The value of a key, or the default."""
        return self._dict().get(key, default)

    def get_str(self, key):
        """A text value."""
        return self._dict()[key]

    def get_int(self, key):
        """A whole number."""
        return int(self._dict()[key])

    def __getattr__(self, name):
        values = self._dict()
        if name not in values:
            raise AttributeError(f"there is no attribute {name}")
        if name == "target" and values.get("kind") == "VDevice":
            from ..target import Target

            return Target(str(values[name]))
        return values[name]

    def __repr__(self):
        return "{" + ", ".join(f'"{k}": ' + (f'"{v}"' if isinstance(v, str) else repr(v)) for k, v in self.items()) + "}"


class CallAttrs(Map):
    """The attributes of a call: what is not given is None, which a node holds as the text "None"."""

    __slots__ = ()

    def _dict(self):
        return {key: None if isinstance(value, str) and value == "None" else value for key, value in super()._dict().items()}


class KeyedMap:
    """A dictionary whose keys are nodes: variables by identity."""

    type_key = "Map"

    @property
    def __class__(self):
        return Map

    def __init__(self, items):
        self._items = dict(items)

    def __getitem__(self, key):
        return self._items[key]

    def __contains__(self, key):
        return key in self._items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def get(self, key, default=None):
        """The value of a key, or another one."""
        return self._items.get(key, default)

    def items(self):
        """Pairs."""
        return list(self._items.items())

    def keys(self):
        """The keys."""
        return Listed(self._items)

    def values(self):
        """The values."""
        return Listed(self._items.values())

    def __repr__(self):
        return "{" + ", ".join(f"{key}: {value}" for key, value in self._items.items()) + "}"
