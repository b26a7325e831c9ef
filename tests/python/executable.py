"""Executables that are written instruction by instruction, and modules that were lowered by hand or by the passes."""
import contextlib
import io
import os
import tempfile
import unittest

import numpy as np
import tap
import tvm
from tvm import relax, te, tir
from tvm.relax.testing.vm import check_saved_func
from tvm.relax.testing.runtime_builtin import MakeShapeCode as Make, MatchShapeCode as Match
from tvm.relax.utils import args_converter
from tvm.runtime.container import ShapeTuple
from tvm.script import ir as I, relax as R, tir as T


def array(*values, dtype="float32"):
    return tvm.nd.array(np.array(values, dtype))


def machine(builder):
    return relax.VirtualMachine(builder.get(), tvm.cpu())


def lowered(mod):
    builder = relax.ExecBuilder()
    rest = relax.vm_build._vmcodegen(builder, mod)
    return relax.VirtualMachine(relax.vm_build._vmlink(builder, tvm.target.Target("llvm"), rest), tvm.cpu())


@tap.needs_numpy
class Written(unittest.TestCase):
    def test_calls_and_saved_arguments(self):
        ib = relax.ExecBuilder()
        with ib.function("f", num_inputs=2):
            ib.emit_call("test.vm.mul", args=[ib.r(0), ib.r(1)], dst=ib.r(7))
            ib.emit_call("test.vm.add", args=[ib.r(7), ib.r(0)], dst=ib.r(5))
            ib.emit_ret(ib.r(5))
        self.assertEqual(check_saved_func(machine(ib), "f", array(2, 3), array(4, 5)).numpy().tolist(), [10, 18])

    def test_registers_are_numbered_by_appearance(self):
        def text(a, b):
            ib = relax.ExecBuilder()
            with ib.function("f", num_inputs=1):
                ib.emit_call("test.vm.move", args=[ib.r(0)], dst=ib.r(a))
                ib.emit_call("test.vm.move", args=[ib.r(a)], dst=ib.r(b))
                ib.emit_ret(ib.r(b))
            return ib.get().as_text()

        self.assertEqual(text(1, 2), text(90, 40))

    def test_what_is_not_written_is_not_read(self):
        ib = relax.ExecBuilder()
        with ib.function("f", num_inputs=1):
            ib.emit_ret(ib.r(1))
        with self.assertRaisesRegex(tvm.TVMError, "read before"):
            ib.get()
        with self.assertRaises(ValueError):
            relax.ExecBuilder().emit_ret(ib.r(0))

    def test_numbers_and_jumps(self):
        ib = relax.ExecBuilder()
        with ib.function("less", num_inputs=1):
            ib.emit_call("test.vm.add_scalar", args=[ib.imm(-4), ib.r(0)], dst=ib.r(1))
            ib.emit_ret(ib.r(1))
        with ib.function("choose", num_inputs=1):
            ib.emit_if(ib.r(0), 3)
            ib.emit_call("less", args=[ib.imm(10)], dst=ib.r(1))
            ib.emit_goto(2)
            ib.emit_call("test.vm.add_scalar", args=[ib.r(0), ib.imm(1)], dst=ib.r(1))
            ib.emit_ret(ib.r(1))
        vm = machine(ib)
        self.assertEqual([vm["less"](1), vm["choose"](1), vm["choose"](0)], [-3, 6, 1])

    def test_constants_are_kept_once(self):
        ib = relax.ExecBuilder()
        for a, b in (("x", "x"), (ShapeTuple([1, 2]), (1, 2)), (array(1, 2), array(1, 2))):
            self.assertEqual(ib.convert_constant(a), ib.convert_constant(b))
        self.assertNotEqual(ib.convert_constant((1, 2)), ib.convert_constant((2, 1)))

    def test_shapes_and_storage(self):
        ib = relax.ExecBuilder()
        with ib.function("shape", num_inputs=0):
            ib.emit_call("vm.builtin.shape_of", args=[tvm.nd.array(np.zeros((3, 5)))], dst=ib.r(0))
            ib.emit_ret(ib.r(0))
        with ib.function("storage", num_inputs=0):
            dtype = tvm.DataType("float32")
            ib.emit_call("vm.builtin.alloc_storage", args=[ib.vm_state(), (6,), ib.convert_constant(0), dtype, "global"], dst=ib.r(1))
            ib.emit_call("vm.builtin.alloc_tensor", args=[ib.r(1), ib.imm(0), (2, 3), dtype], dst=ib.r(2))
            ib.emit_ret(ib.r(2))
        vm = machine(ib)
        self.assertEqual(list(vm["shape"]()), [3, 5])
        self.assertEqual(vm["storage"]().shape, (2, 3))

    def test_closures_leave_the_machine(self):
        ib = relax.ExecBuilder()
        with ib.function("sub", num_inputs=2):
            ib.emit_call("test.vm.add_scalar", args=[ib.r(0), ib.imm(100)], dst=ib.r(2))
            ib.emit_call("test.vm.add_scalar", args=[ib.r(2), ib.r(1)], dst=ib.r(3))
            ib.emit_ret(ib.r(3))
        with ib.function("main", num_inputs=1):
            ib.emit_call("vm.builtin.make_closure", args=[ib.f("sub"), ib.r(0)], dst=ib.r(1))
            ib.emit_ret(ib.r(1))
        vm = machine(ib)
        self.assertEqual(vm.invoke_closure(vm["main"](7), 3), 110)
        with self.assertRaises(tvm.TVMError):
            vm.invoke_closure(vm["main"](7), 3, 4)


@tap.needs_numpy
class Lowered(unittest.TestCase):
    def test_extents_in_a_heap(self):
        @I.ir_module
        class Module:
            @R.function(pure=False)
            def main(x: R.Tensor(ndim=2, dtype="float32")) -> R.Shape(ndim=3):
                R.func_attr({"global_symbol": "main"})
                heap = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", [R.prim_value(2)], sinfo_args=[R.Tensor(ndim=1, dtype="int64")])
                _ = R.call_packed("vm.builtin.check_tensor_info", x, 2, R.dtype("float32"), "", sinfo_args=[R.Tuple()])
                _1 = R.call_packed("vm.builtin.match_shape", x, heap, 2, Match.STORE_TO_HEAP, 1, Match.ASSERT_EQUAL_TO_IMM, 2, "", sinfo_args=[R.Tuple()])
                s = R.call_packed("vm.builtin.make_shape", heap, 3, Make.USE_IMM, 9, Make.LOAD_SHAPE, 1, Make.LOAD_SHAPE, 1, sinfo_args=[R.Shape(ndim=3)])
                return s

        main = lowered(Module)["main"]
        self.assertEqual(list(main(tvm.nd.array(np.zeros((4, 2), "float32")))), [9, 4, 4])
        for value, error, text in (([], TypeError, "tensor"), (np.zeros(4, "float32"), ValueError, "ndim"), (np.zeros((4, 2), "int32"), ValueError, "dtype"),
                                   (np.zeros((4, 3), "float32"), ValueError, "extent of 3")):
            with self.assertRaisesRegex(error, text):
                main(value if isinstance(value, list) else tvm.nd.array(value))

    def test_what_the_passes_make_runs(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor(("n", "m"), "float32"), s: R.Shape(["n"]), t: R.Tuple(R.Tensor, R.Prim("int64"))) -> R.Tensor(("m", "n"), "float32"):
                n, m = T.int64(), T.int64()
                y = R.permute_dims(x)
                z = R.reshape(y, R.shape([m * n]))
                return R.reshape(z, R.shape([m, n]))

        names = ("LegalizeOps", "RewriteDataflowReshape", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite", "StaticPlanBlockMemory", "LowerAllocTensor",
                 "KillAfterLastUse", "LowerRuntimeBuiltin", "ComputePrimValue", "VMShapeLower", "AttachGlobalSymbol")
        vm = lowered(tvm.ir.transform.Sequential([getattr(relax.transform, name)() for name in names])(Module))
        data = np.arange(6, dtype="float32").reshape(2, 3)
        self.assertEqual(vm["main"](tvm.nd.array(data), ShapeTuple([2]), (tvm.nd.array(data), 1)).numpy().tolist(), data.T.tolist())
        with self.assertRaises(ValueError):
            vm["main"](tvm.nd.array(data), ShapeTuple([3]), (tvm.nd.array(data), 1))

    def test_files(self):
        @I.ir_module
        class Module:
            @R.function(pure=False)
            def main(x: R.Tensor((2,), "float32")):
                R.func_attr({"global_symbol": "main"})
                return R.call_packed("vm.builtin.copy", x, sinfo_args=R.Tensor((2,), "float32"))

        executable = relax.build(Module, "llvm")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lib.so")
            executable.export_library(path)
            self.assertEqual(tvm.runtime.load_module(path)["as_text"](), executable.as_text())


class Arguments(unittest.TestCase):
    def test_conversion_by_annotation(self):
        @args_converter.auto
        def kinds(x: relax.Expr, *more: relax.Expr, n: int = 0, **named: relax.Expr):
            return [type(v) for v in (x, *more, n, *named.values())]

        self.assertEqual(kinds(1, "a", (), n=3, k=(1, 2)), [relax.PrimValue, relax.StringImm, relax.Tuple, int, relax.Tuple])

    def test_lists(self):
        first = args_converter.to_list_expr("xs")(lambda xs: xs)
        self.assertIsNone(first(None))
        self.assertIsInstance(first([1, (2, 3)])[0], relax.PrimValue)
        with self.assertRaises(TypeError):
            first(1)


class Named(unittest.TestCase):
    """Arguments by the names of the parameters, of an executable that was only loaded."""

    def setUp(self):
        @I.ir_module
        class Module:
            @R.function
            def main(a: R.Tensor((3,), "float32"), b: R.Tensor((3,), "float32")):
                return R.subtract(a, b)

        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "named.so")
        relax.build(Module, "llvm").export_library(path)
        self.vm = relax.VirtualMachine(tvm.runtime.load_module(path), tvm.cpu())
        self.a, self.b = (tvm.nd.array(np.array([i, 2 * i, 5], "float32")) for i in (7, 1))

    def test_inputs(self):
        self.vm.set_input("main", b=self.b, a=self.a)
        self.vm.invoke_stateful("main")
        np.testing.assert_array_equal(self.vm.get_outputs("main").numpy(), [6, 12, 0])
        self.assertGreater(self.vm.time_evaluator("invoke_stateful", tvm.cpu(), number=3)("main").mean, 0)
        with self.assertRaises(tvm.TVMError):
            self.vm.time_evaluator("invoke_stateful", tvm.cpu())("other")

    def test_saved_functions(self):
        self.vm.save_function("main", "kept", self.a, b=self.b)
        np.testing.assert_array_equal(self.vm["kept"]().numpy(), [6, 12, 0])

    def test_refused(self):
        for given in ({"a": self.a}, {"a": self.a, "c": self.b}, {}):
            with self.assertRaises(tvm.TVMError):
                self.vm.set_input("main", **given)
            with self.assertRaises(tvm.TVMError):
                self.vm.save_function("main", "never", **given)
        with self.assertRaises(tvm.TVMError):
            self.vm.set_input("main", self.a, a=self.b)


class Again(unittest.TestCase):
    """What is compiled, saved and loaded once more beside itself; sizes that are known at the call only."""

    def test_loaded_twice(self):
        @I.ir_module
        class Turned:
            @R.function
            def main(x: R.Tensor((2, 3), "float32")):
                with R.dataflow():
                    y = R.permute_dims(x)
                    R.output(y)
                return y

        executable = relax.build(Turned, target="llvm")
        x = tvm.nd.array(np.arange(6, dtype="float32").reshape(2, 3))
        first = relax.VirtualMachine(executable, tvm.cpu())
        np.testing.assert_array_equal(first["main"](x).numpy(), x.numpy().T)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "turned.so")
            executable.export_library(path)
            for _ in range(3):
                again = relax.VirtualMachine(tvm.runtime.load_module(path), tvm.cpu())
                np.testing.assert_array_equal(again["main"](x).numpy(), x.numpy().T)
        np.testing.assert_array_equal(first["main"](x).numpy(), x.numpy().T)

    def test_intermediate_of_32_bit_sizes(self):
        """The type's largest number is no bound: the intermediate is as large as its shape says."""
        @I.ir_module
        class Dynamic:
            @T.prim_func(s_tir=True)
            def main(a: T.handle, b: T.handle, c: T.handle):
                m, n, k = T.int32(), T.int32(), T.int32()
                A = T.match_buffer(a, [m, k], "float32")
                B = T.match_buffer(b, [k, n], "float32")
                C = T.match_buffer(c, [m, n], "float32")
                Y = T.alloc_buffer((m, n), "float32")
                for i, j, r in T.grid(m, n, k):
                    with T.block("Y"):
                        vi, vj, vr = T.axis.remap("SSR", [i, j, r])
                        with T.init():
                            Y[vi, vj] = T.float32(0)
                        Y[vi, vj] = Y[vi, vj] + A[vi, vr] * B[vr, vj]
                for i, j in T.grid(m, n):
                    with T.block("C"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        C[vi, vj] = T.max(Y[vi, vj], T.float32(0))

        f = tvm.compile(Dynamic, target="llvm")
        for m, n, k in ((4, 4, 4), (1, 7, 3), (64, 33, 20)):
            a, b = (np.random.RandomState(0).rand(*shape).astype("float32") for shape in ((m, k), (k, n)))
            c = tvm.runtime.tensor(np.zeros((m, n), "float32"))
            f(tvm.runtime.tensor(a), tvm.runtime.tensor(b), c)
            np.testing.assert_allclose(c.numpy(), a @ b, rtol=1e-5)


class Traces(unittest.TestCase):
    def run_traced(self, dtype, action, count=4):
        x = te.placeholder((count,), dtype, name="x")
        y = te.compute((count,), lambda i: tir.trace([i, x[i]], action) + tir.const(1, dtype), name="y")
        out = tvm.nd.array(np.zeros(count, dtype))
        tvm.build(te.create_prim_func([x, y]), "llvm")(tvm.nd.array(np.arange(count).astype(dtype)), out)
        return out.numpy().tolist()

    def test_value_stays(self):
        seen = []
        tvm.register_func("test.trace_sees", lambda *args: seen.append(args), override=True)
        for dtype in ("float64", "float32", "int64", "int32", "int8"):
            seen.clear()
            self.assertEqual(self.run_traced(dtype, "test.trace_sees"), [1, 2, 3, 4])
            self.assertEqual(seen, [(i, i) for i in range(4)])

    def test_value_is_replaced(self):
        tvm.register_func("test.trace_whole", lambda i, x: 13 if i == 2 else None, override=True)
        tvm.register_func("test.trace_half", lambda i, x: 13.5, override=True)
        for dtype in ("float64", "float32", "int64", "int32"):
            self.assertEqual(self.run_traced(dtype, "test.trace_whole"), [1, 2, 14, 4])
        self.assertEqual(self.run_traced("float32", "test.trace_half"), [14.5] * 4)

    def test_default_prints(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.run_traced("int32", "tvm.default_trace_action", 2)
        self.assertEqual(out.getvalue(), "[0, 0]\n[1, 1]\n")

    def test_error_of_the_function(self):
        def fail(*args):
            raise ValueError("traced")

        tvm.register_func("test.trace_fails", fail, override=True)
        with self.assertRaisesRegex(Exception, "traced"):
            self.run_traced("int32", "test.trace_fails")


class PackedArguments(unittest.TestCase):
    def test_numbers_and_conditions(self):
        """An argument is a truth value only where the program has one, whatever stood at its place on the stack before."""
        seen = []
        tvm.register_func("test.sees", lambda *args: seen.append(args), override=True)

        @T.prim_func
        def conditions(A: T.Buffer((4,), "int32")):
            T.call_packed("test.sees", A[0] > 0, A[1] > 0, A[2] > 0)

        @T.prim_func
        def numbers(A: T.Buffer((4,), "int32")):
            T.call_packed("test.sees", A[0], A[1], A[2])

        for func in (conditions, numbers, conditions):
            tvm.build(func, "llvm")(tvm.nd.array(np.arange(4, dtype="int32")))
        self.assertEqual([[(type(x), x) for x in args] for args in seen],
                         [[(bool, x) for x in (False, True, True)], [(int, x) for x in (0, 1, 2)], [(bool, x) for x in (False, True, True)]])


class Libraries(unittest.TestCase):
    def build(self, name):
        x = te.placeholder((4,), "float32", name="x")
        y = te.compute((4,), lambda i: x[i] + 1.0, name="y")
        return tvm.tir.build(tvm.IRModule.from_expr(te.create_prim_func([x, y]).with_attr("global_symbol", name)), target="llvm")

    def test_static_library(self):
        with tempfile.TemporaryDirectory() as folder:
            path, whole = os.path.join(folder, "b.o"), os.path.join(folder, "all.so")
            first = self.build("first")
            self.build("second").save(path)
            library = tvm.runtime.load_static_library(path, ["second"])
            self.assertEqual((library.type_key, library.is_dso_exportable), ("static_library", True))
            first.import_module(library)
            first.export_library(whole)
            loaded = tvm.runtime.load_module(whole)
            self.assertEqual((loaded.type_key, loaded.is_dso_exportable, loaded.imported_modules), ("library", False, []))
            for name in ("first", "second"):
                out = tvm.nd.array(np.zeros(4, "float32"))
                loaded[name](tvm.nd.array(np.ones(4, "float32")), out)
                self.assertEqual(out.numpy().tolist(), [2.0] * 4)
            with self.assertRaises(ValueError):
                tvm.runtime.load_static_library(path, ["third"])
            with open(path, "wb") as file:
                file.write(b"\x7fELF")
            with self.assertRaises(ValueError):
                tvm.runtime.load_static_library(path, [])

    def test_preparation_of_measurements(self):
        calls = []
        tvm.register_func("test.prepare", lambda *args: calls.append(len(args)), override=True)
        arrays = [tvm.nd.array(np.ones(4, "float32")), tvm.nd.array(np.ones(4, "float32"))]
        found = self.build("main").time_evaluator("main", tvm.cpu(), number=2, repeat=3, f_preproc="test.prepare")(*arrays)
        self.assertEqual((calls, len(found.results)), ([2, 2, 2], 3))
        with self.assertRaises(ValueError):
            self.build("main").time_evaluator("main", tvm.cpu(), f_preproc="test.no_such_function")

    def test_caches_are_emptied_before(self):
        """What meta_schedule's enable_cpu_cache_flush asks for: all of a filler that no cache holds is read, as often as is repeated."""
        from tvm.meta_schedule.runner import EvaluatorConfig
        from tvm.meta_schedule.runner.utils import run_evaluator_common
        from tvm.runtime import cache_flush

        arrays = [tvm.nd.array(np.ones(4, "float32")), tvm.nd.array(np.ones(4, "float32"))]
        module = self.build("main")
        reads = []

        class Filler:
            def count(self, value):
                reads.append(value)

        self.assertGreaterEqual(cache_flush._bytes(), 1 << 18)
        before, cache_flush._filler = cache_flush._filler, Filler()
        try:
            for flush, expected in ((False, 0), (True, 3)):
                reads.clear()
                found = run_evaluator_common(module, tvm.cpu(), EvaluatorConfig(number=2, repeat=3, min_repeat_ms=0, enable_cpu_cache_flush=flush), [arrays])
                self.assertEqual((len(found), len(reads)), (3, expected))
        finally:
            cache_flush._filler = before
        tvm.get_global_func("cache_flush_cpu_non_first_arg")(*arrays)
        self.assertEqual(set(cache_flush._filler[:64]), {1})

    def test_functions_of_tests_are_there_before_their_package(self):
        import subprocess
        import sys

        code = "import tvm; print(tvm.get_global_func('testing.echo')(5), tvm.get_global_func('testing.no_such', allow_missing=True))"
        self.assertEqual(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split(), ["5", "None"])


class Compiled(unittest.TestCase):
    """Relax functions as code that works on the machine's registers."""

    def check(self, mod, expected):
        made = relax.vm_build._vmcodegen(relax.ExecBuilder(), mod, exec_mode="compiled")
        tvm.ir.assert_structural_equal(made, tvm.IRModule({**{g: f for g, f in mod.functions_items() if isinstance(f, tvm.tir.PrimFunc)},
                                                           expected.attrs["global_symbol"]: expected}))

    def test_results_and_constants(self):
        @I.ir_module
        class M:
            @R.function
            def pair(x: R.Tensor, y: R.Tensor):
                R.func_attr({"global_symbol": "pair"})
                a = R.const([5, 6])
                z = (y, a, (x, R.const([7])), a)
                return z

        made = relax.vm_build._vmcodegen(relax.ExecBuilder(), M, exec_mode="compiled")
        self.assertEqual([g.name_hint for g, _ in made.functions_items()], ["__vmtir__pair"])
        text = made["__vmtir__pair"].script()
        self.assertEqual(text.count("vm.builtin.make_tuple"), 2)
        self.assertEqual(text.count("T.anylist_getitem(c, 0)"), 2)
        self.assertEqual(text.count("T.anylist_getitem(c, 1)"), 1)

    def test_branches(self):
        @I.ir_module
        class M:
            @R.function(pure=False)
            def choose(cond: R.Tensor((), "bool"), x: R.Tensor) -> R.Tensor:
                R.func_attr({"global_symbol": "choose"})
                if cond:
                    a = R.call_packed("t.twice", x, sinfo_args=(R.Tensor))
                    w = R.call_packed("t.half", a, sinfo_args=(R.Tensor))
                else:
                    w = R.call_packed("t.less", x, R.prim_value(3), R.str("by"), sinfo_args=(R.Tensor))
                return w

        @T.prim_func
        def __vmtir__choose(ctx_ptr: T.handle, r: T.handle, c: T.handle, f: T.handle):
            if T.Call("bool", tvm.ir.Op.get("tir.tvm_call_packed"), ["vm.builtin.read_if_cond", T.anylist_getitem(r, 0)]):
                T.anylist_setitem_call_packed(r, 4, "t.twice", T.anylist_getitem(r, 1))
                T.anylist_setitem_call_packed(r, 5, "t.half", T.anylist_getitem(r, 4))
                T.anylist_setitem_call_packed(r, 3, "vm.builtin.copy", T.anylist_getitem(r, 5))
            else:
                T.anylist_setitem_call_packed(r, 6, "t.less", T.anylist_getitem(r, 1), T.int64(3), "by")
                T.anylist_setitem_call_packed(r, 3, "vm.builtin.copy", T.anylist_getitem(r, 6))
            T.anylist_setitem_call_packed(r, 2, "vm.builtin.copy", T.anylist_getitem(r, 3))

        self.check(M, __vmtir__choose)

    def test_calls_of_the_same_module(self):
        @I.ir_module
        class M:
            @T.prim_func
            def grow(H: T.Buffer(T.int64(4), "int64")):
                T.func_attr({"global_symbol": "grow"})
                H[T.int64(0)] = H[T.int64(0)] + T.int64(1)

            @R.function(pure=False)
            def run(x: R.Tensor([4], "int64")):
                R.func_attr({"global_symbol": "run"})
                _ = M.grow(x)
                return x

        @T.prim_func
        def __vmtir__run(ctx_ptr: T.handle, r: T.handle, c: T.handle, f: T.handle):
            T.call_cpacked("grow", T.anylist_getitem(r, 0), T.reinterpret("handle", T.uint64(0)))
            T.anylist_setitem_call_packed(r, 1, "vm.builtin.copy", T.anylist_getitem(r, 0))

        self.check(M, __vmtir__run)

    def test_what_is_not_lowered_is_refused(self):
        @I.ir_module
        class M:
            @R.function
            def main(x: R.Tensor((4,), "float32")):
                R.func_attr({"global_symbol": "main"})
                y = R.add(x, x)
                return y

        with self.assertRaisesRegex(tvm.TVMError, "relax.add"):
            relax.vm_build._vmcodegen(relax.ExecBuilder(), M, exec_mode="compiled")

    def test_inputs_and_outputs_that_are_not_there(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((2,), "float32")):
                return (x, (x,))

        vm = relax.VirtualMachine(relax.build(Module, "llvm"), tvm.cpu())
        with self.assertRaisesRegex(ValueError, "not set"):
            vm.invoke_stateful("main")
        x = tvm.nd.array(np.zeros(2, "float32"))
        vm.set_input("main", x)
        with self.assertRaisesRegex(ValueError, "not called"):
            vm.get_outputs("main")
        vm.invoke_stateful("main")
        outputs = vm.get_outputs("main")
        self.assertIsInstance(outputs, tvm.ir.Array)
        self.assertIsInstance(outputs[1], tvm.ir.Array)
        self.assertNotIsInstance([1], tvm.ir.Array)


if __name__ == "__main__":
    tap.main()
