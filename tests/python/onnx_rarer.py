"""Operators of ONNX that few models have: quantised products, places between the pixels of a picture, windows that wrap round; beside numpy, number by number."""
import math
import unittest

import numpy as np

import onnx_file as F
import tap
import tvm
from onnx_operators import one, real, run
from tvm.relax.frontend.onnx import from_onnx

R = np.random.default_rng(23)
i64 = lambda *v: np.array(v, "int64")


def whole(dtype, *shape):
    return R.integers(np.iinfo(dtype).min, np.iinfo(dtype).max + 1, shape).astype(dtype)


def saturated(x, zero, dtype):
    return np.clip(np.rint(x).astype("int64") + int(zero) if np.ndim(zero) == 0 else np.rint(x).astype("int64") + zero.astype("int64"), np.iinfo(dtype).min, np.iinfo(dtype).max).astype(dtype)


def reflect(x, low, high):
    """To and fro between both ends, walked step by step."""
    if high == low:
        return low
    while x < low or x > high:
        x = 2 * low - x if x < low else 2 * high - x
    return x


class Rarer(unittest.TestCase):
    def same(self, found, expected, rtol=1e-4, atol=1e-5):
        self.assertEqual(tuple(found.shape), tuple(np.shape(expected)))
        np.testing.assert_allclose(found, expected, rtol, atol)

    # ---- whole numbers

    def test_halves_are_even(self):
        x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 0.49999997, -0.49999997, 1e-30, -1e-30, 300.5, -300.5, 8388609.0], "float32")
        self.same(one("Round", [x])[0], np.rint(x), 0, 0)
        scale, zero = np.float32(1), np.uint8(100)
        np.testing.assert_array_equal(one("QuantizeLinear", [x], {"s": scale, "z": zero})[0], saturated(x, zero, "uint8"))

    def test_quantised(self):
        x = real(4, 6) * 50
        for zero in (np.uint8(120), np.int8(-5)):
            np.testing.assert_array_equal(one("QuantizeLinear", [x], {"s": np.float32(0.25), "z": zero})[0], saturated(x / np.float32(0.25), zero, zero.dtype))
        scale, zero = np.array([0.25, 0.5, 1, 2], "float32"), np.array([1, -2, 3, -4], "int8")
        np.testing.assert_array_equal(one("QuantizeLinear", [x], {"s": scale, "z": zero}, axis=0)[0], saturated(x / scale[:, None], zero[:, None], "int8"))
        scale, zero = np.array([[0.5, 1], [2, 0.25], [1, 1], [4, 8]], "float32"), np.array([[1, 2], [3, 4], [5, 6], [7, 8]], "uint8")
        np.testing.assert_array_equal(one("QuantizeLinear", [x], {"s": scale, "z": zero}, opset=21, axis=1, block_size=3)[0], saturated(x / np.repeat(scale, 3, 1), np.repeat(zero, 3, 1), "uint8"))

    def test_quantised_by_its_values(self):
        for x in (real(5, 7) * 9, np.abs(real(5, 7)), -np.abs(real(3)), np.zeros((2, 2), "float32")):
            most, least = max(np.float32(0), x.max()), min(np.float32(0), x.min())
            scale = np.float32((most - least) / np.float32(255)) or np.float32(1)
            zero = saturated(-least / scale, 0, "uint8")
            y, s, z = one("DynamicQuantizeLinear", [x], n_outputs=3)
            self.same(s, scale, 1e-6, 0)
            self.assertEqual((z.dtype, z.shape, int(z)), (np.dtype("uint8"), (), int(zero)))
            np.testing.assert_array_equal(y, saturated(x / scale, zero, "uint8"))

    def test_quantised_products(self):
        for a_type, b_type in (("uint8", "uint8"), ("int8", "int8"), ("uint8", "int8")):
            for shape in ((3, 5), (2, 3, 5)):
                for each in (False, True):
                    a, b = whole(a_type, *shape), whole(b_type, 5, 4)
                    az, ys, yz = np.array(7, a_type), np.float32(3.5), np.array(11, a_type)
                    s = np.float32(0.06)
                    bs, bz = (np.array([0.25, 0.5, 0.125, 1], "float32"), np.array([1, 2, 3, 4], b_type)) if each else (np.float32(0.25), np.array(9, b_type))
                    wanted = (a.astype("int64") - int(az)) @ (b.astype("int64") - bz.astype("int64"))
                    found = one("QLinearMatMul", [a], {"as": s, "az": az, "b": b, "bs": bs, "bz": bz, "ys": ys, "yz": yz})[0]
                    np.testing.assert_array_equal(found, saturated(wanted.astype("float32") * (s * bs / ys), yz, a_type))

    def test_whole_convolutions(self):
        x, w = whole("uint8", 2, 3, 6, 5), whole("int8", 4, 3, 3, 2)
        pad = [1, 0, 2, 1]

        def sums(zx, zw):
            v = np.pad(x.astype("int64") - zx, [(0, 0), (0, 0), (1, 2), (0, 1)])
            out = np.zeros((2, 4, (9 - 3) // 2 + 1, 5), "int64")
            for i, j in np.ndindex(out.shape[2:]):
                out[:, :, i, j] = np.tensordot(v[:, :, 2 * i:2 * i + 3, j:j + 2], w.astype("int64") - zw, ([1, 2, 3], [1, 2, 3]))
            return out

        self.assertTrue(np.array_equal(one("ConvInteger", [x], {"w": w}, strides=[2, 1], pads=pad)[0], sums(0, 0)))
        self.assertTrue(np.array_equal(one("ConvInteger", [x], {"w": w, "zx": np.uint8(131), "zw": np.int8(-3)}, strides=[2, 1], pads=pad)[0], sums(131, -3)))
        zw, ws, bias = np.array([1, -2, 3, -4], "int8"), np.array([0.5, 0.25, 1, 2], "float32"), np.array([100, -200, 3000, 7], "int32")
        acc = sums(131, zw.astype("int64")[:, None, None, None]) + bias[:, None, None]
        factor = (np.float32(0.02) * ws / np.float32(5))[:, None, None]
        found = one("QLinearConv", [x], {"xs": np.float32(0.02), "xz": np.uint8(131), "w": w, "ws": ws, "wz": zw, "ys": np.float32(5), "yz": np.uint8(128), "b": bias}, strides=[2, 1], pads=pad)[0]
        np.testing.assert_array_equal(found, saturated(acc.astype("float32") * factor, np.uint8(128), "uint8"))

    # ---- pooling, padding, parts

    def test_norms_of_windows(self):
        x = real(2, 3, 7, 6)
        padded = np.abs(np.pad(x, [(0, 0), (0, 0), (1, 1), (0, 1)]))
        for p in (1, 2, 3):
            wanted = np.zeros((2, 3, 4, 3))
            for i, j in np.ndindex(4, 3):
                wanted[:, :, i, j] = (padded[:, :, 2 * i:2 * i + 3, 2 * j:2 * j + 2].astype("float64") ** p).sum((2, 3)) ** (1 / p)
            self.same(one("LpPool", [x], kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1], p=p)[0], wanted)
            self.same(one("GlobalLpPool", [x], p=p)[0], (np.abs(x) ** p).sum((2, 3), keepdims=True) ** (1 / p))
        ceil = np.abs(np.pad(x, [(0, 0), (0, 0), (0, 2), (0, 2)]))
        wanted = np.zeros((2, 3, 3, 2))
        for i, j in np.ndindex(3, 2):
            wanted[:, :, i, j] = (ceil[:, :, 3 * i:3 * i + 3, 4 * j:4 * j + 3].astype("float64") ** 2).sum((2, 3)) ** 0.5
        self.same(one("LpPool", [x], opset=18, kernel_shape=[3, 3], strides=[3, 4], ceil_mode=1)[0], wanted)
        self.same(one("LpPool", [x[..., 0]], kernel_shape=[2], p=1)[0], np.abs(x[..., 0])[:, :, :-1] + np.abs(x[..., 0])[:, :, 1:])
        with self.assertRaisesRegex(tvm.error.TVMError, "a norm of 0"):
            one("LpPool", [x], kernel_shape=[3, 3], p=0)

    def test_padding_that_wraps(self):
        x = real(3, 4)
        self.same(one("Pad", [x], {"p": i64(1, 2, 1, 3)}, opset=19, mode="wrap")[0], np.pad(x, [(1, 1), (2, 3)], mode="wrap"))
        self.same(one("Pad", [x], {"p": i64(7, 0, 2, 9)}, opset=19, mode="wrap")[0], x[np.arange(-7, 5) % 3][:, np.arange(13) % 4])     # more than once round, which numpy 1.24 has wrong
        self.same(one("Pad", [x], {"p": i64(-1, 2, 0, 0)}, opset=19, mode="wrap")[0], np.pad(x[1:], [(0, 0), (2, 0)], mode="wrap"))
        u = whole("uint8", 3, 4)
        np.testing.assert_array_equal(one("Pad", [u], {"p": i64(0, 1, 0, 1), "v": np.uint8(9)})[0], np.pad(u, [(0, 0), (1, 1)], constant_values=9))
        with self.assertRaisesRegex(tvm.error.TVMError, "the mode sideways"):
            one("Pad", [x], {"p": i64(0, 1, 0, 1)}, mode="sideways")

    def test_reversed(self):
        x, lengths = real(4, 3, 2), i64(4, 1, 3)
        wanted = x.copy()
        for b, n in enumerate(lengths):
            wanted[:n, b] = x[:n, b][::-1]
        self.same(one("ReverseSequence", [x, lengths], time_axis=0, batch_axis=1)[0], wanted)
        self.same(one("ReverseSequence", [x], {"n": lengths})[0], wanted)
        self.same(one("ReverseSequence", [x.transpose(1, 0, 2).copy(), lengths], time_axis=1, batch_axis=0)[0], wanted.transpose(1, 0, 2))
        with self.assertRaisesRegex(tvm.error.TVMError, "same dimension"):
            one("ReverseSequence", [x, lengths], time_axis=1, batch_axis=1)

    def test_let_through(self):
        x = real(3, 4)
        for axis, condition in ((0, [True, False, True]), (1, [False, True, True]), (-1, [True] * 4)):
            self.same(one("Compress", [x], {"c": np.array(condition)}, axis=axis)[0], np.compress(condition, x, axis))
        self.same(one("Compress", [x], {"c": np.array([False, True, False, False, True, True])})[0], np.compress([False, True, False, False, True, True], x))
        with self.assertRaisesRegex(tvm.error.TVMError, r"Compress.*nobody knows how much"):
            one("Compress", [x, np.array([True, False, True])], axis=0)
        with self.assertRaisesRegex(tvm.error.TVMError, "nothing through"):
            one("Compress", [x], {"c": np.array([False] * 3)}, axis=0)

    def test_middle(self):
        x = real(5, 4, 3)
        self.same(one("CenterCropPad", [x], {"s": i64(2, 7, 3)}, opset=18)[0], np.pad(x[1:3], [(0, 0), (1, 2), (0, 0)]))
        self.same(one("CenterCropPad", [x], {"s": i64(6, 1)}, opset=18, axes=[-1, 0])[0], np.pad(x[2:3], [(0, 0), (0, 0), (1, 2)]))

    def test_different_ones(self):
        x = np.array([3, 1, 2, 2, 3, 3, 0.5], "float32")
        for found, wanted in zip(one("Unique", [x], n_outputs=4), np.unique(x, True, True, True)):
            np.testing.assert_array_equal(found, wanted)
        found = one("Unique", [x], n_outputs=4, sorted=0)
        for a, b in zip(found, (np.array([3, 1, 2, 0.5], "float32"), [0, 1, 2, 6], [0, 1, 2, 2, 0, 0, 3], [3, 1, 2, 1])):
            np.testing.assert_array_equal(a, b)
        rows = R.integers(0, 2, (9, 2, 2)).astype("float32")
        for y, axis in ((rows, 0), (np.moveaxis(rows, 0, 1).copy(), 1), (np.moveaxis(rows, 0, 2).copy(), -1)):
            with self.subTest(axis):
                for a, b in zip(one("Unique", [y], n_outputs=4, axis=axis), np.unique(y, True, True, True, axis=axis)):
                    np.testing.assert_array_equal(a, b.reshape(-1) if b.ndim == 2 else b)
        with self.assertRaisesRegex(tvm.error.TVMError, "Unique"):
            one("Unique", [x], axis=3)

    def test_columns(self):
        for image, block, dilations, pads, strides in (((5, 5), (1, 5), (1, 1), (0, 0, 0, 0), (1, 1)), ((6, 5), (2, 3), (1, 1), (1, 0, 2, 1), (2, 1)), ((8, 7), (3, 2), (2, 3), (0, 1, 0, 1), (1, 2))):
            span = [d * (k - 1) + 1 for d, k in zip(dilations, block)]
            n = [(image[i] + pads[i] + pads[i + 2] - span[i]) // strides[i] + 1 for i in range(2)]
            x = real(2, 3 * block[0] * block[1], n[0] * n[1])
            canvas = np.zeros((2, 3, image[0] + pads[0] + pads[2], image[1] + pads[1] + pads[3]))
            parts = x.reshape(2, 3, block[0], block[1], n[0], n[1])
            for a, b, i, j in np.ndindex(*block, *n):
                canvas[:, :, i * strides[0] + a * dilations[0], j * strides[1] + b * dilations[1]] += parts[:, :, a, b, i, j]
            found = one("Col2Im", [x], {"i": i64(*image), "b": i64(*block)}, opset=18, dilations=list(dilations), pads=list(pads), strides=list(strides))[0]
            self.same(found, canvas[:, :, pads[0]:pads[0] + image[0], pads[1]:pads[1] + image[1]])
        with self.assertRaisesRegex(tvm.error.TVMError, "7 columns are not the 25 windows"):
            one("Col2Im", [real(1, 5, 7)], {"i": i64(5, 5), "b": i64(1, 1)}, opset=18)

    def test_windows_of_a_signal(self):
        for periodic in (0, 1):
            t = np.arange(10) / (10 if periodic else 9)
            for op, wanted in (("HannWindow", 0.5 - 0.5 * np.cos(2 * math.pi * t)), ("HammingWindow", 25 / 46 - 21 / 46 * np.cos(2 * math.pi * t)),
                               ("BlackmanWindow", 0.42 - 0.5 * np.cos(2 * math.pi * t) + 0.08 * np.cos(4 * math.pi * t))):
                data = F.model([F.node(op, ["n"], ["w"], periodic=periodic), F.node("Mul", ["x", "w"], ["y"])], [("x", "float32", (2, 10))], ["y"], {"n": np.array(10, "int64")})
                x = real(2, 10)
                self.same(run(from_onnx(data), x)[0], x * wanted)

    # ---- between pixels

    def sampled(self, x, grid, mode, padding, corners):
        """As the specification says it, place by place and in float64."""
        n_axes = x.ndim - 2
        out = np.zeros(x.shape[:2] + grid.shape[1:-1])
        low = [0.0 if corners else -0.5] * n_axes
        high = [e - 1.0 if corners else e - 0.5 for e in x.shape[2:]]

        def element(n, at):
            place = []
            for k, p in enumerate(at):
                if padding == "zeros" and not 0 <= p < x.shape[2 + k]:
                    return np.zeros(x.shape[1])
                p = reflect(p, low[k], high[k]) if padding == "reflection" else p
                place.append(int(min(max(p, 0), x.shape[2 + k] - 1)))
            return x[(n, slice(None)) + tuple(place)].astype("float64")

        def shares(t):
            if mode == "linear":
                return {0: 1 - t, 1: t}
            a = -0.75
            weight = lambda d: (a + 2) * d ** 3 - (a + 3) * d * d + 1 if d <= 1 else a * d ** 3 - 5 * a * d * d + 8 * a * d - 4 * a
            return {k: weight(abs(t - k)) for k in (-1, 0, 1, 2)}

        for at in np.ndindex(*grid.shape[:-1]):
            place = []
            for k in range(n_axes):
                g, e = float(grid[at][n_axes - 1 - k]), x.shape[2 + k]
                p = (g + 1) / 2 * (e - 1) if corners else ((g + 1) * e - 1) / 2
                p = float(np.rint(p)) if mode == "nearest" else p
                if padding == "border":
                    p = min(max(p, 0), e - 1)
                place.append(reflect(p, low[k], high[k]) if padding == "reflection" else p)
            if mode == "nearest":
                value = element(at[0], place)
            else:
                whole_part, value = [math.floor(p) for p in place], 0
                around = [shares(p - w) for p, w in zip(place, whole_part)]
                for steps in np.ndindex(*[len(s) for s in around]):
                    steps = [list(s)[i] for s, i in zip(around, steps)]
                    value = value + element(at[0], [w + s for w, s in zip(whole_part, steps)]) * np.prod([s[i] for s, i in zip(around, steps)])
            out[(at[0], slice(None)) + at[1:]] = value
        return out

    def test_grid_sample(self):
        x, grid = real(2, 3, 4, 5), (R.random((2, 3, 6, 2)) * 5 - 2.5).astype("float32")
        for mode in ("linear", "nearest", "cubic"):
            for padding in ("zeros", "border", "reflection"):
                for corners in (0, 1):
                    with self.subTest(f"{mode} {padding} {corners}"):
                        self.same(one("GridSample", [x, grid], opset=20, mode=mode, padding_mode=padding, align_corners=corners)[0], self.sampled(x, grid, mode, padding, corners), 1e-3, 1e-4)
        self.same(one("GridSample", [x, grid], opset=16, mode="bilinear")[0], self.sampled(x, grid, "linear", "zeros", 0), 1e-3, 1e-4)
        x, grid = real(1, 2, 3, 4, 5), (R.random((1, 2, 3, 2, 3)) * 3 - 1.5).astype("float32")
        for mode in ("linear", "nearest"):
            self.same(one("GridSample", [x, grid], opset=20, mode=mode, padding_mode="border")[0], self.sampled(x, grid, mode, "border", 0), 1e-3, 1e-4)
        with self.assertRaisesRegex(tvm.error.TVMError, "the mode wild"):
            one("GridSample", [x, grid], opset=20, mode="wild")

    def test_affine_grid(self):
        for size, corners in (((2, 3, 4, 5), 0), ((2, 3, 4, 5), 1), ((2, 1, 2, 3, 4), 0), ((2, 1, 2, 3, 1), 1)):
            n = len(size) - 2
            theta = real(2, n, n + 1)
            lines = [(np.linspace(-1, 1, e) if e > 1 else np.zeros(1)) if corners else (2 * np.arange(e) + 1) / e - 1 for e in size[2:]]
            points = np.stack([m for m in np.meshgrid(*lines, indexing="ij")][::-1] + [np.ones(size[2:])], -1)
            self.same(one("AffineGrid", [theta], {"s": i64(*size)}, opset=20, align_corners=corners)[0], np.einsum("...j,nij->n...i", points, theta))

    def test_roi_align(self):
        x = real(2, 3, 9, 8)
        regions = np.array([[0, 0, 7, 8], [1.3, 2.2, 5.9, 4.1], [-3, -2, 3, 12], [6, 7, 6.2, 7.1]], "float32")
        batch = i64(0, 1, 1, 0)
        for how, opset in (("half_pixel", 16), ("output_half_pixel", 16), (None, 10)):
            for ratio, scale in ((1, 1.0), (2, 0.5), (3, 1.5)):
                half = how == "half_pixel"
                wanted, greatest = np.zeros((4, 3, 3, 2)), np.zeros((4, 3, 3, 2))

                def shares(n, y, x_):
                    if y < -1 or y > 9 or x_ < -1 or x_ > 8:
                        return np.zeros((1, 3))
                    y, x_ = min(max(y, 0), 8), min(max(x_, 0), 7)
                    y0, x0 = int(y), int(x_)
                    y1, x1 = min(y0 + 1, 8), min(x0 + 1, 7)
                    ty, tx = y - y0, x_ - x0
                    p = x[n].astype("float64")
                    return np.stack([p[:, y0, x0] * (1 - ty) * (1 - tx), p[:, y1, x0] * ty * (1 - tx), p[:, y0, x1] * (1 - ty) * tx, p[:, y1, x1] * ty * tx])

                for r, i, j in np.ndindex(4, 3, 2):
                    left, top, right, bottom = [float(v) * scale - (0.5 if half else 0) for v in regions[r]]
                    height, width = (bottom - top, right - left) if half else (max(bottom - top, 1), max(right - left, 1))
                    samples = [shares(batch[r], top + (i + (a + 0.5) / ratio) * height / 3, left + (j + (b + 0.5) / ratio) * width / 2) for a, b in np.ndindex(ratio, ratio)]
                    wanted[r, :, i, j] = np.mean([s.sum(0) for s in samples], 0)
                    greatest[r, :, i, j] = np.max([s.max(0) for s in samples], 0)       # of the shares, as onnx's own reference takes it
                for mode, expected in (("avg", wanted), ("max", greatest)):
                    with self.subTest(f"{how} {ratio} {scale} {mode}"):
                        self.same(one("RoiAlign", [x, regions, batch], opset=opset, output_height=3, output_width=2, sampling_ratio=ratio, spatial_scale=scale, mode=mode,
                                      coordinate_transformation_mode=how)[0], expected, 1e-3, 1e-4)
        with self.assertRaisesRegex(tvm.error.TVMError, "RoiAlign.*avg or max, not least"):
            one("RoiAlign", [x, regions, batch], opset=16, mode="least", sampling_ratio=2)

    def test_roi_align_by_size(self):
        """sampling_ratio 0: as many samples as a part of the region is pixels long."""
        x = real(2, 3, 9, 8)
        regions = np.array([[0, 0, 7, 8], [1.3, 2.2, 5.9, 4.1], [-3, -2, 13, 22], [6, 7, 6.2, 7.1], [5, 5, 4, 4]], "float32")
        batch = i64(0, 1, 1, 0, 1)

        def shares(n, y, x_):
            if y < -1 or y > 9 or x_ < -1 or x_ > 8:
                return np.zeros((1, 3))
            y, x_ = min(max(y, 0), 8), min(max(x_, 0), 7)
            y0, x0 = int(y), int(x_)
            y1, x1, ty, tx = min(y0 + 1, 8), min(x0 + 1, 7), y - y0, x_ - x0
            p = x[n].astype("float64")
            return np.stack([p[:, y0, x0] * (1 - ty) * (1 - tx), p[:, y1, x0] * ty * (1 - tx), p[:, y0, x1] * (1 - ty) * tx, p[:, y1, x1] * ty * tx])

        for half, scale in ((True, 1.0), (False, 1.0), (True, 0.7)):
            wanted, greatest = np.zeros((5, 3, 3, 2)), np.zeros((5, 3, 3, 2))
            for r, i, j in np.ndindex(5, 3, 2):
                left, top, right, bottom = [float(v) * np.float32(scale) - (0.5 if half else 0) for v in regions[r]]
                height, width = (bottom - top, right - left) if half else (max(bottom - top, 1), max(right - left, 1))
                down, across = int(np.ceil(height / 3)), int(np.ceil(width / 2))
                samples = [shares(batch[r], top + (i + (a + 0.5) / down) * height / 3, left + (j + (b + 0.5) / across) * width / 2) for a in range(down) for b in range(across)]
                if samples:                 # of a region that is turned inside out there are none
                    wanted[r, :, i, j] = np.mean([s.sum(0) for s in samples], 0)
                    greatest[r, :, i, j] = np.max([s.max(0) for s in samples], 0)
            for mode, expected in (("avg", wanted), ("max", greatest)):
                with self.subTest(f"{half} {scale} {mode}"):
                    self.same(one("RoiAlign", [x, regions, batch], opset=16, output_height=3, output_width=2, spatial_scale=scale, mode=mode,
                                  coordinate_transformation_mode="half_pixel" if half else "output_half_pixel")[0], expected, 1e-3, 1e-4)

    @staticmethod
    def suppressed(boxes, scores, most, overlap, least, center):
        rows = []
        for b, c in np.ndindex(*scores.shape[:2]):
            kept = []
            for i in np.argsort(-scores[b, c], kind="stable"):
                if scores[b, c, i] <= least or len(kept) >= most:
                    continue
                ends = []
                for k in kept + [i]:
                    p = boxes[b, k].astype("float64")
                    ends.append((p[1] - p[3] / 2, p[0] - p[2] / 2, p[1] + p[3] / 2, p[0] + p[2] / 2) if center else
                                (min(p[0], p[2]), min(p[1], p[3]), max(p[0], p[2]), max(p[1], p[3])))
                own = ends.pop()
                area = lambda e: (e[2] - e[0]) * (e[3] - e[1])
                common = [max(min(own[2], e[2]) - max(own[0], e[0]), 0) * max(min(own[3], e[3]) - max(own[1], e[1]), 0) for e in ends]
                if all(s <= overlap * (area(own) + area(e) - s) for s, e in zip(common, ends)):
                    kept.append(i)
                    rows.append((b, c, i))
        return np.array(rows, "int64").reshape(-1, 3)

    def test_boxes_that_stay(self):
        for seed in range(4):
            draw = np.random.default_rng(seed)
            center = seed % 2
            boxes, scores = draw.random((2, 30, 4)).astype("float32"), draw.random((2, 3, 30)).astype("float32")
            for most, overlap, least in ((5, 0.3, 0.2), (100, 0.1, None), (100, 0.9, 0.7), (0, 0.5, 0.0), (100, 0.5, 2.0)):
                weights = {"most": i64(most), "overlap": np.array([overlap], "float32")}
                if least is not None:
                    weights["least"] = np.array([least], "float32")
                with self.subTest(f"{seed} {most} {overlap} {least}"):
                    found = one("NonMaxSuppression", [boxes, scores], weights, center_point_box=center)[0]
                    wanted = self.suppressed(boxes, scores, most, overlap, -np.inf if least is None else least, center)
                    np.testing.assert_array_equal(found.reshape(-1, 3), wanted)
        with self.assertRaisesRegex(tvm.error.TVMError, "NonMaxSuppression.*constants"):
            one("NonMaxSuppression", [boxes, scores, i64(3)])


if __name__ == "__main__":
    tap.main()
