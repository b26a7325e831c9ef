"""meta_schedule: spaces, search, database, and what comes of it."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import tap
import tvm
from tvm import meta_schedule as ms, te
from tvm.script import ir as I, tir as T


@tvm.script.ir_module
class Matmul:
    @T.prim_func
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        for i, j, k in T.grid(32, 32, 32):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


@tvm.script.ir_module
class MatmulRelu:
    @T.prim_func
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), D: T.Buffer((32, 32), "float32")):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        C = T.alloc_buffer((32, 32))
        for i, j, k in T.grid(32, 32, 32):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
        for i, j in T.grid(32, 32):
            with T.block("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = T.max(C[vi, vj], T.float32(0))


@tvm.script.ir_module
class AddRelu:
    @T.prim_func
    def main(A: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        B = T.alloc_buffer((64, 64))
        for i, j in T.grid(64, 64):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] + T.float32(1)
        for i, j in T.grid(64, 64):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.max(B[vi, vj], T.float32(0))


@tvm.script.ir_module
class Sum:
    @T.prim_func
    def main(A: T.Buffer((4, 4096), "float32"), B: T.Buffer((4,), "float32")):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        for i, k in T.grid(4, 4096):
            with T.block("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]


def split_j(sch):
    block = sch.get_block("C", "main")
    i, j, k = sch.get_loops(block)
    j0, j1 = sch.split(j, sch.sample_perfect_tile(j, n=2))
    sch.reorder(i, j0, k, j1)
    sch.decompose_reduction(block, k)


def quick(**more):
    return {"runner": ms.runner.LocalRunner(evaluator_config=ms.runner.EvaluatorConfig(1, 1, 0), max_workers=1), "target": "llvm --num-cores=1",
            "num_trials_per_iter": 4, "strategy": ms.search_strategy.EvolutionarySearch(population_size=16, init_min_unmeasured=12), **more}


def designs(mod, cores=4):
    context = ms.TuneContext(mod, target=f"llvm --num-cores={cores}", space_generator="post-order-apply", rand_state=1)
    return context.generate_design_space()


class Spaces(unittest.TestCase):
    def test_matmul_has_three(self):
        found = designs(Matmul)
        self.assertEqual(len(found), 3)
        texts = [str(sch.trace) for sch in found]
        self.assertEqual(sum("cache_write" in text for text in texts), 2)
        for text in texts:
            self.assertIn('ann_val="SSRSRS"', text)
            self.assertIn("n=4, max_innermost_factor=64", text)
            self.assertIn('ann_key="meta_schedule.parallel", ann_val=64', text)
            self.assertIn('ann_key="meta_schedule.unroll_explicit"', text)

    def test_elementwise_consumer_takes_the_place_of_a_cache(self):
        found = designs(MatmulRelu)
        self.assertEqual(len(found), 3)
        self.assertFalse(any("cache_write" in str(sch.trace) for sch in found))
        self.assertEqual(sum("reverse_compute_at" in str(sch.trace) for sch in found), 2)

    def test_elementwise_is_inlined(self):
        (only,) = designs(AddRelu)
        self.assertIn("sch.compute_inline(block=b0)", str(only.trace))
        self.assertNotIn("unroll_explicit", str(only.trace))

    def test_long_sum_is_summed_in_parts(self):
        found = designs(Sum)
        self.assertEqual(sum("sch.rfactor(" in str(sch.trace) for sch in found), 2)
        self.assertEqual(len(found), 3)

    def test_parts_of_a_long_sum_move_with_it(self):
        from tvm.meta_schedule.testing.space_generation import check_sketches

        @T.prim_func
        def roots(A: T.Buffer((4, 4096), "float32"), D: T.Buffer((4,), "float32")):
            C = T.alloc_buffer((4,))
            for i, k in T.grid(4, 4096):
                with T.block("C"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    with T.init():
                        C[vi] = T.float32(0)
                    C[vi] = C[vi] + A[vi, vk]
            for i in range(4):
                with T.block("D"):
                    vi = T.axis.spatial(4, i)
                    D[vi] = T.sqrt(C[vi])

        @T.prim_func
        def parts(A: T.Buffer((4, 4096), "float32"), D: T.Buffer((4,), "float32")):
            with T.block("root"):
                T.reads()
                T.writes()
                T.block_attr({"meta_schedule.parallel": 64, "meta_schedule.unroll_explicit": 16, "meta_schedule.vectorize": 64})
                C = T.alloc_buffer((4,))
                C_rf = T.alloc_buffer((4, 64))
                for i in range(4):
                    for ax0 in range(64):
                        for ax0_1, ax1, ax2 in T.grid(1, 1, 64):
                            with T.block("C_rf"):
                                vk_0 = T.axis.spatial(64, ax0 + ax0_1)
                                vi = T.axis.spatial(4, i + ax1)
                                vk_1 = T.axis.reduce(64, ax2)
                                with T.init():
                                    C_rf[vi, vk_0] = T.float32(0)
                                C_rf[vi, vk_0] = C_rf[vi, vk_0] + A[vi, vk_0 * 64 + vk_1]
                        for ax1 in range(1):
                            with T.block("C"):
                                vk_0 = T.axis.reduce(64, ax0)
                                vi = T.axis.spatial(4, i + ax1)
                                with T.init():
                                    C[vi] = T.float32(0)
                                C[vi] = C[vi] + C_rf[vi, vk_0]
                    with T.block("D"):
                        vi = T.axis.spatial(4, i)
                        D[vi] = T.sqrt(C[vi])

        found = designs(roots)
        kinds = [[inst.kind.name for inst in sch.trace.insts if inst in sch.trace.decisions] for sch in found]
        both = ["SamplePerfectTile", "SampleCategorical", "SampleComputeLocation", "SampleComputeLocation"]
        self.assertEqual(kinds, [both, both, ["SampleCategorical", "SampleComputeLocation"]])
        self.assertNotIn("random_compute_producer", found[0].mod.script())
        decisions = [("SamplePerfectTile", [64, 64]), ("SampleCategorical", 1), ("SampleComputeLocation", 0), ("SampleComputeLocation", 1)]
        check_sketches(roots, found[:1], [parts], [decisions], debug_mask=0)

    def test_a_consumer_that_adds_a_bias_takes_the_place_of_a_cache(self):
        @T.prim_func
        def biased(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), E: T.Buffer((32,), "float32"), D: T.Buffer((32, 32), "float32")):
            C = T.alloc_buffer((32, 32))
            for i, j, k in T.grid(32, 32, 32):
                with T.block("C"):
                    vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                    with T.init():
                        C[vi, vj] = T.float32(0)
                    C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
            for i, j in T.grid(32, 32):
                with T.block("D"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    D[vi, vj] = C[vi, vj] + E[vj]

        found = designs(biased)
        self.assertEqual(["cache_write" in str(sch.trace) for sch in found], [False] * 3)
        self.assertEqual(["reverse_compute_at" in str(sch.trace) for sch in found], [False, True, True])

    def test_postprocs(self):
        for sch in designs(Matmul):
            self.assertTrue(ms.postproc.finish(sch))
            text = sch.mod.script()
            self.assertIn("T.parallel", text)
            self.assertIn("C_init", text)
            self.assertNotIn("meta_schedule.parallel", text)

    def test_schedule_fn_results(self):
        make = ms.space_generator.ScheduleFn
        self.assertEqual(len(make(lambda sch: None).generate_design_space(Matmul)), 1)
        self.assertEqual(len(make(lambda sch: [sch, sch.copy()]).generate_design_space(Matmul)), 2)
        with self.assertRaises(TypeError):
            make(lambda sch: 3).generate_design_space(Matmul)

    def test_products_of_vectors_on_arm(self):
        """The designs of a target with such instructions have one that uses them, and can be finished."""
        dot = "+neon,+v8.2a,+dotprod"
        for mattr, name, byte, total in (("+neon", "dot_4x4_i8i8s32_neon", "int8", "int32"), (dot, "dot_4x4_i8i8s32_sdot", "int8", "int32"),
                                         (dot, "dot_4x4_u8u8u32_udot", "uint8", "uint32"), (dot, "dot_4x4_u8u8i32_hdot", "uint8", "int32")):
            x, y, k = te.placeholder((64, 64), byte, "x"), te.placeholder((64, 64), byte, "y"), te.reduce_axis((0, 64), "k")
            z = te.compute((64, 64), lambda i, j: te.sum(x[i, k].astype(total) * y[j, k].astype(total), axis=k), name="z")
            target = tvm.target.Target(f"llvm -device=arm_cpu -mtriple=aarch64-linux-gnu -mattr={mattr} -num-cores 2")
            context = ms.TuneContext(tvm.IRModule({"main": te.create_prim_func([x, y, z])}), target=target, space_generator="post-order-apply", rand_state=1)
            marked = [sch for sch in context.generate_design_space() if f'"{name}"' in str(sch.trace)]
            with self.subTest(name=name):
                self.assertTrue(marked)
                self.assertTrue(any(all(post.apply(sch) for post in context.space_generator.postprocs) and "auto_tensorize" not in sch.mod.script()
                                    for sch in marked))

    def test_blocks_of_one_name(self):
        x = te.placeholder((8, 8), name="x")
        func = te.create_prim_func([x, te.compute((8, 8), lambda i, j: x[i, j] + 1, name="y")])
        text = func.script()
        at = text.index("    for i")
        twice = tvm.script.from_source(text + text[at - 1:])
        with self.assertRaisesRegex(tvm.TVMError, "Duplicated block name y in function main not supported"):
            designs(tvm.IRModule({"main": twice}))

    def test_other_targets_are_refused(self):
        with self.assertRaises(tvm.TVMError):
            ms.TuneContext(Matmul, target="cuda", space_generator="post-order-apply").generate_design_space()
        with self.assertRaises(tvm.TVMError):
            ms.TuneContext(Matmul, target="vulkan", space_generator="post-order-apply").generate_design_space()

    def test_trials_are_not_asked_for_their_order(self):
        import loopscope

        was = loopscope.strict()
        self.addCleanup(loopscope.strict, was)
        loopscope.strict(True)
        small = ms.search_strategy.EvolutionarySearch(population_size=8, genetic_num_iters=1)
        for strategy in ("replay-trace", small):
            context = ms.TuneContext(Matmul, target="llvm --num-cores=1", space_generator="post-order-apply", search_strategy=strategy)
            designs = context.generate_design_space()
            self.assertTrue(all(sch.strict for sch in designs))
            context.pre_tuning(4, 4, designs, ms.database.MemoryDatabase(), ms.cost_model.RandomModel())
            found = context.generate_measure_candidates()
            self.assertEqual((len(found), any(one.sch.strict for one in found)), (4, False))
            context.post_tuning()

    def test_a_search_without_a_compiler_does_not_begin(self):
        wanted = "kernels for cuda run on simulated threads, which have no times to search by"
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(tvm.TVMError, wanted):
            ms.tune_tir(Matmul, "nvidia/tesla-p100", folder, max_trials_global=1)


class Search(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def tune(self, mod=Matmul, **more):
        return ms.tune_tir(mod=mod, work_dir=self.folder.name, **quick(**more))

    def test_schedule_fn(self):
        database = self.tune(space=ms.space_generator.ScheduleFn(split_j), max_trials_global=8)
        self.assertEqual(len(database), 5)
        sch = ms.tir_integration.compile_tir(database, Matmul, "llvm --num-cores=1")
        self.assertIn("sample_perfect_tile", str(sch.trace))
        self.assertIn("enter_postproc", str(sch.trace))
        tvm.build(sch.mod, "llvm")

    def test_files(self):
        database = self.tune(space=ms.space_generator.ScheduleFn(split_j), max_trials_global=4)
        with open(os.path.join(self.folder.name, "database_tuning_record.json"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual(len(lines), len(database))
        at, (trace, seconds, target, args) = lines[0]
        self.assertEqual((at, target["kind"], args[0]), (0, "llvm", ["TENSOR", "float32", [32, 32]]))
        self.assertEqual(trace[0][0], ["GetBlock", [], ["C", "main"], ["b0"]])
        self.assertTrue(all(isinstance(x, float) for x in seconds))
        again = ms.database.JSONDatabase(work_dir=self.folder.name)
        best = [d.query_ir_module(Matmul, "llvm") for d in (database, again)]
        tvm.ir.assert_structural_equal(best[0], best[1])

    def test_a_second_run_measures_nothing_twice(self):
        space = ms.space_generator.ScheduleFn(split_j)
        self.tune(space=space, max_trials_global=8)
        self.assertEqual(len(self.tune(space=space, max_trials_global=8)), 5)

    def test_post_order_apply(self):
        database = self.tune(max_trials_global=12)
        self.assertEqual(len(database), 12)
        sch = ms.tir_integration.compile_tir(database, Matmul, "llvm --num-cores=1")
        self.check_result(sch.mod)

    def check_result(self, mod):
        if not tap.has_numpy():
            return
        import numpy as np

        a, b = (np.random.default_rng(seed).random((32, 32), dtype="float32") for seed in (1, 2))
        c = tvm.nd.array(np.zeros((32, 32), "float32"))
        tvm.build(mod, "llvm")["main"](tvm.nd.array(a), tvm.nd.array(b), c)
        np.testing.assert_allclose(c.numpy(), a @ b, rtol=1e-5)

    def test_relax(self):
        from tvm import relax

        with tvm.target.Target("llvm --num-cores=1"):
            relax.transform.MetaScheduleTuneTIR(self.folder.name, 2)(Matmul)
            tuned = relax.transform.MetaScheduleApplyDatabase(self.folder.name)(Matmul)
        self.assertIn("tir.is_scheduled", tuned["main"].attrs)
        self.check_result(tuned)

    def test_form_of_2022(self):
        sch = self.tune(config=ms.TuneConfig(max_trials_global=4, num_trials_per_iter=4), space=ms.space_generator.ScheduleFn(split_j), task_name="main")
        self.assertIsInstance(sch, tvm.tir.Schedule)

    def test_memory_database_and_replay(self):
        database = ms.database.MemoryDatabase()
        found = ms.tune_tir(mod=Matmul["main"], work_dir=None, database=database, max_trials_global=4, **quick(strategy="replay-trace"))
        self.assertIs(found, database)
        self.assertEqual(len(database), 4)

    def test_nothing_measured_gives_none(self):
        self.assertIsNone(ms.tir_integration.compile_tir(ms.database.MemoryDatabase(), Matmul, "llvm"))

    def test_one_strategy_for_several_functions(self):
        both = tvm.IRModule({"first": Matmul["main"].with_attr("global_symbol", "first"), "second": Sum["main"].with_attr("global_symbol", "second")})
        self.assertEqual(len(self.tune(both, max_trials_global=8)), 8)

    def test_names_that_are_unknown(self):
        for more in ({"cost_model": "oracle"}, {"strategy": "luck"}, {"database": "tape"}, {"space": "other"}):
            with self.assertRaises(ValueError):
                self.tune(max_trials_global=1, **more)


class Wide(unittest.TestCase):
    def test_fused_unit_loops_keep_their_type(self):
        @T.prim_func
        def copy(A: T.Buffer((T.int64(4), T.int64(8)), "float32"), B: T.Buffer((T.int64(4), T.int64(8)), "float32")):
            for i, j in T.grid(T.int64(4), T.int64(8)):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj]

        sch = tvm.tir.Schedule(copy)
        i, j = sch.get_loops(sch.get_block("B"))
        i0, i1 = sch.split(i, [1, 4])
        j0, j1 = sch.split(j, [1, 8])
        sch.reorder(i0, j0, i1, j1)
        sch.fuse(i0, j0)
        tvm.ir.assert_structural_equal(tvm.script.from_source(sch.mod.script()), sch.mod)


class Mutators(unittest.TestCase):
    def test_tile(self):
        context = ms.TuneContext(Matmul, target="llvm --num-cores=1", space_generator=ms.space_generator.ScheduleFn(split_j), rand_state=1)
        mutator = ms.mutator.MutateTileSize()
        mutator._initialize_with_tune_context(context)
        (sch,) = context.generate_design_space()
        other = mutator.apply(sch.trace)
        self.assertNotEqual(list(other.decisions.values()), list(sch.trace.decisions.values()))


class Pieces(unittest.TestCase):
    """What users derive their own classes from, and what stands behind the names."""

    def test_task_schedulers_give_every_trial_out(self):
        from tvm.meta_schedule.testing.dummy_object import DummyBuilder, DummyRunner

        for scheduler in (ms.task_scheduler.RoundRobin(), ms.task_scheduler.GradientBased(seed=1)):
            tasks = [ms.TuneContext(mod, target="llvm", space_generator=lambda sch: None, search_strategy="replay-trace", rand_state=1)
                     for mod in (Matmul, MatmulRelu, AddRelu)]
            database = ms.database.MemoryDatabase()
            scheduler.tune(tasks, [1.0] * 3, max_trials_global=21, max_trials_per_task=7, num_trials_per_iter=3, builder=DummyBuilder(),
                           runner=DummyRunner(), measure_callbacks=[ms.measure_callback.AddToDatabase()], database=database)
            self.assertEqual([len(database.get_top_k(database.commit_workload(task.mod), 100)) for task in tasks], [7, 7, 7])

    def test_methods_that_are_missing_say_so(self):
        for make, call, words in ((ms.builder.PyBuilder, lambda x: x.build([]), "PyBuilder's Build"), (ms.runner.PyRunner, lambda x: x.run([]), "PyRunner's Run"),
                                  (ms.postproc.PyPostproc, lambda x: x.apply(None), "PyPostproc's Apply"),
                                  (ms.cost_model.PyCostModel, lambda x: x.load(""), "PyCostModel's Load"),
                                  (ms.space_generator.PySpaceGenerator, lambda x: x._initialize_with_tune_context(None),
                                   "PySpaceGenerator's InitializeWithTuneContext")):
            with self.assertRaisesRegex(tvm.TVMError, words + " method not implemented!"):
                call(make())
        self.assertRegex(str(ms.postproc.RewriteReductionBlock()), r"^meta_schedule.RewriteReductionBlock\(0x[0-9a-f]+\)$")

    def test_rules_in_python(self):
        class Split(ms.schedule_rule.PyScheduleRule):
            def _initialize_with_tune_context(self, context):
                pass

            def apply(self, sch, block):
                if sch.get_sref(block).parent is None:
                    return [sch]
                made = []
                for factors in ([2, 32], [4, 16]):
                    other = sch.copy()
                    other.split(other.get_loops(block)[0], factors)
                    made.append(other)
                return made

        def space(**more):
            generator = ms.space_generator.PostOrderApply(sch_rules=[Split()], postprocs=[], mutator_probs={}, **more)
            return ms.TuneContext(AddRelu, target="llvm", space_generator=generator).generate_design_space()

        self.assertEqual(len(space()), 4)
        self.assertEqual(len(space(f_block_filter=lambda block: block.name_hint == "C")), 2)

    def test_evolution_ends_when_there_is_nothing_new(self):
        strategy = ms.search_strategy.EvolutionarySearch(population_size=4, init_min_unmeasured=8, genetic_num_iters=2)
        context = ms.TuneContext(Matmul, target="llvm", search_strategy=strategy,
                                 space_generator=ms.space_generator.ScheduleFn(lambda sch: None, [], [], {ms.mutator.MutateTileSize(): 1.0}))
        context.pre_tuning(100, 10)
        given = []
        while (candidates := context.generate_measure_candidates()) is not None:
            given.append(len(candidates))
            context.notify_runner_results(candidates, [ms.runner.RunnerResult([0.1], None) for _ in candidates])
        context.post_tuning()
        self.assertEqual(given, [1, 0, 0, 0, 0])

    def test_times_sort_and_unknown_times_do_not_count(self):
        database = ms.database.MemoryDatabase()
        workload = database.commit_workload(Matmul)
        for seconds in ([1.5, 4.5], [], [0.0, 2.0], None, [3.0, 1e10], [1e10]):
            database.commit_tuning_record(ms.database.TuningRecord(tvm.tir.Schedule(Matmul).trace, workload, seconds, "llvm"))
        self.assertEqual([[x.value for x in r.run_secs] for r in database.get_top_k(workload, 9)], [[0.0, 2.0], [1.5, 4.5], [3.0, 1e10]])
        self.assertEqual(database.get_top_k(workload, 0), [])

    def test_builders_and_runners_tell_what_went_wrong(self):
        def broken(mod, target, params):
            raise ValueError("not today")

        def slow(device, args_info, alloc_repeat):
            import time

            time.sleep(60)

        (built,) = ms.builder.LocalBuilder(f_build=broken).build([ms.builder.BuilderInput(Matmul, tvm.target.Target("llvm"))])
        self.assertRegex(built.error_msg, "^LocalBuilder: An exception occurred\n.*not today")
        with self.assertRaises(ValueError):
            ms.builder.LocalBuilder(f_build="no.such.function")
        (built,) = ms.builder.LocalBuilder().build([ms.builder.BuilderInput(Matmul, tvm.target.Target("llvm"))])
        self.assertIsNone(built.error_msg)
        info = ms.arg_info.ArgInfo.from_entry_func(Matmul)
        (future,) = ms.runner.LocalRunner(timeout_sec=1, f_alloc_argument=slow).run([ms.runner.RunnerInput(built.artifact_path, "llvm", info)])
        self.assertTrue(future.result().error_msg.startswith("LocalRunner: Timeout, killed after"))
        ms.utils.remove_build_dir(built.artifact_path)
        self.assertFalse(os.path.exists(built.artifact_path))

    def test_saved_modules_run(self):
        path = os.path.join(tempfile.mkdtemp(), "lib.so")
        tvm.build(AddRelu, "llvm").export_library(path)
        loaded = tvm.runtime.load_module(path)
        self.assertTrue(loaded.implements_function("main"))


class Bounds(unittest.TestCase):
    def test_parallel_bounds_are_products_of_loops(self):
        sch = tvm.tir.Schedule(Matmul)
        sch.annotate(sch.get_block("root"), "meta_schedule.parallel", 40)
        context = ms.TuneContext(Matmul, target="llvm --num-cores=4", rand_state=1, space_generator=ms.space_generator.PostOrderApply(
            sch_rules=[], postprocs=[], mutator_probs={ms.mutator.MutateParallel(256): 1.0}))
        (mutator,) = context.space_generator.mutator_probs
        self.assertEqual({int(mutator.apply(sch.trace).insts[-1].inputs[1]) for _ in range(40)}, {32})

    def test_thread_bindings(self):
        sch = tvm.tir.Schedule(AddRelu)
        loop = sch.fuse(*sch.get_loops(sch.get_block("B")))
        threads = sch.sample_categorical([32, 64, 128], [0.25, 0.25, 0.5], decision=1)
        outer, inner = sch.split(loop, [None, threads])
        sch.bind(outer, "blockIdx.x")
        sch.bind(inner, "threadIdx.x")
        context = ms.TuneContext(AddRelu, target="cuda", rand_state=1, space_generator=ms.space_generator.PostOrderApply(
            sch_rules=[], postprocs=[], mutator_probs={ms.mutator.MutateThreadBinding(): 1.0}))
        (mutator,) = context.space_generator.mutator_probs
        self.assertEqual({list(mutator.apply(sch.trace).decisions.values())[0] for _ in range(40)}, {0, 2})


class Workloads(unittest.TestCase):
    """Operators that searches are tried on."""

    def test_all_of_them(self):
        from tvm.meta_schedule.testing import te_workload

        for name, (_, params) in te_workload.CONFIGS.items():
            func = te_workload.create_te_workload(name, len(params) - 1)
            self.assertEqual(len(func.params), {"NRM": 2, "SFM": 2, "CBR": 6}.get(name, 3), name)
        self.assertEqual(len(te_workload.conv2d_nchw_bias_bn_relu(1, 8, 8, 4, 4, 3, 3, 1, 1)), 6)
        self.assertEqual([int(n) for n in te_workload.max_pool2d_nchw(1, 8, 8, 4, 1)[1].shape], [1, 4, 9, 9])
        self.assertEqual(te_workload.matmul_relu(4, 5, 6, "float16", "float32")[2].dtype, "float32")

    def test_names(self):
        from tvm.meta_schedule.testing import te_workload

        schedule = tvm.tir.Schedule(te_workload.create_te_workload("GRP", 0))
        names = [schedule.get(loop).loop_var.name for loop in schedule.get_loops("conv2d_nhwc")]
        self.assertEqual(names, ["n", "h", "w", "co", "rh", "rw", "rc"])
        self.assertTrue(tvm.tir.schedule.analysis.has_block(schedule, "PadInput"))


class FewShots(unittest.TestCase):
    @tap.needs_numpy
    def test_drawn_schedules(self):
        import numpy as np
        from tvm.relax.transform import FewShotTuning

        @I.ir_module
        class Module:
            @T.prim_func
            def product(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
                for i, j, k in T.grid(16, 16, 16):
                    with T.block("C"):
                        v, w, r = T.axis.remap("SSR", [i, j, k])
                        with T.init():
                            C[v, w] = T.float32(0)
                        C[v, w] = C[v, w] + A[v, r] * B[r, w]

        with tvm.target.Target("llvm -num-cores 2"):
            for passes in (FewShotTuning(), FewShotTuning(valid_count=2, benchmark=True)):
                mod = passes(Module)
                self.assertTrue(mod["product"].attrs["tir.is_scheduled"])
                a, b = (np.random.RandomState(seed).rand(16, 16).astype("float32") for seed in (1, 2))
                out = tvm.nd.array(np.zeros((16, 16), "float32"))
                tvm.build(mod, target="llvm")["product"](tvm.nd.array(a), tvm.nd.array(b), out)
                np.testing.assert_allclose(out.numpy(), a @ b, rtol=1e-5)
                tvm.ir.assert_structural_equal(passes(mod), mod)

    def test_what_is_refused(self):
        from tvm.relax.transform import FewShotTuning

        for arguments in ((0,), (1, True)):
            with self.assertRaises(tvm.TVMError):
                FewShotTuning(*arguments)


class Shared(unittest.TestCase):
    """Several processes on one database."""

    WRITER = """
import sys
import tvm
from tvm import meta_schedule as ms
from tvm.script import from_source
folder, text, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
mod = from_source(text)
database = ms.database.JSONDatabase(work_dir=folder)
for i in range(n):
    trace = tvm.tir.Schedule(mod).trace
    database.commit_tuning_record(ms.database.TuningRecord(trace, database.commit_workload(mod), [1e-3 * (i + 1)]))
"""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.records = os.path.join(self.folder.name, "database_tuning_record.json")

    def tearDown(self):
        self.folder.cleanup()

    def test_two_processes(self):
        mods = [Matmul, Sum]
        running = [subprocess.Popen([sys.executable, "-c", self.WRITER, self.folder.name, mod.script(), "40"]) for mod in mods]
        self.assertEqual([one.wait() for one in running], [0, 0])
        database = ms.database.JSONDatabase(work_dir=self.folder.name)
        self.assertEqual(len(database), 80)
        for mod in mods:
            self.assertEqual(len(database.get_top_k(database.commit_workload(mod), 100)), 40)
        with open(os.path.join(self.folder.name, "database_workload.json"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 2)

    def test_a_line_that_was_cut_off(self):
        subprocess.run([sys.executable, "-c", self.WRITER, self.folder.name, Matmul.script(), "3"], check=True)
        with open(self.records, "a", encoding="utf-8") as file:
            file.write("[0, [[[[")
        self.assertEqual(len(ms.database.JSONDatabase(work_dir=self.folder.name)), 3)
        with open(self.records + ".torn", encoding="utf-8") as file:
            self.assertEqual(file.read(), "[0, [[[[\n")


class Xgb(unittest.TestCase):
    """The model on XGBoost is what it says, where its library is."""

    def test_name(self):
        from tvm.meta_schedule.cost_model import RidgeModel, XGBModel, xgb_model

        made = ms.CostModel.create("xgb")
        self.assertIsInstance(made, RidgeModel)
        self.assertEqual(isinstance(made, XGBModel), xgb_model.available())
        if not xgb_model.available():
            self.assertRaises(ImportError, XGBModel)

    def test_learns(self):
        import _loopscope as core
        import math

        if not core.tune_has_xgboost():
            self.skipTest("XGBoost's library is not here")
        counted = [0.0] * len(core.tune_features(Matmul))
        trees, ridge = core.TuneModel("xgb"), core.TuneModel("ridge")
        for a in range(4):
            for b in range(4):
                for again in range(6):
                    row = [float(a), float(b), again / 10] + counted[3:]
                    for model in (trees, ridge):
                        model.learn(row, 1e-3 if a >= 2 and b >= 2 else 16e-3)
        row = [0.0, 3.0, 0.25] + counted[3:]
        self.assertAlmostEqual(trees.predict(row), math.log(16e-3), delta=0.2)
        self.assertGreater(abs(ridge.predict(row) - math.log(16e-3)), 0.3)
        self.assertRaises(ValueError, core.TuneModel, "oracle")


if __name__ == "__main__":
    tap.main()
