"""Right where TVM v0.20 is wrong (sound.py). Numbers: what is folded, reordered, cast and divided."""
import platform
import unittest

import numpy as np

import tap
import tvm
from sound import INT_MAX, INT_MIN, run, simplified
from tvm import arith, te, tir
from tvm.script import relax as R, tir as T


class Constants(unittest.TestCase):
    """Number 1: constants that a rule makes leave their type."""

    def test_divisions_in_a_row(self):
        @T.prim_func
        def floor(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
            for i in range(4):
                B[i] = A[i] // 100000 // 100000

        @T.prim_func
        def trunc(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
            for i in range(4):
                B[i] = T.truncdiv(T.truncdiv(A[i], 100000), 100000)

        data = np.array([5, INT_MAX, -5, INT_MIN], "int32")
        self.assertEqual(run(floor, data, np.zeros(4, "int32"))[1].tolist(), [0, 0, -1, -1])
        self.assertEqual(run(trunc, data, np.zeros(4, "int32"))[1].tolist(), [0, 0, 0, 0])

    def test_texts(self):
        x = tir.Var("x", "int32")
        y = tir.Var("y", "int64")
        ana = arith.Analyzer()
        self.assertEqual(str(ana.simplify(x // 65536 // 65536)), "x // 65536 // 65536")
        self.assertEqual(str(ana.simplify(x // 256 // 256)), "x // 65536")
        big = tir.IntImm("int64", 2**40)
        self.assertFalse(ana.can_prove(y // big < big))
        self.assertNotIn("y < T.int64(0)", str(ana.simplify(y // big < big)))
        self.assertFalse(ana.can_prove(x > INT_MIN))
        self.assertFalse(ana.can_prove(x * 65536 * 65536 == 0))


class Reach(unittest.TestCase):
    """Number 1 again: a rule is right for whole numbers, and what it makes leaves int32 where the program did not."""

    CASES = (("(i * -3 + 7) % 65521", 60000), ("(7 - i * 2) % 65521", 60000), ("i * -7 % 99991", 60000), ("T.min(i * -5, 1) % 777777", 60000),
             ("(i * 1000 - 5) % 2000000000", 200000), ("(i + 2147000000 - 10) % 100000", 400000), ("T.max(i * -9 % 60013, 4) * 3", 50000),
             ("(i * -11 + i // 3) % 54321", 54000))

    def test_compiled(self):
        for text, n in self.CASES:
            source = f"""# from tvm.script import tir as T
@T.prim_func
def main(O: T.Buffer(({n},), "int32")):
    for i in range({n}):
        O[i] = {text}
"""
            func = tvm.script.from_source(source)
            i = np.arange(n, dtype="int64")
            shim = type("T", (), {"min": np.minimum, "max": np.maximum})
            want = eval(text, {"T": shim, "i": i})  # pylint: disable=eval-used
            np.testing.assert_array_equal(run(func, np.zeros(n, "int32"))[0], want, text)

    def test_texts(self):
        x = tir.Var("x", "int32")
        ana = arith.Analyzer()
        self.assertEqual(str(ana.simplify((x * -3 + 7) % 65521)), "(x * 65518 + 7) % 65521")
        ana.bind(x, tvm.ir.Range(0, 60000))
        for simplify in (ana.simplify, ana.rewrite_simplify, ana.canonical_simplify):
            self.assertNotIn("65518", str(simplify((x * -3 + 7) % 65521)))
        self.assertEqual(str(ana.simplify((x * -3 + 7 + 0 * x) % 65521 + (x + 5) // 5 * 5 // 5)), "x // 5 + (7 - x * 3) % 65521 + 1")
        self.assertTrue(ana.can_prove(tir.EQ((x * -3 + 7) % 65521, (x * 65518 + 7) % 65521)))


class Loads(unittest.TestCase):
    """Number 2: what is known of a load ends at a store."""

    def test_condition(self):
        @T.prim_func
        def f(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
            if A[0] < 5:
                A[0] = 10
                B[1] = T.max(A[0], 5)

        self.assertIn("T.max(A[0], 5)", simplified(f))
        self.assertEqual(run(f, np.array([1], "int32"), np.zeros(2, "int32"))[1].tolist(), [0, 10])

    def test_assertion(self):
        @T.prim_func
        def f(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
            assert A[0] < 5, "small"
            A[0] = 10
            B[1] = T.max(A[0], 5)

        self.assertEqual(run(f, np.array([1], "int32"), np.zeros(2, "int32"))[1].tolist(), [0, 10])

    def test_end_of_a_loop(self):
        @T.prim_func
        def f(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
            for i in range(A[0]):
                A[0] = 0
                if i < A[0]:
                    B[i] = 1

        self.assertEqual(run(f, np.array([4], "int32"), np.zeros(4, "int32"))[1].tolist(), [0, 0, 0, 0])

    def test_what_is_not_stored_to_is_still_known(self):
        @T.prim_func
        def f(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
            if A[0] < 5:
                B[0] = 10
                B[1] = T.max(A[0], 5)

        self.assertIn("B[1] = 5", simplified(f))


class Remainders(unittest.TestCase):
    """Number 3: truncated remainders may be negative."""

    def test_proofs(self):
        x, n = tir.Var("x", "int32"), tir.SizeVar("n", "int32")
        ana = arith.Analyzer()
        ana.bind(x, tvm.ir.Range(-10, 10))
        self.assertFalse(ana.can_prove(tir.truncmod(x, n) >= 0, arith.ProofStrength.SYMBOLIC_BOUND))
        self.assertFalse(ana.can_prove(tir.truncmod(x, 4) >= 0, arith.ProofStrength.SYMBOLIC_BOUND))
        ana.bind(x, tvm.ir.Range(0, 10), allow_override=True)
        self.assertTrue(ana.can_prove(tir.truncmod(x, n) >= 0, arith.ProofStrength.SYMBOLIC_BOUND))

    def test_a_buffer_keeps_what_is_written(self):
        @T.prim_func
        def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
            with T.block("root"):
                X = T.alloc_buffer((16,), "int32")
                for i in range(16):
                    with T.block("write"):
                        vi = T.axis.spatial(16, i)
                        X[T.truncmod(vi - 8, 8) + 8] = A[vi]
                for i in range(16):
                    with T.block("read"):
                        vi = T.axis.spatial(16, i)
                        B[vi] = X[T.truncmod(vi - 8, 8) + 8]

        data = np.arange(16, dtype="int32")
        want = np.zeros(16, "int32")
        cells = {}
        for i in range(16):
            cells[int(np.fmod(i - 8, 8)) + 8] = i
        for i in range(16):
            want[i] = cells[int(np.fmod(i - 8, 8)) + 8]
        self.assertEqual(run(f, data, np.zeros(16, "int32"))[1].tolist(), want.tolist())

    def test_ramps(self):
        ana = arith.Analyzer()
        x = tir.Var("x", "int32")
        ramp, four = tir.Ramp(x, 4, 4), tir.Broadcast(4, 4)
        self.assertIn("Div", type(ana.rewrite_simplify(tir.Div(ramp, four))).__name__)
        self.assertIn("Mod", type(ana.rewrite_simplify(tir.Mod(ramp, four))).__name__)
        ana.bind(x, tvm.ir.Range(0, 10))
        self.assertEqual(type(ana.rewrite_simplify(tir.Div(ramp, four))).__name__, "Ramp")


class Casts(unittest.TestCase):
    """Number 5."""

    def test_bounds_and_modular_sets(self):
        ana = arith.Analyzer()
        x = tir.Var("x", "int32")
        ana.bind(x, tvm.ir.Range(-4, 4))
        bound = ana.const_int_bound(tir.Cast("uint32", x))
        self.assertEqual((bound.min_value, bound.max_value), (0, 2**32 - 1))
        y = tir.Var("y", "int32")
        self.assertEqual(ana.modular_set(tir.Cast("bool", y * 2)).coeff, 1)
        self.assertEqual(ana.modular_set(tir.Cast("int8", y * 3)).coeff, 1)
        self.assertEqual(ana.modular_set(tir.Cast("int8", y * 4)).coeff, 4)


class Floats(unittest.TestCase):
    """Number 7: floats are no real numbers."""

    def test_texts_stay(self):
        x, y = tir.Var("x", "float32"), tir.Var("y", "float32")
        ana = arith.Analyzer()
        self.assertEqual(str(ana.simplify(tir.EQ(x, x))), "x == x")
        self.assertEqual(str(ana.simplify((x + y) - y)), "x + y - y")
        self.assertEqual(str(ana.simplify(tir.Not(tir.LT(x, y)))), "not x < y")
        self.assertEqual(str(ana.simplify(tir.LE(x, y))), "x <= y")
        self.assertEqual(str(ana.simplify(x * tir.FloatImm("float32", 0.0))), "x * T.float32(0.0)")
        self.assertIn("/", str(ana.simplify(x / tir.FloatImm("float32", 1e-39))))
        self.assertEqual(str(ana.simplify(x / tir.FloatImm("float32", 4.0))), "x * T.float32(0.25)")

    def test_nan(self):
        @T.prim_func
        def f(A: T.Buffer((3,), "float32"), B: T.Buffer((8,), "float32")):
            B[0] = T.if_then_else(A[0] == A[0], T.float32(1), T.float32(0))
            B[1] = (A[1] + A[2]) - A[2]
            if A[0] < A[1]:
                B[2] = T.float32(1)
            else:
                if A[1] <= A[0]:
                    B[2] = T.float32(2)
                else:
                    B[2] = T.float32(3)
            B[3] = A[0] * T.float32(0)
            B[4] = A[1] / T.float32(1e-39)
            B[5] = T.if_then_else(T.Not(A[0] < A[1]), T.float32(1), T.float32(0))
            B[6] = A[0] - A[0]
            B[7] = T.max(T.float32(1), A[0])

        data = np.array([np.nan, 1e-38, 1e10], "float32")
        out = run(f, data, np.zeros(8, "float32"))[1]
        self.assertEqual(out[0], 0)
        self.assertEqual(out[1], 0)
        self.assertEqual(out[2], 3)
        self.assertTrue(np.isnan(out[3]))
        self.assertAlmostEqual(float(out[4]), 10, places=3)
        self.assertEqual(out[5], 1)
        self.assertTrue(np.isnan(out[6]))
        self.assertTrue(np.isnan(out[7]))

    def test_folding_is_what_the_code_does(self):
        nan = tir.FloatImm("float32", float("nan"))
        one = tir.FloatImm("float32", 1.0)
        self.assertTrue(np.isnan(tir.max(one, nan).value))
        self.assertTrue(np.isnan(tir.max(nan, one).value))


class Divisions(unittest.TestCase):
    """Number 11: an integer division by zero is an error, not the end of the process."""

    def test_by_zero(self):
        @T.prim_func
        def f(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
            for i in range(2):
                B[i] = A[i] // A[1 - i]

        self.assertEqual(run(f, np.array([7, 2], "int32"), np.zeros(2, "int32"))[1].tolist(), [3, 0])
        with self.assertRaisesRegex(tvm.TVMError, "divided by zero"):
            run(f, np.array([7, 0], "int32"), np.zeros(2, "int32"))

    def test_what_is_not_chosen_does_no_harm(self):
        @T.prim_func
        def f(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
            for i in range(2):
                B[i] = T.Select(A[i] != 0, 100 // A[i], -1)

        self.assertEqual(run(f, np.array([7, 0], "int32"), np.zeros(2, "int32"))[1].tolist(), [14, -1])

    def test_the_lowest_number_wraps(self):
        @T.prim_func
        def f(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
            B[0] = T.truncdiv(A[0], A[1])

        self.assertEqual(run(f, np.array([INT_MIN, -1], "int32"), np.zeros(2, "int32"))[1][0], INT_MIN)


class Data(unittest.TestCase):
    """Number 8: what comes out of memory wraps, for the simplifier too."""

    def test_comparisons(self):
        @T.prim_func
        def f(A: T.Buffer((2,), "int32"), B: T.Buffer((4,), "int32")):
            B[0] = T.if_then_else(A[0] + 1 > A[0], 1, 0)
            B[1] = (A[0] * 2) // 2
            B[2] = T.max(A[0] + 1, A[0])
            B[3] = (A[1] - 5) % 1000

        out = run(f, np.array([INT_MAX, INT_MAX], "int32"), np.zeros(4, "int32"))[1].tolist()
        self.assertEqual(out, [0, -1, INT_MAX, (INT_MAX - 5) % 1000])

    def test_sums_are_still_rearranged(self):
        @T.prim_func
        def f(A: T.Buffer((2,), "int32"), B: T.Buffer((4,), "int32")):
            B[0] = A[0] + 1 + A[1] + 2

        self.assertIn("B[0] = A[0] + A[1] + 3", simplified(f))

    def test_indices_do_not_wrap(self):
        ana = arith.Analyzer()
        x = tir.Var("x", "int32")
        self.assertTrue(ana.can_prove(x + 1 > x))


class Rules(unittest.TestCase):
    """Rewrite rules that tests/proof found wrong: each rule was right for indices and wrong for data."""

    def test_quotient_and_remainder(self):
        @T.prim_func
        def f(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int32")):
            for i in range(4):
                B[i] = T.if_then_else(A[i] // T.int16(4) == T.int16(0) and A[i] % T.int16(4) == T.int16(5), 1, 0)

        self.assertEqual(run(f, np.array([5, 0, 1, -3], "int16"), np.zeros(4, "int32"))[1].tolist(), [0, 0, 0, 0])
        x = tir.Var("x", "int16")
        both = lambda r: tir.And(tir.EQ(tir.FloorDiv(x, tir.const(4, "int16")), tir.const(1, "int16")),
                                 tir.EQ(tir.FloorMod(x, tir.const(4, "int16")), tir.const(r, "int16")))
        self.assertEqual(str(arith.Analyzer().rewrite_simplify(both(3))), "x == T.int16(7)")
        self.assertIn("//", str(arith.Analyzer().rewrite_simplify(both(4))))

    def test_difference_that_wraps(self):
        @T.prim_func
        def narrow(A: T.Buffer((2,), "int16"), B: T.Buffer((2,), "int16"), C: T.Buffer((2,), "int32")):
            for i in range(2):
                C[i] = T.if_then_else(T.int16(0) <= A[i] - B[i] * T.int16(4) and A[i] - B[i] * T.int16(4) < T.int16(4), 1, 0)

        @T.prim_func
        def wide(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32"), C: T.Buffer((2,), "int32")):
            for i in range(2):
                C[i] = T.if_then_else(0 <= A[i] - B[i] * 4 and A[i] - B[i] * 4 < 4, 1, 0)

        def plus(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32"), C: T.Buffer((2,), "int32")):
            for i in range(2):
                C[i] = T.if_then_else(0 <= A[i] + B[i] * -4 and A[i] + B[i] * -4 < 4, 1, 0)

        short = [np.array([2, 2], "int16"), np.array([16384, 0], "int16")]
        self.assertEqual(run(narrow, *short, np.zeros(2, "int32"))[2].tolist(), [1, 1])
        for func in wide, T.prim_func(plus):
            long = [np.array([2, 2], "int32"), np.array([2**30, 0], "int32")]
            self.assertEqual(run(func, *long, np.zeros(2, "int32"))[2].tolist(), [1, 1])
        x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
        index = tir.And(tir.LE(0, x - y * 4), tir.LT(x - y * 4, 4))
        self.assertEqual(str(arith.Analyzer().rewrite_simplify(index)), "y == x // 4")

    def test_ramps_that_wrap(self):
        def compared(dtype):
            x, y = tir.Var("x", dtype), tir.Var("y", dtype)
            one = tir.const(1, dtype)
            return str(arith.Analyzer().rewrite_simplify(tir.LT(tir.Ramp(x, one, 4), tir.Ramp(y, one, 4))))

        self.assertEqual(compared("int32"), "T.Broadcast(x < y, 4)")
        for dtype in "uint8", "int16", "uint32":
            self.assertIn("Ramp", compared(dtype))
        A, i = tir.decl_buffer((8,), "int32", "A"), tir.Var("i", "int32")
        loaded = tir.LT(tir.Ramp(tir.BufferLoad(A, [i]), 1, 4), tir.Ramp(tir.BufferLoad(A, [i + 1]), 1, 4))
        self.assertIn("Ramp", str(arith.Analyzer().rewrite_simplify(loaded)))


class Sums(unittest.TestCase):
    """Number 10: reductions of nothing, of infinities and of NaN; compiled, interpreted and after steps of a schedule."""

    @staticmethod
    def of(make, shape, dtype="float32"):
        from tvm import te

        A = te.placeholder(shape, dtype, name="A")
        B = make(A)
        return te.create_prim_func([A, B])

    def test_of_nothing(self):
        from tvm import topi

        dirt = np.full((4,), 77, "float32")
        empty = np.zeros((4, 0), "float32")
        for make, want in ((lambda A: topi.sum(A, axis=1), 0), (lambda A: topi.prod(A, axis=1), 1), (lambda A: topi.max(A, axis=1), -np.inf),
                           (lambda A: topi.min(A, axis=1), np.inf)):
            np.testing.assert_array_equal(run(self.of(make, (4, 0)), empty, dirt)[-1], np.full((4,), want, "float32"))

    def test_of_nothing_by_shape(self):
        @T.prim_func
        def main(a: T.handle, b: T.handle):
            n = T.int32()
            A = T.match_buffer(a, (4, n), "float32")
            B = T.match_buffer(b, (4,), "float32")
            for i, k in T.grid(4, n):
                with T.block("B"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    with T.init():
                        B[vi] = T.float32(0)
                    B[vi] = B[vi] + A[vi, vk]

        for n in (0, 3):
            np.testing.assert_array_equal(run(main, np.ones((4, n), "float32"), np.full((4,), 77, "float32"))[-1], np.full((4,), n, "float32"))

    def test_of_infinities_and_nan(self):
        from tvm import topi

        low, high, nan = -np.inf, np.inf, np.nan
        rows = np.array([[low, low, low], [low, 3, low], [1, nan, 2], [nan, 5, high], [high, high, high], [-1, -2, -3]], "float32")
        dirt = np.full((6,), 77, "float32")
        for dtype in ("float32", "float64", "float16"):
            data = rows.astype(dtype)
            for make, want in ((topi.max, np.max), (topi.min, np.min)):
                got = run(self.of(lambda A, make=make: make(A, axis=1), (6, 3), dtype), data, dirt.astype(dtype))[-1]
                np.testing.assert_array_equal(got, want(data, axis=1))
            for make, want in ((topi.argmax, np.argmax), (topi.argmin, np.argmin)):
                got = run(self.of(lambda A, make=make: make(A, axis=1), (6, 3), dtype), data, np.full((6,), 77, "int32"))[-1]
                np.testing.assert_array_equal(got, want(data, axis=1).astype("int32"))

    def test_after_steps(self):
        from tvm import topi

        data = np.array([[-np.inf] * 8, [np.nan] + [1] * 7, [1] * 7 + [np.nan], list(range(8))], "float32")
        func = self.of(lambda A: topi.max(A, axis=1), (4, 8))
        for steps in (lambda s, b: s.decompose_reduction(b, s.get_loops(b)[1]), lambda s, b: s.rfactor(s.split(s.get_loops(b)[1], [4, 2])[0], 0),
                      lambda s, b: s.cache_write(b, 0, "global"), lambda s, b: s.reorder(*reversed(s.get_loops(b)))):
            sch = tir.Schedule(func)
            steps(sch, sch.get_block("A_red"))
            got = run(sch.mod["main"], data, np.full((4,), 77, "float32"))[-1]
            np.testing.assert_array_equal(got, np.max(data, axis=1))

    def test_text_is_as_it_was(self):
        from tvm import topi

        func = self.of(lambda A: topi.max(A, axis=1), (4, 8))
        self.assertIn("T.float32(-340282346638528859811704183484516925440.0)", func.script())
        self.assertIn("T.float32(-340282346638528859811704183484516925440.0)", tir.transform.LowerInitBlock()(tvm.IRModule({"main": func})).script())

    def test_maximum_keeps_nan(self):
        @T.prim_func
        def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32"), D: T.Buffer((4,), "float32")):
            for i in range(4):
                C[i] = T.max(A[i], B[i]) + T.max(T.min(A[i], T.float32(9)), T.float32(-9))
                D[i] = T.min(A[i], B[i])

        a, b = np.array([np.nan, 1, 2, np.nan], "float32"), np.array([1, np.nan, 3, np.nan], "float32")
        out = run(main, a, b, np.zeros(4, "float32"), np.zeros(4, "float32"))
        np.testing.assert_array_equal(np.isnan(out[2]), [True, True, False, True])
        np.testing.assert_array_equal(out[3], np.minimum(a, b))

    def test_where_nothing_is_chosen(self):
        from tvm import te

        A = te.placeholder((3, 4), "float32", name="A")
        data = np.array([[1, 2, 3, 4], [-5, np.nan, -5, -5], [0, 9, 0, -np.inf]], "float32")
        for reduce, want in ((te.max, [4, -np.inf, 9]), (te.min, [1, np.inf, 9]), (te.sum, [10, 0, 9])):
            k = te.reduce_axis((0, 4), "k")
            B = te.compute((3,), lambda i: reduce(A[i, k], axis=k, where=A[i, k] > 0.5), name="B")  # pylint: disable=cell-var-from-loop
            got = run(te.create_prim_func([A, B]), data, np.full((3,), 77, "float32"))[-1]
            np.testing.assert_array_equal(got, np.array(want, "float32"))

    def test_relax(self):
        from tvm import relax

        bb = relax.BlockBuilder()
        x = relax.Var("x", R.Tensor(("n", "m"), "float32"))
        with bb.function("main", [x]):
            bb.emit_func_output(relax.Tuple([bb.emit(relax.op.sum(x, axis=1)), bb.emit(relax.op.max(x, axis=1)), bb.emit(relax.op.argmax(x, axis=1))]))
        vm = relax.VirtualMachine(tvm.compile(bb.get(), target="llvm"), tvm.cpu())
        total, most, where = vm["main"](tvm.nd.array(np.array([[-np.inf, -np.inf], [1, np.nan], [2, 5]], "float32")))
        np.testing.assert_array_equal(most.numpy(), np.array([-np.inf, np.nan, 5], "float32"))
        np.testing.assert_array_equal(where.numpy(), [0, 1, 1])
        total, most, _ = vm["main"](tvm.nd.array(np.zeros((3, 0), "float32")))
        np.testing.assert_array_equal(total.numpy(), np.zeros(3, "float32"))
        np.testing.assert_array_equal(most.numpy(), np.full(3, -np.inf, "float32"))

    def test_over_axes_that_depend_on_each_other(self):
        def segments(order):
            P, X = te.placeholder((4,), "int32", name="P"), te.placeholder((8, 3), name="X")

            def rows(i):
                at, c = te.reduce_axis((P[i], P[i + 1]), name="at"), te.reduce_axis((0, 3), name="c")
                return te.sum(X[at, c], axis=[at, c] if order == 0 else [c, at])
            return te.create_prim_func([P, X, te.compute((3,), rows, name="B")])

        P, X = np.array([0, 2, 2, 8], "int32"), np.arange(24, dtype="float32").reshape(8, 3)
        for order in range(2):
            got = run(segments(order), P, X, np.full(3, 7, "float32"))[-1]
            np.testing.assert_array_equal(got, [X[P[i]:P[i + 1]].sum() for i in range(3)])

    def test_over_a_triangle(self):
        X = te.placeholder((5, 5), "int32", name="X")
        a = te.reduce_axis((0, 5), name="a")
        b = te.reduce_axis((0, a.var + 1), name="b")
        got = run(te.create_prim_func([X, te.compute((2,), lambda i: te.sum(X[a, b] + i, axis=[a, b]), name="B")]),
                  np.arange(25, dtype="int32").reshape(5, 5), np.full(2, 7, "int32"))[-1]
        np.testing.assert_array_equal(got, np.tril(np.arange(25).reshape(5, 5)).sum() + np.array([0, 15]))


@unittest.skipUnless(platform.machine() == "x86_64", "faults of LLVM for x86")
class Vectors(unittest.TestCase):
    """What LLVM 19 makes vectors of wrongly, for machines with and without AVX2, against NumPy."""

    def test_low_bits_of_a_multiple(self):
        i = np.arange(32)
        b = (np.arange(32) * 37 - 500).astype("int32")
        a = (np.arange(64) * 1000).astype("int32")
        rest = np.fmod(b, 7)
        for text, want in (("A[i * 5 % 32] - T.truncmod(B[i], 7)", a[i * 5 % 32] - rest), ("A[T.bitwise_and(i * 3, 31)] + T.truncmod(B[i], 7)", a[i * 3 & 31] + rest),
                           ("A[T.Cast(\"int32\", T.Cast(\"uint8\", i * 40)) // 4] + T.truncmod(B[i], 7)", a[(i * 40 & 255) // 4] + rest),
                           ("A[(i + i + i) % 16] * T.truncmod(B[i], 7)", a[i * 3 % 16] * rest), ("A[i % 8] + T.truncmod(B[i], 7)", a[i % 8] + rest),
                           ("A[(93 - i * 3) % 64] - T.truncmod(B[i], 7)", a[(93 - i * 3) % 64] - rest)):
            source = ("# from tvm.script import tir as T\n@T.prim_func\ndef main(A: T.Buffer((64,), \"int32\"), B: T.Buffer((32,), \"int32\"), "
                      f"C: T.Buffer((32,), \"int32\")):\n    for i in range(32):\n        C[i] = {text}\n")
            func = tvm.IRModule({"main": tvm.script.from_source(source)})
            for cpu in ("x86-64", ""):
                out = tvm.nd.array(np.zeros(32, "int32"))
                tvm.build(func, target="llvm -opt-level=3" + (f" -mcpu={cpu}" if cpu else ""))["main"](tvm.nd.array(a), tvm.nd.array(b), out)
                np.testing.assert_array_equal(out.numpy(), want, f"{text} for {cpu or 'this machine'}")


class FastMath(unittest.TestCase):
    """Floats are those of IEEE 754 unless the function asks for fast mathematics."""

    def test_only_where_it_is_asked_for(self):
        @T.prim_func
        def main(A: T.Buffer((64,), "float32"), B: T.Buffer((1,), "float32")):
            B[0] = T.float32(0)
            for i in range(64):
                B[0] = B[0] + T.max(A[i], T.float32(1)) * A[i]

        def text(func):
            return tvm.build(tvm.IRModule({"main": func}), target="llvm").get_source("ll")

        self.assertNotRegex(text(main), r"f(add|mul) (fast|reassoc|nnan)")
        self.assertRegex(text(main.with_attr("tir.fast_math", True)), r"f(add|mul) fast")
        self.assertNotRegex(text(main.with_attr("tir.fast_math", False)), r"f(add|mul) (fast|reassoc|nnan)")
        A = np.full((64,), np.nan, "float32")
        self.assertTrue(np.isnan(run(main, A, np.zeros(1, "float32"))[-1][0]))


class Pairs(unittest.TestCase):
    """The least with its index: where the indices are the caller's, negative ones are indices too, before and after rfactor."""

    def test_given_indices(self):
        @T.prim_func
        def main(N: T.Buffer((6, 24), "int32"), A: T.Buffer((6, 24), "float32"), P: T.Buffer((6,), "int32"), M: T.Buffer((6,), "float32")):
            for i, k0, k1 in T.grid(6, 3, 8):
                with T.block("least"):
                    vi = T.axis.spatial(6, i)
                    vk = T.axis.reduce(24, k0 * 8 + k1)
                    with T.init():
                        P[vi] = -1
                        M[vi] = T.max_value("float32")
                    p: T.int32 = T.Select(M[vi] <= A[vi, vk], P[vi], N[vi, vk])
                    m: T.float32 = T.Select(M[vi] <= A[vi, vk], M[vi], A[vi, vk])
                    P[vi] = p
                    M[vi] = m

        sch = tvm.tir.Schedule(main)
        sch.rfactor(sch.get_loops("least")[2], 0)
        A = np.random.default_rng(1).uniform(-1, 1, (6, 24)).astype("float32")
        N = np.random.default_rng(2).integers(-8, 8, (6, 24)).astype("int32")
        for func in (main, sch.mod["main"]):
            *_, P, M = run(func, N, A, np.zeros(6, "int32"), np.zeros(6, "float32"))
            np.testing.assert_array_equal(M, A.min(1))
            np.testing.assert_array_equal(P, N[np.arange(6), A.argmin(1)])

    def test_integers(self):
        """The values are integers as the indices are, and given; the indices are not: the lowest of all is found too."""
        @T.prim_func
        def main(A: T.Buffer((4, 8), "int32"), P: T.Buffer((4,), "int32"), M: T.Buffer((4,), "int32")):
            for i, k in T.grid(4, 8):
                with T.block("greatest"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    with T.init():
                        P[vi] = -1
                        M[vi] = T.min_value("int32")
                    p: T.int32 = T.Select(M[vi] > A[vi, vk] or (M[vi] == A[vi, vk] and P[vi] < vk), P[vi], vk)
                    m: T.int32 = T.Select(M[vi] > A[vi, vk], M[vi], A[vi, vk])
                    P[vi] = p
                    M[vi] = m

        A = np.full((4, 8), -2**31, "int32")
        A[1, 5] = 3
        *_, P, M = run(main, A, np.zeros(4, "int32"), np.zeros(4, "int32"))
        np.testing.assert_array_equal(M, A.max(1))
        np.testing.assert_array_equal(P, A.argmax(1))


class Scalars(unittest.TestCase):
    """What was loaded into a scalar wraps as a load does."""

    def test_loaded(self):
        @T.prim_func
        def main(A: T.Buffer((4,), "int32"), B: T.Buffer((5,), "int32")):
            x: T.int32 = A[0]
            y: T.int32 = x + 1
            B[0] = T.Select(x + 1 > x, 1, 0)
            B[1] = x * 2 // 2
            B[2] = T.if_then_else(y > x, 1, 0)
            B[3] = T.max(x + 1, x)
            B[4] = x * 6 % 3

        built = tvm.compile(tvm.IRModule({"main": main}), target="llvm")
        for first in (2**31 - 1, -2**31, 5, 2**30):
            with self.subTest(first):
                wrap = lambda number: (number + 2**31) % 2**32 - 2**31
                a, b = tvm.nd.array(np.array([first, 0, 0, 0], "int32")), tvm.nd.array(np.zeros(5, "int32"))
                built["main"](a, b)
                more = wrap(first + 1)
                self.assertEqual(b.numpy().tolist(), [int(more > first), wrap(first * 2) // 2, int(more > first), max(more, first), wrap(first * 6) % 3])


if __name__ == "__main__":
    tap.main()
