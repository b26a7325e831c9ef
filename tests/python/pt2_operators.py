"""Operators of programs of torch.export as torch 2.6 writes them, before and behind run_decompositions(): names with an overload, arguments in the order of
aten, several results, numbers that JSON has not; what they compute beside numpy."""
import os
import subprocess
import tempfile
import unittest

import numpy as np

import tap
from pt2 import CLI, TYPES, arg, archive, imported, meta, node, program, run, tensor

R = np.random.default_rng(8)


def some(*shape):
    return R.standard_normal(shape).astype("float32")


def value(x):
    """An argument by what it is."""
    if x is None:
        return {"as_none": True}
    if isinstance(x, str) and x.startswith("="):
        return {"as_string": x[1:]}
    if isinstance(x, str):
        return tensor(x)
    if isinstance(x, bool):
        return {"as_bool": x}
    if isinstance(x, int):
        return {"as_int": x}
    if isinstance(x, float):
        return {"as_float": x}
    if any(item is None for item in x):
        return {"as_optional_tensors": [{"as_none": True} if item is None else {"as_tensor": {"name": item}} for item in x]}
    if all(isinstance(item, str) for item in x):
        return {"as_tensors": [{"name": item} for item in x]}
    return {"as_floats" if any(isinstance(item, float) for item in x) else "as_ints": x}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def conv(x, w, stride, pad):
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    n = (x.shape[2] - w.shape[2]) // stride + 1
    out = np.zeros((x.shape[0], w.shape[0], n, n))
    for i in range(n):
        for j in range(n):
            out[:, :, i, j] = np.einsum("bchw,ochw->bo", x[:, :, i * stride:i * stride + w.shape[2], j * stride:j * stride + w.shape[3]], w)
    return out


def conv_transposed(x, w, stride):
    out = np.zeros((x.shape[0], w.shape[1], (x.shape[2] - 1) * stride + w.shape[2], (x.shape[3] - 1) * stride + w.shape[3]))
    for i in range(x.shape[2]):
        for j in range(x.shape[3]):
            out[:, :, i * stride:i * stride + w.shape[2], j * stride:j * stride + w.shape[3]] += np.einsum("bi,iohw->bohw", x[:, :, i, j], w)
    return out


class Operators(unittest.TestCase):
    def model_of(self, inputs, calls):
        """inputs: name -> array; calls: (target, arguments, by name, results: arrays or None for one that is not used); the model, and what of whom it gives."""
        nodes, values, results, wanted = [], {}, [], []
        for i, (target, arguments, named, outcomes) in enumerate(calls):
            names = [f"v{i}_{k}" for k in range(len(outcomes))]
            nodes.append(node(target, [arg(f"a{k}", value(x)) for k, x in enumerate(arguments)] + [arg(key, value(x), True) for key, x in named.items()],
                              [{"as_tensors": [{"name": name} for name in names]}] if target.startswith("broadcast") else [tensor(name) for name in names]))
            for name, outcome in zip(names, outcomes):
                if outcome is not None:
                    results.append(name)
                    wanted.append((target, outcome))
        model = program({name: x.shape for name, x in inputs.items()}, {}, nodes, values, results)
        for name, x in inputs.items():
            model["graph_module"]["graph"]["tensor_values"][name] = meta(x.shape, TYPES[str(x.dtype)])
        return model, wanted

    def text(self, inputs, call):
        model, _ = self.model_of(inputs, [(*call, [0])])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.pt2")
            archive(path, model, {})
            return imported(path).stdout

    def check(self, inputs, calls):
        """What the calls give, beside what they are to give."""
        model, wanted = self.model_of(inputs, calls)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.pt2")
            archive(path, model, {})
            got = run(path, *inputs.values())
        for have, (target, want) in zip(got if isinstance(got, list) else [got], wanted):
            want = np.asarray(want)
            self.assertEqual(have.shape, want.shape, target)
            self.assertEqual(str(have.dtype), str(want.dtype) if want.dtype != "float64" else "float32", target)
            np.testing.assert_allclose(have, want, rtol=2e-5, atol=2e-5, err_msg=target)

    def test_overloads(self):
        """What an operator does hangs on its name, not on the overload behind it: min was max, ones were zeros, std was var, a convolution a transposed one."""
        x, m, w = some(2, 3), some(3, 4), some(4, 2, 3, 3)
        p = some(1, 2, 7, 7)
        self.check({"x": x, "m": m, "w": w, "p": p}, [
            ("max.default", ["x"], {}, [x.max()]), ("min.default", ["x"], {}, [x.min()]),
            ("max.dim", ["x", 1], {}, [x.max(1), x.argmax(1)]), ("min.dim", ["x", 0, True], {}, [x.min(0, keepdims=True), x.argmin(0)[None]]),
            ("maximum.default", ["x", "x"], {}, [x]), ("clamp_max.default", ["x", 0.25], {}, [np.minimum(x, 0.25)]), ("clamp_min.default", ["x", 0.25], {}, [np.maximum(x, np.float32(0.25))]),
            ("ones.default", [[2, 2]], {}, [np.ones((2, 2), "float32")]), ("zeros.default", [[2]], {}, [np.zeros(2, "float32")]),
            ("std.correction", ["x", [1]], {"correction": 1}, [x.std(1, ddof=1)]), ("var.correction", ["x", [1]], {"correction": 0}, [x.var(1)]),
            ("t.default", ["m"], {}, [m.T]), ("floor_divide.default", ["x", "x"], {}, [np.ones_like(x)]), ("sub.Tensor", ["x", "x"], {}, [x - x]),
            ("conv2d.default", ["p", "w", None, [2, 2], [1, 1]], {}, [conv(p, w, 2, 1)]), ("avg_pool2d.default", ["p", [7, 7]], {}, [p.mean((2, 3), keepdims=True)])])

    def test_text_of_tvm(self):
        """Where the numbers are the same the text is TVM's: no padding to take in, nothing to correct."""
        x, p = some(3, 4), some(2, 3, 8, 8)
        for call, given, text in ((("avg_pool2d.default", ["p", [2, 2], [2, 2]], {}), {"p": p}, "count_include_pad=False"), (("avg_pool2d.default", ["p", [2, 2], [2, 2], [1, 1]], {}), {"p": p}, "count_include_pad=True"),
                                  (("std.correction", ["x", [1]], {"correction": 0}), {"x": x}, "R.std(x"), (("var.correction", ["x", [1]], {"correction": 0}), {"x": x}, "R.variance(x"),
                                  (("std.dim", ["x", [1], False], {}), {"x": x}, "R.std(x")):
            self.assertIn(text, self.text(given, call))

    def test_orders(self):
        """Arguments in the order of aten; indices from the end; indices that leave out dimensions."""
        table, ids, x, at = some(5, 3), np.array([[4, 0], [1, 1]]), some(2, 3, 4), np.array([2, 0, 0])
        up, row, column = np.array([1, 0, 1]), np.array([0, 2]), np.array([[1, 3], [-1, 0]])
        mask, most = x > 0.5, x[..., 0] < 0.7
        self.check({"table": table, "ids": ids, "x": x, "at": at, "up": up, "row": row, "column": column, "mask": mask, "most": most}, [
            ("embedding.default", ["table", "ids"], {}, [table[ids]]), ("select.int", ["x", 1, -1], {}, [x[:, -1]]), ("select.int", ["x", -1, 2], {}, [x[..., 2]]),
            ("index.Tensor", ["x", [None, "at"]], {}, [x[:, at]]), ("index.Tensor", ["x", [None, "row", "column"]], {}, [x[:, row, column]]),
            ("index.Tensor", ["x", ["up", None, "at"]], {}, [x[up, :, at]]), ("index.Tensor", ["x", ["mask"]], {}, [x[mask]]), ("index.Tensor", ["x", ["most"]], {}, [x[most]]),
            ("tensordot.default", ["x", "x", [0, 1], [0, 1]], {}, [np.tensordot(x, x, ([0, 1], [0, 1]))])])

    def test_types(self):
        """torch's common type: float before int before bool, and a number that has a fraction makes an int a float."""
        f, i, b = some(2, 3), R.integers(-3, 3, (2, 3)), R.integers(0, 2, (2, 3)).astype("bool")
        self.check({"f": f, "i": i, "b": b}, [
            ("mul.Tensor", ["f", "i"], {}, [(f * i).astype("float32")]), ("sub.Tensor", ["i", "f"], {}, [(i - f).astype("float32")]), ("mul.Tensor", ["f", "b"], {}, [f * b]),
            ("add.Tensor", ["i", 0.5], {}, [(i + 0.5).astype("float32")]), ("add.Tensor", ["i", 2], {}, [i + 2]), ("where.self", ["b", "i", "f"], {}, [np.where(b, i, f).astype("float32")]),
            ("lt.Tensor", ["i", "f"], {}, [i < f]), ("sum.dim_IntList", ["b", [1]], {}, [b.sum(1)]), ("prod.default", ["b"], {}, [np.int64(b.prod())]), ("mean.dim", ["f", [0], True], {}, [f.mean(0, keepdims=True)])])

    def test_floats(self):
        """-Infinity and NaN, which Python's JSON writes and JSON has not, also where a text looks like one."""
        x, mask = some(2, 3), np.array([[True, False, False], [False, True, True]])
        y = np.array([[np.nan, 1, np.inf], [-np.inf, 0, 2]], "float32")
        self.check({"x": x, "mask": mask, "y": y}, [
            ("masked_fill.Scalar", ["x", "mask", float("-inf")], {}, [np.where(mask, -np.inf, x)]), ("full.default", [[2], float("inf")], {}, [np.array([np.inf, np.inf], "float32")]),
            ("full.default", [[1], float("nan")], {}, [np.array([np.nan], "float32")]), ("nan_to_num.default", ["y"], {}, [np.nan_to_num(y)]),
            ("nan_to_num.default", ["y", 7.0, 8.0, 9.0], {}, [np.nan_to_num(y, nan=7, posinf=8, neginf=9)]), ("gelu.default", ["x"], {"approximate": "=none", "why": "=a \"-Infinity\\"}, [None])])

    def test_decomposed(self):
        """What run_decompositions() leaves: the first result is the value, what comes behind it is for training."""
        x, g, b = some(2, 4, 6, 6), some(4), some(4)
        w, t = some(2, 4, 3, 3), some(4, 2, 3, 3)
        flat = x.reshape(2, 2, -1)
        normed = ((flat - flat.mean(-1, keepdims=True)) / np.sqrt(flat.var(-1, keepdims=True) + 1e-5)).reshape(x.shape) * g[:, None, None] + b[:, None, None]
        batch = (x - x.mean((0, 2, 3), keepdims=True)) / np.sqrt(x.var((0, 2, 3), keepdims=True) + 1e-5) * g[:, None, None] + b[:, None, None]
        rows = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
        hidden = np.where(np.arange(6) < 3, x, -np.inf).astype("float32")
        hidden[0, 0, 0] = -np.inf
        safe = softmax(np.where(np.isinf(hidden).all(-1, keepdims=True), 0, hidden)) * ~np.isinf(hidden).all(-1, keepdims=True)
        self.check({"x": x, "g": g, "b": b, "w": w, "t": t, "hidden": hidden}, [
            ("_softmax.default", ["x", -1, False], {}, [softmax(x)]), ("_log_softmax.default", ["x", 1, False], {}, [np.log(softmax(x, 1))]),
            ("_safe_softmax.default", ["hidden", -1], {}, [safe]),
            ("native_layer_norm.default", ["x", [6], None, None, 1e-5], {}, [rows, None, None]), ("native_group_norm.default", ["x", "g", "b", 2, 4, 36, 2, 1e-5], {}, [normed, None, None]),
            ("_native_batch_norm_legit.no_stats", ["x", "g", "b", True, 0.1, 1e-5], {}, [batch, None, None]),
            ("convolution.default", ["x", "w", None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1], {}, [conv(x, w, 1, 1)]),
            ("convolution.default", ["x", "t", None, [2, 2], [0, 0], [1, 1], True, [0, 0], 1], {}, [conv_transposed(x, t, 2)]),
            ("max_pool2d_with_indices.default", ["x", [2, 2], [2, 2]], {}, [x.reshape(2, 4, 3, 2, 3, 2).max((3, 5)), None]),
            ("_adaptive_avg_pool2d.default", ["x", [2, 3]], {}, [x.reshape(2, 4, 2, 3, 3, 2).mean((3, 5))]),
            ("constant_pad_nd.default", ["x", [1, 2], 3.0], {}, [np.pad(x, ((0, 0), (0, 0), (0, 0), (1, 2)), constant_values=3)]),
            ("reflection_pad1d.default", ["g", [1, 2]], {}, [None])])

    def test_rarer(self):
        x, y, r = some(3, 7), some(3, 7), some(1, 7)
        far = np.abs(x - y)
        self.check({"x": x, "y": y, "r": r}, [
            ("unfold.default", ["x", 1, 3, 2], {}, [np.stack([x[:, i:i + 3] for i in (0, 2, 4)], 1)]), ("mse_loss.default", ["x", "y"], {}, [np.float32(np.mean((x - y) ** 2))]),
            ("smooth_l1_loss.default", ["x", "y", 0, 0.5], {}, [np.where(far < 0.5, far * far, far - 0.25)]), ("huber_loss.default", ["x", "y", 2, 0.5], {}, [np.float32(np.where(far < 0.5, far * far / 2, 0.5 * (far - 0.25)).sum())]),
            ("heaviside.default", ["x", "y"], {}, [np.heaviside(x, y)]), ("broadcast_tensors.default", [["x", "r"]], {}, [x, np.broadcast_to(r, x.shape)])])

    def test_recurrent(self):
        """LSTM and GRU of two directions or layers, and plain ones, written out step by step."""
        x, h, c = some(2, 4, 3), some(2, 2, 5), some(2, 2, 5)

        def weights(gates, layer_in):
            return [some(gates * 5, layer_in), some(gates * 5, 5), some(gates * 5), some(gates * 5)]

        def lstm(xs, w, s, t):
            out = []
            for one in xs:
                i, f, g, o = np.split(one @ w[0].T + w[2] + s @ w[1].T + w[3], 4, -1)
                t = sigmoid(f) * t + sigmoid(i) * np.tanh(g)
                s = sigmoid(o) * np.tanh(t)
                out.append(s)
            return out, s, t

        def gru(xs, w, s):
            out = []
            for one in xs:
                a, d = np.split(one @ w[0].T + w[2], 3, -1), np.split(s @ w[1].T + w[3], 3, -1)
                z = sigmoid(a[1] + d[1])
                s = (1 - z) * np.tanh(a[2] + sigmoid(a[0] + d[0]) * d[2]) + z * s
                out.append(s)
            return out, s

        steps = [x[:, i] for i in range(4)]
        w = [weights(4, 3), weights(4, 3)]
        first, h1, c1 = lstm(steps, w[0], h[0], c[0])
        back, h2, c2 = lstm(steps[::-1], w[1], h[1], c[1])
        v = [weights(3, 3), weights(3, 5)]
        low, g1 = gru(steps, v[0], h[0])
        high, g2 = gru(low, v[1], h[1])
        u = some(5, 3), some(5, 5)
        plain, state = [], h[0]
        for one in steps:
            state = np.tanh(one @ u[0].T + state @ u[1].T)
            plain.append(state)
        names = {f"w{i}{k}": w[i][k] for i in range(2) for k in range(4)} | {f"v{i}{k}": v[i][k] for i in range(2) for k in range(4)} | {"u0": u[0], "u1": u[1], "one": h[:1]}
        self.check({"x": x, "h": h, "c": c, **names}, [
            ("lstm.input", ["x", ["h", "c"], [f"w{i}{k}" for i in range(2) for k in range(4)], True, 1, 0.0, False, True, True], {},
             [np.concatenate([np.stack(first, 1), np.stack(back[::-1], 1)], -1), np.stack([h1, h2]), np.stack([c1, c2])]),
            ("gru.input", ["x", "h", [f"v{i}{k}" for i in range(2) for k in range(4)], True, 2, 0.0, False, False, True], {}, [np.stack(high, 1), np.stack([g1, g2])]),
            ("rnn_tanh.input", ["x", "one", ["u0", "u1"], False, 1, 0.0, False, False, True], {}, [np.stack(plain, 1), state[None]])])


class Written(unittest.TestCase):
    def test_torch(self):
        """Two archives that torch 2.6 wrote (archives/make.py), and what it computed: strided convolution, -inf, a batch that is not fixed."""
        folder = os.path.join(os.environ["LS_SOURCE_ROOT"], "tests", "python", "archives")
        values = np.load(os.path.join(folder, "small.npz"))
        for name in ("small.pt2", "small-core.pt2"):
            result = imported(os.path.join(folder, name))
            self.assertEqual((result.returncode, result.stderr), (0, ""), name)
            self.assertRegex(result.stdout, r'main\(x: R.Tensor\(\("s\d+", 1, 5, 5\)')
            table = subprocess.run([CLI, "graph", os.path.join(folder, name), "--kind", "fx"], capture_output=True, text=True, check=True).stdout
            self.assertRegex(table, r"placeholder +\(s\d+, 1, 5, 5\) float32")
            self.assertNotIn("Symbol", table)
            for i in range(2):
                y, most = run(os.path.join(folder, name), values[f"x{i}"])
                np.testing.assert_allclose(y, values[f"y{i}"], rtol=1e-5, atol=1e-6, err_msg=name)
                np.testing.assert_allclose(most, values[f"most{i}"], rtol=1e-5, atol=1e-6, err_msg=name)


if __name__ == "__main__":
    tap.main()
