"""Nodes, spans and structural equality."""
import _loopscope as _core

from ..runtime.object import Object
from ..runtime.object_generic import convert


class Node(Object):
    """A node of the intermediate representation."""

    __slots__ = ()


class SourceName(Node):
    """Where a span points to."""

    __slots__ = ()


class Span:
    """A place in a source."""

    def __init__(self, source_name=None, line=0, end_line=0, column=0, end_column=0):
        self.source_name = source_name
        self.line = line
        self.end_line = end_line
        self.column = column
        self.end_column = end_column


class SequentialSpan(Span):
    """Several places."""


class EnvFunc(Object):
    """A registered function as an object."""

    __slots__ = ()


def structural_equal(lhs, rhs, map_free_vars=False):
    """Are two objects equal up to the names of bound variables?"""
    return _core.equal(lhs, rhs, map_free_vars) is True


def get_first_structural_mismatch(lhs, rhs, map_free_vars=False):
    """The paths to the first place that differs, or None."""
    found = _core.equal(lhs, rhs, map_free_vars)
    return None if found is True else found


def _head(value):
    return value if isinstance(value, str) else str(value)


def assert_structural_equal(lhs, rhs, map_free_vars=False):
    """Raises ValueError with both places unless two objects are structurally equal."""
    if not isinstance(lhs, _core.Node) and not isinstance(rhs, _core.Node) and lhs == rhs:
        return
    found = _core.equal(lhs, rhs, map_free_vars)
    if found is True:
        return
    raise ValueError(
        f"StructuralEqual check failed, caused by lhs at {found[0]}:\n{_head(lhs)}\nand rhs at {found[1]}:\n{_head(rhs)}"
    )


def structural_hash(node, map_free_vars=False):
    """A number that structurally equal objects share."""
    return _core.structural_hash(node)


def save_json(node):
    """A module or function as JSON."""
    import json

    return json.dumps({"format": "tvmscript", "script": node.script(show_meta=True), "kind": _core.kind(node)})


def load_json(json_str):
    """What save_json wrote."""
    import json

    from ..script import from_source

    data = json.loads(json_str)
    if data.get("format") != "tvmscript":
        raise ValueError("load_json reads what save_json of this engine wrote")
    return from_source(data["script"])


def deprecated(method_name, new_method_name):
    """Decorator that marks an old name."""
    return lambda func: func


__all__ = ["Node", "SourceName", "Span", "SequentialSpan", "EnvFunc", "structural_equal", "get_first_structural_mismatch", "assert_structural_equal",
           "structural_hash", "save_json", "load_json", "deprecated", "convert"]
