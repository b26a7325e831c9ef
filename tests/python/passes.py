"""Passes and questions of TensorIR: assumptions, undefined values, unrolling with options, scopes of accesses, operations counted."""
import re
import unittest

import numpy as np
import tap
import tvm
from tvm import tir
from tvm.script import ir as I, tir as T


def module_of(func):
    return tvm.IRModule({"main": func})


def options(name, **values):
    return tvm.transform.PassContext(config={name: values})


class Removal(unittest.TestCase):
    def test_loops_of_assumptions_go(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((8,), "int32")):
            for i in range(8):
                T.evaluate(T.assume(A[i] < 3))
            for i in range(8):
                A[i] = 4

        @T.prim_func(private=True)
        def after(A: T.Buffer((8,), "int32")):
            for i in range(8):
                A[i] = 4

        tvm.ir.assert_structural_equal(tir.transform.RemoveAssume()(module_of(before)), module_of(after))

    def test_stores_of_undefined_values_go_also_through_lets(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((2,), "int32")):
            with T.LetStmt(T.undef(dtype="int32") * 2) as v:
                A[0] = v
            A[1] = 7

        @T.prim_func(private=True)
        def after(A: T.Buffer((2,), "int32")):
            A[1] = 7

        tvm.ir.assert_structural_equal(tir.transform.RemoveStoreUndef()(module_of(before)), module_of(after))

    def test_undefined_indices_are_told(self):
        @T.prim_func(private=True)
        def store(A: T.Buffer((2,), "int32")):
            A[T.undef(dtype="int32")] = 7

        @T.prim_func(private=True)
        def load(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
            B[0] = A[T.undef(dtype="int32")]

        for func in (store, load):
            with self.assertRaises(tvm.TVMError):
                tir.transform.RemoveStoreUndef()(module_of(func))


class Unroll(unittest.TestCase):
    def setUp(self):
        @T.prim_func
        def nest(A: T.Buffer((64,), "int32")):
            for i in range(3):
                for j in T.unroll(5):
                    A[j] = A[i] + 1

        self.mod = module_of(nest)

    def body(self, mod=None, **values):
        with options("tir.UnrollLoop", **values):
            return tir.transform.UnrollLoop()(mod or self.mod)["main"].body

    def test_steps_bound_what_is_written_out(self):
        self.assertEqual(len(self.body(auto_max_step=15).seq), 15)
        self.assertIsInstance(self.body(auto_max_step=14), tir.For)
        self.assertEqual(len(self.body(auto_max_extent=3).seq), 15)
        self.assertIsInstance(self.body(auto_max_step=15, auto_max_depth=0), tir.For)

    def test_without_explicit_unroll_loops_are_marked(self):
        body = self.body(auto_max_step=15, explicit_unroll=False)
        self.assertEqual((body.kind, body.body.kind), (tir.ForKind.UNROLLED, tir.ForKind.UNROLLED))
        self.assertFalse(body.annotations)

    def test_loops_of_one_round_go_whatever_is_inside(self):
        @T.prim_func
        def func(A: T.Buffer((32,), "int32")):
            for i in range(1):
                A[i * 2] = 3
                for j in range(10):
                    A[j + 1] = A[i] + 1

        body = self.body(module_of(func), auto_max_extent=1, explicit_unroll=False)
        self.assertIsInstance(body[0], tir.BufferStore)
        self.assertEqual(body[1].kind, tir.ForKind.SERIAL)

    def test_attributes_set_the_options_of_what_is_inside(self):
        inner = tir.AttrStmt(tir.IntImm("int32", 0), "pragma_auto_unroll_max_step", 15, self.mod["main"].body)
        func = self.mod["main"].with_body(tir.SeqStmt([inner, tir.Evaluate(0)]))
        self.assertEqual(len(self.body(module_of(func)).seq[0].seq), 15)


class Scopes(unittest.TestCase):
    def test_reduced_buffers_live_around_the_reduction(self):
        @T.prim_func
        def func(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4,), "float32")):
            for i, k in T.grid(4, 8):
                with T.block("sum"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    with T.init():
                        B[vi] = 0.0
                    B[vi] = B[vi] + A[vi, vk]

        a, b = (func.buffer_map[p] for p in func.params)
        found = tir.analysis.detect_buffer_access_lca(func)
        loop = func.body.block.body
        self.assertTrue(found[a].same_as(loop.body.body.block))
        self.assertTrue(found[b].same_as(loop))

    def test_global_memory_reaches_the_blocks_of_the_grid(self):
        @T.prim_func
        def func(A: T.Buffer((4, 8), "float32")):
            for i in T.thread_binding(4, thread="blockIdx.x"):
                for j in T.thread_binding(8, thread="threadIdx.x"):
                    with T.block("one"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        A[vi, vj] = 1.0

        found = tir.analysis.detect_buffer_access_lca(func)
        self.assertTrue(found[func.buffer_map[func.params[0]]].same_as(func.body.block.body))

    def test_the_whole_function_is_none(self):
        @T.prim_func
        def func(A: T.Buffer((4,), "float32")):
            A[0] = 1.0

        self.assertIsNone(tir.analysis.detect_buffer_access_lca(func)[func.buffer_map[func.params[0]]])


class Operations(unittest.TestCase):
    def test_extents_that_vary_count_as_their_most(self):
        @T.prim_func
        def func(A: T.Buffer((64,), "float32")):
            for i in range(4):
                for j in range(i + 2):
                    A[j] = A[i] * 2.0 + 1.0

        self.assertEqual(tir.analysis.estimate_tir_flops(module_of(func)), 4 * 5 * 2)
        self.assertEqual(tir.analysis.estimate_tir_flops(module_of(func.with_attr("estimated_flops", 7))), 7)

    def test_the_longer_branch_counts(self):
        @T.prim_func
        def func(A: T.Buffer((64,), "float32")):
            for i in range(6):
                if i % 2 == 0:
                    A[i] = A[i] + A[i + 1] + A[i + 2]
                else:
                    A[i] = T.exp(A[i] - 1.0)

        self.assertEqual(tir.analysis.estimate_tir_flops(func.body), 12)

    def test_loops_without_bound_are_told(self):
        @T.prim_func
        def func(A: T.Buffer((64,), "float32"), n: T.int32):
            for i in range(n):
                A[i] = A[i] + 1.0

        with self.assertRaises(tvm.TVMError):
            tir.analysis.estimate_tir_flops(module_of(func))


class SingleDefinitions(unittest.TestCase):
    def test_each_use_finds_the_innermost_definition(self):
        var = tir.Var("var", "int32")
        inner = tir.LetStmt(var, 16, tir.Evaluate(var))
        outer = tir.LetStmt(var, 32, tir.SeqStmt([tir.Evaluate(var), inner, tir.Evaluate(var)]))

        @T.prim_func(private=True)
        def expected():
            with T.LetStmt(T.int32(32)) as a:
                T.evaluate(a)
                with T.LetStmt(T.int32(16)) as b:
                    T.evaluate(b)
                T.evaluate(a)

        after = tir.transform.ConvertSSA()(module_of(tir.PrimFunc([], outer)))
        tvm.ir.assert_structural_equal(after["main"], expected)
        self.assertTrue(tir.analysis.verify_ssa(after["main"]))

    def test_values_stand_outside_of_what_they_define(self):
        var = tir.Var("var", "int32")
        inner = tir.LetStmt(var, var + 1, tir.Evaluate(var))
        after = tir.transform.ConvertSSA()(module_of(tir.PrimFunc([], tir.LetStmt(var, 32, inner))))["main"].body
        self.assertTrue(after.body.value.a.same_as(after.var))
        self.assertTrue(after.body.body.value.same_as(after.body.var))
        self.assertFalse(after.body.var.same_as(after.var))

    def test_functions_do_not_share_parameters_and_buffers(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8,), "float32"), n: T.int32):
            for i in range(n):
                A[i] = A[i] + 1.0

        before = tvm.IRModule({name: func.with_attr("global_symbol", name) for name in ("one", "two")})
        after = tir.transform.ConvertSSA()(before)
        one, two = after["one"], after["two"]
        self.assertFalse(any(a.same_as(b) for a, b in zip(one.params, two.params)))
        self.assertFalse(one.body.body.buffer.same_as(two.body.body.buffer))
        self.assertTrue(two.body.body.buffer.same_as(two.buffer_map[two.params[0]]))
        self.assertTrue(two.body.extent.same_as(two.params[1]))
        self.assertFalse(one.body.loop_var.same_as(two.body.loop_var))

    def test_what_is_single_stays_itself(self):
        @T.prim_func
        def func(A: T.Buffer((8,), "float32")):
            for i in range(8):
                A[i] = 1.0

        mod = module_of(func)
        self.assertTrue(mod.same_as(tir.transform.ConvertSSA()(mod)))


class Hoist(unittest.TestCase):
    def hoisted(self, func):
        return tir.transform.HoistIfThenElse()(module_of(func))["main"]

    def test_conditions_end_under_the_loop_they_hang_on(self):
        @T.prim_func
        def func(A: T.Buffer((8, 8, 8), "float32")):
            for i, j, k in T.grid(8, 8, 8):
                if T.likely(i < 3):
                    if j < 5:
                        A[i, j, k] = 1.0
            for i, j, k in T.grid(8, 8, 8):
                if T.likely(i < 3):
                    A[i, j, k] = 1.0
                else:
                    A[i, j, k] = 2.0

        after = self.hoisted(func)
        nested, chosen = after.body
        for loop in (nested, chosen):
            self.assertEqual(loop.loop_var.name, "i")
            self.assertIsInstance(loop.body, tir.IfThenElse)
            self.assertEqual(loop.body.then_case.loop_var.name, "j")
        self.assertIsInstance(nested.body.then_case.body, tir.IfThenElse)
        self.assertEqual(chosen.body.else_case.body.loop_var.name, "k")
        self.assertTrue(tir.analysis.verify_ssa(after))

    def test_conditions_on_threads_move_when_asked(self):
        @T.prim_func
        def func(A: T.Buffer((32, 8), "float32")):
            t = T.launch_thread("threadIdx.x", 32)
            for i in range(8):
                if t < 5:
                    A[t, i] = 1.0

        self.assertIsInstance(self.hoisted(func).body.body, tir.For)
        with options("tir.HoistIfThenElse", support_block_scope_hosting=True):
            self.assertIsInstance(self.hoisted(func).body.body, tir.IfThenElse)
            basic = tir.transform.HoistIfThenElse("basic")(module_of(func))["main"]
        self.assertIsInstance(basic.body.body, tir.For)

    def test_conditions_on_memory_and_beside_others_stay(self):
        @T.prim_func
        def func(A: T.Buffer((8,), "float32")):
            for i in range(8):
                if A[0] < 3.0:
                    A[i] = A[i] + 1.0
            for i, j in T.grid(8, 8):
                if i < 3:
                    A[i] = 1.0
                A[j] = 2.0

        self.assertTrue(self.hoisted(func).body.same_as(func.body))


class EqualTerms(unittest.TestCase):
    """CommonSubexprElimTIR with identify_equiv_terms."""

    def check(self, before, after, identify):
        result = tir.transform.CommonSubexprElimTIR(identify_equiv_terms=identify)(module_of(before))
        tvm.ir.assert_structural_equal(result["main"].body, after.body, map_free_vars=True)

    def test_what_simplifies_to_the_same(self):
        @T.prim_func
        def products(B: T.Buffer((9,), "int32"), i: T.int32, j: T.int32, x: T.int32, y: T.int32, z: T.int32):
            B[i] = x * (y + z)
            B[j] = x * y + x * z

        @T.prim_func
        def products_once(B: T.Buffer((9,), "int32"), i: T.int32, j: T.int32, x: T.int32, y: T.int32, z: T.int32):
            with T.LetStmt(x * y + x * z) as once:
                B[i] = once
                B[j] = once

        @T.prim_func
        def sums(B: T.Buffer((9,), "int32"), i: T.int32, j: T.int32, x: T.int32, y: T.int32, z: T.int32):
            B[i] = x + y + z
            B[j] = x + (y + z)

        @T.prim_func
        def sums_once(B: T.Buffer((9,), "int32"), i: T.int32, j: T.int32, x: T.int32, y: T.int32, z: T.int32):
            with T.LetStmt(x + y + z) as once:
                B[i] = once
                B[j] = once

        for before, once in ((products, products_once), (sums, sums_once)):
            self.check(before, before, False)
            self.check(before, once, True)

    def test_one_that_stands_alone_stays_as_it_is(self):
        @T.prim_func
        def alone(B: T.Buffer((9,), "int32"), x: T.int32, y: T.int32, z: T.int32):
            B[0] = x + (y + z)

        self.check(alone, alone, True)


class Partition(unittest.TestCase):
    def cut(self, func, **config):
        with options("tir.LoopPartition", **config):
            return tir.transform.Simplify()(tir.transform.LoopPartition()(module_of(func)))["main"]

    def test_loops_are_cut_where_a_condition_ends(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((21,), "int32")):
            for i, j in T.grid(6, 4):
                if T.likely(i * 4 + j < 21):
                    A[i * 4 + j] = i

        @T.prim_func(private=True)
        def after(A: T.Buffer((21,), "int32")):
            for i, j in T.grid(5, 4):
                A[i * 4 + j] = i
            A[20] = 5

        self.assertIn("likely", str(before))
        tvm.ir.assert_structural_equal(tir.transform.RemoveNoOp()(module_of(self.cut(before, partition_const_loop=True)))["main"], after)

    def test_single_places_are_cut_out_and_what_is_left_stays_a_loop(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((64,), "int32"), B: T.Buffer((1,), "int32"), D: T.Buffer((66,), "int32")):
            for i in T.serial(66, annotations={"pragma_loop_partition_hint": 1}):
                if i == 0:
                    D[i] = B[0]
                elif i == 65:
                    D[i] = B[0] + 1
                else:
                    D[i] = A[i - 1]

        @T.prim_func(private=True)
        def after(A: T.Buffer((64,), "int32"), B: T.Buffer((1,), "int32"), D: T.Buffer((66,), "int32")):
            D[0] = B[0]
            for i in range(64):
                D[i + 1] = A[i]
            D[65] = B[0] + 1

        lowered = tir.transform.LowerOpaqueBlock()(module_of(before))["main"]
        cut = self.cut(lowered, partition_const_loop=True, unroll_loop_with_partition_hint_no_interval=True)
        tvm.ir.assert_structural_equal(tir.transform.RemoveNoOp()(module_of(cut))["main"], after)

    def test_constant_loops_stay_without_the_option(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((21,), "int32")):
            for i in range(24):
                if T.likely(i < 21):
                    A[i] = i

        self.assertNotIn("likely", str(self.cut(before)))
        self.assertIn("if i < 21", str(self.cut(before)))

    def test_blocks_of_a_grid_branch_inside_of_their_threads(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((21,), "int32")):
            with T.launch_thread("blockIdx.x", 6) as b:
                with T.launch_thread("threadIdx.x", 4) as t:
                    if T.likely(b * 4 + t < 21):
                        A[b * 4 + t] = b

        self.assertIn("if b < 5", str(self.cut(before, partition_const_loop=True)))


class NotOffered(unittest.TestCase):
    def test_passes_refuse_arguments_that_they_do_not_have(self):
        with self.assertRaises(TypeError):
            tir.transform.LowerInitBlock(True)
        with self.assertRaises(TypeError):
            tir.transform.CompactBufferAllocation(strict=False)

    def test_passes_that_are_missing_say_so_when_they_are_made(self):
        for name in tir.transform._NOT_OFFERED:
            make = getattr(tir.transform, name)
            with self.assertRaisesRegex(NotImplementedError, f"{name} is not offered"):
                make()
        with self.assertRaises(AttributeError):
            tir.transform.NoSuchPass


class Builder(unittest.TestCase):
    def test_scopes_become_statements(self):
        ib = tir.ir_builder.create()
        n = tir.Var("n", "int32")
        data = ib.pointer("float32", name="data")
        with ib.for_range(0, n, "i", kind="parallel") as i:
            local = ib.allocate("float32", (4, 2), name="local", scope="local")
            with ib.if_scope(ib.likely(i < 2)):
                local[5] = data[i] + 1.0
            with ib.else_scope():
                ib.emit(tir.call_extern("int32", "other", i))
            data[i] = local[1, 1]
        ib.emit(tir.call_extern("int32", "done"))
        body = ib.get()
        loop = body[0]
        self.assertEqual((loop.loop_var.name, loop.kind), ("i", tir.ForKind.PARALLEL))
        self.assertIsInstance(loop.body, tir.Allocate)
        branch, store = loop.body.body.seq
        self.assertEqual([int(x) for x in branch.then_case.indices], [2, 1])
        self.assertIsInstance(branch.else_case, tir.Evaluate)
        self.assertTrue(store.value.buffer.data.same_as(loop.body.buffer_var))

    def test_what_is_declared_stands_around_the_rest(self):
        ib = tir.ir_builder.create()
        ib.scope_attr(tir.IntImm("int32", 0), "pragma_unroll_explicit", 1)
        x = ib.let("x", tir.IntImm("int32", 3))
        with ib.while_loop(x < 4):
            ib.emit(x)
        body = ib.get()
        self.assertIsInstance(body, tir.AttrStmt)
        self.assertIsInstance(body.body, tir.LetStmt)
        self.assertIsInstance(body.body.body, tir.While)

    def test_else_without_if_is_told(self):
        with self.assertRaises(RuntimeError):
            tir.ir_builder.create().else_scope()


class MoreBuilder(unittest.TestCase):
    """Statements that the builder makes beside loops and stores."""

    def built(self, make):
        from tvm.script.ir_builder import IRBuilder, tir as B

        with IRBuilder() as ib:
            make(B)
        return ib.get()

    def test_blocks_get_what_they_access(self):
        def make(B):
            with B.prim_func():
                B.func_name("f")
                a = B.arg("a", B.Buffer((8,), "float32"))
                with B.serial(8) as i:
                    with B.block("b"):
                        v = B.axis.spatial(8, i)
                        B.buffer_store(a, a[v] + 1.0, [v])

        @T.prim_func
        def f(a: T.Buffer((8,), "float32")):
            for i in range(8):
                with T.block("b"):
                    v = T.axis.spatial(8, i)
                    a[v] = a[v] + T.float32(1)

        tvm.ir.assert_structural_equal(self.built(make), f)
        block = self.built(lambda B: self.empty(B.block("free"), B)).block
        self.assertEqual(int(block.annotations["tir.script_parsing_detect_access"]), 3)

    def empty(self, frame, B):
        with frame:
            B.evaluate(0)

    def test_threads_constants_and_regions(self):
        def threads(B):
            with B.prim_func():
                thread = B.env_thread("blockIdx.y")
                self.empty(B.launch_thread(thread, 4), B)

        attr = self.built(threads).body
        self.assertEqual((attr.attr_key, attr.node.thread_tag, int(attr.value)), ("thread_extent", "blockIdx.y", 4))
        const = self.built(lambda B: self.empty(B.allocate_const([1.0, 2.0], "float32", [2]), B))
        self.assertEqual(const.data.numpy().tolist(), [1.0, 2.0])
        buffer = tir.decl_buffer((8, 8), "float32", "a")
        real = self.built(lambda B: self.empty(B.realize(buffer[0:4, 0:8], "shared"), B))
        self.assertEqual((real.attr_key, real.value.value, [int(r.extent) for r in real.body.bounds]), ("realize_scope", "shared", [4, 8]))
        with self.assertRaises(ValueError):
            self.built(lambda B: self.empty(B.env_thread("threadIdx.x"), B))


class Copies(unittest.TestCase):
    def found(self, func):
        return tir.analysis._ffi_api._identify_memcpy(func.body)

    def test_loops_that_copy(self):
        @T.prim_func
        def rows(A: T.Buffer((1024,), "float32"), B: T.Buffer((32, 32), "float32")):
            for i, j in T.grid(32, 32):
                B[i, j] = A[j + i * 32]

        a, b = rows.buffer_map.values()
        i = rows.body.loop_var
        whole, row = self.found(rows)
        tvm.ir.assert_structural_equal(whole, (a[0:1024], b[0:32, 0:32]))
        tvm.ir.assert_structural_equal(row, (a[i * 32:i * 32 + 32], b[i, 0:32]))

    def test_loops_that_do_not(self):
        @T.prim_func
        def transposed(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
            for i, j in T.grid(32, 32):
                B[j, i] = A[i, j]

        @T.prim_func
        def cached(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32,), "float32")):
            for i, j in T.grid(32, 32):
                B[j] = A[i, j]

        @T.prim_func
        def computed(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
            for i in range(8):
                B[i] = A[i] + 1.0

        order, size = self.found(transposed)
        self.assertIn("different source", order.value)
        self.assertIn("number of dst indices touched", size.value)
        self.assertIn("does not form a bijective transform", self.found(cached)[0].value)
        self.assertIn("to be BufferLoad", self.found(computed)[0].value)


class Variables(unittest.TestCase):
    def test_buffers_use_what_they_are_made_of(self):
        n = tir.SizeVar("n", "int32")
        data = tir.Var("data", tvm.ir.PointerType(tvm.ir.PrimType("float32")))
        buf = tir.decl_buffer((n,), "float32", "buf", data=data, elem_offset=tir.Var("at", "int32"))
        i = tir.Var("i", "int32")
        stmt = tir.SeqStmt([tir.For(i, 0, n, tir.ForKind.SERIAL, tir.Evaluate(tir.BufferLoad(buf, [i]))), tir.Evaluate(i)])
        self.assertEqual([v.name for v in tir.analysis.undefined_vars(stmt)], ["n", "data", "at", "i"])
        self.assertEqual([v.name for v in tir.analysis.undefined_vars(stmt, [n, data, i])], ["at"])

    def test_memory_is_accessed_under_threads(self):
        @T.prim_func
        def host(A: T.Buffer((8,), "float32")):
            T.func_attr({"target": T.target("cuda")})
            for i in range(8):
                A[i] = 1.0

        @T.prim_func
        def device(A: T.Buffer((8,), "float32")):
            T.func_attr({"target": T.target("cuda")})
            for i in T.thread_binding(8, thread="threadIdx.x"):
                A[i] = 1.0

        self.assertFalse(tir.analysis.verify_memory(host))
        self.assertTrue(tir.analysis.verify_memory(host.without_attr("target")))
        self.assertTrue(tir.analysis.verify_memory(device))
        with self.assertRaises(RuntimeError):
            tir.transform.VerifyMemory()(module_of(host))


class Hints(unittest.TestCase):
    """A hint asks a build for a processor to cut the loop; the pass by itself wants its option, as TVM's."""

    @staticmethod
    def sums(n, hinted):
        @T.prim_func
        def rows(X: T.Buffer((3, n), "float32"), Y: T.Buffer((3,), "float32")):
            for i, k in T.grid(3, n):
                with T.block("Y"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    with T.init():
                        Y[vi] = T.float32(0)
                    Y[vi] = Y[vi] + X[vi, vk]

        sch = tir.Schedule(rows)
        block = sch.get_block("Y")
        part = sch.rfactor(sch.split(sch.get_loops(block)[1], factors=[None, 16])[1], 1)
        loops = sch.get_loops(part)
        sch.vectorize(loops[-1])
        if hinted:
            sch.annotate(loops[-2], "pragma_loop_partition_hint", 1)
        sch.decompose_reduction(part, loops[1])
        return sch.mod

    def test_rows_of_any_length(self):
        for n in (17, 31, 32, 33, 47, 100, 333):
            for hinted in (False, True):
                built = tvm.build(self.sums(n, hinted), target="llvm")
                x, y = np.arange(3 * n, dtype="float32").reshape(3, n) % 7, tvm.nd.array(np.zeros(3, "float32"))
                built(tvm.nd.array(x), y)
                np.testing.assert_array_equal(x.sum(1), y.numpy(), f"{n}, hinted: {hinted}")

    def test_whole_vectors_ask_no_condition(self):
        sums, lone = (str(tvm.lower(self.sums(333, hinted))) for hinted in (True, False))
        self.assertIn("for k_0 in range(20):\n                rows_rf".replace("rows", "Y"), re.sub(r"Y_rf_1", "Y_rf", sums))
        self.assertNotIn("range(20)", lone)

    def test_the_pass_wants_its_option(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((50,), "float32")):
            for i in T.serial(7, annotations={"pragma_loop_partition_hint": 1}):
                for j in range(8):
                    if i * 8 + j < 50:
                        A[i * 8 + j] = T.float32(0)

        flat = tvm.ir.transform.Sequential([tir.transform.LowerOpaqueBlock(), tir.transform.FlattenBuffer(), tir.transform.LoopPartition(), tir.transform.Simplify()])
        self.assertIn("if i * 8 + j < 50", str(flat(module_of(before))))
        with options("tir.LoopPartition", partition_const_loop=True):
            self.assertIn("T.grid(6, 8)", str(flat(module_of(before))))


if __name__ == "__main__":
    tap.main()
