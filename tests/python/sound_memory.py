"""Right where TVM v0.20 is wrong (sound.py). Memory: indices and buffers of any size, what is read and written where, by one thread and by many."""
import os
import subprocess
import tempfile
import unittest
import warnings

import numpy as np

import tap
import tvm
from sound import CLI, run, unperturbed
from tvm import te, tir, topi
from tvm.script import tir as T


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
