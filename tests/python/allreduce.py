"""What threads do together: LowerThreadAllreduce within a warp, in several warps, by shared memory; CombineContextCall."""
import unittest

import tap
import tvm
from tvm import tir
from tvm.script import tir as T


def sums(threads, groups=1):
    """A sum over threads for each group."""
    @T.prim_func(private=True)
    def func(a: T.Buffer((groups, threads), "float32"), b: T.Buffer((groups,), "float32")):
        ty = T.launch_thread("threadIdx.y", groups)
        tx = T.launch_thread("threadIdx.x", threads)
        r = T.decl_buffer((1,), "float32", scope="local")
        with T.attr(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
            T.tvm_thread_allreduce(T.uint32(1), a[ty, tx], T.bool(True), r[0], tx)
        if tx == 0:
            b[ty] = r[0]

    return func


def lowered(func, target="cuda"):
    mod = tir.transform.BindTarget(tvm.target.Target(target, host="llvm"))(tvm.IRModule({"main": func}))
    return tir.transform.LowerThreadAllreduce()(mod)["main"]


def rounds(extent, n):
    """n sums over threads, one after the other."""
    @T.prim_func(private=True)
    def func(a: T.Buffer((n, extent), "float32"), b: T.Buffer((n,), "float32")):
        tx = T.launch_thread("threadIdx.x", extent)
        for i in range(n):
            r = T.decl_buffer((1,), "float32", scope="local")
            with T.attr(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
                T.tvm_thread_allreduce(T.uint32(1), a[i, tx], T.bool(True), r[0], tx)
            if tx == 0:
                b[i] = r[0]

    return func


class Allreduce(unittest.TestCase):
    def test_half_a_warp(self):
        @T.prim_func(private=True)
        def expected(a: T.Buffer((3, 2), "float32"), b: T.Buffer((3,), "float32")):
            ty = T.launch_thread("threadIdx.y", 3)
            tx = T.launch_thread("threadIdx.x", 2)
            r = T.decl_buffer((1,), "float32", scope="local")
            with T.attr(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
                mask = T.decl_buffer((1,), "uint32", scope="local")
                t0 = T.decl_buffer((1,), "float32", scope="local")
                r[0] = a[ty, tx]
                mask[0] = T.tvm_warp_activemask()
                t0[0] = T.tvm_warp_shuffle_down(mask[0], r[0], 1, 32, 32)
                r[0] = r[0] + t0[0]
                r[0] = T.tvm_warp_shuffle(mask[0], r[0], 2 * ty, 32, 32)
            if tx == 0:
                b[ty] = r[0]

        func = lowered(sums(2, 3))
        tvm.ir.assert_structural_equal(func, expected.with_attr("target", func.attrs["target"]))

    def test_a_part_of_a_warp_that_does_not_divide_it(self):
        text = lowered(sums(20)).script()
        self.assertIn("if tx + 16 < 20:", text)
        self.assertNotIn("if tx + 8 <", text)

    def test_several_warps(self):
        text = lowered(sums(256, 2)).script()
        self.assertEqual(text.count("tvm_warp_shuffle_down"), 5 + 3)
        self.assertIn("if tx % 32 == 0:", text)
        self.assertIn("red_buf_staging[ty * 8 + tx // 32]", text)
        self.assertIn("if tx < 8:", text)
        self.assertIn("\"volatile_scope\", 1", text)
        self.assertIn("b[ty] = red_result_1[ty]", text)

    def test_no_masks_on_metal(self):
        text = lowered(sums(32), "metal").script()
        self.assertNotIn("activemask", text)
        self.assertIn("T.tvm_warp_shuffle_down(0, ", text)

    def test_shared_memory(self):
        text = lowered(sums(70, 2)).script()
        self.assertNotIn("shuffle", text)
        self.assertIn("if tx < 6:", text)
        self.assertIn("red_buf0_1[ty * 70 + tx + 64]", text)
        self.assertEqual(text.count("T.tvm_storage_sync(\"warp\")"), 10)
        self.assertIn("b[ty] = red_buf0_1[ty * 70]", text)

    def test_barriers(self):
        """The first one is for the round before; TVM has it where there is none, too."""
        def count(func, *words):
            mod = tir.transform.BindTarget(tvm.target.Target("opencl"))(tvm.IRModule({"main": func}))
            return tir.transform.LowerThreadAllreduce(*words)(mod)["main"].script().count('T.tvm_storage_sync("shared")')

        once, again = sums(70, 2), rounds(70, 3)
        self.assertEqual(count(once), count(once, "all"))
        self.assertEqual(count(once) - count(once, "needed"), 1)
        self.assertEqual(count(again), count(again, "needed"))
        with self.assertRaisesRegex(Exception, "barriers is \"all\" or \"needed\", not \"some\""):
            count(once, "some")

    def test_one_thread(self):
        self.assertIn("r[0] = a[ty, tx]", lowered(sums(1)).script())

    def test_pairs_and_conditions(self):
        @T.prim_func(private=True)
        def func(a: T.Buffer((32,), "float32"), b: T.Buffer((1,), "int32")):
            tx = T.launch_thread("threadIdx.x", 32)
            best = T.decl_buffer((1,), "float32", scope="local")
            at = T.decl_buffer((1,), "int32", scope="local")
            with T.attr(T.comm_reducer(lambda x0, x1, y0, y1: (T.Select(x0 >= y0, x0, y0), T.Select(x0 >= y0, x1, y1)), [T.min_value("float32"), -1]),
                        "reduce_scope", T.reinterpret("handle", T.uint64(0))):
                T.tvm_thread_allreduce(T.uint32(2), a[tx], tx, tx < 30, best[0], at[0], tx)
            if tx == 0:
                b[0] = at[0]

        text = lowered(func).script()
        self.assertEqual(text.count("tvm_warp_shuffle_down"), 10)
        self.assertIn("T.Select(tx < 30, tx, -1)", text)

    def test_refusals(self):
        with self.assertRaisesRegex(Exception, "has no target"):
            tir.transform.LowerThreadAllreduce()(tvm.IRModule({"main": sums(32)}))


@T.prim_func
def added_once(A: T.Buffer((4, 64), "float32"), B: T.Buffer((4,), "float32")):
    """What follows the reduction stands outside of the loop over its threads, and reads what it stores."""
    total = T.alloc_buffer((4,), scope="local")
    for i in T.thread_binding(4, thread="blockIdx.x"):
        for k in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("total"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    total[vi] = T.float32(0)
                total[vi] = total[vi] + A[vi, vk]
        with T.block("added"):
            vi = T.axis.spatial(4, i)
            B[vi] = B[vi] + total[vi]


class Results(unittest.TestCase):
    """Blocks that use what all threads have."""

    def lowered(self, func):
        return tir.transform.LowerCrossThreadReduction()(tvm.IRModule({"main": func}))["main"]

    def test_the_first_thread_stores_for_all(self):
        text = self.lowered(added_once).script()
        self.assertIn("for tx in T.thread_binding(64, thread=\"threadIdx.x\")", text)
        self.assertEqual(text.count("T.where(tx == 0)"), 1)

    @unittest.skipUnless(tap.has_numpy(), "no NumPy")
    def test_it_is_added_once(self):
        import _loopscope as core
        import numpy as np

        device = tvm.device("simt", 0)
        a, b = np.arange(256, dtype="float32").reshape(4, 64), np.ones(4, "float32")
        given = [tvm.nd.array(x, device) for x in (a, b)]
        found = [kind for kind, _ in core.simt_run(core.lower_device(added_once, "cuda"), "cuda", tuple(given))]
        self.assertEqual(found, [])
        np.testing.assert_array_equal(given[1].numpy(), 1 + a.sum(1))

    def test_where_each_thread_stores_for_itself_or_a_loop_says_which_nothing_changes(self):
        own = tvm.script.from_source(added_once.script().replace('B: T.Buffer((4,), "float32")', 'B: T.Buffer((4,), "float32", scope="local")'))
        said = tvm.script.from_source("""
from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 64), "float32"), B: T.Buffer((4, 64), "float32")):
    total = T.alloc_buffer((4,), scope="local")
    for i in T.thread_binding(4, thread="blockIdx.x"):
        for k in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("total"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    total[vi] = T.float32(0)
                total[vi] = total[vi] + A[vi, vk]
        for j in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("spread"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] / total[vi]
""")
        for func in (own, said):
            self.assertNotIn("tx == 0", self.lowered(func).script())

    def test_another_kernel_asks_for_nothing(self):
        text = added_once.script()
        split = text.replace('scope="local"', 'scope="global"').replace('        with T.block("added")', '    for i in T.thread_binding(4, thread="blockIdx.x"):\n        with T.block("added")')
        func = tvm.script.from_source(split)
        self.assertEqual(self.lowered(func).script().count("tx == 0"), 0)


def context(number):
    """A context that a function of C gives."""
    return tir.Call("handle", "tir.tvm_thread_context", [tir.call_extern("handle", "context_of", number)])


class Contexts(unittest.TestCase):
    def test_equal_ones_are_asked_once_for_each_thread(self):
        @T.prim_func(private=True)
        def before(n: T.int32):
            T.func_attr({"target": T.target("llvm")})
            for i in range(n):
                T.call_extern("int32", "use", context(n))
                for j in T.parallel(4):
                    T.call_extern("int32", "use", context(n), context(2))

        @T.prim_func(private=True)
        def expected(n: T.int32):
            T.func_attr({"target": T.target("llvm")})
            outer: T.handle = T.call_extern("handle", "context_of", n)
            for i in range(n):
                T.call_extern("int32", "use", outer)
                for j in T.parallel(4):
                    first: T.handle = T.call_extern("handle", "context_of", n)
                    second: T.handle = T.call_extern("handle", "context_of", 2)
                    T.call_extern("int32", "use", first, second)

        after = tir.transform.CombineContextCall()(tvm.IRModule({"main": before}))["main"]
        tvm.ir.assert_structural_equal(after, expected)
        untold = tvm.IRModule({"main": before.without_attr("target")})
        tvm.ir.assert_structural_equal(tir.transform.CombineContextCall()(untold), untold)


if __name__ == "__main__":
    tap.main()
