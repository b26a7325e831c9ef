"""A saved graph of torch.fx run by torch itself, node by node: what the window of a graph shows beside its own values.

A folder has graph.fx.json and graph.safetensors (data/scripts/export_fx.py says what stands in them) and NODE.npy for each placeholder;
write() puts NODE.npy there for every other node that gives a tensor.
"""
import ast
import importlib
import inspect
import json
import os
import struct

# What a tensor is called in the graph, in .safetensors, and in .npy.
_TYPES = (("float32", "F32", "<f4"), ("float64", "F64", "<f8"), ("float16", "F16", "<f2"), ("bfloat16", "BF16", "|V2"), ("int64", "I64", "<i8"), ("int32", "I32", "<i4"),
          ("int16", "I16", "<i2"), ("int8", "I8", "|i1"), ("uint8", "U8", "|u1"), ("bool", "BOOL", "|b1"))


class NodeFailed(RuntimeError):
    """A node that torch does not run: its name, what it calls, and what torch says."""


# ---- tensors in files ----------------------------------------------------------------------------


def _tensor(torch, dtype, shape, data):
    dtype = getattr(torch, dtype)
    return torch.frombuffer(bytearray(data), dtype=dtype).reshape(tuple(shape)) if data else torch.zeros(tuple(shape), dtype=dtype)


def _read_weights(torch, path):
    with open(path, "rb") as file:
        data = file.read()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    names = {stored: dtype for dtype, stored, _ in _TYPES}
    return {name: _tensor(torch, names[row["dtype"]], row["shape"], data[start + row["data_offsets"][0]:start + row["data_offsets"][1]])
            for name, row in json.loads(data[8:start]).items() if name != "__metadata__"}


def _read_npy(torch, path):
    with open(path, "rb") as file:
        data = file.read()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:start].decode("latin-1"))
    dtype = next(name for name, _, kind in _TYPES if kind == header["descr"])
    return _tensor(torch, dtype, header["shape"], data[start:])


def _write_npy(torch, path, tensor):
    tensor = tensor.detach().cpu().contiguous()
    kind = next((kind for name, _, kind in _TYPES if getattr(torch, name, None) == tensor.dtype), None)
    if kind is None:
        return
    if kind == "|V2":           # numpy has no such type
        tensor = tensor.view(torch.int16)
    shape = "(" + "".join(f"{extent}, " for extent in tensor.shape) + ")"
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path + ".part", "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + tensor.numpy().tobytes())
    os.replace(path + ".part", path)


# ---- what a node calls ---------------------------------------------------------------------------


def _named(target):
    """torch.nn.functional.relu: the longest part of it that is a module is imported, the rest are attributes."""
    parts = target.split(".")
    for n in range(len(parts) - 1, 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:n]))
        except ImportError:
            continue
        for part in parts[n:]:
            value = getattr(value, part)
        return value
    return {"getattr": getattr}[target]


def _tuples(value):
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def _module(torch, path, row, tensors):
    """A module of torch.nn with the hyper-parameters and tensors that were saved; which of its tensors it has says what it was made with."""
    kind = getattr(torch.nn, row["type"].rsplit(".", 1)[1]) if row["type"].startswith("torch.nn.") else _named(row["type"])
    own = {name[len(path) + 1:]: tensor for name, tensor in tensors.items() if name.startswith(path + ".")}
    plain = {key: _tuples(value) for key, value in row.items() if key != "type" and not isinstance(value, dict)}
    given = {}
    for name in inspect.signature(kind.__init__).parameters:
        if name == "bias":
            given[name] = any(key.rsplit(".", 1)[-1] in ("bias", "in_proj_bias") for key in own)
        elif name in plain and name not in ("device", "dtype"):
            given[name] = plain[name]
    module = kind(**given)
    for name, value in plain.items():
        if name in vars(module):
            setattr(module, name, value)
    module.load_state_dict(own, strict=False)
    return module.eval()


class _Graph:
    """The nodes with what they call; `env`: their values so far."""

    def __init__(self, torch, folder):
        self.torch, self.folder, self.env, self.modules = torch, folder, {}, {}
        with open(os.path.join(folder, "graph.fx.json"), encoding="utf-8") as file:
            self.document = json.load(file)
        self.tensors = _read_weights(torch, os.path.join(folder, self.document["tensors"]))
        for name, stored in (self.document.get("aliases") or {}).items():
            self.tensors.setdefault(name, self.tensors[stored])

    def value(self, saved):
        """What an argument stands for."""
        if isinstance(saved, list):
            return tuple(self.value(item) for item in saved)
        if not isinstance(saved, dict):
            return saved
        if "node" in saved:
            return self.env[saved["node"]]
        if "slice" in saved:
            return slice(*(self.value(item) for item in saved["slice"]))
        if "dtype" in saved:
            return getattr(self.torch, saved["dtype"])
        if "float" in saved:
            return float(saved["float"])
        if "ellipsis" in saved:
            return Ellipsis
        return {key: self.value(item) for key, item in saved.items()}

    def call(self, node):
        """The value of a node."""
        args = [self.value(item) for item in node["args"]]
        kwargs = {key: self.value(item) for key, item in (node.get("kwargs") or {}).items()}
        if node["op"] == "placeholder":
            return _read_npy(self.torch, os.path.join(self.folder, node["name"] + ".npy"))
        if node["op"] == "get_attr":
            return self.tensors[node["target"]]
        if node["op"] == "call_method":
            return getattr(args[0], node["target"])(*args[1:], **kwargs)
        if node["op"] == "call_function":
            return _named(node["target"])(*args, **kwargs)
        if node["target"] not in self.modules:
            self.modules[node["target"]] = _module(self.torch, node["target"], self.document["modules"][node["target"]], self.tensors)
        return self.modules[node["target"]](*args, **kwargs)

    def run(self):
        """All nodes but the output; what each gives is written at once, for a later one may change it in place."""
        for node in self.document["nodes"]:
            if node["op"] == "output":
                break
            try:
                value = self.call(node)
            except Exception as problem:
                raise NodeFailed(f"{node['name']} ({node['target']}): {problem}") from problem
            self.env[node["name"]] = value
            if isinstance(value, self.torch.Tensor) and node["op"] != "placeholder":
                _write_npy(self.torch, os.path.join(self.folder, node["name"] + ".npy"), value)


def write(folder):
    """Runs the graph of the folder; NodeFailed: those before that node are written."""
    import torch

    with torch.no_grad():
        _Graph(torch, folder).run()
