"""topi.random, topi.vision's boxes and topi.sparse: what they compute, by numpy."""
import unittest

import tap

import tvm
from tvm import te, topi


def run(inputs, outputs, shapes, arrays):
    """What a function of these tensors computes; a list of arrays."""
    import numpy as np

    func = te.create_prim_func([*inputs, *outputs])
    results = [tvm.nd.array(np.zeros(shape, dtype)) for shape, dtype in shapes]
    tvm.compile(func, target=tap.LLVM)(*(tvm.nd.array(array) for array in arrays), *results)
    return [result.numpy() for result in results]


def threefry(key, counter):
    """The hash once more, in Python's numbers."""
    most, turns = 2**64 - 1, ((14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32))
    keys = [*key, 0x1BD11BDAA9FC1A22 ^ key[0] ^ key[1] ^ key[2] ^ key[3]]
    x = list(counter)
    for turn in range(20):
        if turn % 4 == 0:
            x = [(x[j] + keys[(turn // 4 + j) % 5] + (turn // 4 if j == 3 else 0)) & most for j in range(4)]
        for half in (0, 2):
            bits = turns[turn % 8][half // 2]
            x[half] = (x[half] + x[half + 1]) & most
            x[half + 1] = (((x[half + 1] << bits) | (x[half + 1] >> (64 - bits))) & most) ^ x[half]
        x[1], x[3] = x[3], x[1]
    return x


@tap.needs_numpy
class Random(unittest.TestCase):
    """The words are those of the hash; states that were split give other numbers."""

    def state(self, *words):
        import numpy as np

        return np.array(words, "uint64")

    def generate(self, state, shape):
        gen = te.placeholder((10,), "uint64", name="gen")
        return run([gen], topi.random.threefry_generate(gen, shape), [((10,), "uint64"), (shape, "uint64")], [state])

    def split(self, state):
        gen = te.placeholder((10,), "uint64", name="gen")
        return run([gen], topi.random.threefry_split(gen), [((10,), "uint64")] * 2, [state])

    def test_numbers(self):
        state = self.state(1, 2, 3, 4, 5, 6, 0, 7, 1 << 60, 0)
        after, numbers = self.generate(state, (3, 4))
        for i in range(3):
            self.assertEqual([int(n) for n in numbers[i]], threefry((1, 2, 3, 4), [5 + i, 6 + i, i, 7 + i]))
        self.assertEqual([int(n) for n in after], [1, 2, 3, 4, 5, 6, 0, 19, 1 << 60, 0])
        self.assertFalse(set(map(int, self.generate(after, (3, 4))[1].flat)) & set(map(int, numbers.flat)))

    def test_the_counter_is_used_up(self):
        after, _ = self.generate(self.state(1, 2, 3, 4, 8, 0, 0, 2**64 - 3, 1, 0), (4,))
        self.assertEqual([int(n) for n in after], [1, 2, 3, 4, 9, 0, 0, 4, 0, 1 << 63])
        after, _ = self.generate(self.state(1, 2, 3, 4, 8, 9, 0, 2**64 - 3, 0, 0), (4,))
        self.assertEqual([int(n) for n in after], [*threefry((1, 2, 3, 4), [2**64 - 1, 2**64 - 1, 8, 9]), 0, 0, 0, 4, 1 << 63, 0])

    def test_split(self):
        left, right = self.split(self.state(1, 2, 3, 4, 8, 0, 0, 5, 1, 0))
        self.assertEqual([int(n) for n in left], [1, 2, 3, 4, 8, 0, 0, 5, 0, 1 << 63])
        self.assertEqual([int(n) for n in right], [1, 2, 3, 4, 9, 0, 0, 5, 0, 1 << 63])
        left, right = self.split(self.state(1, 2, 3, 4, 5, 6, 0, 7, 0, 0))
        key = threefry((1, 2, 3, 4), [5, 6, 0, 7])
        self.assertEqual([int(n) for n in left], [*key, 0, 0, 0, 0, 1 << 62, 0])
        self.assertEqual([int(n) for n in right], [*key, 1 << 63, 0, 0, 0, 1 << 62, 0])

    def test_uniform(self):
        gen = te.placeholder((10,), "uint64", name="gen")
        low, high = te.placeholder((), "float32", name="low"), te.placeholder((), "float32", name="high")
        import numpy as np

        state = self.state(9, 8, 7, 6, 0, 0, 0, 0, 1 << 63, 0)
        _, numbers = run([gen, low, high], topi.random.uniform(gen, low, high, (1000, 4), "float32"), [((10,), "uint64"), ((1000, 4), "float32")],
                         [state, np.array(-2, "float32"), np.array(4, "float32")])
        words = self.generate(state, (1000, 4))[1]
        np.testing.assert_allclose(numbers, (words >> np.uint64(41)).astype("float32") / 2**23 * 6 - 2, rtol=1e-6, atol=1e-6)
        self.assertTrue(numbers.min() >= -2 and numbers.max() < 4 and abs(numbers.mean() - 1) < 0.1)

    def test_wrong(self):
        gen = te.placeholder((10,), "uint64", name="gen")
        with self.assertRaisesRegex(ValueError, "multiple of four"):
            topi.random.threefry_generate(gen, (3,))
        with self.assertRaisesRegex(ValueError, "float32 or float64"):
            topi.random.uniform(gen, None, None, (4,), "float16")
        self.assertTrue(topi.random.threefry_test_wrapping("llvm", tvm.cpu()))


def overlap(a, b):
    """What two boxes share, of what both cover."""
    w = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    h = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - w * h
    return w * h / both if both > 0 else 0.0


@tap.needs_numpy
class Boxes(unittest.TestCase):
    """Rows of class, score, left, top, right, bottom."""

    def boxes(self, seed, batch=2, count=12):
        import numpy as np

        rng = np.random.default_rng(seed)
        corner, size = rng.integers(0, 8, (batch, count, 2)), rng.integers(1, 6, (batch, count, 2))
        scores = (rng.permutation(batch * count).reshape(batch, count, 1) + 1) / (batch * count)
        return np.concatenate([rng.integers(-1, 2, (batch, count, 1)), scores, corner, corner + size], axis=2).astype("float32")

    def test_valid_counts(self):
        import numpy as np

        boxes = self.boxes(1)
        for by_class in (0, -1):
            data = te.placeholder(boxes.shape, name="data")
            counts, out, places = run([data], topi.vision.get_valid_counts(data, 0.3, by_class, 1), [((2,), "int32"), (boxes.shape, "float32"), ((2, 12), "int32")], [boxes])
            for i in range(2):
                good = [j for j in range(12) if boxes[i, j, 1] > np.float32(0.3) and (by_class < 0 or boxes[i, j, 0] >= 0)]
                self.assertEqual(counts[i], len(good))
                self.assertEqual(list(places[i]), good + [-1] * (12 - len(good)))
                np.testing.assert_array_equal(out[i, :len(good)], boxes[i, good])
                self.assertTrue((out[i, len(good):] == -1).all())

    def expected(self, boxes, valid, threshold, force, most, top_k):
        """The boxes that stay, by their score."""
        order = sorted(range(valid), key=lambda j: -boxes[j, 1])
        order = order[:top_k] if top_k > 0 else order
        kept = []
        for j in order:
            rivals = [k for k in kept if boxes[k, 0] >= 0 and (force or boxes[k, 0] == boxes[j, 0])]
            if boxes[j, 1] > 0 and len(kept) != most and all(overlap(boxes[j, 2:], boxes[k, 2:]) < threshold for k in rivals):
                kept.append(j)
        return kept

    def test_suppression(self):
        import numpy as np

        for seed, force, most, top_k in ((2, False, -1, -1), (3, True, -1, -1), (4, True, 3, -1), (5, False, 2, 6)):
            boxes, valid = self.boxes(seed), np.array([12, 7], "int32")
            boxes[..., 0] = np.abs(boxes[..., 0])
            given = np.arange(24, dtype="int32").reshape(2, 12) + 100
            data, count, indices = te.placeholder(boxes.shape, name="data"), te.placeholder((2,), "int32", name="count"), te.placeholder((2, 12), "int32", name="indices")
            made = topi.vision.non_max_suppression(data, count, indices, most, 0.3, force, top_k, return_indices=True)
            places, number = run([data, count, indices], made, [((2, 12), "int32"), ((2, 1), "int32")], [boxes, valid, given])
            out = topi.vision.non_max_suppression(data, count, indices, most, 0.3, force, top_k, return_indices=False, invalid_to_bottom=True)
            first, = run([data, count, indices], [out], [(boxes.shape, "float32")], [boxes, valid, given])
            for i in range(2):
                kept = self.expected(boxes[i], valid[i], np.float32(0.3), force, most, top_k)
                self.assertEqual(number[i, 0], len(kept), (seed, i))
                self.assertEqual(list(places[i]), [given[i, j] for j in kept] + [-1] * (12 - len(kept)), (seed, i))
                np.testing.assert_array_equal(first[i, :len(kept)], boxes[i, kept])
                self.assertTrue((first[i, len(kept):] == -1).all())


@tap.needs_numpy
class PoolGrad(unittest.TestCase):
    """What reached the windows, by going through them."""

    def expected(self, grad, x, kernel, stride, pads, kind, include):
        import numpy as np

        result = np.zeros_like(x)
        for n, c, i, j in np.ndindex(*grad.shape):
            window = [(h, w) for h in range(i * stride[0] - pads[0], i * stride[0] - pads[0] + kernel[0])
                      for w in range(j * stride[1] - pads[1], j * stride[1] - pads[1] + kernel[1])]
            real = [(h, w) for h, w in window if 0 <= h < x.shape[2] and 0 <= w < x.shape[3]]
            if kind == "max":
                h, w = max(real, key=lambda at: x[n, c, at[0], at[1]])
                result[n, c, h, w] += grad[n, c, i, j]
            else:
                for h, w in real:
                    result[n, c, h, w] += grad[n, c, i, j] / (kernel[0] * kernel[1] if include else len(real))
        return result

    def test_values(self):
        import numpy as np

        rng = np.random.default_rng(3)
        x = rng.permutation(2 * 7 * 6).reshape(1, 2, 7, 6).astype("float32")
        for kernel, stride, pads, ceil, out in (((3, 2), (2, 1), (1, 0, 1, 1), False, (4, 6)), ((2, 2), (2, 2), (0, 0, 0, 0), True, (4, 3)), ((3, 3), (1, 2), (1, 1, 1, 1), False, (7, 3))):
            grad = rng.integers(-4, 5, (1, 2, *out)).astype("float32")
            for kind, include in (("max", True), ("avg", True), ("avg", False)):
                tg, tx = te.placeholder(grad.shape, name="grad"), te.placeholder(x.shape, name="x")
                made = topi.nn.pool_grad(tg, tx, kernel, stride, pads, kind, ceil, include)
                result, = run([tg, tx], [made], [(x.shape, "float32")], [grad, x])
                np.testing.assert_allclose(result, self.expected(grad, x, kernel, stride, pads, kind, include), rtol=1e-5, atol=1e-5)

    def test_forms(self):
        from tvm import relax
        from tvm.script import relax as R

        def text(ceil):
            @R.function
            def main(grad: R.Tensor((1, 2, 3, 3), "float32"), x: R.Tensor((1, 2, 6, 6), "float32")):
                gv = R.grad.max_pool2d_backward(grad, x, (2, 2), (2, 2), (0, 0, 0, 0), (1, 1), False)
                return gv

            func = main if not ceil else tvm.script.from_source(main.script().replace("ceil_mode=False", "ceil_mode=True"))
            return relax.transform.LegalizeOps()(tvm.IRModule({"main": func})).script()

        self.assertNotIn("pad_temp", text(False))
        self.assertIn("pad_temp = T.alloc_buffer((T.int64(1), T.int64(2), T.int64(7), T.int64(7)))", text(True))
        value = next(line for line in text(False).splitlines() if "v_maxpool_grad_argmax_v1: T.float32 =" in line)
        self.assertNotIn(" or ", value)          # the value is the larger one; only the place asks for the earlier
        place = next(line for line in text(False).splitlines() if "v_maxpool_grad_argmax_v0: T.int64 =" in line)
        self.assertTrue(place.endswith('T.Cast("int64", v_dh) * T.int64(6) + v_ax3 * T.int64(2) + T.Cast("int64", v_dw))'), place)

    def test_wrong(self):
        with self.assertRaisesRegex(ValueError, '"avg" or "max"'):
            topi.nn.pool_grad(te.placeholder((1, 1, 2, 2)), te.placeholder((1, 1, 4, 4)), 2, 2, 0, "sum")


@tap.needs_numpy
class Utilities(unittest.TestCase):
    """Shapes, places and constants."""

    def test_numbers(self):
        import numpy as np

        from tvm.topi import utils

        shape = (3, 4, 5)
        self.assertEqual(utils.ravel_index((2, 1, 3), shape), int(np.ravel_multi_index((2, 1, 3), shape)))
        self.assertEqual([int(tvm.arith.Analyzer().simplify(tvm.tir.convert(n))) for n in utils.unravel_index(tvm.tir.const(48), shape)], [2, 1, 3])
        self.assertEqual([utils.get_max_power2_factor(n) for n in (1, 12, 64)], [1, 4, 64])
        self.assertEqual(utils.get_max_power2_factor(64, 20), 16)
        self.assertEqual(utils.get_shape((1, 32, 7, 7), "NCHW", "NCHW8c"), (1, 4, 7, 7, 8))
        self.assertEqual(utils.swap([1, 2, 3, 4], 1), [1, 4, 3, 2])
        self.assertEqual(int(utils.ceil_div(tvm.tir.const(7), 2)), 4)
        self.assertTrue(utils.is_empty_shape((2, 0)) and not utils.is_empty_shape((2, 3)))

    def test_constants(self):
        import numpy as np

        from tvm.topi import utils

        matrix = np.array([[1, 2, 3], [4, 5, 6]], "float32")
        np.testing.assert_array_equal(run([], [utils.const_matrix(matrix)], [((2, 3), "float32")], [])[0], matrix)
        np.testing.assert_array_equal(run([], [utils.const_vector(matrix[1])], [((3,), "float32")], [])[0], matrix[1])


@tap.needs_numpy
class Chains(unittest.TestCase):
    """An extern stage whose result another one reads."""

    def test_the_memory_between_begins_at_its_begin(self):
        import numpy as np

        def more(ins, outs):
            builder = tvm.tir.ir_builder.create()
            source, out = builder.buffer_ptr(ins[0]), builder.buffer_ptr(outs[0])
            with builder.for_range(0, 4, name="j") as j:
                out[j] = source[j] * 2.0
            return builder.get()

        x = te.placeholder((4,), name="x")
        y = te.extern([(4,)], [te.extern([(4,)], [x], more, dtype="float32", name="y")], more, dtype="float32", name="z")
        self.assertIn("y = T.alloc_buffer((4,))\n", te.create_prim_func([x, y]).script())
        np.testing.assert_array_equal(run([x], [y], [((4,), "float32")], [np.arange(4, dtype="float32")])[0], np.arange(4) * 4)


@tap.needs_numpy
class Sparse(unittest.TestCase):
    """A matrix in CSR times another one."""

    def matrix(self):
        import numpy as np

        rng = np.random.default_rng(7)
        full = (rng.integers(-3, 4, (5, 6)) * (rng.random((5, 6)) < 0.4)).astype("float32")
        rows = [np.nonzero(row)[0] for row in full]
        arrays = [np.concatenate([full[i, rows[i]] for i in range(5)]).astype("float32"), np.concatenate(rows).astype("int32"),
                  np.cumsum([0] + [len(row) for row in rows]).astype("int32")]
        names = ("data", "indices", "indptr")
        tensors = [te.placeholder(array.shape, str(array.dtype), name=name) for name, array in zip(names, arrays)]
        return full, arrays, tensors, type("Csr", (), {"shape": (5, 6), **dict(zip(names, tensors))})()

    def test_products(self):
        import numpy as np

        full, arrays, tensors, csr = self.matrix()
        b, c = np.arange(24, dtype="float32").reshape(6, 4), np.arange(5, dtype="float32")
        tb, tc = te.placeholder((6, 4), name="b"), te.placeholder((5,), name="c")
        result, = run([*tensors, tb, tc], [topi.sparse.csrmm(csr, tb, tc)], [((5, 4), "float32")], [*arrays, b, c])
        np.testing.assert_array_equal(result, full @ b + c[:, None])
        tx = te.placeholder((6, 1), name="x")
        result, = run([*tensors, tx, tc], [topi.sparse.csrmv(csr, tx, tc)], [((5, 1), "float32")], [*arrays, b[:, :1].copy(), c])
        np.testing.assert_array_equal(result, full @ b[:, :1] + c[:, None])
        td, bias = te.placeholder((3, 6), name="d"), te.placeholder((5,), name="bias")
        d = np.arange(18, dtype="float32").reshape(3, 6)
        result, = run([*tensors, td, bias], [topi.sparse.dense(td, csr, bias)], [((3, 5), "float32")], [*arrays, d, c])
        np.testing.assert_array_equal(result, d @ full.T + c)
        result, = run([*tensors, td], [topi.sparse.dense(csr, td)], [((5, 3), "float32")], [*arrays, d])
        np.testing.assert_array_equal(result, full @ d.T)


if __name__ == "__main__":
    tap.main()
