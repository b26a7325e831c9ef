"""Sequences, numbers that are drawn, regions and bands of ONNX, beside numpy."""
import math
import unittest

import numpy as np

import onnx_file as F
import tap
import tvm
from onnx_operators import one, real, run, softmax
from tvm.relax.frontend.onnx import from_onnx

R = np.random.default_rng(41)
i64 = lambda *v: np.array(v, "int64")
scalar = lambda v: np.array(v, "int64")


def several(nodes, inputs, outputs, weights=(), opset=17):
    """What nodes give: inputs name -> array."""
    data = F.model([F.node(op, names, results, **dict(attributes)) for op, names, results, attributes in nodes], [(n, x.dtype, x.shape) for n, x in inputs.items()], outputs, weights, opset)
    return run(from_onnx(data), *inputs.values())


class Rest(unittest.TestCase):
    def same(self, found, expected, rtol=1e-4, atol=1e-5):
        self.assertEqual(tuple(found.shape), tuple(np.shape(expected)))
        np.testing.assert_allclose(found, expected, rtol, atol)

    # ---- sequences

    def test_sequences(self):
        a, b, c = real(2, 3), real(2, 3), real(2, 3)
        make = ("SequenceConstruct", ["a", "b", "c"], ["s"], {})
        inputs = {"a": a, "b": b, "c": c}
        for at, wanted in ((0, a), (2, c), (-1, c), (-3, a)):
            self.same(several([make, ("SequenceAt", ["s", "at"], ["y"], {})], inputs, ["y"], {"at": scalar(at)})[0], wanted)
        for at, order in ((None, [a, b, c, a]), (0, [a, a, b, c]), (1, [a, a, b, c]), (-1, [a, b, a, c]), (3, [a, b, c, a])):
            names = ["s", "a"] + ([] if at is None else ["at"])
            nodes = [make, ("SequenceInsert", names, ["t"], {}), ("ConcatFromSequence", ["t"], ["y"], {"axis": 0})]
            self.same(several(nodes, inputs, ["y"], {} if at is None else {"at": scalar(at)})[0], np.concatenate(order))
        for at, order in ((None, [a, b]), (0, [b, c]), (-2, [a, c])):
            nodes = [make, ("SequenceErase", ["s"] + ([] if at is None else ["at"]), ["t"], {}), ("ConcatFromSequence", ["t"], ["y"], {"axis": 1, "new_axis": 1})]
            self.same(several(nodes, inputs, ["y"], {} if at is None else {"at": scalar(at)})[0], np.stack(order, 1))
        nodes = [make, ("SequenceErase", ["s"], ["t"], {}), ("SequenceLength", ["t"], ["n"], {})]
        np.testing.assert_array_equal(several(nodes, inputs, ["n"])[0], scalar(2))
        nodes = [("SequenceEmpty", [], ["s"], {}), ("SequenceInsert", ["s", "a"], ["t"], {}), ("SequenceInsert", ["t", "b"], ["u"], {}), ("SequenceAt", ["u", "at"], ["y"], {})]
        self.same(several(nodes, {"a": a, "b": b}, ["y"], {"at": scalar(1)})[0], b)
        found = several([make], inputs, ["s"])
        self.assertEqual(len(found), 3)
        self.same(found[1], b)

    def test_split_to_sequence(self):
        x = real(7, 4)
        for axis, split, wanted in ((0, scalar(3), [x[:3], x[3:6], x[6:]]), (0, i64(2, 5), [x[:2], x[2:]]), (1, i64(1, 3), [x[:, :1], x[:, 1:]]), (-1, scalar(2), [x[:, :2], x[:, 2:]]),
                                    (0, i64(7), [x])):
            found = several([("SplitToSequence", ["x", "split"], ["s"], {"axis": axis})], {"x": x}, ["s"], {"split": split})
            self.assertEqual(len(found), len(wanted))
            for y, w in zip(found, wanted):
                self.same(y, w)
        for keep in (0, 1):
            found = several([("SplitToSequence", ["x"], ["s"], {"axis": 1, "keepdims": keep})], {"x": x}, ["s"])
            self.assertEqual(len(found), 4)
            self.same(found[2], x[:, 2:3] if keep else x[:, 2])
        with self.assertRaisesRegex(tvm.error.TVMError, r"node 1 .*SplitToSequence.*an extent of 7 is not split by these sizes"):
            several([("SplitToSequence", ["x", "split"], ["s"], {})], {"x": x}, ["s"], {"split": i64(2, 3)})

    def test_sequences_that_are_none(self):
        x = real(2)
        with self.assertRaisesRegex(tvm.error.TVMError, r"node 2 .*SequenceAt.*the place 5 is not in a sequence of 1"):
            several([("SequenceConstruct", ["x"], ["s"], {}), ("SequenceAt", ["s", "at"], ["y"], {})], {"x": x}, ["y"], {"at": scalar(5)})
        with self.assertRaisesRegex(tvm.error.TVMError, r"SequenceAt.*a sequence of tensors is expected"):
            several([("SequenceAt", ["x", "at"], ["y"], {})], {"x": x}, ["y"], {"at": scalar(0)})
        with self.assertRaisesRegex(tvm.error.TVMError, r'SequenceAt.*its input 2, "at", has to be known while importing'):
            several([("SequenceConstruct", ["x"], ["s"], {}), ("SequenceAt", ["s", "at"], ["y"], {})], {"x": x, "at": scalar(0)}, ["y"])
        with self.assertRaisesRegex(tvm.error.TVMError, r"SequenceErase.*nothing can be taken out of a sequence of 0"):
            several([("SequenceEmpty", [], ["s"], {}), ("SequenceErase", ["s"], ["t"], {})], {"x": x}, ["t"])
        with self.assertRaisesRegex(tvm.error.TVMError, r"ConcatFromSequence.*an empty sequence makes no tensor"):
            several([("SequenceEmpty", [], ["s"], {}), ("ConcatFromSequence", ["s"], ["y"], {"axis": 0})], {"x": x}, ["y"])

    def test_optional(self):
        x = real(2, 2)
        found = several([("Optional", ["x"], ["o"], {}), ("OptionalHasElement", ["o"], ["is"], {}), ("OptionalGetElement", ["o"], ["y"], {})], {"x": x}, ["is", "y"], opset=18)
        self.assertEqual(bool(found[0]), True)
        self.same(found[1], x)
        found = several([("OptionalHasElement", [], ["is"], {}), ("Identity", ["x"], ["y"], {})], {"x": x}, ["is", "y"], opset=18)
        self.assertEqual(bool(found[0]), False)

    # ---- what is drawn

    def test_drawn(self):
        x = real(100, 50)
        for op, inputs, attributes in (("RandomNormal", {}, {"shape": [100, 50]}), ("RandomNormalLike", {"x": x}, {})):
            draw = lambda **more: several([(op, list(inputs), ["y"], {**attributes, **more}), ("Identity", ["z"], ["w"], {})], {**inputs, "z": x}, ["y", "w"])[0]
            y = draw(seed=3.0, mean=2.0, scale=0.5)
            self.assertEqual((y.shape, y.dtype), ((100, 50), np.dtype("float32")))
            self.assertLess(abs(y.mean() - 2), 5 * 0.5 / math.sqrt(5000))
            self.assertLess(abs(y.std() - 0.5), 5 * 0.5 / math.sqrt(10000))
            inside = (abs(y - 2) < 0.5).mean()
            self.assertLess(abs(inside - 0.6827), 5 * math.sqrt(0.6827 * 0.3173 / 5000))
            np.testing.assert_array_equal(y, draw(seed=3.0, mean=2.0, scale=0.5))
            self.assertTrue((y != draw(seed=4.0, mean=2.0, scale=0.5)).mean() > 0.99)
        for op, inputs, attributes in (("RandomUniform", {}, {"shape": [100, 50]}), ("RandomUniformLike", {"x": x}, {})):
            y = several([(op, list(inputs), ["y"], {**attributes, "low": -1.0, "high": 3.0}), ("Identity", ["z"], ["w"], {})], {**inputs, "z": x}, ["y", "w"])[0]
            self.assertTrue(-1 <= y.min() and y.max() < 3)
            parts = np.histogram(y, 8, (-1, 3))[0]
            self.assertLess(np.abs(parts - 625).max(), 5 * math.sqrt(625 * 7 / 8))
        y = several([("RandomUniform", [], ["y"], {"shape": [3], "dtype": F.DOUBLE}), ("Identity", ["z"], ["w"], {})], {"z": x}, ["y", "w"])[0]
        self.assertEqual(y.dtype, np.dtype("float64"))
        both = several([("RandomUniform", [], ["y"], {"shape": [64]}), ("RandomUniform", [], ["w"], {"shape": [64]}), ("Identity", ["z"], ["v"], {})], {"z": x}, ["y", "w", "v"])
        self.assertTrue((both[0] != both[1]).any())

    def test_drawn_by_inputs(self):
        p = np.repeat(np.array([[0.0], [0.25], [0.9], [1.0]], "float32"), 2000, 1)
        for seed in (1.0, 2.0):
            y = one("Bernoulli", [p], seed=seed)[0]
            self.assertEqual(y.dtype, np.dtype("float32"))
            self.assertTrue(set(np.unique(y)) <= {0.0, 1.0})
            for row, wanted in zip(y, p[:, 0]):
                self.assertLessEqual(abs(row.mean() - wanted), 5 * math.sqrt(wanted * (1 - wanted) / 2000) + 1e-6)
        self.assertEqual(one("Bernoulli", [p], dtype=F.BOOL)[0].dtype, np.dtype("bool"))
        logits = np.array([[0, 1, 2, -30], [3, 3, -30, 3]], "float32")
        y = one("Multinomial", [logits], sample_size=6000, seed=5.0)[0]
        self.assertEqual((y.shape, y.dtype), ((2, 6000), np.dtype("int32")))
        for row, wanted in zip(y, softmax(logits)):
            shares = np.bincount(row, minlength=4) / 6000
            self.assertEqual(len(shares), 4)
            for share, w in zip(shares, wanted):
                self.assertLessEqual(abs(share - w), 5 * math.sqrt(w * (1 - w) / 6000) + 1e-6)
        self.assertEqual(one("Multinomial", [logits], dtype=F.INT64)[0].dtype, np.dtype("int64"))
        data = F.model([F.node("RandomNormalLike", ["x"], ["y"])], [("x", "float32", ("n", 4))], ["y"])
        with self.assertRaisesRegex(tvm.error.TVMError, "RandomNormalLike.*how many they are is not known then"):
            from_onnx(data)

    # ---- regions

    def test_max_roi_pool(self):
        for scale in (1.0, 0.5):
            x, n = real(2, 3, 8, 9), (3, 2)
            rois = np.array([[0, 0, 0, 8, 7], [1, 2, 1, 5, 6], [0, 3, 3, 3, 3], [1, 6, 5, 2, 1], [0, 7, 6, 20, 18], [1, 1, 2, 10.5, 9.4]], "float32")
            wanted = np.zeros((len(rois), 3) + n, "float32")
            for r, roi in enumerate(rois):
                left, top, right, bottom = (int(math.floor(v * scale + 0.5)) for v in roi[1:])
                high, wide = np.float32(max(bottom - top + 1, 1) / n[0]), np.float32(max(right - left + 1, 1) / n[1])
                for i in range(n[0]):
                    for j in range(n[1]):
                        rows = [min(max(v + top, 0), 8) for v in (math.floor(np.float32(i) * high), math.ceil(np.float32(i + 1) * high))]
                        columns = [min(max(v + left, 0), 9) for v in (math.floor(np.float32(j) * wide), math.ceil(np.float32(j + 1) * wide))]
                        part = x[int(roi[0]), :, rows[0]:rows[1], columns[0]:columns[1]]
                        if part.size:
                            wanted[r, :, i, j] = part.max((1, 2))
            self.same(one("MaxRoiPool", [x, rois], pooled_shape=list(n), spatial_scale=scale)[0], wanted, 0, 0)

    @staticmethod
    def deformed(x, w, offset, bias, mask, strides, pads, dilations, groups, parts):
        n, channels, height, width = x.shape
        kernel, out = w.shape[2:], offset.shape[2:]
        y = np.zeros((n, w.shape[0]) + out)
        offset = offset.reshape(n, parts, kernel[0], kernel[1], 2, *out)
        mask = np.ones((n, parts) + kernel + out) if mask is None else mask.reshape((n, parts) + kernel + out)

        def at(b, c, i, j):
            total, low = 0.0, (math.floor(i), math.floor(j))
            for di in (0, 1):
                for dj in (0, 1):
                    a, o = low[0] + di, low[1] + dj
                    if 0 <= a < height and 0 <= o < width:
                        total += x[b, c, a, o] * (1 - abs(i - a)) * (1 - abs(j - o))
            return total
        for b, f, r, s in np.ndindex(*y.shape):
            group = f // (w.shape[0] // groups)
            for c, k, l in np.ndindex(*w.shape[1:]):
                channel = group * w.shape[1] + c
                part = channel // (channels // parts)
                i = r * strides[0] - pads[0] + k * dilations[0] + offset[b, part, k, l, 0, r, s]
                j = s * strides[1] - pads[1] + l * dilations[1] + offset[b, part, k, l, 1, r, s]
                y[b, f, r, s] += w[f, c, k, l] * at(b, channel, i, j) * mask[b, part, k, l, r, s]
        return y if bias is None else y + bias.reshape(1, -1, 1, 1)

    def test_deform_conv(self):
        for strides, pads, dilations, groups, parts, with_bias, with_mask in (([1, 1], [0, 0, 0, 0], [1, 1], 1, 1, False, False), ([2, 1], [1, 0, 1, 2], [1, 2], 2, 1, True, True),
                                                                             ([1, 2], [1, 1, 1, 1], [1, 1], 1, 2, False, True), ([1, 1], [1, 1, 0, 0], [2, 1], 4, 4, True, False)):
            x, w = real(2, 4, 6, 7), real(4, 4 // groups, 3, 2)
            out = [(x.shape[2 + i] + pads[i] + pads[2 + i] - (w.shape[2 + i] - 1) * dilations[i] - 1) // strides[i] + 1 for i in range(2)]
            offset, bias, mask = real(2, parts * 12, *out) * 1.5, real(4) if with_bias else None, R.random((2, parts * 6, *out)).astype("float32") if with_mask else None
            arrays, names = [x, w, offset], ["x", "w", "o"]
            names += ["b"] if with_bias else [""] if with_mask else []
            arrays += [bias] if with_bias else []
            names, arrays = (names + ["m"], arrays + [mask]) if with_mask else (names, arrays)
            attributes = {"strides": strides, "pads": pads, "dilations": dilations, "group": groups, "offset_group": parts}
            found = several([("DeformConv", names, ["y"], attributes)], dict(zip([n for n in names if n], arrays)), ["y"], opset=19)[0]
            self.same(found, self.deformed(x, w, offset, bias, mask, strides, pads, dilations, groups, parts), 1e-3, 1e-4)
        with self.assertRaisesRegex(tvm.error.TVMError, "DeformConv.*do not fit each other"):
            several([("DeformConv", ["x", "w", "o"], ["y"], {})], {"x": real(1, 2, 4, 4), "w": real(1, 2, 2, 2), "o": real(1, 6, 3, 3)}, ["y"], opset=19)

    # ---- bands, scales

    def test_mel(self):
        for bands, length, rate, low, high in ((8, 16, 8192, 0.0, 4096.0), (40, 512, 16000, 20.0, 8000.0), (5, 10, 100, 0.0, 50.0)):
            wanted = np.zeros((length // 2 + 1, bands))
            mel = lambda f: 2595 * np.log10(1 + f / 700)
            at = np.arange(bands + 2) * ((mel(high) - mel(low)) / (bands + 2)) + mel(low)
            at = (((length + 1) * (700 * (np.power(10, at / 2595) - 1))) // rate).astype(int)
            for i in range(bands):
                if at[i + 1] == at[i]:
                    wanted[at[i + 1], i] = 1
                else:
                    for j in range(at[i], at[i + 1] + 1):
                        wanted[j, i] = (j - at[i]) / (at[i + 1] - at[i])
                for j in range(at[i + 1], at[i + 2]):
                    wanted[j, i] = (at[i + 2] - j) / (at[i + 2] - at[i + 1])
            weights = {"bands": scalar(bands), "length": scalar(length), "rate": scalar(rate), "low": np.array(low, "float32"), "high": np.array(high, "float32")}
            found = several([("MelWeightMatrix", list(weights), ["y"], {}), ("Identity", ["x"], ["z"], {})], {"x": real(1)}, ["y", "z"], weights)[0]
            self.same(found, wanted)

    def test_later_ones(self):
        x, scale = real(2, 3, 8), real(8)
        self.same(one("RMSNormalization", [x], {"s": scale}, opset=23, epsilon=1e-3)[0], x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-3) * scale)
        scale = real(3, 8)
        self.same(one("RMSNormalization", [x], {"s": scale}, opset=23, axis=1)[0], x / np.sqrt((x * x).mean((1, 2), keepdims=True) + 1e-5) * scale)
        self.same(one("Swish", [x], opset=24)[0], x / (1 + np.exp(-x)))
        self.same(one("Swish", [x], opset=24, alpha=2.0)[0], x / (1 + np.exp(-2 * x)))


if __name__ == "__main__":
    tap.main()
