#!/usr/bin/env python3
"""Saves a torch.fx graph so that Loopscope can import it without torch.

    from export_fx import export_fx
    export_fx(model, (example_input,), "model")        # model.fx.json and model.safetensors
    export_values(model, (example_input,), "model")    # model.values/NODE.npy: torch's own value of each node

or, as a program, `export_fx.py --samples DIR` writes the seeded samples of the tests with torch's own outputs,
`--fashion data/models` the graph that stands there.

MODEL.fx.json: {"format": "loopscope.fx", "version": 1, "tensors": file name,
  "nodes": [{"name", "op", "target", "args", "kwargs", "shape", "dtype"}],     in order of execution
           a node that torch recorded the line of has "source": {"file", "line", "text"} too
  "modules": {path: {"type": "torch.nn.Linear", hyper-parameters...}},
  "parameters": [names of the trainable tensors], "aliases": {name: the name under which a shared tensor is stored}}
An argument is a number, a text, true, false, null, a list, {"node": name}, {"slice": [start, stop, step]}, {"dtype": name},
{"float": "inf" | "-inf" | "nan"} or {"ellipsis": true}.
A target of call_function is "torch.matmul", "operator.add", ...; of call_method the method's name; else a path in the model.
MODEL.safetensors: 8 bytes little endian with the length of a JSON header, the header
  {name: {"dtype": "F32", "shape": [...], "data_offsets": [begin, end]}}, then the raw data.
"""
import argparse
import json
import math
import os
import re
import struct

try:
    import torch
    import torch.fx
    from torch.fx.passes.shape_prop import ShapeProp
except ImportError as problem:
    if __name__ != "__main__":
        raise
    raise SystemExit(f"export_fx: torch is not installed here ({problem}); run this where it is, and bring the files over") from problem

DTYPES = {torch.float32: "F32", torch.float64: "F64", torch.float16: "F16", torch.int64: "I64", torch.int32: "I32",
          torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL"}
def argument(value):
    if isinstance(value, torch.fx.Node):
        return {"node": value.name}
    if isinstance(value, slice):
        return {"slice": [argument(value.start), argument(value.stop), argument(value.step)]}
    if isinstance(value, (tuple, list)):
        return [argument(item) for item in value]
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).replace("torch.", "")}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
    if isinstance(value, (torch.device, torch.memory_format, torch.layout)):
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"an argument of type {type(value).__name__} cannot be saved")


def hyper_parameters(module):
    """What a module keeps as plain values, and its class."""
    known = type(module).__module__.startswith("torch.nn")
    row = {"type": "torch.nn." + type(module).__name__ if known else f"{type(module).__module__}.{type(module).__qualname__}"}
    for key, value in vars(module).items():
        if key.startswith("_") or key in ("training", "type"):
            continue
        try:
            row[key] = argument(value)
        except TypeError:
            pass
    return row


def target_name(node):
    if node.op != "call_function":
        return str(node.target)
    if node.target is getattr:
        return "getattr"
    module = getattr(node.target, "__module__", None) or "torch"
    name = node.target.__name__
    if module == "_operator":
        module = "operator"
    elif module.startswith("torch._C._nn") or module == "torch.nn.functional":
        module = "torch.nn.functional"
    elif module.startswith("torch._ops") or module.startswith("torch.ops"):
        return f"torch.ops.{node.target}"
    elif module.startswith("torch"):
        module = "torch"
    return f"{module}.{name}"


def write_safetensors(path, tensors):
    header, blobs, at = {}, [], 0
    for name, tensor in tensors.items():
        blob = tensor.detach().cpu().contiguous().numpy().tobytes()
        header[name] = {"dtype": DTYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [at, at + len(blob)]}
        blobs.append(blob)
        at += len(blob)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def export_fx(model, inputs, path):
    """Traces `model` in inference mode, runs it on `inputs` for the shapes, writes path.fx.json and path.safetensors."""
    model = model.eval()
    traced = trace(model)
    with torch.no_grad():
        ShapeProp(traced).propagate(*inputs)
    document, tensors = describe(traced)
    document["tensors"] = os.path.basename(path) + ".safetensors"
    with open(path + ".fx.json", "w") as out:
        json.dump(document, out, indent=1)
        out.write("\n")
    write_safetensors(path + ".safetensors", tensors)


class Watched(torch.fx.Interpreter):
    """Runs a traced graph node by node and writes what each one gave into a folder, NODE.npy; what is no tensor is left out."""

    def __init__(self, traced, folder):
        super().__init__(traced)
        self.folder = folder

    def run_node(self, n):
        value = super().run_node(n)
        if isinstance(value, torch.Tensor) and n.op != "output":
            write_npy(os.path.join(self.folder, n.name + ".npy"), value)
        return value


def write_npy(path, tensor):
    """As numpy.save, which need not be there."""
    tensor = tensor.detach().cpu().contiguous()
    kind = {"F32": "<f4", "F64": "<f8", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "|i1", "U8": "|u1", "BOOL": "|b1"}[DTYPES[tensor.dtype]]
    shape = "(" + "".join(f"{extent}, " for extent in tensor.shape) + ")"
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + tensor.numpy().tobytes())


def export_values(model, inputs, path):
    """Torch's own value of each node for these inputs, in the folder path.values: what `loopscope-cli debug --graph path.fx.json --torch
    path.values` compares with.  The graph is the one that export_fx writes."""
    folder = path + ".values"
    os.makedirs(folder, exist_ok=True)
    traced = trace(model.eval())
    with torch.no_grad():
        Watched(traced, folder).run(*inputs)


def trace(model):
    """symbolic_trace, with the line of Python that each node comes from."""
    tracer = torch.fx.Tracer()
    tracer.record_stack_traces = True
    graph = tracer.trace(model)
    return torch.fx.GraphModule(tracer.root, graph, type(model).__name__)


def source_of(stack_trace):
    """{"file", "line", "text"} of the innermost frame of a model's own forward in what torch recorded (outermost frame first or
    last, by version); None: it recorded none."""
    frames = re.findall(r'File "([^"\n]+)", line (\d+), in ([^\n]+)\n[ \t]*([^\n]*)', stack_trace or "")
    if frames and frames[0][2] != "<module>" and frames[-1][2] == "<module>":
        frames.reverse()
    own = [frame for frame in frames if frame[2] == "forward" and "/torch/nn/" not in frame[0].replace(os.sep, "/")] or frames
    if not own:
        return None
    file, line, _, text = own[-1]
    return {"file": os.path.basename(file), "line": int(line), "text": text}


def describe(traced):
    """The document of a GraphModule, and its tensors by name."""
    nodes = []
    for node in traced.graph.nodes:
        meta = node.meta.get("tensor_meta")
        known = hasattr(meta, "shape")
        nodes.append({"name": node.name, "op": node.op, "target": target_name(node), "args": argument(node.args),
                      "kwargs": {key: argument(value) for key, value in node.kwargs.items()},
                      "shape": list(meta.shape) if known else None,
                      "dtype": str(meta.dtype).replace("torch.", "") if known else None})
        source = source_of(getattr(node, "stack_trace", None))
        if source is not None:
            nodes[-1]["source"] = source
    called = {str(node.target) for node in traced.graph.nodes if node.op == "call_module"}
    modules = {name: hyper_parameters(module) for name, module in traced.named_modules() if name in called}
    parameters = [name for name, _ in traced.named_parameters()]
    tensors, aliases, seen = {}, {}, {}
    for path, module in traced.named_modules(remove_duplicate=False):
        for name, tensor in list(module._parameters.items()) + list(module._buffers.items()):
            full = f"{path}.{name}" if path else name
            if tensor is None:
                continue
            if id(tensor) in seen and (full not in parameters or seen[id(tensor)] in parameters):
                aliases[full] = seen[id(tensor)]
            else:
                seen[id(tensor)] = full
                tensors[full] = tensor
    for node in traced.graph.nodes:
        if node.op == "get_attr" and str(node.target) not in tensors and str(node.target) not in aliases:
            value = traced
            for part in str(node.target).split("."):
                value = getattr(value, part)
            if isinstance(value, torch.Tensor):
                tensors[str(node.target)] = value
    document = {"format": "loopscope.fx", "version": 1, "nodes": nodes, "modules": modules, "parameters": parameters, "aliases": aliases}
    return document, tensors


class Mlp(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear0 = torch.nn.Linear(12, 16)
        self.relu = torch.nn.ReLU()
        self.linear1 = torch.nn.Linear(16, 5)
        self.scale = torch.nn.Parameter(torch.randn(5, 5))

    def forward(self, x):
        y = self.linear1(self.relu(self.linear0(x)))
        y = torch.matmul(y, self.scale) * 0.5 + y.sigmoid()
        return torch.nn.functional.softmax(y - 1, dim=-1)


class Cnn(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.features = torch.nn.Sequential(torch.nn.Conv2d(2, 4, 3, stride=1, padding=1), torch.nn.BatchNorm2d(4), torch.nn.ReLU(),
                                            torch.nn.MaxPool2d(2), torch.nn.Conv2d(4, 6, 3, groups=2, bias=False), torch.nn.GELU(),
                                            torch.nn.AvgPool2d(2, stride=1, padding=1), torch.nn.Dropout(0.2))
        self.flatten = torch.nn.Flatten()
        self.norm = torch.nn.LayerNorm(54)
        self.head = torch.nn.Linear(54, 3)
        self.softmax = torch.nn.Softmax(dim=1)

    def forward(self, x):
        y = self.features(x)
        y = y.permute(0, 2, 3, 1).transpose(1, 3).reshape(2, 6, -1)
        y = torch.tanh(y) / 2 + torch.mean(y, dim=2, keepdim=True)
        return self.softmax(self.head(self.norm(self.flatten(y))))


class Block(torch.nn.Module):
    """A decoder block: embedding, causal attention written out and as torch's function, MultiheadAttention, GELU, residuals."""

    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(11, 16)
        self.norm1 = torch.nn.LayerNorm(16)
        self.qkv = torch.nn.Linear(16, 48)
        self.out = torch.nn.Linear(16, 16, bias=False)
        self.norm2 = torch.nn.LayerNorm(16)
        self.up = torch.nn.Linear(16, 32)
        self.gelu = torch.nn.GELU(approximate="tanh")
        self.down = torch.nn.Linear(32, 16)
        self.attend = torch.nn.MultiheadAttention(16, 4, batch_first=True)
        self.register_buffer("mask", torch.triu(torch.full((6, 6), float("-inf")), diagonal=1))

    def forward(self, tokens):
        x = self.embed(tokens)
        parts = self.qkv(self.norm1(x)).chunk(3, dim=-1)
        q, k, v = (parts[i].view(2, x.size(1), 4, 4).permute(0, 2, 1, 3) for i in range(3))
        weights = torch.softmax(torch.matmul(q, k.transpose(-2, -1)) / 2.0 + self.mask, dim=-1)
        y = torch.matmul(weights, v).transpose(1, 2).contiguous().view(2, 6, 16)
        x = x + self.out(y)
        x = x + self.attend(x, x, x, attn_mask=self.mask, need_weights=False)[0]
        x = x + self.down(self.gelu(self.up(self.norm2(x))))
        return x[:, -1], x.mean(dim=1)


class FashionMlp(torch.nn.Module):
    """The network of data/models with the weights that train_fashion_mlp.py made."""

    def __init__(self, path):
        super().__init__()
        for name, value in read_safetensors(path).items():
            setattr(self, name, torch.nn.Parameter(value))

    def forward(self, x):
        hidden = torch.relu(torch.nn.functional.linear(x, self.w0, self.b0))
        return torch.nn.functional.linear(hidden, self.w1, self.b1)


def read_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    n = struct.unpack("<Q", data[:8])[0]
    return {name: torch.frombuffer(bytearray(data[8 + n:][slice(*row["data_offsets"])]), dtype=torch.float32).reshape(row["shape"])
            for name, row in json.loads(data[8:8 + n]).items()}


def write_samples(folder):
    import numpy
    for name, kind, shape in (("mlp", Mlp, (3, 12)), ("cnn", Cnn, (2, 2, 8, 8)), ("block", Block, (2, 6))):
        torch.manual_seed(7)
        model = kind()
        for module in model.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.running_mean.normal_()
                module.running_var.uniform_(0.5, 2)
        x = torch.randn(shape) if name != "block" else torch.randint(0, 11, shape)
        export_fx(model, (x,), os.path.join(folder, name))
        numpy.save(os.path.join(folder, name + "-in.npy"), x.numpy())
        with torch.no_grad():
            results = model(x)
        for i, result in enumerate(results if isinstance(results, tuple) else [results]):
            numpy.save(os.path.join(folder, f"{name}-out{i if i > 0 else ''}.npy"), result.numpy())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes the samples of the tests, or the graph of data/models.")
    parser.add_argument("--samples", metavar="DIR")
    parser.add_argument("--fashion", metavar="DIR")
    options = parser.parse_args()
    if options.samples:
        write_samples(options.samples)
    if options.fashion:
        export_fx(FashionMlp(os.path.join(options.fashion, "fashion_mlp.safetensors")), (torch.zeros(1, 784),), os.path.join(options.fashion, "fashion_mlp"))
