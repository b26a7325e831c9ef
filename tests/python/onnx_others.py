"""Files of ONNX that others write: the cases of the onnx package (Debian's python3-onnx, 1.12: opset 17), each operator with what its makers computed by
numpy; models put together by onnx.helper; and our own files before its checker."""
import unittest
import warnings

import numpy as np

import onnx_file as F
import tap
import tvm
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

for name, kind in (("float", float), ("int", int), ("bool", bool), ("object", object)):        # which the cases of 1.12 write, and numpy has no more
    if name not in np.__dict__:
        setattr(np, name, kind)
try:
    import onnx
    from onnx import checker, helper, numpy_helper
    from onnx.backend.test.case.node import collect_testcases
except ImportError:
    onnx = None

# What is imported and then cannot be built or run, each with a sentence: texts, bfloat16 in numpy's clothes, and what the operators of Relax do not do.
NOT_RUN = {"cast_STRING_to_FLOAT", "cast_BFLOAT16_to_FLOAT", "castlike_FLOAT_to_STRING", "castlike_STRING_to_FLOAT", "castlike_STRING_to_FLOAT_expanded",
           "castlike_FLOAT_to_BFLOAT16", "castlike_FLOAT_to_BFLOAT16_expanded", "castlike_BFLOAT16_to_FLOAT", "castlike_BFLOAT16_to_FLOAT_expanded"}

DRAWN = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}


def run(mod, arrays):
    result = relax.VirtualMachine(relax.build(mod, tap.LLVM), tvm.cpu())["main"](*[tvm.nd.array(x) for x in arrays])
    return [result.numpy()] if hasattr(result, "numpy") else [x.numpy() for x in result]


def with_known_shapes(case):
    """The model with its lists of numbers that say how (shapes, axes, sizes, scales) as weights, which is what exporters write; and what is left to hand over."""
    model, rest = type(case.model)(), []
    model.CopyFrom(case.model)
    for i, (info, array) in enumerate(zip(list(model.graph.input), case.data_sets[0][0])):
        if (i > 0 and array.dtype == np.int64 or info.name in ("scales", "roi")) and array.ndim <= 1:
            model.graph.initializer.append(numpy_helper.from_array(array, info.name))
            model.graph.input.remove(info)
        else:
            rest.append(array)
    return model, rest


def are_same(found, expected):
    return len(found) == len(expected) and all(
        a.shape == b.shape and a.dtype == b.dtype and np.allclose(a, b, 1e-3, 1e-4, equal_nan=True) for a, b in zip(found, expected))


@unittest.skipIf(onnx is None, "python3-onnx is not installed")
class Others(unittest.TestCase):
    def test_cases(self):
        same, wrong, refused, not_run, operators = 0, [], 0, set(), set()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cases = collect_testcases(None) if collect_testcases.__code__.co_argcount else collect_testcases()
        for case in cases:
            inputs, expected = case.data_sets[0]
            if not all(isinstance(x, np.ndarray) for x in [*inputs, *expected]):       # sequences, optional values
                continue
            model, rest = with_known_shapes(case)
            try:
                mod = from_onnx(model)
            except Exception as error:
                refused += 1
                self.assertRegex(str(error), r"^the model: .*[a-z]")                   # a sentence, which names the node where it is one
                if "node" in str(error):
                    self.assertTrue(any(f"({node.op_type}" in str(error) for node in model.graph.node), str(error))
                continue
            try:
                found = run(mod, rest)
            except Exception as error:
                self.assertGreater(len(str(error)), 20)
                not_run.add(case.name[len("test_"):])
                continue
            drawn = DRAWN & {node.op_type for node in model.graph.node}               # other numbers, of the same kind
            if are_same([np.zeros_like(x) for x in found], [np.zeros_like(x) for x in expected]) if drawn else are_same(found, expected):
                same += 1
                operators |= {node.op_type for node in model.graph.node}
            else:
                wrong.append(case.name)
        print(f"# {same} cases with {len(operators)} operators are as the makers of ONNX say, {refused} refused by a sentence, {len(not_run)} not run")
        self.assertEqual(wrong, [])
        self.assertEqual(not_run - NOT_RUN, set())
        self.assertGreaterEqual(same, 697)
        self.assertLessEqual(refused, 59)

    def test_helper(self):
        """A model that onnx.helper wrote and its checker found good, in each opset that it can say."""
        rng = np.random.default_rng(3)
        x, w, b = (rng.standard_normal(s).astype("float32") for s in ((4, 16), (16, 8), (8,)))
        for opset in (13, 14, 15, 16, 17):
            with self.subTest(opset):
                info = helper.make_tensor_value_info
                graph = helper.make_graph(
                    [helper.make_node("Gemm", ["x", "w", "b"], ["h"], name="dense"), helper.make_node("Relu", ["h"], ["r"]), helper.make_node("Softmax", ["r"], ["y"], axis=-1)],
                    "net", [info("x", onnx.TensorProto.FLOAT, ["n", 16])], [info("y", onnx.TensorProto.FLOAT, ["n", 8])],
                    [numpy_helper.from_array(w, "w"), numpy_helper.from_array(b, "b")])
                model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
                checker.check_model(model)
                e = np.exp(np.maximum(x @ w + b, 0) - np.maximum(x @ w + b, 0).max(-1, keepdims=True))
                np.testing.assert_allclose(run(from_onnx(model), [x])[0], e / e.sum(-1, keepdims=True), 1e-4, 1e-5)

    def test_ours(self):
        """What our tests write is a file of ONNX by its own checker, and says the same to it."""
        w = np.arange(12, dtype="float32").reshape(4, 3)
        data = F.model([F.node("MatMul", ["x", "w"], ["h"]), F.node("LeakyRelu", ["h"], ["y"], alpha=0.3), F.node("Transpose", ["y"], ["z"], perm=[1, 0])],
                       [("x", "float32", (2, 4))], [("z", "float32", (3, 2))], {"w": w})
        model = onnx.load_from_string(data)
        checker.check_model(model, full_check=True)
        self.assertEqual([n.op_type for n in model.graph.node], ["MatMul", "LeakyRelu", "Transpose"])
        self.assertEqual(list(model.graph.node[2].attribute[0].ints), [1, 0])
        np.testing.assert_array_equal(numpy_helper.to_array(model.graph.initializer[0]), w)
        with self.assertRaises(Exception):                                             # it is no checker that lets everything pass
            checker.check_model(onnx.load_from_string(F.model([F.node("NoSuch", ["x"], ["z"])], [("x", "float32", (2, 4))], [("z", "float32", (2, 4))])))


class Wrong(unittest.TestCase):
    """What the cases above found to be wrong, without them."""

    def test_statistics_at_run_time(self):
        """batch_norm that is not in training takes the statistics that it is given, also where they are no constants."""
        rng = np.random.default_rng(5)
        x, parts = rng.standard_normal((2, 3, 4, 5)).astype("float32"), [rng.random(3).astype("float32") + 0.5 for _ in range(4)]
        names = ["scale", "bias", "mean", "var"]
        data = F.model([F.node("BatchNormalization", ["x", *names], ["y"])], [("x", "float32", x.shape)] + [(n, "float32", (3,)) for n in names], ["y"])
        scale, bias, mean, var = (p.reshape(1, 3, 1, 1) for p in parts)
        np.testing.assert_allclose(run(from_onnx(data), [x, *parts])[0], scale * (x - mean) / np.sqrt(var + 1e-5) + bias, 1e-4, 1e-5)

    def test_resize_places(self):
        """The nearest pixel, where two are equally near and where the result is a whole number of times larger."""
        x = np.arange(1, 17, dtype="float32").reshape(1, 1, 4, 4)
        for how, mode in (("half_pixel", "round_prefer_floor"), ("half_pixel", "round_prefer_ceil"), ("asymmetric", "round_prefer_ceil"), ("asymmetric", "round_prefer_floor"),
                          ("asymmetric", "ceil"), ("asymmetric", "floor")):
            for out in (7, 8, 10, 12):
                with self.subTest(f"{how} {mode} {out}"):
                    at = np.array([((2 * i + 1) * 4 - out) / (2 * out) if how == "half_pixel" else i * 4 / out for i in range(out)])
                    places = {"round_prefer_floor": np.ceil(at - 0.5), "round_prefer_ceil": np.floor(at + 0.5), "ceil": np.ceil(at), "floor": np.floor(at)}[mode]
                    places = np.clip(places, 0, 3).astype(int)
                    data = F.model([F.node("Resize", ["x", "", "", "sizes"], ["y"], mode="nearest", coordinate_transformation_mode=how, nearest_mode=mode)],
                                   [("x", "float32", x.shape)], ["y"], {"sizes": np.array([1, 1, out, out], "int64")})
                    np.testing.assert_array_equal(run(from_onnx(data), [x])[0], x[:, :, places][:, :, :, places])


if __name__ == "__main__":
    tap.main()
