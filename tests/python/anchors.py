"""meta_schedule: the trace of one program on another around the same heavy block."""
import unittest

import tap
import tvm
from tvm import meta_schedule as ms
from tvm.meta_schedule.trace_apply import schedule_using_anchor_trace
from tvm.script import tir as T
from tvm.target import Target
from tvm.tir import Schedule
from tvm.tir.analysis import find_anchor_block


@tvm.script.ir_module
class Product:
    @T.prim_func
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        for i, j, k in T.grid(32, 32, 32):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, vk]


@tvm.script.ir_module
class ProductAndMore:
    @T.prim_func
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), G: T.Buffer((32,), "float32"), F: T.Buffer((32, 32), "float32")):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        C = T.alloc_buffer((32, 32))
        D = T.alloc_buffer((32, 32))
        E = T.alloc_buffer((32, 32))
        for i, j, k in T.grid(32, 32, 32):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, vk]
        for i, j in T.grid(32, 32):
            with T.block("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = C[vi, vj] + T.float32(1)
        for i, j in T.grid(32, 32):
            with T.block("E"):
                vi, vj = T.axis.remap("SS", [i, j])
                E[vi, vj] = G[vj] * T.float32(2)
        for i, j in T.grid(32, 32):
            with T.block("F"):
                vi, vj = T.axis.remap("SS", [i, j])
                F[vi, vj] = T.max(D[vi, vj] + E[vi, vj], T.float32(0))


def schedule(sch, cache):
    block = sch.get_block("C")
    i, j, k = sch.get_loops(block)
    i_0, i_1 = sch.split(i, sch.sample_perfect_tile(i, 2, 64, decision=[4, 8]))
    j_0, j_1 = sch.split(j, sch.sample_perfect_tile(j, 2, 64, decision=[2, 16]))
    sch.reorder(i_0, j_0, k, i_1, j_1)
    copy = sch.cache_write(block, 0, "global") if cache else None
    if cache:
        sch.reverse_compute_at(copy, j_0)
    sch.parallel(sch.fuse(i_0, j_0))
    (first, *_) = sch.get_child_blocks(sch.get_block("root"))
    sch.annotate(first, "seen", 1)
    sch.decompose_reduction(block, k)


def moved(source, cache, target, onto=ProductAndMore):
    sch = Schedule(source)
    schedule(sch, cache)
    other = Schedule(onto)
    schedule_using_anchor_trace(other, sch.trace, Target(target))
    return other


class Anchors(unittest.TestCase):
    def check_result(self, mod):
        if not tap.has_numpy():
            return
        import numpy as np

        draw = np.random.default_rng(1)
        a, b, g = (draw.standard_normal(shape, dtype="float32") for shape in ((32, 32), (32, 32), (32,)))
        f = tvm.nd.array(np.zeros((32, 32), "float32"))
        tvm.build(mod, "llvm")["main"](*(tvm.nd.array(x) for x in (a, b, g)), f)
        np.testing.assert_allclose(f.numpy(), np.maximum(a @ b.T + 1 + g * 2, 0), rtol=1e-4, atol=1e-4)

    def test_what_is_behind_goes_into_the_cache(self):
        sch = moved(Product, True, "llvm")
        text = sch.mod.script()
        self.assertIn("F[v0, v1] = T.max(C_global[v0, v1] + T.float32(1.0) + G[v1] * T.float32(2.0), T.float32(0.0))", text)
        self.assertEqual(text.count("T.parallel"), 1)
        self.assertIn('"seen": 1', text)
        self.check_result(sch.mod)

    def test_what_is_behind_runs_in_parallel(self):
        sch = moved(Product, False, "llvm")
        self.assertIn("in T.parallel(1024)", sch.mod.script())
        self.check_result(sch.mod)

    def test_what_is_behind_is_bound(self):
        sch = Schedule(Product)
        block = sch.get_block("C")
        i, j, k = sch.get_loops(block)
        sch.bind(i, "blockIdx.x")
        sch.bind(j, "threadIdx.x")
        other = Schedule(ProductAndMore)
        schedule_using_anchor_trace(other, sch.trace, Target("nvidia/geforce-rtx-2080"))
        names = [str(other.get(loop).thread_binding.thread_tag) for loop in other.get_loops("F")]
        self.assertEqual(names, ["blockIdx.x", "threadIdx.x"])

    def test_steps_on_blocks_that_are_not_there_are_left_out(self):
        sch = Schedule(ProductAndMore)
        sch.compute_inline(sch.get_block("E"))
        sch.compute_inline(sch.get_block("D"))
        copy = sch.cache_write(sch.get_block("C"), 0, "global")
        sch.reverse_compute_at(copy, sch.get_loops(sch.get_block("C"))[1])
        sch.parallel(sch.get_loops(sch.get_block("C"))[0])
        loops = sch.get_loops(sch.get_block("F"))
        sch.parallel(loops[0])
        other = Schedule(Product)
        schedule_using_anchor_trace(other, sch.trace, Target("llvm"))
        self.assertIn("C_global", other.mod.script())
        self.assertNotIn("compute_inline", str(other.trace))

    def test_anchor_blocks(self):
        self.assertEqual(find_anchor_block(ProductAndMore).name_hint, "C")

        @T.prim_func
        def two(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32,), "float32"), C: T.Buffer((1,), "float32")):
            for i, j in T.grid(32, 32):
                with T.block("B"):
                    vi, vj = T.axis.remap("SR", [i, j])
                    with T.init():
                        B[vi] = T.float32(0)
                    B[vi] = B[vi] + A[vi, vj]
            for i, j in T.grid(1, 32):
                with T.block("C"):
                    vi, vj = T.axis.remap("SR", [i, j])
                    with T.init():
                        C[vi] = T.float32(0)
                    C[vi] = C[vi] + B[vj]

        self.assertEqual(find_anchor_block(tvm.IRModule({"main": two})).name_hint, "B")

    def test_databases_find_what_has_the_same_anchor(self):
        def record_of(equality):
            database = ms.database.MemoryDatabase(module_equality=equality)
            sch = Schedule(Product)
            schedule(sch, True)
            database.commit_tuning_record(ms.database.TuningRecord(sch.trace, database.commit_workload(Product), [1.0], Target("llvm"), None))
            return database

        self.assertIsNone(record_of("structural").query_tuning_record(ProductAndMore, Target("llvm")))
        database = record_of("anchor-block")
        self.assertIsNotNone(database.query_tuning_record(ProductAndMore, Target("llvm")))
        with database, Target("llvm"):
            made = tvm.relax.transform.MetaScheduleApplyDatabase()(ProductAndMore)
        self.assertIn("C_global", made.script())
        self.check_result(made)


class OneRound(unittest.TestCase):
    def test_a_sum_over_one_element_is_none(self):
        @T.prim_func
        def window(A: T.Buffer((8, 16), "float32"), B: T.Buffer((8,), "float32")):
            for i, r, k in T.grid(8, 1, 16):
                with T.block("B"):
                    vi, vr, vk = T.axis.remap("SRR", [i, r, k])
                    with T.init():
                        B[vi] = T.float32(0)
                    B[vi] = B[vi] + A[vi + vr, vk]

        sch = Schedule(window)
        sch.transform_block_layout("B", lambda i, r, k: (r, i, k + r))
        iters = sch.get(sch.get_block("B")).iter_vars
        self.assertEqual([(int(v.dom.extent), v.iter_type) for v in iters], [(1, tvm.tir.IterVar.DataPar), (8, tvm.tir.IterVar.DataPar), (16, tvm.tir.IterVar.CommReduce)])


if __name__ == "__main__":
    tap.main()
