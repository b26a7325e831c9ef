"""Memory of a warp and thread axes of several loops: what the passes make of them computes what the programs say, on simulated threads and against plain loops,
and is text that NVIDIA's assembler takes."""
import unittest

import _loopscope as core
import numpy as np
import tap
import tvm
from tvm import tir

TARGET = "cuda -arch=sm_80"

WARP = """def main(A: T.Buffer((4, {n}), "{dtype}"), C: T.Buffer((4, {n}), "{dtype}")):
    T.func_attr({{"global_symbol": "main", "tir.noalias": True}})
    for b in T.thread_binding(4, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("all"):
                W = T.alloc_buffer(({n},), "{dtype}", scope="warp")
                for k in range({m}):
                    with T.block("W"):
                        W[{store}] = A[b, {store}]
                for k in range({m}):
                    with T.block("C"):
                        C[b, {store}] = W[{load}]
"""


def function(text):
    func = tvm.script.from_source("from tvm.script import tir as T\n\n@T.prim_func\n" + text)
    return func if isinstance(func, tir.PrimFunc) else func["main"]


def simulate(func, *arrays, target=TARGET):
    device = tvm.device("simt", 0)
    given = [tvm.nd.array(array, device) for array in arrays]
    found = [text for kind, text in core.simt_run(func, target, tuple(given)) if kind != "same-value"]
    return found, given[-1].numpy()


class WarpMemory(unittest.TestCase):
    def moved(self, dtype, m, store, load):
        """The result on threads and the one of plain loops; the lowered function."""
        n = 32 * m
        a = (np.arange(4 * n) % 100).reshape(4, n).astype(dtype)
        func = core.lower_device(function(WARP.format(n=n, m=m, dtype=dtype, store=store, load=load)), TARGET)
        found, got = simulate(func, a, np.zeros_like(a))
        wanted = np.zeros_like(a)
        for k in range(m):
            for t in range(32):
                wanted[:, eval(store)] = a[:, eval(load)]
        self.assertEqual(found, [], (dtype, store, load))
        np.testing.assert_array_equal(got, wanted, f"{dtype} {store} {load}")
        return func

    def test_every_order(self):
        for dtype in ("float32", "int32", "float16", "int8", "float64", "int64"):
            for m, store in ((1, "t"), (2, "t * 2 + k"), (4, "t * 4 + k")):
                n = 32 * m
                for load in (store, f"({store} + 1) % {n}", f"{n - 1} - ({store})", f"({store}) // 2 * 2", "k", f"({store}) * 5 % {n}"):
                    func = self.moved(dtype, m, store, load)
                    self.assertNotIn(', "warp")', func.script())          # no allocation is left
                    if load in ("k", f"{n - 1} - ({store})"):       # of other threads
                        self.assertIn("T.tvm_warp_shuffle", func.script())
                        self.assertIn("__shfl_sync(", core.device_source("main", func, TARGET))

    def test_rows_of_a_warp(self):
        """Element k * 32 + t is the kth of thread t."""
        for load in ("k * 32 + t", "k"):
            self.moved("float32", 2, "k * 32 + t", load)

    def test_waves_of_64_lanes(self):
        """AMD's: one shuffle reaches all of them, on simulated threads and as loops."""
        text = WARP.replace("thread_binding(32,", "thread_binding(64,")
        a = (np.arange(4 * 64) % 100).reshape(4, 64).astype("float32")
        for load in ("63 - t", "(t + 40) % 64", "t // 2", "5"):
            func = core.lower_device(function(text.format(n=64, m=1, dtype="float32", store="t", load=load)), "rocm")
            self.assertIn("T.tvm_warp_shuffle", func.script())
            wanted = a[:, [eval(load) for t in range(64)]]
            found, got = simulate(func, a, np.zeros_like(a), target="rocm")
            self.assertEqual(found, [], load)
            np.testing.assert_array_equal(got, wanted, load)
            given = [tvm.nd.array(a), tvm.nd.array(np.zeros_like(a))]
            tvm.build(core.serial_threads(func), target="llvm").entry_func(*given)
            np.testing.assert_array_equal(given[1].numpy(), wanted, load)

    def test_a_register_that_hangs_on_the_reader_is_refused(self):
        with self.assertRaisesRegex(tvm.TVMError, "where a thread reads in the registers of another one must not depend on the reading thread"):
            self.moved("float32", 2, "k * 32 + t", "(k * 32 + t + 1) % 64")


AXES = """def main(A: T.Buffer((8, 64), "float32"), C: T.Buffer((8, 64), "float32")):
    T.func_attr({"global_symbol": "main", "tir.noalias": True})
    for b in T.thread_binding(8, thread="blockIdx.x"):
        with T.block("all"):
            S = T.alloc_buffer((64,), scope="shared")
            R = T.alloc_buffer((64,), scope="shared")
%s
"""
PARTS = {
    "in each loop": """            for i in range(2):
                for t in T.thread_binding(32, thread="threadIdx.x"):
                    with T.block("S"):
                        S[i * 32 + t] = A[b, i * 32 + t]
            for u in T.thread_binding(32, thread="threadIdx.x"):
                for i in range(2):
                    with T.block("R"):
                        R[i * 32 + u] = S[63 - (i * 32 + u)] * T.float32(2)
            for i in range(2):
                for w in T.thread_binding(32, thread="threadIdx.x"):
                    with T.block("C"):
                        C[b, i * 32 + w] = R[(i * 32 + w) // 2]""",
    "two axes in other orders": """            for y in T.thread_binding(4, thread="threadIdx.y"):
                for i in range(2):
                    for x in T.thread_binding(8, thread="threadIdx.x"):
                        with T.block("S"):
                            S[i * 32 + y * 8 + x] = A[b, i * 32 + y * 8 + x]
            for x in T.thread_binding(8, thread="threadIdx.x"):
                for i in range(2):
                    for y in T.thread_binding(4, thread="threadIdx.y"):
                        with T.block("R"):
                            R[i * 32 + x * 4 + y] = S[63 - (i * 32 + x * 4 + y)] * T.float32(2)
            for i in range(2):
                for y in T.thread_binding(4, thread="threadIdx.y"):
                    for x in T.thread_binding(8, thread="threadIdx.x"):
                        with T.block("C"):
                            C[b, i * 32 + y * 8 + x] = R[(i * 32 + y * 8 + x) // 2]""",
}


class LiftedBindings(unittest.TestCase):
    def test_one_loop_for_an_axis(self):
        for name, parts in PARTS.items():
            func = function(AXES % parts)
            lifted = tvm.IRModule({"main": func})
            for one in ("PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque", "LiftThreadBinding"):
                lifted = getattr(tir.transform, one)()(lifted)
            tags = []
            tir.stmt_functor.post_order_visit(lifted["main"].body, lambda n: tags.append(str(n.thread_binding.thread_tag))
                                              if isinstance(n, tir.For) and n.thread_binding is not None else None)
            self.assertEqual(len(tags), len(set(tags)), name)
            a = np.arange(8 * 64, dtype="float32").reshape(8, 64)
            wanted = (2 * a[:, ::-1])[:, np.arange(64) // 2]
            for form in (func, lifted["main"]):
                found, got = simulate(core.lower_device(form, TARGET), a, np.zeros_like(a))
                self.assertEqual(found, [], name)
                np.testing.assert_array_equal(got, wanted, name)


if __name__ == "__main__":
    tap.main()
