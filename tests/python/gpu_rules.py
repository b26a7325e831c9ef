"""meta_schedule on a GPU: rules and finishing steps that bind loops, tile with caches, sum by many threads and put intrinsics in."""
import functools
import unittest

import tap
import tvm
from tvm import meta_schedule as ms
from tvm import te, tir
from tvm.meta_schedule.schedule_rule import ReuseType
from tvm.meta_schedule.testing.space_generation import check_sketches, generate_design_space
from tvm.meta_schedule.testing.te_workload import create_te_workload
from tvm.script import tir as T
from tvm.target import Target

GPU = Target("nvidia/geforce-rtx-2080")


@T.prim_func
def product(A: T.Buffer((64, 48), "float32"), B: T.Buffer((48, 80), "float32"), C: T.Buffer((64, 80), "float32")):
    for i, j, k in T.grid(64, 80, 48):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


@T.prim_func
def sums(A: T.Buffer((4, 4096), "float32"), C: T.Buffer((4, 4096), "float32")):
    B = T.alloc_buffer((4,))
    for i, k in T.grid(4, 4096):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]
    for i, j in T.grid(4, 4096):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] / B[vi]


@T.prim_func
def plain(A: T.Buffer((24, 50), "float32"), B: T.Buffer((24, 50), "float32")):
    for i, j in T.grid(24, 50):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + T.float32(1)


@T.prim_func
def plain_bound(A: T.Buffer((24, 50), "float32"), B: T.Buffer((24, 50), "float32")):
    for f_0 in T.thread_binding(19, thread="blockIdx.x"):
        for f_1 in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("B"):
                vi = T.axis.spatial(24, (f_0 * 64 + f_1) // 50)
                vj = T.axis.spatial(50, (f_0 * 64 + f_1) % 50)
                T.where(f_0 * 64 + f_1 < 1200)
                B[vi, vj] = A[vi, vj] + T.float32(1)


@T.prim_func
def dots(A: T.Buffer((8, 32), "uint8"), B: T.Buffer((32, 32), "int8"), C: T.Buffer((8, 32), "int32")):
    for i, j, k in T.grid(8, 32, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + T.Cast("int32", A[vi, vk]) * T.Cast("int32", B[vj, vk])


def tags(sch, block):
    """The thread axes of the loops around a block."""
    bound = [sch.get(loop).thread_binding for loop in sch.get_loops(block)]
    return [str(one.thread_tag) for one in bound if one is not None]


def designs(func, types):
    return generate_design_space("cuda", func, GPU, types)


class Rules(unittest.TestCase):
    def test_bind(self):
        made = designs(plain, ms.schedule_rule.AutoBind)
        check_sketches(plain, made, [plain_bound], [[("SampleCategorical", 1)]])

    def test_bind_needs_a_limit(self):
        with self.assertRaises(tvm.TVMError):
            generate_design_space("cuda", plain, Target("llvm"), ms.schedule_rule.AutoBind)

    def test_tiles(self):
        (sch,) = designs(product, ms.schedule_rule.MultiLevelTiling)
        self.assertEqual(tags(sch, sch.get_block("C")), ["blockIdx.x", "vthread.x", "threadIdx.x"])
        for name in ("A_shared", "B_shared"):
            self.assertIn("meta_schedule.cooperative_fetch", sch.get(sch.get_block(name)).annotations)
        notes = sch.get(sch.get_block("C")).annotations
        self.assertEqual((int(notes["meta_schedule.thread_extent_low_inclusive"]), int(notes["meta_schedule.thread_extent_high_inclusive"])), (32, 1024))
        self.assertTrue(ms.postproc.DisallowDynamicLoop().apply(sch))

    def test_async_copies_of_newer_cards(self):
        made = generate_design_space("cuda", product, Target("nvidia/geforce-rtx-3090"), ms.schedule_rule.MultiLevelTiling)
        self.assertEqual(len(made), 3)
        self.assertEqual(sum("software_pipeline_async_stages" in str(one.mod) for one in made), 2)

    def test_sums_by_threads(self):
        made = designs(sums, ms.schedule_rule.CrossThreadReduction)
        self.assertEqual(len(made), 2)
        plain_one, threads = sorted(made, key=lambda one: len(tags(one, one.get_block("B"))))
        self.assertEqual((tags(plain_one, plain_one.get_block("B")), tags(threads, threads.get_block("B"))), ([], ["threadIdx.x"]))
        self.assertEqual(threads.get(threads.get_block("B")).writes[0].buffer.scope(), "shared")
        with self.assertRaises(ValueError):
            ms.schedule_rule.CrossThreadReduction([0])

    def test_inline_both_ways(self):
        made = designs(create_te_workload("CBR", 0), ms.schedule_rule.AutoInline)
        self.assertEqual(len(made), 1)
        self.assertEqual(len(made[0].get_child_blocks(made[0].get_block("root"))), 2)

    def test_intrinsic(self):
        rule = ms.schedule_rule.MultiLevelTilingWithIntrin("dot_16x4_vnni", structure="SSRSRS", reuse_write=ReuseType("may", [1, 2], "global"))
        made = generate_design_space("llvm", dots, Target("llvm --num-cores=4"), None, [rule])
        self.assertEqual(len(made), 3)
        for sch in made:
            self.assertEqual(str(sch.get(sch.get_block("C_o")).annotations["meta_schedule.auto_tensorize"]), "dot_16x4_vnni")
        self.assertTrue(ms.postproc.RewriteReductionBlock().apply(made[0]) and ms.postproc.RewriteTensorize(True).apply(made[0]))
        self.assertIn("llvm", str(made[0].mod))
        self.assertIn("C_o_init", str(made[0].mod))
        self.assertNotIn("auto_tensorize", str(made[0].mod))

    def test_filter_may_choose_a_block_that_uses_no_value_again(self):
        """filter_fn gets the schedule and the block's place in it; where it agrees the block is tiled anyway."""
        a = te.placeholder((64, 64), name="A")
        b = te.compute((64, 64), lambda i, j: a[i, j] + 1.0, name="B")
        c = te.compute((64, 64), lambda i, j: b[i, j] * b[i, j], name="C")
        program = te.create_prim_func([a, c])

        def made(**more):
            rule = ms.schedule_rule.MultiLevelTiling("SS", reuse_write=ReuseType("no", [], ""), **more)
            (sch,) = generate_design_space("llvm", program, Target("llvm"), None, [rule])
            return sch.mod.script()

        self.assertNotIn("tiling_structure", made())
        text = made(filter_fn=lambda sch, ref: sch.get(ref).name_hint == "B")
        self.assertEqual(text.count("tiling_structure"), 1)
        self.assertIn("for i_0, j_0, i_1, j_1 in T.grid(", text[:text.index('T.block("B")')])

    def test_wide_vectors(self):
        rule = ms.schedule_rule.MultiLevelTilingWideVector("SSRSRS", 512, 64, None, ReuseType("may", [1, 2], "global"))
        for sch in generate_design_space("llvm", product, Target("llvm --num-cores=4"), None, [rule]):
            self.assertEqual(int(sch.get(sch.get_loops(sch.get_block("C"))[-1]).extent), 16)


class TensorCores(unittest.TestCase):
    """The space cuda-tensorcore: products of types that fragments hold are laid out for them, others are tiled as ever."""

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def designs(dtype, result, n=32, m=32, k=32):
        a, b = te.placeholder((n, k), dtype, "A"), te.placeholder((m, k), dtype, "B")
        r = te.reduce_axis((0, k), "k")
        func = te.create_prim_func([a, b, te.compute((n, m), lambda i, j: te.sum(a[i, r].astype(result) * b[j, r].astype(result), axis=r), "C")])
        from tvm.tir.tensor_intrin import cuda      # noqa: F401  the intrinsics by their names

        context = ms.TuneContext(mod=tvm.IRModule({"main": func.with_attr("global_symbol", "main")}), target=Target("nvidia/nvidia-a100"),
                                 space_generator=ms.space_generator.PostOrderApply(sch_rules="cuda-tensorcore", postprocs="cuda-tensorcore",
                                                                                   mutator_probs="cuda-tensorcore"), task_name="t", rand_state=3, num_threads=1)
        return context, context.space_generator.generate_design_space(context.mod)

    def test_bytes_have_two_designs(self):
        _, found = self.designs("int8", "int32")
        text = [str(one.trace) for one in found]
        self.assertEqual(len(text), 2)
        self.assertIn("wmma_sync_16x16x16_s8s8s32_trans", text[0])
        self.assertNotIn("wmma_sync_16x16x16_s8s8s32_trans", text[1])
        for one in text:
            for part in ("wmma_fill_16x16x16_s32", "wmma_load_16x16x16_s8_a_shared_dyn", "wmma_store_16x16x16_s32_shared_dyn"):
                self.assertIn(part, one)
            # The layout of the result is written with the drawn factors' names.
            self.assertRegex(one, r"i0 // 16 // \(v\d+ \* v\d+\)")

    def test_the_trace_can_be_applied_again(self):
        context, found = self.designs("int8", "int32")
        again = tir.Schedule(context.mod)
        found[0].trace.apply_to_schedule(again, remove_postproc=False)
        self.assertTrue(tvm.ir.structural_equal(again.mod, found[0].mod))

    def test_its_steps_alone_draw_anew(self):
        """The index maps among them, too, which name what is drawn."""
        context, found = self.designs("int8", "int32")
        for sketch in found:
            steps = tir.schedule.Trace(sketch.trace.insts, {})
            texts = set()
            for seed in range(1, 6):
                again = tir.Schedule(context.mod, seed=seed)
                steps.apply_to_schedule(again, remove_postproc=True)
                texts.add(again.mod.script())
            self.assertGreater(len(texts), 1)

    def test_others_are_tiled_without_fragments(self):
        _, found = self.designs("float32", "float32")
        self.assertTrue(found and all("wmma" not in str(one.trace) for one in found))

    def test_extents_that_do_not_fit_are_left_to_the_other_rules(self):
        _, found = self.designs("int8", "int32", n=24, m=20, k=12)
        self.assertTrue(found)


class Finish(unittest.TestCase):
    def context(self, *postprocs):
        return ms.TuneContext(product, target=GPU, space_generator=ms.space_generator.PostOrderApply(sch_rules=[], postprocs=list(postprocs),
                                                                                                     mutator_probs={}))

    def test_fetch(self):
        (sch,) = designs(product, ms.schedule_rule.MultiLevelTiling)
        step = ms.postproc.RewriteCooperativeFetch()
        self.context(step)
        self.assertTrue(step.apply(sch))
        for name in ("A_shared", "B_shared"):
            block = sch.get_block(name)
            self.assertNotIn("meta_schedule.cooperative_fetch", sch.get(block).annotations)
            self.assertEqual(tags(sch, block)[-1], "threadIdx.x")

    def test_unbound(self):
        step = ms.postproc.RewriteUnboundBlock(256)
        self.context(step)
        sch = tir.Schedule(sums)
        self.assertTrue(step.apply(sch))
        for name in ("B", "C"):
            self.assertEqual(tags(sch, sch.get_block(name)), ["blockIdx.x", "threadIdx.x"])
        before = sch.mod
        self.assertTrue(step.apply(sch))
        tvm.ir.assert_structural_equal(before, sch.mod)

    def test_limits(self):
        step = ms.postproc.VerifyGPUCode()
        finish = [ms.postproc.RewriteCooperativeFetch(), ms.postproc.RewriteReductionBlock(), step]
        self.context(*finish)
        for tiles, lanes, fits in (([[2, 2, 8, 1, 2], [5, 2, 4, 1, 2], [12, 2, 2]], 1, True),
                                   ([[64, 1, 1, 1, 1], [80, 1, 1, 1, 1], [12, 2, 2]], 0, False), ([[1, 1, 64, 1, 1], [1, 1, 80, 1, 1], [12, 2, 2]], 0, False)):
            (sch,) = designs(product, ms.schedule_rule.MultiLevelTiling)
            drawn = [inst for inst in sch.trace.insts if inst in sch.trace.decisions]
            made = tir.Schedule(product)
            tir.schedule.Trace(sch.trace.insts, dict(zip(drawn, [*tiles, lanes, lanes]))).apply_to_schedule(made, remove_postproc=True)
            self.assertEqual([one.apply(made) for one in finish], [True, True, fits], (tiles, lanes))

    def test_limits_of_stages(self):
        """A buffer that is filled two rounds ahead is there three times."""
        for stages, fits in (([0, 0], True), ([0, 2], False)):
            @T.prim_func
            def kernel(A: T.Buffer((16, 6144), "float32"), C: T.Buffer((16, 6144), "float32")):
                for t in T.thread_binding(64, thread="threadIdx.x"):
                    for i in T.serial(16, annotations={"software_pipeline_stage": stages, "software_pipeline_order": [0, 1]}):
                        with T.block("round"):
                            T.reads(A[i, 0:6144])
                            T.writes(C[i, 0:6144])
                            held = T.alloc_buffer((6144,), scope="shared")
                            with T.block("fetch"):
                                T.reads(A[i, 0:6144])
                                T.writes(held[0:6144])
                                for k in range(96):
                                    held[k * 64 + t] = A[i, k * 64 + t]
                            with T.block("use"):
                                T.reads(held[0:6144])
                                T.writes(C[i, 0:6144])
                                for k in range(96):
                                    C[i, k * 64 + t] = held[k * 64 + 63 - t]

            step = ms.postproc.VerifyGPUCode()
            self.context(step)
            self.assertEqual(step.apply(tir.Schedule(kernel)), fits, stages)

    def test_verify_gpu_code(self):
        @T.prim_func
        def kernel(A: T.Buffer((256,), "float32")):
            blockIdx_x = T.launch_thread("blockIdx.x", 4)
            shared = T.allocate([64], "float32", "shared")
            threadIdx_x = T.launch_thread("threadIdx.x", 64)
            held = T.Buffer((64,), data=shared, scope="shared")
            held[threadIdx_x] = A[blockIdx_x * 64 + threadIdx_x]
            A[blockIdx_x * 64 + threadIdx_x] = held[63 - threadIdx_x]

        for limits, fits in (({"max_threads_per_block": 64, "max_shared_memory_per_block": 256}, True), ({"max_threads_per_block": 63}, False),
                             ({"max_shared_memory_per_block": 255}, False), ({"max_thread_x": 32}, False), ({"max_kernels": 0}, False)):
            self.assertEqual(tir.analysis.verify_gpu_code(kernel, limits), fits, limits)
        self.assertRaises(ValueError, tir.analysis.verify_gpu_code, kernel, {"max_everything": 1})

    def test_shared_memory_is_what_all_threads_use(self):
        @T.prim_func
        def copies(A: T.Buffer((64, 8), "float32"), B: T.Buffer((64, 8), "float32")):
            for b in T.thread_binding(4, thread="blockIdx.x"):
                for t in T.thread_binding(16, thread="threadIdx.x"):
                    with T.block("both"):
                        T.reads(A[b * 16 + t, 0:8])
                        T.writes(B[b * 16 + t, 0:8])
                        shared = T.alloc_buffer((64, 8), scope="shared")
                        local = T.alloc_buffer((64, 8), scope="local")
                        for i in range(8):
                            shared[b * 16 + t, i] = A[b * 16 + t, i]
                            local[b * 16 + t, i] = shared[b * 16 + t, i]
                            B[b * 16 + t, i] = local[b * 16 + t, i]

        made = tir.transform.CompactBufferAllocation()(tir.transform.ConvertBlocksToOpaque()(tvm.IRModule({"main": copies})))
        found = {}
        tir.stmt_functor.post_order_visit(made["main"].body, lambda node: found.update((one.name, [int(n) for n in one.shape]) for one in node.alloc_buffers)
                                          if isinstance(node, tir.Block) else None)
        self.assertEqual(found, {"shared": [16, 8], "local": [1, 8]})

    def test_names_of_machines(self):
        self.assertEqual(int(Target("aws/cpu/c5.9xlarge").attrs["num-cores"]), 18)


if __name__ == "__main__":
    tap.main()
