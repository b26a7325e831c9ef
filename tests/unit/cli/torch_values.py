"""Torch's own values beside ours: data/scripts/export_fx.py writes them where torch is installed, `debug --graph --torch` compares by lineage.

    torch_values.py CLI SOURCE

Where torch is here, three models run in it and every value is compared.  It is not needed: a stand-in package has what export_values uses (Tracer, GraphModule, an Interpreter that calls run_node for each node), so that it is
the writing and the comparing that are tested; what the graphs in tests/golden/fx gave in the real torch is compared too.
"""
import array
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

CLI, SOURCE = sys.argv[1:3]
SCRIPT = os.path.join(SOURCE, "data", "scripts", "export_fx.py")
COUNT = FAILED = 0
STAND_IN = {
    "__init__.py": '''
import array, contextlib
class dtype:
    def __init__(self, name): self.name = name
    def __str__(self): return "torch." + self.name
float32, float64, float16, int64, int32, int8, uint8, bool = (dtype(n) for n in ("float32", "float64", "float16", "int64", "int32", "int8", "uint8", "bool"))
class Tensor:
    dtype = float32
    def __init__(self, values, shape): self.values, self.shape = list(values), tuple(shape)
    def detach(self): return self
    cpu = contiguous = numpy = detach
    def tobytes(self): return array.array("f", self.values).tobytes()
no_grad = contextlib.nullcontext
class nn:
    class Module:
        def eval(self): return self
from . import fx
''',
    "fx/__init__.py": '''
class Node:
    def __init__(self, name, op, run): self.name, self.op, self.run = name, op, run
class Tracer:
    root = None
    def trace(self, model): return model.nodes()
class GraphModule:
    def __init__(self, root, graph, name): self.graph = graph
class Interpreter:
    def __init__(self, module): self.module, self.env = module, {}
    def run_node(self, n): return n.run(self.env)
    def run(self, *inputs):
        self.env["inputs"] = list(inputs)
        for n in self.module.graph: self.env[n.name] = self.run_node(n)
        return self.env[n.name]
from . import passes
''',
    "fx/passes/__init__.py": "",
    "fx/passes/shape_prop.py": "class ShapeProp:\n    pass\n",
}
MODEL = '''
import sys
sys.path.insert(0, sys.argv[1])
import torch
from export_fx import export_values
from torch.fx import Node
class Model(torch.nn.Module):
    def nodes(self):
        relu = lambda env: torch.Tensor([max(v, 0.0) for v in env["x"].values], env["x"].shape)
        add = lambda env: torch.Tensor([a + b for a, b in zip(env["relu"].values, env["x"].values)], env["x"].shape)
        return [Node("x", "placeholder", lambda env: env["inputs"].pop(0)), Node("relu", "call_function", relu), Node("size", "call_method", lambda env: 2),
                Node("add", "call_function", add), Node("output", "output", lambda env: env["add"])]
export_values(Model(), (torch.Tensor([-1.0, 0.5, 2.0, -0.25, 0.0, 8.0], (2, 3)),), sys.argv[2])
'''
GRAPH = {"format": "loopscope.fx", "version": 1, "tensors": "model.safetensors", "modules": {}, "parameters": [], "aliases": {}, "nodes": [
    {"name": "x", "op": "placeholder", "target": "x", "args": [], "kwargs": {}, "shape": [2, 3], "dtype": "float32"},
    {"name": "relu", "op": "call_function", "target": "torch.relu", "args": [{"node": "x"}], "kwargs": {}, "shape": [2, 3], "dtype": "float32"},
    {"name": "size", "op": "call_method", "target": "size", "args": [{"node": "x"}, 0], "kwargs": {}, "shape": None, "dtype": None},
    {"name": "add", "op": "call_function", "target": "operator.add", "args": [{"node": "relu"}, {"node": "x"}], "kwargs": {}, "shape": [2, 3], "dtype": "float32"},
    {"name": "output", "op": "output", "target": "output", "args": [{"node": "add"}], "kwargs": {}, "shape": [2, 3], "dtype": "float32"}]}


def check(name, good, more=""):
    """One line of TAP."""
    global COUNT, FAILED
    COUNT += 1
    FAILED += not good
    print(f"{'ok' if good else 'not ok'} {COUNT} - {name}{' # ' + repr(more) if not good else ''}", flush=True)


def debug(model, values, *more):
    return subprocess.run([CLI, "debug", "--graph", model, "--torch", values, *more], capture_output=True, text=True, timeout=120, check=False)


def tensors(model, values):
    ran = debug(model, values, "--json")
    return {one["other"]: one for one in json.loads(ran.stdout)["tensors"]} if ran.returncode == 0 else {}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def stand_in(folder):
    model, values = os.path.join(folder, "model.fx.json"), os.path.join(folder, "model.values")
    for name, text in STAND_IN.items():
        write(os.path.join(folder, "packages", "torch", name), text)
    write(os.path.join(folder, "run.py"), MODEL)
    write(model, json.dumps(GRAPH))
    with open(os.path.join(folder, "model.safetensors"), "wb") as file:
        file.write(struct.pack("<Q", 8) + b"{}      ")
    ran = debug(model, values)
    check("without values of torch it says who writes them, and where", ran.returncode != 0 and "x.npy is not there" in ran.stderr and "where torch is installed" in ran.stderr, ran.stderr)
    ran = subprocess.run([sys.executable, os.path.join(folder, "run.py"), os.path.dirname(SCRIPT), os.path.join(folder, "model")],
                         env=dict(os.environ, PYTHONPATH=os.path.join(folder, "packages"), PYTHONDONTWRITEBYTECODE="1"), capture_output=True, text=True, timeout=60, check=False)
    check("the interpreter's values are written, one file for each tensor", ran.returncode == 0 and sorted(os.listdir(values)) == ["add.npy", "relu.npy", "x.npy"], ran.stderr)
    found = tensors(model, values)
    check("each is found at the binding that its node became, and is the same", sorted(found) == ["add", "relu", "x"]
          and all(one["error"] == 0 and one["matched"] == "lineage" and one["n"] == 6 for one in found.values()), found)
    path = os.path.join(values, "relu.npy")
    with open(path, "rb") as file:
        data = file.read()
    changed = array.array("f", data[-24:])
    changed[4] += 0.5
    with open(path, "wb") as file:
        file.write(data[:-24] + changed.tobytes())
    ran = debug(model, values)
    check("one that differs is told with its node and element", "is in relu[1, 1]: " in ran.stdout and "3 values of torch compared" in ran.stdout, ran.stdout)
    with open(path, "wb") as file:
        file.write(data.replace(b"(2, 3, )", b"(3, 2, )"))
    check("another shape is told", tensors(model, values).get("relu", {}).get("trouble") == "they have different shapes")
    with open(path, "wb") as file:
        file.write(data[:50])
    ran = debug(model, values)
    check("a torn file is refused", ran.returncode == 1 and "relu.npy" in ran.stderr, ran.stderr)


def golden(folder):
    """What the real torch gave for these models stands in tests/golden/fx."""
    for name, inputs, outputs in (("cnn", ("x",), {"softmax": "cnn-out.npy"}), ("block", ("tokens",), {"getitem_5": "block-out.npy", "mean": "block-out1.npy"})):
        model = os.path.join(SOURCE, "tests", "golden", "fx", name + ".fx.json")
        with open(model, encoding="utf-8") as file:
            nodes = json.load(file)["nodes"]
        values = os.path.join(folder, "golden", name)
        os.makedirs(values)
        placeholder = next(n["name"] for n in nodes if n["op"] == "placeholder")
        shutil.copy(os.path.join(SOURCE, "tests", "golden", "fx", name + "-in.npy"), os.path.join(values, placeholder + ".npy"))
        results = nodes[-1]["args"][0]
        results = [one["node"] for one in (results if isinstance(results, list) else [results])]
        for one, file in zip(results, outputs.values()):
            shutil.copy(os.path.join(SOURCE, "tests", "golden", "fx", file), os.path.join(values, one + ".npy"))
        found = tensors(model, values)
        check(f"{name}: what torch gave for its inputs is what is computed here", sorted(found) == sorted([placeholder] + results)
              and all(one.get("relative", 1) < 1e-5 for one in found.values()), found)


REAL = '''
import sys
sys.path.insert(0, sys.argv[1])
import torch
import export_fx
for name, kind, shape in (("mlp", export_fx.Mlp, (3, 12)), ("cnn", export_fx.Cnn, (2, 2, 8, 8)), ("block", export_fx.Block, (2, 6))):
    torch.manual_seed(11)
    model, x = kind(), torch.randn(shape) if name != "block" else torch.randint(0, 11, shape)
    export_fx.export_fx(model, (x,), sys.argv[2] + "/" + name)
    export_fx.export_values(model, (x,), sys.argv[2] + "/" + name)
'''


def real(folder, env):
    """Every value between the first and the last, of a perceptron, convolutions and a block of a transformer, as the torch of this machine has them."""
    write(os.path.join(folder, "real.py"), REAL)
    ran = subprocess.run([sys.executable, os.path.join(folder, "real.py"), os.path.dirname(SCRIPT), folder], env=env, capture_output=True, text=True, timeout=300, check=False)
    check("the real torch writes its values", ran.returncode == 0, ran.stderr[-800:])
    for name, least in (("mlp", 8), ("cnn", 18), ("block", 28)):
        values = os.path.join(folder, name + ".values")
        written = {file[:-4] for file in os.listdir(values)}
        found = tensors(os.path.join(folder, name + ".fx.json"), values)
        far = {key: one.get("trouble", one.get("relative")) for key, one in found.items() if one.get("relative", 1) > 1e-5}
        print(f"# {name}: {len(found)} of {len(written)} values, the largest relative error {max(one.get('relative', 1) for one in found.values()):.2g}")
        check(f"{name}: each value of torch is found here, and is the same but for rounding", len(found) >= least and not far, (far, sorted(written - set(found))))


def main():
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if subprocess.run([sys.executable, "-c", "import torch"], env=env, capture_output=True, timeout=120, check=False).returncode != 0:
        ran = subprocess.run([sys.executable, SCRIPT, "--samples", "/nowhere"], env=env, capture_output=True, text=True, timeout=60, check=False)
        check("where torch is not installed the script says so in a sentence", ran.returncode == 1 and ran.stderr.startswith("export_fx: torch is not installed here"), ran.stderr)
        has_torch = False
    else:
        has_torch = True
    with tempfile.TemporaryDirectory() as folder:
        if has_torch:
            real(folder, env)
        stand_in(folder)
        golden(folder)
    print(f"1..{COUNT}")
    return 1 if FAILED else 0


sys.exit(main())
