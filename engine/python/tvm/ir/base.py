"""Nodes, spans and structural equality."""
import _loopscope as _core

from ..runtime.object import Object
from ..runtime.object_generic import convert
from ..runtime.object_path import ArrayIndexPath, AttributeAccessPath, MapValuePath, ObjectPath


class Node(Object):
    """A node of the intermediate representation."""

    __slots__ = ()

    @property
    def span(self):
        """Where it came from: known of expressions only."""
        return None


class SourceName:
    """The name of the source that a span points into."""

    def __init__(self, name):
        if not isinstance(name, str):
            raise TypeError(f"the name of a source is a text, not {name!r}")
        self.name = name

    def __eq__(self, other):
        return isinstance(other, SourceName) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name


class Span:
    """A place in a source."""

    def __init__(self, source_name=None, line=0, end_line=0, column=0, end_column=0):
        self.source_name = source_name
        self.line = line
        self.end_line = end_line
        self.column = column
        self.end_column = end_column


class SequentialSpan(Span):
    """Several places, one after another; as a span, from where the first begins to where the last ends."""

    def __init__(self, spans):
        self.spans = [part for span in spans for part in (span.spans if isinstance(span, SequentialSpan) else [span])]
        if not self.spans:
            raise ValueError("a sequence of spans has at least one")
        first, last = self.spans[0], self.spans[-1]
        super().__init__(first.source_name, first.line, last.end_line, first.column, last.end_column)


class EnvFunc(Object):
    """A registered function as an object: a Map with its name."""

    __slots__ = ()

    @staticmethod
    def get(name):
        """The function of a name."""
        from ..runtime._registry import get_global_func

        if get_global_func(name, True) is None:
            raise ValueError(f"there is no function {name} in the registry")
        from .container import ENV_FUNC_MARK

        return _core.wrap_as(_core.convert({"name": name, ENV_FUNC_MARK: True}), EnvFunc)

    @property
    def name(self):
        """The name in the registry."""
        return _core.map_items(self)["name"]

    @property
    def func(self):
        """The function."""
        from ..runtime._registry import get_global_func

        return get_global_func(str(self.name))

    def __call__(self, *args):
        return self.func(*args)

    def __repr__(self):
        return f"EnvFunc({self.name})"


def structural_equal(lhs, rhs, map_free_vars=False):
    """Are two objects equal up to the names of bound variables?"""
    if lhs is rhs:
        return True
    return _core.equal(_plain(lhs), _plain(rhs), map_free_vars) is True


def _plain(value):
    """Arrays of numbers as nodes, alone and in lists and dictionaries; A[i] of te and x == y as the expressions that they stand for."""
    if hasattr(value, "_copy_from"):
        return _core.tensor(str(value.dtype), list(value.shape), value.numpy().tobytes())
    if isinstance(value, (list, tuple)):
        return [_plain(x) for x in value]
    if isinstance(value, dict):
        return {k: _plain(x) for k, x in value.items()}
    return value.asobject() if hasattr(value, "asobject") and not isinstance(value, _core.Node) else value


def get_first_structural_mismatch(lhs, rhs, map_free_vars=False):
    """The paths to the first place that differs, or None."""
    found = _core.equal(_plain(lhs), _plain(rhs), map_free_vars)
    return None if found is True else tuple(_place(ObjectPath.parse(path)) for path in found)


def _place(path):
    """The path; of a number in a container that stands for itself, such as convert([1, 2]), that of the number."""
    if not isinstance(path, AttributeAccessPath) or str(path) != f"{path.parent}.value":
        return path
    step = path.parent
    while isinstance(step, (ArrayIndexPath, MapValuePath)):
        step = step.parent
    return path.parent if step.parent is None and step is not path.parent else path


def _head(value, path):
    """An object in words, without shorthands, the place underlined."""
    if hasattr(value, "script") and not isinstance(value, str):
        return value.script(path_to_underline=[ObjectPath.parse(path)], syntax_sugar=False)
    return str(value)


def assert_structural_equal(lhs, rhs, map_free_vars=False):
    """Raises ValueError with both places unless two objects are structurally equal.  Its text names the exception, as TVM's does:
    programs look for it there."""
    left, right = _plain(lhs), _plain(rhs)
    same = lhs is rhs or not isinstance(left, (_core.Node, list, dict)) and type(left) is type(right) and left == right
    found = same or _core.equal(left, right, map_free_vars)
    if found is True:
        return
    problem = ValueError(
        f"ValueError: StructuralEqual check failed, caused by lhs at {found[0]}:\n{_head(lhs, found[0])}\nand rhs at {found[1]}:\n{_head(rhs, found[1])}"
    )
    problem.sides = (lhs, rhs)
    raise problem


def structural_hash(node, map_free_vars=False):
    """A number that structurally equal objects share."""
    return _core.structural_hash(_plain(node), map_free_vars)


def _to_text(value):
    """Numbers that JSON does not have, and bytes, as texts."""
    import base64

    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return {"float": str(value)}
    return value


def _from_text(value):
    import base64

    if isinstance(value, dict):
        return base64.b64decode(value["bytes"]) if "bytes" in value else float(value["float"])
    return value


def save_json(node):
    """Any object of the engine as JSON: in TVM's form where it has one (see json_graph), else as a list of nodes with their kind, type and fields."""
    import json

    from ..runtime.module import Module
    from . import json_graph
    from .container import KeyedMap

    if isinstance(node, Module):
        return json.dumps({"format": "module", "attrs": {"tvm_version": "0.20.0"}, "module": node.to_state()})
    form = "array" if hasattr(node, "_copy_from") else "pairs" if isinstance(node, KeyedMap) else "function" if isinstance(node, EnvFunc) else "node"
    graph = _core.to_graph(_core.convert([x for pair in node.items() for x in pair]) if form == "pairs" else _plain(node))
    if form == "node":
        try:
            return json_graph.write(graph)
        except json_graph.NotRepresented:
            pass
    nodes = [[kind, dtype, [_to_text(v) for v in payload]] for kind, dtype, payload in graph]
    return json.dumps({"format": "nodes", "attrs": {"tvm_version": "0.20.0"}, "form": form, "nodes": nodes})


def load_json(json_str):
    """What save_json wrote, here or in TVM."""
    import json

    from ..error import _reading

    with _reading("load_json"):
        data = json.loads(json_str)
        if not isinstance(data, dict):
            raise ValueError("it is no JSON object")
        if _holds_relax(data):
            saved = _core.load_saved(json_str)
            return saved if data["nodes"][data["root"]]["type_key"] == "IRModule" else list(saved.functions.values())[0]
        return _from_json(data)


def _holds_relax(data):
    """Is it a module or a function of Relax in TVM's own form?"""
    nodes = data.get("nodes") if "root" in data else None
    return isinstance(nodes, list) and any(isinstance(node, dict) and node.get("type_key") == "relax.expr.Function" for node in nodes)


def _from_json(data):
    from ..script import from_source
    from . import json_graph

    if isinstance(data, dict) and "root" in data:
        return _core.from_graph(json_graph.read(data))
    if data.get("format") == "tvmscript":
        return from_source(data["script"])
    if data.get("format") == "module":
        from ..runtime.module import source_module

        return source_module(*data["module"])
    if data.get("format") != "nodes":
        raise ValueError("load_json reads what save_json wrote")
    result = _core.from_graph([(kind, dtype, [_from_text(v) for v in payload]) for kind, dtype, payload in data["nodes"]])
    if data.get("form") == "pairs":
        from .container import KeyedMap

        parts = list(result)
        return KeyedMap(zip(parts[::2], parts[1::2]))
    if data.get("form") == "function":
        return _core.wrap_as(result, EnvFunc)
    if _core.kind(result) == "Map" and "__target__" in result:
        from ..target import Target

        return Target.of_attribute(result)
    return _as_array(result) if data.get("form") == "array" or data.get("array") else result


def _as_array(tensor):
    """An NDArray with the numbers of a node."""
    import numpy as np

    from ..runtime.ndarray import array

    (dtype, shape, data) = _core.to_graph(tensor)[-1][2]
    extents = [int(n) for n in _core.items(_core.from_graph(_core.to_graph(tensor)[:shape + 1]))]
    return array(np.frombuffer(data, dtype).reshape(extents))


def deprecated(method_name, new_method_name):
    """Decorator that marks an old name."""
    return lambda func: func


__all__ = ["Node", "SourceName", "Span", "SequentialSpan", "EnvFunc", "structural_equal", "get_first_structural_mismatch", "assert_structural_equal",
           "structural_hash", "save_json", "load_json", "deprecated", "convert"]
