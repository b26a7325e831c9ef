"""Nodes of Python's syntax with classes of our own: one for each of the module `ast`, with the same fields, so that what
reads scripts does not depend on the version of Python."""
import ast as _ast


class AST:
    """A node; its fields are attributes."""

    _FIELDS = []
    _ATTRIBUTES = ("lineno", "col_offset", "end_lineno", "end_col_offset")

    def __init__(self, *args, **fields):
        names = [name for name in self._FIELDS if name not in self._ATTRIBUTES]
        if len(args) > len(names):
            raise TypeError(f"{type(self).__name__} has {len(names)} fields; {len(args)} were given")
        for name in self._FIELDS:
            setattr(self, name, None)
        for name, value in list(zip(names, args)) + list(fields.items()):
            setattr(self, name, value)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in self._FIELDS if n not in self._ATTRIBUTES)})"


# How Python up to 3.8 told constants and subscripts apart.
_OLD = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice", "AugLoad", "AugStore", "Param", "Suite"}


def _make(kind):
    bases = tuple(_make(base) if base is not _ast.AST else AST for base in kind.__bases__ if issubclass(base, _ast.AST))
    known = globals().get(kind.__name__)
    if isinstance(known, type) and issubclass(known, AST):
        return known
    places = [name for name in AST._ATTRIBUTES if name in getattr(kind, "_attributes", ())]
    made = type(kind.__name__, bases, {"_FIELDS": list(kind._fields) + places, "__doc__": f"The node {kind.__name__}.", "__module__": __name__})
    globals()[kind.__name__] = made
    return made


for _kind in list(vars(_ast).values()):
    if isinstance(_kind, type) and issubclass(_kind, _ast.AST) and _kind is not _ast.AST and _kind.__name__ not in _OLD:
        _make(_kind)
