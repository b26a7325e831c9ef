"""Right where TVM v0.20 is wrong: each case is a program whose result is known without a compiler.

The texts that differ are listed in the help, page "Differences"."""
import contextlib
import ctypes
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

import tap
import tvm
from tvm import arith, te, tir, topi
from tvm.script import ir as I, relax as R, tir as T


M_PERTURB = -6                  # of glibc's mallopt


@contextlib.contextmanager
def unperturbed():
    """./check has new memory filled (MALLOC_PERTURB_): buffers of gigabytes of which a few pages are used would all be there, eight seconds of the kernel's work and what
    other programs have in memory for nothing."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", lambda *_: 1)
    mallopt(M_PERTURB, 0)
    try:
        yield
    finally:
        mallopt(M_PERTURB, int(os.environ.get("MALLOC_PERTURB_", "0") or 0))


CLI = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli")
INT_MAX, INT_MIN = 2**31 - 1, -2**31


def run(func, *arrays):
    """The arrays after a call of the function, compiled."""
    built = tvm.build(tvm.IRModule({"main": func}), target="llvm")
    tensors = [tvm.nd.array(np.asarray(a)) for a in arrays]
    built["main"](*tensors)
    return [t.numpy() for t in tensors]


def simplified(func):
    return tir.transform.Simplify()(tvm.IRModule({"main": func}))["main"].script()


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


class CheckedAsWritten(unittest.TestCase):
    """Number 4: --check-bounds looks at the program that runs."""

    def said_of(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            done = subprocess.run([CLI, "run", path, "--check-bounds"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr + done.stdout

    def test_what_is_written_is_found_in_its_own_words(self):
        self.assertIn("Index 1 of A is 4", self.said_of(
            "# from tvm.script import tir as T\n@T.prim_func\ndef main(A: T.Buffer((4, 4), \"float32\")):\n"
            "    for i in range(4):\n        A[i, i + 1] = T.float32(1)\n"))

    def test_what_lowering_broke_is_found(self):
        """As it is written the program stays in its arrays; its blocks say less of C than they use, so that a smaller one is made of it."""
        self.assertIn("Index 0 of C is -7; it goes from 0 to 7", self.said_of("""# from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    C = T.alloc_buffer((32,), "int32")
    for i in range(16):
        with T.block("w"):
            v = T.axis.spatial(16, i)
            T.reads(A[v])
            T.writes(C[16:24])
            T.block_attr({"explicit_write_region": [0]})
            C[T.truncmod(v - 8, 8) + 16] = A[v]
    for i in range(16):
        with T.block("r"):
            v = T.axis.spatial(16, i)
            T.reads(C[16:24])
            T.writes(B[v])
            T.block_attr({"explicit_read_region": [0]})
            B[v] = C[T.truncmod(v - 8, 8) + 16]
"""))


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


class Large(unittest.TestCase):
    """Number 6: more elements than int32 counts, and strides that do not fall."""

    def flattened(self, func):
        return tir.transform.FlattenBuffer()(tvm.IRModule({"main": func}))["main"].script()

    def test_positions_past_int32(self):
        rows = te.placeholder((65536, 65536), "int8", "rows")
        self.assertEqual(topi.argmax(rows).dtype, "int64")
        self.assertEqual(topi.argmax(rows, axis=1).dtype, "int32")
        self.assertEqual(topi.argmin(te.placeholder((46340, 46340), "int8", "few")).dtype, "int32")
        self.assertIn("T.int64(65536)", te.create_prim_func([rows, topi.argmax(rows)]).script())
        with self.assertRaisesRegex(Exception, "4294967296 elements are more than int32 counts"):
            topi.ndarray_size(rows)
        self.assertIn("4294967296", te.create_prim_func([rows, topi.ndarray_size(rows, "int64")]).script())
        self.assertIn("range(T.int64(65536))", te.create_prim_func([rows, topi.cumsum(rows, axis=1)]).script().replace("T.parallel", "range"))
        places = te.placeholder((65536, 65536), "int32", "places")
        text = te.create_prim_func([rows, places, topi.scatter_elements(rows, places, rows, axis=1)]).script()
        self.assertIn("T.parallel(T.int64(4294967296))", text)

    def test_indices_become_wide(self):
        @T.prim_func
        def f(A: T.Buffer((50000, 50000), "int8")):
            for i, j in T.grid(50000, 50000):
                A[i, j] = T.int8(1)

        text = self.flattened(f)
        self.assertIn("T.Buffer((T.int64(2500000000),)", text)
        self.assertIn('T.Cast("int64", i) * T.int64(50000) + T.Cast("int64", j)', text)

    def test_indices_from_memory_of_what_is_large(self):
        """What leaves its dimension becomes an index far below 0; in int32 65536 * 65536 was 0, which is inside."""
        @T.prim_func
        def main(A: T.Buffer((65536, 65536), "int8"), B: T.Buffer((2,), "int32"), C: T.Buffer((2,), "int8")):
            for i in range(2):
                C[i] = A[i, B[i]]

        self.assertIn("-4294967296", tvm.build(tvm.IRModule({"main": main}), target="llvm").get_source("ll"))

    def test_windows_far_inside(self):
        """The offset of a window of what is large is int64 where that is possible, and refused where it is not: 40000 * 65536 wraps."""
        def window(use, factors="offset_factor=1"):
            return tvm.script.from_source(f"""# from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((65536, 65536), "int8"), B: T.Buffer((2,), "int64")):
    for i in range(2):
        with T.block("w"):
            vi = T.axis.spatial(2, i)
            T.reads(A[vi * 40000, 0:65536])
            T.writes(B[vi])
            W = T.match_buffer(A[vi * 40000:vi * 40000 + 1, 0:65536], (1, 65536), "int8", {factors})
            {use}
""")

        def lowered(func):
            return tir.transform.LowerMatchBuffer()(tvm.IRModule({"main": func}))["main"]

        count = lowered(window('B[vi] = T.Cast("int64", W.elem_offset + 5)'))
        out = tvm.nd.array(np.zeros(2, "int64"))
        tvm.build(tvm.IRModule({"main": tvm.script.from_source(count.script().replace("A: T.Buffer((65536, 65536), \"int8\"), ", "").replace("T.reads(A[vi * 40000, 0:65536])", "T.reads()"))}),
                  target="llvm")["main"](out)
        self.assertEqual(out.numpy().tolist(), [5, 40000 * 65536 + 5])
        text = lowered(window('B[vi] = T.call_extern("int64", "f", W.access_ptr("r", offset=3))')).script()
        self.assertIn('T.Cast("int64", vi * 40000) * T.int64(65536)', text)
        self.assertIn("T.int64(3)", text)
        self.assertIn("B[vi] = T.Cast(\"int64\", 65536)", lowered(window('B[vi] = T.Cast("int64", W.strides[0])', 'strides=("s0", 1), offset_factor=1')).script())
        with self.assertRaisesRegex(tvm.TVMError, "elem_offset of a window may be more than int32 holds"):
            lowered(window('B[vi] = T.call_extern("int64", "f", W.elem_offset)'))

    def test_bytes_of_any_number_of_elements(self):
        @T.prim_func
        def shared(a: T.handle, n: T.int32, m: T.int32):
            A = T.match_buffer(a, (n,), "float32")
            x = T.allocate([n], "float32", "global")
            X = T.Buffer((n,), data=x)
            for i in range(n):
                X[i] = A[i] + T.float32(1)
            y = T.allocate([m], "float32", "global")
            for i in range(n):
                A[i] = X[i]
            Y = T.Buffer((m,), data=y)
            for i in range(m):
                Y[i] = T.float32(2)
            for i in range(m):
                A[i] = Y[i]

        @T.prim_func
        def taken(a: T.handle, n: T.int32):
            A = T.match_buffer(a, (n,), "float32")
            T.attr("default", "device_id", 0)
            T.attr("default", "device_type", 1)
            with T.allocate([n], "float32", "global") as x:
                X = T.Buffer((n,), data=x)
                for i in range(n):
                    X[i] = A[i] + T.float32(1)
                for i in range(n):
                    A[i] = X[i]

        self.assertIn('T.allocate([T.max(T.Cast("int64", n), T.Cast("int64", m))]', tir.transform.StorageRewrite()(tvm.IRModule({"main": shared}))["main"].script())
        lowered = tir.transform.LowerTVMBuiltin()(tvm.IRModule({"main": taken.with_attr("target", tvm.target.Target("llvm"))}))["main"].script()
        self.assertIn('T.Cast("uint64", T.int64(4) * T.Cast("int64", n))', lowered)

    def test_reach_of_strides(self):
        @T.prim_func
        def f(a: T.handle, B: T.Buffer((4, 6), "float32")):
            A = T.match_buffer(a, (4, 6), "float32", strides=[1, 4])
            for i, j in T.grid(4, 6):
                B[i, j] = A[i, j]

        self.assertIn("A_1 = T.Buffer((24,), data=A.data)", self.flattened(f))


    @unperturbed()
    def test_steps_that_pass_2_to_the_31(self):
        """What steps lay out anew is counted in int64, as text and as it runs; what stays in the machine's pages is what is written."""
        @T.prim_func
        def main(A: T.Buffer((2,), "int8"), B: T.Buffer((2,), "int8")):
            for i in range(2):
                with T.block("r"):
                    v = T.axis.spatial(2, i)
                    B[v] = A[v] + T.int8(1)

        @T.prim_func
        def tiles(A: T.Buffer((2,), "int8"), B: T.Buffer((2,), "int8")):
            C = T.alloc_buffer((2147483647,), "int8")
            for i in range(2):
                with T.block("w"):
                    v = T.axis.spatial(2, i)
                    C[v + 2147483645] = A[v]
            for i in range(2):
                with T.block("r"):
                    v = T.axis.spatial(2, i)
                    B[v] = C[v + 2147483645] + T.int8(1)

        def read(sch):
            sch.reindex_cache_read("r", 0, "global", lambda i: (i * 2000000000 + 7,))
            return "T.int64(4000000000)", 'T.Cast("int64", v) * T.int64(2000000000) + T.int64(7)'

        def written(sch):
            sch.reindex_cache_write("r", 0, "global", lambda i: (i * 2147483647 + 1,))
            return "T.int64(4294967294)", 'T.Cast("int64", v) * T.int64(2147483647) + T.int64(1)'

        def laid_out(sch):
            sch.transform_layout("w", ("write", 0), lambda i: (i // 64, i % 64), assume_injective_transform=True)
            return "T.alloc_buffer((T.int64(33554432), T.int64(64))",

        for func, step in ((main, read), (main, written), (tiles, laid_out)):
            sch = tir.Schedule(func)
            for words in step(sch):
                self.assertIn(words, sch.mod["main"].script())
            A, B = tvm.nd.array(np.array([3, 4], "int8")), tvm.nd.array(np.zeros(2, "int8"))
            tvm.build(sch.mod, target="llvm")["main"](A, B)
            np.testing.assert_array_equal(B.numpy(), [4, 5])

    def test_sizes_of_tensor_expressions(self):
        """A size that left int32 is refused, and places in a reshaped tensor are counted in int64."""
        A = te.placeholder((50000, 50000), "int8", "A")
        text = te.create_prim_func([A, topi.reshape(A, (100000, 25000))]).script()
        self.assertIn('T.Cast("int64", v_ax0) * T.int64(25000) + T.Cast("int64", v_ax1)', text)
        at = te.placeholder((4,), "int64", "at")
        self.assertIn("T.int64(2499999999)", te.create_prim_func([A, at, topi.take(A, at)]).script())
        B = te.placeholder((2000000000,), "int8", "B")
        for wrapped in (topi.tile(B, (2,)), topi.repeat(B, 2, 0), topi.concatenate([B, B], 0)):
            with self.assertRaisesRegex(Exception, "has the size -294967296; sizes past 2147483647"):
                te.create_prim_func([B, wrapped])
        wide = te.placeholder((tir.IntImm("int64", 2000000000),), "int8", "wide")
        self.assertIn("4000000000", te.create_prim_func([wide, topi.tile(wide, (2,))]).script())

    def test_tiles_of_symbolic_shapes(self):
        @T.prim_func
        def f(a: T.handle, b: T.handle):
            n, m = T.int32(), T.int32()
            A = T.match_buffer(a, (n, m), "int8")
            B = T.match_buffer(b, (n, m), "int8")
            for i, j in T.grid(n, m):
                with T.block("X"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj] + T.int8(1)

        def arrays(*shape):
            return [tvm.nd.empty(shape, "int8") for _ in range(2)]

        for vectorized in (False, True):
            sch = tir.Schedule(f)
            _, middle, inner = sch.split(sch.fuse(*sch.get_loops("X")), [None, 64, 32])
            if vectorized:
                sch.vectorize(inner)
            sch.unroll(middle)
            built = tvm.build(sch.mod, target="llvm")
            a, b = arrays(7, 300)
            built["main"](a, b)
            self.assertTrue((b.numpy() == 1).all())
            # (n * m + 2047) // 2048 would be no rounds at all
            with self.assertRaisesRegex(tvm.TVMError, r"2147483000 elements; its loops count up to \d+ further"):
                built["main"](*arrays(1, 2147483000))


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


class Twice(unittest.TestCase):
    """Number 12: the same input gives the same bytes, in each process."""

    def texts(self, program):
        found = set()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(program)
            for _ in range(4):
                done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                found.add(done.stdout)
        return found

    def test_parallel_loops(self):
        program = """
import tvm
from tvm.script import tir as T
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle, n: T.int32, m: T.int32, k: T.int32):
    A = T.match_buffer(a, (n, m), "float32")
    B = T.match_buffer(b, (m, k), "float32")
    C = T.match_buffer(c, (n, k), "float32")
    for i in T.parallel(n):
        for j in range(k):
            C[i, j] = A[i, 0] + B[0, j] * T.float32(m)
print(tvm.build(tvm.IRModule({"main": main}), target="llvm").get_source("ll"))
"""
        self.assertEqual(len(self.texts(program)), 1)

    def test_buffers_of_one_name(self):
        program = """
import tvm
from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    with T.block("root"):
        X = T.alloc_buffer((8,))
        Y = T.alloc_buffer((4,))
        Z = T.alloc_buffer((2,))
        for i in range(8):
            with T.block("b"):
                vi = T.axis.spatial(8, i)
                X[vi] = A[vi]
                Y[vi // 2] = X[vi]
                Z[vi // 4] = Y[vi // 2]
                B[vi] = Z[vi // 4]
"""
        program += """
func = main
block = func.body.block
fresh = [tvm.tir.decl_buffer(b.shape, b.dtype, "same", data=b.data) for b in block.alloc_buffers]
vmap = dict(zip(block.alloc_buffers, fresh))
def change(node):
    if isinstance(node, tvm.tir.BufferLoad) and node.buffer in vmap:
        return tvm.tir.BufferLoad(vmap[node.buffer], node.indices)
    if isinstance(node, tvm.tir.BufferStore) and node.buffer in vmap:
        return tvm.tir.BufferStore(vmap[node.buffer], node.value, node.indices)
    return None
body = tvm.tir.stmt_functor.ir_transform(block.body, None, change, ["tir.BufferLoad", "tir.BufferStore"])
root = tvm.tir.Block([], [], [], "root", body, alloc_buffers=fresh)
func = tvm.tir.PrimFunc(func.params, tvm.tir.BlockRealize([], True, root), func.ret_type, func.buffer_map, func.attrs)
print(tvm.tir.transform.PlanAndUpdateBufferAllocationLocation()(tvm.IRModule({"main": func})).script())
"""
        self.assertEqual(len(self.texts(program)), 1)

    def test_executables(self):
        @I.ir_module
        class M:
            @R.function
            def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
                with R.dataflow():
                    y = R.add(x, x)
                    R.output(y)
                return y

        found = set()
        with tempfile.TemporaryDirectory() as folder:
            for i in range(2):
                path = os.path.join(folder, f"{i}.lsx")
                tvm.relax.build(M, target="llvm").export_library(path)
                with open(path, "rb") as file:
                    found.add(file.read())
        self.assertEqual(len(found), 1)


class Interface(unittest.TestCase):
    """Numbers 13 and 14."""

    def test_operators_of_casts(self):
        cast = tir.Cast("float32", tir.Var("x", "int32"))
        for name in ("abs", "floor", "ceil", "trunc", "round", "nearbyint", "isnan", "isinf", "isfinite"):
            self.assertIn("x", str(getattr(tir, name)(cast)), name)

    def test_operators_of_integers(self):
        x = tir.Var("x", "int32")
        for name, want in (("isnan", "T.bool(False)"), ("isinf", "T.bool(False)"), ("isfinite", "T.bool(True)"), ("floor", "x"), ("ceil", "x"), ("trunc", "x"), ("round", "x")):
            self.assertEqual(str(getattr(tir, name)(x)), want, name)

    def test_rounding_of_constants(self):
        for name in ("floor", "ceil", "trunc", "round", "nearbyint"):
            for value in (float("nan"), float("inf"), float("-inf"), -0.25, 0.5, 2.5, -0.0):
                got = getattr(tir, name)(tir.FloatImm("float64", value)).value
                want = getattr(np, "rint" if name in ("round", "nearbyint") else name)(np.float64(value))
                self.assertEqual(np.float64(got).tobytes(), want.tobytes(), (name, value))

    def test_equality_goes_with_the_hash(self):
        a, b = tir.FloatImm("float64", 1e-10), tir.FloatImm("float64", 7e-10)
        self.assertFalse(tvm.ir.structural_equal(a, b))
        self.assertNotEqual(tvm.ir.structural_hash(a), tvm.ir.structural_hash(b))
        c, d = tir.FloatImm("float32", 0.1), tir.FloatImm("float32", float(np.float32(0.1)))
        self.assertTrue(tvm.ir.structural_equal(c, d))
        self.assertEqual(tvm.ir.structural_hash(c), tvm.ir.structural_hash(d))


class Moves(unittest.TestCase):
    """Number 9: steps that TVM accepts although they change what the program computes."""

    @staticmethod
    def skewed():
        @T.prim_func
        def main(B: T.Buffer((65, 64), "int32"), C: T.Buffer((64,), "int32"), A: T.Buffer((64, 64), "int32")):
            for i, j in T.grid(64, 64):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi + 1, vj] = B[vi, 63 - vj] + 1
            for i, j in T.grid(64, 64):
                with T.block("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[(vi + vj) % 64] = A[vi, vj]

        return tvm.IRModule({"main": main})

    def steps(self, sch):
        yield "reorder", lambda: sch.reorder(*reversed(sch.get_loops("B")))
        yield "parallel", lambda: sch.parallel(sch.get_loops("C")[0])
        yield "bind", lambda: sch.bind(sch.get_loops("C")[0], "threadIdx.x")

    def test_warned_of(self):
        for at in range(3):
            sch = tir.Schedule(self.skewed())
            _, step = list(self.steps(sch))[at]
            before = sch.mod
            with self.assertWarnsRegex(RuntimeWarning, r"[BC]\[.* in the round i = .*The indices prove it"):
                step()
            self.assertFalse(tvm.ir.structural_equal(before, sch.mod))

    def test_refused_where_strict(self):
        sch = tir.Schedule(self.skewed(), strict=True)
        self.assertTrue(sch.strict and sch.copy().strict)
        for name, step in self.steps(sch):
            before = sch.mod
            with self.assertRaisesRegex(tvm.tir.schedule.ScheduleError, f"schedule/{name}/dependence"):
                step()
            self.assertTrue(before.same_as(sch.mod))
        sch.strict = False
        with self.assertWarns(RuntimeWarning):
            sch.parallel(sch.get_loops("C")[0])

    def test_switch(self):
        import loopscope

        self.assertFalse(loopscope.strict())
        self.assertFalse(loopscope.strict(True))
        self.assertTrue(tir.Schedule(self.skewed()).strict)
        self.assertTrue(loopscope.strict(False))
        self.assertFalse(tir.Schedule(self.skewed()).strict)


class Doubts(unittest.TestCase):
    """What the command line warns of, Python warns of; no accepted step leaves a variable without its definition."""

    def test_copies_of_what_is_not_written_yet(self):
        @T.prim_func
        def main(x: T.Buffer((7, 12), "float32"), D: T.Buffer((12, 7), "float32")):
            M = T.alloc_buffer((12, 7))
            for i, j in T.grid(12, 7):
                with T.block("M"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    M[vi, vj] = x[vj, vi] * T.float32(2)
                with T.block("D"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    D[vi, vj] = M[vi, vj] + T.float32(1)

        sch = tir.Schedule(main)
        with self.assertWarnsRegex(RuntimeWarning, "Block M, which writes M, stands in loop i with block D; the copy comes before it"):
            sch.reindex("D", ("read", 0))
        x = np.arange(84, dtype="float32").reshape(7, 12)
        self.assertFalse((run(sch.mod["main"], x, np.zeros((12, 7), "float32"))[1] == x.T * 2 + 1).all())      # it is warned for a reason
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("m.py", main.script()), ("s.py", 'sch.reindex(sch.get_block("D"), ("read", 0))\n')):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            said = subprocess.run([CLI, "apply", os.path.join(folder, "m.py"), "--steps", os.path.join(folder, "s.py")], capture_output=True, text=True, check=False)
        self.assertIn("the copy comes before it", said.stderr + said.stdout)

    def scan(self):
        @T.prim_func
        def main(A: T.Buffer((6, 9), "float32"), S: T.Buffer((6, 9), "float32")):
            for i, t in T.grid(6, 9):
                with T.block("S"):
                    vi = T.axis.spatial(6, i)
                    vt = T.axis.opaque(9, t)
                    T.reads(A[vi, vt], S[vi, 0:9])
                    T.writes(S[vi, vt])
                    S[vi, vt] = T.if_then_else(vt > 0, S[vi, T.max(vt - 1, 0)], T.float32(0)) + A[vi, vt]

        return tir.Schedule(main)

    def test_variables_stay_where_they_are_defined(self):
        sch = self.scan()
        with self.assertWarnsRegex(RuntimeWarning, "the copy holds only what was written in the loop"):
            sch.write_at(sch.get_loops("S")[0], sch.get_block("S"), 0, "local")
        before = sch.mod
        with self.assertRaisesRegex(tir.ScheduleError, "reindex/undefined.*ax0 is used but defined nowhere"):
            sch.reindex("S_local", ("read", 0))
        self.assertTrue(before.same_as(sch.mod))

    def test_nothing_is_said_of_what_is_certain(self):
        @T.prim_func
        def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
            B = T.alloc_buffer((16, 16), "float32")
            for i, j in T.grid(16, 16):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj] * T.float32(2)
            for i, j in T.grid(16, 16):
                with T.block("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[vi, vj] = B[vi, vj] + T.float32(1)

        sch = tir.Schedule(main)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            sch.cache_read("B", 0, "shared")
            outer, _ = sch.split(sch.get_loops("C")[0], [None, 4])
            sch.compute_at("B", outer)
            sch.cache_write("C", 0, "local")
            sch.write_at(sch.get_loops("C_local")[0], sch.get_block("C_local"), 0, "shared")


class Threads(unittest.TestCase):
    """reverse_compute_at under a loop of threads: it is refused exactly where the simulated threads compute something else."""

    @staticmethod
    def steps(shape, factors, scope, strict):
        n, m = shape
        source = f"""# from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer(({n}, {m}), "float32"), C: T.Buffer(({n}, {m}), "float32")):
    for i, j in T.grid({n}, {m}):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + T.float32(1)
"""
        sch = tir.Schedule(tvm.IRModule({"main": tvm.script.from_source(source)}), strict=strict)
        block = sch.get_block("C")
        loops = sch.get_loops(block)
        if len(factors) == 2:
            o, t, _ = sch.split(sch.fuse(*loops), [None, *factors])
        else:
            o, t = loops[0], sch.split(loops[1], [None, factors[0]])[0]
        sch.bind(o, "blockIdx.x")
        sch.bind(t, "threadIdx.x")
        sch.reverse_compute_at(sch.cache_write(block, 0, scope), t)
        return sch.mod

    def is_right(self, module, shape):
        built = tvm.build(module, target="cuda")
        a = np.arange(shape[0] * shape[1], dtype="float32").reshape(shape)
        arrays = [tvm.nd.array(x, tvm.cuda(0)) for x in (a, np.zeros(shape, "float32"))]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                built["main"](*arrays)
        except (tvm.TVMError, Warning):
            return False
        return bool((arrays[1].numpy() == a + 1).all())

    def test_fused_loops(self):
        found = {True: 0, False: 0}
        for shape, factors in (((6, 10), (4, 3)), ((6, 10), (2, 5)), ((6, 10), (2, 10)), ((6, 10), (3, 20)), ((6, 10), (5, 4)), ((8, 8), (4, 2)), ((8, 8), (2, 3)),
                               ((7, 5), (7, 5)), ((7, 5), (5, 7)), ((4, 9), (3, 3)), ((4, 9), (2, 9)), ((4, 9), (6, 6)), ((4, 9), (3,)), ((5, 6), (4,)), ((5, 6), (2,))):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                module = self.steps(shape, factors, "local", False)
            right = self.is_right(module, shape)
            found[right] += 1
            self.assertEqual(not any("does not make it" in str(w.message) for w in said), right, (shape, factors))
            if right:
                self.steps(shape, factors, "local", True)
            else:
                with self.assertRaisesRegex(tvm.tir.schedule.ScheduleError, "schedule/reverse_compute_at/foreign"):
                    self.steps(shape, factors, "local", True)
        self.assertGreater(min(found.values()), 3)


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


class Checked(unittest.TestCase):
    """Number 11 and the rest of 6: what the shapes and indices of a run have to be is checked when it runs."""

    @staticmethod
    def machine(module):
        from tvm import relax

        return relax.VirtualMachine(tvm.compile(module, target="llvm"), tvm.cpu())

    @staticmethod
    def ones(*shape, dtype="float32"):
        return tvm.nd.array(np.ones(shape, dtype))

    def test_matmul(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor(("n", "k"), "float32"), y: R.Tensor(("l", "m"), "float32")):
                z = R.matmul(x, y)
                return z

        vm = self.machine(Module)
        self.assertEqual(vm["main"](self.ones(2, 3), self.ones(3, 4)).numpy().sum(), 24)
        for l in (2, 4):
            with self.assertRaisesRegex(Exception, "same_extent of main is shape .* an extent of 3"):
                vm["main"](self.ones(2, 3), self.ones(l, 4))

    def test_batches(self):
        """Of batches with other symbols nothing is known before the run; it compares them, as those of R.add."""
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor(("a", 1, 2, "k"), "float32"), y: R.Tensor(("b", "c", "l", "m"), "float32")):
                z = R.matmul(x, y)
                return z

        vm = self.machine(Module)
        rng = np.random.default_rng(26)
        x, y = rng.random((3, 1, 2, 4), "float32"), rng.random((3, 5, 4, 2), "float32")
        np.testing.assert_allclose(vm["main"](tvm.nd.array(x), tvm.nd.array(y)).numpy(), x @ y, rtol=1e-5)
        for shape, extent in (((2, 5, 4, 2), 3), ((3, 5, 3, 2), 4), ((1, 5, 4, 2), 3)):
            with self.subTest(shape), self.assertRaisesRegex(Exception, rf"same_extent\d* of main is .*; an extent of {extent} in dimension"):
                vm["main"](tvm.nd.array(x), self.ones(*shape))

    def test_sums_of_three(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor(("a",), "float32"), y: R.Tensor(("b",), "float32"), z: R.Tensor(("c",), "float32")):
                w = R.ewise_fma(x, y, z)
                return w

        vm = self.machine(Module)
        np.testing.assert_array_equal(vm["main"](self.ones(3), self.ones(3), self.ones(3)).numpy(), [2, 2, 2])
        for shapes in ((3, 3, 2), (3, 2, 3), (1, 3, 3)):
            with self.subTest(shapes), self.assertRaisesRegex(Exception, r"same_extent\d* of main is"):
                vm["main"](*(self.ones(n) for n in shapes))

    def test_certain_shapes_get_no_check(self):
        from tvm import relax

        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor(("n", "k"), "float32"), y: R.Tensor(("k", "m"), "float32")):
                n, k = T.int64(), T.int64()
                with R.dataflow():
                    z = R.matmul(x, y)
                    w = R.reshape(x, (k, n))
                    R.output(z, w)
                return (z, w)

        self.assertNotIn("match_cast", relax.transform.LegalizeOps()(Module).script())

    def test_reshape(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor(("n", "m"), "float32"), s: R.Shape(("a", "b"))):
                a, b = T.int64(), T.int64()
                y = R.reshape(x, (a, b))
                z = R.add(y, R.const(1.0, "float32"))
                return z

        vm = self.machine(Module)
        self.assertEqual(vm["main"](self.ones(2, 3), tvm.runtime.ShapeTuple([3, 2])).numpy().shape, (3, 2))
        with self.assertRaisesRegex(Exception, "an extent of 6"):
            vm["main"](self.ones(2, 3), tvm.runtime.ShapeTuple([4, 2]))

    def test_extents_that_wrap(self):
        @I.ir_module
        class Module:
            @R.function
            def main(s: R.Shape(("a", "b"))):
                a, b = T.int64(), T.int64()
                z = R.zeros(R.shape([a * b]), "int8")
                return z

        vm = self.machine(Module)
        self.assertEqual(vm["main"](tvm.runtime.ShapeTuple([3, 2])).numpy().shape, (6,))
        with self.assertRaisesRegex(Exception, "8589934592 \\* 2147483648 is more than int64 holds"):
            vm["main"](tvm.runtime.ShapeTuple([2**33, 2**31]))

    def test_take(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("l",), "int64")):
                z = R.take(x, y, axis=0)
                return z

        vm = self.machine(Module)
        x = tvm.nd.array(np.arange(6, dtype="float32").reshape(2, 3))
        np.testing.assert_array_equal(vm["main"](x, tvm.nd.array(np.array([1, 0, 1]))).numpy(), x.numpy()[[1, 0, 1]])
        for bad in (2, -1, 10**12, -(2**62)):
            with self.assertRaisesRegex(Exception, r"Index \d of x is -\d+; it goes from 0 to 5.*some index has left its own dimension\."):
                vm["main"](x, tvm.nd.array(np.array([0, bad])))

    def test_the_end_of_a_row_is_no_other_row(self):
        @I.ir_module
        class Gather:
            @R.function
            def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n", "k"), "int64")):
                z = R.gather_elements(x, y, axis=1)
                return z

        @I.ir_module
        class Take:
            @R.function
            def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("l",), "int32")):
                z = R.take(x, y, axis=1)
                return z

        x = tvm.nd.array(np.arange(12, dtype="float32").reshape(3, 4))
        vm = self.machine(Gather)
        np.testing.assert_array_equal(vm["main"](x, tvm.nd.array(np.array([[3], [1], [0]]))).numpy(), [[3], [5], [8]])
        for bad in ([[4], [1], [0]], [[0], [-1], [0]], [[0], [4], [0]], [[2**40], [0], [0]]):
            with self.assertRaisesRegex(Exception, r"Index \d of x is -?\d+; it goes from 0 to"):
                vm["main"](x, tvm.nd.array(np.array(bad)))
        vm = self.machine(Take)
        np.testing.assert_array_equal(vm["main"](x, tvm.nd.array(np.array([3, 0], "int32"))).numpy(), x.numpy()[:, [3, 0]])
        for bad in ([4, 0], [0, -1], [2**31 - 1, 0], [-2**31, 0]):
            with self.assertRaisesRegex(Exception, r"Index \d of x is -?\d+; it goes from 0 to"):
                vm["main"](x, tvm.nd.array(np.array(bad, "int32")))

    def test_the_end_of_a_row_in_vectors_and_stores(self):
        @T.prim_func
        def main(A: T.Buffer((3, 4), "int32"), y: T.Buffer((3,), "int32"), B: T.Buffer((3, 4), "int32")):
            for j in range(3):
                for i in T.vectorized(2):
                    B[j, i] = A[j, y[i]]
                at: T.int32 = y[j] + 1
                B[j, at] = 9

        A = np.arange(12, dtype="int32").reshape(3, 4)
        for y in ([0, 1, 2], [2, 2, 2], [-1, 0, 1], [3, 0, 0], [0, 0, 3], [4, 0, 0], [0, -2, 0]):
            want = np.zeros((3, 4), "int32")
            inside = all(0 <= i < 4 for i in y[:2]) and all(0 <= i + 1 < 4 for i in y)
            if inside:
                for j in range(3):
                    want[j, :2] = A[j, y[:2]]
                    want[j, y[j] + 1] = 9
                np.testing.assert_array_equal(run(main, A, np.array(y, "int32"), np.zeros((3, 4), "int32"))[-1], want)
            else:
                with self.assertRaisesRegex(tvm.TVMError, "Index 0 of [AB] is"):
                    run(main, A, np.array(y, "int32"), np.zeros((3, 4), "int32"))

    def test_indices_from_memory(self):
        @T.prim_func
        def main(idx: T.Buffer((4,), "int32"), A: T.Buffer((8,), "float32"), B: T.Buffer((4,), "float32")):
            for i in T.parallel(4):
                at: T.int32 = idx[i] * 2
                B[i] = A[at + 1]

        A = np.arange(8, dtype="float32")
        np.testing.assert_array_equal(run(main, np.array([3, 2, 1, 0], "int32"), A, np.zeros(4, "float32"))[-1], [7, 5, 3, 1])
        with self.assertRaisesRegex(tvm.TVMError, "A"):
            run(main, np.array([3, 2, 1, 4], "int32"), A, np.zeros(4, "float32"))

    def test_fuse_widens(self):
        @T.prim_func
        def main(A: T.Buffer((4,), "int32")):
            for i, j in T.grid(65536, 65536):
                with T.block("b"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.where(i < 2 and j < 2)
                    A[vi * 2 + vj] = vi * 65536 + vj

        sch = tir.Schedule(main)
        fused = sch.fuse(*sch.get_loops("b"))
        loop = sch.get(fused)
        self.assertEqual((int(loop.extent), loop.loop_var.dtype), (2**32, "int64"))
        back = sch.split(fused, [65536, 65536])
        self.assertEqual([int(sch.get(x).extent) for x in back], [65536, 65536])
        small = tir.Schedule(main)
        outer, _ = small.split(small.get_loops("b")[0], [2, 32768])
        self.assertEqual(small.get(small.fuse(outer, small.get_loops("b")[1])).loop_var.dtype, "int32")


class Scatter(unittest.TestCase):
    """Number 11: topi.scatter_elements and scatter_nd without Relax: an index past the end of its row is no place in the next one."""

    @staticmethod
    def built(kind, shape, at, indices, dtype, symbolic):
        """The function, and the shape of the updates; `at`: the axis, or the number of indices of a place."""
        from tvm import te, topi

        extents = [tir.Var(f"s{k}", "int64") if symbolic else e for k, e in enumerate(shape)]
        x, i = te.placeholder(extents, "float32", "x"), te.placeholder(indices, dtype, "i")
        rest = [] if kind == "elements" else extents[at:]
        lead = list(indices) if kind == "elements" else list(indices[1:])
        u = te.placeholder(lead + rest, "float32", "u")
        out = topi.scatter_elements(x, i, u, at, "update") if kind == "elements" else topi.scatter_nd(x, i, u, "add")
        return tvm.build(tvm.IRModule({"main": te.create_prim_func([x, i, u, out])}), target="llvm"), lead + list(shape[at:] if rest else ())

    @staticmethod
    def want(kind, x, i, u, at):
        """What comes out, None where an index is outside (of updates to one place, any is right: such inputs are not drawn)."""
        x = x.copy()
        if kind == "elements":
            if not ((i >= -x.shape[at]) & (i < x.shape[at])).all():
                return None
            np.put_along_axis(x, np.where(i < 0, i + x.shape[at], i), u, at)
            return x
        if not all(((i[k] >= 0) & (i[k] < x.shape[k])).all() for k in range(at)):
            return None
        np.add.at(x, tuple(i[k] for k in range(at)), u)
        return x

    def test_every_index_in_its_own_dimension(self):
        rng = np.random.default_rng(26)
        met = {True: 0, False: 0}
        for shape in ((3, 4), (3, 1), (1, 4), (2, 3, 2), (5,)):
            for kind in ("elements", "nd"):
                for at in range(len(shape)) if kind == "elements" else range(1, len(shape) + 1):
                    for dtype, symbolic in (("int64", False), ("int32", True)):
                        indices = tuple(1 if k == at else e for k, e in enumerate(shape)) if kind == "elements" else (at, 3)
                        func, updates = self.built(kind, shape, at, indices, dtype, symbolic)
                        for past in (0, 1, 0, 1):
                            limits = np.full(indices, shape[at]) if kind == "elements" else np.array(shape[:at])[:, None] + np.zeros(indices, int)
                            i = rng.integers(-limits - past if kind == "elements" else np.zeros(indices, int) - past, limits + past).astype(dtype)
                            x = rng.integers(0, 9, shape).astype("float32")
                            u = rng.integers(10, 99, updates).astype("float32")
                            want = self.want(kind, x, i, u, at)
                            arrays = [tvm.nd.array(a) for a in (x, i, u, np.zeros(shape, "float32"))]
                            met[want is None] += 1
                            with self.subTest(kind=kind, shape=shape, at=at, dtype=dtype, i=i.tolist()):
                                if want is None:
                                    with self.assertRaisesRegex(tvm.TVMError, "Index 0 of .* it goes from 0 to"):
                                        func["main"](*arrays)
                                else:
                                    func["main"](*arrays)
                                    np.testing.assert_array_equal(arrays[3].numpy(), want)
        self.assertGreater(min(met.values()), 20)

    def test_who_writes_a_flat_index_may_use_all_of_it(self):
        @T.prim_func
        def main(i: T.Buffer((3,), "int32"), B: T.Buffer((3, 4), "int32")):
            for j in range(3):
                B[i[j] // 4, i[j] % 4] = j + 1

        out = run(main, np.array([11, 4, 7], "int32"), np.zeros((3, 4), "int32"))[1]
        self.assertEqual(out.reshape(-1).tolist(), [0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 1])


class Strided(unittest.TestCase):
    """Memory with strides holds every element that is written, whatever the strides are."""

    def allocated(self, func):
        """How many elements the longest allocation has."""
        found = []

        def see(node):
            if isinstance(node, tir.Allocate):
                found.append(int(np.prod([int(one) for one in node.extents])))

        mod = tvm.IRModule({"main": func})
        for step in ("LowerInitBlock", "PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque", "CompactBufferAllocation", "LowerMatchBuffer",
                     "LowerOpaqueBlock", "FlattenBuffer"):
            mod = getattr(tir.transform, step)()(mod)
        tir.stmt_functor.post_order_visit(mod["main"].body, see)
        return max(found)

    def test_alignments_of_several_axes(self):
        @T.prim_func
        def main(A: T.Buffer((4, 4, 6), "float32"), C: T.Buffer((4, 4, 6), "float32")):
            B = T.alloc_buffer((4, 4, 6))
            for i, j, k in T.grid(4, 4, 6):
                with T.block("B"):
                    vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                    B[vi, vj, vk] = A[vi, vj, vk] + T.float32(1)
            for i, j, k in T.grid(4, 4, 6):
                with T.block("C"):
                    vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                    C[vi, vj, vk] = B[vi, vj, vk] * T.float32(2)

        a = np.arange(96, dtype="float32").reshape(4, 4, 6)
        for aligned in ([(0, 16, 2), (1, 16, 1)], [(0, 64, 5), (1, 8, 3)], [(1, 5, 2), (0, 7, 3)], [(0, 16, 0), (1, 16, 0)]):
            sch = tir.Schedule(main)
            for axis, factor, offset in aligned:
                sch.storage_align("B", 0, axis, factor, offset)
            with self.subTest(aligned=aligned):
                inner = 6 + next((f + o - 6 % f) % f for x, f, o in aligned if x == 1)
                outer = inner * 4 + next((f + o - inner * 4 % f) % f for x, f, o in aligned if x == 0)
                self.assertGreaterEqual(self.allocated(sch.mod["main"]), 3 * outer + 3 * inner + 6)
                np.testing.assert_array_equal((a + 1) * 2, run(sch.mod["main"], a, np.zeros_like(a))[1])

    def test_axes_in_any_order(self):
        for strides in ((1, 4), (6, 1), (0, 1), (1, 0), (4, 3), (24, 4)):
            @T.prim_func
            def main(C: T.Buffer((4, 6), "float32")):
                B = T.alloc_buffer((4, 6), strides=strides)
                for i, j in T.grid(4, 6):
                    B[i, j] = T.float32(3)
                for i, j in T.grid(4, 6):
                    C[i, j] = B[i, j]

            with self.subTest(strides=strides):
                self.assertGreaterEqual(self.allocated(main), 3 * strides[0] + 5 * strides[1] + 1)
                np.testing.assert_array_equal(np.full((4, 6), 3, "float32"), run(main, np.zeros((4, 6), "float32"))[0])


COMMAS = """LC_NUMERIC
decimal_point "<U002C>"
thousands_sep "<U002E>"
grouping 3;3
END LC_NUMERIC
""" + "".join(f'LC_{name}\ncopy "POSIX"\nEND LC_{name}\n' for name in ("CTYPE", "COLLATE", "TIME", "MONETARY", "MESSAGES"))


class Rest(unittest.TestCase):
    """Number 18: what was found by reading only."""

    def test_a_let_binds_in_its_body_alone(self):
        x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
        for simplify in ("simplify", "rewrite_simplify", "canonical_simplify"):
            for value in (tir.IntImm("int32", 3), y, y + 1):
                ana = arith.Analyzer()
                getattr(ana, simplify)(tir.Let(x, value, x + 1))
                self.assertEqual(str(getattr(ana, simplify)(x + 0)), "x", (simplify, value))
                self.assertFalse(ana.can_prove(tir.EQ(x, value)))
                self.assertFalse(ana.can_prove(x <= 3))
                self.assertEqual(ana.const_int_bound(x).max_value, INT_MAX)
                both = getattr(ana, simplify)(tir.Let(x, value, x + 1) + x * 2)
                self.assertIn("x * 2", str(both))

    def test_one_variable_bound_to_several_values(self):
        v, n = tir.Var("v", "int32"), tir.Var("n", "int32")
        A = tir.decl_buffer((4,), "int32", "A")
        values = [tir.Let(v, tir.IntImm("int32", 3), v + 1), tir.Let(v, n, v + 1), tir.Let(v, n + 5, v * 2) + tir.Let(v, tir.IntImm("int32", 3), v),
                  tir.Let(v, tir.Let(v, n, v * 3), v + 1)]
        a = tir.Var("a", "handle")
        func = tir.PrimFunc([a, n], tir.SeqStmt([tir.BufferStore(A, value, [k]) for k, value in enumerate(values)]), buffer_map={a: A})
        for step in (lambda m: m, tir.transform.Simplify(), tir.transform.ConvertSSA()):
            built = tvm.build(step(tvm.IRModule({"main": func.with_attr("global_symbol", "main")})), target="llvm")
            out = tvm.nd.array(np.zeros(4, "int32"))
            built["main"](out, 40)
            self.assertEqual(out.numpy().tolist(), [4, 41, 93, 121])

    def test_one_variable_of_several_statements(self):
        v, n, a = tir.Var("v", "int32"), tir.Var("n", "int32"), tir.Var("a", "handle")
        A = tir.decl_buffer((3,), "int32", "A")
        body = tir.SeqStmt([tir.LetStmt(v, value, tir.BufferStore(A, v * 2, [k])) for k, value in enumerate([tir.IntImm("int32", 3), n + 5, n])])
        text = tir.transform.Simplify()(tvm.IRModule({"main": tir.PrimFunc([a, n], body, buffer_map={a: A})}))["main"].script()
        for line in ("A[0] = 6", "A[1] = n * 2 + 10", "A[2] = n * 2"):
            self.assertIn(line, text)

    def test_an_archive_that_counts_in_64_bits(self):
        """What an .npz of more than 4 GiB says of its sizes and places stands where ZIP64 puts it."""
        program = r"""
import io, sys, zipfile
import numpy as np
zipfile.ZIP64_LIMIT = zipfile.ZIP_FILECOUNT_LIMIT = 0
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED if sys.argv[2] == "packed" else zipfile.ZIP_STORED) as archive:
    for name, value in (("x", 3), ("w", 7)):
        data = io.BytesIO()
        np.save(data, np.full((1, 3), value, "float32"))
        archive.writestr(name + ".npy", data.getvalue())
"""
        model = ("# from tvm.script import ir as I\n# from tvm.script import relax as R\n@I.ir_module\nclass Module:\n    @R.function\n"
                 "    def main(x: R.Tensor((1, 3), \"float32\"), w: R.Tensor((1, 3), \"float32\")):\n        with R.dataflow():\n            y = R.add(x, w)\n"
                 "            R.output(y)\n        return y\n")
        with tempfile.TemporaryDirectory() as folder:
            path, archive = os.path.join(folder, "model.py"), os.path.join(folder, "arrays.npz")
            with open(path, "w", encoding="utf-8") as file:
                file.write(model)
            np.savez(archive, x=np.full((1, 3), 3, "float32"), w=np.full((1, 3), 7, "float32"))
            want = subprocess.run([CLI, "pass", path, "--pass", f'BindParams("main", "{archive}")'], capture_output=True, text=True, check=True).stdout
            self.assertIn('metadata["relax.expr.Constant"][0]', want)
            for way in ("stored", "packed"):
                subprocess.run([sys.executable, self.write(folder, program), archive, way], check=True)
                with open(archive, "rb") as file:
                    data = file.read()
                self.assertIn(b"\xff" * 8, data)
                self.assertIn(b"PK\x06\x06", data)
                done = subprocess.run([CLI, "pass", path, "--pass", f'BindParams("main", "{archive}")'], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout, want)
                for n in range(0, len(data), 61):
                    with open(archive, "wb") as file:
                        file.write(data[:n])
                    cut = subprocess.run([CLI, "pass", path, "--pass", f'BindParams("main", "{archive}")'], capture_output=True, text=True, check=False)
                    self.assertEqual(cut.returncode, 1)
                    self.assertIn("arrays.npz", cut.stderr)

    @unittest.skipUnless(shutil.which("localedef"), "no localedef")
    def test_a_locale_with_commas(self):
        """Numbers in texts, traces and graphs are written with a point and read with one."""
        program = r"""
import ctypes, json, locale, tvm
from tvm import tir
from tvm.script import ir as I, relax as R, tir as T
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
text = ctypes.create_string_buffer(32)
ctypes.CDLL(None).snprintf(text, ctypes.c_size_t(32), b"%.1f", ctypes.c_double(1.5))
assert text.value == b"1,5", text.value
@T.prim_func
def f(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(1.25) + T.float32(0.1)
sch = tir.Schedule(f)
sch.annotate(sch.get_block("B"), "weight", 0.125)
print(sch.mod.script())
print(sch.trace)
trace = json.dumps(sch.trace.as_json())
print(trace)
again = tir.Schedule(f)
tir.schedule.Trace.apply_json_to_schedule(json.loads(trace), again)
assert tvm.ir.structural_equal(again.mod, sch.mod)
module = tvm.script.from_source(sch.mod.script())
assert tvm.ir.structural_equal(module, sch.mod)
assert tvm.ir.structural_equal(tvm.ir.load_json(tvm.ir.save_json(sch.mod)), sch.mod)
print(tvm.build(sch.mod, target="llvm").get_source("ll").count("1.25"))
@I.ir_module
class M:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")) -> R.Object:
        pair: R.Object = R.call_packed("vm.builtin.make_tuple", R.prim_value(T.float64(2.5)), sinfo_args=(R.Object,))
        return pair
text = tvm.compile(M, target="llvm").as_text()
assert "make_tuple  2.5" in text, text
"""
        with tempfile.TemporaryDirectory() as folder:
            # A comma is all that German is asked for: its order of letters takes longer to compile than all else here.
            with open(os.path.join(folder, "commas"), "w", encoding="utf-8") as file:
                file.write(COMMAS)
            made = subprocess.run(["localedef", "-c", "-i", os.path.join(folder, "commas"), "-f", "UTF-8", os.path.join(folder, "de_DE.UTF-8")], capture_output=True, check=False)
            if not os.path.isdir(os.path.join(folder, "de_DE.UTF-8")):
                self.skipTest("localedef makes no locale: " + made.stderr.decode(errors="replace")[:80])
            outputs = []
            for name in ("de_DE.UTF-8", "C.UTF-8"):
                plain = program if name[0] == "d" else program.replace('setlocale(locale.LC_ALL, "de_DE.UTF-8")', 'setlocale(locale.LC_ALL, "C.UTF-8")').replace('b"1,5"', 'b"1.5"')
                done = subprocess.run([sys.executable, self.write(folder, plain)],
                                      env={**os.environ, "LOCPATH": folder} if name[0] == "d" else dict(os.environ), capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                outputs.append(done.stdout)
        self.assertEqual(outputs[0], outputs[1])
        self.assertIn("0.125", outputs[0])

    @staticmethod
    def write(folder, program):
        path = os.path.join(folder, "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(program)
        return path


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


class Damaged(unittest.TestCase):
    """Number 16: a damaged database is an error that names the file and the line."""

    def test_lines(self):
        from tvm import meta_schedule as ms

        with tempfile.TemporaryDirectory() as folder:
            records = os.path.join(folder, "records.json")
            for bad in (b"{", b"[]", b"[1, 2]", b'["1", "***"]', b'["1", "aGVsbG8="]', b"\xff\xfe", b"null", b"3"):
                path = os.path.join(folder, "workloads.json")
                with open(path, "wb") as file:
                    file.write(b"\n" + bad + b"\n")
                with self.assertRaisesRegex(tvm.TVMError, "workloads.json, line 2: this cannot be read"):
                    ms.database.JSONDatabase(path, records)
        for bad in ("{", "[]", "3", '{"root": 1}', '{"format": "nodes", "nodes": 7}'):
            with self.assertRaisesRegex(tvm.TVMError, "load_json: this cannot be read"):
                tvm.ir.load_json(bad)

    def test_times_that_are_none(self):
        from tvm import meta_schedule as ms

        A = te.placeholder((4,), "float32", "A")
        mod = tvm.IRModule({"main": te.create_prim_func([A, te.compute((4,), lambda i: A[i] + 1, "C")])})
        for times in ([float("nan")], [float("inf")], [0.5, float("nan")]):
            database = ms.database.MemoryDatabase()
            workload = database.commit_workload(mod)
            for given in (times, [2.0], times):
                database.commit_tuning_record(ms.database.TuningRecord(tir.Schedule(mod).trace, workload, given, tvm.target.Target("llvm")))
            with self.subTest(times):
                self.assertEqual([r.run_secs for r in database.get_top_k(workload, 3)], [[2.0]])

    def test_parameters(self):
        given = {"w": tvm.nd.array(np.arange(40, dtype="float32")), "file": tvm.nd.array(np.arange(3, dtype="int8")), "a/b.npy": tvm.nd.array(np.array(2.5))}
        data = bytes(tvm.runtime.save_param_dict(given))
        back = tvm.runtime.load_param_dict(data)
        self.assertEqual({name: back[name].numpy().tolist() for name in back}, {name: given[name].numpy().tolist() for name in given})
        flipped = bytes(byte ^ 0xff if i == 150 else byte for i, byte in enumerate(data))
        for bad in (b"", b"\0" * 9, data[:40], data[:-30], data[100:], flipped, b"\x93NUMPY" + data):
            with self.subTest(len(bad)), self.assertRaisesRegex(ValueError, "expected what save_param_dict wrote"):
                tvm.runtime.load_param_dict(bad)


class Inlined(unittest.TestCase):
    """What was loaded wraps, also when a step puts an index in its place."""

    CASES = [
        ("v + 2147483640", "T.Cast(\"int32\", X + 10 > X)", lambda x, wrap: int(wrap(x + 10) > x), lambda i: i + 2147483640),
        ("v + 46338", "T.Cast(\"int32\", X * X > 0)", lambda x, wrap: int(wrap(x * x) > 0), lambda i: i + 46338),
        ("v + 40000", "X * 65536 // 65536", lambda x, wrap: wrap(x * 65536) // 65536, lambda i: i + 40000),
        ("v + 1", "T.Cast(\"int32\", T.shift_left(X, 31) >= 0)", lambda x, wrap: int(wrap(x << 31) >= 0), lambda i: i + 1),
        ("2147483647", "T.Cast(\"int32\", X + 1 > X)", lambda x, wrap: 0, lambda i: 2147483647),
        ("-2147483640 - v", "T.max(X - 10, X)", lambda x, wrap: max(wrap(x - 10), x), lambda i: -2147483640 - i),
        ("v + 7", "X * 3 + X // 2", lambda x, wrap: x * 3 + x // 2, lambda i: i + 7),
    ]

    def steps(self, made, used):
        text = f"""from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((6,), "int32")):
    C = T.alloc_buffer((6,), "int32")
    for i in range(6):
        with T.block("c"):
            v = T.axis.spatial(6, i)
            C[v] = {made}
    for i in range(6):
        with T.block("b"):
            v = T.axis.spatial(6, i)
            B[v] = {used.replace("X", "C[v]")}
"""
        mod = tvm.IRModule({"main": tvm.script.from_source(text)})
        into, out = tir.Schedule(mod), tir.Schedule(mod)
        into.compute_inline(into.get_block("c"))
        out.reverse_compute_inline(out.get_block("b"))
        return [mod, into.mod, out.mod]

    def test_values(self):
        wrap = lambda number: (number + 2**31) % 2**32 - 2**31
        for made, used, meaning, value in self.CASES:
            for mod in self.steps(made, used):
                with self.subTest(mod.script()):
                    result = tvm.nd.array(np.zeros(6, "int32"))
                    tvm.compile(mod, target="llvm")["main"](result)
                    self.assertEqual(result.numpy().tolist(), [meaning(value(i), wrap) for i in range(6)])

    def test_text_stays_where_nothing_wraps(self):
        _, into, out = self.steps("v + 7", "X * 3 + X // 2")
        for mod in (into, out):
            self.assertIn("B[v] = (v + 7) * 3 + (v + 7) // 2", mod.script())


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


class Means(unittest.TestCase):
    """Means, variances and deviations of whole numbers have their type, as the graph says: TVM hands out int64."""

    def reduced(self, name, dtype, rows):
        builder, x = tvm.relax.BlockBuilder(), tvm.relax.Var("x", R.Tensor((len(rows), len(rows[0])), dtype))
        with builder.function("main", [x]):
            builder.emit_func_output(builder.emit(getattr(tvm.relax.op, name)(x, axis=[1])))
        machine = tvm.relax.VirtualMachine(tvm.compile(builder.get(), target="llvm"), tvm.cpu())
        found = machine["main"](tvm.nd.array(np.array(rows, dtype))).numpy()
        self.assertEqual(str(found.dtype), dtype)
        return found.tolist()

    def test_means(self):
        values = {"int8": [[100, 100, 100, 101], [-7, -100, -100, -100]], "uint8": [[255, 255, 255, 254], [0, 1, 0, 2]],
                  "int32": [[2**31 - 1, 2**31 - 3, 2**31 - 1, 2**31 - 1], [-2**31, -2**31, 4, 0]], "int64": [[2**40, 4, 0, 0], [-9, 0, 0, 0]]}
        means = {"int8": [100, -76], "uint8": [254, 0], "int32": [2**31 - 2, -2**30 + 1], "int64": [2**38 + 1, -2]}
        for dtype, rows in values.items():
            with self.subTest(dtype):
                self.assertEqual(self.reduced("mean", dtype, rows), means[dtype])

    def test_variances(self):
        """Around the mean that it is, not around a whole number: 9.6875 of 1, 2, 3, 9, of which TVM makes 10."""
        rows = [[1, 2, 3, 9], [100, 90, 80, 99], [7, 7, 7, 7]]
        for dtype in ("int8", "uint8", "int16", "int32", "int64", "uint32"):
            with self.subTest(dtype):
                self.assertEqual(self.reduced("variance", dtype, rows), [9, 65, 0])
                self.assertEqual(self.reduced("std", dtype, rows), [3, 8, 0])
        self.assertEqual(self.reduced("variance", "int8", [[-128, 127]]), [127])
        self.assertEqual(self.reduced("std", "int32", [[2**31 - 1, -2**31]]), [2**31 - 1])
        self.assertEqual(self.reduced("variance", "float32", [[1, 2, 3, 9]]), [9.6875])


class Atomics(unittest.TestCase):
    """What a place holds ends to be known where an atomic function changes it, and a place stays one."""

    def test_known_values(self):
        @T.prim_func
        def func(A: T.Buffer((2,), "int32"), B: T.Buffer((3,), "int32")):
            A[0] = 3
            T.evaluate(T.call_extern("int32", "atomicAdd", T.address_of(A[0]), A[0]))
            B[0] = A[0]
            if A[1] < 5:
                T.evaluate(T.call_extern("int32", "atomicMax", T.address_of(A[1]), 9))
                B[1] = T.max(A[1], 5)
                B[2] = T.Select(A[1] < 5, 1, 2)

        with tvm.transform.PassContext(config={"tir.Simplify": {"propagate_knowns_to_simplify_expressions": True, "propagate_knowns_to_prove_conditional": True}}):
            mod = tir.transform.Simplify()(tvm.IRModule({"main": func}))
        self.assertIn('"atomicAdd", T.address_of(A[0])', mod.script())
        for each in (func, mod["main"]):
            self.assertEqual([a.tolist() for a in run(each, np.array([1, 2], "int32"), np.zeros(3, "int32"))], [[6, 9], [6, 9, 2]])

    def test_parallel_rounds_lose_nothing(self):
        @T.prim_func
        def func(X: T.Buffer((5000,), "int32"), H: T.Buffer((4,), "int32"), F: T.Buffer((1,), "float64"), U: T.Buffer((2,), "uint32")):
            for i in T.parallel(5000):
                T.evaluate(T.call_extern("int32", "atomicAdd", T.address_of(H[X[i] % 4]), X[i]))
                T.evaluate(T.atomic_add(T.address_of(F[0]), T.Cast("float64", X[i])))
                T.evaluate(T.call_extern("uint32", "atomicMax", T.address_of(U[0]), T.Cast("uint32", X[i])))
                T.evaluate(T.call_extern("uint32", "atomicMin", T.address_of(U[1]), T.Cast("uint32", X[i])))

        data = np.random.default_rng(26).integers(-1000, 1000, 5000).astype("int32")
        _, sums, total, ends = run(func, data, np.zeros(4, "int32"), np.zeros(1), np.array([0, 2**32 - 1], "uint32"))
        self.assertEqual(sums.tolist(), [int(data[data % 4 == k].sum()) for k in range(4)])
        self.assertEqual(total.tolist(), [float(data.sum())])
        self.assertEqual(ends.tolist(), [int(data.astype("uint32").max()), int(data.astype("uint32").min())])

    def test_types_that_have_none(self):
        @T.prim_func
        def func(A: T.Buffer((2,), "int16")):
            T.evaluate(T.call_extern("int16", "atomicAdd", T.address_of(A[0]), T.int16(1)))

        with self.assertRaisesRegex(tvm.TVMError, "atomicAdd"):
            tvm.build(func, target="llvm")


if __name__ == "__main__":
    tap.main()
