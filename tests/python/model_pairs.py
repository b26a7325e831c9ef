"""Two models side by side, by the command line: a weight, an operator, a size is changed, and what is told of the pair follows."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np

import onnx_file as F
import pt2
import tap

CLI = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli")
DRAW = np.random.default_rng(11)


def weights(hidden=5):
    return {"p_0_weight": ("fc1.weight", DRAW.random((hidden, 4)).astype("float32")), "p_0_bias": ("fc1.bias", DRAW.random(hidden).astype("float32") + 2),
            "p_2_weight": ("fc2.weight", DRAW.random((3, hidden)).astype("float32"))}


def exported(path, parts, act="relu.default"):
    """x fc1^T + bias, an activation, fc2^T, + 0.5, as torch.export writes it.  With these numbers nothing is cut off at 0 for most inputs."""
    hidden, t, a = parts["p_0_bias"][1].size, pt2.tensor, pt2.arg
    nodes = [pt2.node("linear.default", [a("input", t("x")), a("weight", t("p_0_weight")), a("bias", t("p_0_bias"))], [t("h")]),
             pt2.node(act, [a("self", t("h"))], [t("r")]),
             pt2.node("linear.default", [a("input", t("r")), a("weight", t("p_2_weight"))], [t("g")]),
             pt2.node("add.Tensor", [a("self", t("g")), a("other", {"as_float": 0.5})], [t("y")])]
    pt2.archive(path, pt2.program({"x": (2, 4)}, parts, nodes, {"h": (2, hidden), "r": (2, hidden), "g": (2, 3), "y": (2, 3)}, ["y"]), parts)


def onnx(path, parts, act="Relu", dtype="float32"):
    first, bias, second = (x.astype(dtype) for _, x in parts.values())
    nodes = [F.node("Gemm", ["x", "fc1.weight", "fc1.bias"], ["h"], transB=1), F.node(act, ["h"], ["r"]), F.node("Gemm", ["r", "fc2.weight"], ["g"], transB=1),
             F.node("Add", ["g", "half"], ["y"])]
    with open(path, "wb") as file:
        file.write(F.model(nodes, [("x", dtype, (2, 4))], ["y"], {"fc1.weight": first, "fc1.bias": bias, "fc2.weight": second, "half": np.array(0.5, dtype)}))


def products(n, m):
    """Two products of matrices in a row, of n and of m columns."""
    return f'''@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((32, 32), "float32"), a: R.Tensor((32, {n}), "float32"), b: R.Tensor((32, {m}), "float32")):
        with R.dataflow():
            first = R.matmul(x, a)
            other = R.matmul(x, b)
            out = (first, other)
            R.output(out)
        return out
'''


class Pairs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = lambda name: os.path.join(self.folder.name, name)

    def tearDown(self):
        self.folder.cleanup()

    def compare(self, left, right, *options):
        result = subprocess.run([CLI, "graph", self.path(left), "--compare", self.path(right), "--kind", "relax", "--json", *options], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout), result.stderr

    def test_two_roads(self):
        """The same model as ONNX and as torch.export has every call twice, and the same values."""
        parts = weights()
        exported(self.path("a.pt2"), parts)
        onnx(self.path("a.onnx"), parts)
        for pair in (("a.pt2", "a.onnx"), ("a.onnx", "a.pt2")):
            told, said = self.compare(*pair, "--values")
            self.assertEqual((told["score"], told["only_left"], told["only_right"], said), (1.0, [], [], ""))
            self.assertEqual([row["error"] for row in told["rows"]], [0.0] * 7)

    def test_weight(self):
        """One weight is changed: what comes before it is equal, it differs by as much as it was changed, and what is computed with it differs."""
        parts = weights()
        other = dict(parts)
        array = parts["p_2_weight"][1].copy()
        array[1] += np.float32(0.25)
        other["p_2_weight"] = ("fc2.weight", array)
        for write, name in ((exported, ".pt2"), (onnx, ".onnx")):
            write(self.path("a" + name), parts)
            write(self.path("b" + name), other)
            rows = self.compare("a" + name, "b" + name, "--values")[0]["rows"]
            errors = [row["error"] for row in rows]
            self.assertEqual(errors[:4], [0.0] * 4)
            self.assertAlmostEqual(errors[4], 0.25, 5)
            self.assertIn(", 1]", rows[4]["place"])
            self.assertGreater(errors[5], 0.25)
            self.assertAlmostEqual(errors[5], errors[6], 4)

    def test_operator(self):
        parts = weights()
        for write, name, act in ((exported, ".pt2", "tanh.default"), (onnx, ".onnx", "Tanh")):
            write(self.path("a" + name), parts)
            write(self.path("b" + name), parts, act)
            told, _ = self.compare("a" + name, "b" + name, "--values")
            self.assertLess(told["score"], 1.0)
            self.assertEqual((len(told["only_left"]), len(told["only_right"])), (1, 1), told)
            self.assertEqual(sum(match["kind"] == "same" for match in told["matches"]) + sum(match["kind"] == "changed" for match in told["matches"]), 6)

    def test_times(self):
        """The product that became larger is the first row, with a change of about what it costs more."""
        for name, sizes in (("a.py", (32, 32)), ("b.py", (32, 4096)), ("c.py", (4096, 32))):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(products(*sizes))
        for other, which in (("b.py", "other"), ("c.py", "first")):
            told, _ = self.compare("a.py", other, "--times", "--repeat", "5")
            first = told["rows"][0]
            self.assertTrue(first["left"].endswith("/" + which), told["rows"])
            self.assertGreater(first["right_ns"], 8 * first["left_ns"])
            self.assertAlmostEqual(first["change_ns"], first["right_ns"] - first["left_ns"], 3)
            changes = [abs(row["change_ns"]) for row in told["rows"] if row.get("change_ns") is not None]
            self.assertEqual(changes, sorted(changes, reverse=True))

    def test_memory(self):
        """The plan of a model that is ten times as wide: its peak by hand."""
        for hidden in (5, 50):
            exported(self.path("a.pt2"), weights(hidden))
            result = subprocess.run([CLI, "graph", self.path("a.pt2"), "--kind", "relax", "--memory", "--json"], capture_output=True, text=True, check=True)
            plan = json.loads(result.stdout)
            self.assertEqual(plan["peak"], max(4 * (4 * hidden + 2 * hidden), 4 * (2 * hidden + 3 * hidden + 6)))      # fc1^T and x fc1^T, or r, fc2^T and their product
            self.assertEqual(plan["fixed"], 4 * (2 * 4 + hidden * 4 + hidden + hidden * 3 + 1))

    def test_unpaired(self):
        """Parameters that have no counterpart get numbers of their own, and that is said."""
        parts = weights()
        exported(self.path("a.pt2"), parts)
        onnx(self.path("a.onnx"), parts)
        text = subprocess.run([CLI, "import", self.path("a.onnx")], capture_output=True, text=True, check=True).stdout
        with open(self.path("a.py"), "w", encoding="utf-8") as file:
            file.write(text)
        _, said = self.compare("a.pt2", "a.py", "--values")
        self.assertIn("random numbers of their own", said)


if __name__ == "__main__":
    tap.main()
