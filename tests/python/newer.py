"""The names of 2026: programs written with them run, and old lessons and notebooks brought over by the command line give the same."""
import json
import linecache
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import tap
import tvm
import tvm_ffi
from tvm import relax, s_tir, tirx
from tvm.script import ir as I, tirx as T

CLI = os.path.join(os.environ["LS_BUILD_ROOT"], "app/cli/loopscope-cli")
OLD = '''import numpy as np
import tvm
from tvm import tir
from tvm.script import tir as T

@tvm.script.ir_module
class M:
    @T.prim_func
    def main(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8,), "float32")):
        T.func_attr({"tir.noalias": True})
        for i, k in T.grid(8, 4):
            with T.block("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]

sch = tir.Schedule(M)
i, k = sch.get_loops(sch.get_block("B"))
sch.split(i, factors=[None, 4])
lib = tvm.build(sch.mod, target="llvm")
a, b = tvm.nd.array(np.arange(32, dtype="float32").reshape(8, 4)), tvm.nd.empty((8,))
lib["main"](a, b)
print(b.numpy().tolist(), lib.time_evaluator("main", tvm.cpu(), number=1)(a, b).mean > 0)
'''


@I.ir_module(s_tir=True)
class Product:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32")):
        T.func_attr({"tirx.noalias": True})
        D = T.sblock_alloc_buffer((8, 8))
        for i, j, k in T.grid(8, 8, 8):
            with T.sblock("D"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    D[vi, vj] = T.float32(0)
                D[vi, vj] = D[vi, vj] + A[vi, vk] * B[vk, vj]
        for i, j in T.grid(8, 8):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.max(D[vi, vj], T.float32(0))


def migrate(*arguments):
    return subprocess.run([CLI, "migrate", *arguments], capture_output=True, text=True, check=False)


class Names(unittest.TestCase):
    def test_one_module_under_two_names(self):
        import tvm.s_tir.dlight
        import tvm.s_tir.meta_schedule.database
        import tvm.s_tir.schedule.testing
        import tvm.s_tir.tensor_intrin.cuda
        import tvm.s_tir.transform
        import tvm.tirx.stmt_functor

        self.assertIs(tvm.tirx.stmt_functor, tvm.tir.stmt_functor)
        self.assertIs(tvm.s_tir.meta_schedule.database, tvm.meta_schedule.database)
        self.assertIs(s_tir.schedule, tvm.tir.schedule)
        self.assertIs(tvm.s_tir.transform.LoopPartition, tvm.tir.transform.LoopPartition)
        self.assertIs(s_tir.Schedule, tvm.tir.Schedule)
        self.assertIs(s_tir.SBlock, tirx.Block)
        self.assertEqual(tvm.tir.schedule.__spec__.name, "tvm.tir.schedule")
        with self.assertRaises(ModuleNotFoundError):
            import tvm.s_tir.nothing  # noqa: F401

    def test_more_modules(self):
        import tvm.s_tir.script.ir_builder
        import tvm.script.ir_builder.tirx
        from tvm.s_tir import data_layout, sblock_dependence_info, sblock_scope
        from tvm.s_tir.dlight.analysis import get_sblock_info
        from tvm.script.ir_builder import s_tir, tir
        from tvm.tirx.script import ir_builder

        self.assertIs(s_tir, tir)
        self.assertIs(ir_builder, tir)
        self.assertIs(tvm.script.ir_builder.tirx, tir)
        self.assertIs(data_layout, tvm.tir.data_layout)
        self.assertIs(sblock_scope.BlockScope, tvm.tir.BlockScope)
        self.assertIs(sblock_dependence_info.BlockDependenceInfo, tvm.tir.BlockDependenceInfo)
        self.assertIs(get_sblock_info, tvm.dlight.analysis.get_block_info)

    def test_functions_of_their_own_package(self):
        @tvm_ffi.register_global_func("newer.twice", override=True)
        def twice(x):
            return 2 * x

        self.assertEqual(tvm_ffi.get_global_func("newer.twice")(21), 42)
        self.assertIs(tvm_ffi.Tensor, tvm.runtime.Tensor)


class Programs(unittest.TestCase):
    def test_runs(self):
        sch = tvm.s_tir.Schedule(Product)
        _, j, k = sch.get_loops(sch.get_sblock("D", func_name="main"))
        outer, inner = sch.split(j, factors=[None, 4])
        sch.reorder(outer, k, inner)
        sch.vectorize(inner)
        ex = tvm.compile(sch.mod, target="llvm")
        a, b = (np.random.default_rng(n).standard_normal((8, 8)).astype("float32") for n in (1, 2))
        c = tvm.runtime.empty((8, 8), "float32")
        ex.jit()["main"](tvm.runtime.tensor(a), tvm.runtime.tensor(b), c)
        np.testing.assert_allclose(c.numpy(), np.maximum(a @ b, 0), rtol=1e-5, atol=1e-5)
        self.assertEqual(ex.mod.imports, [])

    def test_prints_both(self):
        new, old = Product.script(style="2026"), Product.script()
        for words in ("import tirx as T", "@T.prim_func(s_tir=True)", '"tirx.noalias": True', 'T.sblock("D")', "T.sblock_alloc_buffer((8, 8))"):
            self.assertIn(words, new)
        for words in ("import tir as T", "@T.prim_func\n", '"tir.noalias": T.bool(True)', 'T.block("D")', "T.alloc_buffer((8, 8))"):
            self.assertIn(words, old)
        tvm.ir.assert_structural_equal(tvm.script.from_source(new), tvm.script.from_source(old))

    def test_keys(self):
        func = Product["main"].with_attr("tirx.is_scheduled", 1)
        self.assertIn("tir.is_scheduled", func.attrs)
        self.assertNotIn("tir.is_scheduled", func.without_attr("tirx.is_scheduled").attrs)
        with tvm.transform.PassContext(config={"s_tir.LoopPartition": {"partition_const_loop": True}, "tirx.disable_vectorize": True}) as context:
            self.assertTrue(context.config["tir.disable_vectorize"])
            self.assertIn("tir.LoopPartition", context.config)


class Operators(unittest.TestCase):
    """Operators and modules that TVM has got since v0.20."""

    def test_they_compute(self):
        from tvm import relax
        from tvm.script import relax as R

        @I.ir_module
        class Angles:
            @R.function
            def main(x: R.Tensor((4, 2, 3), "float32"), y: R.Tensor((2, 3), "float32"), n: R.Tensor((2,), "int64"), d: R.Tensor(("a", "b"), "float32")):
                with R.dataflow():
                    turned = R.reverse_sequence(x, n, seq_axis=0, batch_axis=1)
                    angle = R.atan2(x, y)
                    number = R.size(d)
                    R.output(turned, angle, number)
                return (turned, angle, number)

        vm = relax.VirtualMachine(tvm.compile(Angles, "llvm"), tvm.cpu())
        rng = np.random.default_rng(5)
        x, y = rng.standard_normal((4, 2, 3)).astype("float32"), rng.standard_normal((2, 3)).astype("float32")
        turned, angle, number = vm["main"](*[tvm.runtime.tensor(a) for a in (x, y, np.array([2, 3]), np.zeros((5, 7), "float32"))])
        expected = x.copy()
        expected[:2, 0], expected[:3, 1] = x[1::-1, 0], x[2::-1, 1]
        np.testing.assert_array_equal(turned.numpy(), expected)
        np.testing.assert_allclose(angle.numpy(), np.arctan2(x, y), rtol=1e-5)
        self.assertEqual((number.numpy(), number.dtype), (35, "int64"))

    def test_they_refuse(self):
        from tvm import relax
        from tvm.relax.type import TensorType

        def normalized(lengths, **attrs):
            call = relax.op.reverse_sequence(relax.Var("x", TensorType((2, 3), "float32")), relax.Var("n", lengths), **attrs)
            return relax.BlockBuilder().normalize(call)

        self.assertEqual(str(normalized(TensorType((2,), "int32")).struct_info), 'R.Tensor((2, 3), dtype="float32")')
        for lengths, attrs, words in ((TensorType((3,), "int64"), {}, "a length for each of the 2 along batch_axis, not 3"),
                                      (TensorType((2,), "float32"), {}, "whole numbers as seq_lengths"), (TensorType((2, 1), "int64"), {}, "a tensor of one dimension as seq_lengths"),
                                      (TensorType((2,), "int64"), {"seq_axis": 2}, "axis")):
            with self.assertRaisesRegex(tvm.error.TVMError, words):
                normalized(lengths, **attrs)

    def test_graphs_print_both(self):
        from tvm.script import relax as R

        @I.ir_module
        class Graph:
            I.module_global_infos({"vdevice": [R.vdevice("llvm"), R.vdevice("cuda", 1)], "dummy": [R.dummy_global_info()]})

            @T.prim_func(private=True)
            def copy(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
                for i in range(8):
                    B[i] = A[i]

            @R.function
            def main(x: R.Tensor((8,), "float32"), y: R.Any):
                cls = Graph
                z = R.call_tir(cls.copy, (x,), out_ty=R.Tensor((8,), "float32"))
                w = R.call_pure_packed("told", z, y, ty_args=R.Any)
                return w

        self.assertEqual([device.vdevice_id for device in Graph.global_infos["vdevice"]], [0, 1])
        self.assertEqual(len(Graph.global_infos["dummy"]), 1)
        new, old = Graph.script(style="2026"), Graph.script()
        for words, there, gone in (("y: R.Any", new, old), ("out_ty=R.Tensor", new, old), ("ty_args=(R.Any,)", new, old),
                                   ("y: R.Object", old, new), ("out_sinfo=R.Tensor", old, new), ("sinfo_args=(R.Object,)", old, new)):
            self.assertIn(words, there)
            self.assertNotIn(words, gone)
        tvm.ir.assert_structural_equal(tvm.script.from_source(new), tvm.script.from_source(old))

    def test_parameters_that_are_numbers(self):
        from tvm import relax
        from tvm.script import relax as R

        text = """from tvm.script import relax as R, tirx as T

@R.function
def main(n: T.int64, x: R.Tensor([n], "float32"), s: R.Shape([n]), y: R.Tensor([n + 1], "float32"), last: T.bool) -> R.Tensor([n + 1], "float32"):
    return y
"""
        func = tvm.script.from_source(text)
        number, x, s, y, last = func.params
        size = number.struct_info.value
        self.assertTrue(x.ty.shape[0].same_as(size) and s.ty.values[0].same_as(size) and y.ty.shape[0].a.same_as(size))
        self.assertEqual((last.struct_info.dtype, number.name), ("bool", "n"))
        vm = relax.VirtualMachine(tvm.compile(tvm.IRModule({"main": func}), "llvm"), tvm.cpu())
        arrays = [tvm.runtime.tensor(np.arange(k, dtype="float32")) for k in (3, 4)]
        result = vm["main"](3, arrays[0], tvm.runtime.ShapeTuple([3]), arrays[1], True)
        self.assertEqual(result.numpy().tolist(), [0, 1, 2, 3])
        with self.assertRaises(ValueError):
            vm["main"](4, arrays[0], tvm.runtime.ShapeTuple([4]), arrays[1], True)

    def test_variables_with_a_type(self):
        from tvm import relax
        from tvm.relax.type import TensorType

        self.assertEqual(str(relax.Var("x", ty=TensorType((2,), "float32")).ty), 'R.Tensor((2,), dtype="float32")')
        self.assertEqual(tirx.Var("m", ty="int64").dtype, "int64")

    def test_types_under_their_names(self):
        import tvm.relax.type as types
        from tvm import relax

        self.assertIs(types.TensorType, relax.TensorStructInfo)
        self.assertIs(types.AnyType, relax.ObjectStructInfo)
        self.assertEqual(str(types.FuncType([types.ShapeType(ndim=2)], types.TupleType([types.PrimType("int64")]))),
                         'R.Callable((R.Shape(ndim=2),), R.Tuple(R.Prim("int64")), True)')

    def test_what_is_here(self):
        import tvm.testing.env as env

        self.assertTrue(env.has_llvm() and env.has_llvm_min_version(14) and not env.has_llvm_min_version(999))
        self.assertFalse(env.has_cuda() or env.has_cudnn() or env.has_multi_gpu(2) or env.has_cuda_compute(8) or env.has_nvcc_version(11) or env.has_aprofile_aem_fvp())
        self.assertEqual(env.has_x86_amx(), tvm.testing.features.requires_x86_amx.present())
        self.assertEqual(env.has_cpu_feature("no-such-feature"), False)
        with self.assertRaisesRegex(AttributeError, "has_teleport"):
            env.has_teleport()

    def test_functions_in_a_dictionary(self):
        kept = tvm.runtime.convert({"add": lambda a, b: a + b, "number": 3})
        a, b = tirx.Var("a", "float32"), tirx.Var("b", "float32")
        tvm.ir.assert_structural_equal(kept["add"](a, b), tirx.Add(a, b), map_free_vars=True)
        self.assertEqual(kept["number"], 3)


class Migration(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_script_prints_the_same(self):
        path = self.write("old.py", OLD)
        before = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True).stdout
        self.assertEqual(before, "[6.0, 22.0, 38.0, 54.0, 70.0, 86.0, 102.0, 118.0] True\n")
        told = migrate(path)
        self.assertIn("Nothing was written", told.stdout)
        self.assertEqual(self.read(path), OLD)
        self.assertIn("renamed", migrate(path, "--in-place").stdout)
        new = self.read(path)
        for gone in ("tvm.build", "tvm.nd", "get_block", "T.block", "from tvm import tir\n", " tir.Schedule("):
            self.assertNotIn(gone, new)
        self.assertIn("tvm.s_tir.Schedule(", new)
        self.assertEqual(subprocess.run([sys.executable, path], capture_output=True, text=True, check=True).stdout, before)
        self.assertIn("all names are those of 2026", migrate(path).stdout)

    def test_notebook(self):
        cells = [{"cell_type": "markdown", "metadata": {}, "source": ["`tvm.tir.Schedule` in a text stays\n"]},
                 {"cell_type": "code", "execution_count": 3, "metadata": {"id": "é"}, "outputs": [],
                  "source": ["%matplotlib inline\n", "!pip install tvm\n", "import tvm\n", "from tvm import tir\n", "tvm?"]},
                 {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [{"text": ["tir.Schedule"]}], "source": ["%%bash\n", "echo tvm.tir.Schedule"]},
                 {"cell_type": "code", "execution_count": 1.5, "metadata": {}, "outputs": [], "source": "s = tir.Schedule(m)\nx = tir.Var"}]
        text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False) + "\n"
        path = self.write("old.ipynb", text)
        told = json.loads(migrate(path, "--json").stdout)
        self.assertEqual([(place["cell"], place["line"], place["after"]) for place in told["places"]],
                         [(1, 4, "tirx"), (3, 1, "tvm.s_tir.Schedule"), (3, 2, "tirx")])
        self.assertEqual(migrate(path, "--in-place").returncode, 0)
        # only the lines that were renamed are others
        wanted = text.replace('"from tvm import tir\\n"', '"from tvm import tirx\\n"').replace('"s = tir.Schedule(m)\\nx = tir.Var"',
                                                                                             '"s = tvm.s_tir.Schedule(m)\\nx = tirx.Var"')
        self.assertEqual(self.read(path), wanted)

    def test_remarks_like_ours_stay(self):
        for name, text in (("own.py", "import tvm\n#@kept:5\nx = tvm.tir.Var  #@kept:0\n    #@kept:x\n"),
                           ("own.md", "#@kept:9\n```python\nimport tvm\n#@kept:7\nx = tvm.tir.Var\n```\n#@kept:0")):
            path = self.write(name, text)
            self.assertEqual(migrate(path, "--in-place").returncode, 0, name)
            self.assertEqual(self.read(path), text.replace("tvm.tir.", "tvm.tirx."))

    def test_what_is_no_notebook_is_said(self):
        for text, words in (("{", "old.ipynb"), ("[]", 'a list "cells" is expected'),
                            ('{"cells": [{"cell_type": "code", "source": "import tvm.tir", "metadata": ' + "[" * 300000 + "]" * 300000 + "}]}", "nests deeper")):
            told = migrate(self.write("old.ipynb", text))
            self.assertEqual(told.returncode, 1)
            self.assertIn(words, told.stderr)
        cells = [{"cell_type": "code", "source": "import tvm\n"}, {"cell_type": "code", "source": "x = 1\ny = 'open\n"}]
        told = migrate(self.write("old.ipynb", json.dumps({"cells": cells})))
        self.assertEqual(told.returncode, 1)
        self.assertIn("cell 2, line 2, column 5", told.stderr)

    def test_lesson_still_passes(self):
        path = os.path.join(self.folder.name, "new.md")
        self.assertIn("renamed", migrate(os.path.join(os.environ["LS_SOURCE_ROOT"], "lessons/04-primitives.en.md"), "-o", path).stdout)
        self.assertIn("get_sblock", self.read(path))
        checked = subprocess.run([CLI, "lesson", "check", path, "--no-jail"], capture_output=True, text=True, check=False)
        self.assertIn(" 0 failed", checked.stdout, checked.stdout + checked.stderr)


SCRIPT = '''
from tvm.script import ir as I, relax as R, s_tir as Ts, tirx as T

n = T.dynamic("n")
m = I.dynamic("m", "int32")

@I.ir_module(s_tir=True)
class M:
    @Ts.prim_func(private=True)
    def f(A: T.Buffer((n, 4), "float32"), B: T.Tensor((n, 4), "float32")):
        T.func_attr({"tirx.noalias": True})
        C = Ts.sblock_alloc_buffer((n, 4), "float32")
        for i, j in T.grid(n, 4):
            with Ts.sblock("C"):
                vi, vj = Ts.axis.remap("SS", [i, j])
                Ts.reads(A[vi, vj])
                Ts.writes(C[vi, vj])
                C[vi, vj] = A[vi, vj] + T.float32(1)
        for i, j in T.grid(n, 4):
            with Ts.sblock("B"):
                vi, vj = Ts.axis.remap("SS", [i, j])
                B[vi, vj] = C[vi, vj] * T.float32(2)

    @R.function
    def main(a: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
        cls = M
        with R.dataflow():
            lv = R.call_tir(cls.f, (a,), out_ty=R.Tensor((n, 4), dtype="float32"))
            R.output(lv)
        return lv

@Ts.function
def g(A: T.Tensor((m, 8), "float32"), B: T.Tensor((m, 8), "float32")):
    for i, j in T.grid(m, 8):
        with Ts.sblock("b"):
            vi, vj = Ts.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(3)

@R.function(pure=False)
def h(x: R.Tensor((4,), "float32")):
    y = R.call_packed("a.b", x, ty_args=R.Tensor((4,), "float32"))
    z = R.call_dps_packed("c.d", (y,), out_ty=R.Tensor((4,), "float32"))
    return z
'''


class LateIn2026(unittest.TestCase):
    """Struct infos are types, what schedules has a name of its own in scripts, free extents are made outside."""

    def test_a_script(self):
        space = {}
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(SCRIPT)
            file.flush()
            linecache.checkcache(file.name)
            exec(compile(SCRIPT, file.name, "exec"), space)
            x = np.arange(12, dtype="float32").reshape(3, 4)
            out = relax.VirtualMachine(tvm.compile(space["M"], "llvm"), tvm.cpu())["main"](tvm.runtime.tensor(x))
            np.testing.assert_array_equal(out.numpy(), (x + 1) * 2)
            b = tvm.runtime.empty((5, 8), "float32")
            tvm.compile(space["g"], "llvm")(tvm.runtime.tensor(np.ones((5, 8), "float32")), b)
            np.testing.assert_array_equal(b.numpy(), np.full((5, 8), 3, "float32"))
            text = space["h"].script()
            self.assertIn('sinfo_args=(R.Tensor((4,), dtype="float32"),)', text)
            self.assertIn('out_sinfo=R.Tensor((4,), dtype="float32")', text)

    def test_texts(self):
        """What stands outside of functions, and T.Call with its operator first."""
        func = tvm.script.from_source('''
n = T.dynamic("n")
k = I.dynamic("k", dtype="int32")

@Ts.prim_func
def f(A: T.Buffer((n, 4), "float32"), B: T.Buffer((k + 1, k), "float32")):
    for i in range(n):
        with Ts.sblock("A"):
            v0 = Ts.axis.spatial(n, i)
            A[v0, 0] = T.Call("tirx.exp", [A[v0, 1]], ret_ty="float32") + T.Call("float32", "tir.exp", [A[v0, 2]])
    T.evaluate(k)
''')
        text = func.script()
        for part in ("n = T.int64()", "k = T.int32()", "(n, 4)", "(k + 1, k)", "T.exp(A[v0, 1]) + T.exp(A[v0, 2])"):
            self.assertIn(part, text)
        with self.assertRaisesRegex(tvm.error.DiagnosticError, "T.Call needs a type, an operator and its arguments"):
            tvm.script.from_source("@T.prim_func\ndef f(A: T.Buffer((4,), 'float32')):\n    A[0] = T.Call('tir.exp', [A[1]])\n")
        text = tvm.script.from_source('''
@R.function(pure=False)
def f() -> R.Tuple(R.Any, R.Any()):
    a = R.call_packed("get_item", R.prim_value(0), ty_args=[R.Any])
    b = R.call_pure_packed("get_item", R.prim_value(1), ty_args=[R.Any()])
    return (a, b)
''').script()
        self.assertIn("R.Tuple(R.Object, R.Object)", text)
        self.assertEqual(tvm.ir.Op.get("tirx.exp"), tvm.ir.Op.get("tir.exp"))

    def test_calls_and_types(self):
        kind = relax.TensorType((4,), "float32")
        x = relax.Var("x", kind)
        self.assertEqual(x.ty.dtype, "float32")
        gvar = tvm.ir.GlobalVar("k")
        for call in (relax.call_tir(gvar, [x], out_ty=kind), relax.call_dps_packed("k", [x], out_ty=kind), relax.op.call_tir_inplace(gvar, [x], [0], out_ty=kind),
                     relax.op.call_tir_with_grad(gvar, [x], out_ty=kind, te_grad_name="g"), relax.Call(relax.ExternFunc("k"), [x], ty_args=[kind])):
            self.assertEqual([str(info) for info in call.ty_args], ['R.Tensor((4,), dtype="float32")'])
        self.assertEqual(str(relax.ShapeType([1, 2])), "R.Shape([1, 2])")
        self.assertEqual(str(relax.TupleType([kind, relax.AnyType()])), 'R.Tuple(R.Tensor((4,), dtype="float32"), R.Object)')
        self.assertEqual(str(relax.FuncType([kind], kind)), 'R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)')
        self.assertIsInstance(relax.TupleType([relax.DynTensorType(2)]), relax.TupleType)
        self.assertEqual(relax.Var("n", tvm.ir.PrimType("int64")).ty.dtype, "int64")
        func = relax.Function([x], relax.SeqExpr([], x), ret_ty=kind)
        tvm.ir.assert_structural_equal(func.ret_ty, kind)
        with self.assertRaises(TypeError):
            relax.call_tir(gvar, [x])


class Functors(unittest.TestCase):
    """Visitors and mutators of TensorIR that programs write."""

    def test_methods_of_kinds(self):
        from tvm.tirx import PyStmtExprVisitor, functor

        @functor.visitor
        class Names(PyStmtExprVisitor):
            def __init__(self):
                super().__init__()
                self.seen = []

            def visit_var_(self, op):
                self.seen.append(op.name)

            def visit_for_(self, op):
                self.seen.append("loop")
                super().visit_for_(op)

            def visit_buffer_store_(self, op):
                self.seen.append("store")
                self.visit_expr(op.value)

        names = Names()
        names.visit_stmt(Product["main"].body)
        self.assertEqual([name for name in names.seen if name in ("loop", "store")], ["loop"] * 3 + ["store"] * 2 + ["loop"] * 2 + ["store"])
        self.assertIs(names._outer(), names)
        with self.assertRaises(TypeError):
            names.visit_stmt(tirx.Var("x", "int32"))
        with self.assertRaises(TypeError):
            functor.mutator(Names)

    def test_parts_that_change(self):
        from tvm.tirx import PyStmtExprMutator

        class Numbers(PyStmtExprMutator):
            def visit_var_(self, op):
                return tirx.IntImm("int32", 3) if op.name == "n" else op

            def visit_add_(self, op):
                return tirx.Sub(self.visit_expr(op.a), self.visit_expr(op.b))

        i, n = tirx.Var("i", "int32"), tirx.Var("n", "int32")
        loop = tirx.For(i, tirx.IntImm("int32", 0), n, tirx.ForKind.SERIAL, tirx.Evaluate(tirx.Add(i, n)))
        after = Numbers().visit_stmt(loop)
        self.assertEqual((int(after.extent), str(after.body.value), after.loop_var.same_as(i)), (3, "i - 3", True))
        same = tirx.Evaluate(tirx.Mul(i, i))
        self.assertTrue(Numbers().visit_stmt(same).same_as(same))

        class Renamed(PyStmtExprMutator):
            def visit_var_(self, op):
                return tirx.Var("other", "int32") if op.same_as(i) else op

        self.assertTrue(Renamed().visit_stmt(loop).loop_var.same_as(i))        # where it is defined it is no part


if __name__ == "__main__":
    tap.main()
