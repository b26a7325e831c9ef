"""Passes that lower TensorIR further: types of indices, functions put where they are called, threads, memory."""
import unittest

import tap
import tvm
from tvm import tir
from tvm.script import ir as I, tir as T


def module_of(func):
    return tvm.IRModule({"main": func})


def same(transform, before, after):
    tvm.ir.assert_structural_equal(transform(module_of(before))["main"], after)


class IndexTypes(unittest.TestCase):
    def test_loops_and_conditions_become_narrow(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((128,), "float32"), B: T.Buffer((130,), "float32")):
            for i, j in T.grid(T.int64(2), T.int64(65)):
                if i * T.int64(65) + j < T.int64(128):
                    A[i * T.int64(65) + j] = 0.0
            for i, j in T.grid(T.int64(2), T.int64(65)):
                B[i * T.int64(65) + j] = T.if_then_else(i * T.int64(65) + j < T.int64(128), A[i * T.int64(65) + j], T.float32(0))

        @T.prim_func(private=True)
        def after(A: T.Buffer((128,), "float32"), B: T.Buffer((130,), "float32")):
            for i, j in T.grid(2, 65):
                if i * 65 + j < 128:
                    A[i * 65 + j] = 0.0
            for i, j in T.grid(2, 65):
                B[i * 65 + j] = T.if_then_else(i * 65 + j < 128, A[i * 65 + j], T.float32(0))

        same(tir.transform.NarrowDataType(32), before, after)

    def test_values_keep_their_type(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((16,), "int64")):
            for i in range(T.int64(15)):
                A[i + T.int64(1)] = A[i] + T.int64(1)

        @T.prim_func(private=True)
        def after(A: T.Buffer((16,), "int64")):
            for i in range(15):
                A[i + 1] = A[i] + T.int64(1)

        same(tir.transform.NarrowDataType(32), before, after)

    def test_an_operation_is_narrowed_as_a_whole(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((280,), "int32"), B: T.Buffer((280,), "int32")):
            for j in range(T.int64(280)):
                B[j] = T.cast(T.cast(A[j], "int64") // (T.int64(36) - j % T.int64(35)), "int32")

        @T.prim_func(private=True)
        def after(A: T.Buffer((280,), "int32"), B: T.Buffer((280,), "int32")):
            for j in range(280):
                B[j] = A[j] // (36 - j % 35)

        same(tir.transform.NarrowDataType(32), before, after)

    def test_what_does_not_fit_stays(self):
        for m, n, dtype in ((2 ** 15, 2 ** 15, "int32"), (2 ** 15, 2 ** 15 + 1, "int64")):
            ib = tir.ir_builder.create()
            a, b = tir.decl_buffer([m * n], name="A"), tir.decl_buffer([m * n * 2], name="B")
            A, B = ib.buffer_ptr(a), ib.buffer_ptr(b)
            with ib.for_range(0, tir.IntImm("int64", m), name="i") as i:
                with ib.for_range(0, tir.IntImm("int64", n), name="j") as j:
                    A[i * n + j] = B[i * 2 * n + 2 * j] + 1
            stmt = tir.transform.NarrowDataType(32)(module_of(tir.PrimFunc([a, b], ib.get())))["main"].body
            self.assertEqual((stmt.loop_var.dtype, stmt.body.loop_var.dtype), (dtype, dtype))

    def test_threads_and_blocks(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((T.int64(128),), "float32"), n: T.int64):
            for t in T.thread_binding(T.int64(4), thread="threadIdx.x"):
                for i in range(T.int64(16)):
                    with T.block("b"):
                        v = T.axis.spatial(T.int64(64), t * T.int64(16) + i)
                        T.where(t * T.int64(16) + i < n)
                        A[v + n] = T.Select(T.int64(1) <= v, A[v], T.cast(v, "float32"))

        @T.prim_func(private=True)
        def after(A: T.Buffer((128,), "float32"), n: T.int32):
            for t in T.thread_binding(4, thread="threadIdx.x"):
                for i in range(16):
                    with T.block("b"):
                        v = T.axis.spatial(64, t * 16 + i)
                        T.where(t * 16 + i < n)
                        A[v + n] = T.Select(1 <= v, A[v], T.cast(v, "float32"))

        same(tir.transform.ForceNarrowIndexToInt32(), before, after)

    def test_wide_buffers_are_refused(self):
        @T.prim_func(private=True)
        def wide(A: T.Buffer((8,), "int64")):
            for i in range(8):
                A[i] = T.int64(1)

        with self.assertRaises(tvm.TVMError):
            tir.transform.ForceNarrowIndexToInt32()(module_of(wide))


if __name__ == "__main__":
    tap.main()
