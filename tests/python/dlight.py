"""Default schedules: which rule takes what, what it makes, and that the kernels compute what the programs do (on simulated threads)."""
import unittest

import tap
import tvm
from tvm import dlight as dl
from tvm import te, tir, topi
from tvm.script import tir as T
from tvm.target import Target

try:
    import numpy as np
except ImportError:
    np = None

A100 = Target("nvidia/nvidia-a100")
PHONE = Target({"kind": "opencl", "max_threads_per_block": 256, "max_shared_memory_per_block": 32768, "thread_warp_size": 32})
ALL = (dl.gpu.Matmul, dl.gpu.GEMV, dl.gpu.Reduction, dl.gpu.GeneralReduction, dl.gpu.Transpose, dl.gpu.Fallback)


def product(n, m, k, dtype="float32", swap=False):
    a, b = te.placeholder((n, k), dtype, "A"), te.placeholder((k, m) if swap else (m, k), dtype, "B")
    r = te.reduce_axis((0, k), "k")
    return [a, b, te.compute((n, m), lambda i, j: te.sum(a[i, r] * (b[r, j] if swap else b[j, r]), axis=r), "C")]


def scheduled(tensors, rules, target=A100):
    func = tensors if isinstance(tensors, tir.PrimFunc) else te.create_prim_func(tensors)
    mod = tvm.IRModule({"main": func.with_attr("global_symbol", "main")})
    with target:
        return mod, dl.ApplyDefaultSchedule(*[one() for one in rules])(mod)


def threads(mod):
    found = {}

    def visit(node):
        if isinstance(node, tir.For) and node.thread_binding is not None:
            found.setdefault(str(node.thread_binding.thread_tag), set()).add(int(node.extent) if isinstance(node.extent, tir.IntImm) else str(node.extent))

    tir.stmt_functor.post_order_visit(mod["main"].body, visit)
    return found


def scopes(mod):
    found = []

    def visit(node):
        if isinstance(node, tir.Block):
            found.extend((str(b.name), b.scope()) for b in node.alloc_buffers)

    tir.stmt_functor.post_order_visit(mod["main"].body, visit)
    return dict(found)


class Rules(unittest.TestCase):
    def refused(self, tensors, rule, target=A100):
        before, after = scheduled(tensors, [rule], target)
        self.assertTrue(tvm.ir.structural_equal(before, after), rule.__name__)

    def test_what_is_scheduled_stays_and_the_given_module_too(self):
        before, after = scheduled(product(64, 64, 64), ALL)
        self.assertNotIn("tir.is_scheduled", before["main"].attrs)
        self.assertEqual(int(after["main"].attrs["tir.is_scheduled"]), 1)
        with A100:
            self.assertTrue(tvm.ir.structural_equal(dl.ApplyDefaultSchedule(dl.gpu.Fallback())(after), after))
        with self.assertRaises(ValueError):
            dl.ApplyDefaultSchedule(dl.gpu.Fallback())(before)

    def test_no_rule_for_a_target_without_threads(self):
        self.refused(product(64, 64, 64), dl.gpu.Fallback, Target("llvm"))

    def test_matmul_by_target(self):
        _, wide = scheduled(product(128, 128, 128), [dl.gpu.Matmul])
        self.assertEqual(threads(wide), {"blockIdx.x": {4}, "blockIdx.y": {2}, "vthread.x": {1}, "vthread.y": {1}, "threadIdx.x": {8}, "threadIdx.y": {16}})
        self.assertEqual(scopes(wide), {"C_reindex_local": "local", "A_reindex_shared": "shared", "B_reindex_shared": "shared"})
        _, small = scheduled(product(128, 128, 128), [dl.gpu.Matmul], PHONE)
        self.assertEqual((threads(small)["threadIdx.x"], threads(small)["threadIdx.y"]), ({8}, {8}))

    def test_matmul_pads(self):
        _, after = scheduled(product(40, 70, 20), [dl.gpu.Matmul])
        self.assertIn("C_reindex_pad_local", scopes(after))

    def test_matmul_takes_convolutions_and_no_vectors(self):
        x, w = te.placeholder((1, 12, 12, 8), "float32", "X"), te.placeholder((3, 3, 8, 16), "float32", "W")
        rh, rw, rc = te.reduce_axis((0, 3)), te.reduce_axis((0, 3)), te.reduce_axis((0, 8))
        conv = te.compute((1, 10, 10, 16), lambda n, h, v, c: te.sum(x[n, h + rh, v + rw, rc] * w[rh, rw, rc, c], axis=[rh, rw, rc]), "Y")
        _, after = scheduled([x, w, conv], [dl.gpu.Matmul])
        self.assertIn("threadIdx.y", threads(after))
        self.refused(product(1, 512, 256), dl.gpu.Matmul)
        a = te.placeholder((64, 64), "float32", "A")
        self.refused([a, topi.sum(a, axis=1)], dl.gpu.Matmul)

    def test_gemv_by_target(self):
        _, after = scheduled(product(1, 512, 256), [dl.gpu.GEMV])
        self.assertEqual((threads(after)["threadIdx.x"], threads(after)["threadIdx.y"]), ({32}, {16}))
        self.assertEqual({scope for _, scope in scopes(after).items()}, {"local", "shared"})
        _, after = scheduled(product(1, 512, 256), [dl.gpu.GEMV], PHONE)
        self.assertEqual(threads(after)["threadIdx.x"], {64})
        self.assertNotIn("shared", scopes(after).values())
        self.refused(product(1, 512, 256, swap=True), dl.gpu.GEMV)      # sums over the outer axis of the matrix
        self.refused(product(4, 512, 256), dl.gpu.GEMV)

    def test_reduction_by_place_of_the_axis(self):
        a = te.placeholder((64, 512), "float32", "A")
        _, rows = scheduled([a, topi.sum(a, axis=1)], [dl.gpu.Reduction])
        self.assertEqual(threads(rows), {"blockIdx.x": {64}, "threadIdx.x": {512}})
        b = te.placeholder((8, 128, 24), "float32", "B")
        _, columns = scheduled([b, topi.sum(b, axis=1)], [dl.gpu.Reduction])
        self.assertEqual(threads(columns), {"blockIdx.x": {16}, "threadIdx.x": {12}, "threadIdx.y": {16}})

    def test_general_reduction_wants_chains(self):
        a = te.placeholder((20, 300), "float32", "A")
        _, after = scheduled([a, topi.nn.softmax(a)], [dl.gpu.GeneralReduction])
        self.assertEqual(set(scopes(after).values()), {"shared"})
        self.refused([a, topi.sum(a, axis=1)], dl.gpu.GeneralReduction)

    def test_transpose_of_matrices_only(self):
        a = te.placeholder((160, 96), "float32", "A")
        _, after = scheduled([a, topi.transpose(a)], [dl.gpu.Transpose])
        self.assertEqual(scopes(after), {"A_shared": "shared"})
        b = te.placeholder((4, 50, 70), "float32", "B")
        self.refused([b, topi.transpose(b, (0, 2, 1))], dl.gpu.Transpose)
        self.refused([a, topi.nn.relu(a)], dl.gpu.Transpose)

    def test_rms_norm_by_target(self):
        for dtype in ("float16", "float32"):
            norm, (_, after) = self.rms_norm(512, dtype), scheduled(self.rms_norm(512, dtype), [dl.gpu.RMSNorm])
            self.assertEqual(threads(after), {"blockIdx.x": {3}, "threadIdx.x": {512}})
            self.assertEqual(set(scopes(after).values()), {"local", "shared"})
            self.assertEqual([name for name, scope in scopes(after).items() if scope == "shared"], ["rsqrt_shared"])
            self.assertNotIn("T_cast_1", scopes(after))
            self.assertEqual(threads(scheduled(norm, [dl.gpu.RMSNorm], PHONE)[1])["threadIdx.x"], {256})
            self.assertEqual(threads(scheduled(norm, [dl.gpu.RMSNorm], Target("vulkan"))[1])["threadIdx.x"], {64})
        x = te.placeholder((4, 8), "float32", "A")
        self.refused([x, topi.nn.softmax(x)], dl.gpu.RMSNorm)
        self.refused([x, te.compute((4, 8), lambda i, j: tir.rsqrt(x[i, j]), "R")], dl.gpu.RMSNorm)

    def rms_norm(self, columns, dtype):
        x, w = te.placeholder((1, 3, columns), dtype, "data"), te.placeholder((columns,), dtype, "weight")
        return [x, w, te.compute((1, 3, columns), lambda *at: topi.nn.rms_norm(x, w, [2])[at], "out")] if dtype == "float32" else [
            x, w, topi.nn.rms_norm(x, w, [2])]

    def test_gemv_on_a_cpu(self):
        func = te.create_prim_func(product(1, 512, 256)).with_attr("global_symbol", "main")
        with Target("llvm"):
            after = dl.ApplyDefaultSchedule(dl.cpu.GEMV())(tvm.IRModule({"main": func}))
        kinds = []
        tir.stmt_functor.post_order_visit(after["main"].body, lambda n: kinds.append((n.kind, int(n.extent))) if isinstance(n, tir.For) else None)
        self.assertIn((tir.ForKind.PARALLEL, 4), kinds)
        self.assertIn((tir.ForKind.VECTORIZED, 128), kinds)
        for packed in (2, 4, 8):        # numbers of a word are summed in a loop of their own
            word, x, r = te.placeholder((64, 128 // packed), "int32", "W"), te.placeholder((128,), "int32", "x"), te.reduce_axis((0, 128))
            row = te.compute((64,), lambda i: te.sum((word[i, r // packed] >> (r % packed)) * x[r], axis=r), "y")
            after, extents = scheduled([word, x, row], [dl.cpu.GEMV], Target("llvm"))[1], []
            tir.stmt_functor.post_order_visit(after["main"].body, lambda n: extents.append(int(n.extent)) if isinstance(n, tir.For) else None)
            self.assertEqual(extents[0], packed)        # the innermost is visited first
        self.refused(product(4, 512, 256), dl.cpu.GEMV, Target("llvm"))
        self.refused(product(1, 512, 256), dl.cpu.GEMV)

    def test_matmul_on_tensor_cores(self):
        def halves(n, one="float16", result="float32"):
            a, b, r = te.placeholder((n, n), one, "A"), te.placeholder((n, n), one, "B"), te.reduce_axis((0, n))
            return [a, b, te.compute((n, n), lambda i, j: te.sum(a[i, r].astype(result) * b[j, r].astype(result), axis=r), "C")]

        for one, result in (("float16", "float32"), ("float16", "float16"), ("int8", "int32")):
            _, after = scheduled(halves(256, one, result), [dl.gpu.Matmul])
            self.assertEqual(threads(after), {"blockIdx.x": {2}, "blockIdx.y": {2}, "blockIdx.z": {1}, "threadIdx.x": {32}, "threadIdx.y": {16}})
            self.assertEqual(set(scopes(after).values()), {"shared.dyn", "wmma.matrix_a", "wmma.matrix_b", "wmma.accumulator"})
        for tensors, target in ((halves(64), A100), (halves(256, "float32"), A100), (halves(256), Target("cuda -arch=sm_60")), (halves(256), PHONE)):
            _, after = scheduled(tensors, [dl.gpu.Matmul], target)
            self.assertNotIn("wmma.matrix_a", scopes(after).values())

    def test_matmul_on_groups_of_lanes(self):
        metal = Target("metal")
        a, b, r = te.placeholder((64, 96), "float16", "A"), te.placeholder((128, 96), "float16", "B"), te.reduce_axis((0, 96))
        halves = [a, b, te.compute((64, 128), lambda i, j: te.sum(a[i, r] * b[j, r], axis=r), "C")]
        _, after = scheduled(halves, [dl.gpu.Matmul], metal)
        self.assertEqual(threads(after), {"blockIdx.x": {4}, "blockIdx.y": {2}, "blockIdx.z": {1}, "threadIdx.x": {32}, "threadIdx.y": {1}, "threadIdx.z": {4}})
        self.assertEqual(set(scopes(after).values()), {"shared", "metal.simdgroup"})
        called = set()
        tir.stmt_functor.post_order_visit(after["main"].body, lambda n: called.add(str(n.op.name)) if isinstance(n, tir.Call) else None)
        self.assertLessEqual({"tir.make_filled_simdgroup_matrix", "tir.simdgroup_load", "tir.simdgroup_multiply_accumulate", "tir.simdgroup_store"}, called)
        _, plain = scheduled(product(64, 128, 96), [dl.gpu.Matmul], metal)          # the matrices are of float16
        self.assertNotIn("metal.simdgroup", scopes(plain).values())

    def phone_product(self, transposed):
        n = tir.Var("n", "int64")
        a = te.placeholder((1, n, 512), "float32", "A")
        b, r = te.placeholder((1024, 512) if transposed else (512, 1024), "float32", "B"), te.reduce_axis((0, 512), "k")
        return [a, b, te.compute((1, n, 1024), lambda h, i, j: te.sum(a[h, i, r] * (b[j, r] if transposed else b[r, j]), axis=r), "C")]

    def test_matmul_on_phones(self):
        phone = Target("opencl", host="llvm -mtriple=aarch64-linux-android")
        _, outer = scheduled(self.phone_product(False), [dl.gpu.Matmul], phone)
        self.assertEqual((threads(outer)["threadIdx.x"], threads(outer)["threadIdx.y"], threads(outer)["blockIdx.x"]), ({32}, {8}, {4}))
        self.assertEqual(sorted(scopes(outer).values()), ["local", "shared"])
        _, inner = scheduled(self.phone_product(True), [dl.gpu.Matmul], phone)
        self.assertEqual((threads(inner)["threadIdx.x"], threads(inner)["threadIdx.y"]), ({32}, {8}))
        self.assertNotIn("shared", scopes(inner).values())

    def test_normal_form(self):
        a = te.placeholder((1, 6, 1, 5), "float32", "A")
        sch = tir.Schedule(te.create_prim_func([a, topi.sum(a, axis=3)]))
        (info,) = dl.normalize_prim_func(sch)
        self.assertEqual((info.dom_kind(), info.dom(), info.is_reduction()), ("SR", [6, 5], True))
        b = te.placeholder((7,), "float32", "B")
        sch = tir.Schedule(te.create_prim_func([b, topi.sum(b)]))
        (info,) = dl.normalize_prim_func(sch)
        self.assertEqual((info.dom_kind(), info.dom()), ("SR", [1, 7]))
        self.assertEqual(sch.get(info.block_rv).iter_vars[0].dom.extent.dtype, "int64")


@tap.needs_numpy
class Numbers(unittest.TestCase):
    """What the kernels compute, against numpy."""

    def test_products_on_phones(self):
        phone = Target({"kind": "opencl", "max_threads_per_block": 256, "max_shared_memory_per_block": 32768, "thread_warp_size": 32,
                        "host": {"kind": "llvm", "mtriple": "aarch64-linux-android"}})
        for transposed in (False, True):
            a, b = self.random(1, 21, 512), self.random(*((1024, 512) if transposed else (512, 1024)))
            _, after = scheduled(Rules.phone_product(self, transposed), [dl.gpu.Matmul], phone)
            mod = tvm.build(after, target=PHONE)
            given = [tvm.nd.array(one, tvm.opencl(0)) for one in (a, b, np.zeros((1, 21, 1024), "float32"))]
            mod["main"](*given)
            np.testing.assert_allclose(given[-1].numpy(), a @ (b.T if transposed else b), rtol=1e-3, atol=1e-3)

    def run_on(self, tensors, rules, target, expected, arrays, tolerance=1e-4):
        _, after = scheduled(tensors, rules, target)
        self.assertEqual(int(after["main"].attrs.get("tir.is_scheduled", 0)), 1)
        dev = tvm.cuda(0) if target.kind.name == "cuda" else tvm.opencl(0)
        mod = tvm.build(after, target=target)
        given = [tvm.nd.array(one, dev) for one in (*arrays, np.zeros(expected.shape, expected.dtype))]
        mod["main"](*given)
        np.testing.assert_allclose(given[-1].numpy(), expected, rtol=tolerance, atol=tolerance)

    def random(self, *shape):
        return np.random.RandomState(5).uniform(-1, 1, shape).astype("float32")

    def test_products(self):
        for n, m, k in ((64, 64, 32), (40, 70, 20)):
            a, b = self.random(n, k), self.random(m, k)
            for target in (A100, PHONE):
                self.run_on(product(n, m, k), [dl.gpu.Matmul], target, a @ b.T, [a, b])

    def test_product_with_what_comes_after_it(self):
        x, y, c = product(32, 64, 16)
        a, b = self.random(32, 16), self.random(64, 16)
        self.run_on([x, y, topi.nn.relu(c)], [dl.gpu.Matmul], A100, np.maximum(a @ b.T, 0), [a, b])

    def test_matrix_times_vector(self):
        a, b = self.random(1, 128), self.random(64, 128)
        for target in (A100, PHONE):
            self.run_on(product(1, 64, 128), [dl.gpu.GEMV], target, a @ b.T, [a, b])
        x, y, c = product(1, 64, 128)
        self.run_on([x, y, topi.nn.relu(c)], [dl.gpu.GEMV], A100, np.maximum(a @ b.T, 0), [a, b])

    def test_few_vectors_of_unknown_number(self):
        n = te.var("n", "int64")
        func = te.create_prim_func(product(n, 64, 128))
        for rows in (3, 4, 9):
            a, b = self.random(rows, 128), self.random(64, 128)
            self.run_on(func, [dl.gpu.LowBatchGEMV], A100, a @ b.T, [a, b])

    def test_sums(self):
        a, b = te.placeholder((6, 300), "float32", "A"), te.placeholder((3, 40, 24), "float32", "B")
        x, y = self.random(6, 300), self.random(3, 40, 24)
        for target in (A100, PHONE):
            self.run_on([a, topi.sum(a, axis=1)], [dl.gpu.Reduction], target, x.sum(1), [x])
            self.run_on([b, topi.sum(b, axis=1)], [dl.gpu.Reduction], target, y.sum(1), [y])
            self.run_on([b, topi.nn.relu(topi.sum(b, axis=1))], [dl.gpu.Reduction], target, np.maximum(y.sum(1), 0), [y])

    def test_softmax(self):
        a = te.placeholder((5, 77), "float32", "A")
        x = self.random(5, 77)
        e = np.exp(x - x.max(1, keepdims=True))
        for target in (A100, PHONE):
            self.run_on([a, topi.nn.softmax(a)], [dl.gpu.GeneralReduction], target, e / e.sum(1, keepdims=True), [x])

    def test_rms_norm(self):
        x, w = self.random(1, 3, 4096), self.random(4096)
        a, b = te.placeholder((1, 3, 4096), "float32", "data"), te.placeholder((4096,), "float32", "weight")
        c = topi.nn.rms_norm(a, b, [2])
        expected = x / np.sqrt((x * x).mean(2, keepdims=True) + 1e-5) * w
        for target in (A100, PHONE):
            self.run_on([a, b, te.compute((1, 3, 4096), lambda *at: c[at], "out")], [dl.gpu.RMSNorm], target, expected, [x, w])

    def test_transposes_and_anything(self):
        a = te.placeholder((40, 24), "float32", "A")
        x = self.random(40, 24)
        self.run_on([a, topi.transpose(a)], [dl.gpu.Transpose], A100, x.T.copy(), [x])
        self.run_on([a, topi.nn.relu(a)], ALL, A100, np.maximum(x, 0), [x])
        self.run_on([a, topi.sum(a)], [dl.gpu.Fallback], A100, np.array(x.sum(), "float32"), [x])


class Answers(unittest.TestCase):
    def test_a_rule_answers_with_one_schedule(self):
        @T.prim_func
        def add(A: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
            for i in range(8):
                with T.block("C"):
                    vi = T.axis.spatial(8, i)
                    C[vi] = A[vi] + T.float32(1)

        def answer(make):
            rule = dl.ScheduleRule.from_callable("Own")(lambda func, target, tunable: make(func))
            with tvm.target.Target("cuda"):
                return dl.ApplyDefaultSchedule(rule)(tvm.IRModule({"main": add}))

        self.assertTrue(answer(lambda func: [tvm.tir.Schedule(func)])["main"].attrs["tir.is_scheduled"])
        for make, said in ((lambda func: 5, "the rule Own answers for main with int; one schedule, or None, is expected"), (lambda func: [], "with 0 schedules"),
                           (lambda func: [tvm.tir.Schedule(func)] * 2, "with 2 schedules")):
            with self.assertRaisesRegex(TypeError, said):
                answer(make)

if __name__ == "__main__":
    tap.main()
