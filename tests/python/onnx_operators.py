"""Each operator of ONNX that is translated, from a file of ours, beside what numpy says; and files that are not what they should be."""
import math
import os
import random
import subprocess
import tempfile
import unittest

import numpy as np

import onnx_file as F
import tap
import tvm
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

R = np.random.default_rng(7)
OPSET = int(os.environ.get("LS_TEST_OPSET", "17"))      # where a test asks for none


def real(*shape):
    return R.standard_normal(shape).astype("float32")


def positive(*shape):
    return R.random(shape).astype("float32") + np.float32(0.1)


def run(mod, *arrays):
    vm = relax.VirtualMachine(relax.build(mod, tap.LLVM), tvm.cpu())
    result = vm["main"](*[tvm.nd.array(x) for x in arrays])
    return [x.numpy() for x in result] if not hasattr(result, "numpy") else [result.numpy()]


def one(op, inputs, weights=(), opset=OPSET, n_outputs=1, names=None, **attributes):
    """What one node gives: `inputs` are arrays at run time, then the weights."""
    names = [f"x{i}" for i in range(len(inputs))] if names is None else names
    outputs = [f"y{i}" for i in range(n_outputs)]
    data = F.model([F.node(op, names + list(dict(weights)), outputs, **attributes)], [(n, x.dtype, x.shape) for n, x in zip(names, inputs)], outputs, weights, opset)
    return run(from_onnx(data), *inputs)


erf = np.vectorize(math.erf, otypes=["float32"])


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def selu(x, alpha=1.6732631921768188, gamma=1.0507010221481323):
    return gamma * np.where(x > 0, x, alpha * (np.exp(np.minimum(x, 0)) - 1))


def windows(x, kernel, strides, pads, dilations, ceil=False, fill=0.0):
    """Windows of the last axes: (..., out..., kernel...)."""
    n = len(kernel)
    full = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    outs = [(x.shape[x.ndim - n + i] + pads[i] + pads[n + i] - full[i] + (strides[i] - 1 if ceil else 0)) // strides[i] + 1 for i in range(n)]
    more = [max((outs[i] - 1) * strides[i] + full[i] - x.shape[x.ndim - n + i] - pads[i], pads[n + i]) for i in range(n)]
    x = np.pad(x, [(0, 0)] * (x.ndim - n) + [(pads[i], more[i]) for i in range(n)], constant_values=fill)
    out = np.empty(x.shape[:-n] + tuple(outs) + tuple(kernel), x.dtype)
    for at in np.ndindex(*outs):
        out[(Ellipsis,) + at + (slice(None),) * n] = x[(Ellipsis,) + tuple(slice(a * s, a * s + f, d) for a, s, f, d in zip(at, strides, full, dilations))]
    return out


def conv(x, w, strides, pads, dilations, groups=1, bias=None):
    n = w.ndim - 2
    parts, m = [], w.shape[0] // groups
    for g in range(groups):
        view = windows(x[:, g * w.shape[1]:(g + 1) * w.shape[1]], w.shape[2:], strides, pads, dilations)
        view = np.moveaxis(view, 1, 1 + n)
        parts.append(np.moveaxis(np.tensordot(view, w[g * m:(g + 1) * m], [list(range(1 + n, 2 + 2 * n)), list(range(1, n + 2))]), -1, 1))
    y = np.concatenate(parts, 1)
    return y if bias is None else y + bias.reshape((1, -1) + (1,) * n)


class Operators(unittest.TestCase):
    def same(self, found, expected, rtol=1e-4, atol=1e-5):
        self.assertEqual(tuple(found.shape), tuple(np.shape(expected)))
        np.testing.assert_allclose(found, expected, rtol, atol)

    def test_unary(self):
        x, p, u = real(3, 5), positive(3, 5), (R.random((3, 5)) * 1.8 - 0.9).astype("float32")
        for op, array, expected in [
                ("Abs", x, np.abs(x)), ("Acos", u, np.arccos(u)), ("Acosh", p + 1, np.arccosh(p + 1)), ("Asin", u, np.arcsin(u)), ("Asinh", x, np.arcsinh(x)),
                ("Atan", x, np.arctan(x)), ("Atanh", u, np.arctanh(u)), ("Ceil", x, np.ceil(x)), ("Cos", x, np.cos(x)), ("Cosh", x, np.cosh(x)), ("Erf", x, erf(x)),
                ("Exp", x, np.exp(x)), ("Floor", x, np.floor(x)), ("Log", p, np.log(p)), ("Neg", x, -x), ("Relu", x, np.maximum(x, 0)), ("Sigmoid", x, sigmoid(x)),
                ("Sign", x, np.sign(x)), ("Sin", x, np.sin(x)), ("Sinh", x, np.sinh(x)), ("Sqrt", p, np.sqrt(p)), ("Tan", u, np.tan(u)), ("Tanh", x, np.tanh(x)),
                ("Softplus", x, np.log1p(np.exp(x))), ("Softsign", x, x / (1 + np.abs(x))), ("Mish", x, x * np.tanh(np.log1p(np.exp(x)))), ("Reciprocal", p, 1 / p),
                ("HardSwish", 4 * x, 4 * x * np.clip(4 * x / 6 + 0.5, 0, 1)), ("HardSigmoid", 4 * x, np.clip(0.2 * 4 * x + 0.5, 0, 1)), ("Identity", x, x), ("Selu", x, selu(x)),
                ("Celu", x, np.maximum(x, 0) + np.minimum(np.exp(np.minimum(x, 20)) - 1, 0)), ("LeakyRelu", x, np.where(x < 0, 0.01 * x, x)),
                ("Elu", x, np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)), ("ThresholdedRelu", x, np.where(x > 1, x, 0)),
                ("Shrink", x, np.where(x < -0.5, x, np.where(x > 0.5, x, 0)))]:
            with self.subTest(op):
                self.same(one(op, [array])[0], expected)
        with self.subTest("attributes"):
            self.same(one("LeakyRelu", [x], alpha=0.3)[0], np.where(x < 0, 0.3 * x, x))
            self.same(one("Elu", [x], alpha=2.0)[0], np.where(x > 0, x, 2 * (np.exp(np.minimum(x, 0)) - 1)))
            self.same(one("HardSigmoid", [x], alpha=0.5, beta=0.3)[0], np.clip(0.5 * x + 0.3, 0, 1))
            self.same(one("Selu", [x], alpha=1.5, gamma=1.2)[0], selu(x, 1.5, 1.2))
            self.same(one("Gelu", [x], opset=20)[0], x * 0.5 * (1 + erf(x / math.sqrt(2))))
            self.same(one("Gelu", [x], opset=20, approximate="tanh")[0], 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))))

    def test_special_values(self):
        x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 2.4, -2.6, 3.0], "float32")
        self.same(one("Round", [x])[0], np.round(x))
        x = np.array([1, np.inf, -np.inf, np.nan], "float32")
        np.testing.assert_array_equal(one("IsNaN", [x])[0], np.isnan(x))
        np.testing.assert_array_equal(one("IsInf", [x])[0], np.isinf(x))
        np.testing.assert_array_equal(one("IsInf", [x], detect_negative=0)[0], [False, True, False, False])
        np.testing.assert_array_equal(one("Not", [np.array([True, False])])[0], [False, True])

    def test_binary(self):
        x, y, p = real(2, 3, 4), real(3, 1), positive(2, 3, 4)
        for op, a, b, expected in [("Add", x, y, x + y), ("Sub", x, y, x - y), ("Mul", x, y, x * y), ("Div", x, p, x / p), ("Pow", p, y, p ** y),
                                   ("Max", x, y, np.maximum(x, y)), ("Min", x, y, np.minimum(x, y)), ("Sum", x, y, x + y), ("Mean", x, y, (x + y) / 2),
                                   ("PRelu", x, y, np.where(x < 0, x * y, x)), ("Equal", x, x, x == x), ("Greater", x, y, x > y), ("Less", x, y, x < y),
                                   ("GreaterOrEqual", x, y, x >= y), ("LessOrEqual", x, y, x <= y)]:
            with self.subTest(op):
                self.same(one(op, [a, b])[0], expected)
        a, b = np.array([[True, False], [True, True]]), np.array([True, False])
        for op, expected in [("And", a & b), ("Or", a | b), ("Xor", a ^ b)]:
            with self.subTest(op):
                np.testing.assert_array_equal(one(op, [a, b])[0], expected)
        i, j = np.array([7, -7, 7, -7, 0], "int32"), np.array([2, 2, -2, -2, 5], "int32")
        np.testing.assert_array_equal(one("Div", [i, j])[0], np.trunc(i / j).astype("int32"))
        np.testing.assert_array_equal(one("Mod", [i, j])[0], np.mod(i, j))
        np.testing.assert_array_equal(one("Mod", [i, j], fmod=1)[0], np.fmod(i, j))
        np.testing.assert_array_equal(one("BitwiseAnd", [i, j], opset=18)[0], i & j)
        self.same(one("Pow", [x], {"e": np.float32(2)})[0], x ** 2)
        self.same(one("Where", [x > 0, x, y])[0], np.where(x > 0, x, y))
        self.same(one("Sum", [x, y, p])[0], x + y + p)
        self.same(one("Clip", [x], {"lo": np.float32(-0.5), "hi": np.float32(0.7)})[0], np.clip(x, -0.5, 0.7))

    def test_products(self):
        a, b, c = real(3, 4), real(4, 5), real(5)
        self.same(one("MatMul", [a, b])[0], a @ b)
        self.same(one("MatMul", [real(1, 3, 4) * 0 + a, np.stack([b, 2 * b])])[0], np.stack([a @ b, 2 * a @ b]))
        self.same(one("Gemm", [a, b, c])[0], a @ b + c)
        self.same(one("Gemm", [a.T.copy(), b.T.copy(), c], alpha=0.5, beta=2.0, transA=1, transB=1)[0], 0.5 * a @ b + 2 * c)
        self.same(one("Einsum", [a, b], equation="ij,jk->ki")[0], (a @ b).T)

    def test_reductions(self):
        x = real(2, 3, 4)
        table = {"ReduceSum": np.sum, "ReduceMean": np.mean, "ReduceMax": np.max, "ReduceMin": np.min, "ReduceProd": np.prod,
                 "ReduceL1": lambda v, **k: np.sum(np.abs(v), **k), "ReduceL2": lambda v, **k: np.sqrt(np.sum(v * v, **k)), "ReduceSumSquare": lambda v, **k: np.sum(v * v, **k),
                 "ReduceLogSumExp": lambda v, **k: np.log(np.sum(np.exp(v), **k))}
        for op, func in table.items():
            with self.subTest(op):
                if op == "ReduceSum":
                    self.same(one(op, [x], {"a": np.array([1], "int64")}, opset=13)[0], func(x, axis=1, keepdims=True))
                else:
                    self.same(one(op, [x], opset=13, axes=[1])[0], func(x, axis=1, keepdims=True))
                self.same(one(op, [x], {"a": np.array([0, -1], "int64")}, opset=18, keepdims=0)[0], func(x, axis=(0, 2)))
                self.same(one(op, [x], keepdims=0)[0], func(x))
        self.same(one("ReduceLogSum", [np.abs(x)], axes=[2])[0], np.log(np.abs(x).sum(2, keepdims=True)))
        self.same(one("ReduceSum", [x], noop_with_empty_axes=1)[0], x)
        np.testing.assert_array_equal(one("ArgMax", [x], axis=1, keepdims=0)[0], x.argmax(1))
        np.testing.assert_array_equal(one("ArgMin", [x], axis=2)[0], np.expand_dims(x.argmin(2), 2))
        self.same(one("CumSum", [x], {"a": np.array(1, "int64")})[0], x.cumsum(1))
        self.same(one("CumSum", [x], {"a": np.array(2, "int64")}, reverse=1)[0], x[..., ::-1].cumsum(2)[..., ::-1])
        values, places = one("TopK", [x], {"k": np.array([2], "int64")}, n_outputs=2, axis=-1)
        self.same(values, -np.sort(-x, -1)[..., :2])
        np.testing.assert_array_equal(places, np.argsort(-x, -1, kind="stable")[..., :2])

    def test_shapes(self):
        x = real(2, 3, 4)
        i64 = lambda *v: np.array(v, "int64")
        self.same(one("Reshape", [x], {"s": i64(0, -1)})[0], x.reshape(2, 12))
        self.same(one("Flatten", [x], axis=2)[0], x.reshape(6, 4))
        self.same(one("Flatten", [x], axis=0)[0], x.reshape(1, 24))
        self.same(one("Transpose", [x])[0], x.T)
        self.same(one("Transpose", [x], perm=[1, 0, 2])[0], x.transpose(1, 0, 2))
        self.same(one("Squeeze", [x[:, :1]], {"a": i64(1)})[0], x[:, 0])
        self.same(one("Unsqueeze", [x], {"a": i64(0, -1)})[0], x[None, ..., None])
        self.same(one("Concat", [x, 2 * x], axis=-2)[0], np.concatenate([x, 2 * x], 1))
        a, b = one("Split", [x], {"s": i64(1, 3)}, n_outputs=2, axis=2)
        self.same(a, x[..., :1])
        self.same(b, x[..., 1:])
        a, b = one("Split", [x], n_outputs=2, axis=1, opset=18, num_outputs=2)
        self.same(a, x[:, :2])
        self.same(b, x[:, 2:])
        self.same(one("Slice", [x], {"b": i64(1, 0), "e": i64(1 << 62, -1), "a": i64(-1, 1), "s": i64(2, 1)})[0], x[:, 0:-1, 1::2])
        self.same(one("Slice", [x], {"b": i64(-1), "e": i64(-(1 << 62)), "a": i64(2), "s": i64(-2)})[0], x[:, :, ::-2])
        self.same(one("Gather", [x], {"i": i64(2, -1, 0)}, axis=1)[0], x[:, [2, -1, 0]])
        self.same(one("Gather", [x], {"i": np.array(1, "int64")}, axis=2)[0], x[..., 1])
        index = np.array([[0, 2], [1, 1]], "int64")
        self.same(one("GatherElements", [x[:, :, 0], index], axis=1)[0], np.take_along_axis(x[:, :, 0], index, 1))
        self.same(one("GatherND", [x, np.array([[0, 1], [1, 2]], "int64")])[0], x[[0, 1], [1, 2]])
        into = x[:, :, 0].copy()
        np.put_along_axis(into, index[:, :1], real(2, 1) * 0 + 5, 1)
        self.same(one("ScatterElements", [x[:, :, 0].copy(), index[:, :1].copy(), np.full((2, 1), 5, "float32")], axis=1)[0], into)
        into = x.copy()
        into[1] = 3
        self.same(one("ScatterND", [x, np.array([[1]], "int64"), np.full((1, 3, 4), 3, "float32")])[0], into)
        self.same(one("Expand", [x[:, :1]], {"s": i64(5, 1, 3, 1)})[0], np.broadcast_to(x[:, :1], (5, 2, 3, 4)))
        self.same(one("Tile", [x], {"r": i64(1, 2, 3)})[0], np.tile(x, (1, 2, 3)))
        self.same(one("Pad", [x], {"p": i64(0, 1, 2, 0, 0, 1), "v": np.float32(1.5)})[0], np.pad(x, [(0, 0), (1, 0), (2, 1)], constant_values=1.5))
        self.same(one("Pad", [x], {"p": i64(0, 1, 2, 0, 0, 1)}, mode="reflect")[0], np.pad(x, [(0, 0), (1, 0), (2, 1)], mode="reflect"))
        for k in (0, 1, -1):
            self.same(one("Trilu", [x], {"k": np.array(k, "int64")})[0], np.triu(x, k))
            self.same(one("Trilu", [x], {"k": np.array(k, "int64")}, upper=0)[0], np.tril(x, k))
        np.testing.assert_array_equal(one("Shape", [x])[0], x.shape)
        np.testing.assert_array_equal(one("Size", [x])[0], x.size)
        self.same(one("OneHot", [np.array([0, 2, -1], "int64")], {"d": i64(3), "v": np.array([0.5, 2], "float32")})[0], np.where(np.eye(3)[[0, 2, 2]] > 0, 2, 0.5))
        np.testing.assert_array_equal(one("Cast", [x * 3], to=F.INT32)[0], (x * 3).astype("int32"))
        np.testing.assert_array_equal(one("Cast", [np.array([0, 2, -1], "float32")], to=F.BOOL)[0], [False, True, True])
        c = real(1, 8, 2, 3)
        self.same(one("DepthToSpace", [c], blocksize=2)[0], c.reshape(1, 2, 2, 2, 2, 3).transpose(0, 3, 4, 1, 5, 2).reshape(1, 2, 4, 6))
        self.same(one("DepthToSpace", [c], blocksize=2, mode="CRD")[0], c.reshape(1, 2, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 4, 6))
        d = real(1, 2, 4, 6)
        self.same(one("SpaceToDepth", [d], blocksize=2)[0], d.reshape(1, 2, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 2, 3))

    def test_constants(self):
        x = real(2, 3)
        for given in ({"value": np.full((3,), 2.5, "float32")}, {"value_float": 2.5}):
            data = F.model([F.node("Constant", [], ["c"], **given), F.node("Add", ["x", "c"], ["y"])], [("x", "float32", (2, 3))], ["y"])
            self.same(run(from_onnx(data), x)[0], x + 2.5)
        data = F.model([F.node("ConstantOfShape", ["s"], ["c"], value=np.array([1.5], "float32")), F.node("Add", ["x", "c"], ["y"])], [("x", "float32", (2, 3))], ["y"],
                       {"s": np.array([2, 3], "int64")})
        self.same(run(from_onnx(data), x)[0], x + 1.5)
        data = F.model([F.node("Range", ["a", "b", "c"], ["r"]), F.node("Add", ["x", "r"], ["y"])], [("x", "float32", (2, 3))], ["y"],
                       {"a": np.float32(1), "b": np.float32(4), "c": np.float32(1)})
        self.same(run(from_onnx(data), x)[0], x + np.array([1, 2, 3]))

    def test_computed_shapes(self):
        """(batch, 3, 4) -> (batch, 12) by Shape, Gather, Unsqueeze, Concat; the batch is not known."""
        i64 = lambda *v: np.array(v, "int64")
        nodes = [F.node("Shape", ["x"], ["s"]), F.node("Gather", ["s", "zero"], ["n"]), F.node("Unsqueeze", ["n", "axis"], ["n1"]), F.node("Concat", ["n1", "rest"], ["shape"], axis=0),
                 F.node("Reshape", ["x", "shape"], ["y"])]
        data = F.model(nodes, [("x", "float32", ("batch", 3, 4))], ["y"], {"zero": np.array(0, "int64"), "axis": i64(0), "rest": i64(12)})
        mod = from_onnx(data)
        for n in (1, 5):
            x = real(n, 3, 4)
            self.same(run(mod, x)[0], x.reshape(n, 12))
        self.assertEqual([int(n) for n in from_onnx(data, {"x": (2, 3, 4)})["main"].struct_info.ret.shape], [2, 12])

    def test_convolution(self):
        x, w, b = real(2, 4, 7, 6), real(6, 4, 3, 3), real(6)
        self.same(one("Conv", [x], {"w": w, "b": b})[0], conv(x, w, (1, 1), (0, 0, 0, 0), (1, 1), 1, b))
        self.same(one("Conv", [x], {"w": w}, pads=[1, 0, 2, 1], strides=[2, 1])[0], conv(x, w, (2, 1), (1, 0, 2, 1), (1, 1)))
        self.same(one("Conv", [x], {"w": w[:, :2].copy()}, group=2, dilations=[2, 1])[0], conv(x, w[:, :2], (1, 1), (0, 0, 0, 0), (2, 1), 2))
        self.same(one("Conv", [x], {"w": w}, auto_pad="SAME_UPPER", strides=[2, 2])[0], conv(x, w, (2, 2), (1, 0, 1, 1), (1, 1)))
        self.same(one("Conv", [x], {"w": w}, auto_pad="SAME_LOWER", strides=[2, 2])[0], conv(x, w, (2, 2), (1, 1, 1, 0), (1, 1)))
        self.same(one("Conv", [x[..., 0]], {"w": w[..., 0].copy()}, pads=[1, 1])[0], conv(x[..., 0], w[..., 0], (1,), (1, 1), (1,)))
        x3, w3 = real(1, 2, 4, 5, 4), real(3, 2, 2, 2, 2)
        self.same(one("Conv", [x3], {"w": w3})[0], conv(x3, w3, (1,) * 3, (0,) * 6, (1,) * 3))
        # the transposed one is the convolution of the spread input with the turned kernel
        t, k = real(1, 4, 3, 4), real(4, 2, 3, 3)
        spread = np.zeros((1, 4, 5, 7), "float32")
        spread[:, :, ::2, ::2] = t
        self.same(one("ConvTranspose", [t], {"w": k}, strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 0])[0],
                  conv(spread, k.transpose(1, 0, 2, 3)[:, :, ::-1, ::-1], (1, 1), (1, 1, 2, 1), (1, 1)))

    def test_pooling(self):
        x = real(2, 3, 7, 6)
        for ceil in (0, 1):
            view = windows(x, (3, 2), (2, 2), (1, 0, 1, 0), (1, 1), ceil, -np.inf)
            self.same(one("MaxPool", [x], kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 0], ceil_mode=ceil)[0], view.max((-1, -2)))
        view = windows(x, (3, 2), (2, 2), (1, 0, 1, 0), (1, 1))
        self.same(one("AveragePool", [x], kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 0], count_include_pad=1)[0], view.mean((-1, -2)))
        count = windows(np.ones_like(x), (3, 2), (2, 2), (1, 0, 1, 0), (1, 1)).sum((-1, -2))
        self.same(one("AveragePool", [x], kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 0])[0], view.sum((-1, -2)) / count)
        self.same(one("MaxPool", [x[..., 0]], kernel_shape=[2])[0], windows(x[..., 0], (2,), (1,), (0, 0), (1,)).max(-1))
        self.same(one("GlobalAveragePool", [x])[0], x.mean((2, 3), keepdims=True))
        self.same(one("GlobalMaxPool", [x])[0], x.max((2, 3), keepdims=True))

    def test_places_of_most(self):
        """The second result of MaxPool: where in the whole tensor the first of the greatest stands, counted by rows or by columns."""
        for shape, kernel, strides, pads, dilations in (((2, 3, 7, 6), [3, 2], [2, 2], [1, 0, 1, 0], [1, 1]), ((1, 2, 9, 8), [2, 3], [1, 2], [0, 1, 1, 0], [2, 1]),
                                                        ((2, 2, 11), [3], [2], [1, 1], [1]), ((1, 2, 5, 4, 6), [2, 2, 3], [2, 1, 2], [0, 0, 1, 1, 0, 1], [1, 1, 1])):
            n = len(kernel)
            for x in (real(*shape), R.integers(-3, 3, shape).astype("float32")):        # few different numbers: the first of them
                full = np.arange(x.size).reshape(shape)
                turned = full.copy()
                for i in range(shape[0] * shape[1]):
                    picture = np.arange(np.prod(shape[2:])).reshape(shape[2:], order="F") + i * np.prod(shape[2:])
                    turned.reshape((-1,) + shape[2:])[i] = picture
                view = windows(x, kernel, strides, pads, dilations, False, -np.inf)
                view = view.reshape(view.shape[:-n] + (-1,))
                for order, places in ((0, full), (1, turned)):
                    at = windows(places, kernel, strides, pads, dilations, False, -1)
                    at = at.reshape(at.shape[:-n] + (-1,))
                    with self.subTest(f"{shape} {order}"):
                        most, where = one("MaxPool", [x], n_outputs=2, kernel_shape=kernel, strides=strides, pads=pads, dilations=dilations, storage_order=order)
                        self.same(most, view.max(-1))
                        self.assertEqual(where.dtype, np.int64)
                        np.testing.assert_array_equal(where, np.take_along_axis(at, view.argmax(-1)[..., None], -1)[..., 0])
        x = real(1, 2, 6, 8)                                                             # back by MaxUnpool: the greatest where they were, zeros else
        nodes = [F.node("MaxPool", ["x"], ["m", "i"], kernel_shape=[2, 2], strides=[2, 2]), F.node("MaxUnpool", ["m", "i"], ["y"], kernel_shape=[2, 2], strides=[2, 2])]
        found = run(from_onnx(F.model(nodes, [("x", "float32", x.shape)], ["y"], opset=11 + 6)), x)[0]
        most = x.reshape(1, 2, 3, 2, 4, 2).max((3, 5), keepdims=True)
        np.testing.assert_array_equal(found, np.where(x.reshape(1, 2, 3, 2, 4, 2) == most, x.reshape(1, 2, 3, 2, 4, 2), 0).reshape(x.shape))

    def test_normalisation(self):
        x, g, b = real(2, 6, 4, 3), positive(6), real(6)
        wide = lambda v: v.reshape(1, -1, 1, 1)
        m, v = real(6), positive(6)
        self.same(one("BatchNormalization", [x], {"g": g, "b": b, "m": m, "v": v}, epsilon=1e-3)[0], (x - wide(m)) / np.sqrt(wide(v) + 1e-3) * wide(g) + wide(b))
        y = (x - x.mean((2, 3), keepdims=True)) / np.sqrt(x.var((2, 3), keepdims=True) + 1e-5)
        self.same(one("InstanceNormalization", [x], {"g": g, "b": b})[0], y * wide(g) + wide(b))
        z = x.reshape(2, 2, 36)
        z = ((z - z.mean(2, keepdims=True)) / np.sqrt(z.var(2, keepdims=True) + 1e-5)).reshape(x.shape)
        self.same(one("GroupNormalization", [x], {"g": g, "b": b}, opset=21, num_groups=2)[0], z * wide(g) + wide(b))
        self.same(one("GroupNormalization", [x], {"g": g[:2].copy(), "b": b[:2].copy()}, opset=18, num_groups=2)[0], z * wide(np.repeat(g[:2], 3)) + wide(np.repeat(b[:2], 3)))
        g, b = positive(4, 3), real(4, 3)
        y = (x - x.mean((2, 3), keepdims=True)) / np.sqrt(x.var((2, 3), keepdims=True) + 1e-5)
        self.same(one("LayerNormalization", [x], {"g": g, "b": b}, axis=2)[0], y * g + b)
        self.same(one("Softmax", [x], axis=1)[0], softmax(x, 1))
        self.same(one("LogSoftmax", [x])[0], np.log(softmax(x)))
        self.same(one("Dropout", [x])[0], x)

    def test_resize(self):
        x = real(1, 2, 3, 4)
        none = np.zeros(0, "float32")
        self.same(one("Resize", [x], {"r": none, "s": np.array([1, 1, 2, 2], "float32")}, mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")[0],
                  x.repeat(2, 2).repeat(2, 3))
        self.same(one("Upsample", [x], {"s": np.array([1, 1, 2, 3], "float32")}, opset=9)[0], x.repeat(2, 2).repeat(3, 3))
        rows, columns = [0, 0.4, 0.8, 1.2, 1.6, 2.0], [0, 0.5, 1, 1.5, 2, 2.5, 3]

        def line(array, places, axis):
            low = np.floor(places).astype(int)
            high = np.minimum(low + 1, array.shape[axis] - 1)
            part = (np.array(places) - low).reshape([-1 if i == axis else 1 for i in range(4)])
            return array.take(low, axis) * (1 - part) + array.take(high, axis) * part

        self.same(one("Resize", [x], {"r": none, "s": none, "n": np.array([1, 2, 6, 7], "int64")}, mode="linear", coordinate_transformation_mode="align_corners")[0],
                  line(line(x, rows, 2), columns, 3))

    def test_resize_each_dimension(self):
        """What image.resize2d cannot say: scales that cut a pixel, one and three dimensions, channels; beside the definition, element by element."""
        def place(how, i, scale, n, m):
            if how == "align_corners":
                return i * (n - 1) / (scale * n - 1)
            return i / scale if how == "asymmetric" else (i + 0.5) / scale - 0.5 + (n / 2 * (1 - m / (scale * n)) if how == "half_pixel_symmetric" else 0)

        def resized(x, scales, mode, how, a=-0.75):
            for axis, scale in enumerate(scales):
                n, m = x.shape[axis], int(x.shape[axis] * scale)
                if scale == 1:
                    continue
                rows = []
                for i in range(m):
                    at = place(how, i, scale, n, m)
                    if mode == "nearest":
                        rows.append(x.take(min(max(math.ceil(at - 0.5), 0), n - 1), axis))
                        continue
                    around = range(math.floor(at) - 1, math.floor(at) + 3)
                    share = {"linear": lambda d: max(0, 1 - d), "cubic": lambda d: (a + 2) * d ** 3 - (a + 3) * d * d + 1 if d <= 1 else a * (d ** 3 - 5 * d * d + 8 * d - 4) if d < 2 else 0}[mode]
                    rows.append(sum(share(abs(at - k)) * x.take(min(max(k, 0), n - 1), axis) for k in around))
                x = np.stack(rows, axis)
            return x

        for shape, scales in (((1, 2, 5, 7), (1, 1, 0.65, 1.7)), ((2, 3, 5), (1, 1, 1.5)), ((1, 2, 3, 4, 5), (1, 1, 2, 1.3, 0.7)), ((1, 4, 3, 3), (1, 0.5, 2, 2))):
            for mode in ("nearest", "linear", "cubic"):
                for how in ("half_pixel", "asymmetric", "align_corners", "half_pixel_symmetric"):
                    with self.subTest(f"{shape} {mode} {how}"):
                        x = real(*shape)
                        found = one("Resize", [x], {"r": np.zeros(0, "float32"), "s": np.array(scales, "float32")}, opset=19, mode=mode, coordinate_transformation_mode=how)[0]
                        self.same(found, resized(x, np.array(scales, "float32").astype(float), mode, how))
        x = real(1, 2, 3, 4)
        self.same(one("Resize", [x], {"r": np.zeros(0, "float32"), "e": np.zeros(0, "float32"), "s": np.array([6, 8], "int64")}, opset=18, mode="nearest", axes=[2, 3],
                      coordinate_transformation_mode="asymmetric", nearest_mode="floor")[0], x.repeat(2, 2).repeat(2, 3))
        for more in ({"antialias": 1}, {"keep_aspect_ratio_policy": "not_larger"}):
            with self.assertRaisesRegex(tvm.error.TVMError, "antialias"):
                one("Resize", [x], {"r": np.zeros(0, "float32"), "s": np.array([1, 1, 2, 2], "float32")}, opset=18, mode="linear", **more)

    def test_hardmax(self):
        x = real(2, 3, 4)
        x[0, 1] = x[0, 2]                       # of equal ones it is the first
        for axis in (0, 1, 2, -1):
            wanted = np.zeros_like(x)
            np.put_along_axis(wanted, np.expand_dims(x.argmax(axis), axis), 1, axis)
            self.same(one("Hardmax", [x], axis=axis)[0], wanted)

    def test_over_all_from_an_axis(self):
        """Before opset 13 what softmax goes over is everything from the axis on."""
        x = real(2, 3, 4)
        for axis, rows in ((1, 2), (0, 1), (2, 6)):
            flat = x.reshape(rows, -1)
            self.same(one("Softmax", [x], opset=11, axis=axis)[0], softmax(flat).reshape(x.shape))
            self.same(one("LogSoftmax", [x], opset=11, axis=axis)[0], np.log(softmax(flat)).reshape(x.shape))
            self.same(one("Hardmax", [x], opset=11, axis=axis)[0], (flat == flat.max(1, keepdims=True)).astype("float32").reshape(x.shape))

    def test_last_of_equal_ones(self):
        x = np.array([[2, 7, 7, 1], [5, 5, 0, 0]], "float32")
        for op, arg in (("ArgMax", np.argmax), ("ArgMin", np.argmin)):
            for axis in (0, 1):
                for keep in (0, 1):
                    wanted = x.shape[axis] - 1 - arg(np.flip(x, axis), axis)
                    np.testing.assert_array_equal(one(op, [x], axis=axis, keepdims=keep, select_last_index=1)[0], np.expand_dims(wanted, axis) if keep else wanted)

    def test_statistics_of_a_layer(self):
        x, g, b = real(2, 6, 4, 3), positive(4, 3), real(4, 3)
        mean, by = x.mean((2, 3), keepdims=True), 1 / np.sqrt(x.var((2, 3), keepdims=True) + 1e-3)
        for found, wanted in zip(one("LayerNormalization", [x], {"g": g, "b": b}, n_outputs=3, axis=2, epsilon=1e-3), ((x - mean) * by * g + b, mean, by)):
            self.same(found, wanted)

    def test_rarer_ones(self):
        x = real(2, 5, 4, 3)
        square = np.stack([(x[:, max(0, c - 1):c + 2] ** 2).sum(1) for c in range(5)], 1)
        self.same(one("LRN", [x], size=3, alpha=0.3, beta=0.6, bias=1.5)[0], x / (1.5 + 0.1 * square) ** 0.6)
        axes = (0, 2, 3)
        self.same(one("MeanVarianceNormalization", [x])[0], (x - x.mean(axes, keepdims=True)) / (x.std(axes, keepdims=True) + 1e-9))
        self.same(one("Pad", [x], {"p": np.array([0, 1, 2, 0, 0, 0, 1, 2], "int64")}, mode="edge")[0], np.pad(x, [(0, 0), (1, 0), (2, 1), (0, 2)], mode="edge"))
        np.testing.assert_array_equal(one("EyeLike", [x[0, 0]], k=1, dtype=F.INT64)[0], np.eye(4, 3, 1))
        u = np.array([1, 7, 255], "uint8")
        np.testing.assert_array_equal(one("BitShift", [u, np.array([1, 2, 3], "uint8")], direction="RIGHT")[0], [0, 1, 31])
        np.testing.assert_array_equal(one("BitShift", [u, np.array([1, 2, 3], "uint8")], direction="LEFT")[0], [2, 28, 248])
        a, b = R.integers(0, 256, (3, 4)).astype("uint8"), R.integers(0, 256, (4, 2)).astype("uint8")
        rows, columns = np.array([3, 128, 250], "uint8"), np.array([7, 200], "uint8")
        np.testing.assert_array_equal(one("MatMulInteger", [a, b], {"y": rows, "z": columns})[0], (a.astype(int) - rows[:, None]) @ (b.astype(int) - columns))
        t, k = real(1, 2, 4, 5), real(2, 3, 3, 3)
        whole = one("ConvTranspose", [t], {"w": k}, strides=[2, 2])[0]                         # 9 by 11; what is cut off is said in another way
        self.same(one("ConvTranspose", [t], {"w": k}, strides=[2, 2], output_shape=[8, 10])[0], whole[:, :, 1:, 1:])
        self.same(one("ConvTranspose", [t], {"w": k}, strides=[2, 2], auto_pad="SAME_UPPER")[0], whole[:, :, :-1, :-1])
        self.same(one("ConvTranspose", [t], {"w": k}, strides=[2, 2], output_shape=[10, 12])[0], np.pad(whole, [(0, 0), (0, 0), (0, 1), (0, 1)]))

    def recurrent(self, op, x, w, r, b, h, c=None, p=None, backwards=False, lengths=None, reset_last=False):
        """One direction, step by step: x (steps, batch, inputs)."""
        n, out = h.shape[1], np.zeros(x.shape[:2] + h.shape[1:], "float32")
        bw, br = np.split(b, 2)
        for t in reversed(range(len(x))) if backwards else range(len(x)):
            old_h, old_c = h, c
            if op == "RNN":
                h = np.tanh(x[t] @ w.T + h @ r.T + bw + br)
            elif op == "GRU":
                wz, wr, wh = np.split(w, 3)
                rz, rr, rh = np.split(r, 3)
                z = sigmoid(x[t] @ wz.T + h @ rz.T + (bw + br)[:n])
                reset = sigmoid(x[t] @ wr.T + h @ rr.T + (bw + br)[n:2 * n])
                part = reset * (h @ rh.T + br[2 * n:]) if reset_last else (reset * h) @ rh.T + br[2 * n:]
                h = (1 - z) * np.tanh(x[t] @ wh.T + part + bw[2 * n:]) + z * h
            else:
                i, o, f, g = np.split(x[t] @ w.T + h @ r.T + bw + br, 4, axis=1)
                pi, po, pf = np.split(p, 3) if p is not None else (0, 0, 0)
                c = sigmoid(f + pf * c) * c + sigmoid(i + pi * c) * np.tanh(g)
                h = sigmoid(o + po * c) * np.tanh(c)
            live = (t < lengths)[:, None] if lengths is not None else True
            out[t] = np.where(live, h, 0)
            h, c = np.where(live, h, old_h), np.where(live, c, old_c) if c is not None else None
        return out, h, c

    def test_recurrent(self):
        steps, batch, n_in, n = 4, 3, 5, 6
        x = real(steps, batch, n_in)
        lengths = np.array([4, 2, 3], "int32")
        for op, gates in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
            for direction in ("forward", "reverse", "bidirectional"):
                for case in ("plain", "states", "lengths", "batch first", "peepholes", "reset last"):
                    if (case == "peepholes" and op != "LSTM") or (case == "reset last" and op != "GRU"):
                        continue
                    d = 2 if direction == "bidirectional" else 1
                    w, r, b = real(d, gates * n, n_in), real(d, gates * n, n), real(d, 2 * gates * n)
                    weights, h, c, p, more = {"w": w, "r": r, "b": b}, np.zeros((d, batch, n), "float32"), np.zeros((d, batch, n), "float32"), None, {}
                    if case in ("states", "peepholes", "lengths"):
                        h, c = real(d, batch, n), real(d, batch, n)
                        weights.update({"n": lengths if case == "lengths" else np.full(batch, steps, "int32"), "h": h}, **({"c": c} if op == "LSTM" else {}))
                    if case == "peepholes":
                        p = weights["p"] = real(d, 3 * n)
                    if case == "reset last":
                        more["linear_before_reset"] = 1
                    if case == "batch first":
                        more["layout"] = 1
                    sides = [self.recurrent(op, x, w[i], r[i], b[i], h[i], c[i] if op == "LSTM" else None, p[i] if p is not None else None,
                                            direction == "reverse" or i == 1, lengths if case == "lengths" else None, case == "reset last") for i in range(d)]
                    wanted = [np.stack([s[0] for s in sides], 1), np.stack([s[1] for s in sides])] + ([np.stack([s[2] for s in sides])] if op == "LSTM" else [])
                    given = x
                    if case == "batch first":
                        given, wanted = x.transpose(1, 0, 2).copy(), [wanted[0].transpose(2, 0, 1, 3)] + [v.transpose(1, 0, 2) for v in wanted[1:]]
                    with self.subTest(f"{op} {direction} {case}"):
                        for found, value in zip(one(op, [given], weights, n_outputs=len(wanted), hidden_size=n, direction=direction, **more), wanted):
                            self.assertEqual(found.shape, value.shape)
                            np.testing.assert_allclose(found, value, 1e-3, 1e-4)

    def test_recurrent_of_any_batch(self):
        x, w, r = real(3, 4, 5), real(1, 6, 5), real(1, 6, 6)
        data = F.model([F.node("RNN", ["x", "w", "r"], ["y", "h"], hidden_size=6)], [("x", "float32", (3, "batch", 5))], ["y", "h"], {"w": w, "r": r})
        y, h = run(from_onnx(data), x)
        out, last, _ = self.recurrent("RNN", x, w[0], r[0], np.zeros(12, "float32"), np.zeros((4, 6), "float32"))
        self.same(y[:, 0], out)
        self.same(h[0], last)

    def test_recurrent_activations(self):
        x, w, r, b = real(3, 2, 5), real(1, 6, 5), real(1, 6, 6), real(1, 12)
        table = {"Relu": lambda v: np.maximum(v, 0), "Sigmoid": sigmoid, "Softsign": lambda v: v / (1 + abs(v)), "Softplus": lambda v: np.log(1 + np.exp(v)),
                 "HardSigmoid": lambda v: np.clip(0.3 * v + 0.4, 0, 1), "LeakyRelu": lambda v: np.where(v > 0, v, 0.3 * v)}
        for name, f in table.items():
            with self.subTest(name):
                h = np.zeros((2, 6), "float32")
                for t in range(3):
                    h = f(np.clip(x[t] @ w[0].T + h @ r[0].T + b[0, :6] + b[0, 6:], -1.5, 1.5))
                self.same(one("RNN", [x], {"w": w, "r": r, "b": b}, n_outputs=2, clip=1.5, activations=[name], activation_alpha=[0.3], activation_beta=[0.4])[1][0], h)
        with self.assertRaisesRegex(tvm.error.TVMError, "Wonder"):
            one("RNN", [x], {"w": w, "r": r, "b": b}, activations=["Wonder"])

    def test_recurrent_that_is_not_written_out(self):
        w, r = real(1, 6, 5), real(1, 6, 6)
        for steps, more, words in ((300, {}, "300 steps"), ("steps", {}, "length of the sequence"), (3, {"hidden_size": 7}, "weights of the state")):
            data = F.model([F.node("RNN", ["x", "w", "r"], ["y"], **more)], [("x", "float32", (steps, 2, 5))], ["y"], {"w": w, "r": r})
            with self.assertRaisesRegex(tvm.error.TVMError, words):
                from_onnx(data)

    def test_rarer_attributes(self):
        """What exporters of opsets 13 to 21 write beside the usual: whole powers, places counted from behind at run time, "...", padding that takes away."""
        x, i64 = real(3, 4), lambda *v: np.array(v, "int64")
        for base, power in ((np.array([1, -2, 3], "int32"), np.array([4, 5, 2], "int32")), (i64(1, 2, 3), i64(4, 5, 20)), (i64(1, 2, 3), np.array([4, 0.5, 2], "float32"))):
            found = one("Pow", [base, power])[0]
            self.assertEqual(found.dtype, base.dtype)
            np.testing.assert_array_equal(found, np.power(base.astype("float64"), power).astype(base.dtype))
        at = np.array([[-1, 0], [1, -4], [-2, 3]], "int64")
        self.same(one("GatherElements", [x, at], axis=1)[0], np.take_along_axis(x, at % 4, 1))
        self.same(one("GatherND", [x, i64(-1, -1, 0, -4).reshape(2, 2)])[0], x[[-1, 0], [-1, 0]])
        self.same(one("GatherND", [x, i64(-1, 2, 0).reshape(3, 1)], batch_dims=1)[0], x[[0, 1, 2], [-1, 2, 0]])
        into = x.copy()
        into[[-1, 1], [0, -2]] = 7
        self.same(one("ScatterND", [x, i64(-1, 0, 1, -2).reshape(2, 2), np.full(2, 7, "float32")])[0], into)
        a, b = real(2, 3, 4), real(5, 2, 4, 3)
        for equation in ("...ij,...jk->...ik", "... i j, ... j k -> ... i k", "...ij,...jk", "...ij,...kl->...", "i...j,...jk->...ik"):
            values = [a, b] if not equation.startswith("i") else [a.transpose(1, 0, 2).copy(), b]
            with self.subTest(equation):
                self.same(one("Einsum", values, equation=equation)[0], np.einsum(equation.replace(" ", ""), *values))
        self.same(one("Einsum", [x], equation="...j->...")[0], x.sum(1))
        self.same(one("Pad", [x], {"p": i64(0, -1, 1, -2)})[0], np.pad(x[:, 1:2], [(0, 1), (0, 0)]))
        whole = np.arange(12, dtype="int32").reshape(3, 4)
        np.testing.assert_array_equal(one("Pad", [whole], {"p": i64(1, 0, 0, 1), "v": np.int32(7)})[0], np.pad(whole, [(1, 0), (0, 1)], constant_values=7))
        np.testing.assert_array_equal(one("CumSum", [whole], {"a": np.array(1, "int32")})[0], whole.cumsum(1))
        for begin, end in ((3, 2), (1, 1), (7, 9)):
            self.same(one("Slice", [x], {"b": i64(begin), "e": i64(end), "a": i64(1)})[0], x[:, begin:end])
        for p, norm in ((1, lambda v, k: np.abs(v).sum(k, keepdims=True)), (2, lambda v, k: np.sqrt((v * v).sum(k, keepdims=True)))):
            for axis in (0, -1):
                self.same(one("LpNormalization", [x], axis=axis, p=p)[0], x / norm(x, axis))
        found = one("OneHot", [i64(0, -1)], {"d": np.array(3, "int64"), "v": np.array([0, 1], "float32")}, axis=0)[0]
        self.assertEqual(found.dtype, np.float32)
        self.same(found, np.eye(3)[[0, 2]].T)

    def test_transposed_and_dilated(self):
        for strides, pads, dilations, more, groups in (((1, 1), (0, 0, 0, 0), (2, 2), (0, 0), 1), ((2, 3), (1, 0, 2, 1), (2, 1), (1, 0), 1), ((2, 1), (0, 1, 0, 1), (3, 2), (0, 0), 2)):
            x, w = real(2, 4, 3, 4), real(4, 3, 3, 2)
            full = np.zeros((2, 3 * groups, 2 * strides[0] + 2 * dilations[0] + 1 + more[0], 3 * strides[1] + dilations[1] + 1 + more[1]), "float32")
            for i, j, a, b in np.ndindex(3, 4, 3, 2):
                for g in range(groups):
                    part = slice(g * 4 // groups, (g + 1) * 4 // groups)
                    full[:, 3 * g:3 * g + 3, i * strides[0] + a * dilations[0], j * strides[1] + b * dilations[1]] += x[:, part, i, j] @ w[part, :, a, b]
            wanted = full[:, :, pads[0]:full.shape[2] - pads[2], pads[1]:full.shape[3] - pads[3]]
            self.same(one("ConvTranspose", [x], {"w": w}, strides=list(strides), pads=list(pads), dilations=list(dilations), output_padding=list(more), group=groups)[0], wanted)

    def test_quantised_by_blocks(self):
        x, scale, zero = R.integers(-100, 100, (2, 8)).astype("int8"), np.array([[1, 2], [3, 0.5]], "float32"), np.array([[1, -2], [3, 4]], "int8")
        wide = np.repeat(scale, 4, 1)
        self.same(one("DequantizeLinear", [x], {"s": scale}, opset=21, axis=1, block_size=4)[0], x * wide)
        self.same(one("DequantizeLinear", [x], {"s": scale, "z": zero}, opset=21, axis=-1, block_size=4)[0], (x.astype("float32") - np.repeat(zero, 4, 1)) * wide)
        with self.assertRaisesRegex(tvm.error.TVMError, "DequantizeLinear.*blocks of 3 elements do not fill the axis 1"):
            one("DequantizeLinear", [x], {"s": scale}, opset=21, axis=1, block_size=3)

    def test_quantised(self):
        x, scale, zero = real(4, 5) * 3, np.float32(0.05), np.uint8(120)
        q = np.clip(np.round(x / scale) + 120, 0, 255).astype("uint8")
        found = one("QuantizeLinear", [x], {"s": scale, "z": zero})[0]
        self.assertLessEqual(int(np.abs(found.astype(int) - q).max()), 1)
        self.same(one("DequantizeLinear", [q], {"s": scale, "z": zero})[0], (q.astype("float32") - 120) * scale)


class Files(unittest.TestCase):
    def model(self, **more):
        w, b = real(8, 16), real(8)
        nodes = [F.node("Gemm", ["x", "w", "b"], ["h"], transB=1), F.node("Relu", ["h"], ["y"])]
        return F.model(nodes, [("x", "float32", (2, 16))], ["y"], {"w": w, "b": b}, **more), w, b

    def test_params(self):
        data, w, b = self.model()
        mod, params = relax.frontend.detach_params(from_onnx(data, keep_params_in_input=True))
        x = real(2, 16)
        self.assertEqual([v.name_hint for v in mod["main"].params], ["x", "w", "b"])
        np.testing.assert_allclose(run(mod, x, *[p.numpy() for p in params["main"]])[0], np.maximum(x @ w.T + b, 0), 1e-4, 1e-5)

    def test_roads_in(self):
        data = self.model()[0]
        proto = type("ModelProto", (), {"SerializeToString": lambda self: data})()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.onnx")
            with open(path, "wb") as file:
                file.write(data)
            tvm.ir.assert_structural_equal(from_onnx(proto), from_onnx(path))

    def test_listed_values(self):
        w = real(3)
        graph = F.field(1, F.node("Add", ["x", "w"], ["y"])) + F.field(5, F.tensor("w", w, listed=True)) + F.field(11, F.value_info("x", "float32", (3,))) + F.field(12, F.field(1, "y"))
        x = real(3)
        np.testing.assert_allclose(run(from_onnx(F.field(7, graph) + F.field(8, F.field(2, 13))), x)[0], x + w, 1e-6)

    def test_unknown(self):
        nodes = [F.node("Relu", ["x"], ["a"]), F.node("Wonder", ["a"], ["b"], domain="com.acme", name="layer3/wonder"), F.node("Relu", ["b"], ["y"])]
        data = F.model(nodes, [("x", "float32", (2, 3))], ["y"], infos=[("b", "float32", (2, 3))], domains=["com.acme"])
        with self.assertRaisesRegex(tvm.error.TVMError, r'node 2 "layer3/wonder" \(Wonder, domain com.acme\): no rule'):
            from_onnx(data)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.onnx")
            with open(path, "wb") as file:
                file.write(data)
            done = subprocess.run([os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli"), "import", path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertIn('node 2 "layer3/wonder" (Wonder, domain com.acme): no rule translates it', done.stderr)
        self.assertIn('R.call_pure_packed("onnx.com.acme.Wonder", lv, sinfo_args=(R.Tensor((2, 3), dtype="float32"),))', done.stdout)
        self.assertEqual(done.stdout.count("R.nn.relu"), 2)

    def test_external(self):
        w = real(4, 3)
        pair = lambda key, value: F.field(13, F.field(1, key) + F.field(2, value))
        for location, offset, good in (("w.bin", "8", True), ("../w.bin", "8", False), ("w.bin", "9000", False), ("no.bin", "0", False)):
            proto = F.field(1, 4) + F.field(1, 3) + F.field(2, F.FLOAT) + F.field(8, "w") + pair("location", location) + pair("offset", offset) + F.field(14, 1)
            graph = F.field(1, F.node("Add", ["x", "w"], ["y"])) + F.field(5, proto) + F.field(11, F.value_info("x", "float32", (4, 3))) + F.field(12, F.field(1, "y"))
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "w.bin"), "wb") as file:
                    file.write(b"\0" * 8 + w.tobytes())
                with open(os.path.join(folder, "m.onnx"), "wb") as file:
                    file.write(F.field(7, graph) + F.field(8, F.field(2, 17)))
                if good:
                    x = real(4, 3)
                    np.testing.assert_allclose(run(from_onnx(os.path.join(folder, "m.onnx")), x)[0], x + w, 1e-6)
                else:
                    self.assertRaises(tvm.error.TVMError, from_onnx, os.path.join(folder, "m.onnx"))

    def test_damaged(self):
        data = self.model()[0]
        chance = random.Random(5)
        n_refused = 0
        for i in range(300):
            bad = bytearray(data)
            for _ in range(chance.randrange(1, 4)):
                where = chance.randrange(min(len(bad), 400))
                if chance.random() < 0.5:
                    bad[where] = chance.randrange(256)
                else:
                    del bad[where:where + chance.randrange(1, 20)]
            try:
                from_onnx(bytes(bad))
            except (tvm.error.TVMError, ValueError) as error:
                n_refused += 1
                self.assertGreater(len(str(error)), 20)
        self.assertGreater(n_refused, 100)
        for bad in (b"", b"no model", data[:-30], F.field(7, b""), F.field(7, F.field(1, b"\x0a\x02\xff\xfe")) + F.field(8, F.field(2, 17))):
            self.assertRaises(tvm.error.TVMError, from_onnx, bad)


if __name__ == "__main__":
    tap.main()
