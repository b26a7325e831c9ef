"""Tensor cores and asynchronous copies: schedules of the tuner's space, of tvm.testing and by hand run on the simulated device and are right."""
import json
import unittest

import numpy as np
import tap
import tvm
from tvm import meta_schedule as ms
from tvm import te, tir
from tvm.target import Target
from tvm.testing.tir import mma_schedule
from tvm.tir.schedule import Trace
from tvm.tir.tensor_intrin import cuda

TARGET = "cuda -arch=sm_80 -max_shared_memory_per_block=166912"
N, M, K = 128, 128, 64


def product(one, result, b_transposed, n=N, m=M, k=K):
    a = te.placeholder((n, k), one, "A")
    b = te.placeholder((m, k) if b_transposed else (k, m), one, "B")
    r = te.reduce_axis((0, k), "k")

    def element(i, j):
        return te.sum(a[i, r].astype(result) * (b[j, r] if b_transposed else b[r, j]).astype(result), axis=r)

    return te.create_prim_func([a, b, te.compute((n, m), element, "C")]).with_attr("global_symbol", "main")


class OnThreads(unittest.TestCase):
    def run_on(self, mod, one, result, b_transposed, n=N, m=M, k=K):
        """Small whole numbers: the sums are exact in every type."""
        rng = np.random.default_rng(5)
        a = rng.integers(-3, 4, (n, k)).astype(one)
        b = rng.integers(-3, 4, (m, k) if b_transposed else (k, m)).astype(one)
        device = tvm.device("simt", 0)
        c = tvm.nd.array(np.zeros((n, m), result), device)
        built = tvm.build(mod, target=TARGET)
        built["main"](tvm.nd.array(a, device), tvm.nd.array(b, device), c)
        wanted = a.astype("float64") @ (b.T if b_transposed else b).astype("float64")
        np.testing.assert_array_equal(c.numpy().astype("float64"), wanted)
        return built

    def designs(self, one, result, b_transposed):
        mod = tvm.IRModule({"main": product(one, result, b_transposed)})
        context = ms.TuneContext(mod=mod, target=Target("nvidia/nvidia-a100"), task_name="t", rand_state=3, num_threads=1,
                                 space_generator=ms.space_generator.PostOrderApply(sch_rules="cuda-tensorcore", postprocs="cuda-tensorcore",
                                                                                   mutator_probs="cuda-tensorcore"))
        return context, context.space_generator.generate_design_space(context.mod)

    def candidates(self, one, result, b_transposed, intrinsic):
        """Each design as it is and with other decisions, finished as for a measurement."""
        context, found = self.designs(one, result, b_transposed)
        self.assertTrue(any(intrinsic in str(design.trace) for design in found))
        ran = 0
        for design in found:
            for seed in range(3):
                trace = json.loads(json.dumps(design.trace.as_json(), default=lambda x: x if isinstance(x, (int, str)) else list(x) if hasattr(x, "__iter__") else str(x)))
                sch = tir.Schedule(context.mod, seed=seed + 1)
                if seed:
                    trace[1] = []
                Trace.apply_json_to_schedule(trace, sch)
                if all(step.apply(sch) for step in context.space_generator.postprocs):
                    self.run_on(sch.mod, one, result, b_transposed)
                    ran += 1
        self.assertGreaterEqual(ran, 2)

    def test_halves(self):
        self.candidates("float16", "float32", False, "wmma_sync_16x16x16_f16f16f32")

    def test_halves_with_b_transposed(self):
        self.candidates("float16", "float32", True, "wmma_sync_16x16x16_f16f16f32_trans")

    def test_sums_of_halves(self):
        self.candidates("float16", "float16", False, "wmma_sync_16x16x16_f16f16f16")

    def test_bytes(self):
        self.candidates("int8", "int32", True, "wmma_sync_16x16x16_s8s8s32_trans")

    def mma(self, one, result, b_transposed, k_inner, maps, names):
        factors = ([1, 2, 1, 2, 2], [1, 2, 2, 2, 1], [K // k_inner // 2, 1, 2])
        sch = mma_schedule(product(one, result, b_transposed), k_inner, one, b_transposed, *factors, *maps, *names)
        return self.run_on(sch.mod, one, result, b_transposed)

    def test_mma_of_halves(self):
        def spread(i, j):
            return i // 16, j // 16, *cuda.shared_16x16_to_ldmatrix_32x8_layout(i % 16, j % 16)

        for transposed, b, multiply in ((False, cuda.LDMATRIX_f16_B_INTRIN, cuda.MMA_f16f16f32_INTRIN),
                                        (True, cuda.LDMATRIX_f16_B_TRANS_INTRIN, cuda.MMA_f16f16f32_TRANS_B_INTRIN)):
            built = self.mma("float16", "float32", transposed, 16, (spread, spread, spread),
                             (cuda.LDMATRIX_f16_A_INTRIN, b, multiply, cuda.MMA_fill_16x16_f32_INTRIN, cuda.MMA_store_16x16_f32_global_INTRIN))
            text = built.imported_modules[0].get_source()
            self.assertIn("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", text)
            self.assertIn("ldmatrix.sync.aligned.m8n8.x4" + ("" if transposed else ".trans") + ".shared.b16", text)

    def test_mma_of_bytes(self):
        def spread_a(i, j):
            return i // 16, j // 32, *cuda.shared_16x32_to_ldmatrix_32x16_layout(i % 16, j % 32)

        def spread_b(i, j):
            return i // 32, j // 16, *cuda.shared_32x16_to_ldmatrix_32x16_layout(i % 32, j % 16)

        def spread_c(i, j):
            return i // 16, j // 16, *cuda.shared_16x16_to_ldmatrix_32x8_layout(i % 16, j % 16)

        rest = (cuda.MMA_fill_16x16_i32_INTRIN, cuda.MMA_store_16x16_i32_global_INTRIN)
        self.mma("int8", "int32", True, 32, (spread_a, spread_a, spread_c), (cuda.LDMATRIX_i8_A_INTRIN, cuda.LDMATRIX_i8_B_TRANS_INTRIN, cuda.MMA_i8i8i32_TRANS_B_INTRIN) + rest)
        self.mma("int8", "int32", False, 32, (spread_a, spread_b, spread_c), (cuda.LDMATRIX_i8_A_INTRIN, cuda.LDMATRIX_i8_B_INTRIN, cuda.MMA_i8i8i32_INTRIN) + rest)


def copied(stages, order, rounds=8, named=None):
    """B[b, i, j] = A[b, i, 127 - j] + 1 by way of shared memory, the loop over i as a pipeline with its first stage asynchronous."""
    a = te.placeholder((2, rounds, 128), "float32", "A")
    sch = tir.Schedule(te.create_prim_func([a, te.compute((2, rounds, 128), lambda b, i, j: a[b, i, 127 - j] + tir.const(1, "float32"), "B")]))
    block = sch.get_block("B")
    shared = sch.cache_read(block, 0, "shared")
    b, i, j = sch.get_loops(block)
    sch.bind(b, "blockIdx.x")
    lane, _ = sch.split(j, [32, 4])
    sch.bind(lane, "threadIdx.x")
    sch.compute_at(shared, i)
    lane, vector = sch.split(sch.get_loops(shared)[-1], [32, 4])
    sch.bind(lane, "threadIdx.x")
    sch.vectorize(vector)
    sch.annotate(i, "software_pipeline_stage", stages)
    sch.annotate(i, "software_pipeline_order", order)
    sch.annotate(i, "software_pipeline_async_stages", [0] if named is None else named)
    return sch.mod


def attributes(mod, key):
    found = []
    tir.stmt_functor.post_order_visit(mod["main"].body, lambda n: found.append(n.value) if isinstance(n, tir.AttrStmt) and n.attr_key == key else None)
    return [int(value) if isinstance(value, tir.IntImm) else str(value) for value in found]


class Asynchronous(unittest.TestCase):
    def lowered(self, *args, **named):
        mod = after = copied(*args, **named)
        for name in ("PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque", "CompactBufferAllocation", "InjectSoftwarePipeline"):
            after = getattr(tir.transform, name)()(after)
        return mod, after

    def run_on(self, mod, target, rounds=8):
        device = tvm.device("simt", 0)
        a = np.arange(2 * rounds * 128, dtype="float32").reshape(2, rounds, 128)
        b = tvm.nd.array(np.zeros((2, rounds, 128), "float32"), device)
        built = tvm.build(mod, target=target)
        built["main"](tvm.nd.array(a, device), b)
        np.testing.assert_array_equal(b.numpy(), a[:, :, ::-1] + 1)
        return built.imported_modules[0].get_source()

    def test_two_stages(self):
        mod, after = self.lowered([0, 1], [0, 1])
        self.assertEqual(attributes(after, "async_scope"), [1, 1])                      # before the loop and in it
        self.assertEqual(attributes(after, "async_wait_inflight_count"), [1, 0])        # in the loop one group may be under way, behind it none
        text = self.run_on(mod, TARGET)
        self.assertIn("cp.async.cg.shared.global [p], [q], 16;", text)
        self.assertIn("cp.async.wait_group 1;", text)

    def test_use_before_the_next_copy(self):
        mod, after = self.lowered([0, 1], [1, 0])
        self.assertEqual(attributes(after, "async_wait_inflight_count"), [0, 0])
        self.run_on(mod, TARGET)

    def test_three_stages(self):
        mod, after = self.lowered([0, 2], [0, 1])
        self.assertEqual(attributes(after, "async_wait_inflight_count")[0], 2)
        text = self.run_on(mod, TARGET)
        for most in (2, 1, 0):
            self.assertIn(f"cp.async.wait_group {most};", text)

    def test_devices_without(self):
        for target in ("cuda -arch=sm_70", "opencl"):
            self.assertNotIn("cp.async", self.run_on(self.lowered([0, 1], [0, 1])[0], target))

    def test_fewer_rounds_than_stages(self):
        mod, after = self.lowered([0, 3], [0, 1], rounds=2)
        self.assertGreater(len(attributes(after, "async_scope")), 0)
        self.assertIn("cp.async.wait_group", self.run_on(mod, TARGET, rounds=2))

    def test_refusals(self):
        for named in ([7], [-1]):
            with self.assertRaisesRegex(ValueError, "its own stages among the asynchronous ones"):
                self.lowered([0, 1], [0, 1], named=named)
        with self.assertRaisesRegex(ValueError, "keeps the order of statements in one stage that depend on each other"):
            self.lowered([0, 0], [1, 0])

    def test_what_is_no_copy_stays(self):
        body = """
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float16")):
    for t in T.thread_binding(32, thread="threadIdx.x"):
        S = T.allocate([64], "float32", "shared")
        H = T.allocate([64], "float16", "shared")
        Sb = T.Buffer((64,), data=S, scope="shared")
        Hb = T.Buffer((64,), "float16", data=H, scope="shared")
        with T.attr(0, "async_scope", 1):
            Sb[t] = A[t]
            Sb[t + 32] = A[t] + T.float32(1)
            Hb[t] = B[t]
            Sb[t] = T.if_then_else(t < 5, A[t], T.float32(0))
"""
        mod = tvm.script.from_source("from tvm.script import tir as T\n" + body)
        mod = mod if isinstance(mod, tvm.IRModule) else tvm.IRModule({"main": mod})
        text = tir.transform.InjectPTXAsyncCopy()(mod).script()
        self.assertEqual(text.count("ptx_cp_async"), 2)             # neither a sum nor two bytes
        self.assertIn('T.ptx_cp_async("float32", S, t, A.data, t, 4, t < 5)', text)


if __name__ == "__main__":
    tap.main()
