"""Passes that lower TensorIR further: types of indices, functions put where they are called, threads, memory."""
import unittest

import tap
import tvm
from tvm import tir
from tvm.script import ir as I, tir as T


def module_of(func):
    return tvm.IRModule({"main": func})


def same(transform, before, after):
    tvm.ir.assert_structural_equal(transform(module_of(before))["main"], after)


class IndexTypes(unittest.TestCase):
    def test_loops_and_conditions_become_narrow(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((128,), "float32"), B: T.Buffer((130,), "float32")):
            for i, j in T.grid(T.int64(2), T.int64(65)):
                if i * T.int64(65) + j < T.int64(128):
                    A[i * T.int64(65) + j] = 0.0
            for i, j in T.grid(T.int64(2), T.int64(65)):
                B[i * T.int64(65) + j] = T.if_then_else(i * T.int64(65) + j < T.int64(128), A[i * T.int64(65) + j], T.float32(0))

        @T.prim_func(private=True)
        def after(A: T.Buffer((128,), "float32"), B: T.Buffer((130,), "float32")):
            for i, j in T.grid(2, 65):
                if i * 65 + j < 128:
                    A[i * 65 + j] = 0.0
            for i, j in T.grid(2, 65):
                B[i * 65 + j] = T.if_then_else(i * 65 + j < 128, A[i * 65 + j], T.float32(0))

        same(tir.transform.NarrowDataType(32), before, after)

    def test_values_keep_their_type(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((16,), "int64")):
            for i in range(T.int64(15)):
                A[i + T.int64(1)] = A[i] + T.int64(1)

        @T.prim_func(private=True)
        def after(A: T.Buffer((16,), "int64")):
            for i in range(15):
                A[i + 1] = A[i] + T.int64(1)

        same(tir.transform.NarrowDataType(32), before, after)

    def test_an_operation_is_narrowed_as_a_whole(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((280,), "int32"), B: T.Buffer((280,), "int32")):
            for j in range(T.int64(280)):
                B[j] = T.cast(T.cast(A[j], "int64") // (T.int64(36) - j % T.int64(35)), "int32")

        @T.prim_func(private=True)
        def after(A: T.Buffer((280,), "int32"), B: T.Buffer((280,), "int32")):
            for j in range(280):
                B[j] = A[j] // (36 - j % 35)

        same(tir.transform.NarrowDataType(32), before, after)

    def test_what_does_not_fit_stays(self):
        for m, n, dtype in ((2 ** 15, 2 ** 15, "int32"), (2 ** 15, 2 ** 15 + 1, "int64")):
            ib = tir.ir_builder.create()
            a, b = tir.decl_buffer([m * n], name="A"), tir.decl_buffer([m * n * 2], name="B")
            A, B = ib.buffer_ptr(a), ib.buffer_ptr(b)
            with ib.for_range(0, tir.IntImm("int64", m), name="i") as i:
                with ib.for_range(0, tir.IntImm("int64", n), name="j") as j:
                    A[i * n + j] = B[i * 2 * n + 2 * j] + 1
            stmt = tir.transform.NarrowDataType(32)(module_of(tir.PrimFunc([a, b], ib.get())))["main"].body
            self.assertEqual((stmt.loop_var.dtype, stmt.body.loop_var.dtype), (dtype, dtype))

    def test_threads_and_blocks(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((T.int64(128),), "float32"), n: T.int64):
            for t in T.thread_binding(T.int64(4), thread="threadIdx.x"):
                for i in range(T.int64(16)):
                    with T.block("b"):
                        v = T.axis.spatial(T.int64(64), t * T.int64(16) + i)
                        T.where(t * T.int64(16) + i < n)
                        A[v + n] = T.Select(T.int64(1) <= v, A[v], T.cast(v, "float32"))

        @T.prim_func(private=True)
        def after(A: T.Buffer((128,), "float32"), n: T.int32):
            for t in T.thread_binding(4, thread="threadIdx.x"):
                for i in range(16):
                    with T.block("b"):
                        v = T.axis.spatial(64, t * 16 + i)
                        T.where(t * 16 + i < n)
                        A[v + n] = T.Select(1 <= v, A[v], T.cast(v, "float32"))

        same(tir.transform.ForceNarrowIndexToInt32(), before, after)

    def test_wide_buffers_are_refused(self):
        @T.prim_func(private=True)
        def wide(A: T.Buffer((8,), "int64")):
            for i in range(8):
                A[i] = T.int64(1)

        with self.assertRaises(tvm.TVMError):
            tir.transform.ForceNarrowIndexToInt32()(module_of(wide))


class Functions(unittest.TestCase):
    def test_a_private_function_is_put_where_it_is_called(self):
        @I.ir_module
        class Before:
            @T.prim_func
            def main(A: T.Buffer((2, 16), "float32")):
                for i in range(2):
                    Before.row(T.address_of(A[i, 0]), i)
                Before.row(T.address_of(A[0, 0]), 7)

            @T.prim_func(private=True)
            def row(data: T.handle("float32"), n: T.int32):
                R = T.decl_buffer((16,), "float32", data=data)
                for j in range(16):
                    R[j] = T.cast(n, "float32")

        @I.ir_module
        class After:
            @T.prim_func
            def main(A: T.Buffer((2, 16), "float32")):
                for i in range(2):
                    p: T.handle("float32") = T.address_of(A[i, 0])
                    R = T.decl_buffer((16,), "float32", data=p)
                    for j in range(16):
                        R[j] = T.cast(i, "float32")
                q: T.handle("float32") = T.address_of(A[0, 0])
                S = T.decl_buffer((16,), "float32", data=q)
                for j in range(16):
                    S[j] = T.Cast("float32", 7)

        after = tir.transform.InlinePrivateFunctions()(Before)
        tvm.ir.assert_structural_equal(after, After)
        self.assertTrue(tir.analysis.verify_well_formed(after))

    def test_addresses_are_bound_where_they_are_declared(self):
        @I.ir_module
        class Before:
            @T.prim_func
            def main(A: T.Buffer((2, 16), "float32")):
                Before.copy(T.address_of(A[0, 0]), T.address_of(A[1, 0]))
                Before.clear(T.address_of(A[0, 4]))

            @T.prim_func(private=True)
            def copy(a: T.handle("float32"), b: T.handle("float32")):
                X = T.decl_buffer((16,), "float32", data=a)
                Y = T.decl_buffer((16,), "float32", data=b)
                for j in range(16):
                    Y[j] = X[j]

            @T.prim_func(private=True)
            def clear(a: T.handle("float32")):
                X = T.Buffer((4,), "float32", data=a)
                X[1] = T.float32(0)

        after = tir.transform.InlinePrivateFunctions()(Before)
        first, second = after["main"].body
        kinds, node = [], first
        while not isinstance(node, tir.For):
            kinds.append(type(node).__name__)
            node = node.body
        self.assertEqual(kinds, ["LetStmt", "DeclBuffer"] * 2)
        self.assertTrue(second.var.same_as(second.body.buffer.data))
        self.assertTrue(tir.analysis.verify_well_formed(after))

    def test_recursion_and_other_targets_stay(self):
        @I.ir_module
        class Recursive:
            @T.prim_func
            def main(A: T.Buffer((16,), "float32")):
                Recursive.sub(T.address_of(A[0]), 16)

            @T.prim_func(private=True)
            def sub(data: T.handle("float32"), n: T.int32):
                A = T.decl_buffer((n,), "float32", data=data)
                A[1] = A[0] + A[1]
                if n > 1:
                    Recursive.sub(T.address_of(A[1]), n - 1)

        tvm.ir.assert_structural_equal(tir.transform.InlinePrivateFunctions()(Recursive), Recursive)

        @I.ir_module
        class Sides:
            @T.prim_func
            def main():
                T.func_attr({"target": T.target("llvm")})
                Sides.sub(1)

            @T.prim_func(private=True)
            def sub(n: T.int32):
                T.func_attr({"target": T.target("cuda")})
                T.evaluate(n)

        tvm.ir.assert_structural_equal(tir.transform.InlinePrivateFunctions()(Sides), Sides)

    def test_renewed_functions_share_no_variable(self):
        @T.prim_func
        def f(a: T.handle, n: T.int32):
            A = T.match_buffer(a, (n, 4))
            for i in range(n):
                with T.block("b"):
                    v = T.axis.spatial(n, i)
                    B = T.alloc_buffer((4,))
                    C = T.match_buffer(A[v, 0:4], (4,), offset_factor=1)
                    B[0] = C[0]
                    C[1] = B[0]

        g = tir.stmt_functor.renew_defs(f)
        tvm.ir.assert_structural_equal(f, g)
        self.assertTrue(tir.analysis.verify_well_formed(tvm.IRModule({"f": f, "g": g})))
        self.assertFalse(f.buffer_map[f.params[0]].same_as(g.buffer_map[g.params[0]]))


class Threads(unittest.TestCase):
    def test_axes_of_a_kernel_are_unified(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
            for i in T.thread_binding(8, thread="blockIdx.x"):
                for j in T.thread_binding(4, thread="threadIdx.x"):
                    for k in range(2):
                        A[i, j * 2 + k] = 1.0
                for j in T.thread_binding(4, thread="threadIdx.x", annotations={"mark": 1}):
                    B[i, j] = A[i, j]

        @T.prim_func(private=True)
        def after(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
            for i in T.thread_binding(8, thread="blockIdx.x"):
                for j in T.thread_binding(4, thread="threadIdx.x"):
                    for k in range(2):
                        A[i, j * 2 + k] = 1.0
                    for v in T.serial(1, annotations={"mark": 1}):
                        B[i, j] = A[i, j]

        same(tir.transform.UnifyThreadBinding(), before, after)

    def test_extents_of_one_axis_have_to_agree(self):
        @T.prim_func(private=True)
        def wrong(A: T.Buffer((8, 8), "float32")):
            for i in T.thread_binding(8, thread="blockIdx.x"):
                for j in T.thread_binding(4, thread="threadIdx.x"):
                    A[i, j] = 1.0
                for j in T.thread_binding(8, thread="threadIdx.x"):
                    A[i, j] = 1.0

        with self.assertRaises(ValueError):
            tir.transform.UnifyThreadBinding()(module_of(wrong))

        @T.prim_func(private=True)
        def kernels(A: T.Buffer((8, 8), "float32")):
            for i in T.thread_binding(8, thread="blockIdx.x"):
                A[i, 0] = 1.0
            for i in T.thread_binding(4, thread="blockIdx.x"):
                A[i, 0] = 1.0

        same(tir.transform.UnifyThreadBinding(), kernels, kernels)


class NothingToDo(unittest.TestCase):
    def test_what_does_nothing_goes(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((16,), "int32"), n: T.int32):
            for i in range(16):
                if i < n:
                    T.evaluate(0)
                else:
                    A[i] = 3
            for i in range(16):
                A[i] = A[i + 0]
            x: T.int32 = n + 1
            for i in range(0):
                A[i] = 5
            y: T.int32 = T.call_extern("int32", "f")
            A[0] = 1

        @T.prim_func(private=True)
        def after(A: T.Buffer((16,), "int32"), n: T.int32):
            for i in range(16):
                if not i < n:
                    A[i] = 3
            T.evaluate(T.call_extern("int32", "f"))
            A[0] = 1

        same(tir.transform.RemoveNoOp(), before, after)


class Hoisting(unittest.TestCase):
    ALL = {"hoisted_conditionals": tir.transform.HoistedConditionals.All.value, "hoisted_let_bindings": tir.transform.HoistedLetBindings.All.value}

    def hoisted(self, before, after, **options):
        with tvm.transform.PassContext(config={"tir.HoistExpression": {**self.ALL, **options}}):
            same(tir.transform.HoistExpression(), before, after)

    def test_both_branches_and_nested_conditions(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((4, 4), "float32")):
            for i, j, k in T.grid(4, 4, 4):
                if j < 3:
                    if i < 2:
                        A[i, j] = 0.0
                    else:
                        A[i, j] = 1.0

        @T.prim_func(private=True)
        def after(A: T.Buffer((4, 4), "float32")):
            for i in range(4):
                if i < 2:
                    for j in range(4):
                        if j < 3:
                            for k in range(4):
                                A[i, j] = 0.0
                else:
                    for j in range(4):
                        if j < 3:
                            for k in range(4):
                                A[i, j] = 1.0

        self.hoisted(before, after)

    def test_parts_of_a_conjunction(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((4, 4), "float32")):
            for i, j, k in T.grid(4, 4, 4):
                if j < 3 and i < 2:
                    A[i, j] = 0.0

        @T.prim_func(private=True)
        def parts(A: T.Buffer((4, 4), "float32")):
            for i in range(4):
                if i < 2:
                    for j in range(4):
                        if j < 3:
                            for k in range(4):
                                A[i, j] = 0.0

        @T.prim_func(private=True)
        def whole(A: T.Buffer((4, 4), "float32")):
            for i, j in T.grid(4, 4):
                if j < 3 and i < 2:
                    for k in range(4):
                        A[i, j] = 0.0

        self.hoisted(before, parts)
        kinds = tir.transform.HoistedConditionals
        self.hoisted(before, whole, hoisted_conditionals=(kinds.All & ~kinds.BooleanExpression).value)
        self.hoisted(before, before, hoisted_conditionals=0)

    def test_bindings_and_choices_in_expressions(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((4, 4), "float32")):
            for i, j in T.grid(4, 4):
                low: T.bool = i < 3
                if low:
                    A[i, j] = T.if_then_else(i < 2, T.float32(1), T.float32(2))

        @T.prim_func(private=True)
        def after(A: T.Buffer((4, 4), "float32")):
            for i in range(4):
                low: T.bool = i < 3
                if low:
                    if i < 2:
                        for j in range(4):
                            A[i, j] = 1.0
                    else:
                        for j in range(4):
                            A[i, j] = 2.0

        self.hoisted(before, after)

    def test_sequences_and_memory_hold_conditions_back(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
            for i in range(4):
                A[i] = 1
                if n < 3:
                    B[i] = 2
            for i in range(4):
                if A[0] < 3:
                    B[i] = 2

        self.hoisted(before, before)


class Sharing(unittest.TestCase):
    def test_large_computations_come_first_and_share_their_parts(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((50,), "int32"), i: T.int32, x: T.int32, y: T.int32, z: T.int32):
            A[i] = (x + y) + z
            A[1] = (x + y) + z
            A[2] = x + y

        @T.prim_func(private=True)
        def after(A: T.Buffer((50,), "int32"), i: T.int32, x: T.int32, y: T.int32, z: T.int32):
            cse_var_2: T.int32 = x + y
            cse_var_1: T.int32 = cse_var_2 + z
            A[i] = cse_var_1
            A[1] = cse_var_1
            A[2] = cse_var_2

        same(tir.transform.CommonSubexprElimTIR(), before, after)
        text = tir.transform.CommonSubexprElimTIR()(module_of(before)).script()
        self.assertIn("cse_var_2: T.int32 = x + y", text)
        same(tir.transform.CommonSubexprElimTIR(enable_cse_tir=False), before, before)

    def test_branches_and_loops(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((50,), "int32"), x: T.int32, y: T.int32, c: T.bool):
            if c:
                A[0] = x + y
            else:
                A[1] = x + y
            if c:
                A[2] = x * y
                A[3] = x * y
            for i in range(5):
                A[i] = i + x
                A[i + 10] = i + x

        @T.prim_func(private=True)
        def after(A: T.Buffer((50,), "int32"), x: T.int32, y: T.int32, c: T.bool):
            with T.LetStmt(x + y) as v1:
                if c:
                    A[0] = v1
                else:
                    A[1] = v1
                if c:
                    with T.LetStmt(x * y) as v2:
                        A[2] = v2
                        A[3] = v2
                for i in range(5):
                    with T.LetStmt(i + x) as v3:
                        A[i] = v3
                        A[i + 10] = v3

        same(tir.transform.CommonSubexprElimTIR(), before, after)

    def test_bindings_are_used_and_memory_is_left_alone(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((50,), "int32"), x: T.int32):
            y: T.int32 = x + 1
            A[0] = x + 1 + y
            A[1] = A[2] + A[3]
            A[4] = A[2] + A[3]

        @T.prim_func(private=True)
        def after(A: T.Buffer((50,), "int32"), x: T.int32):
            v: T.int32 = x + 1
            y: T.int32 = v
            A[0] = v + y
            A[1] = A[2] + A[3]
            A[4] = A[2] + A[3]

        same(tir.transform.CommonSubexprElimTIR(), before, after)


class Devices(unittest.TestCase):
    def test_threads_are_marked_with_the_target(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((8,), "float32")):
            T.func_attr({"target": T.target("cuda", host="llvm")})
            for i in T.thread_binding(8, thread="blockIdx.x"):
                A[i] = 1.0
            with T.launch_thread("threadIdx.x", 8) as t:
                A[t] = 2.0

        attr = tir.transform.AnnotateDeviceRegions()(module_of(before))["main"].body.seq[1]
        self.assertEqual((attr.attr_key, attr.body.attr_key), ("target", "thread_extent"))
        alone = before.with_attr("target", tvm.target.Target("cuda"))
        same(tir.transform.AnnotateDeviceRegions(), alone, alone)

    def test_what_is_marked_becomes_a_function(self):
        @I.ir_module
        class Before:
            @T.prim_func
            def main(a: T.handle, n: T.int32):
                T.func_attr({"target": T.target("cuda", host="llvm")})
                A = T.match_buffer(a, (n,), "float32")
                blocks: T.int32 = (n + 127) // 128
                with T.attr(T.target("cuda"), "target", 0):
                    b = T.launch_thread("blockIdx.x", blocks)
                    A[b] = 1.0

            @T.prim_func
            def main_kernel():
                T.evaluate(0)

        @I.ir_module
        class After:
            @T.prim_func
            def main(a: T.handle, n: T.int32):
                T.func_attr({"target": T.target("cuda", host="llvm")})
                A = T.match_buffer(a, (n,), "float32")
                blocks: T.int32 = (n + 127) // 128
                After.main_kernel_1(A.data, blocks, n)

            @T.prim_func
            def main_kernel():
                T.evaluate(0)

            @T.prim_func(private=True)
            def main_kernel_1(A_data: T.handle("float32"), blocks: T.int32, n: T.int32):
                T.func_attr({"target": T.target("cuda"), "tir.is_global_func": True, "tir.noalias": True})
                A = T.decl_buffer((n,), "float32", data=A_data)
                b = T.launch_thread("blockIdx.x", blocks)
                A[b] = 1.0

        after = tir.transform.SplitHostDevice()(Before)
        tvm.ir.assert_structural_equal(after, After)
        self.assertTrue(tir.analysis.verify_well_formed(after))

    def test_a_kernel_of_the_processor_gives_an_error_code(self):
        @T.prim_func
        def main(n: T.int32):
            T.func_attr({"target": T.target("cuda", host="llvm")})
            T.attr(T.target("llvm"), "target", 0)
            T.evaluate(n)

        after = tir.transform.SplitHostDevice()(module_of(main))
        self.assertEqual(after["main_kernel"].ret_type, tvm.ir.PrimType("int32"))
        self.assertIn("Error executing compute kernel", after["main"].script())


class Vectors(unittest.TestCase):
    SVE = "llvm -device=arm_cpu -mtriple=aarch64-linux-gnu -mattr=+v8.2a,+sve"

    def vectorized(self, before, after, target=None):
        with tvm.target.Target(target or self.SVE):
            same(tir.transform.VectorizeLoop(), before, after)

    def test_scalable_loops(self):
        lanes = T.vscale() * 4

        @T.prim_func(private=True)
        def before(A: T.Buffer((16,), "float32"), n: T.int32):
            for i in T.vectorized(lanes):
                v: T.float32 = A[i] + T.float32(1)
                A[i] = T.Select(T.bool(True), v * T.float32(2), T.cast(i, "float32"))
            for i in T.vectorized(lanes):
                if i < n:
                    A[i] = T.float32(2)

        @T.prim_func(private=True)
        def after(A: T.Buffer((16,), "float32"), n: T.int32):
            with T.LetStmt(A[T.Ramp(0, 1, lanes)] + T.Broadcast(T.float32(1), lanes)) as v:
                A[T.Ramp(0, 1, lanes)] = T.Select(T.Broadcast(T.bool(True), lanes), v * T.Broadcast(T.float32(2), lanes),
                                                  T.Cast("float32xvscalex4", T.Ramp(0, 1, lanes)))
            A.vstore([T.Ramp(0, 1, lanes)], T.Broadcast(T.float32(2), lanes), predicate=T.get_active_lane_mask("uint1xvscalex4", 0, n))

        self.vectorized(before, after)

    def test_what_has_no_vectors_is_refused(self):
        @T.prim_func(private=True)
        def scalable(A: T.Buffer((16,), "float32")):
            for i in T.vectorized(T.vscale() * 4):
                A[i] = T.float32(1)

        @T.prim_func(private=True)
        def vectors(A: T.Buffer((16,), "float32")):
            for i in T.vectorized(T.vscale() * 4):
                A[i * 4:i * 4 + 4] = T.Broadcast(T.float32(1), 4)

        @T.prim_func(private=True)
        def endless(A: T.Buffer((16,), "float32")):
            for i in T.vectorized(16):
                while A[0] < 3.0:
                    A[i] = A[i] + T.float32(1)

        for func, target, error in ((scalable, "llvm", tvm.error.InternalError), (vectors, self.SVE, tvm.error.InternalError), (endless, "llvm", tvm.TVMError)):
            with self.assertRaises(error), tvm.target.Target(target):
                tir.transform.VectorizeLoop()(module_of(func))

    def test_without_vectors_loops_stay(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((16,), "float32")):
            for i in T.vectorized(16):
                A[i] = T.float32(1)

        @T.prim_func(private=True)
        def after(A: T.Buffer((16,), "float32")):
            for i in range(16):
                A[i] = T.float32(1)

        same(tir.transform.VectorizeLoop(False), before, after)

    def test_a_device_is_a_key_of_its_target(self):
        self.assertEqual(list(tvm.target.Target(self.SVE).keys), ["arm_cpu", "cpu"])


class Division(unittest.TestCase):
    def lowered(self, make, least, most):
        """The values of an expression of one loop variable, as it is and lowered."""
        import numpy as np

        @T.prim_func
        def func(A: T.Buffer((most - least,), "int32")):
            for i in range(least, most):
                A[i - least] = i

        i = func.body.loop_var
        store = tir.BufferStore(func.body.body.buffer, make(i), func.body.body.indices)
        loop = tir.For(i, least, most - least, tir.ForKind.SERIAL, store)
        func = tir.PrimFunc(func.params, loop, None, func.buffer_map, func.attrs)
        after = tir.transform.LowerIntrin()(tvm.IRModule.from_expr(func))["func"]
        self.assertNotIn("//", str(after))
        self.assertNotIn("%", str(after).replace("T.truncmod", ""))
        values = []
        for part in (func, after):
            array = tvm.nd.empty((most - least,), "int32")
            tvm.compile(part, "llvm")(array)
            values.append(array.numpy().tolist())
        self.assertEqual(values[0], values[1])
        return str(after)

    def test_each_form_gives_the_same_numbers(self):
        floordiv, floormod = tir.floordiv, tir.floormod
        for least, most in ((0, 40), (-20, 20)):
            for divisor in (8, 7, -3):
                for op in (floordiv, floormod):
                    with self.subTest(least=least, divisor=divisor, op=op.__name__):
                        self.lowered(lambda i: op(i, divisor), least, most)
        self.assertIn("T.shift_right", self.lowered(lambda i: floordiv(i, 8), -20, 20))
        self.assertIn("T.Div(i, 7)", self.lowered(lambda i: floordiv(i, 7), 0, 20))
        self.assertIn("T.Div(i + 21, 7) - 3", self.lowered(lambda i: floordiv(i, 7), -20, 20))

    def test_numbers_without_bounds(self):
        x, y, f = tir.Var("x", "int32"), tir.Var("y", "int32"), tir.Var("f", "float32")

        def value(expr):
            return tir.transform.LowerIntrin()(module_of(tir.PrimFunc([x, y, f], tir.Evaluate(expr))))["main"].body.value

        self.assertIsInstance(value(tir.floordiv(x, y)), tir.Select)
        self.assertIn("T.shift_right(T.truncmod(x, 7), 31)", str(value(tir.floordiv(x, 7))))
        self.assertIn("T.floor(f / T.float32(3", str(value(tir.FloorDiv(f, tir.FloatImm("float32", 3)))))


class Knowns(unittest.TestCase):
    """What buffers hold, followed from statement to statement."""

    def simplified(self, before, after, conditions=True, expressions=False):
        config = {"propagate_knowns_to_prove_conditional": conditions, "propagate_knowns_to_simplify_expressions": expressions}
        with tvm.transform.PassContext(config={"tir.Simplify": config}):
            same(tir.transform.Simplify(), before, after)

    def test_conditions_are_decided_by_stores_and_loops(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((16,), "int32"), B: T.Buffer((4,), "int32")):
            for i in range(16):
                A[i] = i * 2
            if A[3] == 6:
                B[0] = 1
            else:
                B[0] = 2
            A[3] = 5
            if A[4] == 8:
                B[2] = 1

        @T.prim_func(private=True)
        def after(A: T.Buffer((16,), "int32"), B: T.Buffer((4,), "int32")):
            for i in range(16):
                A[i] = i * 2
            B[0] = 1
            A[3] = 5
            B[2] = 1

        self.simplified(before, after)

    def test_values_are_put_in_only_when_asked(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((2,), "int32"), n: T.int32):
            T.evaluate(T.assume(A[0] == 5))
            A[0] = A[0] + 1
            if n < 3:
                A[1] = A[0]
            else:
                A[1] = 6
            A[0] = A[1]

        @T.prim_func(private=True)
        def after(A: T.Buffer((2,), "int32"), n: T.int32):
            T.evaluate(T.assume(A[0] == 5))
            A[0] = 6
            if n < 3:
                A[1] = 6
            else:
                A[1] = 6
            A[0] = 6

        self.simplified(before, after, expressions=True)
        self.simplified(before, before)

    def test_what_may_have_changed_is_not_known(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((16,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
            A[0] = 1
            A[n] = 2
            B[0] = A[0]
            A[0] = 1
            for i in range(4):
                B[i] = A[0]
                A[0] = 3
            A[1] = 1
            T.evaluate(T.call_extern("int32", "change", A.data))
            B[1] = A[1]
            for i in range(n):
                A[2] = 7
            B[2] = A[2]

        self.simplified(before, before, expressions=True)


if __name__ == "__main__":
    tap.main()
