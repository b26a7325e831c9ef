"""Any node as JSON and pickled, hashes that go with equality, paths to what differs, constants and operators at their limits."""
import copy
import json
import pickle
import unittest

import numpy as np
import tap
import tvm
from tvm import te, tir
from tvm.runtime import ObjectPath
from tvm.script import tir as T


@T.prim_func
def scale(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] * T.float32(2)


class Json(unittest.TestCase):
    def test_any_node_comes_back(self):
        x = te.var("x")
        for value in (x + 1, tir.const(float("inf"), "float32"), scale, tvm.IRModule({"main": scale}), tvm.runtime.convert([1, "a", {"k": x}]),
                      tir.Ramp(x, 1, tir.vscale() * 4), tvm.ir.PrimType("int8")):
            again = tvm.ir.load_json(tvm.ir.save_json(value))
            tvm.ir.assert_structural_equal(again, value, map_free_vars=True)
            tvm.ir.assert_structural_equal(pickle.loads(pickle.dumps(value)), value, map_free_vars=True)

    def test_what_is_shared_stays_shared(self):
        x = te.var("x")
        pair = tvm.ir.load_json(tvm.ir.save_json(tvm.runtime.convert([x, x + 1])))
        self.assertTrue(pair[0].same_as(pair[1].a))

    def test_arrays_of_numbers(self):
        data = tvm.nd.array(np.arange(6, dtype="float32").reshape(2, 3))
        np.testing.assert_array_equal(tvm.ir.load_json(tvm.ir.save_json(data)).numpy(), data.numpy())
        self.assertTrue(tvm.ir.structural_equal(data, tvm.nd.array(data.numpy())))
        self.assertFalse(tvm.ir.structural_equal(data, tvm.nd.array(data.numpy() + 1)))

    def test_nonsense_is_an_error(self):
        for text in ('{"format": "nodes", "nodes": [["Add", "int32", [3, 4]]]}', '{"format": "nodes", "nodes": [["Nothing", "", []]]}',
                     '{"format": "nodes", "nodes": []}', '{"format": "other"}', '{"format": "nodes", "nodes": [["For", "", [1]]]}'):
            with self.assertRaises((ValueError, TypeError)):
                tvm.ir.load_json(text)


class TvmJson(unittest.TestCase):
    """TVM's own form of nodes."""

    def test_form(self):
        data = json.loads(tvm.ir.save_json(te.var("x") + 1))
        self.assertEqual(data["nodes"][0], {"type_key": ""})
        self.assertEqual(data["nodes"][data["root"]], {"type_key": "tir.Add", "attrs": {"a": "2", "b": "5", "dtype": "int32", "span": "0"}})
        self.assertEqual(data["nodes"][3], {"type_key": "runtime.String", "repr_str": "x"})
        self.assertEqual((data["b64ndarrays"], list(data["attrs"])), ([], ["tvm_version"]))

    def test_programs(self):
        func = scale.with_attr("target", "llvm").with_attr("sizes", [1, 2])
        for value in (scale, func, tvm.IRModule({"main": scale, "other": func})):
            text = tvm.ir.save_json(value)
            self.assertIn('"root": 1, ', text)
            again = tvm.ir.load_json(text)
            tvm.ir.assert_structural_equal(again, value)
            self.assertEqual(tvm.ir.save_json(again), text)

    def test_constants(self):
        text = """{"root": 1, "nodes": [{"type_key": ""}, {"type_key": "Map", "keys": ["relax.expr.Constant"], "data": [2]},
            {"type_key": "Array", "data": [3]},
            {"type_key": "relax.expr.Constant", "attrs": {"_checked_type_": "8", "data": "0", "span": "0", "struct_info_": "4"}},
            {"type_key": "relax.TensorStructInfo", "attrs": {"dtype": "float32", "ndim": "1", "shape": "5", "span": "0", "vdevice": "0"}},
            {"type_key": "relax.expr.ShapeExpr", "attrs": {"_checked_type_": "0", "span": "0", "struct_info_": "0", "values": "6"}},
            {"type_key": "Array", "data": [7]}, {"type_key": "IntImm", "attrs": {"dtype": "int64", "span": "0", "value": "2"}},
            {"type_key": "relax.DynTensorType", "attrs": {"dtype": "float32", "ndim": "1", "span": "0"}}],
            "b64ndarrays": ["P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQACAAAAAAAAAAgAAAAAAAAAAACAPwAAAEA="], "attrs": {"tvm_version": "0.20.0"}}"""
        from tvm import relax  # noqa: F401

        (constant,) = tvm.ir.load_json(text)["relax.expr.Constant"]
        np.testing.assert_array_equal(constant.data.numpy(), np.array([1, 2], "float32"))

    def test_boxes_and_long_chains(self):
        text = '{"root": 1, "nodes": [{"type_key": ""}, {"type_key": "Map", "keys": ["a", "b"], "data": [2, 3]}, ' \
               '{"type_key": "runtime.BoxInt", "repr_str": "7"}, {"type_key": "runtime.BoxBool", "repr_str": "1"}]}'
        found = tvm.ir.load_json(text)
        self.assertEqual((int(found["a"]), bool(found["b"])), (7, True))
        value = te.var("x")
        for i in range(3000):
            value = tir.Add(value, te.var(f"y{i}"))
        self.assertTrue(tvm.ir.structural_equal(tvm.ir.load_json(tvm.ir.save_json(value)), value, map_free_vars=True))

    def test_damage_is_an_error(self):
        good = json.loads(tvm.ir.save_json(tvm.IRModule({"main": scale})))
        for number in range(1, len(good["nodes"])):
            for key in good["nodes"][number].get("attrs", {}):
                for wrong in ("0", "1", "9999", "-1", "x", None):
                    bad = json.loads(json.dumps(good))
                    bad["nodes"][number]["attrs"][key] = wrong
                    try:
                        tvm.ir.load_json(json.dumps(bad))
                    except (ValueError, TypeError, tvm.TVMError):
                        pass


class Hashes(unittest.TestCase):
    def test_equal_means_one_hash(self):
        x, y = te.var("x"), te.var("y")
        same = [(tir.Let(x, 1, x + 2), tir.Let(y, 1, y + 2), False), (x + y, y + x, True), (scale, copy.copy(scale), False)]
        for a, b, free in same:
            self.assertTrue(tvm.ir.structural_equal(a, b, free))
            self.assertEqual(tvm.ir.structural_hash(a, free), tvm.ir.structural_hash(b, free))
        self.assertNotEqual(tvm.ir.structural_hash(x + y), tvm.ir.structural_hash(y + x))


class Paths(unittest.TestCase):
    def test_first_difference(self):
        first = tvm.ir.base.get_first_structural_mismatch
        x = te.var("x")
        a, b = tir.SeqStmt([tir.Evaluate(x), tir.Evaluate(x + 1)]), tir.SeqStmt([tir.Evaluate(x), tir.Evaluate(x + 2)])
        path = ObjectPath.root().attr("seq").array_index(1).attr("value").attr("b").attr("value")
        self.assertEqual(first(a, b), (path, path))
        self.assertTrue(ObjectPath.root().attr("seq").is_prefix_of(path))
        self.assertIsNone(first(a, a))
        left, right = first(tvm.runtime.convert({"a": 1}), tvm.runtime.convert({"a": 1, "b": 2}))
        self.assertEqual((left, right), (ObjectPath.root().missing_map_entry(), ObjectPath.root().map_value("b")))


class Limits(unittest.TestCase):
    def test_masks_fit_their_vectors(self):
        data, four = tir.decl_buffer((24,), "int32"), 4 * tir.vscale()
        load = tir.BufferLoad(data, [tir.Ramp(0, 1, four)], tir.Broadcast(tir.IntImm("bool", 1), four))
        self.assertEqual(load.dtype, "int32xvscalex4")
        for mask in (tir.Broadcast(tir.IntImm("bool", 1), 4), tir.Broadcast(tir.IntImm("bool", 1), 8 * tir.vscale()), tir.Broadcast(1, four)):
            with self.assertRaises(tvm.TVMError):
                tir.BufferLoad(data, [tir.Ramp(0, 1, four)], mask)

    def test_bits(self):
        x = te.var("x", "int8")
        self.assertEqual((x << 3).dtype, "int8")
        for bad in (lambda: x << 8, lambda: x >> -1, lambda: tir.const(1.5, "float32") & 2):
            with self.assertRaises(tvm.TVMError):
                bad()

    def test_offsets(self):
        m, n, s, k = te.size_var("m"), te.size_var("n"), te.size_var("s"), te.size_var("k")
        data = tir.decl_buffer((m, n), "float32", strides=(s, 1), elem_offset=7)
        tvm.ir.assert_structural_equal(data.offset_of((k // s, k % s)), [k + 7])
        split = tir.decl_buffer((2, 3, 5), axis_separators=[2])
        self.assertEqual([int(x) for x in split.offset_of((1, 2, 4))], [5, 4])
        self.assertEqual([int(x) for x in split.get_flattened_buffer().shape], [6, 5])
        with self.assertRaises(ValueError):
            tir.decl_buffer((2, 3), axis_separators=[2, 1])


class Operators(unittest.TestCase):
    def test_calls_for_devices(self):
        data = tir.decl_buffer((16, 16), "float16", scope="shared")
        self.assertEqual(tir.ptx_cp_async("float16", data.data, 0, data.data, 8, 16).dtype, "float16")
        self.assertEqual(tir.tvm_struct_get(tir.Var("h", "handle"), 0, 1, dtype="int64").dtype, "int64")
        self.assertEqual(str(tir.ptx_wait_group(2)), "T.ptx_wait_group(2)")
        self.assertEqual(tir.vectorlow("int8x8", data.vload([0, 0], "float16x16")).op.name, "tir.vectorlow")

    def test_mixed_types(self):
        for a, b, both in (("uint32", "int32", "uint32"), ("uint32", "int8", "uint32"), ("int64", "uint8", "int64"), ("bool", "int32", "int32")):
            self.assertEqual((te.var("a", a) * te.var("b", b)).dtype, both)
        with self.assertRaises(tvm.TVMError):
            tir.power(te.var("a"), 2)
        with self.assertRaises(tvm.TVMError):
            tir.all(te.var("a"), tir.const(True))

    def test_constants_fit(self):
        for value, dtype in ((128, "int8"), (-1, "uint16"), (2**32, "uint32"), (65505.0, "float16"), (1e39, "float32")):
            with self.assertRaises(tvm.TVMError):
                tir.const(value, dtype)
        self.assertEqual(tir.const(1e39).dtype, "float64")
        self.assertEqual(tir.const(np.float64(2)).dtype, "float64")
        self.assertNotIsInstance(tir.floormod(tir.const(7, "int8"), tir.const(4, "int8")), tir.IntImm)
        self.assertEqual(int(tir.floormod(tir.const(7, "int64"), tir.const(4, "int64"))), 3)

    def test_layouts(self):
        way = tir.bijective_layout("NCHW", "NHWC8c")
        self.assertEqual([int(x) for x in way.forward_shape((2, 24, 5, 6))], [2, 5, 6, 3, 8])
        self.assertEqual([int(x) for x in way.forward_index((1, 19, 4, 3))], [1, 4, 3, 2, 3])
        self.assertEqual([int(x) for x in way.backward_index((1, 4, 3, 2, 3))], [1, 19, 4, 3])
        self.assertIsNone(tir.bijective_layout("NCHW", "NCW"))
        self.assertEqual(tir.layout("OIHW4i").factor_of("I"), 4)

    def test_options_of_passes(self):
        with tvm.transform.PassContext(config={"tir.UnrollLoop": {"auto_max_step": 4}}) as context:
            self.assertEqual((context.config["tir.UnrollLoop"].auto_max_step, context.config["tir.UnrollLoop"].explicit_unroll), (4, True))
        for wrong in ({"tir.UnrollLoop": {"steps": 4}}, {"tir.UnrollLoop": 4}, {"unknown": 1}):
            with self.assertRaises(AttributeError):
                tvm.transform.PassContext(config=wrong)

    def test_simplify(self):
        def simplified(func, **options):
            with tvm.transform.PassContext(config={"tir.Simplify": options}):
                return tir.transform.Simplify()(tvm.IRModule.from_expr(func))["main"]

        @T.prim_func(private=True)
        def lets(A: T.Buffer((64,), "int32"), P: T.handle("float32"), n: T.int32):
            for i, j in T.grid(16, 1):
                x = i + 1
                A[x] = x + j
                small = i < 9
                if small or i > 8:
                    A[x * 2] = A[i * 2 + 3]
                for k in range(4):
                    A[x + k] = A[x + k] + 0
                with T.block("b"):
                    vi = T.axis.spatial(64, x)
                    vj = T.axis.spatial(1, j)
                    A[vi] = vi + vj
                assert n > 3, "few"
                if T.likely(n > 2):
                    A[i] = 5
            Q: T.handle("float32") = P
            size = n
            B = T.decl_buffer((size,), "float32", data=Q)
            B[n] = T.float32(0)

        @T.prim_func(private=True)
        def kept(A: T.Buffer((64,), "int32"), P: T.handle("float32"), n: T.int32):
            for i, j in T.grid(16, 1):
                A[i + 1] = i + 1
                small = i < 9
                A[i * 2 + 2] = A[i * 2 + 3]
                for k in range(4):
                    T.evaluate(0)
                with T.block("b"):
                    vi = T.axis.spatial(64, i + 1)
                    vj = T.axis.spatial(1, 0)
                    A[vi] = vi
                assert 3 < n, "few"
                A[i] = 5
            Q: T.handle("float32") = P
            size = n
            B = T.decl_buffer((size,), "float32", data=Q)
            B[n] = T.float32(0)

        tvm.ir.assert_structural_equal(simplified(lets), kept)

        @T.prim_func(private=True)
        def conditions(A: T.Buffer((4,), "bool"), n: T.int32, m: T.int32):
            A[0] = n < 10 and n < 5
            A[1] = A[2] or (A[3] and A[1])
            if n < m and m < 7:
                A[2] = n < 6

        @T.prim_func(private=True)
        def branches(A: T.Buffer((4,), "bool"), n: T.int32, m: T.int32):
            A[0] = n < 5
            A[1] = A[2] or (A[3] and A[1])
            if n < m and m < 7:
                A[2] = n < 6

        @T.prim_func(private=True)
        def transitive(A: T.Buffer((4,), "bool"), n: T.int32, m: T.int32):
            A[0] = n < 10 and n < 5
            A[1] = A[2] or (A[3] and A[1])
            if n < m and m < 7:
                A[2] = True

        tvm.ir.assert_structural_equal(simplified(conditions), conditions)
        tvm.ir.assert_structural_equal(simplified(conditions, apply_constraints_to_boolean_branches=True), branches)
        tvm.ir.assert_structural_equal(simplified(conditions, transitively_prove_inequalities=True), transitive)
        self.assertIn("(A[2] or A[3]) and (A[2] or A[1])", simplified(conditions, convert_boolean_to_and_of_ors=True).script())

        @T.prim_func(private=True, check_well_formed=False)
        def shaped(a: T.handle):
            n = T.int64()
            A = T.match_buffer(a, (n * 4,), "float32")
            A[T.min(T.int64(0), n)] = T.float32(0)

        self.assertIn("A[T.int64(0)]", simplified(shaped).script())

    def test_checks(self):
        from tvm.tir import analysis

        n, i = te.var("n"), te.var("i")
        let = tir.Let(i, 3, i + n)
        self.assertTrue(analysis.verify_ssa(tir.PrimFunc([n], tir.Evaluate(let * let))))
        self.assertFalse(analysis.verify_ssa(tir.PrimFunc([n], tir.Evaluate(let * tir.Let(i, 4, i)))))
        self.assertFalse(analysis.verify_ssa(tir.PrimFunc([n, i], tir.For(i, 0, n, 0, tir.Evaluate(i)))))

        loop = tir.For(i, 0, 4, 0, tir.Evaluate(i))
        for body, says in (
            (tir.SeqStmt([loop, tir.For(i, 0, 5, 0, tir.Evaluate(i))]), "due to multiple definitions of variable i"),
            (tir.For(i, 0, 5, 0, loop), "due to multiple nested definitions of variable i"),
            (tir.SeqStmt([loop, tir.Evaluate(i)]), "undefined variable i at .* no longer in-scope"),
        ):
            func = tir.PrimFunc([], body)
            self.assertFalse(analysis.verify_well_formed(func, assert_mode=False))
            with self.assertRaisesRegex(ValueError, says):
                analysis.verify_well_formed(func)
        self.assertFalse(analysis.verify_well_formed(tvm.IRModule({"a": tir.PrimFunc([], loop), "b": tir.PrimFunc([], loop)}), assert_mode=False))

        @T.prim_func
        def sums(A: T.Buffer((16,), "float32")) -> T.float32:
            total = T.decl_buffer((1,), "float32")
            total[0] = T.float32(0)
            for k in range(16):
                total[0] = total[0] + T.exp(A[k])
            T.ret(total[0])

        self.assertTrue(analysis.is_pure_function(sums) and analysis.assert_pure_function(sums))
        self.assertEqual(analysis.calculate_allocated_bytes(tvm.IRModule({"sums": sums})), {"sums": {"global": 4}})
        self.assertEqual(analysis.calculate_workspace_bytes(sums, 64), 64)
        for func, says in ((scale, "writes to B"), (tir.PrimFunc([], tir.Evaluate(tir.call_extern("int32", "f"))), "calls")):
            self.assertFalse(analysis.is_pure_function(func))
            with self.assertRaisesRegex(AssertionError, says):
                analysis.assert_pure_function(func)

        @T.prim_func
        def shifted(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), m: T.int32):
            for k in range(8):
                if k < 7:
                    B[k] = A[k + 1] + A[m]
                B[k] = T.if_then_else(k > 0, A[k - 1], T.float32(0))

        @T.prim_func
        def beyond(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
            for k in range(8):
                B[k] = A[k + 1]

        analysis.OOBChecker()(tvm.IRModule.from_expr(shifted))
        with self.assertRaisesRegex(tir.ScheduleError, "buffer A"):
            analysis.OOBChecker()(tvm.IRModule.from_expr(beyond))

    def test_flat_indices_meet_again(self):
        @T.prim_func(private=True)
        def parts(a: T.handle, b: T.handle, n: T.int32):
            A = T.match_buffer(a, (8, n, n), "float32")
            B = T.match_buffer(b, (8, n, n), "float32")
            for i in range(n * n * 8):
                A[i // (n * n), i % (n * n) // n, i % n] = T.float32(1)
            for i, j in T.grid((n * n + 1) // 2, 16):
                if i * 16 + j < n * n * 8:
                    B[(i * 16 + j) // (n * n), (i * 16 + j) % (n * n) // n, (i * 16 + j) % n] = T.float32(1)

        text = tir.transform.FlattenBuffer()(tvm.IRModule.from_expr(parts)).script()
        self.assertIn("A_1[i] = ", text)
        self.assertIn("B_1[i * 16 + j] = ", text)

        @T.prim_func(private=True, check_well_formed=False)
        def where(A: T.Buffer((8,), "float32")):
            for i in range(8):
                with T.block("b"):
                    vi = T.axis.spatial(8, i)
                    T.where(vi < 6)
                    A[vi] = T.float32(1)

        with self.assertRaisesRegex(tvm.TVMError, "vi"):
            tir.transform.ConvertBlocksToOpaque()(tvm.IRModule.from_expr(where))

    def test_targets_of_functions(self):
        @tvm.script.ir_module
        class Program:
            @T.prim_func(private=True)
            def both(a: T.int32) -> T.int32:
                T.ret(a + 1)

            @T.prim_func(private=True)
            def host(a: T.int32) -> T.int32:
                T.ret(a + 2)

            @T.prim_func
            def main(A: T.Buffer((8,), "int32")):
                n: T.int32 = Program.both(3) + Program.host(3)
                for i in T.thread_binding(8, thread="threadIdx.x"):
                    A[i] = Program.both(n)

            @T.prim_func
            def other(A: T.Buffer((8,), "int32")):
                T.func_attr({"target": T.target("nvptx")})
                A[0] = 1

        target = tvm.target.Target("cuda", host="llvm")
        bound = tir.transform.BindTarget(target)(Program)
        self.assertEqual(sorted(v.name_hint for v in bound.functions), ["both", "both_host", "host", "main", "other"])
        self.assertEqual(bound["main"].attrs["target"], target)
        self.assertEqual(bound["both"].attrs["target"], tvm.target.Target("cuda"))
        self.assertEqual((bound["both_host"].attrs["target"].kind.name, bound["host"].attrs["target"].kind.name), ("llvm", "llvm"))
        self.assertEqual((bound["other"].attrs["target"].kind.name, bound["other"].attrs["target"].host.kind.name), ("nvptx", "llvm"))
        self.assertRegex(bound.script(), r"(?s)Module.both_host\(3\).*Module.both\(n\)")

        @T.prim_func(private=True)
        def written():
            T.func_attr({"target": T.target("cuda", host="llvm")})
            T.evaluate(0)

        self.assertEqual(written.attrs["target"], target)

        named = tir.transform.Filter(lambda f: "global_symbol" in f.attrs)(tvm.IRModule({"a": tir.PrimFunc([], tir.Evaluate(0)), "b": scale}))
        self.assertEqual([v.name_hint for v in named.functions], ["b"])
        self.assertTrue(tir.transform.AnnotateEntryFunc()(named)["b"].attrs["tir.is_entry_func"])
        with self.assertRaises(tvm.TVMError):
            tir.transform.AnnotateEntryFunc()(Program)

    def test_a_variable_made_in_a_script_is_bound_where_it_is_matched(self):
        @T.prim_func
        def first(a: T.handle):
            begin = te.var("any")
            A = T.match_buffer(a, (4,), "int32", elem_offset=begin)
            A[0] = begin

        self.assertEqual(first.buffer_map[first.params[0]].elem_offset.name, "begin")


class WrongParts(unittest.TestCase):
    """Nodes that no program can have are refused when they are made."""

    def test_refused(self):
        i, j, c = tir.Var("i", "int32"), tir.Var("j", "int64"), tir.Var("c", "bool")
        four, done = tir.Var("v", "int32x4"), tir.Evaluate(0)
        whole = tir.decl_buffer((4,), "int32")
        cases = {
            "lanes of a ramp": lambda: tir.Ramp(0, 1, 1), "negative lanes": lambda: tir.Ramp(0, 1, -1), "lanes of a broadcast": lambda: tir.Broadcast(i, 1),
            "a vector again": lambda: tir.Broadcast(four, 2), "a cast of lanes": lambda: tir.Cast("float32x4", i), "too large": lambda: tir.FloatImm("float32", 3.5e38),
            "too large a half": lambda: tir.FloatImm("float16", 65505), "stored type": lambda: tir.BufferStore(whole, tir.const(1.0), [0]),
            "extent": lambda: tir.For(i, 0, tir.const(4.0), tir.ForKind.SERIAL, done), "memory": lambda: tir.Allocate(i, "float32", [4], True, done),
            "while": lambda: tir.While(i, done), "assertion": lambda: tir.AssertStmt(i, "m", done), "one": lambda: tir.SeqStmt([done]), "none": lambda: tir.SeqStmt([]),
        }
        for name, make in cases.items():
            with self.subTest(name), self.assertRaises(tvm.error.TVMError):
                make()
        self.assertEqual(str(tir.Ramp(i, j, 4)), 'T.Ramp(i, T.Cast("int32", j), 4)')
        self.assertEqual(str(tir.While(c, done).condition), "c")
        self.assertEqual(tir.FloatImm("float16", 65504).value, 65504.0)
        self.assertEqual(tir.FloatImm("float32", float("inf")).value, float("inf"))
        self.assertEqual(tir.BufferStore(whole, 1, [0]).value.dtype, "int32")

    def test_limits_of_types(self):
        self.assertEqual(tir.const(-3.38953139e38, "bfloat16").dtype, "bfloat16")        # is rounded to the least one
        with self.assertRaises(tvm.error.TVMError):
            tir.const(3.4e38, "bfloat16")
        for error in (ValueError, AssertionError):
            with self.assertRaisesRegex(error, "Expected 'vscale' but got '8'"):
                tvm.DataType("int8x8xvscale")
        self.assertEqual(tvm.DataType("int8xvscalex8").lanes, -8)

    def test_one_variable_for_the_threads_of_a_name(self):
        @T.prim_func(check_well_formed=False)
        def twice(A: T.Buffer((64,), "float32")):
            with T.launch_thread("threadIdx.y", 64) as x:
                A[x] = T.float32(1)
            with T.launch_thread("threadIdx.y", 64) as y:
                A[y] = T.float32(2)

        with self.assertRaisesRegex(ValueError, "stand for threadIdx.y"):
            tir.analysis.verify_well_formed(twice)
        self.assertFalse(tir.analysis.verify_well_formed(twice, assert_mode=False))

    def test_functions_one_by_one(self):
        functions = tvm.IRModule({"f": scale, "g": scale}).functions
        for some in (functions.values(), functions.keys()):
            self.assertEqual((len(some), next(some), next(some)), (2, some[0], some[1]))
            with self.assertRaises(StopIteration):
                next(some)


if __name__ == "__main__":
    tap.main()
