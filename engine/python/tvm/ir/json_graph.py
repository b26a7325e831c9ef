"""Nodes as TVM writes them: SaveJSON and LoadJSON of TVM 0.20.

A node is {"type_key", "repr_str", "attrs", "keys", "data"}, nodes name each other by their place in the list, number 0 stands for none, and arrays of
numbers lie in "b64ndarrays".  _ROWS says what a kind of node holds, in the order of the engine's own fields; what the engine does not have (spans,
checked types) is written as none and passed over when it is read.  Every field is checked when it is read, so that a damaged file gives an error.
Limits: TensorIR, modules of it, containers, constants of Relax with their struct info; other nodes have no form here (NotRepresented).
"""
import base64
import contextlib
import json
import struct
import sys


class NotRepresented(Exception):
    """There is a node without a form in TVM's JSON."""


# Codes of fields: s text as an object, d type of elements, i number, f decimal, E expression, S statement, V variable, B buffer, R range, X iteration
# variable, M map, T type, N array of numbers, O anything; "?" behind: may be none; "*" before: a list of these.
_BINARY = ("Add", "Sub", "Mul", "Div", "Mod", "FloorDiv", "FloorMod", "Min", "Max", "EQ", "NE", "LT", "LE", "GT", "GE", "And", "Or")
_ROWS = {
    "PrimType": ("PrimType", "dtype:d"), "PointerType": ("PointerType", "element_type:T storage_scope:s"), "TupleType": ("TupleType", "fields:*T"),
    "Range": ("Range", "min:E extent:E"), "GlobalVar": ("GlobalVar", "name_hint:s"),
    "Var": ("tir.Var", "name:s type_annotation:T"), "SizeVar": ("tir.SizeVar", "name:s type_annotation:T"),
    "IntImm": ("IntImm", "value:i"), "FloatImm": ("FloatImm", "value:f"), "StringImm": ("tir.StringImm", "value:s"), "Cast": ("tir.Cast", "value:E"),
    **{kind: ("tir." + kind, "a:E b:E") for kind in _BINARY},
    "Not": ("tir.Not", "a:E"), "Select": ("tir.Select", "condition:E true_value:E false_value:E"), "Ramp": ("tir.Ramp", "base:E stride:E lanes:E"),
    "Broadcast": ("tir.Broadcast", "value:E lanes:E"), "Let": ("tir.Let", "value:E var:V body:E"), "Call": ("tir.Call", "op:O args:*E"),
    "Shuffle": ("tir.Shuffle", "vectors:*E indices:*E"), "IterVar": ("tir.IterVar", "dom:R? var:V iter_type:i thread_tag:s"),
    "Buffer": ("tir.Buffer", "data:V dtype:d shape:*E strides:*E axis_separators:*E elem_offset:E name:s data_alignment:i offset_factor:i buffer_type:i"),
    "BufferRegion": ("tir.BufferRegion", "buffer:B region:*R"), "MatchBufferRegion": ("tir.MatchBufferRegion", "buffer:B source:O"),
    "BufferLoad": ("tir.BufferLoad", "buffer:B indices:*E predicate:E?"), "CommReducer": ("tir.CommReducer", "lhs:*V rhs:*V result:*E identity_element:*E"),
    "Reduce": ("tir.Reduce", "axis:*X combiner:O source:*E init:*E condition:E value_index:i"),
    "LetStmt": ("tir.LetStmt", "value:E var:V body:S"), "AttrStmt": ("tir.AttrStmt", "node:O? attr_key:s value:E body:S"),
    "AssertStmt": ("tir.AssertStmt", "condition:E message:E body:S"), "BufferStore": ("tir.BufferStore", "buffer:B value:E indices:*E predicate:E?"),
    "BufferRealize": ("tir.BufferRealize", "buffer:B bounds:*R condition:E body:S"),
    "Allocate": ("tir.Allocate", "buffer_var:V dtype:d extents:*E condition:E body:S annotations:M"),
    "AllocateConst": ("tir.AllocateConst", "buffer_var:V data:N dtype:d extents:*E body:S annotations:M"),
    "DeclBuffer": ("tir.DeclBuffer", "buffer:B body:S"), "SeqStmt": ("tir.SeqStmt", "seq:*S"),
    "IfThenElse": ("tir.IfThenElse", "condition:E then_case:S else_case:S?"), "Evaluate": ("tir.Evaluate", "value:E"),
    "For": ("tir.For", "loop_var:V min:E extent:E kind:i thread_binding:X? annotations:M body:S"), "While": ("tir.While", "condition:E body:S"),
    "Block": ("tir.Block", "iter_vars:*X alloc_buffers:*B match_buffers:*O reads:*O writes:*O name_hint:s annotations:M init:S? body:S"),
    "BlockRealize": ("tir.BlockRealize", "iter_values:*E predicate:E block:O"),
    "PrimFunc": ("tir.PrimFunc", "params:*V buffer_map:*B? ret_type:T attrs:M? body:S"), "Module": ("IRModule", "global_vars:*O functions:*O attrs:M? global_infos:M?"),
    "IndexMap": ("tir.IndexMap", "initial_indices:*V final_indices:*E inverse_index_map:O?"),
    "ShapeExpr": ("relax.expr.ShapeExpr", "values:*E"), "Constant": ("relax.expr.Constant", "data:N struct_info_:O"),
    "TensorStructInfo": ("relax.TensorStructInfo", "shape:O? ndim:i dtype:d vdevice:O?"),
    "DTensorStructInfo": ("relax.DTensorStructInfo", "tensor_sinfo:O device_mesh:O placement:O"),
    "Placement": ("relax.distributed.Placement", "dim_specs:*O"), "PlacementSpec": ("relax.distributed.PlacementSpec", "axis:i kind:i"),
}
_EXPRS = {"Var", "SizeVar", "IntImm", "FloatImm", "StringImm", "Cast", *_BINARY, "Not", "Select", "Ramp", "Broadcast", "Let", "Call", "Shuffle", "BufferLoad",
          "Reduce"}
_STMTS = {kind for kind in _ROWS if kind.endswith("Stmt")} | {"BufferStore", "BufferRealize", "Allocate", "AllocateConst", "DeclBuffer", "IfThenElse",
                                                             "Evaluate", "For", "While", "BlockRealize"}
_KINDS = {"E": _EXPRS, "S": _STMTS, "V": {"Var", "SizeVar"}, "B": {"Buffer"}, "R": {"Range"}, "X": {"IterVar"}, "M": {"Map"}, "N": {"Tensor"},
          "T": {"PrimType", "PointerType", "TupleType"}}
# What TVM's classes have besides; written as none.
_MORE = {"GlobalVar": ("_checked_type_", "struct_info_"), "PrimFunc": ("_checked_type_", "struct_info_"), "ShapeExpr": ("_checked_type_", "struct_info_"),
         "Constant": ("_checked_type_",)}
_OF_KEY = {key: kind for kind, (key, _) in _ROWS.items()}
_MAGIC = 0xDD5E40F096B4A13F
_DL_CODES = {"int": 0, "uint": 1, "float": 2, "bfloat": 4}
_ANY = {"MatchBufferRegion.source": {"BufferRegion"}, "Block.match_buffers": {"MatchBufferRegion"}, "Block.reads": {"BufferRegion"}, "Block.writes": {"BufferRegion"},
        "BlockRealize.block": {"Block"}, "Reduce.combiner": {"CommReducer"}, "Module.global_vars": {"GlobalVar"}, "Module.functions": {"PrimFunc"},
        "Call.op": {"Op", "GlobalVar"}, "IndexMap.inverse_index_map": {"IndexMap"}, "TensorStructInfo.shape": {"ShapeExpr"}, "TensorStructInfo.vdevice": set(),
        "Constant.struct_info_": {"TensorStructInfo", "DTensorStructInfo"}, "DTensorStructInfo.tensor_sinfo": {"TensorStructInfo"},
        "DTensorStructInfo.device_mesh": {"DeviceMesh"}, "DTensorStructInfo.placement": {"Placement"}, "Placement.dim_specs": {"PlacementSpec"}}


@contextlib.contextmanager
def _deep():
    """Long chains of expressions are walked by calls within calls."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 200000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _fields(kind):
    return [part.split(":") for part in _ROWS[kind][1].split()]


# ---- writing -------------------------------------------------------------------------------


class _Writer:
    def __init__(self, graph):
        self.graph = graph
        self.nodes, self.arrays, self.known = [{"type_key": ""}], [], {}

    def fresh(self, type_key, **more):
        node = {"type_key": type_key, **more}
        self.nodes.append(node)
        return len(self.nodes) - 1, node

    def text(self, value):
        if value is None:
            return 0
        number, node = self.fresh("runtime.String")
        if value:
            node["repr_str"] = value
        return number

    def items(self, numbers):
        number, node = self.fresh("Array")
        data = [self.node(x) for x in numbers]
        if data:
            node["data"] = data
        return number

    def table(self, keys, values, texts=True):
        """A Map; keys are texts or places of nodes."""
        number, node = self.fresh("Map")
        if texts:
            if keys:
                node["keys"] = list(keys)
                node["data"] = [self.node(x) for x in values]
        elif keys:
            node["data"] = [place for pair in zip(keys, values) for place in (self.node(pair[0]), self.node(pair[1]))]
        return number

    def attributes(self, at):
        number, node = self.fresh("DictAttrs")
        node["attrs"] = {"__dict__": str(self.node(at) if at >= 0 else self.table([], []))}
        return number

    def array(self, at):
        dtype, shape, data = self.graph[at][2]
        bits = int("".join(c for c in dtype if c.isdigit()) or 8)
        name = "".join(c for c in dtype.split("x")[0] if c.isalpha())
        if name not in _DL_CODES and dtype != "bool":
            raise NotRepresented(dtype)
        code, bits = (1, 1) if dtype == "bool" else (_DL_CODES[name], bits)
        extents = [self.graph[x][2][0] for x in self.graph[shape][2]]
        head = struct.pack("<QQiiiBBH", _MAGIC, 0, 1, 0, len(extents), code, bits, 1) + struct.pack(f"<{len(extents)}q", *extents)
        self.arrays.append(base64.b64encode(head + struct.pack("<q", len(data)) + data).decode())
        return len(self.arrays) - 1

    def node(self, at):
        if at < 0:
            return 0
        if at in self.known:
            return self.known[at]
        kind, dtype, payload = self.graph[at]
        special = {"Array": self._array, "Map": self._map, "String": self._string, "Op": self._op, "Module": self._module, "Tensor": self._tensor}
        if kind in special:
            return special[kind](at, payload)
        if kind not in _ROWS:
            raise NotRepresented(kind)
        number, node = self.fresh(_ROWS[kind][0])
        self.known[at] = number
        attrs = {"dtype": dtype} if kind in _EXPRS else {}
        for (name, code), value in zip(_fields(kind), payload):
            attrs[name] = self._value(kind, name, code, value, payload)
        attrs.update(dict.fromkeys(_MORE.get(kind, ()), "0"))
        attrs["span"] = "0"
        if kind == "AllocateConst":
            attrs["irmod_storage_idx"] = "0"
        node["attrs"] = dict(sorted(attrs.items()))
        return number

    def _value(self, kind, name, code, value, payload):
        if code == "s":
            return str(self.text(value))
        if code == "d":
            return value or "void"
        if code == "f":
            return format(float(value) if not isinstance(value, str) else float(value), ".17g")
        if code == "i":
            return str(value)
        if code == "N":
            return str(self.array(value))
        if (kind, name) == ("PrimFunc", "buffer_map"):
            pairs = [(p, b) for p, b in zip(self.graph[payload[0]][2], self.graph[value][2]) if b >= 0]
            return str(self.table([p for p, _ in pairs], [b for _, b in pairs], texts=False))
        if (kind, name) == ("PrimFunc", "attrs"):
            return str(self.attributes(value))
        return str(self.node(value))

    def _array(self, at, payload):
        self.known[at] = number = len(self.nodes)
        self.items(payload)
        return number

    def _map(self, at, payload):
        if "__target__" in payload[0::2]:
            raise NotRepresented("Target")
        if "__env_func__" in payload[0::2]:
            raise NotRepresented("EnvFunc")
        self.known[at] = number = len(self.nodes)
        self.table(payload[0::2], payload[1::2])
        return number

    def _string(self, at, payload):
        self.known[at] = self.text(payload[0] or "")
        return self.known[at]

    def _op(self, at, payload):
        self.known[at] = self.fresh("Op", repr_str=payload[0])[0]
        return self.known[at]

    def _tensor(self, at, payload):
        raise NotRepresented("Tensor")

    def _module(self, at, payload):
        number, node = self.fresh("IRModule")
        self.known[at] = number
        names, functions = self.graph[payload[0]][2], self.graph[payload[1]][2]
        attrs = {"functions": str(self.table(names, functions, texts=False)),
                 "global_var_map_": str(self.table([self.graph[x][2][0] for x in names], names))}
        source, inner = self.fresh("SourceMap")
        inner["attrs"] = {"source_map": str(self.table([], []))}
        attrs["source_map"] = str(source)
        attrs["attrs"] = str(self.attributes(payload[2]))
        attrs["global_infos"] = str(self.node(payload[3]) if payload[3] >= 0 else self.table([], []))
        node["attrs"] = dict(sorted(attrs.items()))
        return number


def _layout(value, depth=0):
    """JSON as TVM spaces it: one entry a line, short lists of numbers and single entries in one."""
    pad = "  " * (depth + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(k)}: {_layout(v, depth + 1)}" for k, v in value.items()]
        wide = len(value) > 1 or "type_key" in value
        return "{" + (f"\n{pad}" + f", \n{pad}".join(parts) + "\n" + "  " * depth if wide and parts else ", ".join(parts)) + "}"
    if isinstance(value, list):
        parts = [_layout(v, depth + 1) for v in value]
        wide = len(value) > 10 or any(not isinstance(v, int) for v in value)
        return "[" + (f"\n{pad}" + f", \n{pad}".join(parts) + "\n" + "  " * depth if wide and parts else ", ".join(parts)) + "]"
    return json.dumps(value, ensure_ascii=False)


def write(graph):
    """TVM's JSON of what _core.to_graph gave."""
    writer = _Writer(graph)
    with _deep():
        root = writer.node(len(graph) - 1)
    return _layout({"root": root, "nodes": writer.nodes, "b64ndarrays": writer.arrays, "attrs": {"tvm_version": "0.20.0"}})


# ---- reading -------------------------------------------------------------------------------


class _Reader:
    def __init__(self, data):
        self.nodes, self.arrays = data["nodes"], data.get("b64ndarrays", [])
        self.graph, self.known, self.open = [], {}, set()

    def add(self, kind, dtype, payload):
        self.graph.append((kind, dtype, payload))
        return len(self.graph) - 1

    def kind_at(self, at):
        return self.graph[at][0]

    def entry(self, number):
        if not 0 < number < len(self.nodes):
            raise ValueError(f"there is no node {number}")
        return self.nodes[number]

    def node(self, number):
        """The place in the graph; -1: none."""
        number = int(number)
        if number == 0:
            return -1
        if number in self.known:
            return self.known[number]
        if number in self.open:
            raise ValueError(f"node {number} is made of itself")
        self.open.add(number)
        made = self._read(self.entry(number))
        self.open.discard(number)
        self.known[number] = made
        return made

    def _read(self, entry):
        key = entry["type_key"]
        attrs = entry.get("attrs", {})
        special = {"Array": self._array, "Map": self._map, "IRModule": self._module, "DictAttrs": self._attributes, "runtime.String": self._text_node,
                   "Op": self._op, "runtime.BoxInt": self._box_int, "runtime.BoxBool": self._box_bool, "runtime.BoxFloat": self._box_float}
        if key in special:
            return special[key](entry, attrs)
        kind = _OF_KEY.get(key)
        if kind is None:
            raise ValueError(f"nodes of the kind {key} are not read")
        payload = [self._value(kind, name, code, attrs) for name, code in _fields(kind)]
        dtype = attrs.get("dtype", "") if kind in _EXPRS else ""
        return self.add(kind, dtype, payload)

    def _value(self, kind, name, code, attrs):
        if (kind, name) == ("PrimFunc", "buffer_map"):
            return self._buffers(attrs)
        value = attrs.get(name)
        if value is None:
            if code.endswith("?"):
                return -1
            raise ValueError(f"a {kind} without {name}")
        if code == "s":
            return self._text(value)
        if code == "d":
            return value
        if code == "i":
            return int(value)
        if code == "f":
            return float(value)
        if code == "N":
            return self._tensor(int(value))
        at = self.node(value)
        self._check(kind, name, code, at)
        return at

    def _check(self, kind, name, code, at):
        optional = code.endswith("?")
        plain = code.rstrip("?").lstrip("*")
        allowed = _ANY.get(f"{kind}.{name}", _KINDS.get(plain))
        if at < 0:
            if not optional:
                raise ValueError(f"a {kind} without {name}")
            return
        members = [at]
        if code.startswith("*"):
            if self.kind_at(at) != "Array":
                raise ValueError(f"{name} of a {kind} is no list")
            members = self.graph[at][2]
        for member in members:
            if member < 0 or allowed is not None and self.kind_at(member) not in allowed:
                raise ValueError(f"{name} of a {kind} cannot be {'none' if member < 0 else 'a ' + self.kind_at(member)}")

    def _text(self, value):
        number = int(value)
        if number == 0:
            return ""
        entry = self.entry(number)
        if entry["type_key"] != "runtime.String":
            raise ValueError(f"a {entry['type_key']} is no text")
        return self._string(entry)

    @staticmethod
    def _string(entry):
        return base64.b64decode(entry["repr_b64"]).decode() if "repr_b64" in entry else entry.get("repr_str", "")

    def _text_node(self, entry, attrs):
        return self.add("String", "", [self._string(entry)])

    def _op(self, entry, attrs):
        return self.add("Op", "", [self._string(entry)])

    def _box_int(self, entry, attrs):
        return self.add("IntImm", "int32" if abs(int(self._string(entry))) < 2**31 else "int64", [int(self._string(entry))])

    def _box_bool(self, entry, attrs):
        return self.add("IntImm", "bool", [int(self._string(entry) in ("1", "true", "True"))])

    def _box_float(self, entry, attrs):
        return self.add("FloatImm", "float32", [float(self._string(entry))])

    def some(self, number):
        """The place of a node that has to be there."""
        at = self.node(number)
        if at < 0:
            raise ValueError("a list or a map has no node in one of its places")
        return at

    def _array(self, entry, attrs):
        return self.add("Array", "", [self.some(x) for x in entry.get("data", [])])

    def _map(self, entry, attrs):
        data = entry.get("data", [])
        if data and "keys" not in entry:
            raise ValueError("a map whose keys are no texts")
        values = [self.node(x) for x in data]
        return self.add("Map", "", [part for pair in zip(entry.get("keys", []), values) for part in pair])

    def _attributes(self, entry, attrs):
        at = self.node(attrs.get("__dict__", 0))
        if at >= 0 and self.kind_at(at) != "Map":
            raise ValueError("attributes are a map")
        return at if at >= 0 and self.graph[at][2] else -1

    def _pairs(self, number):
        entry = self.entry(int(number))
        if entry["type_key"] != "Map" or "keys" in entry:
            raise ValueError("a map of nodes is expected")
        data = entry.get("data", [])
        return [(self.some(data[i]), self.some(data[i + 1])) for i in range(0, len(data) - 1, 2)]

    def _buffers(self, attrs):
        params = self.node(attrs["params"])
        self._check("PrimFunc", "params", "*V", params)
        found = dict(self._pairs(attrs["buffer_map"]))
        for buffer in found.values():
            self._check("PrimFunc", "buffer_map", "B", buffer)
        return self.add("Array", "", [found.get(p, -1) for p in self.graph[params][2]])

    def _module(self, entry, attrs):
        pairs = self._pairs(attrs["functions"])
        names = self.add("Array", "", [p for p, _ in pairs])
        functions = self.add("Array", "", [f for _, f in pairs])
        self._check("Module", "global_vars", "*O", names)
        self._check("Module", "functions", "*O", functions)
        infos = self.node(attrs.get("global_infos", 0))
        infos = infos if infos >= 0 and self.graph[infos][2] else -1
        return self.add("Module", "", [names, functions, self.node(attrs.get("attrs", 0)), infos])

    def _tensor(self, number):
        data = base64.b64decode(self.arrays[number])
        magic, _, _, _, ndim, code, bits, lanes = struct.unpack_from("<QQiiiBBH", data)
        if magic != _MAGIC or lanes != 1 or not 0 <= ndim <= 32:
            raise ValueError("an array of numbers is damaged")
        shape = struct.unpack_from(f"<{ndim}q", data, 32)
        (size,) = struct.unpack_from("<q", data, 32 + 8 * ndim)
        names = {value: key for key, value in _DL_CODES.items()}
        if code not in names or size != len(data) - 40 - 8 * ndim:
            raise ValueError("an array of numbers is damaged")
        extents = self.add("Array", "", [self.add("IntImm", "int64", [n]) for n in shape])
        return self.add("Tensor", "", ["bool" if (code, bits) == (1, 1) else f"{names[code]}{bits}", extents, data[40 + 8 * ndim:]])


def read(data):
    """What _core.from_graph takes, from parsed JSON; ValueError: it is damaged, or has nodes that the engine does not know."""
    reader = _Reader(data)
    try:
        with _deep():
            reader.node(data["root"])
    except (KeyError, IndexError, TypeError, struct.error) as error:
        raise ValueError(f"the nodes are damaged: {error}") from error
    if not reader.graph:
        raise ValueError("there is no node")
    return reader.graph


