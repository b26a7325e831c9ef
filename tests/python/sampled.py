"""Operators that came after TVM v0.20: images at the places of a grid, values put where indices say, medians, windows; each against torch or NumPy."""
import itertools
import unittest

import numpy as np

import tap
import tvm
from tvm import relax, te, tir
from tvm.script import relax as R

try:
    import torch
except ImportError:
    torch = None

RAND = np.random.default_rng(23)


def values(*shape):
    return RAND.standard_normal(shape).astype("float32")


def run(inputs, make):
    """What make(*variables) computes."""
    builder = relax.BlockBuilder()
    params = [relax.Var("abcdef"[i], relax.TensorStructInfo(x.shape, str(x.dtype))) for i, x in enumerate(inputs)]
    with builder.function("main", params):
        builder.emit_func_output(builder.emit(make(*params)))
    mod = builder.get()
    tvm.ir.assert_structural_equal(tvm.script.from_source(mod.script()), mod)
    result = relax.VirtualMachine(relax.build(mod, tap.LLVM), tvm.cpu())["main"](*[tvm.nd.array(x) for x in inputs])
    return result.numpy() if hasattr(result, "numpy") else [x.numpy() for x in result]


class GridSample(unittest.TestCase):
    @unittest.skipIf(torch is None, "torch is not installed")
    def test_as_torch(self):
        for axes, methods in ((2, ("bilinear", "nearest", "bicubic")), (3, ("bilinear", "nearest"))):
            x, grid = values(2, 3, *(5, 6, 4)[:axes]), (RAND.random((2, *(4, 7, 2)[:axes], axes)) * 3 - 1.5).astype("float32")
            channels_first = np.moveaxis(grid, -1, 1).copy()
            for method, padding, aligned in itertools.product(methods, ("zeros", "border", "reflection"), (True, False)):
                want = torch.nn.functional.grid_sample(torch.tensor(x), torch.tensor(grid), method, padding, aligned).numpy()
                with self.subTest(axes=axes, method=method, padding=padding, aligned=aligned):
                    got = run([x, channels_first], lambda a, b: relax.op.image.grid_sample(  # noqa: B023
                        a, b, method, "NCHW" if axes == 2 else "NCDHW", padding, aligned))
                    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)

    def test_by_hand(self):
        x = np.arange(6, dtype="float32").reshape(1, 1, 2, 3)
        grid = np.array([[-1, -1], [1, 1], [0, 0], [3, 0]], "float32").T.reshape(1, 2, 1, 4).copy()
        np.testing.assert_allclose(run([x, grid], relax.op.image.grid_sample), [[[[0, 5, 2.5, 0]]]])
        np.testing.assert_allclose(run([x, grid], lambda a, b: relax.op.image.grid_sample(a, b, padding_mode="border")), [[[[0, 5, 2.5, 3.5]]]])

    def test_refused(self):
        builder = relax.BlockBuilder()
        x = relax.Var("x", R.Tensor((2, 3, 5, 6), "float32"))

        def refused(grid, **options):
            with self.assertRaises(tvm.error.TVMError):
                builder.normalize(relax.op.image.grid_sample(x, relax.Var("g", grid), **options))

        right = R.Tensor((2, 2, 4, 7), "float32")
        refused(R.Tensor((2, 3, 4, 7), "float32"))
        refused(R.Tensor((1, 2, 4, 7), "float32"))
        refused(R.Tensor((2, 2, 4), "float32"))
        refused(R.Tensor((2, 2, 4, 7), "int32"))
        refused(right, method="linear")
        refused(right, padding_mode="wrap")
        refused(right, layout="NCDHW")
        n = tir.Var("n", "int64")
        call = builder.normalize(relax.op.image.grid_sample(x, relax.Var("g", R.Tensor((2, 2, n, 7), "float32"))))
        tvm.ir.assert_structural_equal(call.struct_info, relax.TensorStructInfo((2, 3, n, 7), "float32"))
        tvm.ir.assert_structural_equal(builder.normalize(relax.op.image.grid_sample(x, relax.Var("g", R.Tensor("float32", ndim=4)))).struct_info,
                                       relax.TensorStructInfo(dtype="float32", ndim=4))


class IndexPut(unittest.TestCase):
    def test_as_numpy(self):
        x, i, j = values(4, 5, 3), np.array([[0, 3], [-1, 0]], "int64"), np.array([1, 4], "int32")
        for shape in ((2, 2, 3), (2, 1, 3), (3,), ()):
            new = values(*shape)
            for add in (False, True):
                want = x.copy()
                if add:
                    np.add.at(want, (i, j), new)
                else:
                    want[i, j] = new
                got = run([x, i, j, new], lambda a, b, c, d: relax.op.index_put(a, (b, c), d, add))  # noqa: B023
                np.testing.assert_allclose(got, want, rtol=1e-6, err_msg=f"{shape} {add}")

    def test_place_outside(self):
        x, i = values(4, 2), np.array([0, 4], "int64")
        with self.assertRaisesRegex(Exception, "has 4 elements"):
            run([x, i, values(2, 2)], lambda a, b, c: relax.op.index_put(a, (b,), c))
        with self.assertRaisesRegex(Exception, "has 4 elements"):
            run([x, -1 - i, values(2, 2)], lambda a, b, c: relax.op.index_put(a, (b,), c))

    def test_refused(self):
        builder = relax.BlockBuilder()
        x, i = relax.Var("x", R.Tensor((4, 5), "float32")), relax.Var("i", R.Tensor((3,), "int64"))
        for indices, new in (((i, i, i), R.Tensor((3,), "float32")), ((i, i), R.Tensor((2,), "float32")), ((i, i), R.Tensor((3,), "int32")),
                             ((i, i), R.Tensor((1, 3, 3), "float32")), ((relax.Var("f", R.Tensor((3,), "float32")),), R.Tensor((), "float32"))):
            with self.assertRaises(tvm.error.TVMError):
                builder.normalize(relax.op.index_put(x, indices, relax.Var("v", new)))


class Medians(unittest.TestCase):
    def test_lower_middle(self):
        x = values(4, 5, 3)
        for axis, keep in itertools.product((0, 1, -1), (False, True)):
            order = np.argsort(x, axis, kind="stable")
            at = np.take(order, [(x.shape[axis] - 1) // 2], axis)
            want = np.take_along_axis(x, at, axis)
            got = run([x], lambda a: relax.op.median(a, axis, keep))  # noqa: B023
            np.testing.assert_array_equal(got[0], want if keep else want.squeeze(axis))
            np.testing.assert_array_equal(got[1], at if keep else at.squeeze(axis))
        middle = np.sort(x.ravel())[(x.size - 1) // 2]
        np.testing.assert_array_equal(run([x], relax.op.median), middle)
        np.testing.assert_array_equal(run([x], lambda a: relax.op.median(a, keepdims=True)), middle.reshape(1, 1, 1))
        with self.assertRaises(tvm.error.TVMError):
            relax.BlockBuilder().normalize(relax.op.median(relax.Var("x", R.Tensor((4, 5), "float32")), [0, 1]))


class Windows(unittest.TestCase):
    def test_hamming(self):
        for n, periodic, alpha, beta in ((1, True, .54, .46), (7, True, .54, .46), (7, False, .5, .5), (2, False, .54, .46)):
            rounds = n if periodic else n - 1
            want = np.ones(1) if n == 1 else alpha - beta * np.cos(2 * np.pi * np.arange(n) / rounds)
            got = run([], lambda: relax.op.hamming_window(n, periodic, alpha, beta, "float32"))  # noqa: B023
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)
        for n, dtype in ((0, "float32"), (4, "int32")):
            with self.assertRaises(tvm.error.TVMError):
                relax.BlockBuilder().normalize(relax.op.hamming_window(n, True, .5, .5, dtype))


class FixedPoints(unittest.TestCase):
    def test_shifts_by_place(self):
        x, y, left, right = ([100, -100, 12345, -7], [2**30, 2**30, 1395864371, 2**31 - 1], [1, 2, 3, 0], [1, 2, 3, 4])
        for shl, shr in itertools.product((False, True), repeat=2):
            want = []
            for a, b, c, d in zip(x, y, left, right):
                shift = 31 + (d if shr else 0)
                want.append(((a << (c if shl else 0)) * b + (1 << (shift - 1))) >> shift)
            places = [te.placeholder((4,), "int32", name=name) for name in "abcd"]
            out = te.compute((4,), lambda i: tir.q_multiply_shift_per_axis(*[p[i] for p in places], 31, tir.const(shl, "bool"), tir.const(shr, "bool")))  # noqa: B023
            func = te.create_prim_func([*places, out])
            arrays = [np.array(v, "int32") for v in (x, y, left, right)]
            result = tvm.nd.array(np.zeros(4, "int32"))
            tvm.build(func, target="llvm")(*[tvm.nd.array(v) for v in arrays], result)
            self.assertEqual(result.numpy().tolist(), want)


def softmaxed(q, k, v, bias=None, mask=None):
    """What attention is, in NumPy: query (b, s, h, d), key (b, t, g, d), value (b, t, g, e) with h a multiple of g."""
    k, v = (np.repeat(x, q.shape[2] // x.shape[2], 2) for x in (k, v))
    scores = np.einsum("bshd,bthd->bhst", q, k) / np.sqrt(q.shape[3]) + (0 if bias is None else bias)
    if mask is not None:
        i, j = np.arange(q.shape[1])[:, None], np.arange(k.shape[1])[None]
        scores = np.where(j <= i + (k.shape[1] - q.shape[1] if mask == "BottomRight" else 0), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("bhst,bthe->bshe", weights / weights.sum(-1, keepdims=True), v)


class Attention(unittest.TestCase):
    def test_other_keys_heads_and_sizes(self):
        for length, keys, heads, groups, size, value_size in ((4, 7, 2, 2, 8, 8), (4, 7, 2, 2, 8, 5), (4, 7, 4, 2, 8, 8), (4, 4, 4, 1, 8, 6)):
            q, k, v = values(2, length, heads, size), values(2, keys, groups, size), values(2, keys, groups, value_size)
            for mask, bias_shape in itertools.product((None, "TopLeft", "BottomRight"), (None, (2, 1, length, keys))):
                bias = None if bias_shape is None else values(*bias_shape)
                got = run([q, k, v] + ([] if bias is None else [bias]), lambda *x: relax.op.nn.attention(*x, causal_mask=mask))  # noqa: B023
                np.testing.assert_allclose(got, softmaxed(q, k, v, bias, mask), rtol=1e-4, atol=1e-5, err_msg=f"{q.shape} {k.shape} {mask} {bias_shape}")

    def test_heads_that_do_not_divide(self):
        q, k = relax.Var("q", R.Tensor((2, 4, 4, 8), "float32")), relax.Var("k", R.Tensor((2, 4, 3, 8), "float32"))
        with self.assertRaises(tvm.error.TVMError):
            relax.BlockBuilder().normalize(relax.op.nn.attention(q, k, k))


if __name__ == "__main__":
    tap.main()
