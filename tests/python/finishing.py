"""meta_schedule: what is done to a program after its design is drawn, and what is refused then."""
import unittest

import tap
import tvm
from tvm import meta_schedule as ms
from tvm.script import tir as T
from tvm.target import Target
from tvm.tir import Schedule
from tvm.tir.schedule.testing import assert_structural_equal_ignore_global_symbol as same


def finished(func, postproc, target="llvm"):
    """The function after a step; None: it was refused."""
    sch = Schedule(func, debug_mask="all")
    space = ms.space_generator.PostOrderApply(sch_rules=[], postprocs=[postproc], mutator_probs={})
    context = ms.TuneContext(mod=sch.mod, target=target, space_generator=space, task_name="test")
    sch.enter_postproc()
    return sch.mod["main"] if context.space_generator.postprocs[0].apply(sch) else None


@T.prim_func
def adds(A: T.Buffer((2, 24, 64), "uint8"), B: T.Buffer((2, 24, 64), "uint8")):
    with T.block("root"):
        T.block_attr({"meta_schedule.parallel": 16, "meta_schedule.vectorize": 128, "meta_schedule.unroll_explicit": 64})
        for i, j, k in T.grid(2, 24, 64):
            with T.block("B"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                B[vi, vj, vk] = A[vi, vj, vk] + T.uint8(1)


@T.prim_func
def adds_in_vectors(A: T.Buffer((2, 24, 64), "uint8"), B: T.Buffer((2, 24, 64), "uint8")):
    with T.block("root"):
        for f_0 in T.parallel(24):
            for f_1 in T.vectorized(128):
                with T.block("B"):
                    vi = T.axis.spatial(2, (f_0 * 128 + f_1) // 1536)
                    vj = T.axis.spatial(24, (f_0 * 128 + f_1) % 1536 // 64)
                    vk = T.axis.spatial(64, (f_0 * 128 + f_1) % 64)
                    B[vi, vj, vk] = A[vi, vj, vk] + T.uint8(1)


@T.prim_func
def turns(A: T.Buffer((8, 64), "float32"), B: T.Buffer((64, 8), "float32")):
    with T.block("root"):
        T.block_attr({"meta_schedule.parallel": 16, "meta_schedule.vectorize": 128, "meta_schedule.unroll_explicit": 64})
        for i, j in T.grid(64, 8):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vj, vi]


class Marks(unittest.TestCase):
    def test_what_is_all_in_order_is_fused_and_split(self):
        same(finished(adds, ms.postproc.RewriteParallelVectorizeUnroll()), adds_in_vectors)

    def test_what_is_not_in_order_is_fused_from_outside(self):
        text = finished(turns, ms.postproc.RewriteParallelVectorizeUnroll()).script()
        self.assertIn("in T.parallel(64)", text)
        self.assertIn("in T.vectorized(8)", text)
        self.assertNotIn("pragma", text)


@T.prim_func
def product(A: T.Buffer((12, 20), "float32"), B: T.Buffer((20, 6), "float32"), C: T.Buffer((12, 6), "float32")):
    T.func_attr({"layout_free_buffers": [1]})
    for i_0, j, k_0, i_1, k_1 in T.grid(3, 6, 5, 4, 4):
        with T.block("C"):
            vi = T.axis.spatial(12, i_0 * 4 + i_1)
            vj = T.axis.spatial(6, j)
            vk = T.axis.reduce(20, k_0 * 4 + k_1)
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


@T.prim_func
def product_laid_out(A: T.Buffer((12, 20), "float32"), B: T.Buffer((20, 6), "float32"), C: T.Buffer((12, 6), "float32")):
    T.func_attr({"layout_free_buffers": [1]})
    B_global = T.alloc_buffer((6, 5, 4))
    for ax0, ax1 in T.grid(20, 6):
        with T.block("B_global"):
            v0, v1 = T.axis.remap("SS", [ax0, ax1])
            T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
            B_global[v1, v0 // 4, v0 % 4] = B[v0, v1]
    for i_0, j, k_0, i_1, k_1 in T.grid(3, 6, 5, 4, 4):
        with T.block("C"):
            vi = T.axis.spatial(12, i_0 * 4 + i_1)
            vj = T.axis.spatial(6, j)
            vk = T.axis.reduce(20, k_0 * 4 + k_1)
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B_global[vj, vk // 4, vk % 4]


@T.prim_func
def product_of_copies(A: T.Buffer((12, 20), "float32"), B: T.Buffer((20, 6), "float32"), C: T.Buffer((12, 6), "float32")):
    T.func_attr({"layout_free_buffers": [1]})
    near = T.alloc_buffer((20, 6))
    nearer = T.alloc_buffer((20, 6))
    for f in range(120):
        with T.block("near"):
            v0 = T.axis.spatial(20, f // 6)
            v1 = T.axis.spatial(6, f % 6)
            near[v0, v1] = B[v0, v1]
    for i, j in T.grid(20, 6):
        with T.block("nearer"):
            v0, v1 = T.axis.remap("SS", [i, j])
            nearer[v0, v1] = near[v0, v1]
    for i, j, k in T.grid(12, 6, 20):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * nearer[vk, vj]


@T.prim_func
def column(A: T.Buffer((16, 1), "float32")):
    T.func_attr({"layout_free_buffers": [0]})
    for i, j in T.grid(16, 1):
        with T.block("block"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.evaluate(A[vi, vj])


@T.prim_func
def column_laid_out(A: T.Buffer((16, 1), "float32")):
    T.func_attr({"layout_free_buffers": [0]})
    A_global = T.alloc_buffer((16,))
    for ax0, ax1 in T.grid(16, 1):
        with T.block("A_global"):
            v0, v1 = T.axis.remap("SS", [ax0, ax1])
            T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
            A_global[v0] = A[v0, v1]
    for i, j in T.grid(16, 1):
        with T.block("block"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.evaluate(A_global[vi])


@T.prim_func
def no_block(A: T.Buffer((16, 16), "float32")):
    T.func_attr({"layout_free_buffers": [0]})
    for i, j in T.grid(16, 16):
        T.evaluate(A[i, j])


class Layouts(unittest.TestCase):
    def test_an_input_is_copied_in_the_order_of_the_loops(self):
        same(finished(product, ms.postproc.RewriteLayout()), product_laid_out)

    def test_the_order_of_loops_that_are_gone_through_already(self):
        @T.prim_func
        def plain(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
            T.func_attr({"layout_free_buffers": [0]})
            for i, j in T.grid(4, 4):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj]

        self.assertIsNotNone(finished(plain, ms.postproc.RewriteLayout()))

    def test_ones_are_left_out(self):
        same(finished(column, ms.postproc.RewriteLayout()), column_laid_out)

    def test_copies_in_between_get_the_layout_too(self):
        text = finished(product_of_copies, ms.postproc.RewriteLayout()).script()
        for line in ("nearer[v1, v0] = near[v1, v0]", "near[v1, v0] = B_global[v1, v0]", "B_global[v1, v0] = B[v0, v1]"):
            self.assertIn(line, text)
        self.assertEqual(text.count("layout_rewrite_preproc"), 1)

    def test_a_read_outside_of_blocks_is_refused(self):
        self.assertIsNone(finished(no_block, ms.postproc.RewriteLayout()))

    def test_buffers_that_blocks_name(self):
        @T.prim_func
        def named(A: T.Buffer((4, 8), "float32"), D: T.Buffer((8, 4), "float32"), B: T.Buffer((8, 4), "float32")):
            for i, j in T.grid(8, 4):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.block_attr({"layout_free_placeholders": [A]})
                    B[vi, vj] = A[vj, vi] + D[vi, vj]

        self.assertIn("A_global[vi, vj]", finished(named, ms.postproc.RewriteLayout()).script())

    def test_it_is_part_of_every_list_of_a_processor(self):
        for kind in ("llvm", "hexagon"):
            self.assertTrue(any(isinstance(one, ms.postproc.RewriteLayout) for one in ms.postproc.create(kind)))


class Hexagon(unittest.TestCase):
    def test_what_is_kept_in_fast_memory_has_to_fit(self):
        @T.prim_func
        def parts(A: T.Buffer((1000,), "uint8"), B: T.Buffer((1000,), "uint8")):
            near = T.alloc_buffer((1000,), "uint8", scope="global.vtcm")
            for o in range(10):
                for i in range(100):
                    with T.block("near"):
                        vi = T.axis.spatial(1000, o * 100 + i)
                        near[vi] = A[vi]
                for i in range(100):
                    with T.block("B"):
                        vi = T.axis.spatial(1000, o * 100 + i)
                        B[vi] = near[vi] + T.uint8(1)

        for capacity, fits in ((99, False), (100, True)):
            target = tvm.target.hexagon("v68", vtcm_capacity=capacity)
            self.assertEqual(finished(parts, ms.postproc.VerifyVTCMLimit(), Target(target, host=target)) is not None, fits)
        with self.assertRaises(tvm.TVMError):
            finished(parts, ms.postproc.VerifyVTCMLimit(), "llvm")

    def test_targets(self):
        self.assertIn("+hvx-length128b", str(tvm.target.hexagon("v69")))
        with self.assertRaises(ValueError):
            tvm.target.hexagon("v1")


if __name__ == "__main__":
    tap.main()
