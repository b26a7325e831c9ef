"""Relax in scripts: constants of arrays and lists, operators of Python, fields of tuples, what is refused."""
import unittest

import numpy as np
import tap
import tvm
from tvm import relax
from tvm.script import ir as I, relax as R, tir as T


class Values(unittest.TestCase):
    def back(self, func):
        tvm.ir.assert_structural_equal(func, tvm.script.from_source(func.script(show_meta=True)))

    def test_constants(self):
        data = np.arange(6, dtype="float32").reshape(2, 3)

        @R.function
        def main(x: R.Tensor((2, 3), "float32")):
            y = R.add(x, R.const(data))
            z = R.add(y, R.const([[1.0, 2.0, 3.0]], "float32"))
            return z

        first, second = [binding.value.args[1] for binding in main.body.blocks[0].bindings]
        self.assertTrue((first.data.numpy() == data).all())
        self.assertEqual(second.data.numpy().tolist(), [[1, 2, 3]])
        self.back(main)

    def test_arrays_in_a_type(self):
        data = {"float64": np.array([0.5, -2.5, 1e300]), "int64": np.array([-1, 0, 300]), "bool": np.array([True, False, True]), "uint8": np.array([255, 0, 7], "uint8"),
                "float16": np.array([0.1, -1, 65504], "float16")}
        for (source, array), dtype in ((pair, dtype) for pair in data.items() for dtype in ("float32", "float64", "float16", "int8", "int64", "uint8", "bool")):
            @R.function
            def main():
                return relax.const(array, dtype=dtype)

            with np.errstate(all="ignore"):
                wanted = array.astype(dtype)
            if source.startswith("float") and not dtype.startswith("float") and dtype != "bool":
                continue
            value = main.body.body if hasattr(main.body, "body") else main.body
            self.assertEqual((value.data.dtype, value.data.numpy().tolist()), (dtype, wanted.tolist()), (source, dtype))

    def test_lists_are_even(self):
        with self.assertRaises(tvm.error.DiagnosticError):
            @R.function
            def main(x: R.Tensor((2,), "float32")):
                return R.add(x, R.const([[1.0], [2.0, 3.0]]))

    def test_operators(self):
        @R.function
        def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
            a = -x
            b = a < y
            c = a >= y
            d = (b, c)
            e = R.TupleGetItem(d, 1)
            return e

        ops = [binding.value.op.name for binding in main.body.blocks[0].bindings[:3]]
        self.assertEqual(ops, ["relax.negative", "relax.less", "relax.greater_equal"])
        self.back(main)

    def test_annotations_of_names(self):
        @R.function
        def main(x: R.Tensor((2,), "float32")):
            y: R.Object = x
            z: R.Object = R.exp(x)
            return (y, z)

        first, second = [binding.var.struct_info for binding in main.body.blocks[0].bindings[:2]]
        self.assertEqual((first, second), (relax.TensorStructInfo((2,)), relax.ObjectStructInfo()))

    def test_calls_by_position(self):
        @R.function(pure=False)
        def main(x: R.Tensor((4, 4), "float32")) -> R.Tensor((4, 4), dtype=None):
            a = R.builtin.alloc_tensor(R.shape([4, 4]), runtime_device_index=0, dtype="float32")
            s = R.memory.alloc_storage(R.shape([64]), virtual_device_index=0, storage_scope="global", dtype="float32")
            b = R.call_packed("some", a, s, sinfo_args=[R.Object()])
            _ = R.print(b, format="{}")
            return x

        self.back(main)

    def test_one_name_on_the_left(self):
        with self.assertRaises(tvm.error.DiagnosticError):
            @R.function
            def main(x: R.Tensor((2,), "float32")):
                a = b = R.exp(x)
                return a


class Macros(unittest.TestCase):
    def test_bodies_are_put_where_they_are_called(self):
        n = 3

        @T.macro
        def own(A, i):
            A[i] = A[i] + n

        @T.macro(hygienic=False)
        def theirs(A, i):
            A[i] = A[i] + n

        @T.macro
        def loop(A, count, offset=1):
            for i in range(count):
                own(A, i + offset)

        @T.prim_func(private=True)
        def called(A: T.Buffer((8,), "int32"), n: T.int32):
            loop(A, 4, offset=2)
            theirs(A, 2)

        @T.prim_func(private=True)
        def written(A: T.Buffer((8,), "int32"), n: T.int32):
            for i in range(4):
                A[i + 2] = A[i + 2] + 3
            A[2] = A[2] + n

        tvm.ir.assert_structural_equal(called, written)

    def test_results(self):
        @R.macro(hygienic=False)
        def twice(x):
            y = R.exp(x)
            return R.add(y, y)

        @R.function(private=True)
        def called(x: R.Tensor((2,), "float32")):
            z = twice(x)
            return z

        @R.function(private=True)
        def written(x: R.Tensor((2,), "float32")):
            y = R.exp(x)
            z = R.add(y, y)
            return z

        tvm.ir.assert_structural_equal(called, written)

    def test_variables_stay_inside(self):
        k = R.prim_value(2)

        @R.macro(hygienic=True)
        def sized(x):
            y = R.builtin.alloc_tensor(R.shape([4]), runtime_device_index=k, dtype="float32")
            return R.add(x, y)

        k = R.prim_value(1)

        @R.function(private=True)
        def called(x: R.Tensor((4,), "float32")):
            z = sized(x)
            return z

        self.assertIn("R.prim_value(2)", called.script())
        with self.assertRaisesRegex(tvm.error.DiagnosticError, "`y`"):
            @R.function(private=True)
            def leaking(x: R.Tensor((4,), "float32")):
                z = sized(x)
                return y  # noqa: F821


class Statements(unittest.TestCase):
    def same(self, value):
        again = tvm.script.from_source(value.script(show_meta=True))
        tvm.ir.assert_structural_equal(value, again)

    def refused(self, text, words):
        with self.assertRaisesRegex(tvm.error.DiagnosticError, words):
            tvm.script.from_source(text)

    def test_nothing_is_the_empty_tuple(self):
        @I.ir_module
        class Module:
            @R.function(pure=False)
            def main(x: R.Tensor((), "int32"), c: R.Tensor((), "bool")) -> R.Tuple(R.Tensor((), "int32"), R.Tuple()):
                a = R.print(x, format="{}")
                b = Module.nothing(x)
                if c:
                    R.print(x, format="yes {}")
                else:
                    R.print(x, format="no {}")
                return (x, b)

            @R.function
            def nothing(x: R.Tensor((), "int32")) -> None:
                y = R.add(x, x)
                return y

        self.same(Module)
        self.assertIn("return (x, R.tuple())", Module.script())

    def test_values_are_given_to_variables(self):
        self.refused("@R.function\ndef f(x: R.Tensor((2,), 'float32')):\n  R.add(x, x)\n  return x\n", "no variable")
        self.refused("@R.function\ndef f(x: R.Tensor((2,), 'float32')):\n  with R.dataflow():\n    y = R.add(x, x)\n    R.output(y)\n    R.output(y)\n"
                     "  return y\n", "at the end")
        self.refused("@R.function(private=True)\ndef f(x: R.Tensor((2,), 'float32')):\n  R.func_attr({'global_symbol': 'f'})\n  return x\n", "private")

    def test_dimensions_are_whole_and_given(self):
        self.refused("@R.function\ndef f(x: R.Tensor(('n + 1', 'n * 2'), 'float32')):\n  return x\n", "`n`")
        self.refused("@R.function\ndef f(x: R.Tensor(('m', 'n'), 'float32')):\n  m = T.int64()\n  n = T.int32()\n"
                     "  y = R.call_dps_packed('g', x, R.Tensor((m, n), 'float32'))\n  return y\n", "int64")

        @R.function
        def later(x: R.Tensor(("n + 1",), "float32"), y: R.Tensor(("n", 1), "float32"), z: R.Tensor(("k * 2",), "float32"), s: R.Shape(["k"])):
            return R.add(x, y)

        self.same(later)

    def test_what_a_value_knows(self):
        @R.function(private=True)
        def f(x: R.Tensor(["n"], "float32")):
            n = T.int64()
            if n % 16 == 0:
                y = R.call_pure_packed("fast", x, sinfo_args=[x.struct_info])
            else:
                y = R.match_cast(x.astype("float32"), R.Tensor([n], "float32"))
            return y

        self.assertEqual(str(f.ret_struct_info), 'R.Tensor((n,), dtype="float32")')
        self.assertIsInstance(f.body.blocks[0].bindings[0].value.false_branch.blocks[0].bindings[-1], relax.MatchCast)

    def test_annotations_of_calls(self):
        @R.function(private=True)
        def f(x: R.Tensor((2,), "float32")):
            y: R.Tensor([2]) = R.add(x, x)
            z: R.Tensor([2]) = R.add(R.exp(x), x)
            return (y, z)

        first, _, last = f.body.blocks[0].bindings
        self.assertEqual([str(b.var.struct_info) for b in (first, last)], ["R.Tensor((2,))", 'R.Tensor((2,), dtype="float32")'])

    def test_functions_from_outside(self):
        @I.ir_module
        class Module:
            there = R.ExternFunc("somewhere.there")

            @R.function
            def main(x: R.Tensor((2,), "float32")):
                func = R.ExternFunc("scale")
                y = R.call_dps_packed(func, x, R.Tensor((2,), "float32"))
                return y

        self.same(Module)
        self.assertEqual(Module["there"].global_symbol, "somewhere.there")

    def test_tensor_expressions(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((10, 20), "float32")):
                y = R.emit_te(tvm.topi.add, x, x)
                z = R.emit_te(lambda a, k: tvm.te.compute(a.shape, lambda *i: a(*i) * k, name="scaled"), y, 2)
                w = R.emit_te(tvm.topi.add, z, z)
                return w

        builder = relax.BlockBuilder()
        x = relax.Var("x", relax.TensorStructInfo([10, 20], "float32"))
        with builder.function("main", [x]):
            y = builder.emit_te(tvm.topi.add, x, x)
            z = builder.emit_te(lambda a: tvm.te.compute(a.shape, lambda *i: a(*i) * tvm.tir.const(2, "float32"), name="scaled"), y)
            builder.emit_func_output(builder.emit_te(tvm.topi.add, z, z))
        expected = builder.get()
        self.assertEqual(sorted(len(f.params) for f in Module.functions.values()), sorted(len(f.params) for f in expected.functions.values()))
        tvm.ir.assert_structural_equal(Module["add"], expected["add"])
        self.same(Module)


class WellFormed(unittest.TestCase):
    """What is read is looked at by the verifier of Relax, unless somebody wants it as it is."""

    TEXT = """
@R.function
def main(x: R.Tensor):
    y = R.call_packed("f", x, sinfo_args=R.Tensor)
    return y
"""

    def test_effects_are_said(self):
        with self.assertRaisesRegex(tvm.error.DiagnosticError, "not well formed"):
            tvm.script.from_source(self.TEXT, {"R": R})
        with self.assertRaisesRegex(tvm.error.DiagnosticError, "not well formed"):
            @R.function
            def main(x: R.Tensor):
                return R.call_packed("f", x, sinfo_args=R.Tensor)
        with self.assertRaisesRegex(tvm.error.DiagnosticError, "not well formed"):
            @I.ir_module
            class Module:
                @R.function
                def main(x: R.Tensor):
                    return R.call_packed("f", x, sinfo_args=R.Tensor)

    def test_unless_they_are(self):
        self.assertFalse(relax.analysis.well_formed(tvm.script.from_source(self.TEXT, {"R": R}, check_well_formed=False)))

        @R.function(pure=False)
        def main(x: R.Tensor):
            return R.call_packed("f", x, sinfo_args=R.Tensor)

        @R.function(check_well_formed=False)
        def said_to_be_pure(x: R.Tensor):
            return R.call_packed("f", x, sinfo_args=R.Tensor)

        self.assertEqual((main.is_pure, said_to_be_pure.is_pure), (False, True))


class Nodes(unittest.TestCase):
    def test_the_first_difference_is_the_first_binding(self):
        @R.function(private=True)
        def first(x: R.Tensor((4, 4), "float32")):
            y = R.concat([x, x])
            return y

        @R.function(private=True)
        def second(x: R.Tensor((4, 4), "float32")):
            y = R.add(x, x)
            z = R.add(y, y)
            return y

        with self.assertRaisesRegex(ValueError, r"<root>\.body\.blocks\[0\]\.bindings\[0\]\.value\.op"):
            tvm.ir.assert_structural_equal(first, second)

    def test_functions_that_call_themselves_are_equal(self):
        def define():
            @R.function
            def outer(n: R.Prim("int64")):
                @R.function
                def down(k: R.Prim(value="i")) -> R.Prim("int64"):
                    i = T.int64()
                    if R.prim_value(i == 0):
                        out = R.prim_value(T.int64(0))
                    else:
                        out = down(R.prim_value(i - 1))
                    return out

                return down(n)

            return outer

        tvm.ir.assert_structural_equal(define(), define())

    def test_constants_of_64_bits(self):
        for value, name in ((np.zeros(2), "float32"), (np.zeros(2, "int64"), "int32"), (np.float64(1), "float32"), (np.zeros(2, "float16"), "float16")):
            self.assertEqual(relax.const(value).struct_info.dtype, name)
        self.assertEqual(relax.const(np.zeros(2, "int64"), "int64").struct_info.dtype, "int64")

    def test_what_is_known_and_refused(self):
        self.assertIsNone(relax.Tuple([relax.Var("a", relax.ObjectStructInfo()), relax.Var("b")]).struct_info_)
        with self.assertRaisesRegex(IndexError, "ShapeExpr index out of range"):
            relax.ShapeExpr([1, 2])[2]
        number = relax.Var("n", relax.PrimStructInfo("int32"))
        with self.assertRaisesRegex(ValueError, "FuncStructInfo"):
            relax.Call(number, [number])
        n = tvm.tir.Var("n", "int64")
        x = relax.Var("x", relax.TensorStructInfo([n], "float32"))
        y = relax.Var("y", relax.TensorStructInfo([tvm.tir.Var("m", "int64")], "float32"))
        self.assertEqual(relax.Function([x], relax.Tuple([x, y])).ret_struct_info.fields[1].shape, None)
        self.assertTrue(relax.TensorStructInfo([4], "float32") == R.Tensor((4,), "float32"))

    def test_struct_info_says_a_shape_or_its_rank(self):
        for cls in (relax.ShapeStructInfo, relax.TensorStructInfo):
            for n in (2, 3):
                with self.assertRaises(ValueError):
                    cls([1, 2], ndim=n)
        self.assertIsNone(relax.FuncStructInfo.opaque_func().derive_func)

    def test_definitions_are_not_visited_as_uses(self):
        @R.function
        def f(x: R.Tensor((4,), "float32")):
            with R.dataflow():
                y = R.add(x, x)
                z = R.exp(y)
                R.output(z)
            return z

        seen = []
        relax.analysis.post_order_visit(f, lambda e: seen.append(e.name_hint) if isinstance(e, relax.Var) else None)
        self.assertEqual(seen, ["x", "x", "y", "z"])

    def test_programs_give_nothing(self):
        @I.ir_module
        class Module:
            @T.prim_func
            def zeros(A: T.Buffer((2,), "int32")):
                T.func_attr({"tir.noalias": True})
                for i in range(2):
                    A[i] = 0

            @R.function
            def main(x: R.Tensor((2,), "int32")) -> R.Tensor((2,), "int32"):
                R.func_attr({"relax.force_pure": True})
                y = R.call_tir_inplace(Module.zeros, x, 0, R.Tensor((2,), "int32"))
                return y

            @R.function
            def called(x: R.Tensor((2,), "int32")) -> R.Tensor((2,), "int32"):
                R.func_attr({"relax.force_pure": True})
                _ = Module.zeros(x)
                y = x
                return y

        rewritten = relax.transform.CallTIRRewrite()(Module)
        tvm.ir.assert_structural_equal(rewritten["main"].body, Module["called"].body, map_free_vars=True)

    def test_mutators_visit_operators_and_shapes(self):
        seen = []

        @relax.expr_functor.mutator
        class Watch(relax.PyExprMutator):
            def visit_op_(self, op):
                seen.append("op")
                return op

            def visit_shape_expr_(self, op):
                seen.append("shape")
                return op

            def visit_var_(self, op):
                seen.append("var")
                return super().visit_var_(op)

        x = relax.Var("x", relax.TensorStructInfo([4], "float32"))
        Watch().visit_expr(relax.BlockBuilder().normalize(relax.op.add(x, x)))
        self.assertEqual(seen, ["op", "var", "var", "shape"])

    def test_a_tuple_of_values_as_python_writes_it(self):
        @I.ir_module
        class Module:
            @R.function
            def main(a: R.Tensor((16,), "float32")):
                return relax.Call(tvm.ir.Op.get("relax.call_tir"), [Module.copy, relax.Tuple([a])], sinfo_args=[a.struct_info])

            @T.prim_func(private=True)
            def copy(a: T.Buffer((16,), "float32"), b: T.Buffer((16,), "float32")):
                for i in range(16):
                    b[i] = a[i]

        call = Module["main"].body.blocks[0].bindings[0].value
        self.assertIsInstance(call.args[1], relax.Tuple)
        self.assertTrue(call.args[1][0].same_as(Module["main"].params[0]))

    def test_whole_numbers_for_yes_and_no(self):
        @R.function
        def func(x: R.Tensor((4,), "float32")):
            return R.cumsum(x, axis=0, exclusive=0)

        @R.function
        def same(x: R.Tensor((4,), "float32")):
            return R.cumsum(x, axis=0, exclusive=False)

        tvm.ir.assert_structural_equal(func.with_attr("global_symbol", "a"), same.with_attr("global_symbol", "a"))


if __name__ == "__main__":
    tap.main()
