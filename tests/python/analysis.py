"""Questions about Relax programs, help for tests, variables of which nothing was said, operators that are looked at late."""
import contextlib
import io
import unittest

import tap
import tvm
from tvm import relax, tir
from tvm.relax import analysis
from tvm.relax.analysis import BaseCheckResult as Result
from tvm.script import ir as I, relax as R, tir as T


def info(*args, **kwargs):
    return relax.TensorStructInfo(*args, **kwargs)


def module_of(blocks, params, result=None, **attrs):
    result = blocks[-1].bindings[-1].var if result is None else result
    func = relax.Function(params, relax.SeqExpr(blocks, result), relax.ObjectStructInfo())
    return tvm.IRModule({"main": func.with_attrs({"global_symbol": "main", **attrs})})


def is_good(obj):
    with contextlib.redirect_stderr(io.StringIO()) as said:
        good = analysis.well_formed(obj)
    return good, said.getvalue()


class WellFormed(unittest.TestCase):
    def setUp(self):
        self.x = relax.Var("x", info((4,), "float32"))

    def test_every_variable_is_bound_once(self):
        y, z = relax.Var("y", info((4,), "float32")), relax.Var("z", info((4,), "float32"))
        self.assertFalse(is_good(module_of([relax.BindingBlock([relax.VarBinding(z, relax.op.add(self.x, y))])], [self.x]))[0])
        twice = [relax.VarBinding(y, relax.op.exp(self.x)), relax.VarBinding(y, relax.op.abs(self.x))]
        self.assertFalse(is_good(module_of([relax.BindingBlock(twice)], [self.x]))[0])

    def test_effects_are_named(self):
        y = relax.DataflowVar("y")
        block = relax.DataflowBlock([relax.VarBinding(y, relax.op.print(self.x, format="{}"))])
        good, said = is_good(relax.transform.Normalize()(module_of([block], [self.x], self.x, **{"relax.force_pure": True})))
        self.assertFalse(good)
        self.assertIn("R.print", said)

    def test_a_symbol_has_one_function(self):
        n = tir.Var("n", "int64")
        bb = relax.BlockBuilder()
        for name in ("one", "two"):
            a = relax.Var("a", info((n, 3), "float32"))
            with bb.function(name, [a]):
                bb.emit_func_output(a)
        self.assertFalse(is_good(bb.get())[0])

    def test_functions_of_tensorir_get_what_they_take(self):
        @T.prim_func(private=True)
        def flat(a: T.handle, b: T.handle):
            m, n = T.int64(), T.int64()
            A = T.match_buffer(a, (m, n), "float16")
            B = T.match_buffer(b, (m * n,), "float16")
            for i in range(m * n):
                with T.block("B"):
                    v = T.axis.spatial(m * n, i)
                    B[v] = A[v // n, v % n]

        for shape, dtype, result, fine in (((8, 4), "float16", (32,), True), ((8, 4), "float16", (64,), False), ((8, 4), "float32", (32,), False),
                                           ((8,), "float16", (8,), False), ((8, 4), "float16", (4, 8), False)):
            bb = relax.BlockBuilder()
            a = relax.Var("a", info(shape, dtype))
            gv = bb.add_func(flat, "flat")
            with bb.function("main", [a]):
                bb.emit_func_output(bb.emit(relax.op.call_tir(gv, a, out_sinfo=info(result, "float16"))))
            self.assertEqual(is_good(bb.get())[0], fine, (shape, dtype, result))

    def test_a_result_may_overwrite_an_argument(self):
        def module(extent):
            @I.ir_module(check_well_formed=False)
            class Module:
                @T.prim_func(private=True)
                def twice(A: T.Buffer((16,), "float32")):
                    for i in range(16):
                        with T.block("A"):
                            v = T.axis.spatial(16, i)
                            A[v] = A[v] * T.float32(2)

                @R.function
                def main(x: R.Tensor((16,), "float32")):
                    y = R.call_tir_inplace(Module.twice, (x,), inplace_indices=[0], out_sinfo=R.Tensor((extent,), "float32"))
                    return y

            return Module

        self.assertTrue(is_good(module(16))[0])
        self.assertFalse(is_good(module(8))[0])

    def test_one_function(self):
        @R.function
        def func(x: R.Tensor((4,), "float32")):
            return R.exp(x)

        self.assertTrue(is_good(func)[0])


class StructInfos(unittest.TestCase):
    def test_base_check(self):
        n = tir.Var("n", "int64")
        for base, derived, answer in (
                (relax.ObjectStructInfo(), info((2,)), Result.PASS), (info((2,)), relax.ObjectStructInfo(), Result.FAIL_L1),
                (info((2, n)), info((2, 3)), Result.FAIL_L2), (info((2, n)), info((2, n)), Result.PASS), (info((2, 4)), info((2, 3)), Result.FAIL_L0),
                (info(ndim=2), info((2, 3)), Result.PASS), (info((2, 3)), info(ndim=2), Result.FAIL_L2), (info(ndim=1), info((2, 3)), Result.FAIL_L0),
                (relax.ShapeStructInfo(ndim=2), relax.ShapeStructInfo(), Result.FAIL_L1), (relax.PrimStructInfo("int64"), info((2,)), Result.FAIL_L0)):
            self.assertEqual(analysis.struct_info_base_check(base, derived), answer, (base, derived))

    def test_erase(self):
        n, m = tir.Var("n", "int64"), tir.Var("m", "int64")
        tvm.ir.assert_structural_equal(analysis.erase_to_well_defined(info((n, m)), {n: n}), info(ndim=2))
        tvm.ir.assert_structural_equal(analysis.erase_to_well_defined(info((n, m + 1)), {n: 2, m: 3}), info((2, 4)))

    def test_what_a_call_gives(self):
        n = tir.Var("n", "int64")
        signature = relax.FuncStructInfo([info((n,))], info((n, n)))
        call = lambda x: relax.Call(relax.GlobalVar("f"), [relax.Var("x", x)])  # noqa: E731
        tvm.ir.assert_structural_equal(analysis.derive_call_ret_struct_info(signature, call(info((5,)))), info((5, 5)))
        with self.assertRaises(tvm.TVMError):
            analysis.derive_call_ret_struct_info(signature, call(relax.ObjectStructInfo()))

    def test_static_types(self):
        tvm.ir.assert_structural_equal(analysis.get_static_type(relax.TupleStructInfo([info((2, 3), "int64"), relax.ShapeStructInfo(ndim=2)])),
                                       relax.TupleType([relax.TensorType(2, "int64"), relax.ShapeType(2)]))

    def test_dimensions_are_int64(self):
        with self.assertRaisesRegex(tvm.TVMError, "can only have dtype of int64"):
            relax.ShapeExpr([tir.Var("n", "float32")])

    def test_the_dimensions_of_a_shape_are_counted(self):
        self.assertEqual(info(relax.Var("s", relax.ShapeStructInfo(ndim=3))).ndim, 3)
        with self.assertRaises(tvm.TVMError):
            relax.ShapeStructInfo(ndim=-2)


class Calls(unittest.TestCase):
    def test_operators_are_looked_at_when_they_are_normalized(self):
        call = relax.op.add(relax.Var("x", info((2,))), relax.Var("y", info((3,))))
        self.assertIsNone(call.struct_info_)
        bb = relax.BlockBuilder()
        with self.assertRaises(tvm.TVMError):
            bb.normalize(call)
        self.assertEqual(bb.normalize(relax.op.exp(relax.Var("x", info((2,))))).struct_info, info((2,)))

    def test_variables_learn_from_their_values(self):
        x, y = relax.Var("x", info((2,))), relax.Var("y")
        self.assertIsNone(y.struct_info_)
        relax.transform.Normalize()(module_of([relax.BindingBlock([relax.VarBinding(y, relax.op.exp(x))])], [x]))
        self.assertEqual(y.struct_info, info((2,)))

    def test_rules(self):
        bb = relax.BlockBuilder()
        shape = relax.Var("s", relax.ShapeStructInfo((3, 2)))
        x, scalar = relax.Var("x", info((2, 3))), relax.Var("v", info((), "float32", tvm.ir.VDevice("llvm")))
        self.assertEqual(bb.normalize(relax.op.reshape(x, shape)).struct_info, info((3, 2)))
        self.assertEqual(bb.normalize(relax.op.full((2,), scalar)).struct_info, info((2,), "float32", tvm.ir.VDevice("llvm")))
        for make in (lambda: relax.op.reshape(x, (-2, -3)), lambda: relax.op.full((2,), relax.Var("v", info(ndim=-1))), lambda: relax.op.full_like(x, x)):
            with self.assertRaises(tvm.TVMError):
                bb.normalize(make())
        with self.assertRaises(TypeError):
            relax.op.nn.softmax(x, axis=[0, 1])

    def test_branches_are_sequences(self):
        cond, x = relax.Var("c", info((), "bool")), relax.Var("x", info((2,)))
        self.assertIsInstance(relax.If(cond, x, x).true_branch, relax.SeqExpr)


class Usage(unittest.TestCase):
    def test_recursion(self):
        @I.ir_module
        class Module:
            @R.function
            def a(x: R.Object) -> R.Object:
                return Module.b(x)

            @R.function
            def b(x: R.Object) -> R.Object:
                return Module.a(x)

            @R.function
            def c(x: R.Object) -> R.Object:
                return Module.c(x)

            @R.function
            def d(x: R.Object) -> R.Object:
                return Module.c(x)

        self.assertEqual([[v.name_hint for v in group] for group in analysis.detect_recursion(Module)], [["a", "b"], ["c"]])

    def test_effects(self):
        @R.function(pure=False)
        def main(x: R.Tensor((2,), "float32")):
            _ = R.print(x, format="{}")
            return x

        self.assertTrue(analysis.contains_impure_call(main))

    def test_reshapes_are_seen(self):
        @T.prim_func
        def reshape(A: T.Buffer((2, 6), "float32"), B: T.Buffer((3, 4), "float32")):
            for i, j in T.grid(3, 4):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[(vi * 4 + vj) // 6, (vi * 4 + vj) % 6]

        self.assertTrue(analysis.has_reshape_pattern(reshape))


class Testing(unittest.TestCase):
    def test_what_is_absent_is_skipped(self):
        from tvm import testing

        self.assertFalse(testing.requires_cuda.present())
        self.assertTrue(testing.requires_llvm.present())

    def test_instrument(self):
        from tvm.relax.ir.instrument import WellFormedInstrument

        x, y = relax.Var("x", info((4,))), relax.Var("y", info((4,)))
        mod = module_of([relax.BindingBlock([relax.VarBinding(relax.Var("z", info((4,))), relax.op.add(x, y))])], [x])
        with tvm.transform.PassContext(instruments=[WellFormedInstrument()]):
            with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()), self.assertRaises(AssertionError):
                relax.transform.DeadCodeElimination()(mod)


TESTS = '''
import pytest
import tvm
import tvm.testing
from tvm.script import tir as T

number, word = tvm.testing.parameters((1, "one"), (2, "two"))


class TestOne:
    other = tvm.testing.parameter(3, 4)

    def test_sets_belong_together(self, number, word, other):
        assert {1: "one", 2: "two"}[number] == word and other in (3, 4)


def test_target(target, dev):
    assert target == "llvm" and dev == tvm.cpu(0)


@tvm.testing.parametrize_targets("llvm", "cuda")
def test_targets(target, dev):
    assert target == "llvm"


@tvm.testing.requires_cuda
def test_absent():
    raise AssertionError


class TestSimplify(tvm.testing.CompareBeforeAfter):
    transform = tvm.tir.transform.Simplify()

    def before(A: T.Buffer(1, "int32")):
        A[0] = T.int32(1) + 2

    def expected(A: T.Buffer(1, "int32")):
        A[0] = 3


class TestClasses(tvm.testing.CompareBeforeAfter):
    transform = tvm.tir.transform.Simplify()

    class Before:
        def main(A: T.Buffer(1, "int32")):
            A[0] = T.int32(1) + 2

        @T.prim_func
        def other(A: T.Buffer(1, "int32")):
            A[0] = 5

    class Expected:
        def main(A: T.Buffer(1, "int32")):
            A[0] = 3

        def other(A: T.Buffer(1, "int32")):
            A[0] = 5


class TestFunctionIsMain(tvm.testing.CompareBeforeAfter):
    def transform(self):
        def rename(mod):
            return tvm.IRModule({"main": mod["main"].with_attr("global_symbol", "other")})

        return rename

    def before(A: T.Buffer(1, "int32")):
        A[0] = 3

    expected = before


class TestRefused(tvm.testing.CompareBeforeAfter):
    def transform(self):
        def refuse(mod):
            raise ValueError

        return refuse

    def before(A: T.Buffer(1, "int32")):
        A[0] = 3

    expected = ValueError


@pytest.mark.xfail(strict=True)
class TestReadLate(tvm.testing.CompareBeforeAfter):
    transform = tvm.tir.transform.Simplify()

    def before():
        T.no_such_name()

    expected = before
'''


class Pytest(unittest.TestCase):
    def test_plugin(self):
        import importlib.util
        import os
        import subprocess
        import sys
        import tempfile

        if importlib.util.find_spec("pytest") is None:
            self.skipTest("pytest is not installed")
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("conftest.py", 'pytest_plugins = ["tvm.testing.plugin"]\n'), ("test_all.py", TESTS)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            env = dict(os.environ)
            done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder], capture_output=True, text=True, env=env, check=False)
            self.assertIn("10 passed, 2 skipped, 1 xfailed", done.stdout, done.stdout + done.stderr)


class Layouts(unittest.TestCase):
    """What a wanted layout of the output asks of blocks and inputs."""

    @staticmethod
    def after(func, *maps):
        sch = tvm.tir.Schedule(func)
        for block, found in relax.analysis.suggest_layout_transforms(func, list(maps)).items():
            for what, index_map in found.items():
                if isinstance(what, tvm.tir.Block):
                    sch.transform_block_layout(what.name_hint, index_map)
                else:
                    sch.transform_layout(block.name_hint, what, index_map)
        return sch.mod["main"]

    def test_inputs_follow(self):
        @T.prim_func(private=True)
        def before(a: T.Buffer((8, 12, 5), "float32"), b: T.Buffer((12, 5), "float32"), c: T.Buffer((8, 12, 5), "float32")):
            for i, j, k in T.grid(8, 12, 5):
                with T.block("add"):
                    vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                    c[vi, vj, vk] = a[vi, vj, vk] + b[vj, vk]

        @T.prim_func(private=True)
        def expected(a: T.Buffer((8, 5, 3, 4), "float32"), b: T.Buffer((5, 3, 4), "float32"), c: T.Buffer((8, 5, 3, 4), "float32")):
            for i, j, k, l in T.grid(8, 5, 3, 4):
                with T.block("add"):
                    vi, vj, vk, vl = T.axis.remap("SSSS", [i, j, k, l])
                    c[vi, vj, vk, vl] = a[vi, vj, vk, vl] + b[vj, vk, vl]

        tvm.ir.assert_structural_equal(self.after(before, lambda n, c, w: (n, w, c // 4, c % 4)), expected)

    def test_reductions_stay(self):
        @T.prim_func(private=True)
        def before(a: T.Buffer((4, 9, 6), "float32"), c: T.Buffer((4, 6), "float32")):
            for i, k, j in T.grid(4, 9, 6):
                with T.block("sum"):
                    vi, vk, vj = T.axis.remap("SRS", [i, k, j])
                    with T.init():
                        c[vi, vj] = T.float32(0)
                    c[vi, vj] = c[vi, vj] + a[vi, vk, vj]

        @T.prim_func(private=True)
        def expected(a: T.Buffer((4, 9, 3, 2), "float32"), c: T.Buffer((4, 3, 2), "float32")):
            for i, k, j, l in T.grid(4, 9, 3, 2):
                with T.block("sum"):
                    vi, vk, vj, vl = T.axis.remap("SRSS", [i, k, j, l])
                    with T.init():
                        c[vi, vj, vl] = T.float32(0)
                    c[vi, vj, vl] = c[vi, vj, vl] + a[vi, vk, vj, vl]

        tvm.ir.assert_structural_equal(self.after(before, lambda n, c: (n, c // 2, c % 2)), expected)

    def test_what_cannot_follow(self):
        @T.prim_func(private=True)
        def func(a: T.Buffer((4, 6), "float32"), c: T.Buffer((24,), "float32")):
            for i, j in T.grid(4, 6):
                with T.block("flat"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    c[vi * 6 + vj] = a[vi, vj]

        self.assertEqual(relax.analysis.suggest_layout_transforms(func, [lambda i: (i // 6, i % 6)]), {})
        with self.assertRaisesRegex(tvm.TVMError, "Mismatch between output buffer shape and index map"):
            relax.analysis.suggest_layout_transforms(func, [lambda i, j: (j, i)])
        with self.assertRaisesRegex(tvm.TVMError, "Incompatible PrimFunc"):
            relax.analysis.suggest_layout_transforms(func, [lambda i: i] * 3)
        with self.assertRaises(AssertionError):
            relax.analysis.suggest_layout_transforms(func, [1])


class Told(unittest.TestCase):
    """What struct infos and functions say."""

    def test_common_info_forgets_devices_and_keeps_parameters(self):
        plain, there = relax.TensorStructInfo((2, 3), "float32"), relax.TensorStructInfo((2, 3), "float32", tvm.ir.VDevice("llvm"))
        for a, b in ((plain, there), (there, plain)):
            tvm.ir.assert_structural_equal(relax.analysis.struct_info_lca(a, b), plain)

        def function(c):
            n = tir.Var("n", "int64")
            return relax.FuncStructInfo([relax.TensorStructInfo([c, n], "float32")], relax.TensorStructInfo([n], "float32"))

        common = relax.FuncStructInfo([relax.TensorStructInfo(ndim=2, dtype="float32")], relax.TensorStructInfo(ndim=1, dtype="float32"))
        tvm.ir.assert_structural_equal(relax.analysis.struct_info_lca(function(1), function(2)), common)
        self.assertEqual([v.name for v in relax.analysis.definable_tir_vars_in_struct_info(function(1))], ["n"])

    def test_ragged_rows_are_a_reshape(self):
        @T.prim_func
        def rows(A: T.Buffer((20, 6), "float32"), ends: T.Buffer((5,), "int32"), B: T.Buffer((20, 2, 3), "float32")):
            for b in T.serial(4):
                with T.block("outer"):
                    vb = T.axis.spatial(4, b)
                    for i in T.serial(ends[vb + 1] - ends[vb]):
                        for j, k in T.grid(2, 3):
                            with T.block("inner"):
                                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                                B[ends[vb] + vi, vj, vk] = A[ends[vb] + vi, vj * 3 + vk]

        self.assertTrue(relax.analysis.has_reshape_pattern(rows))

    def test_work_on_memory_is_kept(self):
        @I.ir_module
        class Module:
            @T.prim_func(private=True)
            def fill(A: T.handle, n: T.int64):
                T.evaluate(0)

            @R.function(pure=False)
            def main(x: R.Tensor(("n",), "float32")):
                n = T.int64()
                cls = Module
                unused = R.add(x, x)
                storage = R.memory.alloc_storage((n * 4,), 0, "global", "float32")
                tensor = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n]), "float32")
                R.vm.call_tir_dyn(cls.fill, (tensor, R.shape([n])))
                R.memory.kill_storage(storage)
                return x

        text = relax.analysis.remove_all_unused(Module["main"]).script()
        for word in ("alloc_storage", "alloc_tensor", "call_tir_dyn", "kill_storage"):
            self.assertIn(word, text)
        self.assertNotIn("unused", text)

    def test_dimensions_of_a_signature(self):
        @R.function
        def f(a: R.Tensor(["m", "n - 2"]), b: R.Shape(["n"])):
            return R.tuple()

        found = relax.analysis.collect_non_negative_expressions(f.struct_info)
        self.assertEqual([str(x) for x in found], ["m", "n - T.int64(2)", "n"])

    def test_kinds_of_annotations(self):
        self.assertIsInstance(R.Tensor((1,), "float32"), tvm.script.parser.relax.entry.StructInfoProxy)
        self.assertIsNone(relax.Var("v")._checked_type_)


if __name__ == "__main__":
    tap.main()
