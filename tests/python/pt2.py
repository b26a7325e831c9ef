"""Archives of torch.export (.pt2), written here by the schema without torch: what they compute beside numpy, and what is said of damaged ones."""
import collections
import io
import json
import operator
import os
import pickle
import random
import subprocess
import sys
import tempfile
import types
import unittest
import zipfile

import numpy as np

import tap
import tvm
from tvm import relax
from tvm.relax.frontend.torch import from_exported_program

R = np.random.default_rng(3)
FLOAT = 7
TYPES = {"float32": 7, "int64": 5, "bool": 12}
CLI = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli")


def meta(shape, dtype=FLOAT, strides=None, offset=0):
    strides = strides or [int(np.prod(shape[i + 1:])) for i in range(len(shape))]
    return {"dtype": dtype, "sizes": [{"as_int": int(n)} for n in shape], "requires_grad": False, "device": {"type": "cpu", "index": None},
            "strides": [{"as_int": int(n)} for n in strides], "storage_offset": {"as_int": offset}, "layout": 7}


def tensor(name):
    return {"as_tensor": {"name": name}}


def arg(name, value, keyword=False):
    return {"name": name, "arg": value, "kind": 2 if keyword else 1}


def node(target, inputs, outputs):
    return {"target": "torch.ops.aten." + target, "inputs": inputs, "outputs": outputs, "metadata": {}}


def program(inputs, weights, nodes, values, results, major=8):
    """inputs, values: name -> shape; weights: name -> (name of the parameter, array)."""
    specs = [{"parameter": {"arg": {"name": name}, "parameter_name": full}} for name, (full, _) in weights.items()]
    specs += [{"user_input": {"arg": tensor(name)}} for name in inputs]
    shapes = {**{name: meta(array.shape) for name, (_, array) in weights.items()}, **{name: meta(shape) for name, shape in {**inputs, **values}.items()}}
    graph = {"inputs": [tensor(n) for n in list(weights) + list(inputs)], "outputs": [tensor(n) for n in results], "nodes": nodes, "tensor_values": shapes,
             "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": False, "custom_obj_values": {}}
    return {"graph_module": {"graph": graph, "signature": {"input_specs": specs, "output_specs": [{"user_output": {"arg": tensor(n)}} for n in results]}, "module_call_graph": []},
            "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": major, "minor": 8}}


def archive(path, model, weights, metas=None, compression=zipfile.ZIP_STORED):
    config = {"config": {full: {"path_name": f"weight_{i}", "is_param": True, "use_pickle": False, "tensor_meta": (metas or {}).get(full, meta(array.shape))}
                         for i, (full, array) in enumerate(weights.values())}}
    with zipfile.ZipFile(path, "w", compression) as file:
        file.writestr("model/archive_format", "pt2")
        file.writestr("model/models/model.json", json.dumps(model))
        file.writestr("model/data/weights/model_weights_config.json", json.dumps(config))
        for i, (_, array) in enumerate(weights.values()):
            file.writestr(f"model/data/weights/weight_{i}", array.tobytes())


class Evil:
    TRACE = os.path.join(tempfile.gettempdir(), f"loopscope-pt2-was-run-{os.getpid()}")

    def __reduce__(self):
        return (os.system, (f"touch {self.TRACE}",))


def rebuild(storage, offset, size, stride, requires_grad, hooks):
    raise AssertionError("only its name is written")


def parameter(data, requires_grad, hooks):
    raise AssertionError("only its name is written")


class FloatStorage:
    pass


# What Python's pickle has to find to write these names, as torch's own files have them.
TORCH = types.ModuleType("torch")
UTILS = types.ModuleType("torch._utils")
for thing, module, name in ((rebuild, "torch._utils", "_rebuild_tensor_v2"), (parameter, "torch._utils", "_rebuild_parameter"), (FloatStorage, "torch", "FloatStorage")):
    thing.__module__ = module
    thing.__name__ = thing.__qualname__ = name
    setattr(TORCH if module == "torch" else UTILS, name, thing)


class Storage:
    def __init__(self, key, numel):
        self.id = ("storage", FloatStorage, key, "cpu", numel)


class Tensor:
    """As torch pickles one: what puts it together, over a storage that lies beside."""

    def __init__(self, key, array, strides=None, offset=0, kept=None):
        self.parts = (Storage(key, (kept if kept is not None else array).size), offset, array.shape, tuple(strides or [int(np.prod(array.shape[i + 1:])) for i in range(array.ndim)]),
                      False, collections.OrderedDict())

    def __reduce__(self):
        return (rebuild, self.parts)


class Parameter:
    def __init__(self, tensor):
        self.tensor = tensor

    def __reduce__(self):
        return (parameter, (self.tensor, True, collections.OrderedDict()))


class Pickler(pickle.Pickler):
    def persistent_id(self, obj):
        return obj.id if isinstance(obj, Storage) else None


def torch_save(tensors, protocol=2):
    """tensors: name -> (what is pickled, the storage's array)."""
    sys.modules.update({"torch": TORCH, "torch._utils": UTILS})
    out = io.BytesIO()
    try:
        state = collections.OrderedDict((name, thing) for name, (thing, _) in tensors.items())
        state._metadata = collections.OrderedDict([("", {"version": 1})])
        Pickler(out, protocol).dump(state)
    finally:
        del sys.modules["torch"], sys.modules["torch._utils"]
    return zipped(out.getvalue(), [kept for _, kept in tensors.values()])


def zipped(program, storages):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("archive/data.pkl", program)
        file.writestr("archive/byteorder", "little")
        for i, array in enumerate(storages):
            file.writestr(f"archive/data/{i}", array.tobytes())
        file.writestr("archive/version", "3\n")
    return out.getvalue()


def saved(path, model, weights, program=None, layout="2.8", protocol=2):
    """An archive of torch 2.8, or one of before, whose weights are a dictionary of torch.save."""
    tensors = {full: (Parameter(Tensor(str(i), array)), array) for i, (full, array) in enumerate(weights.values())}
    data = zipped(program, [array for _, array in weights.values()]) if program is not None else torch_save(tensors, protocol)
    with zipfile.ZipFile(path, "w") as file:
        if layout == "2.8":
            file.writestr("model/archive_format", "pt2")
            file.writestr("model/models/model.json", json.dumps(model))
            file.writestr("model/data/weights/model.pt", data)
            file.writestr("model/data/constants/model.pt", torch_save({}))
        else:
            file.writestr("version", "7.3")
            file.writestr("serialized_exported_program.json", json.dumps(model))
            file.writestr("serialized_state_dict.pt", data)
            file.writestr("serialized_constants.pt", torch_save({}))


def imported(path, *options):
    return subprocess.run([CLI, "import", path, *options], capture_output=True, text=True, check=False)


def run(path, *arrays):
    result = imported(path)
    assert result.returncode == 0, result.stderr
    vm = relax.VirtualMachine(relax.build(tvm.script.from_source(result.stdout), tap.LLVM), tvm.cpu())
    got = vm["main"](*[tvm.nd.array(x) for x in arrays])
    return got.numpy() if hasattr(got, "numpy") else [x.numpy() for x in got]


def mlp():
    weights = {"p_0_weight": ("0.weight", R.standard_normal((5, 4)).astype("float32")), "p_0_bias": ("0.bias", R.standard_normal(5).astype("float32")),
               "p_2_weight": ("2.weight", R.standard_normal((3, 5)).astype("float32"))}
    nodes = [node("linear.default", [arg("input", tensor("x")), arg("weight", tensor("p_0_weight")), arg("bias", tensor("p_0_bias"))], [tensor("linear")]),
             node("relu.default", [arg("self", tensor("linear"))], [tensor("relu")]),
             node("linear.default", [arg("input", tensor("relu")), arg("weight", tensor("p_2_weight"))], [tensor("linear_1")]),
             node("add.Tensor", [arg("self", tensor("linear_1")), arg("other", {"as_float": 0.5})], [tensor("add")])]
    values = {"linear": (2, 5), "relu": (2, 5), "linear_1": (2, 3), "add": (2, 3)}
    return program({"x": (2, 4)}, weights, nodes, values, ["add"]), weights


def mlp_numpy(x, weights):
    a, b, c = (array for _, array in weights.values())
    return np.maximum(x @ a.T + b, 0) @ c.T + np.float32(0.5)


def encoder(n_layers, stacks):
    """A transformer; `stacks`: the module of each node, as nodes of torch.export say it.  Its weights have no names that tell of layers."""
    weights, nodes, values, width = {}, [], {}, 8

    def put(target, inputs, shape, module, **more):
        name = f"{target.split('.')[0]}_{len(nodes)}"
        nodes.append(node(target, inputs, [tensor(name)]))
        if stacks is not None:
            nodes[-1]["metadata"] = {"nn_module_stack": stacks(module), "stack_trace": "File \"a.py\", line 3, in forward"}
        values[name] = shape
        return name

    def linear(x, module, out=width):
        n = values.get(x, (1, 4, width))[-1]
        weights[f"p_w{len(weights)}"] = (f"w{len(weights)}", R.standard_normal((out, n)).astype("float32") / 4)
        return put("linear.default", [arg("input", tensor(x)), arg("weight", tensor(list(weights)[-1]))], (1, 4, out), module)

    x = put("mul.Tensor", [arg("self", tensor("x")), arg("other", {"as_float": 2.0})], (1, 4, width), "")
    for i in range(n_layers):
        at = f"layers.{i}"
        q, k, v = (linear(x, f"{at}.attn.{name}") for name in ("q_proj", "k_proj", "v_proj"))
        k = put("permute.default", [arg("self", tensor(k)), arg("dims", {"as_ints": [0, 2, 1]})], (1, width, 4), f"{at}.attn")
        s = put("matmul.default", [arg("self", tensor(q)), arg("other", tensor(k))], (1, 4, 4), f"{at}.attn")
        s = put("softmax.int", [arg("self", tensor(s)), arg("dim", {"as_int": -1})], (1, 4, 4), f"{at}.attn")
        y = put("matmul.default", [arg("self", tensor(s)), arg("other", tensor(v))], (1, 4, width), f"{at}.attn")
        y = linear(y, f"{at}.attn.out_proj")
        x = put("add.Tensor", [arg("self", tensor(x)), arg("other", tensor(y))], (1, 4, width), at)
        y = put("gelu.default", [arg("self", tensor(linear(x, f"{at}.ff.0", 4 * width)))], (1, 4, 4 * width), f"{at}.ff.1")
        x = put("add.Tensor", [arg("self", tensor(x)), arg("other", tensor(linear(y, f"{at}.ff.2")))], (1, 4, width), at)
    return program({"x": (1, 4, width)}, weights, nodes, values, [x]), weights


def dotted(module):
    """As torch 2.5 and later write it."""
    entries = ["L__self__,,a.Encoder"]
    parts = module.split(".") if module else []
    for i in range(len(parts)):
        path = ".".join(parts[:i + 1])
        entries.append(f"L__self___{path.replace('.', '_')},{path},torch.nn.modules.linear.Linear")
    return ";".join(entries)


def called(module):
    """As the tracer of earlier ones does: an expression of Python, with commas in it."""
    parts = module.split(".") if module else []
    path = "L['self']"
    for part in parts:
        path = f"getattr({path}, '{part}')" if part.isdigit() else f"{path}.{part}"
    return ";".join(["L__self__,L['self'],a.Encoder"] + ([f"L__self___{module.replace('.', '_')},{path},a.Module"] if parts else []))


class Pt2(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "model.pt2")

    def tearDown(self):
        self.folder.cleanup()

    def test_mlp(self):
        model, weights = mlp()
        x = R.standard_normal((2, 4)).astype("float32")
        for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            archive(self.path, model, weights, compression=compression)
            np.testing.assert_allclose(run(self.path, x), mlp_numpy(x, weights), rtol=1e-5, atol=1e-5)

    def test_strides(self):
        """A weight that is kept transposed and behind something else in its storage."""
        model, weights = mlp()
        x = R.standard_normal((2, 4)).astype("float32")
        wanted = mlp_numpy(x, weights)
        name, array = weights["p_0_weight"]
        kept = np.concatenate([np.zeros(3, "float32"), array.T.ravel()])
        weights["p_0_weight"] = (name, kept)
        archive(self.path, model, weights, {name: meta((5, 4), strides=[1, 5], offset=3), "0.bias": meta((5,)), "2.weight": meta((3, 5))})
        np.testing.assert_allclose(run(self.path, x), wanted, rtol=1e-5, atol=1e-5)

    def test_arguments(self):
        """Lists, keywords, types, several results, a list of tensors, two outputs."""
        nodes = [node("view.default", [arg("self", tensor("x")), arg("size", {"as_ints": [3, 8]})], [tensor("view")]),
                 node("split.Tensor", [arg("self", tensor("view")), arg("split_size", {"as_int": 4}), arg("dim", {"as_int": 1})], [{"as_tensors": [{"name": "a"}, {"name": "b"}]}]),
                 node("cat.default", [arg("tensors", {"as_tensors": [{"name": "b"}, {"name": "a"}]}), arg("dim", {"as_int": 1})], [tensor("cat")]),
                 node("softmax.int", [arg("self", tensor("cat")), arg("dim", {"as_int": -1})], [tensor("softmax")]),
                 node("mean.dim", [arg("self", tensor("softmax")), arg("dim", {"as_ints": [0]}), arg("keepdim", {"as_bool": True})], [tensor("mean")])]
        model = program({"x": (2, 3, 4)}, {}, nodes, {"view": (3, 8), "a": (3, 4), "b": (3, 4), "cat": (3, 8), "softmax": (3, 8), "mean": (1, 8)}, ["softmax", "mean"])
        archive(self.path, model, {})
        x = R.standard_normal((2, 3, 4)).astype("float32")
        v = x.reshape(3, 8)
        e = np.exp(np.concatenate([v[:, 4:], v[:, :4]], 1))
        soft = e / e.sum(-1, keepdims=True)
        got = run(self.path, x)
        np.testing.assert_allclose(got[0], soft, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(got[1], soft.mean(0, keepdims=True), rtol=1e-5, atol=1e-6)

    def test_saved(self):
        """Weights as torch.save keeps them: of torch 2.8, of before, by two languages of pickle; nodes that do not say what is given by name."""
        model, weights = mlp()
        x = R.standard_normal((2, 4)).astype("float32")
        for layout, protocol in (("2.8", 2), ("2.8", 4), ("2.7", 2)):
            if layout == "2.7":
                model["schema_version"] = {"major": 7, "minor": 3}
                for one in model["graph_module"]["graph"]["nodes"]:
                    for given in one["inputs"]:
                        given.pop("kind")
                for value in model["graph_module"]["graph"]["tensor_values"].values():
                    value["dtype"] = "FLOAT"
            saved(self.path, model, weights, layout=layout, protocol=protocol)
            np.testing.assert_allclose(run(self.path, x), mlp_numpy(x, weights), rtol=1e-5, atol=1e-5)

    def test_unknown(self):
        """What is not known stands as a call, with a sentence; the rest is there. With --no-unknown it is an error."""
        model, weights = mlp()
        nodes = model["graph_module"]["graph"]["nodes"]
        nodes[1]["target"] = "torch.ops.mine.strange.default"
        nodes[1]["inputs"].append(arg("how", {"as_custom_obj": {"name": "o", "class_fqn": "a.B"}}))
        archive(self.path, model, weights)
        result = imported(self.path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn('node 6 "relu" (call_function torch.ops.mine.strange.default)', result.stderr)
        self.assertIn('R.call_pure_packed("torch.mine.strange.default"', result.stdout)
        self.assertEqual(result.stdout.count("R.matmul"), 2)
        graph = subprocess.run([CLI, "graph", self.path, "--kind", "relax"], capture_output=True, text=True, check=False)
        self.assertEqual(graph.returncode, 0, graph.stderr)
        self.assertIn("strange", graph.stdout)
        strict = imported(self.path, "--no-unknown")
        self.assertEqual(strict.returncode, 1)
        self.assertIn("strange", strict.stderr)
        split = node("strange.Tensor", [arg("self", tensor("x"))], [{"as_tensors": [{"name": "a"}, {"name": "b"}]}])
        archive(self.path, program({"x": (2, 4)}, {}, [split, node("add.Tensor", [arg("self", tensor("a")), arg("other", tensor("b"))], [tensor("c")])],
                                   {"a": (2, 4), "b": (2, 4), "c": (2, 4)}, ["c"]), {})
        result = imported(self.path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("R.add", result.stdout)

    def test_regions(self):
        """What torch.no_grad() and torch.autocast(enabled=False) wrap stands where it is called: one in the other, with names that are taken, several results."""
        def graph_of(inputs, outputs, nodes, names):
            return {"inputs": [tensor(n) for n in inputs], "outputs": outputs, "nodes": nodes, "tensor_values": {n: meta((3, 5)) for n in names}, "sym_int_values": {},
                    "sym_bool_values": {}, "is_single_tensor_return": False, "custom_obj_values": {}}

        def higher(name, settings, graph, operands, outputs):
            inputs = [*settings, {"as_graph": {"name": "submod", "graph": graph}}, *operands]
            return {"target": "torch.ops.higher_order." + name, "inputs": [arg("", one) for one in inputs], "outputs": outputs, "metadata": {}}

        def model(enabled=False, wrap="wrap_with_set_grad_enabled", depth=1, inner_outputs=("add", "relu")):
            relu = node("relu.default", [arg("self", tensor("a"))], [tensor("relu")])
            double = node("add.Tensor", [arg("self", tensor("relu")), arg("other", tensor("relu"))], [tensor("add")])
            body = graph_of(["a"], [tensor(n) for n in inner_outputs], [relu, double], ["a", "relu", "add"])
            cast = higher("wrap_with_autocast", [{"as_string": "cpu"}, {"as_none": True}, {"as_bool": enabled}, {"as_none": True}], body, [tensor("a")], [tensor("both"), tensor("one")])
            less = node("sub.Tensor", [arg("self", tensor("both")), arg("other", tensor("one"))], [tensor("sub")])
            middle = graph_of(["a"], [{"as_tensors": [{"name": "sub"}]}], [cast, less], ["a", "both", "one", "sub"])
            call = higher(wrap, [{"as_bool": False}], middle, [tensor("x")], [{"as_tensors": [{"name": "relu"}]}])
            for _ in range(depth - 1):
                call = higher(wrap, [{"as_bool": False}], graph_of(["x"], [{"as_tensors": [{"name": "relu"}]}], [call], ["x", "relu"]), [tensor("x")], call["outputs"])
            last = node("add.Tensor", [arg("self", tensor("relu")), arg("other", tensor("x"))], [tensor("add")])
            return program({"x": (3, 5)}, {}, [call, last], {"relu": (3, 5), "add": (3, 5)}, ["add", "relu"])

        x = R.standard_normal((3, 5)).astype("float32")
        for depth in (1, 3):
            archive(self.path, model(depth=depth), {})
            got = run(self.path, x)
            np.testing.assert_allclose(got[0], np.maximum(x, 0) + x, rtol=1e-6)
            np.testing.assert_allclose(got[1], np.maximum(x, 0), rtol=1e-6)
        self.assertEqual("", imported(self.path, "--no-unknown").stderr)
        for wrong, words in ((model(enabled=True), "wrap_with_autocast"), (model(wrap="cond"), "torch.ops.higher_order.cond")):
            archive(self.path, wrong, {})
            result = imported(self.path)        # it stands as a call that is not known
            self.assertEqual(0, result.returncode, result.stderr)
            self.assertIn(words, result.stderr)
        for wrong, words in ((model(depth=40), "nested more than 64 deep"),
                             (model(inner_outputs=("add",)), "torch.ops.higher_order.wrap_with_autocast gives 2 values, its graph 1")):
            archive(self.path, wrong, {})
            result = imported(self.path)
            self.assertEqual(1, result.returncode)
            self.assertIn(words, result.stderr)

    def test_extents(self):
        """An extent that is not fixed is a variable, with the bounds that the program demands; what is computed of it stands where it is used."""
        nodes = [node("sym_size.int", [arg("self", tensor("x")), arg("dim", {"as_int": 0})], [{"as_sym_int": {"as_name": "sym_size_int"}}]),
                 node("view.default", [arg("self", tensor("x")), arg("size", {"as_sym_ints": [{"as_name": "sym_size_int"}, {"as_int": 12}]})], [tensor("view")])]
        model = program({"x": (2, 3, 4)}, {}, nodes, {"view": (2, 12)}, ["view"])
        free = {"as_expr": {"expr_str": "s77", "hint": {"as_int": 2}}}
        graph = model["graph_module"]["graph"]
        graph["sym_int_values"] = {"sym_size_int": free}
        for name in ("x", "view"):
            graph["tensor_values"][name]["sizes"][0] = free
        model["range_constraints"] = {"s77": {"min_val": 2, "max_val": 64}, "s78": {"min_val": 0, "max_val": None}}
        archive(self.path, model, {})
        result = imported(self.path)
        self.assertEqual(result.stderr, "")
        self.assertIn('R.func_attr({"tir_var_lower_bound": {"s77": 2}, "tir_var_upper_bound": {"s77": 64}})', result.stdout)
        for n in (2, 5):
            x = R.standard_normal((n, 3, 4)).astype("float32")
            np.testing.assert_array_equal(run(self.path, x), x.reshape(n, 12))
        for text, wanted in (("2*s77", "2 * s77"), ("((s77//2))", "s77 // 2"), ("Max(1, s77 - 3)", "T.max(1, s77 - 3)"), ("Mod(s77, 4) + 1", "s77 % 4 + 1"), ("s77**2", "s77 * s77"),
                             ("Add(Mul(Integer(-2), Symbol('s77', positive=True, integer=True)), Integer(9))", "-2 * s77 + 9"), ("FloorDiv(Symbol('s77', integer=True), Integer(2))", "s77 // 2"),
                             ("Pow(Symbol('s77'), Integer(2))", "s77 * s77"), ("Max(1, Symbol('s77'))", "T.max(1, s77)")):
            graph["sym_int_values"] = {"sym_size_int": {"as_expr": {"expr_str": text, "hint": {"as_int": 2}}}}
            graph["nodes"][1] = node("full.default", [arg("size", {"as_sym_ints": [{"as_name": "sym_size_int"}, {"as_int": 3}]}), arg("fill_value", {"as_float": 1.0})], [tensor("view")])
            graph["tensor_values"]["view"]["sizes"] = [{"as_expr": {"expr_str": text, "hint": None}}, {"as_int": 3}]
            archive(self.path, model, {})
            self.assertIn(f"R.Tensor(({wanted}, 3)", imported(self.path).stdout, text)
        for text, sentence in (("u0", "u0 is no extent of an input: it is known only when the program runs"), ("s77 +", "an extent of s77 + cannot be written in Relax"),
                               ("Floor(s77)", "an extent of Floor(s77) cannot be written"), ("(" * 99, "cannot be written"), ("-" * 9999, "cannot be written"), ("s77**99", "cannot be written"), ("Symbol('s77", "cannot be written"),
                               ("Symbol(s77)", "cannot be written"), ("FloorDiv(s77)", "cannot be written"), ("Pow(s77, s77)", "cannot be written")):
            graph["sym_int_values"] = {"sym_size_int": {"as_expr": {"expr_str": text, "hint": {"as_int": 2}}}}
            archive(self.path, model, {})
            result = imported(self.path, "--no-unknown")
            self.assertEqual(result.returncode, 1, text)
            self.assertIn(sentence, result.stderr)

    def test_parts_of_tables(self):
        """mask[:n, :n] of a table of 32 x 32 has n rows, which a call looks at."""
        table = R.standard_normal((32, 32)).astype("float32")
        n = {"as_expr": {"expr_str": "s0", "hint": {"as_int": 4}}}
        upto = [arg("start", {"as_int": 0}), arg("end", {"as_sym_int": {"as_name": "n"}})]
        nodes = [node("sym_size.int", [arg("self", tensor("x")), arg("dim", {"as_int": 0})], [{"as_sym_int": {"as_name": "n"}}]),
                 node("slice.Tensor", [arg("self", tensor("b")), arg("dim", {"as_int": 0}), *upto], [tensor("rows")]),
                 node("slice.Tensor", [arg("self", tensor("rows")), arg("dim", {"as_int": 1}), *upto], [tensor("part")]),
                 node("add.Tensor", [arg("self", tensor("x")), arg("other", tensor("part"))], [tensor("sum")]),
                 node("transpose.int", [arg("self", tensor("sum")), arg("dim0", {"as_int": 0}), arg("dim1", {"as_int": 1})], [tensor("y")])]
        weights = {"b": ("mask", table)}
        model = program({"x": (4, 4)}, weights, nodes, {"rows": (4, 32), "part": (4, 4), "sum": (4, 4), "y": (4, 4)}, ["y"])
        values = model["graph_module"]["graph"]["tensor_values"]
        model["graph_module"]["graph"]["sym_int_values"] = {"n": n}
        for name, dims in (("x", (0, 1)), ("rows", (0,)), ("part", (0, 1)), ("sum", (0, 1)), ("y", (0, 1))):
            for dim in dims:
                values[name]["sizes"][dim] = n
        archive(self.path, model, weights)
        for k in (4, 9, 32):
            x = R.standard_normal((k, k)).astype("float32")
            np.testing.assert_allclose(run(self.path, x), (x + table[:k, :k]).T, rtol=1e-6)

    def test_untold_extent(self):
        """No call could tell s0 where an input has 2 * s0 alone."""
        model = program({"x": (4, 3)}, {}, [node("relu.default", [arg("self", tensor("x"))], [tensor("y")])], {"y": (4, 3)}, ["y"])
        for name in ("x", "y"):
            model["graph_module"]["graph"]["tensor_values"][name]["sizes"][0] = {"as_expr": {"expr_str": "2*s0", "hint": {"as_int": 4}}}
        archive(self.path, model, {})
        result = imported(self.path)
        self.assertEqual(result.returncode, 1)
        self.assertIn("no input has the extent s0, so that a call could not tell it", result.stderr)

    def test_numbers_of_a_run(self):
        """A fraction that only a run knows makes its node a call that is not known; the rest is there."""
        nodes = [node("item.default", [arg("self", tensor("x"))], [{"as_sym_float": {"as_name": "item"}}]),
                 node("mul.Tensor", [arg("self", tensor("x")), arg("other", {"as_sym_float": {"as_name": "item"}})], [tensor("y")]),
                 node("relu.default", [arg("self", tensor("y"))], [tensor("z")])]
        archive(self.path, program({"x": (2, 3)}, {}, nodes, {"y": (2, 3), "z": (2, 3)}, ["z"]), {})
        result = imported(self.path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("mul.Tensor", result.stderr)
        self.assertIn("R.nn.relu", result.stdout)

    def test_named(self):
        """A program under a name of its own, the weights' list called as in the specification, files of AOTInductor and sample inputs beside it."""
        model, weights = mlp()
        config = {"config": {full: {"path_name": f"weight_{i}", "is_param": True, "use_pickle": False, "tensor_meta": meta(array.shape)}
                             for i, (full, array) in enumerate(weights.values())}}
        plain = os.path.join(os.path.dirname(self.path), "plain.pt2")
        archive(plain, model, weights)
        for listed in ("classifier_weights_config.json", "classifier_model_param_config.json"):
            with zipfile.ZipFile(self.path, "w") as file:
                file.writestr("package/archive_format", "pt2")
                file.writestr("package/byteorder", "little")
                file.writestr("package/.data/version", "0")
                file.writestr("package/data/aotinductor/classifier/x.cpp", "int main;")
                file.writestr("package/data/sample_inputs/classifier.pt", b"what torch.save wrote")
                file.writestr("package/extra/note.json", "{}")
                file.writestr("package/models/classifier.json", json.dumps({**model, "torch_version": "2.9.0", "guards_code": [], "verifiers": ["TRAINING"]}))
                file.writestr("package/data/weights/" + listed, json.dumps(config))
                for i, (_, array) in enumerate(weights.values()):
                    file.writestr(f"package/data/weights/weight_{i}", array.tobytes())
            self.assertEqual(imported(self.path).stdout, imported(plain).stdout)
        os.remove(plain)

    def test_kinds(self):
        """Every kind of argument of the schema: what Relax has no word for is in an operator that is named, and the rest is shown."""
        kinds = {"as_complex": {"real": 1.0, "imag": 2.0}, "as_nested_tensors": [[{"name": "x"}]], "as_int_lists": [[1, 2], [3]], "as_string_to_argument": {"a": {"as_int": 1}},
                 "as_optional_tensors": [{"as_tensor": {"name": "x"}}, {"as_none": True}], "as_custom_obj": {"name": "c", "class_fqn": "a.B"}, "as_operator": "aten.add",
                 "as_sym_floats": [{"as_float": 1.0}], "as_bools": [True], "as_strings": ["a"], "as_device": {"type": "cpu", "index": None}, "as_layout": 7,
                 "as_memory_format": 1, "as_sym_bool": {"as_bool": True}, "as_optional_tensor": {"as_none": True}}
        for kind, value in kinds.items():
            nodes = [node("strange.default", [arg("self", tensor("x")), arg("more", {kind: value})], [tensor("y")]), node("relu.default", [arg("self", tensor("y"))], [tensor("z")])]
            archive(self.path, program({"x": (2, 4)}, {}, nodes, {"y": (2, 4), "z": (2, 4)}, ["z"]), {})
            result = imported(self.path)
            self.assertEqual(result.returncode, 0, kind + result.stderr)
            self.assertIn("strange", result.stderr, kind)
            self.assertIn("R.nn.relu", result.stdout, kind)

    def test_graph(self):
        model, weights = mlp()
        archive(self.path, model, weights)
        text = subprocess.run([CLI, "graph", self.path], capture_output=True, text=True, check=False)
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertIn("linear", text.stdout)

    def test_layers(self):
        """The module of each node names what it became, and the groups of the folded graph are the layers of the model; without it they are not."""
        for stacks in (dotted, called, lambda m: dotted(m).replace(",torch.nn", "@1,torch.nn")):       # @1: the second time that it is called
            model, weights = encoder(12, stacks)
            archive(self.path, model, weights)
            text = imported(self.path, "--no-meta").stdout
            self.assertIn("layers_3_attn_softmax", text)
            self.assertIn("layers_3_ff_1_gelu", text)
            self.assertIn("lv = R.multiply(x", text.replace(': R.Tensor((1, 4, 8), dtype="float32")', ""))
            folded = subprocess.run([CLI, "graph", self.path, "--fold", "40"], capture_output=True, text=True, check=True).stdout
            for i in range(12):
                self.assertRegex(folded, f"transformer layer · layers{'_' if stacks is called else '[.]'}{i} ")
            folded = subprocess.run([CLI, "graph", self.path, "--kind", "relax", "--fold", "40"], capture_output=True, text=True, check=True).stdout
            for i in range(12):
                self.assertIn(f"transformer layer · layers_{i} ", folded)
        model, weights = encoder(12, None)
        archive(self.path, model, weights)
        self.assertNotIn("layers_3", imported(self.path, "--no-meta").stdout)
        for stack in ("", ";", ",", "a", "a,b", ",,", "L__self__,,x;", "x,\n,y", 7, None):         # and what says nothing is no error
            model, weights = encoder(1, lambda m, stack=stack: stack)
            archive(self.path, model, weights)
            self.assertEqual(imported(self.path).returncode, 0, stack)

    def test_refused(self):
        def change(word, **more):
            model, weights = mlp()
            more.get("model", lambda m: None)(model)
            archive(self.path, model, weights, more.get("metas"))
            more.get("file", lambda: None)()
            result = imported(self.path)
            self.assertEqual(result.returncode, 1, word)
            self.assertIn(word, result.stderr)
            self.assertNotIn("CRITICAL", result.stderr)

        def pickled():
            config = {"config": {"0.weight": {"path_name": "weight_0", "is_param": True, "use_pickle": True, "tensor_meta": None}}}
            model, _ = mlp()
            with zipfile.ZipFile(self.path, "w") as file:
                file.writestr("m/models/model.json", json.dumps(model))
                file.writestr("m/data/weights/model_weights_config.json", json.dumps(config))

        def running():
            """A pickle that would run something."""
            model, weights = mlp()
            saved(self.path, model, weights, pickle.dumps({"0.weight": Evil()}, protocol=2))

        def text():
            with open(self.path, "w", encoding="utf-8") as file:
                file.write("no archive")

        change("version 9 of the schema", model=lambda m: m["schema_version"].update(major=9))
        change("has no graph_module with graph and signature", model=lambda m: m.pop("graph_module"))
        change("less than its shape needs", metas={"0.weight": meta((50, 4)), "0.bias": meta((5,)), "2.weight": meta((3, 5))})
        change("the archive has no values for the weight 0.weight", file=pickled)
        change("which is not done", file=running)
        self.assertFalse(os.path.exists(Evil.TRACE))
        change("a zip archive is expected", file=text)

    def test_damaged(self):
        """A byte changed, or the end cut off: a sentence or the right program, never a crash."""
        model, weights = mlp()
        archive(self.path, model, weights)
        with open(self.path, "rb") as file:
            good = file.read()
        draw = random.Random(11)
        for i in range(60):
            bad = bytearray(good)
            if i % 3 == 0:
                bad = bad[:draw.randrange(len(bad))]
            else:
                for _ in range(1 + i % 4):
                    bad[draw.randrange(len(bad))] = draw.randrange(256)
            with open(self.path, "wb") as file:
                file.write(bad)
            result = imported(self.path, "--no-meta")
            self.assertIn(result.returncode, (0, 1), result.stderr)
            if result.returncode == 1:
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)


# ---- programs that are not saved: stand-ins with what torch 2.4 to 2.8 give an ExportedProgram ----------------------------

class Kind:
    def __init__(self, name):
        self.name = name


class Dtype:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return "torch." + self.name


Dtype.__name__ = "dtype"


class Symbol:
    """A SymInt."""

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name


class Fake:
    def __init__(self, shape, dtype="float32"):
        self.shape, self.dtype = tuple(shape), Dtype(dtype)


class Held:
    """A tensor of torch."""

    def __init__(self, array):
        self.array = np.asarray(array, "float32")

    detach = cpu = contiguous = lambda self: self

    def numpy(self):
        return self.array


class Overload:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return "aten." + self.name


class FxNode:
    def __init__(self, op, name, target, args=(), value=None, **kwargs):
        self.op, self.name, self.target, self.args, self.kwargs, self.meta = op, name, target, tuple(args), kwargs, {"val": value}


def spec(kind, name, target=None):
    return types.SimpleNamespace(kind=Kind(kind), arg=types.SimpleNamespace(name=name), target=target, persistent=None)


def live(nodes, inputs, outputs, state, constants=None, bounds=None):
    return types.SimpleNamespace(graph=types.SimpleNamespace(nodes=nodes), graph_module=types.SimpleNamespace(),
                                 graph_signature=types.SimpleNamespace(input_specs=inputs, output_specs=outputs),
                                 state_dict={name: Held(array) for name, array in state.items()},
                                 constants={name: Held(array) for name, array in (constants or {}).items()}, range_constraints=bounds or {})


def live_mlp(batch, bounds=None, middle="relu.default"):
    weights = {"fc.weight": R.standard_normal((5, 4)), "fc.bias": R.standard_normal(5), "shift": R.standard_normal(5)}
    held = {name: Held(array) for name, array in weights.items()}
    w, b, s = (FxNode("placeholder", name, name, value=Fake(shape)) for name, shape in (("p_fc_weight", (5, 4)), ("p_fc_bias", (5,)), ("c_shift", (5,))))
    x = FxNode("placeholder", "x", "x", value=Fake((batch, 4)))
    linear = FxNode("call_function", "linear", Overload("linear.default"), (x, w, b), Fake((batch, 5)))
    act = FxNode("call_function", "act", Overload(middle), (linear,), Fake((batch, 5)))
    add = FxNode("call_function", "add", Overload("add.Tensor"), (act, s), Fake((batch, 5)))
    out = FxNode("output", "output", "output", ((add,),))
    program_ = live([w, b, s, x, linear, act, add, out],
                    [spec("PARAMETER", "p_fc_weight", "fc.weight"), spec("PARAMETER", "p_fc_bias", "fc.bias"), spec("CONSTANT_TENSOR", "c_shift", "shift"), spec("USER_INPUT", "x")],
                    [spec("USER_OUTPUT", "add")], {name: weights[name] for name in ("fc.weight", "fc.bias")}, {"shift": weights["shift"]}, bounds)
    return program_, held


def compiled(mod, *arrays):
    machine = relax.VirtualMachine(relax.build(relax.transform.LegalizeOps()(mod), "llvm"), tvm.cpu())
    result = machine["main"](*[tvm.nd.array(np.asarray(a, "float32")) for a in arrays])
    return (result[0] if isinstance(result, (list, tuple)) or not hasattr(result, "numpy") else result).numpy()


class Live(unittest.TestCase):
    def expected(self, held, x):
        return np.maximum(x @ held["fc.weight"].array.T + held["fc.bias"].array, 0) + held["shift"].array

    def test_fixed(self):
        exported, held = live_mlp(3)
        mod = from_exported_program(exported)
        self.assertEqual([v.name_hint for v in mod["main"].params], ["x"])
        x = R.standard_normal((3, 4)).astype("float32")
        np.testing.assert_allclose(compiled(mod, x), self.expected(held, x), rtol=1e-5, atol=1e-5)

    def test_unwrapped(self):
        exported, _ = live_mlp(3)
        self.assertIsInstance(from_exported_program(exported)["main"].ret_struct_info, relax.TupleStructInfo)
        self.assertIsInstance(from_exported_program(exported, unwrap_unit_return_tuple=True)["main"].ret_struct_info, relax.TensorStructInfo)

    def test_params(self):
        """Weights are parameters behind what the user gives, in the order of the signature, and their values come beside."""
        exported, held = live_mlp(3)
        mod = from_exported_program(exported, keep_params_as_input=True, unwrap_unit_return_tuple=True)
        self.assertEqual([v.name_hint for v in mod["main"].params], ["x", "p_fc_weight", "p_fc_bias", "c_shift"])
        self.assertEqual(int(mod["main"].attrs["num_input"]), 1)
        mod, params = relax.frontend.detach_params(mod)
        self.assertEqual(len(params["main"]), 3)
        x = R.standard_normal((3, 4)).astype("float32")
        np.testing.assert_allclose(compiled(mod, x, *[p.numpy() for p in params["main"]]), self.expected(held, x), rtol=1e-5, atol=1e-5)

    def test_sizes(self):
        """A size that is not fixed is a variable, with the bounds that the program demands, and all sizes are computed right."""
        class Infinity:         # of torch 2.6, as sympy makes it
            def __int__(self):
                raise AttributeError("'Infinity' object has no attribute '_mpf_'")

        infinite = types.SimpleNamespace(lower=2, upper=Infinity())
        exported, held = live_mlp(Symbol("s0"), {Symbol("s0"): infinite})
        mod = from_exported_program(exported, unwrap_unit_return_tuple=True)
        self.assertEqual(str(mod["main"].params[0].struct_info.shape[0]), "s0")
        self.assertEqual({k: int(v) for k, v in mod["main"].attrs["tir_var_lower_bound"].items()}, {"s0": 2})
        self.assertNotIn("tir_var_upper_bound", mod["main"].attrs)
        for n in (2, 7):
            x = R.standard_normal((n, 4)).astype("float32")
            np.testing.assert_allclose(compiled(mod, x), self.expected(held, x), rtol=1e-5, atol=1e-5)

    def test_refused(self):
        exported, _ = live_mlp(3, middle="frobnicate.default")
        with self.assertRaisesRegex(Exception, 'node 6 "act".*frobnicate'):
            from_exported_program(exported)
        with self.assertRaisesRegex(TypeError, "takes what torch.export.export returns, which has graph, not int; a model that torch.fx traced is for from_fx"):
            from_exported_program(3)
        exported, _ = live_mlp(3)
        del exported.constants["shift"]
        with self.assertRaisesRegex(ValueError, 'node 3 "c_shift": the program has no value for shift'):
            from_exported_program(exported)
        for size, sentence in (("2*s0", "no input has the extent s0"), ("Floor(s0)", "an extent of Floor.s0. cannot be written in Relax")):
            exported, _ = live_mlp(Symbol(size))
            with self.assertRaisesRegex(Exception, sentence):
                from_exported_program(exported)
        exported, _ = live_mlp(3)
        exported.graph.nodes.insert(3, FxNode("placeholder", "n", "n", value=Symbol("s1")))
        with self.assertRaisesRegex(NotImplementedError, 'node 4 "n": an input that is a number and not fixed .s1. is not read'):
            from_exported_program(exported)

    def test_numbers(self):
        """Sizes as arguments, what is computed of them, as an operand beside a tensor; a number among the inputs that is fixed stands where it is used."""
        exported, held = live_mlp(Symbol("s0"))
        x, out = exported.graph.nodes[3], exported.graph.nodes[-1]
        size = FxNode("call_function", "sym_size_int", Overload("sym_size.int"), (x, 0), Symbol("s0"))
        view = FxNode("call_function", "view", Overload("view.default"), (exported.graph.nodes[6], (size, 5)), Fake((Symbol("s0"), 5)))
        out.args = ((view,),)
        twice = FxNode("call_function", "twice", operator.mul, (size, 5), Symbol("5*s0"))
        flat = FxNode("call_function", "flat", Overload("view.default"), (view, (twice,)), Fake((Symbol("5*s0"),)))
        many = FxNode("call_function", "many", Overload("mul.Tensor"), (flat, size), Fake((Symbol("5*s0"),)))
        k = FxNode("placeholder", "k", "k", value=7)
        more = FxNode("call_function", "more", Overload("add.Tensor"), (many, k), Fake((Symbol("5*s0"),)))
        out.args = ((more,),)
        exported.graph.nodes[-1:] = [size, view, twice, flat, many, more, out]
        exported.graph.nodes.insert(4, k)
        mod = from_exported_program(exported, unwrap_unit_return_tuple=True)
        self.assertEqual([v.name_hint for v in mod["main"].params], ["x"])
        for n in (2, 5):
            x = R.standard_normal((n, 4)).astype("float32")
            np.testing.assert_allclose(compiled(mod, x), self.expected(held, x).ravel() * n + 7, rtol=1e-5, atol=1e-5)

    def test_regions(self):
        """What torch.no_grad() and torch.autocast(enabled=False) wrap stands where it is called: one in the other, with names that are taken, several results."""
        class Higher:
            def __init__(self, name):
                self.name = name

            def __str__(self):
                return self.name

        def graph_of(*nodes):
            return types.SimpleNamespace(graph=types.SimpleNamespace(nodes=list(nodes)))

        exported, held = live_mlp(3)
        *inputs, linear, act, add, out = exported.graph.nodes
        a = FxNode("placeholder", "arg0", "arg0", value=Fake((3, 5)))
        relu = FxNode("call_function", "act", Overload("relu.default"), (a,), Fake((3, 5)))
        double = FxNode("call_function", "add", Overload("add.Tensor"), (relu, relu), Fake((3, 5)))
        inner = graph_of(a, relu, double, FxNode("output", "output", "output", ((double, relu),)))
        b = FxNode("placeholder", "arg0", "arg0", value=Fake((3, 5)))
        attr = FxNode("get_attr", "submod_1", "submod_1")
        cast = FxNode("call_function", "wrap_with_autocast", Higher("wrap_with_autocast"), ("cpu", None, False, None, attr, b))
        first = FxNode("call_function", "getitem", operator.getitem, (cast, 0), Fake((3, 5)))
        second = FxNode("call_function", "getitem_1", operator.getitem, (cast, 1), Fake((3, 5)))
        less = FxNode("call_function", "sub", Overload("sub.Tensor"), (first, second), Fake((3, 5)))
        outer = graph_of(b, attr, cast, first, second, less, FxNode("output", "output", "output", ((less,),)))
        outer.submod_1 = inner
        exported.graph_module.submod_3 = outer
        holder = FxNode("get_attr", "submod_3", "submod_3")
        grad = FxNode("call_function", "act", Higher("wrap_with_set_grad_enabled"), (False, holder, linear))
        item = FxNode("call_function", "getitem_7", operator.getitem, (grad, 0), Fake((3, 5)))
        add.args = (item, add.args[1])
        exported.graph.nodes[:] = [*inputs, linear, holder, grad, item, add, out]
        x = R.standard_normal((3, 4)).astype("float32")
        np.testing.assert_allclose(compiled(from_exported_program(exported, unwrap_unit_return_tuple=True), x), self.expected(held, x), rtol=1e-5, atol=1e-5)
        cast.args = ("cpu", None, True, None, attr, b)
        with self.assertRaisesRegex(NotImplementedError, 'node 6 "act_wrap_with_autocast": what stands under torch.autocast is not read'):
            from_exported_program(exported)
        grad.target = Higher("cond")
        with self.assertRaisesRegex(NotImplementedError, 'node 6 "act": cond, which has graphs of its own, is not read'):
            from_exported_program(exported)

    def test_mutation(self):
        """What a program writes to its buffers is no result, and that is said."""
        exported, held = live_mlp(3)
        exported.graph.nodes[-1].args = ((exported.graph.nodes[4], exported.graph.nodes[6]),)
        exported.graph_signature.output_specs.insert(0, spec("BUFFER_MUTATION", "linear", "fc.mean"))
        with self.assertWarnsRegex(UserWarning, "writes to fc.mean"):
            mod = from_exported_program(exported, unwrap_unit_return_tuple=True)
        x = R.standard_normal((3, 4)).astype("float32")
        np.testing.assert_allclose(compiled(mod, x), self.expected(held, x), rtol=1e-5, atol=1e-5)


if __name__ == "__main__":
    tap.main()
