"""Archives of torch.export (.pt2), written here by the schema without torch: what they compute beside numpy, and what is said of damaged ones."""
import json
import os
import random
import subprocess
import tempfile
import unittest
import zipfile

import numpy as np

import tap
import tvm
from tvm import relax

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


def imported(path, *options):
    return subprocess.run([CLI, "import", path, *options], capture_output=True, text=True, check=False)


def run(path, *arrays):
    result = imported(path)
    assert result.returncode == 0, result.stderr
    vm = relax.VirtualMachine(relax.build(tvm.script.from_source(result.stdout), "llvm"), tvm.cpu())
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

    def test_graph(self):
        model, weights = mlp()
        archive(self.path, model, weights)
        text = subprocess.run([CLI, "graph", self.path], capture_output=True, text=True, check=False)
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertIn("linear", text.stdout)

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

        def strange(model):
            model["graph_module"]["graph"]["nodes"][1]["target"] = "torch.ops.aten.strange.default"

        def pickled():
            config = {"config": {"0.weight": {"path_name": "weight_0", "is_param": True, "use_pickle": True, "tensor_meta": None}}}
            model, _ = mlp()
            with zipfile.ZipFile(self.path, "w") as file:
                file.writestr("m/models/model.json", json.dumps(model))
                file.writestr("m/data/weights/model_weights_config.json", json.dumps(config))

        def old():
            with zipfile.ZipFile(self.path, "w") as file:
                file.writestr("serialized_exported_program.json", "{}")

        def text():
            with open(self.path, "w", encoding="utf-8") as file:
                file.write("no archive")

        change("strange", model=strange)
        change("version 7 of the schema", model=lambda m: m["schema_version"].update(major=7))
        change("has no graph_module with graph and signature", model=lambda m: m.pop("graph_module"))
        change("less than its shape needs", metas={"0.weight": meta((50, 4)), "0.bias": meta((5,)), "2.weight": meta((3, 5))})
        change("kept by pickle", file=pickled)
        change("before 2.8", file=old)
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


if __name__ == "__main__":
    tap.main()
