"""te and topi: stages, reductions, functions made of them."""
import unittest

import tap
import tvm
from tvm import te, tir, topi


class Stages(unittest.TestCase):
    def test_compute(self):
        A = te.placeholder((4, 8), name="A")
        B = te.compute((4,), lambda i: A[i, 0] + 1.0, name="B")
        k = te.reduce_axis((0, 8), name="k")
        C = te.compute((4,), lambda i: te.sum(A[i, k], axis=k), name="C")
        self.assertEqual(str(A.shape), "[4, 8]")
        text = te.create_prim_func([A, B, C]).script()
        self.assertIn("B[v_i] = A[v_i, 0] + T.float32(1.0)", text)
        self.assertIn("C[v_i] = C[v_i] + A[v_i, v_k]", text)

    def test_variadic(self):
        A = te.placeholder((4, 8), "float32", name="A")
        B = te.compute(A.shape, lambda *i: te.max(A(*i), 0), name="B")
        self.assertIn("T.max(A[v_i0, v_i1], T.float32(0.0))", te.create_prim_func([A, B]).script())

    def test_refused_stages(self):
        A, k = te.placeholder((4, 8), "float32", name="A"), te.reduce_axis((0, 8), "k")
        for body in (lambda i: te.sum(A[i, k], axis=k) + 1, lambda i: (te.sum(A[i, k], axis=k), A[i, 0])):
            with self.assertRaisesRegex(tvm.TVMError, "reduction") as raised:
                te.compute((4,), body, name="B")
            self.assertIsInstance(raised.exception, ValueError)

    def test_properties_of_integers_are_known(self):
        A = te.placeholder((4,), "int32", name="A")
        for name, known in (("isfinite", "T.bool(True)"), ("isinf", "T.bool(False)"), ("isnan", "T.bool(False)")):
            self.assertIn(f"compute[v_i0] = {known}", te.create_prim_func([A, getattr(topi, name)(A)]).script())

    def test_isfinite_of_a_half(self):
        A = te.placeholder((4,), "float16", name="A")
        text = te.create_prim_func([A, topi.isfinite(A)]).script()
        self.assertIn('(T.fabs(A[v_i0]) != T.float16("inf") or T.isnan(T.Cast("float32", A[v_i0]))) and not T.isnan(T.Cast("float32", A[v_i0]))', text)

    def test_polynomials_instead_of_functions(self):
        if not tap.has_numpy():
            self.skipTest("numpy is not installed")
        import math

        import numpy as np

        x = np.linspace(-4, 4, 33, dtype="float32")
        for name, exact in (("fast_exp", math.exp), ("fast_tanh", math.tanh), ("fast_erf", math.erf)):
            A = te.placeholder((33,), "float32", name="A")
            B = getattr(topi, name)(A)
            self.assertEqual(B.op.name, "T_" + name)
            got = tvm.nd.array(np.zeros(33, "float32"))
            tvm.build(te.create_prim_func([A, B]), target="llvm")(tvm.nd.array(x), got)
            np.testing.assert_allclose(got.numpy(), [exact(value) for value in x], rtol=1e-4, atol=1e-5)
            with self.assertRaises(TypeError):
                getattr(topi, name)(tir.Var("x", "float32"))

    def test_squeeze_of_no_axes_keeps_all(self):
        A = te.placeholder((1, 3, 1), name="A")
        for axis, shape in ((None, "[3]"), ((), "[1, 3, 1]"), (0, "[3, 1]"), ((0, -1), "[3]")):
            self.assertEqual(str(topi.squeeze(A, axis).shape), shape)

    def test_adaptive_pool_to_one_place(self):
        A = te.placeholder((1, 2, 3, 5), name="A")
        text = te.create_prim_func([A, topi.nn.adaptive_pool(A, (1, 1), "max")]).script()
        self.assertIn("T.grid(1, 2, 1, 1, 3, 5)", text)

    def test_topi_of_channels_and_batches(self):
        X, I = te.placeholder((2, 4, 8), "float32", "x"), te.placeholder((2, 3), "int32", "i")
        self.assertIn("x[v_ax0, T.min(T.max(0, i[v_ax0, v_ax1]), 3), v_ax2]", te.create_prim_func([X, I, topi.take(X, I, axis=1, batch_dims=1)]).script())
        self.assertIn("x[v_ax0, v_ax1, T.min(T.max(0, i[v_ax0, v_ax2]), 7)]", te.create_prim_func([X, I, topi.take(X, I, axis=-1, batch_dims=-1)]).script())
        with self.assertRaises(ValueError):
            topi.take(X, I, axis=0, batch_dims=1)
        A, S = te.placeholder((1, 4, 5, 6), "float32", "a"), te.placeholder((4,), "float32", "s")
        self.assertIn("a[v_b, v_c, v_i, v_j] * s[v_c] + s[v_c]", te.create_prim_func([A, S, topi.nn.scale_shift_nchw(A, S, S)]).script())
        self.assertIn("T_expand_dims[v_ax1, 0, 0]", te.create_prim_func([A, S, topi.nn.bias_add(A, S)]).script())
        D, W = te.placeholder((1, 4, 3, 5, 6), "float32", "d"), te.placeholder((4, 2, 3, 3, 3), "float32", "w")
        Y = topi.nn.conv3d_transpose_ncdhw(D, W, (2, 2, 2), (1, 1, 1), "float32", (1, 1, 1))
        self.assertEqual([int(n) for n in Y.shape], [1, 2, 6, 10, 12])
        self.assertIn("w[v_i, v_o, 2 - v_d, 2 - v_h, 2 - v_w]", te.create_prim_func([D, W, Y]).script())

    def test_topi_and_operators(self):
        A, B = te.placeholder((4, 8), name="A"), te.placeholder((8,), name="B")
        self.assertIn("T_add", te.create_prim_func([A, B, A + B]).script())
        W = te.placeholder((3, 8), name="W")
        self.assertIn("T_matmul_NT", te.create_prim_func([A, W, topi.nn.dense(A, W)]).script())

    def test_refusals(self):
        A = te.placeholder((4, 8), name="A")
        for call in (lambda: A(1), lambda: te.compute((4,), lambda i, j: i), lambda: topi.reshape(A, (5, 5)), lambda: topi.add(A, te.placeholder((3,))),
                     lambda: te.create_prim_func([tir.decl_buffer((2,))])):
            with self.assertRaises((ValueError, TypeError, tvm.TVMError)):
                call()


class Hosts(unittest.TestCase):
    def test_names_of_the_program(self):
        from tvm.script import tir as T

        n, dtype, shape = 16, "float16", (16, 2)

        def helper(a):
            return tir.max(a, 3) + n

        @T.prim_func
        def f(A: T.Buffer(shape, dtype), B: T.Buffer([x for x in shape], dtype)):
            for i, j in T.grid(*shape):
                B[i, j] = A[i, j] + T.Cast(dtype, helper(i))

        self.assertIn("T.Cast(\"float16\", T.max(i, 3) + 16)", f.script())


def computed(inputs, out):
    """What machine code of `out` gives for [(placeholder, array), ..]."""
    import numpy as np

    result = tvm.nd.array(np.zeros([int(extent) for extent in out.shape], out.dtype))
    tvm.build(te.create_prim_func([*(tensor for tensor, _ in inputs), out]), target="llvm")(*(tvm.nd.array(array) for _, array in inputs), result)
    return result.numpy().tolist()


class Sequences(unittest.TestCase):
    def setUp(self):
        import numpy as np

        self.data = np.arange(30, dtype="float32").reshape(3, 5, 2)
        self.x, self.n = te.placeholder((3, 5, 2), name="x"), te.placeholder((3,), "int32", name="n")

    def test_reverse_goes_as_far_as_the_length(self):
        import numpy as np

        expected = self.data.copy()
        lengths = np.array([1, 4, 9], "int32")          # 9: more than there are
        for i, length in enumerate(lengths):
            expected[i, :length] = expected[i, :length][::-1].copy()
        self.assertEqual(computed([(self.x, self.data), (self.n, lengths)], topi.reverse_sequence(self.x, self.n, 1, 0)), expected.tolist())

    def test_mask_begins_behind_the_length(self):
        import numpy as np

        lengths = np.array([0, 2, 5], "int32")
        expected = self.data.copy()
        for i, length in enumerate(lengths):
            expected[i, length:] = -1
        self.assertEqual(computed([(self.x, self.data), (self.n, lengths)], topi.sequence_mask(self.x, self.n, -1.0, 1)), expected.tolist())

    def test_refused(self):
        two = te.placeholder((2,), "int32", name="two")
        for call, words in ((lambda: topi.reverse_sequence(self.x, two, 1, 0), "3 sequences need as many lengths, not 2"),
                            (lambda: topi.reverse_sequence(self.x, te.placeholder((3,), "float32"), 1, 0), "whole numbers, not float32"),
                            (lambda: topi.sequence_mask(self.x, self.n, 0, 2), "axis of the steps is 0 or 1")):
            with self.assertRaisesRegex((ValueError, TypeError), words):
                call()


class Blocks(unittest.TestCase):
    def test_there_and_back(self):
        import numpy as np

        data = np.arange(180, dtype="float32").reshape(2, 5, 6, 3)
        x = te.placeholder(data.shape, name="x")
        there = topi.nn.space_to_batch_nd(x, [2, 3], [1, 0], [0, 0], 7.0)
        padded = np.pad(data, ((0, 0), (1, 0), (0, 0), (0, 0)), constant_values=7)
        expected = padded.reshape(2, 3, 2, 2, 3, 3).transpose(2, 4, 0, 1, 3, 5).reshape(12, 3, 2, 3)
        y = te.placeholder(expected.shape, name="y")
        self.assertEqual(computed([(x, data)], there), expected.tolist())
        self.assertEqual(computed([(y, expected)], topi.nn.batch_to_space_nd(y, [2, 3], [1, 0], [0, 0])), data.tolist())

    def test_blocks_that_do_not_fill(self):
        x = te.placeholder((2, 5, 6, 3), name="x")
        with self.assertRaisesRegex(ValueError, "5 elements with its padding; blocks of 2 do not fill it"):
            topi.nn.space_to_batch_nd(x, [2, 3], [0, 0], [0, 0])


class RoundedUp(unittest.TestCase):
    def test_the_numbers_stand_as_they_were_given(self):
        n, m = tvm.tir.Var("n", "int64"), tvm.tir.Var("m", "int64")
        self.assertEqual(str(te.ceildiv(n, tvm.tir.const(512, "int64"))), "(n + T.int64(512) - T.int64(1)) // T.int64(512)")
        self.assertEqual(str(tvm.tir.ceildiv(n, m)), "(n + m - T.int64(1)) // m")
        self.assertEqual([int(tvm.tir.ceildiv(tvm.tir.const(a, "int32"), 4)) for a in (-5, 0, 1, 4, 5)], [-1, 0, 1, 1, 2])
        f = tvm.script.from_source("from tvm.script import tir as T\n\n@T.prim_func\ndef f(n: T.int32, A: T.Buffer((8,), 'int32')):\n"
                                   "    A[0] = T.ceildiv(n, 8)\n    A[1] = T.ceildiv(17, 8)\n")
        self.assertIn("A[0] = (n + 8 - 1) // 8\n    A[1] = 3", f.script())


if __name__ == "__main__":
    tap.main()
