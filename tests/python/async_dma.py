"""LowerAsyncDMA: what a pipeline copies asynchronously becomes calls of a DMA engine, and what it waits for, too."""
import unittest

import tap
import tvm
from tvm import tir
from tvm.script import tir as T


def lowered(func, **config):
    with tvm.transform.PassContext(config=config):
        return tir.transform.LowerAsyncDMA()(tvm.IRModule({"main": func}))["main"]


@T.prim_func
def one(A: T.Buffer((64,), "int8"), B: T.Buffer((64,), "int8"), C: T.Buffer((16,), "int8")):
    for i in range(4):
        with T.attr(0, "async_commit_queue_scope", 3):
            with T.attr(0, "async_scope", 1):
                for j in range(16):
                    C[j] = A[i * 16 + j]
        with T.attr(0, "async_wait_queue_scope", 3):
            with T.attr(0, "async_wait_inflight_count", 1):
                for j in range(16):
                    B[i * 16 + j] = C[j] + T.int8(1)


class AsyncDMA(unittest.TestCase):
    def test_copy_and_wait(self):
        @T.prim_func
        def after(A: T.Buffer((64,), "int8"), B: T.Buffer((64,), "int8"), C: T.Buffer((16,), "int8")):
            for i in range(4):
                with T.attr(0, "async_commit_queue_scope", 3):
                    with T.attr(0, "async_scope", 1):
                        T.dma_copy(3, T.address_of(C[0]), T.address_of(A[i * 16]), 16, 0)
                T.dma_wait(3, 1)
                for j in range(16):
                    B[i * 16 + j] = C[j] + T.int8(1)

        tvm.ir.assert_structural_equal(lowered(one).without_attr("global_symbol"), after.without_attr("global_symbol"))

    def test_bypass_is_said(self):
        self.assertIn("T.dma_copy(3, T.address_of(C[0]), T.address_of(A[i * 16]), 16, 1)", lowered(one, **{"tir.experimental_dma_bypass_cache": True}).script())

    def test_bytes_and_groups(self):
        @T.prim_func
        def two(B: T.Buffer((32,), "float16"), D: T.Buffer((32,), "float16"), E: T.Buffer((32,), "float32")):
            with T.attr(0, "async_commit_queue_scope", 0):
                for i in range(32):
                    D[i] = B[i]
                for i, j in T.grid(8, 4):
                    E[i * 4 + j] = E[i * 4 + j]

        text = lowered(two).script()
        self.assertEqual(1, text.count("T.dma_start_group(0)"))
        self.assertLess(text.index("T.dma_start_group(0)"), text.index("T.dma_copy(0, T.address_of(D[0]), T.address_of(B[0]), 64, 0)"))
        self.assertLess(text.index("T.dma_copy(0, T.address_of(E[0]), T.address_of(E[0]), 128, 0)"), text.index("T.dma_end_group(0)"))

    def test_waits_of_others_stay(self):
        @T.prim_func
        def wait(B: T.Buffer((4,), "float32")):
            with T.attr(0, "async_wait_queue_scope", 0):
                with T.attr(0, "async_wait_inflight_count", 0):
                    B[0] = T.float32(1)

        tvm.ir.assert_structural_equal(lowered(wait), wait)

    def test_loops_outside_stay(self):
        @T.prim_func
        def plain(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
            for i in range(4):
                B[i] = A[i]

        tvm.ir.assert_structural_equal(lowered(plain), plain)

    def test_no_copy_is_refused(self):
        @T.prim_func
        def strided(A: T.Buffer((64,), "int8")):
            C = T.decl_buffer((16,), "int8")
            with T.attr(0, "async_commit_queue_scope", 0):
                for j in range(16):
                    C[j] = A[j * 4]

        with self.assertRaisesRegex(Exception, "Unable to lower async dma due to non contiguous memory access"):
            lowered(strided)

        @T.prim_func
        def flat(A: T.Buffer((4, 4), "int8")):
            C = T.decl_buffer((4, 4), "int8")
            with T.attr(0, "async_commit_queue_scope", 0):
                for i, j in T.grid(4, 4):
                    C[i, j] = A[i, j]

        with self.assertRaisesRegex(Exception, "non contiguous"):
            lowered(flat)


if __name__ == "__main__":
    tap.main()
