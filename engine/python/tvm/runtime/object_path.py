"""Paths to a part of an object: what structural comparison tells."""
import re

_STEP = re.compile(r'\.(?P<unknown><unknown attribute>)|\.(?P<attr>[A-Za-z_]\w*)|\[<missing element #(?P<gone>\d+)>\]'
                   r'|\[(?P<entry><missing entry>)\]|\[(?P<index>\d+)\]|\[')


class ObjectPath:
    """A way from a root: attributes, indices, keys.  Paths of one text are equal."""

    def __init__(self, parent=None, text="<root>"):
        self.parent, self._text = parent, text

    @staticmethod
    def root(root_name=None):
        """The whole object."""
        return RootPath(None, root_name or "<root>")

    @staticmethod
    def parse(text):
        """A path as structural comparison writes it."""
        head = text[:text.index(">") + 1] if text.startswith("<") else ""
        path, rest = ObjectPath.root(head or None), text[len(head):]
        while rest:
            path, rest = _next(path, rest)
        return path

    def attr(self, attr_key):
        """A field; None for one that has no name."""
        if attr_key is None:
            return UnknownAttributeAccessPath(self, ".<unknown attribute>")
        return AttributeAccessPath(self, f".{attr_key}")

    def attribute_access(self, attr_key):
        """A field."""
        return self.attr(attr_key)

    def array_index(self, index):
        """An item."""
        return ArrayIndexPath(self, f"[{int(index)}]")

    def missing_array_element(self, index):
        """An item that the other object has more."""
        return MissingArrayElementPath(self, f"[<missing element #{int(index)}>]")

    def map_value(self, key):
        """The value of a key."""
        return MapValuePath(self, f'["{key}"]' if isinstance(key, str) else f"[{key}]")

    def missing_map_entry(self):
        """A key that the other object has more."""
        return MissingMapEntryPath(self, "[<missing entry>]")

    def __len__(self):
        return 1 + (len(self.parent) if self.parent is not None else 0)

    def get_prefix(self, length):
        """The first steps."""
        if not 1 <= length <= len(self):
            raise IndexError(f"a path of {len(self)} steps begins with 1 to {len(self)} of them, not with {length}")
        path = self
        while len(path) > length:
            path = path.parent
        return path

    def is_prefix_of(self, other):
        """Does the other one begin so?"""
        return len(self) <= len(other) and other.get_prefix(len(self)) == self

    def __str__(self):
        return (str(self.parent) if self.parent is not None else "") + self._text

    __repr__ = __str__

    def __eq__(self, other):
        return isinstance(other, ObjectPath) and str(self) == str(other)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(str(self))


class RootPath(ObjectPath):
    """The whole object."""


class AttributeAccessPath(ObjectPath):
    """A field."""

    @property
    def attr_key(self):
        """Its name."""
        return self._text[1:]


class UnknownAttributeAccessPath(ObjectPath):
    """A field without a name."""


class ArrayIndexPath(ObjectPath):
    """An item."""

    @property
    def index(self):
        """Its place."""
        return int(self._text[1:-1])


class MissingArrayElementPath(ObjectPath):
    """An item that is not there."""


class MapValuePath(ObjectPath):
    """The value of a key."""


class MissingMapEntryPath(ObjectPath):
    """A key that is not there."""


class ObjectPathPair:
    """Places in two objects."""

    def __init__(self, lhs_path, rhs_path):
        self.lhs_path, self.rhs_path = lhs_path, rhs_path


def _closing(text):
    """The end of the key in brackets that a text begins with."""
    depth, quoted = 0, False
    for i, c in enumerate(text):
        if c == '"' and text[i - 1] != "\\":
            quoted = not quoted
        elif not quoted and c in "[]":
            depth += 1 if c == "[" else -1
            if depth == 0:
                return i + 1
    return len(text)


def _next(path, text):
    match = _STEP.match(text)
    if match is None:
        return ObjectPath(path, text), ""
    kind, rest = match.lastgroup, text[match.end():]
    if kind == "unknown":
        return path.attr(None), rest
    if kind == "attr":
        return path.attr(match["attr"]), rest
    if kind == "gone":
        return path.missing_array_element(match["gone"]), rest
    if kind == "entry":
        return path.missing_map_entry(), rest
    if kind == "index":
        return path.array_index(match["index"]), rest
    end = _closing(text)
    return MapValuePath(path, text[:end]), text[end:]
