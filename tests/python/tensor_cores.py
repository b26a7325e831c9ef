"""Tensor cores: schedules of the tuner's space and of tvm.testing run on the simulated device and give the product."""
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


if __name__ == "__main__":
    tap.main()
