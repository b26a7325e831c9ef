"""Right where TVM v0.20 is wrong (sound.py). Calls: what a function checks of its arguments, a second compilation, libraries, locales and damaged files."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import tap
import tvm
from sound import CLI, INT_MAX, run
from tvm import arith, te, tir
from tvm.script import ir as I, relax as R, tir as T


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


if __name__ == "__main__":
    tap.main()
