#!/usr/bin/env python3
"""Saves a torch.fx graph so that Loopscope can import it without torch.

    from export_fx import export_fx
    export_fx(model, (example_input,), "model")        # model.fx.json and model.safetensors

or, as a program, `export_fx.py --samples DIR` writes the two seeded samples of the tests with torch's own outputs.

MODEL.fx.json: {"format": "loopscope.fx", "version": 1, "tensors": file name,
  "nodes": [{"name", "op", "target", "args", "kwargs", "shape", "dtype"}],     in order of execution
  "modules": {path: {"type": "torch.nn.Linear", hyper-parameters...}}}
An argument is a number, a text, true, false, null, a list, {"node": name}, {"slice": [start, stop, step]} or {"dtype": name}.
A target of call_function is "torch.matmul", "operator.add", ...; of call_method the method's name; else a path in the model.
MODEL.safetensors: 8 bytes little endian with the length of a JSON header, the header
  {name: {"dtype": "F32", "shape": [...], "data_offsets": [begin, end]}}, then the raw data.
"""
import argparse
import json
import os
import struct

import torch
import torch.fx
from torch.fx.passes.shape_prop import ShapeProp

DTYPES = {torch.float32: "F32", torch.float64: "F64", torch.float16: "F16", torch.int64: "I64", torch.int32: "I32",
          torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL"}
HYPER = ("in_features", "out_features", "in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation", "groups",
         "padding_mode", "ceil_mode", "count_include_pad", "divisor_override", "return_indices", "num_features", "eps", "affine",
         "track_running_stats", "normalized_shape", "elementwise_affine", "start_dim", "end_dim", "dim", "p", "approximate", "inplace")


def argument(value):
    if isinstance(value, torch.fx.Node):
        return {"node": value.name}
    if isinstance(value, slice):
        return {"slice": [argument(value.start), argument(value.stop), argument(value.step)]}
    if isinstance(value, (tuple, list)):
        return [argument(item) for item in value]
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).replace("torch.", "")}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"an argument of type {type(value).__name__} cannot be saved")


def target_name(node):
    if node.op != "call_function":
        return str(node.target)
    module = getattr(node.target, "__module__", None) or "torch"
    name = node.target.__name__
    if module == "_operator":
        module = "operator"
    elif module.startswith("torch._C._nn") or module == "torch.nn.functional":
        module = "torch.nn.functional"
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
    traced = torch.fx.symbolic_trace(model)
    with torch.no_grad():
        ShapeProp(traced).propagate(*inputs)
    nodes = []
    for node in traced.graph.nodes:
        meta = node.meta.get("tensor_meta")
        known = hasattr(meta, "shape")
        nodes.append({"name": node.name, "op": node.op, "target": target_name(node), "args": argument(node.args),
                      "kwargs": {key: argument(value) for key, value in node.kwargs.items()},
                      "shape": list(meta.shape) if known else None,
                      "dtype": str(meta.dtype).replace("torch.", "") if known else None})
    modules = {}
    for name, module in traced.named_modules():
        if not name or not type(module).__module__.startswith("torch.nn"):
            continue
        modules[name] = {"type": "torch.nn." + type(module).__name__}
        for key in HYPER:
            if hasattr(module, key):
                modules[name][key] = argument(getattr(module, key))
    tensors = dict(traced.named_parameters())
    tensors.update(traced.named_buffers())
    document = {"format": "loopscope.fx", "version": 1, "tensors": os.path.basename(path) + ".safetensors", "nodes": nodes, "modules": modules}
    with open(path + ".fx.json", "w") as out:
        json.dump(document, out, indent=1)
        out.write("\n")
    write_safetensors(path + ".safetensors", tensors)


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


def write_samples(folder):
    import numpy
    torch.manual_seed(7)
    for name, model, shape in (("mlp", Mlp(), (3, 12)), ("cnn", Cnn(), (2, 2, 8, 8))):
        for module in model.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.running_mean.normal_()
                module.running_var.uniform_(0.5, 2)
        x = torch.randn(shape)
        export_fx(model, (x,), os.path.join(folder, name))
        numpy.save(os.path.join(folder, name + "-in.npy"), x.numpy())
        with torch.no_grad():
            numpy.save(os.path.join(folder, name + "-out.npy"), model(x).numpy())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes the two samples of the tests.")
    parser.add_argument("--samples", metavar="DIR", required=True)
    write_samples(parser.parse_args().samples)
