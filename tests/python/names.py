"""The names under which the peer keeps its modules: programs import them by each of these."""
import contextlib
import importlib
import io
import json
import os
import subprocess
import tempfile
import unittest

import tap
import tvm
import tvm.testing
from tvm import tir
from tvm.script import ir as I, tir as T

CLI = os.path.join(os.environ["LS_BUILD_ROOT"], "app/cli/loopscope-cli")
MODULES = """tvm.testing.tir tvm.script.parser.core.doc tvm.script.parser.core.doc_core tvm.script.parser.core.evaluator
    tvm.script.parser.core.diagnostics tvm.script.parser._core tvm.script.parser.tir tvm.script.parser.ir tvm.script._parser
    tvm.script._parser.core.diagnostics tvm.script.ir_builder.ir tvm.ir.analysis tvm.ir.type_functor tvm.tir.build tvm.tir.pipeline
    tvm.tir.transform.transform tvm.tir.analysis.analysis tvm.tir.block_scope tvm.tir.tensor_intrin.metal tvm.contrib.rocm
    tvm.contrib.cutlass tvm.contrib.cublas tvm.contrib.thrust tvm.contrib.random tvm.target.virtual_device tvm.target.codegen
    tvm.target.detect_target tvm.target.tag tvm.target.x86 tvm.runtime.profiling tvm.runtime.relax_vm tvm._ffi.registry tvm._ffi.runtime_ctypes
    tvm.relax.transform.transform tvm.relax.transform.fast_math tvm.relax.transform.legalize_ops.manipulate tvm.relax.analysis.analysis tvm.relax.op.nn.nn
    tvm.relax.op.memory.view tvm.relax.op.image.image tvm.relax.op.ccl.ccl tvm.relax.global_info tvm.relax.backend.gpu_generic.pipeline
    tvm.relax.backend.cuda.pipeline tvm.relax.backend.rocm.pipeline""".split()


class Moved(unittest.TestCase):
    def test_one_module_under_both_names(self):
        """What stands in a package here is in a module of it there."""
        from tvm import relax
        from tvm.relax.analysis.analysis import well_formed
        from tvm.relax.op.nn.nn import conv2d
        from tvm.relax.transform.transform import CanonicalizeBindings

        self.assertIs(conv2d, relax.op.nn.conv2d)
        self.assertIs(CanonicalizeBindings, relax.transform.CanonicalizeBindings)
        self.assertIs(well_formed, relax.analysis.well_formed)


class Helpers(unittest.TestCase):
    """What programs take from modules beside the great ones."""

    def test_parameters_in_files(self):
        import numpy as np

        from tvm.runtime import params

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.bin")
            params.save_param_dict_to_file({"w": tvm.nd.array(np.arange(3, dtype="float32"))}, path)
            self.assertEqual(list(params.load_param_dict_from_file(path)["w"].numpy()), [0, 1, 2])

    def test_elements_of_lists_that_are_asked_one_by_one(self):
        from tvm.runtime.container import getitem_helper

        get = lambda obj, i: obj[i]  # noqa: E731
        self.assertEqual(getitem_helper("abcd", get, 4, -1), "d")
        self.assertEqual(getitem_helper("abcd", get, 4, slice(0, 4, 2)), ["a", "c"])
        with self.assertRaises(IndexError):
            getitem_helper("abcd", get, 4, 4)

    def test_of_rules(self):
        from tvm import dlight

        @T.prim_func
        def scale(a: T.handle, b: T.handle):
            n = T.int32()
            A = T.match_buffer(a, (n, 48))
            B = T.match_buffer(b, (n, 48))
            for i, j in T.grid(n, 48):
                with T.block("scale"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.reads(A[vi, 0:48])
                    T.writes(B[vi, vj])
                    B[vi, vj] = A[vi, vj] * T.float32(2.0)

        sch = tir.Schedule(scale)
        i, j = sch.get_loops(sch.get_block("scale"))
        self.assertIsInstance(dlight.base.get_extent(sch, i), tir.Var)
        self.assertEqual(dlight.base.get_extent(sch, j), 48)
        self.assertEqual([dlight.base.get_bytes(x) for x in ("float16", "int8", "float32x4", "bool")], [2, 1, 16, 1])
        block = sch.get(sch.get_block("scale"))
        used = dlight.base.collect_block_iter_vars_used_in_access_region(block, block.reads[0].region)
        self.assertEqual([var.name for var in used], ["vi"])
        dlight.base.auto_vectorize(sch, i, 4)
        dlight.base.auto_vectorize(sch, j, 16)
        self.assertEqual([int(sch.get(x).kind) for x in sch.get_loops(sch.get_block("scale"))], [0, 0, 2])

    def test_loops_made_serial(self):
        @T.prim_func
        def main(A: T.Buffer((8,), "int32")):
            for i in T.parallel(8):
                A[i] = i

        self.assertEqual(int(tir.transform.ConvertForLoopsToSerial()(tvm.IRModule.from_expr(main))["main"].body.kind), 0)

    def test_passes_of_the_users_own(self):
        seen = []

        def note(name):
            return tir.transform.prim_func_pass(lambda func, mod, ctx: (seen.append((name, "T.block" in func.script())), func)[1], opt_level=0)

        @T.prim_func
        def main(A: T.Buffer((8,), "int32")):
            for i in range(8):
                with T.block("b"):
                    vi = T.axis.spatial(8, i)
                    A[vi] = vi

        with tvm.transform.PassContext(config={"tir.add_lower_pass": [(1, note("late")), (0, note("early"))]}):
            tvm.lower(main)
            self.assertEqual(seen, [("early", True), ("late", False)])
            tvm.build(main, target="llvm")
        self.assertEqual(len(seen), 4)

    def test_functions_by_their_names(self):
        from tvm.target import generic_func, get_native_generic_func

        made = get_native_generic_func("loopscope.test.fastest")
        made.set_default(lambda: "any")
        made.register(lambda: "cuda", ["cuda"])
        self.assertIs(get_native_generic_func("loopscope.test.fastest"), made)
        self.assertEqual(made(), "any")
        with tvm.target.Target("cuda"):
            self.assertEqual(made(), "cuda")
        self.assertTrue(callable(generic_func(lambda: 1)))


class Functions(unittest.TestCase):
    def test_their_names(self):
        @T.prim_func
        def double(a: T.handle):
            A = T.match_buffer(a, (4,))
            A[0] = A[0] + A[0]

        self.assertEqual(double.__name__, "double")
        self.assertFalse(hasattr(double.without_attr("global_symbol"), "__name__"))

    def test_what_relax_knows_of_them(self):
        @T.prim_func
        def product(m: T.int32, n: T.int32) -> T.int32:
            T.ret(m * n)

        @T.prim_func
        def total(A: T.Buffer((4, 4), "float32")) -> T.float32:
            s = T.decl_buffer([], "float32")
            s[()] = T.float32(0)
            for i, j in T.grid(4, 4):
                s[()] = s[()] + A[i, j]
            T.ret(s[()])

        @T.prim_func
        def copy(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
            for i in range(4):
                B[i] = A[i]

        R = tvm.relax
        scalar, number = R.PrimStructInfo("int32"), R.PrimStructInfo("float32")
        four = R.TensorStructInfo([4], "float32")
        same = tvm.ir.assert_structural_equal
        same(product.struct_info, R.FuncStructInfo([scalar, scalar], scalar, purity=True))
        same(total.struct_info, R.FuncStructInfo([R.TensorStructInfo([4, 4], "float32")], number, purity=True))
        same(copy.struct_info, R.FuncStructInfo([four, four], R.TupleStructInfo([]), purity=False))

    def test_macros_have_keyword_arguments_only(self):
        with self.assertRaises(ValueError):
            T.macro(True)

    def test_loops_of_other_types(self):
        from tvm.script.ir_builder import IRBuilder, tir as B

        with IRBuilder() as builder:
            with B.serial(tir.const(8, "uint32")):
                B.evaluate(0)
        made = builder.get()
        self.assertEqual({made.loop_var.dtype, made.min.dtype, made.extent.dtype}, {"uint32"})
        with IRBuilder() as builder:
            with B.block("b"):
                B.axis.opaque(8, tir.Var("i", "int32"))
                B.evaluate(0)
        self.assertEqual(builder.get().block.iter_vars[0].iter_type, tir.IterVar.Opaque)


class Targets(unittest.TestCase):
    def test_options_of_several_values(self):
        target = tvm.target.Target("cuda -model=some -libs=cublas,cudnn")
        self.assertEqual((target.model, list(target.libs)), ("some", ["cublas", "cudnn"]))
        self.assertEqual(str(tvm.target.cuda(model="some", options="-libs=cublas,cudnn")), str(target))
        given = tvm.target.Target("llvm -cl-opt='-unroll-threshold:uint=100,-unroll-count:uint=3'")
        self.assertEqual(given.attrs["cl-opt"], ["-unroll-threshold:uint=100", "-unroll-count:uint=3"])
        with self.assertRaises(ValueError):
            tvm.target.Target({"kind": "llvm", "libs": {"a": "b"}})

    def test_names_with_spaces(self):
        target = tvm.target.Target("vulkan -device_name='A card' -device_type=discrete")
        for read in (target, tvm.target.Target(str(target))):
            self.assertEqual((read.attrs["device_name"], read.attrs["device_type"]), ("A card", "discrete"))

    def test_composite(self):
        for given in ("composite --host=llvm --devices=cuda,opencl", {"kind": "composite", "host": {"kind": "llvm"}, "devices": ["cuda", "opencl"]}):
            target = tvm.target.Target(given)
            self.assertEqual((target.host.kind.name, [d.kind.name for d in target.attrs["devices"]]), ("llvm", ["cuda", "opencl"]))
            self.assertEqual(tvm.target.Target(target.export()), target)

    def test_what_is_known_of_them(self):
        self.assertEqual(tvm.target.Target("nvidia/nvidia-a100").l2_cache_size_bytes, 40 << 20)
        self.assertEqual(tvm.target.Target("cuda").l2_cache_size_bytes, 0)
        self.assertTrue(tvm.target.Target("test").features.is_test)
        for name in tvm.target.Target.list_kinds():
            self.assertEqual(tvm.target.Target(name).get_target_device_type(), tvm.runtime.Device.STR2MASK[name])


class Names(unittest.TestCase):
    def test_the_registry_by_its_older_name(self):
        tvm.register_func("names.more", lambda x: x + 1, override=True)
        self.assertIn("names.more", tvm._ffi.registry.list_global_func_names())
        tvm._ffi.registry.remove_global_func("names.more")
        self.assertIsNone(tvm.get_global_func("names.more", allow_missing=True))

    def test_modules_have_all_their_names(self):
        for name in MODULES:
            with self.subTest(name):
                self.assertTrue(importlib.import_module(name))

    def test_build_is_a_module_and_a_function(self):
        @T.prim_func
        def twice(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
            for i in range(4):
                b[i] = a[i] + a[i]

        import numpy as np

        a, b = tvm.nd.array(np.arange(4, dtype="float32")), tvm.nd.empty((4,), "float32")
        tvm.tir.build(tvm.IRModule.from_expr(twice), "llvm")["twice"](a, b)
        self.assertEqual(b.numpy().tolist(), [0, 2, 4, 6])
        self.assertEqual([list(part.functions) for part in tvm.tir.build.split_host_device_mods(tvm.IRModule.from_expr(twice))[:1]][0][0].name_hint, "twice")

    def test_pipelines_by_name(self):
        @T.prim_func
        def f(a: T.Buffer((2, 2), "float32")):
            for i, j in T.grid(2, 2):
                with T.block("b"):
                    x, y = T.axis.remap("SS", [i, j])
                    a[x, y] = 1.0

        after = tir.pipeline.get_tir_pipeline("default")(tvm.IRModule.from_expr(f))
        tvm.ir.assert_structural_equal(after, tvm.lower(tvm.IRModule.from_expr(f)))
        self.assertEqual([(v.name_hint, g.attrs["tir.noalias"]) for v, g in tvm.lower(f).functions.items()], [("main", True)])
        with self.assertRaises(ValueError):
            tir.pipeline.get_tir_pipeline("no such")


class Reading(unittest.TestCase):
    def test_a_definition_has_a_text_and_a_tree(self):
        from tvm.script.parser.core import doc
        from tvm.script.parser.core.diagnostics import Source

        def shape(a: T.handle) -> None:
            A = T.match_buffer(a, [4])
            T.evaluate(A[0])

        source = Source(shape)
        tree = source.as_ast()
        self.assertIsInstance(tree, doc.Module)
        self.assertIsInstance(tree.body[0], doc.FunctionDef)
        self.assertEqual([arg.arg for arg in tree.body[0].args.args], ["a"])
        self.assertEqual(source.start_column, 8)
        self.assertIn("match_buffer", source.source)
        self.assertIn("class Reading", source.full_source)

    def test_expressions_are_evaluated_with_names(self):
        from tvm.script.parser.core.diagnostics import Source
        from tvm.script.parser.core.evaluator import ExprEvaluator, eval_assign

        def value(text, **names):
            return ExprEvaluator.eval(None, names, Source(text).as_ast())

        self.assertEqual(value("a + b, [a, *c], not a", a=1, b=2, c=[3, 4]), (3, [1, 3, 4], False))
        self.assertEqual(value("c[1:] if a > 0 else None", a=1, c=[3, 4]), [4])
        with self.assertRaises(NameError):
            value("missing + 1")
        target = Source("x, *y = 0").as_ast().body[0].targets[0]
        self.assertEqual(eval_assign(None, target, [1, 2, 3]), {"x": 1, "y": [2, 3]})


class Modules(unittest.TestCase):
    def test_what_calls_what(self):
        @I.ir_module
        class Mod:
            @T.prim_func
            def main(n: T.int32):
                Mod.one(n)
                Mod.two(n)
                Mod.one(n)

            @T.prim_func(private=True)
            def one(n: T.int32):
                T.evaluate(n)

            @T.prim_func(private=True)
            def two(n: T.int32):
                Mod.two(n)

        calls = {k.name_hint: [v.name_hint for v in vs] for k, vs in tvm.ir.analysis.collect_call_map(Mod).items()}
        self.assertEqual(calls, {"main": ["one", "two"], "one": [], "two": ["two"]})

    def test_modules_by_the_builder(self):
        from tvm.script.ir_builder import IRBuilder, ir as builder, tir as B

        with IRBuilder() as ib:
            with builder.ir_module():
                with B.prim_func():
                    B.func_name("f")
                    B.evaluate(0)
        self.assertEqual([v.name_hint for v in ib.get().functions], ["f"])

    def test_numbers_of_numpy_keep_their_type(self):
        import numpy as np

        for value in (np.bool_(1), np.uint8(1), np.int64(1), np.float16(1)):
            self.assertEqual(tvm.runtime.convert(value).dtype, str(value.dtype))

    def test_kinds_of_targets_tell_their_attributes(self):
        for kind in tvm.target.Target.list_kinds():
            self.assertIn("libs", tvm.target.TargetKind.options_from_name(kind))
        self.assertIn("mcpu", tvm.target.Target("llvm").kind.options)

    def test_targets_from_tags_hosts_and_json(self):
        from tvm.target import Target

        nano = Target("cuda --host nvidia/jetson-nano").host
        self.assertEqual((nano.arch, nano.attrs["registers_per_block"]), ("sm_53", 32768))
        self.assertEqual(tvm.ir.load_json(tvm.ir.save_json(nano)), nano)
        with self.assertRaises(ValueError):
            Target({"kind": "llvm", "no-such-option": 1})
        with self.assertRaises(AssertionError):
            Target.canon_target_and_host(None, "llvm")
        arm = Target("llvm -mtriple=aarch64-linux-gnu -mattr=+v8.6a,+sve").features
        self.assertEqual((arm.is_aarch64, arm.has_sve, arm.has_matmul_i8, arm.has_sme, arm.other), (True, True, True, False, None))

    def test_dictionaries_of_variables(self):
        a, b = tir.Var("a", "int32"), tir.Var("b", "int32")
        table = tvm.runtime.convert({a: 2, b: 3})
        self.assertTrue(a in table and a + 1 not in table)
        self.assertEqual({k: v for k, v in table.items()}, {a: 2, b: 3})
        again = tvm.ir.load_json(tvm.ir.save_json(table))
        self.assertEqual({k.name: v for k, v in again.items()}, {"a": 2, "b": 3})
        self.assertEqual(tvm.runtime.convert([1]).type_key, "Array")

    def test_functions_and_their_types(self):
        tvm.register_func("tests.names.plus", lambda x: x + 1, override=True)
        func = tvm.ir.load_json(tvm.ir.save_json(tvm.ir.EnvFunc.get("tests.names.plus")))
        self.assertEqual((func.name, func(1)), ("tests.names.plus", 2))
        for kept in (tvm.runtime.convert({"f": func, "n": 1}), tvm.ir.make_node("DictAttrs", f=func, n=1)):
            for table in (kept, tvm.ir.load_json(tvm.ir.save_json(kept))):
                self.assertEqual((type(table["f"]), table["f"].name, table["f"](2)), (tvm.ir.EnvFunc, "tests.names.plus", 3))
        row = tvm.ir.load_json(tvm.ir.save_json(tvm.runtime.convert([func])))
        self.assertEqual([row[0](4), [x(5) for x in row], row[0:1][0](6)], [5, [6], 7])
        one, two = tvm.ir.PrimType("int32"), tvm.ir.PrimType("float32")
        kind = tvm.ir.FuncType([one], two)
        self.assertEqual((kind.arg_types, kind.ret_type, kind), ([one], two, tvm.ir.FuncType([one], two)))

    def test_hooks_that_raise_leave_those_that_were_entered(self):
        told = []

        @tvm.instrument.pass_instrument
        class Hook:
            def __init__(self, name, fails):
                self.name, self.fails = name, fails

            def enter_pass_ctx(self):
                told.append(self.name + " enter")
                if self.fails:
                    raise RuntimeError(self.name)

            def exit_pass_ctx(self):
                told.append(self.name + " exit")

        with self.assertRaises(RuntimeError):
            with tvm.transform.PassContext(instruments=[Hook("one", False), Hook("two", True), Hook("three", False)]):
                pass
        self.assertEqual(told, ["one enter", "two enter", "one exit"])

    def test_passes_are_timed_and_dumped(self):

        @T.prim_func
        def f(A: T.Buffer((4,), "float32")):
            A[0] = 1.0

        times = tvm.instrument.PassTimingInstrument()
        tvm.transform.PassContext.current().override_instruments([times])
        tvm.transform.Sequential([tir.transform.Simplify()])(tvm.IRModule.from_expr(f))
        self.assertIn("\ttir.Simplify: ", times.render())
        tvm.transform.PassContext.current().override_instruments(None)
        self.assertEqual(times.render(), "")
        with tempfile.TemporaryDirectory() as folder:
            with tvm.transform.PassContext(instruments=[tvm.instrument.DumpIR(folder)]):
                tir.transform.Simplify()(tvm.IRModule.from_expr(f))
            self.assertEqual(os.listdir(folder), ["000_tir.Simplify.py"])

    def test_dumps_are_logs_of_passes(self):
        """DumpIR's folder and what the printing instruments print: `loopscope-cli passes` lists the same passes with the same effects."""
        @T.prim_func
        def f(A: T.Buffer((8,), "float32"), n: T.int32):
            for i in range(4 + 4):
                if i < 8 and n > 0:
                    A[i] = A[i] + T.float32(1) * T.float32(2)

        class Record:
            def __init__(self):
                self.texts = []

            def run_before_pass(self, mod, info):
                self.texts.append((info.name, mod.script(), None))

            def run_after_pass(self, mod, info):
                self.texts[-1] = (self.texts[-1][0], self.texts[-1][1], mod.script())

        def read(path):
            done = subprocess.run([CLI, "passes", path, "--json"], capture_output=True, text=True, check=True)
            answer = json.loads(done.stdout)
            self.assertEqual(answer["kind"], "tvm")
            return answer["dumps"]

        record, printed = tvm.instrument.pass_instrument(Record)(), io.StringIO()
        passes = [tir.transform.Simplify(), tir.transform.HoistIfThenElse(), tir.transform.Simplify(), tir.transform.UnrollLoop(), tir.transform.RemoveNoOp()]
        with tempfile.TemporaryDirectory() as folder:
            dumps = os.path.join(folder, "dumps")
            instruments = [record, tvm.instrument.DumpIR(dumps), tvm.instrument.PrintBeforeAll(), tvm.instrument.PrintAfterAll()]
            with contextlib.redirect_stdout(printed), tvm.transform.PassContext(instruments=instruments):
                for one in passes:
                    mod = one(tvm.IRModule({"f": f}) if one is passes[0] else mod)
            names, changes = [text[0] for text in record.texts], [text[1] != text[2] for text in record.texts]
            self.assertEqual(names, ["tir.Simplify", "tir.HoistIfThenElse", "tir.Simplify", "tir.UnrollLoop", "tir.RemoveNoOp"])
            self.assertIn(True, changes[1:])
            self.assertIn(False, changes[1:])
            self.assertEqual(sorted(os.listdir(dumps)), [f"{i:03d}_{name}.py" for i, name in enumerate(names)])
            of_folder = read(dumps)
            self.assertEqual([dump["pass"] for dump in of_folder], names)
            self.assertEqual([dump["effective"] for dump in of_folder], [None] + changes[1:])      # nothing stands before the first
            log = os.path.join(folder, "printed.log")
            with open(log, "w", encoding="utf-8") as file:
                file.write(printed.getvalue())
            of_log = read(log)
            self.assertEqual([(dump["pass"], dump["dump"]) for dump in of_log], [(name, when) for name in names for when in ("before", "after")])
            self.assertEqual([dump["effective"] for dump in of_log if dump["dump"] == "after"], changes)

    def test_a_folder_with_other_files_is_not_emptied(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("000_tir.Simplify.py", "my_model.py"):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write("pass\n")
            with contextlib.redirect_stdout(io.StringIO()) as said:
                tvm.instrument.DumpIR(folder, refresh=True)
            self.assertIn("WARNING", said.getvalue())
            self.assertEqual(len(os.listdir(folder)), 2)
            os.remove(os.path.join(folder, "my_model.py"))
            tvm.instrument.DumpIR(folder, refresh=True)
            self.assertEqual(os.listdir(folder), [])

    def test_orders_that_are_known(self):
        analyzer, a, b = tvm.arith.Analyzer(), tir.Var("a", "int32"), tir.Var("b", "int32")
        with analyzer.constraint_scope(a < b):
            self.assertEqual(analyzer.try_compare(a, b), tvm.arith.CompareResult.LT)
        self.assertEqual(analyzer.try_compare(a, b), tvm.arith.CompareResult.UNKNOWN)



class Needs(unittest.TestCase):
    def test_marks_of_tests_with_and_without_brackets(self):
        try:
            import pytest  # noqa: F401  pylint: disable=unused-import
        except ImportError:
            self.skipTest("pytest is not installed")

        def reasons(decorate):
            def test():
                pass

            return [mark.kwargs["reason"] for mark in getattr(decorate(test), "pytestmark", []) if mark.args[0]]

        testing = tvm.testing
        for decorate in (testing.requires_vulkan, testing.requires_vulkan(), testing.requires_vulkan(support_required="compile-only"),
                         testing.Feature.require("vulkan")):
            self.assertEqual(reasons(decorate), ["Need Vulkan"])
        for decorate in (testing.requires_llvm, testing.requires_llvm(), testing.requires_vulkan(support_required="optional"),
                         testing.skip_if_32bit, testing.skip_if_32bit(reason="wide")):
            self.assertEqual(reasons(decorate), [])


if __name__ == "__main__":
    tap.main()
