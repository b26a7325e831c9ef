"""Operators, constants, functions over numbers; the analyser."""
import unittest

import tap
import tvm
from tvm import arith, relax, tir


class Operators(unittest.TestCase):
    def setUp(self):
        self.x = tir.Var("x", "int32")
        self.y = tir.Var("y", "int32")
        self.f = tir.Var("f", "float32")

    def test_text(self):
        x, y, f = self.x, self.y, self.f
        for expr, text in ((x + 1, "x + 1"), (1 + x, "1 + x"), (x * 2 - y, "x * 2 - y"), (-x, "x * -1"), (x // 4, "x // 4"), (x % 4, "x % 4"),
                           (f / 2, "f / T.float32(2.0)"), (x < y, "x < y"), ((x == y).asobject(), "x == y"), (x << 1, "T.shift_left(x, 1)"),
                           (x & y, "T.bitwise_and(x, y)"), (tir.exp(f), "T.exp(f)"), (tir.max(x, y), "T.max(x, y)"),
                           (tir.Select(x < y, x, y), "T.Select(x < y, x, y)"), (tir.if_then_else(x < y, x, y), "T.if_then_else(x < y, x, y)"),
                           (x.astype("float32"), 'T.Cast("float32", x)')):
            self.assertEqual(str(expr), text)

    def test_constants_fold(self):
        self.assertEqual(int(tir.const(2) + 3), 5)
        self.assertTrue((tir.const(2) + 0).same_as(tir.const(2)) or int(tir.const(2) + 0) == 2)
        self.assertTrue((self.x + 0).same_as(self.x))

    def test_equality(self):
        self.assertTrue(self.x == self.x)
        self.assertFalse(self.x == self.y)
        self.assertTrue(self.x != self.y)
        self.assertTrue(tir.const(3) == 3)
        self.assertIn(self.x, [self.x])
        self.assertEqual({self.x: 1}[self.x], 1)
        with self.assertRaises(ValueError):
            bool(self.x < self.y)

    def test_ambiguous_division(self):
        with self.assertRaises(RuntimeError):
            self.x / self.y

    def test_types(self):
        self.assertEqual((self.x + self.f).dtype, "float32")
        self.assertEqual((tir.Var("l", "int64") + self.x).dtype, "int64")
        with self.assertRaises(TypeError):
            tir.Var("h", "handle") + 1
        with self.assertRaises((TypeError, tvm.TVMError)):
            tir.Add(self.x, self.f)

    def test_limits(self):
        self.assertEqual(tir.max_value("int8").value, 127)
        self.assertEqual(tir.min_value("int64").value, -(2**63))
        self.assertEqual(tir.max_value("uint64").value, 2**64 - 1)
        with self.assertRaises(tvm.TVMError):
            tir.IntImm("int8", 200)

    def test_buffers(self):
        A = tir.decl_buffer((8, 8), "float32", name="A")
        self.assertEqual(str(A[self.x, 1]), "A[x, 1]")
        self.assertEqual(A.scope(), "global")
        self.assertEqual(type(A[0:4, 0]).__name__, "BufferRegion")
        self.assertEqual(A.access_ptr("r").dtype, "handle")
        with self.assertRaises(tvm.TVMError):
            tir.BufferLoad(A, [0])

    def test_rewrite(self):
        loop = tir.For(self.x, 0, 8, tir.ForKind.SERIAL, tir.Evaluate(self.x + 1))
        changed = tir.stmt_functor.ir_transform(loop, None, lambda n: tir.const(5) if isinstance(n, tir.Add) else None, None)
        self.assertEqual(int(changed.body.value), 5)
        replaced = tir.stmt_functor.substitute(self.x + self.y, {self.y: 3})
        self.assertEqual(str(replaced), "x + 3")
        with self.assertRaises(ZeroDivisionError):
            tir.stmt_functor.post_order_visit(loop, lambda n: 1 // 0)


class Symbols(unittest.TestCase):
    def setUp(self):
        self.n, self.other = tir.Var("n", "int64"), tir.Var("n", "int64")
        self.param = relax.Var("x", relax.TensorStructInfo([self.n, self.other], "float32"))
        self.func = relax.Function([self.param], relax.SeqExpr([], self.param), self.param.struct_info)

    def test_variables_are_bound_and_not_their_names(self):
        found = self.func.bind_symbolic_vars({self.other: 4})
        tvm.ir.assert_structural_equal(found.params[0].struct_info, relax.TensorStructInfo([self.n, 4], "float32"))
        tvm.ir.assert_structural_equal(found.ret_struct_info, relax.TensorStructInfo([self.n, 4], "float32"))

    def test_refused(self):
        one = relax.Var("x", relax.TensorStructInfo([self.n], "float32"))
        single = relax.Function([one], relax.SeqExpr([], one), one.struct_info)
        for func, values in ((self.func, {"n": 4}), (single, {self.other: 4}), (single, {"m": 4}), (single, {self.n: 4, "n": 4}), (single, {"n": self.other * 2})):
            with self.assertRaises(tvm.TVMError):
                func.bind_symbolic_vars(values)
        tvm.ir.assert_structural_equal(single.bind_symbolic_vars({"n": self.other}).params[0].struct_info, relax.TensorStructInfo([self.other], "float32"))


class Analysis(unittest.TestCase):
    def test_analyser(self):
        x = tir.Var("x", "int32")
        ana = arith.Analyzer()
        ana.bind(x, tvm.ir.Range(0, 16))
        self.assertEqual(int(ana.simplify(x // 16)), 0)
        bound = ana.const_int_bound(x * 2 + 1)
        self.assertEqual((bound.min_value, bound.max_value), (1, 31))
        self.assertEqual(ana.modular_set(x * 4 + 1).coeff, 4)
        self.assertTrue(ana.can_prove(x < 16))
        with ana.constraint_scope(x % 4 == 0):
            self.assertEqual(int(ana.simplify(x % 4)), 0)
        self.assertEqual(str(ana.simplify(x % 4)), "x % 4")

    def test_iter_map(self):
        x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
        dom = {x: tvm.ir.Range(0, 4), y: tvm.ir.Range(0, 8)}
        found = arith.detect_iter_map([x * 8 + y], dom, check_level="bijective")
        self.assertEqual(len(found.indices), 1)
        self.assertEqual(len(arith.detect_iter_map([x * 4 + y], dom, check_level="bijective").indices), 0)

    def test_int_set(self):
        x = tir.Var("x", "int32")
        found = arith.Analyzer().int_set(x + 1, {x: arith.IntervalSet(0, 9)})
        self.assertEqual((int(found.min_value), int(found.max_value)), (1, 10))

    def test_index_map(self):
        index_map = tir.IndexMap.from_func(lambda i, j: [i // 4, j, i % 4], index_dtype="int32")
        self.assertEqual([int(x) for x in index_map.map_shape([16, 8])], [4, 8, 4])
        self.assertEqual([int(x) for x in index_map.map_indices([5, 3])], [1, 3, 1])
        back = index_map.inverse([16, 8])
        self.assertEqual([int(x) for x in back.map_indices([1, 3, 1])], [5, 3])


if __name__ == "__main__":
    tap.main()
