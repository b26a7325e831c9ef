"""Operators of topi that are written over te: each against numpy, images against torch where it is installed."""
import itertools
import unittest

import numpy as np

import tap
import tvm
from tvm import te, topi

try:
    import torch
except ImportError:
    torch = None

RAND = np.random.default_rng(11)


def run(result, inputs, arrays):
    """What the stage computes."""
    built = tvm.build(te.create_prim_func([*inputs, result]), target=tap.LLVM)
    shape = [int(n) for n in result.shape]
    out = tvm.nd.array(np.zeros(shape, result.dtype))
    built(*[tvm.nd.array(a) for a in arrays], out)
    return out.numpy()


def places(arrays):
    return [te.placeholder(a.shape, str(a.dtype), name="abcdef"[i]) for i, a in enumerate(arrays)]


def values(*shape):
    return RAND.standard_normal(shape).astype("float32")


class Places(unittest.TestCase):
    def same(self, make, arrays, want, close=False):
        inputs = places(arrays)
        got = run(make(*inputs), inputs, arrays)
        self.assertEqual(got.shape, want.shape)
        (np.testing.assert_allclose if close else np.testing.assert_array_equal)(got, want, **({"rtol": 2e-5, "atol": 2e-5} if close else {}))

    def test_adv_index(self):
        data, i, j = values(5, 6, 3), np.array([4, 0, 2], "int32"), np.array([[1], [5]], "int32")
        self.same(lambda a, b, c: topi.adv_index(a, [b, c]), [data, i, j], data[i, j])
        self.same(lambda a, b: topi.adv_index(a, [b]), [data, i], data[i])
        with self.assertRaises(ValueError):
            topi.adv_index(*[te.placeholder((4, 4)), [te.placeholder((3,), "int32"), te.placeholder((2,), "int32")]])

    def test_strided_set(self):
        for begin, end, step in (([1, 0], [4, 3], None), ([3, -2], [-5, 5], [-1, 1]), ([0], [5], [2]), ([-4, 1], [-1, 5], [1, 2])):
            data = values(4, 5)
            want = data.copy()
            part = tuple(slice(b if b >= 0 or (s or 1) > 0 else b, None if (s or 1) < 0 and e < -4 else e, s)
                         for b, e, s in zip(begin, end, step or [None] * len(begin)))
            new = values(*want[part].shape)
            want[part] = new
            extra = [np.array(x, "int32") for x in (begin, end)] + ([np.array(step, "int32")] if step else [])
            with self.subTest(begin=begin):
                self.same(lambda a, v, b, e, *s: topi.strided_set(a, v, b, e, *s), [data, new, *extra], want)
        a = te.placeholder((3,))
        with self.assertRaises(TypeError):
            topi.strided_set(a, a, te.placeholder((1,), "int64"), te.placeholder((1,), "int32"))

    def test_windows(self):
        data = np.arange(2 * 7 * 9, dtype="int32").reshape(2, 7, 9)
        got = np.lib.stride_tricks.sliding_window_view(data, (3, 4), (1, 2))[:, ::2, ::3]
        self.same(lambda a: topi.sliding_window(a, 1, [3, 4], [2, 3]), [data], got)

    def test_dense_of_sparse(self):
        at, what = np.array([[0, 1], [2, 2], [0, 1]], "int32"), np.array([5, 6, 7], "float32")
        want = np.full((3, 4), -1, "float32")
        want[2, 2], want[0, 1] = 6, 7
        self.same(lambda a, b: topi.sparse_to_dense(a, [3, 4], b, -1.0), [at, what], want)
        self.same(lambda a, b: topi.sparse_to_dense(a, [5], b), [np.array([3, 1], "int32"), np.array([2, 4], "float32")], np.array([0, 4, 0, 2, 0], "float32"))

    def test_expand_like(self):
        a, b = values(3), values(3, 4, 2)
        self.same(lambda x, y: topi.expand_like(x, y, [1, 2]), [a, b], np.broadcast_to(a[:, None, None], b.shape))
        with self.assertRaises(ValueError):
            topi.expand_like(te.placeholder((3, 3)), te.placeholder((3, 4, 2)), [1, 2])

    def test_searchsorted(self):
        row = np.sort(RAND.integers(0, 20, 16)).astype("float32")
        wanted = RAND.integers(-2, 22, (3, 5)).astype("float32")
        rows = np.sort(RAND.integers(0, 20, (3, 16)), axis=1).astype("float32")
        for right, dtype in itertools.product((False, True), ("int32", "int64")):
            side = "right" if right else "left"
            self.same(lambda a, b: topi.searchsorted(a, b, right, dtype), [row, wanted], np.searchsorted(row, wanted, side).astype(dtype))
            self.same(lambda a, b: topi.searchsorted(a, b, right, dtype), [rows, wanted], np.stack([np.searchsorted(r, w, side) for r, w in zip(rows, wanted)]).astype(dtype))

    def test_permutation_vector_and_fixed_points(self):
        order = RAND.permutation(9).astype("int32")
        self.same(topi.invert_permutation, [order], np.argsort(order).astype("int32"))
        vector = topi.places.const_vector([3, 1, 4])
        np.testing.assert_array_equal(run(vector, [], []), [3, 1, 4])
        x = RAND.integers(-10**6, 10**6, 50).astype("int32")
        want = np.floor((x.astype("int64") * 1395864371 * 2**2 + 2**30) / 2**31).astype("int32")
        inputs = places([x])
        got = run(topi.fixed_point_multiply(inputs[0], 1395864371, 2), inputs, [x])
        self.assertLessEqual(int(np.abs(got.astype("int64") - want).max()), 1)
        self.assertEqual([int(tvm.arith.Analyzer().simplify(topi.ceil_log2(tvm.tir.const(n, "int32")))) for n in (1, 8, 9)], [0, 3, 4])

    def test_names_are_functions(self):
        for module, names in ((topi, "searchsorted slice_scatter strided_set adv_index"), (topi.image, "grid_sample affine_grid resize1d resize2d resize3d"),
                              (topi.nn, "lrn fast_softmax conv2d_hwcn upsampling3d")):
            for name in names.split():
                self.assertTrue(callable(getattr(module, name)), name)
        from tvm.topi.image.grid_sample import grid_sample
        from tvm.topi.nn.local_response_norm import lrn
        self.assertIs(grid_sample, topi.image.grid_sample)
        self.assertIs(lrn, topi.nn.lrn)

    def test_lrn(self):
        x = values(2, 7, 3, 4)
        for axis in (1, 3):
            n, size = x.shape[axis], 3
            squares = np.stack([np.take(x * x, range(max(0, i - 1), min(n, i + 2)), axis).sum(axis) for i in range(n)], axis)
            self.same(lambda a: topi.nn.lrn(a, size, axis, 0.1, 0.75, 2), [x], x / (2 + 0.1 * squares / size) ** 0.75, close=True)
        with self.assertRaises(ValueError):
            topi.nn.lrn(te.placeholder((1, 2, 3, 4)), 2)

    def test_gradients_of_a_depthwise_convolution(self):
        """The products of the forward one, which is linear in both, transposed: each unit vector gives a column."""
        for stride, padding in ((1, 1), (2, 1), (2, 0), ((1, 2), (1, 0))):
            x, w = values(2, 6, 7, 3), values(3, 2, 3, 2)
            (sh, sw), (ph, pw) = (stride, stride) if isinstance(stride, int) else stride, (padding, padding) if isinstance(padding, int) else padding

            def windows(a):
                padded = np.pad(a, ((0, 0), (ph, ph), (pw, pw), (0, 0)))
                return np.lib.stride_tricks.sliding_window_view(padded, (3, 2), (1, 2))[:, ::sh, ::sw]

            shape = windows(x).shape[:3]
            grad = values(*shape, 6)
            parts = grad.reshape(*shape, 3, 2)
            with self.subTest(stride=stride, padding=padding):
                self.same(lambda a, g: topi.nn.depthwise_conv2d_backward_weight_nhwc(a, g, grad.shape, w.shape, stride, padding), [x, grad],
                          np.einsum("bijcxy,bijcm->xycm", windows(x), parts), close=True)
                want = np.zeros((2, 6 + 2 * ph, 7 + 2 * pw, 3), "float32")
                for i, j, di, dj in itertools.product(range(shape[1]), range(shape[2]), range(3), range(2)):
                    want[:, i * sh + di, j * sw + dj] += np.einsum("bcm,cm->bc", parts[:, i, j], w[di, dj])
                self.same(lambda f, g: topi.nn.depthwise_conv2d_backward_input_nhwc(f, g, grad.shape, x.shape, stride, padding), [w, grad],
                          want[:, ph:ph + 6, pw:pw + 7], close=True)

    def test_groups_over_one_dimension(self):
        x, w = values(2, 4, 9), values(6, 2, 3)
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1))), 3, 2)[:, :, ::2]
        want = np.concatenate([np.einsum("bcik,ock->boi", windows[:, g * 2:g * 2 + 2], w[g * 3:g * 3 + 3]) for g in range(2)], 1)
        self.same(lambda a, b: topi.nn.group_conv1d_ncw(a, b, 2, 1, 1, 2), [x, w], want, close=True)
        self.same(lambda a, b: topi.nn.group_conv1d_nwc(a, b, 2, 1, 1, 2), [x.transpose(0, 2, 1).copy(), w.transpose(2, 1, 0).copy()], want.transpose(0, 2, 1), close=True)

    def test_channels_last(self):
        x, w = values(1, 6, 7, 4), values(3, 3, 4, 2)
        padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))[:, ::2, ::2]
        want = np.einsum("bijcxy,xycm->bijcm", windows, w).reshape(1, 3, 4, 8)
        self.same(lambda a, b: topi.nn.depthwise_conv2d_nhwc(a, b, 2, 1, 1), [x, w], want, close=True)
        k = values(3, 3, 4, 5)
        want = np.einsum("bijcxy,xyco->bijo", windows, k)
        self.same(lambda a, b: topi.nn.conv2d_hwcn(a, b, 2, 1, 1), [x.transpose(1, 2, 3, 0).copy(), k], want.transpose(1, 2, 3, 0), close=True)
        grouped = values(3, 3, 2, 6)
        want = np.concatenate([np.einsum("bijcxy,xyco->bijo", windows[:, :, :, g * 2:g * 2 + 2], grouped[..., g * 3:g * 3 + 3]) for g in range(2)], 3)
        self.same(lambda a, b: topi.nn.group_conv2d_nhwc(a, b, 2, 1, 1, 2), [x, grouped], want, close=True)
        v, q = values(1, 4, 5, 5, 2), values(2, 2, 2, 2, 3)
        windows = np.lib.stride_tricks.sliding_window_view(v, (2, 2, 2), (1, 2, 3))
        self.same(lambda a, b: topi.nn.conv3d_ndhwc(a, b, 1, 0, 1), [v, q], np.einsum("bdijcxyz,xyzco->bdijo", windows, q), close=True)

    def test_small_ones(self):
        x, s, b = values(1, 2, 3, 3, 4), values(2, 4), values(2, 4)
        self.same(topi.nn.scale_shift_nchwc, [x, s, b], x * s[None, :, None, None] + b[None, :, None, None], close=True)
        self.same(lambda a: topi.nn.unpack_NCHWc_to_nchw(a, "float32"), [x], x.transpose(0, 1, 4, 2, 3).reshape(1, 8, 3, 3))
        self.assertEqual(topi.nn.get_pad_tuple("SAME", (4, 3)), (2, 1, 1, 1))
        self.assertEqual(topi.nn.get_pad_tuple((1, 2), (3, 3)), (1, 2, 1, 2))
        e = np.exp(values(3, 5) * 0 + RAND.standard_normal((3, 5)).astype("float32"))
        want = np.exp(e) / np.exp(e).sum(1, keepdims=True)
        inputs = places([e.astype("float32")])
        np.testing.assert_allclose(run(topi.nn.fast_softmax(inputs[0], 1), inputs, [e.astype("float32")]), want, rtol=2e-2)

    def test_dilation(self):
        x, w = values(1, 2, 6, 6), values(2, 3, 3)
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
        want = (np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3)) + w[None, :, None, None]).max((4, 5))
        self.same(lambda a, b: topi.image.dilation2d_nchw(a, b, 1, 1, 1), [x, w], want)
        self.same(lambda a, b: topi.image.dilation2d_nhwc(a, b, 1, 1, 1), [x.transpose(0, 2, 3, 1).copy(), w.transpose(1, 2, 0).copy()], want.transpose(0, 2, 3, 1))


@unittest.skipIf(torch is None, "torch is not installed")
class Images(unittest.TestCase):
    def same(self, make, arrays, want):
        inputs = places(arrays)
        np.testing.assert_allclose(run(make(*inputs), inputs, arrays), want, rtol=1e-4, atol=1e-4)

    def test_grid_sample(self):
        for n in (2, 3):
            x = values(2, 3, *(5, 6, 4)[:n])
            grid = (RAND.uniform(-1.6, 1.6, (2, n, *(4, 3, 5)[:n]))).astype("float32")
            for method, padding, corners in itertools.product(("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection"), (True, False)):
                if method == "bicubic" and n == 3:
                    continue
                want = torch.nn.functional.grid_sample(torch.from_numpy(x), torch.from_numpy(np.moveaxis(grid, 1, -1).copy()), mode=method, padding_mode=padding,
                                                       align_corners=corners).numpy()
                with self.subTest(n=n, method=method, padding=padding, corners=corners):
                    self.same(lambda a, g: topi.image.grid_sample(a, g, method, "NCHW" if n == 2 else "NCDHW", padding, corners), [x, grid], want)
        with self.assertRaises(ValueError):
            topi.image.grid_sample(te.placeholder((1, 1, 2, 2)), te.placeholder((1, 2, 2, 2)), layout="NHWC")

    def test_affine_grid(self):
        data = values(2, 2, 3)
        want = torch.nn.functional.affine_grid(torch.from_numpy(data), (2, 1, 4, 5), align_corners=True).numpy()
        self.same(lambda a: topi.image.affine_grid(a, (4, 5)), [data], np.moveaxis(want, -1, 1))

    def test_resize(self):
        x = torch.from_numpy(values(1, 2, 7))
        v = torch.from_numpy(values(1, 2, 3, 4, 5))
        resize = torch.nn.functional.interpolate
        for corners in (False, True):
            mode = "align_corners" if corners else "half_pixel"
            self.same(lambda a: topi.image.resize1d(a, [0.0] * 2, [11], method="linear", coordinate_transformation_mode=mode), [x.numpy()],
                      resize(x, 11, mode="linear", align_corners=corners).numpy())
            self.same(lambda a: topi.image.resize3d(a, [0.0] * 6, [5, 3, 9], method="linear", coordinate_transformation_mode=mode), [v.numpy()],
                      resize(v, (5, 3, 9), mode="trilinear", align_corners=corners).numpy())
        self.same(lambda a: topi.image.resize1d(a, [0.0] * 2, [5], method="nearest_neighbor", coordinate_transformation_mode="asymmetric"), [x.numpy()],
                  resize(x, 5, mode="nearest").numpy())
        self.same(lambda a: topi.nn.upsampling3d(a, 2, 2, 2, coordinate_transformation_mode="asymmetric"), [v.numpy()], resize(v, scale_factor=2, mode="nearest").numpy())
        image = x[:, :, None].expand(1, 2, 4, 7)
        want = resize(image, (4, 12), mode="bicubic", align_corners=True).numpy()[:, :, 0]
        self.same(lambda a: topi.image.resize1d(a, [0.0] * 2, [12], method="cubic", coordinate_transformation_mode="align_corners", bicubic_alpha=-0.75), [x.numpy()], want)


def packed_bits(values, bits, lanes):
    """Planes of bits along the last axis of a matrix: (rows, bits, words), the first of a word's numbers highest."""
    rows, count = values.shape
    words = np.zeros((rows, bits, count // lanes), "uint64")
    for bit in range(bits):
        for k in range(count):
            words[:, bit, k // lanes] |= ((values[:, k].astype("uint64") >> np.uint64(bit)) & np.uint64(1)) << np.uint64(lanes - 1 - k % lanes)
    return words


class Bits(unittest.TestCase):
    def test_bitpack(self):
        data = RAND.integers(0, 4, (3, 32)).astype("uint32")
        for kind, lanes in (("uint8", 8), ("uint16", 16), ("uint32", 32)):
            inputs = places([data])
            out = topi.nn.bitpack(inputs[0], 2, 1, 1, kind)
            self.assertEqual(out.dtype, kind)
            np.testing.assert_array_equal(run(out, inputs, [data]), packed_bits(data, 2, lanes))
        one = topi.nn.bitpack(inputs[0], 1, 1, 2, "uint8")
        self.assertEqual(run(one, inputs, [data]).shape, (3, 4, 1))
        with self.assertRaises(ValueError):
            topi.nn.bitpack(te.placeholder((3, 20), "uint32"), 2, 1, 1, "uint8")

    def test_bitserial_dense(self):
        data, weight = RAND.integers(0, 4, (3, 64)).astype("uint32"), RAND.integers(0, 2, (5, 64)).astype("uint32")
        for unipolar in (True, False):
            inputs = places([data, weight])
            got = run(topi.nn.bitserial_dense(*inputs, 2, 1, "uint32", "int32", unipolar), inputs, [data, weight])
            worth = weight.astype(int) * 2 - 1 if unipolar else weight.astype(int)
            np.testing.assert_array_equal(got, data.astype(int) @ worth.T)

    def test_bitserial_conv2d(self):
        data, weight = RAND.integers(0, 4, (1, 32, 6, 7)).astype("uint32"), RAND.integers(0, 4, (3, 32, 3, 3)).astype("uint32")
        padded = np.pad(data.astype(int), ((0, 0), (0, 0), (1, 1), (1, 1)))
        seen = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2]
        want = np.einsum("nchwij,fcij->nfhw", seen, weight.astype(int))
        inputs = places([data, weight])
        got = run(topi.nn.bitserial_conv2d_nchw(*inputs, 2, 1, 2, 2, "uint8", "int32", False), inputs, [data, weight])
        np.testing.assert_array_equal(got, want)
        turned = [data.transpose(0, 2, 3, 1).copy(), weight.transpose(2, 3, 1, 0).copy()]
        inputs = places(turned)
        got = run(topi.nn.bitserial_conv2d_nhwc(*inputs, 2, 1, 2, 2, "uint32", "int32", False), inputs, turned)
        np.testing.assert_array_equal(got, want.transpose(0, 2, 3, 1))

    def test_binary_dense(self):
        data, weight = values(3, 64), values(4, 64)
        inputs = places([data, weight])
        out = topi.nn.binary_dense(topi.nn.binarize_pack(inputs[0]), topi.nn.binarize_pack(inputs[1]))
        sign = [np.where(x >= 0, 1, -1) for x in (data, weight)]
        np.testing.assert_array_equal(run(out, inputs, [data, weight]).view("int32"), sign[0] @ sign[1].T)


class Sampled(unittest.TestCase):
    def test_correlation(self):
        one, other = values(2, 3, 9, 10), values(2, 3, 9, 10)
        for kernel, far, step, apart, border, multiply in ((1, 2, 1, 1, 2, True), (3, 2, 2, 2, 3, True), (1, 4, 1, 2, 4, False)):
            inputs = places([one, other])
            got = run(topi.nn.correlation_nchw(*inputs, kernel, far, step, apart, border, multiply), inputs, [one, other])
            a, b = (np.pad(x, ((0, 0), (0, 0), (border, border), (border, border))) for x in (one, other))
            radius = far // apart
            want = np.zeros_like(got)
            for q, (dy, dx) in enumerate(itertools.product(range(-radius, radius + 1), repeat=2)):
                for i, j in np.ndindex(want.shape[2:]):
                    y, x = i * step + far, j * step + far
                    patch = a[:, :, y:y + kernel, x:x + kernel]
                    moved = b[:, :, y + dy * apart:y + dy * apart + kernel, x + dx * apart:x + dx * apart + kernel]
                    want[:, q, i, j] = (patch * moved if multiply else abs(patch - moved)).mean((1, 2, 3))
            np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-5)
            self.assertGreater(abs(want).max(), 0)

    def test_deformable(self):
        data, weight = values(1, 4, 7, 8), values(6, 2, 3, 3)
        shift = np.round(RAND.uniform(-2, 2, (1, 2 * 18, 7, 8)) * 4).astype("float32") / 4
        want = np.zeros((1, 6, 7, 8))

        def pixel(c, y, x):
            if y < 0 or x < 0 or y >= 7 or x >= 8:
                return 0.0
            low, left = int(y), int(x)
            down, right = min(low + 1, 6), min(left + 1, 7)
            v, h = y - low, x - left
            return ((data[0, c, low, left] * (1 - h) + data[0, c, low, right] * h) * (1 - v)
                    + (data[0, c, down, left] * (1 - h) + data[0, c, down, right] * h) * v)

        for f, y, x, k, i, j in np.ndindex(6, 7, 8, 2, 3, 3):
            c = f // 3 * 2 + k
            at = c // 2 * 18 + (i * 3 + j) * 2
            want[0, f, y, x] += weight[f, k, i, j] * pixel(c, y - 1 + i + shift[0, at, y, x], x - 1 + j + shift[0, at + 1, y, x])
        arrays = [data, shift, weight]
        inputs = places(arrays)
        got = run(topi.nn.deformable_conv2d_nchw(*inputs, 1, 1, 1, 2, 2), inputs, arrays)
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-5)
        turned = [data.transpose(0, 2, 3, 1).copy(), shift.transpose(0, 2, 3, 1).copy(), weight.transpose(2, 3, 1, 0).copy()]
        inputs = places(turned)
        got = run(topi.nn.deformable_conv2d_nhwc(*inputs, 1, 1, 1, 2, 2), inputs, turned)
        np.testing.assert_allclose(got, want.transpose(0, 2, 3, 1), rtol=2e-5, atol=2e-5)

    def test_fifo_buffer(self):
        new, old = values(2, 3, 4), values(2, 7, 4)
        inputs = places([new, old])
        np.testing.assert_array_equal(run(topi.nn.fifo_buffer(*inputs, 1), inputs, [new, old]), np.concatenate([old[:, 3:], new], 1))


class Sparse(unittest.TestCase):
    def matrix(self, rows, columns, height=1, width=1):
        """A matrix with rows that are empty, and its blocks: data, indices, indptr."""
        full = np.kron(RAND.random((rows // height, columns // width)) < 0.4, np.ones((height, width))) * RAND.standard_normal((rows, columns))
        full[:height] = 0
        data, indices, indptr = [], [], [0]
        for i in range(0, rows, height):
            for j in range(0, columns, width):
                if full[i:i + height, j:j + width].any():
                    data.append(full[i:i + height, j:j + width])
                    indices.append(j // width)
            indptr.append(len(data))
        data = np.array(data, "float32")
        return full.astype("float32"), data.reshape(-1) if height * width == 1 else data, np.array(indices, "int32"), np.array(indptr, "int32")

    def test_dense(self):
        for block in ((1, 1), (2, 4)):
            full, *parts = self.matrix(8, 12, *block)
            other = values(5, 12)
            inputs = places([other, *parts])
            with self.subTest(block=block):
                got = run(topi.nn.sparse_dense(*inputs), inputs, [other, *parts])
                np.testing.assert_allclose(got, other @ full.T, rtol=2e-5, atol=2e-5)
                got = run(topi.nn.sparse_dense(*inputs, sparse_lhs=True), inputs, [other, *parts])
                np.testing.assert_allclose(got, full @ other.T, rtol=2e-5, atol=2e-5)
        with self.assertRaises(ValueError):
            topi.nn.sparse_dense(te.placeholder((4, 4)), te.placeholder((4, 4)), te.placeholder((4,), "int32"), te.placeholder((5,), "int32"))

    def test_add(self):
        full, *parts = self.matrix(6, 9)
        other = values(6, 9)
        inputs = places([other, *parts])
        np.testing.assert_array_equal(run(topi.nn.sparse_add(*inputs), inputs, [other, *parts]), other + full)


class Quantized(unittest.TestCase):
    def test_there_and_back(self):
        data, scale, zero = values(3, 4) * 100, np.array([0.5, 2, 1, 0.25], "float32"), np.array([3, 0, 200, -7], "int32")
        qnn = topi.nn.qnn
        for dtype, code in qnn.SQNN_DTYPE_TO_CODE.items():
            arrays = [data, np.array([code], "int32"), scale, zero]
            inputs = places(arrays)
            got = run(topi.nn.simulated_quantize(*inputs, axis=1), inputs, arrays)
            back = run(topi.nn.simulated_dequantize(*inputs, axis=1), inputs, arrays)
            if dtype == "disable":
                want, then = data, data
            else:
                bounds = np.iinfo(dtype)
                want, then = np.clip(np.round(data / scale) + zero, bounds.min, bounds.max), (data - zero) * scale
            with self.subTest(dtype=dtype):
                np.testing.assert_allclose(got, want.astype("float32"))
                np.testing.assert_allclose(back, then.astype("float32"))


class Winograd(unittest.TestCase):
    def test_convolution(self):
        for size, border in ((3, 1), (5, 2), (3, 0)):
            data, weight = values(2, 3, 9, 11), values(4, 3, size, size)
            inputs = places([data, weight])
            want = run(topi.nn.conv2d_nchw(*inputs, 1, border, 1), inputs, [data, weight])
            with self.subTest(size=size):
                got = run(topi.nn.conv2d_winograd_nchw(*inputs, 1, border, 1, "float32"), inputs, [data, weight])
                np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-3)
                kernel = topi.nn.conv2d_winograd_weight_transform(inputs[1], 4)
                got = run(topi.nn.conv2d_winograd_nchw(inputs[0], kernel, 1, border, 1, "float32", pre_computed=True), inputs, [data, weight])
                np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-3)
                turned = [data.transpose(0, 2, 3, 1).copy(), weight.transpose(2, 3, 1, 0).copy()]
                inputs = places(turned)
                got = run(topi.nn.conv2d_winograd_nhwc(*inputs, 1, border, 1, "float32"), inputs, turned)
                np.testing.assert_allclose(got, want.transpose(0, 2, 3, 1), rtol=1e-3, atol=1e-3)
        with self.assertRaises(ValueError):
            topi.nn.conv2d_winograd_nchw(*inputs, 2, 1, 1, "float32")

class Signals(unittest.TestCase):
    def test_transform_and_back(self):
        a, b = RAND.random((3, 8)).astype("float32"), RAND.random((3, 8)).astype("float32")
        real, imaginary = places([a, b])
        for inverse, wanted in ((False, np.fft.fft(a + 1j * b)), (True, np.fft.ifft(a + 1j * b))):
            result = topi.dft(real, imaginary, inverse)
            built = tvm.build(te.create_prim_func([real, imaginary, *result]), target=tap.LLVM)
            outs = [tvm.nd.array(np.zeros((3, 8), "float32")) for _ in range(2)]
            built(tvm.nd.array(a), tvm.nd.array(b), *outs)
            np.testing.assert_allclose(outs[0].numpy() + 1j * outs[1].numpy(), wanted, rtol=1e-4, atol=1e-4)

    def test_of_windows(self):
        a, window = RAND.random((2, 40)).astype("float32"), np.hanning(8).astype("float32")
        for normalized in (False, True):
            signal, taper = places([a, window])
            got = run(topi.stft(signal, 8, 4, 8, taper, normalized, True, (2, 5, 9, 2)), [signal, taper], [a, window])
            wanted = np.stack([np.fft.rfft(a[:, 4 * f:4 * f + 8] * window) for f in range(9)], 2) / (8 ** 0.5 if normalized else 1)
            np.testing.assert_allclose(got[..., 0] + 1j * got[..., 1], wanted, rtol=1e-4, atol=1e-4)


class Crops(unittest.TestCase):
    def test_parts_in_another_size(self):
        picture, boxes = RAND.random((2, 7, 9, 3)).astype("float32"), np.array([[0, 0, 1, 1], [0.25, 0.1, 0.6, 0.9], [-0.2, 0, 0.5, 1.3]], "float32")
        of = np.array([1, 0, 1], "int32")

        def wanted(method):
            out = np.full((3, 4, 5, 3), 0.5)
            for n, (y1, x1, y2, x2) in enumerate(boxes):
                for y, x in itertools.product(range(4), range(5)):
                    at = y1 * 6 + y * (y2 - y1) * 6 / 3, x1 * 8 + x * (x2 - x1) * 8 / 4
                    if not (0 <= at[0] <= 6 and 0 <= at[1] <= 8):
                        continue
                    if method == "nearest_neighbor":
                        out[n, y, x] = picture[of[n], int(np.rint(at[0])), int(np.rint(at[1]))]
                        continue
                    (t, fy), (le, fx) = ((int(np.floor(v)), v - np.floor(v)) for v in at)
                    b, r = int(np.ceil(at[0])), int(np.ceil(at[1]))
                    image = picture[of[n]]
                    out[n, y, x] = (image[t, le] * (1 - fx) + image[t, r] * fx) * (1 - fy) + (image[b, le] * (1 - fx) + image[b, r] * fx) * fy
            return out

        for method, layout in itertools.product(("bilinear", "nearest_neighbor"), ("NHWC", "NCHW")):
            given = picture if layout == "NHWC" else picture.transpose(0, 3, 1, 2).copy()
            inputs = places([given, boxes, of])
            got = run(topi.image.crop_and_resize(*inputs, (4, 5), layout, method, 0.5), inputs, [given, boxes, of])
            np.testing.assert_allclose(got if layout == "NHWC" else got.transpose(0, 2, 3, 1), wanted(method), rtol=1e-3, atol=1e-3)
        with self.assertRaises(ValueError):
            topi.image.crop_and_resize(*places([picture, boxes, of]), (4, 5), "CHWN")


class Blocks(unittest.TestCase):
    def test_channels_in_blocks_are_the_same_convolution(self):
        data, kernel = RAND.random((1, 8, 7, 6)).astype("float32"), RAND.random((6, 8, 3, 3)).astype("float32")
        plain = places([data, kernel])
        wanted = run(topi.nn.conv2d_nchw(*plain, 2, 1, 1), plain, [data, kernel])
        blocks = data.reshape(1, 2, 4, 7, 6).transpose(0, 1, 3, 4, 2).copy()
        weights = kernel.reshape(2, 3, 2, 4, 3, 3).transpose(0, 2, 4, 5, 3, 1).copy()
        packed = places([blocks, weights])
        got = run(topi.nn.conv2d_NCHWc(*packed, 2, 1, 1, "NCHW4c", "NCHW3c"), packed, [blocks, weights])
        np.testing.assert_allclose(got.transpose(0, 1, 4, 2, 3).reshape(wanted.shape), wanted, rtol=1e-4)

    def test_each_channel_alone(self):
        data, kernel = RAND.random((1, 8, 7, 6)).astype("float32"), RAND.random((8, 1, 3, 3)).astype("float32")
        plain = places([data, kernel])
        wanted = run(topi.nn.depthwise_conv2d_nchw(*plain, 1, 1, 1), plain, [data, kernel])
        blocks = data.reshape(1, 2, 4, 7, 6).transpose(0, 1, 3, 4, 2).copy()
        weights = kernel.reshape(2, 4, 1, 3, 3).transpose(0, 2, 3, 4, 1)[:, :, :, :, None, :].copy()
        packed = places([blocks, weights])
        got = run(topi.nn.depthwise_conv2d_NCHWc(*packed, 1, 1, 1, "NCHW4c", "NCHW4c"), packed, [blocks, weights])
        np.testing.assert_allclose(got.transpose(0, 1, 4, 2, 3).reshape(wanted.shape), wanted, rtol=1e-4)


class Transposed(unittest.TestCase):
    def test_sparse(self):
        whole = RAND.random((6, 6)).astype("float32") * (RAND.random((6, 6)) < 0.4)
        whole[2] = 0
        rows, columns = np.nonzero(whole)
        arrays = [whole[rows, columns], columns.astype("int32"), np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=6))]).astype("int32")]
        inputs = places(arrays)
        outs = topi.nn.sparse_transpose(*inputs)
        built = tvm.build(te.create_prim_func([*inputs, *outs]), target=tap.LLVM)
        got = [tvm.nd.array(np.zeros_like(a)) for a in arrays]
        built(*[tvm.nd.array(a) for a in arrays], *got)
        data, indices, begins = (a.numpy() for a in got)
        back = np.zeros((6, 6), "float32")
        for row in range(6):
            for at in range(begins[row], begins[row + 1]):
                back[row, indices[at]] = data[at]
        np.testing.assert_array_equal(back, whole.T)


class Regions(unittest.TestCase):
    """Means and maxima over regions of pictures, against their definition element by element."""

    regions = np.array([[0, 1, 1, 9, 8], [1, 0, 0, 5, 5], [0, 3, 2, 3, 2], [1, 8, 8, 14, 12]], "float32")

    def run_on(self, made, *inputs):
        tensors = [te.placeholder(one.shape, "float32", name) for one, name in zip(inputs, ("data", "regions"))]
        out = made(*tensors)
        given = [tvm.nd.array(one) for one in inputs] + [tvm.nd.array(np.zeros([int(n) for n in out.shape], "float32"))]
        tvm.build(te.create_prim_func([*tensors, out]), target=tap.LLVM)["main"](*given)
        return given[-1].numpy()

    @staticmethod
    def sample(plane, y, x):
        height, width = plane.shape
        if y < -1 or x < -1 or y > height or x > width:
            return 0.0
        y, x = min(max(y, 0.0), height - 1.0), min(max(x, 0.0), width - 1.0)
        top, left, bottom, right = int(np.floor(y)), int(np.floor(x)), int(np.ceil(y)), int(np.ceil(x))
        down, along = y - top, x - left
        return (plane[top, left] * (1 - down) * (1 - along) + plane[top, right] * (1 - down) * along + plane[bottom, left] * down * (1 - along)
                + plane[bottom, right] * down * along)

    def align(self, data, rows, columns, scale, kind, ratio, aligned=False):
        out = np.zeros((len(self.regions), data.shape[1], rows, columns))
        for i, (picture, *edges) in enumerate(self.regions):
            left, top, right, bottom = [edge * scale - (0.5 if aligned else 0) for edge in edges]
            tall, wide = (bottom - top, right - left) if aligned else (max(bottom - top, 1), max(right - left, 1))
            down, along = (ratio, ratio) if ratio > 0 else (int(np.ceil(tall / rows)), int(np.ceil(wide / columns)))
            for c, ph, pw in np.ndindex(*out.shape[1:]):
                found = [self.sample(data[int(picture), c], top + (ph + (a + 0.5) / down) * tall / rows, left + (pw + (b + 0.5) / along) * wide / columns)
                         for a in range(down) for b in range(along)]
                out[i, c, ph, pw] = np.mean(found) if kind == "avg" else max(found)
        return out

    def test_samples(self):
        data = np.random.RandomState(3).uniform(-1, 1, (2, 3, 10, 12)).astype("float32")
        for kind, ratio, scale in (("avg", 2, 1.0), ("max", 3, 0.5), ("avg", -1, 1.0), ("max", -1, 1.0)):
            wanted = self.align(data, 3, 2, scale, kind, ratio)
            got = self.run_on(lambda d, r: topi.vision.roi_align_nchw(d, r, (3, 2), scale, kind, ratio), data, self.regions)
            np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)
            got = self.run_on(lambda d, r: topi.vision.roi_align_nhwc(d, r, (3, 2), scale, kind, ratio), data.transpose(0, 2, 3, 1).copy(), self.regions)
            np.testing.assert_allclose(got.transpose(0, 3, 1, 2), wanted, rtol=1e-4, atol=1e-5)
        got = self.run_on(lambda d, r: topi.vision.roi_align_nchw(d, r, 2, 1.0, b"avg", 2, aligned=True), data, self.regions)
        np.testing.assert_allclose(got, self.align(data, 2, 2, 1.0, "avg", 2, True), rtol=1e-4, atol=1e-5)
        with self.assertRaises(ValueError):
            topi.vision.roi_align_nchw(te.placeholder((1, 1, 4, 4)), te.placeholder((1, 5)), 2, 1.0, "mean")

    def test_elements(self):
        data = np.random.RandomState(4).uniform(-1, 1, (2, 3, 10, 12)).astype("float32")
        wanted = np.zeros((len(self.regions), 3, 3, 2))
        for i, (picture, *edges) in enumerate(self.regions):
            left, top, right, bottom = [int(np.round(edge)) for edge in edges]
            tall, wide = max(bottom - top + 1, 1), max(right - left + 1, 1)
            for ph, pw in np.ndindex(3, 2):
                rows = [min(max(y + top, 0), 10) for y in (int(np.floor(ph * tall / 3)), int(np.ceil((ph + 1) * tall / 3)))]
                columns = [min(max(x + left, 0), 12) for x in (int(np.floor(pw * wide / 2)), int(np.ceil((pw + 1) * wide / 2)))]
                part = data[int(picture), :, rows[0]:rows[1], columns[0]:columns[1]]
                wanted[i, :, ph, pw] = part.max(axis=(1, 2)) if part.size else 0
        got = self.run_on(lambda d, r: topi.vision.roi_pool_nchw(d, r, (3, 2), 1.0), data, self.regions)
        np.testing.assert_allclose(got, wanted, rtol=1e-6)


if __name__ == "__main__":
    tap.main()
