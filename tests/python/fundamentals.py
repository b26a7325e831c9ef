"""Types, containers, names and modules as programs use them beside the functions themselves; analyses that take buffers; pipelines that are watched."""
import contextlib
import io
import unittest

import tap
import tvm
import tvm.testing
from tvm import relax, tir
from tvm.ir import assert_structural_equal
from tvm.script import ir as I, relax as R, tir as T

NARROW = {"float8_e3m4": 15.5, "float8_e4m3": 240.0, "float8_e4m3b11fnuz": 30.0, "float8_e4m3fn": 448.0, "float8_e4m3fnuz": 240.0, "float8_e5m2": 57344.0,
          "float8_e5m2fnuz": 57344.0, "float8_e8m0fnu": 2.0 ** 127, "float6_e2m3fn": 7.5, "float6_e3m2fn": 28.0, "float4_e2m1fn": 6.0}


class NarrowFloats(unittest.TestCase):
    def test_names(self):
        for name, most in NARROW.items():
            self.assertEqual(tir.decl_buffer((4,), name).dtype, name)
            self.assertEqual(tir.Var("x", name + "x4").dtype, name + "x4")
            self.assertEqual(tir.max_value(name).value, most)
            self.assertEqual((tir.Var("x", name) + tir.Var("y", name)).dtype, name)

    def test_script(self):
        for name in NARROW:
            @T.prim_func(private=True)
            def func(a: T.handle, b: T.handle):
                A = T.match_buffer(a, (4,), name)
                B = T.match_buffer(b, (4,), "float32")
                for i in range(4):
                    B[i] = T.Cast("float32", A[i] * A[i] + T.max_value(name))

            text = func.script()
            self.assertIn(name, text)
            assert_structural_equal(tvm.script.from_source(text).without_attr("global_symbol"), func)
            self.assertIsNotNone(getattr(T, name)(1.0))

    def test_not_computed(self):
        @T.prim_func
        def func(A: T.Buffer((4,), "float8_e3m4"), B: T.Buffer((4,), "float8_e3m4")):
            for i in range(4):
                B[i] = A[i] + A[i]

        with self.assertRaisesRegex(tvm.TVMError, "float8_e3m4"):
            tvm.build(func, "llvm")

    def test_sizes(self):
        for name, size in (("float8_e5m2x4", 4), ("float6_e2m3fnx4", 3), ("float4_e2m1fnx4", 2), ("float32x4", 16), ("uint8", 1), ("bool", 1)):
            self.assertEqual(tvm.DataType(name).itemsize(), size)
        with self.assertRaises(ValueError):
            tvm.DataType("int32xvscalex4").itemsize()


class Containers(unittest.TestCase):
    def test_map_of_variables(self):
        a, b = tir.Var("a", "int32"), tir.Var("b", "int32")
        table = tvm.runtime.convert({a: 2, b: 3})
        self.assertIsInstance(table, tvm.ir.Map)
        self.assertNotIsInstance(tvm.runtime.convert([a]), tvm.ir.Map)
        self.assertEqual(table[a], 2)

    def test_equal_arrays(self):
        a, b = tir.Var("a", "int32"), tir.Var("b", "int32")
        self.assertEqual(tvm.runtime.convert([a, b]), tvm.runtime.convert([a, b]))
        self.assertNotEqual(tvm.runtime.convert([a, b]), tvm.runtime.convert([b, a]))
        self.assertNotEqual(tvm.runtime.convert([a, b]), tvm.runtime.convert([a]))

    def test_float_constants(self):
        self.assertTrue(tir.const(3.5) == 3.5)
        self.assertFalse(tir.const(3.5) == 3.0)
        self.assertTrue(tir.const(3.5) != 3.0)
        self.assertTrue(tir.const(3.5) == tir.const(3.5))
        self.assertFalse(tir.const(3.5, "float32") == tir.const(3.5, "float64"))

    def test_type_has_span(self):
        self.assertIsNone(tvm.ir.FuncType([], tvm.ir.PrimType("float32")).span)

    def test_names(self):
        names = tvm.ir.supply.NameSupply("p")
        self.assertEqual([names.fresh_name(""), names.fresh_name("", add_prefix=False), names.fresh_name("")], ["p_v", "v", "p_v_1"])

    def test_source_module_as_json(self):
        module = tvm.runtime._ffi_api.CSourceModuleCreate("int f;", "cc", ["f"])
        back = tvm.ir.load_json(tvm.ir.save_json(module))
        self.assertEqual((back.type_key, back.get_source(), back.format, back.is_binary_serializable), ("c", "int f;", "cc", True))
        with self.assertRaises(tvm.TVMError):
            tvm.ir.save_json(tvm.build(tvm.IRModule({}), "llvm"))

    def test_attributes_of_none(self):
        make = tvm.ir.make_node
        attrs = make("DictAttrs", x=1, y=None)
        self.assertEqual(list(attrs.keys()), ["x"])
        self.assertFalse(tvm.ir.structural_equal(attrs, make("DictAttrs", x=1, y=[10, 20])))

    def test_variants(self):
        func = tvm.get_global_func("testing.ReturnsVariant")
        self.assertEqual((int(func(42)), func(17)), (21, "argument was odd"))
        func = tvm.get_global_func("testing.AcceptsVariant")
        self.assertEqual((func("a"), func(17)), ("runtime.String", "IntImm"))
        with self.assertRaises(tvm.TVMError):
            func(tir.FloatImm("float32", 0.5))


@I.ir_module
class Calls:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Calls
        y = cls.inner(x)
        z = R.call_tir(cls.copy, (y,), out_sinfo=R.Tensor((4,), "float32"))
        return z

    @R.function(private=True)
    def inner(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @T.prim_func
    def copy(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i]


class Modules(unittest.TestCase):
    def test_replace_global_vars(self):
        new = Calls.replace_global_vars({"main": "begin", "inner": "own", "copy": "move"})
        self.assertEqual(sorted(v.name_hint for v in new.functions), ["begin", "move", "own"])
        self.assertEqual([new[name].attrs["global_symbol"] for name in ("begin", "move")], ["begin", "move"])
        self.assertNotIn("global_symbol", new["own"].attrs or {})
        self.assertIn("cls.own(x)", new.script())
        self.assertTrue(relax.analysis.well_formed(new))

    def test_replaced_by_nothing(self):
        for names in ({}, {"main": "main"}):
            self.assertTrue(Calls.replace_global_vars(names).same_as(Calls))


class Plain:
    """A class that is no module: its functions are made at once."""

    @T.prim_func
    def func(A: T.Buffer((4,), "float32")):
        A[0] = 1.0


class Classes(unittest.TestCase):
    def test_function_of_a_plain_class(self):
        self.assertIsInstance(Plain.func, tir.PrimFunc)
        self.assertFalse(tir.analysis.is_pure_function(Plain.func))

    def test_function_of_a_module(self):
        @tvm.script.ir_module(check_well_formed=False)
        class Module:
            @T.prim_func
            def func(A: T.Buffer((4,), "float32")):
                A[0] = 1.0

        self.assertIsInstance(Module, tvm.IRModule)


class MetaVariables(unittest.TestCase):
    def test_parts_are_not_bound(self):
        def layout(i):
            return T.meta_var((i // 4, i % 4))

        @T.prim_func(private=True)
        def with_parts(A: T.Buffer((4, 4), "float32")):
            for i in range(16):
                a, b = layout(i)
                A[a, b] = 1.0

        @T.prim_func(private=True)
        def direct(A: T.Buffer((4, 4), "float32")):
            for i in range(16):
                c, d = T.meta_var((i // 4, i % 4))
                A[c, d] = 1.0

        @T.prim_func(private=True)
        def expected(A: T.Buffer((4, 4), "float32")):
            for i in range(16):
                A[i // 4, i % 4] = 1.0

        assert_structural_equal(with_parts, expected)
        assert_structural_equal(direct, expected)
        self.assertEqual([part.value for part in T.meta_var((1, 2))], [1, 2])

    def test_conditions_of_vectors(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8,), "float32")):
            T.evaluate((A[0:4] > 0) and (A[4:8] > 0))
            T.evaluate((A[0:4] > 0) or (1 > 0))

        self.assertIn("T.bitwise_and(A[0:4] > T.Broadcast(T.float32(0.0), 4), A[4:8] > T.Broadcast(T.float32(0.0), 4))", func.script())
        self.assertIn("T.bitwise_or(A[0:4] > T.Broadcast(T.float32(0.0), 4), T.Broadcast(T.bool(True), 4))", func.script())


class Analyses(unittest.TestCase):
    def test_regions_of_some_buffers(self):
        @T.prim_func
        def func():
            A = T.alloc_buffer((8,), "float32")
            B = T.alloc_buffer((8,), "float32")
            C = T.alloc_buffer((8,), "float32")
            with T.block("x"):
                T.reads(A[0:8])
                T.writes(B[0:8])
                for i in range(8):
                    B[i] = A[i]
                T.evaluate(C.data)

        block, (a, b, c) = func.body.block.body.block, func.body.block.alloc_buffers
        regions = tir.analysis.get_block_access_region(block, {x.data: x for x in (a, b, c)})
        self.assertEqual([[r.buffer.name for r in part] for part in regions], [["A"], ["B"], ["C"]])
        self.assertEqual(str(regions[2][0]), "C[0:8]")
        regions = tir.analysis.get_block_access_region(block, {b.data: b})
        self.assertEqual([[r.buffer.name for r in part] for part in regions], [[], ["B"], []])
        regions = tir.analysis.get_block_read_write_region(block, {x.data: x for x in (a, b, c)})
        self.assertEqual([[r.buffer.name for r in part] for part in regions], [["A", "C"], ["B", "C"]])

    def test_constant_bytes(self):
        @T.prim_func
        def func(A: T.Buffer((4,), "int16")):
            a = T.allocate_const([1, 2, 3, 4], "int16", [4])
            B = T.decl_buffer((4,), "int16", data=a)
            b = T.allocate_const([1, 2, 3], "int8", [3])
            C = T.decl_buffer((3,), "int8", data=b)
            A[0] = B[1] + T.Cast("int16", C[1])

        self.assertEqual([tir.analysis.calculate_constant_bytes(func, n) for n in (1, 2, 16)], [11, 12, 32])


class Pipelines(unittest.TestCase):
    def test_passes_are_seen(self):
        out = io.StringIO()
        hooks = [tvm.ir.instrument.PrintBeforeAll(), tvm.ir.instrument.PrintAfterAll()]
        with contextlib.redirect_stdout(out), tvm.transform.PassContext(opt_level=3, instruments=hooks):
            kernel = tvm.compile(Plain.func)
            relax.get_pipeline("default_build")(Calls)
        for text in ("Before Running Pass: ", "After Running Pass: ", "pass name: tir.", "pass name: _pipeline"):
            self.assertIn(text, out.getvalue())
        array = tvm.nd.empty((4,), "float32")
        kernel(array)
        self.assertEqual(array.numpy()[0], 1.0)

    def test_pipeline_of_ones_own(self):
        @tvm.transform.module_pass(opt_level=0)
        def double(mod, ctx):
            return tvm.IRModule({v: f.with_body(tir.SeqStmt([f.body, tir.BufferStore(f.buffer_map[f.params[0]], 2.0, [0])])) for v, f in mod.functions.items()})

        for build in (lambda: tvm.build(Plain.func, "llvm", double), lambda: tvm.compile(Plain.func, "llvm", tir_pipeline=double)):
            array = tvm.nd.empty((4,), "float32")
            build()(array)
            self.assertEqual(array.numpy()[0], 2.0)


if __name__ == "__main__":
    tap.main()
