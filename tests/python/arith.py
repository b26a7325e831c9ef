"""Integer arithmetic: bounds from conditions, systems of equations, vectors of unknown length, iteration maps."""
import contextlib
import io
import unittest

import tap
import tvm
from tvm import arith, te, tir

PROVE = arith.Analyzer().can_prove_equal


class Known(unittest.TestCase):
    """What an analyser is told."""

    def test_another_bound_needs_leave(self):
        analyzer, x, y = arith.Analyzer(), te.var("x"), te.var("y")
        analyzer.bind(x, tvm.ir.Range(2, 12))
        analyzer.bind(x, tvm.ir.Range(2, 12))
        with self.assertRaisesRegex(RuntimeError, r"update var 'x' with a different const bound: original=ConstIntBound\[2, 11\], new=ConstIntBound\[0, 5\]"):
            analyzer.bind(x, tvm.ir.Range(0, 6))
        with self.assertRaisesRegex(tvm.TVMError, "different const bound"):
            analyzer.update(x, arith.ConstIntBound(0, arith.ConstIntBound.POS_INF))
        with self.assertRaisesRegex(tvm.TVMError, "different const bound"):
            analyzer.bind(x, y)
        self.assertEqual(analyzer.const_int_bound(x).max_value, 11)
        analyzer.bind(x, tvm.ir.Range(0, 6), allow_override=True)
        self.assertTrue(analyzer.can_prove(x < 6))
        analyzer.bind(y, tir.const(4))
        with self.assertRaisesRegex(tvm.TVMError, "different"):
            analyzer.bind(y, tir.const(5))

    def test_a_target_without_long_vectors_is_named(self):
        condition = tir.vscale() * 3 < tir.vscale() * 5
        for target, holds in (("llvm -mtriple=aarch64-linux-gnu -mattr=+sve", True), ("llvm -mtriple=aarch64-linux-gnu", False)):
            with tvm.target.Target(target), contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertEqual(arith.Analyzer().can_prove(condition), holds)
                arith.Analyzer().can_prove(te.var("n") < 3)
            self.assertEqual(said.getvalue().count("but the target was llvm -keys=arm_cpu,cpu -mtriple=aarch64-linux-gnu"), 0 if holds else 1)

    def test_common_factors_stand_left(self):
        rewrite = arith.Analyzer().rewrite_simplify
        x, y, z = te.var("x"), te.var("y"), te.var("z")
        for before, after in ((x * y + z * x, x * (y + z)), (y * x - x, x * (y + -1)), (x - x * y, x * (1 - y)), (y * x - x * z, x * (y - z)),
                              (x + y * x, x * (y + 1)), (tir.floormod((x + 1) * 48, (x + 1) * 16), tir.const(0))):
            tvm.ir.assert_structural_equal(rewrite(before), after)


class Reductions(unittest.TestCase):
    def setUp(self):
        self.k, self.A = te.reduce_axis((0, 8), name="k"), te.placeholder((9,), name="A")
        self.product = te.comm_reducer(lambda x, y: x * y, lambda t: tir.const(1, t))

    def same(self, before, after):
        tvm.ir.assert_structural_equal(arith.Analyzer().canonical_simplify(before), after)

    def test_no_axes(self):
        analyzer, k, A = arith.Analyzer(), self.k, self.A
        self.same(te.sum(A[2], []), A[2])
        self.same(self.product(A[2], [], init=3.0), tir.const(3.0, "float32") * A[2])
        analyzer.bind(k.var, k.dom)
        tvm.ir.assert_structural_equal(analyzer.simplify(te.sum(A[2], [], where=k >= 8, init=5.0)), tir.const(5.0, "float32"))
        tvm.ir.assert_structural_equal(analyzer.simplify(te.sum(A[2], [], where=k >= 8)), tir.const(0.0, "float32"))

    def test_components_that_nothing_reads(self):
        k, A = self.k, self.A
        both = te.comm_reducer(lambda x, y: (x[0] + y[0], x[1] * y[1]), lambda t, u: (tir.const(0, t), tir.const(1, u)))
        self.same(both((A[k], A[k + 1]), k)[0], te.sum(A[k], k))
        self.same(both((A[k], A[k + 1]), k)[1], self.product(A[k + 1], k))
        chain = te.comm_reducer(lambda x, y: (x[0] + y[0], x[1] + y[1] + x[2], x[2] + y[0]), lambda t, u, v: (tir.const(0, t), tir.const(0, u), tir.const(0, v)))
        for at, left in ((0, [0]), (1, [0, 1, 2]), (2, [0, 2])):
            found = arith.Analyzer().canonical_simplify(chain((A[0], A[1], A[2]), k)[at])
            tvm.ir.assert_structural_equal(list(found.source), [A[i] for i in left])
            self.assertEqual(found.value_index, left.index(at))
            self.assertEqual((len(found.combiner.lhs), len(found.combiner.identity_element)), (len(left), len(left)))

    def test_what_does_something_stays(self):
        k, A = self.k, self.A
        both = te.comm_reducer(lambda x, y: (x[0] + y[0], x[1] * y[1]), lambda t, u: (tir.const(0, t), tir.const(1, u)))
        loud = both((A[k], tir.Call("float32", tvm.ir.GlobalVar("print"), [A[k]])), k)[0]
        self.same(loud, loud)


class Conditions(unittest.TestCase):
    def test_narrowed_conditions_hold_for_every_parameter(self):
        i, n = tir.Var("i", "int32"), tir.Var("n", "int32")
        data = tir.decl_buffer((16,), "int32")
        ranges = {n: tvm.ir.Range(0, 8)}
        for before, after in ((i < n, i < 0), (n < i, tir.const(7, "int32") < i), (tir.Not(i >= n), tir.Not(i >= 0)), (i % 4 == n, tir.const(False)),
                              (i // n == 1, tir.const(False)), (tir.Or(data[i] > 0, i > n), tir.Or(tir.const(False), i > 7))):
            tvm.ir.assert_structural_equal(arith._ffi_api.NarrowPredicateExpression(before, ranges), after)

    def test_deduced_bounds(self):
        a, b = te.var("a"), te.var("b")
        around = {b: arith.IntervalSet(2, 5)}
        found = arith.deduce_bound(a, a * 3 + b < 40, around, around)
        self.assertEqual((str(found.min_value), int(found.max_value)), ("neg_inf", 11))
        found = arith.deduce_bound(a, 7 <= a // -4, {}, {})
        self.assertEqual((str(found.min_value), int(found.max_value)), ("neg_inf", -28))
        found = arith.deduce_bound(a, a - 3 == b, {}, {})
        self.assertTrue(PROVE(found.min_value, b + 3) and PROVE(found.max_value, b + 3))
        for unknown in (a + b, a % 8 < 3, a * a < 9, a * b < 9):
            self.assertTrue(arith.deduce_bound(a, unknown, {}, {}).is_nothing())

    def test_linear_forms_are_not_simplified(self):
        a, b, u = te.var("a"), te.var("b"), te.var("u", "uint32")
        scale, rest = arith.detect_linear_equation(a * (b + 2) + (a - b) - 7, [a])
        tvm.ir.assert_structural_equal([scale, rest], [b + 2 + 1, 0 - b - 7])
        scale, rest = arith.detect_linear_equation(9 - u, [u])
        self.assertEqual((scale.value, scale.dtype, rest.value, rest.dtype), (-1, "int32", 9, "uint32"))
        self.assertEqual([int(x) for x in arith.detect_linear_equation(a * 3, [b, a])], [0, 3, 0])
        self.assertEqual(arith.detect_linear_equation(a * b, [a, b]), [])

    def test_clip_bounds(self):
        a, b = te.var("a"), te.var("b")
        low_a, high_a, low_b, high_b = arith.detect_clip_bound(tir.all(a > 3, a + 2 <= 12, b == 4), [a, b])
        self.assertEqual([int(x) for x in (low_a, high_a, low_b, high_b)], [4, 10, 4, 4])
        self.assertEqual(arith.detect_clip_bound(a < b, [a, b]), [])

    def test_sets(self):
        joined = arith.int_set.union_lower_bound([arith.IntervalSet(0, 4), arith.IntervalSet(9, 12), arith.IntervalSet(5, 8)])
        self.assertEqual((int(joined.min_value), int(joined.max_value)), (0, 12))
        self.assertTrue(arith.int_set.union_lower_bound([arith.IntervalSet(0, 1), arith.IntervalSet(3, 4)]).is_nothing())

    def test_common_parts(self):
        x, y = te.var("x"), te.var("y")
        parts = arith.detect_common_subexpr((x + y) * 2 + tir.floordiv(x + y, 3), 2)
        self.assertEqual({str(e): n for e, n in parts.items()}, {"x + y": 2})

    def test_touched_regions(self):
        from tvm.script import tir as T

        @T.prim_func
        def shift(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
            for i in range(16):
                B[i * 2] = A[i + 3]

        a, b = (shift.buffer_map[p] for p in shift.params)
        touched = arith._ffi_api.DomainTouched
        self.assertEqual([(int(r.min), int(r.extent)) for r in touched(shift.body, a, True, False)], [(3, 16)])
        self.assertEqual([(int(r.min), int(r.extent)) for r in touched(shift.body, b, True, True)], [(0, 31)])
        self.assertEqual(len(touched(shift.body, b, True, False)), 0)


class Systems(unittest.TestCase):
    def test_equations(self):
        x, y, z = te.var("x"), te.var("y"), te.var("z")
        one = arith.solve_linear_equations([tir.EQ(x * 2 + y, 13), tir.EQ(x - y, 2)], [x, y])
        self.assertEqual((int(one.src_to_dst[x]), int(one.src_to_dst[y]), one.dst.variables), (5, 3, []))
        free = arith.solve_linear_equations([tir.EQ(x * 2 + y * 4 + z * 6, 8)], [x, y, z])
        self.assertEqual(len(free.dst.variables), 2)
        self.assertTrue(PROVE(sum(free.src_to_dst[v] * c for v, c in ((x, 2), (y, 4), (z, 6))), 8))
        none = arith.solve_linear_equations([tir.EQ(x * 2, 5)], [x])
        self.assertFalse(none.dst.relations[0].value)

    def test_inequalities(self):
        x, y = te.var("x"), te.var("y")
        found = arith.solve_linear_inequalities([x >= 2, x + y <= 9, y >= x], [x, y])
        self.assertEqual((int(found.ranges[y].min), int(found.ranges[y].extent)), (2, 6))
        moved = arith.solve_linear_inequalities([x >= 2, x <= 6], [x], deskew_range=True)
        (new,) = moved.dst.variables
        self.assertTrue(PROVE(moved.src_to_dst[x], new + 2))
        self.assertEqual(int(moved.dst.ranges[new].extent), 5)
        empty = arith.solve_linear_inequalities([x >= 2, x <= 1], [x])
        self.assertFalse(empty.relations[0].value)


class Scalable(unittest.TestCase):
    def test_types_and_rules(self):
        x, y = te.var("x"), te.var("y")
        ramp = tir.Ramp(x, 1, 4 * tir.vscale())
        self.assertEqual(ramp.dtype, "int32xvscalex4")
        self.assertEqual(str(ramp), "T.Ramp(x, 1, T.vscale() * 4)")
        self.assertEqual((ramp + y).dtype, "int32xvscalex4")
        sum_ = arith.Analyzer().rewrite_simplify(ramp + tir.Ramp(y, 2, tir.vscale() * 4))
        tvm.ir.assert_structural_equal(sum_, tir.Ramp(x + y, 3, tir.vscale() * 4))
        self.assertEqual(tir.Broadcast(1, 8 * tir.vscale()).astype("float16xvscalex8").dtype, "float16xvscalex8")
        with self.assertRaises(tvm.TVMError):
            tir.Ramp(x, 1, tir.vscale() + 1)

    def test_proofs_ask_the_target(self):
        smaller = tir.vscale() * 8 < tir.vscale() * 9
        self.assertFalse(arith.Analyzer().can_prove(smaller))
        with tvm.target.Target("llvm -mtriple=aarch64-linux-gnu -mattr=+sve"):
            self.assertTrue(arith.Analyzer().can_prove(smaller))
            self.assertEqual(arith.Analyzer().const_int_bound(tir.vscale()).max_value, 16)
        self.assertFalse(arith.Analyzer().can_prove(smaller))

    def test_division_by_zero_is_an_error(self):
        for kind in (tir.Div, tir.Mod, tir.FloorDiv, tir.FloorMod):
            with self.assertRaises(tvm.TVMError):
                arith.Analyzer().rewrite_simplify(kind(tir.Ramp(1, 1, 2), tir.Broadcast(0, 2)))


class Maps(unittest.TestCase):
    def test_parts_can_be_made(self):
        x = te.var("x")
        split = arith.IterSplitExpr(arith.IterMark(x, 12), lower_factor=3, extent=4, scale=2)
        self.assertTrue(PROVE(arith.normalize_iter_map_to_expr(split), x // 3 * 2))
        self.assertEqual(len(arith.IterSumExpr([split, split], 5).args), 2)
        with self.assertRaises(TypeError):
            arith.IterSumExpr([x], 0)

    def test_given_bounds_are_known(self):
        analyzer, x = arith.Analyzer(), te.var("x")
        self.assertFalse(analyzer.const_int_bound_is_bound(x))
        analyzer.update(x, arith.ConstIntBound(arith.ConstIntBound.NEG_INF, arith.ConstIntBound.POS_INF))
        self.assertTrue(analyzer.const_int_bound_is_bound(x))


class Counts(unittest.TestCase):
    def test_what_rewriting_did(self):
        analyzer, n = tvm.arith.Analyzer(), tvm.tir.Var("n", "int32")
        self.assertEqual(tuple(analyzer.rewrite_simplify_stats), (0,) * 6)
        analyzer.rewrite_simplify(n + n - n)
        stats = analyzer.rewrite_simplify_stats
        self.assertGreater(stats.nodes_visited, 0)
        self.assertGreater(stats.rewrites_performed, 0)
        self.assertGreaterEqual(stats.rewrites_attempted, stats.rewrites_performed)
        with analyzer.constraint_scope(n > 3):
            pass
        self.assertEqual(analyzer.rewrite_simplify_stats.constraints_entered, 1)
        analyzer.reset_rewrite_simplify_stats()
        self.assertEqual(analyzer.rewrite_simplify_stats.nodes_visited, 0)


if __name__ == "__main__":
    tap.main()
