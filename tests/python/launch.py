"""Passes that write kernels: threads lifted and written out, calls of other targets, buffers filled one round ahead, layouts of weights."""
import unittest

import tap
import tvm
from tvm import tir
from tvm.script import ir as I, tir as T


def module_of(func):
    return tvm.IRModule({"main": func})


def same(transform, before, after):
    tvm.ir.assert_structural_equal(transform(module_of(before))["main"], after)


def count(func, kind):
    found = []
    tir.stmt_functor.post_order_visit(func.body, lambda node: found.append(node) if isinstance(node, kind) else None)
    return found


class Kernels(unittest.TestCase):
    def call(self, host, device):
        @I.ir_module
        class Before:
            @T.prim_func
            def main(A: T.Buffer((8,), "float32"), n: T.int32):
                T.func_attr({"target": T.target(host)})
                Before.kernel(A.data, n + 1)

            @T.prim_func(private=True)
            def kernel(A_data: T.handle("float32"), n: T.int32):
                T.func_attr({"target": T.target(device)})
                A = T.decl_buffer(8, data=A_data)
                with T.launch_thread("blockIdx.x", n * 2) as b:
                    A[b] = T.float32(b)

        after = tir.transform.LowerDeviceKernelLaunch()(Before)
        return after["main"].body.value, after["kernel"].attrs

    def test_other_devices_are_launched_with_their_threads(self):
        call, attrs = self.call("llvm", "cuda")
        self.assertEqual((call.op.name, len(call.args)), ("tir.tvm_call_packed", 4))
        self.assertEqual([str(n) for n in attrs["tir.kernel_launch_params"]], ["blockIdx.x"])
        self.assertEqual((int(attrs["calling_conv"]), attrs["global_symbol"]), (2, "kernel"))

    def test_another_generator_is_called_from_outside(self):
        call, attrs = self.call("llvm", "c")
        self.assertEqual(call.op.name, "tir.call_extern")
        self.assertNotIn("calling_conv", attrs)

    def test_the_same_target_is_called_as_it_is(self):
        call, attrs = self.call("llvm", "llvm")
        self.assertIsInstance(call.op, tvm.ir.GlobalVar)
        self.assertNotIn("global_symbol", attrs)

    def test_a_target_is_asked_for(self):
        @I.ir_module
        class Before:
            @T.prim_func
            def main():
                Before.kernel()

            @T.prim_func(private=True)
            def kernel():
                T.evaluate(0)

        with self.assertRaisesRegex(tvm.TVMError, "BindTarget"):
            tir.transform.LowerDeviceKernelLaunch()(Before)


class Threads(unittest.TestCase):
    def test_bindings_of_an_axis_are_lifted(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
            for b in T.thread_binding(4, thread="blockIdx.x"):
                for t in T.thread_binding(8, thread="threadIdx.x"):
                    A[b, t] = T.float32(1)
                for k in range(2):
                    for u in T.thread_binding(8, thread="threadIdx.x"):
                        B[b, u] = A[b, u]

        @T.prim_func(private=True)
        def after(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
            for b in T.thread_binding(4, thread="blockIdx.x"):
                for t in T.thread_binding(8, thread="threadIdx.x"):
                    A[b, t] = T.float32(1)
                    for k in range(2):
                        B[b, t] = A[b, t]

        same(tir.transform.LiftThreadBinding(), before, after)

    def test_two_kernels_stay_two(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((8,), "float32")):
            for t in T.thread_binding(8, thread="threadIdx.x"):
                A[t] = T.float32(1)
            for u in T.thread_binding(8, thread="threadIdx.x"):
                A[u] = T.float32(2)

        same(tir.transform.LiftThreadBinding(), before, before)

    def test_virtual_threads_are_written_out(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((20,), "float32"), C: T.Buffer((20,), "float32")):
            vt = T.launch_thread("vthread", 2)
            B_data = T.allocate([10], "float32", "shared")
            B = T.Buffer((10,), data=B_data, scope="shared")
            for i in range(10):
                B[i] = A[i * 2 + vt]
            for i in range(10):
                C[i * 2 + vt] = B[9 - i]

        after = tir.transform.Simplify()(tir.transform.InjectVirtualThread()(module_of(before)))["main"]

        @T.prim_func(private=True)
        def expected(A: T.Buffer((20,), "float32"), C: T.Buffer((20,), "float32")):
            B_data = T.allocate([20], "float32", "shared")
            B = T.Buffer((100,), data=B_data, scope="shared")
            for i in range(10):
                B[i] = A[i * 2]
                B[i + 10] = A[i * 2 + 1]
            for i in range(10):
                C[i * 2] = B[9 - i]
                C[i * 2 + 1] = B[19 - i]

        tvm.ir.assert_structural_equal(after, expected)

    def test_many_virtual_threads_are_a_loop(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((32,), "float32")):
            vt = T.launch_thread("vthread", 32)
            A[vt] = T.float32(1)

        after = tir.transform.InjectVirtualThread()(module_of(before))["main"]
        self.assertEqual(len(count(after, tir.For)), 1)

    def test_what_is_not_touched_runs_once(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((2,), "float32"), B: T.Buffer((1,), "float32")):
            vt = T.launch_thread("vthread", 2)
            B[0] = T.float32(7)
            A[vt] = B[0]

        after = tir.transform.InjectVirtualThread()(module_of(before))["main"]
        self.assertEqual(len(count(after, tir.BufferStore)), 3)


class Reductions(unittest.TestCase):
    def func(self, bound="threadIdx.x", serial=4):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8, 128), "float32"), B: T.Buffer((8,), "float32")):
            for i, ko in T.grid(8, serial):
                for ki in T.thread_binding(128 // serial, thread=bound):
                    with T.block("B"):
                        vi = T.axis.spatial(8, i)
                        vk = T.axis.reduce(128, ko * (128 // serial) + ki)
                        with T.init():
                            B[vi] = T.float32(-3.4028234663852886e38)
                        B[vi] = T.max(B[vi], A[vi, vk])

        return func

    def names(self, func):
        after = tir.transform.LowerCrossThreadReduction()(module_of(func))["main"]
        return [str(b.name_hint) for b in reversed(count(after, tir.Block))], after

    def test_threads_reduce_first_then_across(self):
        names, after = self.names(self.func())
        self.assertEqual(sorted(names), ["B_cross_thread", "B_in_thread", "B_in_thread_init", "B_write_back", "root"])
        text = str(after)
        self.assertIn("T.max(x, y)", text)
        self.assertIn("T.where(ki == 0)", text)
        self.assertEqual(len(after.body.block.alloc_buffers), 2)

    def test_without_serial_loops_they_reduce_at_once(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8, 128), "float32"), B: T.Buffer((8,), "float32")):
            for i in range(8):
                for k in T.thread_binding(128, thread="threadIdx.x"):
                    with T.block("B"):
                        vi, vk = T.axis.remap("SR", [i, k])
                        with T.init():
                            B[vi] = T.float32(0)
                        B[vi] = B[vi] + A[vi, vk]

        self.assertEqual(sorted(self.names(func)[0]), ["B_cross_thread", "B_write_back", "root"])

    def test_other_reductions_stay(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8, 128), "float32"), B: T.Buffer((8,), "float32")):
            for i in T.thread_binding(8, thread="threadIdx.x"):
                for k in range(128):
                    with T.block("B"):
                        vi, vk = T.axis.remap("SR", [i, k])
                        with T.init():
                            B[vi] = T.float32(0)
                        B[vi] = B[vi] + A[vi, vk]

        same(tir.transform.LowerCrossThreadReduction(), func, func)

    def test_a_predicate_over_several_variables(self):
        """As rfactor makes it of a loop with a remainder: each thread still has rounds of its own."""
        @T.prim_func(private=True)
        def func(A: T.Buffer((40,), "float32"), B: T.Buffer((3,), "float32")):
            for b in T.thread_binding(3, thread="blockIdx.x"):
                for k in range(4):
                    for t in T.thread_binding(4, thread="threadIdx.x"):
                        with T.block("B"):
                            vb = T.axis.spatial(3, b)
                            vk = T.axis.reduce(14, k * 4 + t)
                            T.where(b * 14 + (k * 4 + t) < 40 and k * 4 + t < 14)
                            with T.init():
                                B[vb] = T.float32(0)
                            B[vb] = B[vb] + A[vb * 14 + vk]

        names, _ = self.names(func)
        self.assertEqual(sorted(names), ["B_cross_thread", "B_in_thread", "B_in_thread_init", "B_write_back", "root"])

    def test_what_starts_elsewhere_is_no_reduction(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8, 8, 32), "float32"), B: T.Buffer((8, 8), "float32")):
            for i, j in T.grid(8, 8):
                for k in T.thread_binding(32, thread="threadIdx.x"):
                    with T.block("B"):
                        vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                        T.reads(A[vi, vj, vk])
                        T.writes(B[0:8, 0:8])
                        with T.init():
                            B[vj, vi] = T.float32(0)
                        B[vi, vj] = B[vi, vj] + A[vi, vj, vk]

        with self.assertRaisesRegex(ValueError, "different places"):
            self.names(func)

    def test_blocks_of_a_grid_do_not_reduce(self):
        with self.assertRaisesRegex(ValueError, "threadIdx"):
            self.names(self.func("blockIdx.x"))


class Barriers(unittest.TestCase):
    def barriers(self, func, scope="shared"):
        return str(tir.transform.ThreadSync(scope)(module_of(func))).count("tvm_storage_sync")

    def test_threads_that_read_what_others_wrote_wait(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8,), "float32")):
            t = T.launch_thread("threadIdx.x", 8)
            S_data = T.allocate([8], "float32", "shared")
            S = T.Buffer((8,), data=S_data, scope="shared")
            S[t] = A[t]
            A[t] = S[7 - t]

        self.assertEqual((self.barriers(func), self.barriers(func, "local")), (1, 0))

    def test_threads_that_read_their_own_do_not(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8,), "float32")):
            t = T.launch_thread("threadIdx.x", 8)
            S_data = T.allocate([8], "float32", "shared")
            S = T.Buffer((8,), data=S_data, scope="shared")
            S[t] = A[t]
            A[t] = S[t]

        self.assertEqual(self.barriers(func), 0)

    def test_the_next_round_of_a_loop_waits_too(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((64,), "float32")):
            t = T.launch_thread("threadIdx.x", 8)
            S_data = T.allocate([8], "float32", "shared")
            S = T.Buffer((8,), data=S_data, scope="shared")
            for i in range(8):
                S[t] = A[i * 8 + t]
                A[i * 8 + t] = S[7 - t]

        self.assertEqual(self.barriers(func), 2)

    def test_conditions_that_are_the_same_for_all_threads_hold_barriers(self):
        @T.prim_func(private=True)
        def chosen(A: T.Buffer((8,), "float32"), n: T.int32):
            t = T.launch_thread("threadIdx.x", 8)
            S_data = T.allocate([8], "float32", "shared")
            S = T.Buffer((8,), data=S_data, scope="shared")
            S[t] = A[t]
            if T.tvm_thread_invariant(n > 3):
                S[t] = S[t] + T.float32(1)
                A[t] = S[7 - t]
            A[t] = A[t] + S[(t + 1) % 8]

        text = str(tir.transform.ThreadSync("shared")(module_of(chosen)))
        self.assertEqual(text.count("tvm_storage_sync"), 2)     # one in the condition, one behind it: nobody knows that the first was met
        self.assertLess(text.index("if T.tvm_thread_invariant"), text.index("tvm_storage_sync"))

    def test_rounds_of_a_while_wait_for_each_other(self):
        @T.prim_func(private=True)
        def rounds(A: T.Buffer((8,), "float32")):
            t = T.launch_thread("threadIdx.x", 8)
            S_data = T.allocate([8], "float32", "shared")
            S = T.Buffer((8,), data=S_data, scope="shared")
            k_data = T.allocate([1], "int32", "local")
            k = T.Buffer((1,), "int32", data=k_data, scope="local")
            k[0] = 0
            while T.tvm_thread_invariant(k[0] < 3):
                S[t] = A[t]
                A[t] = S[7 - t]
                k[0] = k[0] + 1

        self.assertEqual(self.barriers(rounds), 2)

    def test_an_index_that_was_read_may_have_changed(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8,), "float32")):
            t = T.launch_thread("threadIdx.x", 8)
            S_data = T.allocate([16], "float32", "shared")
            S = T.Buffer((16,), data=S_data, scope="shared")
            k_data = T.allocate([1], "int32", "local")
            k = T.Buffer((1,), "int32", data=k_data, scope="local")
            k[0] = 1
            S[t + k[0]] = A[t]
            k[0] = 2
            A[t] = S[t + k[0]]

        self.assertEqual(self.barriers(func), 1)

    def test_an_index_that_lies_in_global_memory_is_the_same(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8,), "float32"), order: T.Buffer((8,), "int32")):
            t = T.launch_thread("threadIdx.x", 8)
            S_data = T.allocate([8], "float32", "shared")
            S = T.Buffer((8,), data=S_data, scope="shared")
            if t < 4:
                S[order[t]] = A[t]
                A[t] = S[order[t]]

        self.assertEqual(self.barriers(func), 0)

    def test_barriers_in_conditions_are_told(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8,), "float32")):
            t = T.launch_thread("threadIdx.x", 8)
            S_data = T.allocate([8], "float32", "shared")
            S = T.Buffer((8,), data=S_data, scope="shared")
            if t < 4:
                S[t] = A[t]
                A[t] = S[3 - t]

        with self.assertRaisesRegex(tvm.TVMError, "condition"):
            self.barriers(func)


class Pipelines(unittest.TestCase):
    def func(self, **annotations):
        @T.prim_func
        def func(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
            for i in T.serial(16, annotations=annotations):
                with T.block("round"):
                    T.reads(A[i])
                    T.writes(D[i])
                    B = T.alloc_buffer((1,))
                    C = T.alloc_buffer((1,))
                    with T.block("a"):
                        T.reads(A[i])
                        T.writes(B[0])
                        B[0] = A[i] * T.float32(2)
                    with T.block("b"):
                        T.reads(B[0])
                        T.writes(C[0])
                        C[0] = B[0] + T.float32(2)
                    with T.block("c"):
                        T.reads(C[0])
                        T.writes(D[i])
                        D[i] = C[0] * T.float32(3)

        return func

    def test_pipelines_compute_the_same(self):
        import numpy

        data = numpy.arange(16, dtype="float32")
        for stages, orders in (([0, 0, 1], [0, 1, 2]), ([0, 1, 2], [0, 1, 2]), ([0, 1, 2], [2, 1, 0]), ([0, 3, 3], [0, 1, 2]), ([0, 1, 1], [2, 0, 1])):
            func = self.func(software_pipeline_stage=stages, software_pipeline_order=orders)
            after = tir.transform.InjectSoftwarePipeline()(module_of(func))["main"]
            self.assertFalse(tvm.ir.structural_equal(after, func))
            out = tvm.nd.array(numpy.zeros(16, dtype="float32"))
            tvm.build(after, target="llvm")(tvm.nd.array(data), out)
            numpy.testing.assert_array_equal(out.numpy(), (data * 2 + 2) * 3)

    def test_wrong_numbers_are_told(self):
        for wrong in ({"software_pipeline_stage": [0, 1, 1]}, {"software_pipeline_stage": [0, 1], "software_pipeline_order": [0, 1]},
                      {"software_pipeline_stage": [0, 1, 1], "software_pipeline_order": [0, 0, 1]},
                      {"software_pipeline_stage": [0, 0, 1], "software_pipeline_order": [1, 0, 2]}):
            with self.assertRaises(ValueError):
                tir.transform.InjectSoftwarePipeline()(module_of(self.func(**wrong)))


class Memory(unittest.TestCase):
    def double(self, factor):
        @T.prim_func(private=True)
        def before(A: T.Buffer((40,), "float32"), C: T.Buffer((40,), "float32")):
            for i in range(10):
                B_data = T.allocate([4], "float32", "global")
                B = T.Buffer((4,), data=B_data)
                with T.attr(B_data, "double_buffer_scope", 1):
                    for j in range(4):
                        B[j] = A[i * 4 + j]
                for j in range(4):
                    C[i * 4 + j] = B[3 - j]

        with tvm.transform.PassContext(config={"tir.InjectDoubleBuffer": {"split_loop": factor}}):
            return before, tir.transform.InjectDoubleBuffer()(module_of(before))["main"]

    def test_double_buffers_compute_the_same(self):
        import numpy

        data = numpy.arange(40, dtype="float32")
        for factor in (0, 1, 2, 4):
            before, after = self.double(factor)
            self.assertEqual(int(count(after, tir.Allocate)[0].extents[0]), 8)
            results = []
            for func in (before, after):
                out = tvm.nd.array(numpy.zeros(40, dtype="float32"))
                tvm.build(func.with_attr("global_symbol", "main"), target="llvm")(tvm.nd.array(data), out)
                results.append(out.numpy())
            numpy.testing.assert_array_equal(*results)

    def test_the_layout_of_a_weight_becomes_the_parameter(self):
        @T.prim_func(private=True)
        def before(W: T.Buffer((4, 8), "float32"), C: T.Buffer((8,), "float32")):
            W_1 = T.alloc_buffer((8, 4))
            for i, j in T.grid(4, 8):
                with T.block("prepare"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                    W_1[vj, vi] = W[vi, vj]
            for j in range(8):
                with T.block("use"):
                    vj = T.axis.spatial(8, j)
                    C[vj] = W_1[vj, 0]

        after = tir.transform.RemoveWeightLayoutRewriteBlock()(module_of(before))["main"]
        self.assertEqual([int(n) for n in after.buffer_map[after.params[0]].shape], [8, 4])
        self.assertEqual(len(after.body.block.alloc_buffers), 0)


if __name__ == "__main__":
    tap.main()
