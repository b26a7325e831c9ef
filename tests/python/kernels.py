"""Passes over kernels and what stands around them: threads by default, memory of devices, arrays, measuring."""
import unittest

import tap
import tvm
from tvm import tir
from tvm.script import ir as I, tir as T
from tvm.tir import transform


@T.prim_func
def two_loops(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    for i in range(4):
        for j in range(8):
            with T.block("A"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = vi
        for j in T.parallel(8):
            for k in range(2):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj]


class Bodies(unittest.TestCase):
    def test_a_body_is_marked_as_a_devices(self):
        mod = tvm.IRModule({"main": two_loops})
        body = transform.DecorateDeviceScope()(mod._move())["main"].body
        self.assertEqual((body.attr_key, int(body.node), int(body.value)), ("device_scope", 0, 0))
        tvm.ir.assert_structural_equal(body.body, two_loops.body)

    def test_references_are_counted(self):
        var = tir.Var("x", "int32")
        before = tvm.testing.object_use_count(var)
        kept = tir.Evaluate(var + 1)
        self.assertEqual(tvm.testing.object_use_count(var), before + 1)
        del kept
        self.assertEqual(tvm.testing.object_use_count(var), before)


class Threads(unittest.TestCase):
    def test_blocks_and_threads(self):
        @I.ir_module
        class Module:
            @T.prim_func
            def total(A: T.Buffer((4,), "float32"), B: T.Buffer((), "float32")):
                for k in range(4):
                    with T.block("B"):
                        vk = T.axis.reduce(4, k)
                        with T.init():
                            B[()] = 0.0
                        B[()] = B[()] + A[vk]

            @T.prim_func
            def many(A: T.Buffer((1000, 1000), "float32"), B: T.Buffer((1000, 1000), "float32")):
                for i, j in T.grid(1000, 1000):
                    with T.block("B"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        B[vi, vj] = A[vi, vj]

            @T.prim_func
            def host(A: T.Buffer((4,), "float32")):
                T.func_attr({"target": T.target({"kind": "llvm", "keys": ["cpu"], "tag": ""})})
                for i in range(4):
                    with T.block("A"):
                        vi = T.axis.spatial(4, i)
                        A[vi] = 1.0

        with tvm.target.Target("nvidia/geforce-rtx-3070"):
            after = transform.DefaultGPUSchedule()(Module)
        self.assertIn('for u_fused_0 in T.thread_binding(1, thread="blockIdx.x"):', after["total"].script())
        self.assertIn('for i_j_fused_1 in T.thread_binding(256, thread="blockIdx.x"):', after["many"].script())
        self.assertIn("for i_j_fused_0 in range(4):", after["many"].script())
        self.assertIn("for i in range(4):", after["host"].script())
        self.assertTrue(all(f.attrs["tir.is_scheduled"] for f in after.functions.values()))
        tvm.ir.assert_structural_equal(transform.DefaultGPUSchedule()(after), after)
        with self.assertRaises(RuntimeError):
            transform.DefaultGPUSchedule()(tvm.IRModule({"total": Module["total"]}))

    def test_checks(self):
        x = tir.Var("x", "int32")
        twice = tir.PrimFunc([], tir.SeqStmt([tir.LetStmt(x, 1, tir.Evaluate(x)), tir.LetStmt(x, 2, tir.Evaluate(x))]))
        with self.assertRaises(RuntimeError):
            transform.VerifySSA()(tvm.IRModule({"main": twice}))
        transform.VerifySSA()(tvm.IRModule({"main": two_loops}))


class Memory(unittest.TestCase):
    def test_memory_of_a_device(self):
        def seen():
            return tvm.ir.make_node("target.MemoryInfo", unit_bits=8, max_simd_bits=32, max_num_bits=128, head_address=tir.call_extern("handle", "head"))

        def unseen():
            return tvm.ir.make_node("target.MemoryInfo", unit_bits=8, max_simd_bits=32, max_num_bits=128, head_address=None)

        tvm.register_func("tvm.info.mem.global.seen", seen, override=True)
        tvm.register_func("tvm.info.mem.global.unseen", unseen, override=True)

        @T.prim_func
        def before():
            a = T.decl_buffer((16,), "float32", scope="global.seen")
            b = T.decl_buffer((16,), "float32", scope="global.unseen")
            T.evaluate(a.data)

        text = transform.LowerDeviceStorageAccessInfo()(tvm.IRModule({"main": before}))["main"].script()
        self.assertIn('T.call_extern("handle", "head")', text)
        self.assertNotIn("unseen", text)

        @T.prim_func
        def unknown():
            a = T.allocate((16,), "float32", "global.nobody")
            T.evaluate(a)

        with self.assertRaises(ValueError):
            transform.LowerDeviceStorageAccessInfo()(tvm.IRModule({"main": unknown}))

    @tap.needs_numpy
    def test_arrays_of_functions(self):
        def function(numbers):
            @T.prim_func
            def f(B: T.Buffer((3,), "int32")):
                data = T.allocate_const(numbers, "int32", [3])
                K = T.Buffer((3,), "int32", data=data)
                for i in range(3):
                    B[i] = K[i]

            return f

        mod = transform.ExtractPrimFuncConstants()(tvm.IRModule({"a": function([1, 1, 1]), "b": function([1, 2, 3]), "c": function([1, 1, 1])}))
        arrays = mod.attrs["constants"]
        self.assertEqual(len(arrays), 2)
        seen = []
        for func in mod.functions.values():
            tir.stmt_functor.post_order_visit(func.body, lambda s: seen.append(s) if isinstance(s, tir.AllocateConst) else None)
        self.assertEqual(len(seen), 3)
        for node in seen:
            self.assertEqual(list(node.data.numpy()), list(arrays[int(node.irmod_storage_idx)].numpy()))


def threads_of(body):
    """What a kernel is that keeps arrays in shared memory."""
    return transform.MergeSharedMemoryAllocations()(tvm.IRModule({"main": body}))["main"].script()


class SharedMemory(unittest.TestCase):
    def test_lives_of_one_statement(self):
        @T.prim_func
        def f():
            tx = T.launch_thread("threadIdx.x", 64)
            A = T.decl_buffer([64], scope="shared.dyn")
            B = T.decl_buffer([64], scope="shared.dyn")
            B[tx] = A[tx]

        text = threads_of(f)
        self.assertIn('T.allocate([512], "uint8", "shared.dyn")', text)
        self.assertIn("B[tx + 64] = A[tx]", text)

    def test_a_large_one_over_two_small_ones(self):
        @T.prim_func
        def f(O: T.Buffer((256,), "float32")):
            tx = T.launch_thread("threadIdx.x", 256)
            A = T.decl_buffer([256], "float16", scope="shared.dyn")
            B = T.decl_buffer([256], "float16", scope="shared.dyn")
            C = T.decl_buffer([256], "float32", scope="shared.dyn")
            for i in range(4):
                A[tx] = T.float16(0)
                B[tx] = A[tx]
            C[tx] = T.float32(0)
            O[tx] = C[tx]

        text = threads_of(f)
        self.assertIn('T.allocate([1024], "uint8", "shared.dyn")', text)
        self.assertIn("B[tx] = A[tx + 256]", text)
        self.assertIn("O[tx] = C[tx]", text)

    def test_sizes_that_are_not_known(self):
        @T.prim_func
        def f(n: T.int32):
            tx = T.launch_thread("threadIdx.x", n)
            A = T.decl_buffer([n], scope="shared.dyn")
            B = T.decl_buffer([32], "int8", scope="shared.dyn")
            A[tx] = T.Cast("float32", B[0])

        text = threads_of(f)
        self.assertIn('T.allocate([32 + T.max(0, n * 4 + (4 - n * 4 % 4) % 4)], "uint8", "shared.dyn")', text)
        self.assertIn("A[tx + 8] = ", text)

    def test_asynchronous_copies_count_bytes(self):
        @T.prim_func
        def f(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
            C = T.allocate([128], "float32", "shared.dyn")
            D = T.allocate([128], "float32", "shared.dyn")
            tx = T.launch_thread("threadIdx.x", 128)
            T.ptx_cp_async("float32", C, tx, A.data, tx, 512)
            T.ptx_cp_async("float32", D, tx, B.data, tx, 512)

        self.assertIn('T.ptx_cp_async("float32", buf_dyn_shmem, (128 + tx) * 4, B.data, tx, 512)', threads_of(f))

    def test_static_memory_on_demand(self):
        @T.prim_func
        def f():
            tx = T.launch_thread("threadIdx.x", 64)
            A = T.decl_buffer([64], scope="shared")
            B = T.decl_buffer([64], scope="shared")
            B[tx] = A[tx]

        self.assertNotIn("buf_shmem", threads_of(f))
        with tvm.transform.PassContext(config={"tir.merge_static_smem": True}):
            self.assertIn("buf_shmem", threads_of(f))

    def test_flat_memory_is_wanted(self):
        @T.prim_func
        def f():
            tx = T.launch_thread("threadIdx.x", 64)
            A = T.decl_buffer([64, 2], scope="shared.dyn")
            B = T.decl_buffer([64], scope="shared.dyn")
            B[tx] = A[tx, 0]

        with self.assertRaises(tvm.TVMError):
            threads_of(f)


class Measuring(unittest.TestCase):
    def marks(self, **options):
        config = {"tir.lwp_disable_func_prof": True, "tir.reset_start_id": True, **{f"tir.{k}": v for k, v in options.items()}}
        with tvm.transform.PassContext(config=config):
            text = transform.InstrumentProfileIntrinsics()(tvm.IRModule({"main": two_loops}))["main"].script()
        return [int(line.split("(")[1].rstrip(")")) for line in text.splitlines() if "start_profile_intrinsic" in line]

    def test_loops(self):
        self.assertEqual(self.marks(), [3])
        self.assertEqual(self.marks(lwp_min_height=0), [2, 3])
        self.assertEqual(self.marks(instr_siblings=False), [1])
        self.assertEqual(self.marks(instr_siblings=False, lwp_max_depth=3), [1, 3])
        self.assertEqual(self.marks(lwp_disable_func_prof=False), [0, 3])


if __name__ == "__main__":
    tap.main()
