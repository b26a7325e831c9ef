"""Passes for the memory of a GPU, by what they make of programs: stages in registers, windows that go round, permuted rows, warps."""
import unittest

import numpy
import tap
import tvm
from tvm import tir
from tvm.script import tir as T

passes = tir.transform


def after(func, *steps):
    return tvm.transform.Sequential(list(steps))(tvm.IRModule({"main": func}))["main"]


def found(func, kind):
    nodes = []
    tir.stmt_functor.post_order_visit(func.body, lambda node: nodes.append(node) if isinstance(node, kind) else None)
    return nodes


def value(expr, **given):
    """The number that an expression is where its variables have these values."""
    names = {var.name: var for var in tir.analysis.undefined_vars(expr)}
    known = {names[name]: tir.const(number, names[name].dtype) for name, number in given.items() if name in names}
    return int(tvm.arith.Analyzer().simplify(tir.stmt_functor.substitute(expr, known)))


class Splits(unittest.TestCase):
    def test_divisions_come_inside_and_mean_the_same(self):
        x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
        for expr, text in ((x % 60 // 12, "x // 12 % 5"), ((x * 10 + y) // 4, "(x * 5 + y // 2) // 2"),
                           ((x * 9 + y + 1) // 6, "(x * 3 + (y + 1) // 3) // 2"), ((x * 7 + y) // 4, "(x * 7 + y) // 4")):
            before = tir.PrimFunc([x, y], tir.Evaluate(expr))
            made = after(before, passes.RenormalizeSplitPattern()).body.value
            self.assertEqual(str(made), text)
            for a in (-13, 0, 59, 61):
                for b in (-5, 0, 3):
                    self.assertEqual(value(made, x=a, y=b), value(expr, x=a, y=b))

    def test_comparisons_are_written_with_less(self):
        x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
        for expr, text in ((x > y, "y < x"), (x >= y, "y <= x"), (x < 40, "x // 40 < 1"), (x >= 40, "1 <= x // 40"), (x < -3, "x < -3")):
            self.assertEqual(str(after(tir.PrimFunc([x, y], tir.Evaluate(expr)), passes.RenormalizeSplitPattern()).body.value), text)


class Stages(unittest.TestCase):
    def kernel(self, attrs=True, scope="shared"):
        @T.prim_func(private=True)
        def func(X: T.Buffer((6, 20), "float32"), Y: T.Buffer((6, 20), "float32")):
            for r in range(6):
                with T.block("row"):
                    T.reads(X[r, 0:20])
                    T.writes(Y[r, 0:20])
                    S = T.alloc_buffer((6, 20), scope=scope)
                    for a in range(5):
                        for b in T.vectorized(4):
                            with T.block("copy"):
                                T.reads(X[r, a * 4 + b])
                                T.writes(S[r, a * 4 + b])
                                T.block_attr({"tir.manifest_shared_memory_local_stage": 1} if attrs else {})
                                S[r, a * 4 + b] = X[r, a * 4 + b]
                    for c in range(20):
                        with T.block("use"):
                            T.reads(S[r, c])
                            T.writes(Y[r, c])
                            Y[r, c] = S[r, c] + T.float32(1)
        return func

    def test_marked_copies_go_through_registers(self):
        func = after(self.kernel(), passes.ManifestSharedMemoryLocalStage())
        row = next(b for b in found(func, tir.Block) if b.name_hint == "row")
        self.assertEqual([(b.name, b.scope(), [int(n) for n in b.shape]) for b in row.alloc_buffers],
                         [("S", "shared", [6, 20]), ("S_local", "local", [5, 4])])
        first, second, use = row.body.seq
        stage, copy = first.body.body.block, second.body.body.block
        self.assertEqual((stage.name_hint, stage.body.buffer.name, copy.name_hint, copy.body.value.buffer.name), ("", "S_local", "copy", "S_local"))
        self.assertFalse(first.loop_var.same_as(second.loop_var))
        self.assertEqual(first.body.kind, tir.ForKind.VECTORIZED)
        self.assertNotIn("tir.manifest_shared_memory_local_stage", copy.annotations)
        x = tvm.nd.array(numpy.arange(120, dtype="float32").reshape(6, 20))
        y = tvm.nd.array(numpy.zeros((6, 20), "float32"))
        tvm.build(tvm.IRModule({"main": func.with_attr("global_symbol", "main")}), target="llvm")["main"](x, y)
        numpy.testing.assert_array_equal(y.numpy(), x.numpy() + 1)

    def test_others_stay_and_others_are_refused(self):
        plain = self.kernel(attrs=False)
        self.assertTrue(after(plain, passes.ManifestSharedMemoryLocalStage()).same_as(plain))
        with self.assertRaisesRegex(ValueError, "one store to shared memory"):
            after(self.kernel(scope="local"), passes.ManifestSharedMemoryLocalStage())


class Rolling(unittest.TestCase):
    def func(self, start):
        x = tir.decl_buffer((12,), "int32", "X")
        y = tir.decl_buffer((10,), "int32", "Y")
        mid = tir.decl_buffer((12,), "int32", "mid")
        o, i, j = (tir.Var(name, "int32") for name in "oij")
        fill = tir.For(i, 0, 4, tir.ForKind.SERIAL, tir.BufferStore(mid, x[o * 2 + i] * 3, [o * 2 + i]))
        use = tir.For(j, 0, 2, tir.ForKind.SERIAL, tir.BufferStore(y, mid[o * 2 + j] + mid[o * 2 + j + 2], [o * 2 + j]))
        body = tir.AttrStmt(mid, "rolling_buffer_scope", True, tir.SeqStmt([fill, use]))
        body = tir.BufferRealize(mid, [tvm.ir.Range.from_min_extent(start(o), 4)], True, body)
        body = tir.AttrStmt(mid, "realize_scope", tir.StringImm("shared"), body)
        return tir.PrimFunc([x, y], tir.For(o, 0, 5, tir.ForKind.SERIAL, body))

    def test_the_window_goes_round_and_is_filled_once(self):
        attr = after(self.func(lambda o: o * 2), passes.InjectRollingBuffer()).body
        self.assertEqual(attr.attr_key, "realize_scope")
        realize = attr.body
        self.assertEqual((int(realize.bounds[0].min), int(realize.bounds[0].extent)), (0, 4))
        loop = realize.body
        self.assertIsInstance(loop, tir.For)
        condition = loop.body.seq[0].body
        store = condition.then_case
        times = {}
        for o in range(5):
            for i in range(4):
                if value(condition.condition.args[0], o=o, i=i):
                    times[o * 2 + i] = times.get(o * 2 + i, 0) + 1
                    self.assertEqual(value(store.indices[0], o=o, i=i), (o * 2 + i) % 4)
        self.assertEqual(times, {element: 1 for element in range(12)})
        self.assertEqual(value(loop.body.seq[1].body.value.b.indices[0], o=3, j=1), 1)

    def test_windows_that_no_loop_moves_are_refused(self):
        with self.assertRaisesRegex(tvm.TVMError, "no rolling axis"):
            after(self.func(lambda o: 0), passes.InjectRollingBuffer())
        with self.assertRaisesRegex(tvm.TVMError, "begins each window"):
            after(self.func(lambda o: o + 1), passes.InjectRollingBuffer())


class Copies(unittest.TestCase):
    """auto_copy: who copies what, and that it is right on threads."""

    def kernel(self, rows, columns, turned=False, notes=None, tx=32, ty=8, scope="shared"):
        there, back = {"auto_copy": True, **(notes or {})}, {"auto_copy": True}
        shape = (columns, rows) if turned else (rows, columns)
        one = lambda i, j: (j, i) if turned else (i, j)

        @T.prim_func(private=True)
        def func(A: T.Buffer((rows, columns), "float32"), B: T.Buffer((rows, columns), "float32")):
            for x in T.thread_binding(tx, thread="threadIdx.x"):
                for y in T.thread_binding(ty, thread="threadIdx.y"):
                    with T.block("all"):
                        T.reads(A[0:rows, 0:columns])
                        T.writes(B[0:rows, 0:columns])
                        S = T.alloc_buffer(shape, scope=scope)
                        with T.block("there"):
                            T.reads(A[0:rows, 0:columns])
                            T.writes(S[0:shape[0], 0:shape[1]])
                            T.block_attr(there)
                            for i, j in T.grid(rows, columns):
                                S[one(i, j)[0], one(i, j)[1]] = A[i, j]
                        with T.block("back"):
                            T.reads(S[0:shape[0], 0:shape[1]])
                            T.writes(B[0:rows, 0:columns])
                            T.block_attr(back)
                            for j, i in T.grid(columns, rows):
                                B[i, j] = S[one(i, j)[0], one(i, j)[1]]
        return func

    def parts(self, func):
        made = after(func, passes.LowerAutoCopy())
        blocks = {b.name_hint: b for b in found(made, tir.Block)}
        (shared,) = blocks["all"].alloc_buffers
        return blocks["there"], blocks["back"], [int(one) for one in shared.strides]

    def loops(self, block):
        nest, stmt = [], block.body
        while isinstance(stmt, tir.For):
            tag = str(stmt.thread_binding.thread_tag) if stmt.thread_binding is not None else tir.ForKind(stmt.kind).name
            nest.append((tag, int(stmt.extent)))
            stmt = stmt.body
        return nest, stmt

    def test_neighbours_copy_neighbours(self):
        there, back, strides = self.parts(self.kernel(128, 128, notes={"vector_bytes": 16}))
        loops, store = self.loops(there)
        self.assertEqual(loops, [("SERIAL", 16), ("threadIdx.y", 8), ("threadIdx.x", 32), ("VECTORIZED", 4)])
        self.assertEqual(strides, [128, 1])
        names = dict(zip("oyxv", (var.name for var in self.variables(there))))
        for o, y, x, v in ((0, 0, 0, 0), (3, 5, 7, 2), (15, 7, 31, 3)):
            at = ((o * 8 + y) * 32 + x) * 4 + v
            given = {names["o"]: o, names["y"]: y, names["x"]: x, names["v"]: v}
            self.assertEqual([value(index, **given) for index in store.indices], [at // 128, at % 128])
            self.assertEqual([value(index, **given) for index in store.value.indices], [at // 128, at % 128])
        self.assertEqual(self.loops(back)[0], [("SERIAL", 64), ("threadIdx.y", 8), ("threadIdx.x", 32), ("VECTORIZED", 1)])

    def variables(self, block):
        return [loop.loop_var for loop in reversed([one for one in found(tir.PrimFunc([], block.body), tir.For)])]

    def test_global_memory_is_written_row_by_row(self):
        _, back, strides = self.parts(self.kernel(128, 128))
        _, store = self.loops(back)
        names = [var.name for var in self.variables(back)]
        self.assertEqual([value(index, **dict(zip(names, (1, 0, 3, 0)))) for index in store.indices], [2, 3])

    def test_rows_are_moved_apart_where_threads_collide(self):
        self.assertEqual(self.parts(self.kernel(128, 16, turned=True))[2], [130, 1])      # 16 threads of a warp go down a column, 2 stand side by side
        self.assertEqual(self.parts(self.kernel(128, 128, turned=True, notes={"vector_bytes": 16}))[2], [129, 1])
        self.assertEqual(self.parts(self.kernel(128, 128, scope="shared.dyn"))[2], [128, 1])

    def test_a_local_stage(self):
        there, _, _ = self.parts(self.kernel(128, 128, notes={"vector_bytes": 16, "local_stage": True}))
        (local,) = there.alloc_buffers
        self.assertEqual((local.scope(), [int(n) for n in local.shape]), ("local", [16, 4]))
        loops, both = self.loops(there)
        self.assertEqual(loops, [("threadIdx.y", 8), ("threadIdx.x", 32)])
        self.assertEqual([one.buffer.scope() for one in found(tir.PrimFunc([], both), tir.BufferStore)], ["local", "shared"])

    def test_what_is_no_copy_or_has_no_threads_stays(self):
        @T.prim_func(private=True)
        def func(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
            with T.block("all"):
                T.block_attr({"auto_copy": True})
                for i in range(8):
                    B[i] = A[i]

        self.assertTrue(tvm.ir.structural_equal(after(func, passes.LowerAutoCopy()), func))

    def test_on_threads(self):
        dev = tvm.cuda(0)
        for rows, columns, how in ((128, 16, {"turned": True}), (64, 64, {"notes": {"vector_bytes": 16}}), (33, 7, {"tx": 32, "ty": 2}), (32, 64, {"notes": {"local_stage": True}}),
                                   (33, 7, {"notes": {"local_stage": True}, "turned": True}), (20, 24, {"notes": {"vector_bytes": 16}})):
            func = self.kernel(rows, columns, **how).with_attr("global_symbol", "main")
            mod = tvm.build(tvm.IRModule({"main": func}), target="cuda")
            given = numpy.random.RandomState(3).rand(rows, columns).astype("float32")
            a, b = tvm.nd.array(given, dev), tvm.nd.array(numpy.zeros_like(given), dev)
            mod["main"](a, b)
            numpy.testing.assert_array_equal(b.numpy(), given)



class Tiles(unittest.TestCase):
    """auto_copy of tiles of tensor cores."""

    def product(self, warps, width, fused, turned=False):
        """Each warp multiplies 16 rows; B may lie in shared memory by columns."""
        rows, back = 16 * warps, {"auto_copy": True}
        fast = {"auto_copy": True, "vector_bytes": 16}

        @T.prim_func
        def main(A: T.Buffer((rows, width), "float16"), B: T.Buffer((width, width), "float16"), D: T.Buffer((rows,), "float32"), C: T.Buffer((rows, width), "float32")):
            for b in T.thread_binding(1, thread="blockIdx.x"):
                for y in T.thread_binding(warps, thread="threadIdx.y"):
                    for x in T.thread_binding(32, thread="threadIdx.x"):
                        with T.block("all"):
                            T.reads(A[0:rows, 0:width], B[0:width, 0:width], D[0:rows])
                            T.writes(C[0:rows, 0:width])
                            AS = T.alloc_buffer((rows, width), "float16", scope="shared.dyn")
                            BS = T.alloc_buffer((width, width), "float16", scope="shared.dyn")
                            AW = T.alloc_buffer((16, width), "float16", scope="wmma.matrix_a")
                            BW = T.alloc_buffer((width, width), "float16", scope="wmma.matrix_b")
                            CW = T.alloc_buffer((16, width), "float32", scope="wmma.accumulator")
                            with T.block("as"):
                                T.reads(A[0:rows, 0:width])
                                T.writes(AS[0:rows, 0:width])
                                T.block_attr(fast)
                                for i, j in T.grid(rows, width):
                                    AS[i, j] = A[i, j]
                            with T.block("bs"):
                                T.reads(B[0:width, 0:width])
                                T.writes(BS[0:width, 0:width])
                                T.block_attr(fast)
                                for i, j in T.grid(width, width):
                                    BS[i, j] = B[j, i] if turned else B[i, j]
                            with T.block("aw"):
                                T.reads(AS[y * 16:y * 16 + 16, 0:width])
                                T.writes(AW[0:16, 0:width])
                                T.block_attr(back)
                                for i, j in T.grid(16, width):
                                    AW[i, j] = AS[y * 16 + i, j]
                            with T.block("bw"):
                                T.reads(BS[0:width, 0:width])
                                T.writes(BW[0:width, 0:width])
                                T.block_attr(back)
                                for i, j in T.grid(width, width):
                                    BW[i, j] = BS[j, i] if turned else BS[i, j]
                            for j in range(width // 16):
                                with T.block("fill"):
                                    T.reads()
                                    T.writes(CW[0:16, j * 16:j * 16 + 16])
                                    T.evaluate(T.tvm_fill_fragment(CW.data, 16, 16, 16, j, T.float32(0)))
                                for k in range(width // 16):
                                    with T.block("multiply"):
                                        T.reads(CW[0:16, j * 16:j * 16 + 16], AW[0:16, k * 16:k * 16 + 16], BW[k * 16:k * 16 + 16, j * 16:j * 16 + 16])
                                        T.writes(CW[0:16, j * 16:j * 16 + 16])
                                        T.evaluate(T.tvm_mma_sync(CW.data, j, AW.data, k, BW.data, k * (width // 16) + j, CW.data, j))
                            with T.block("c"):
                                T.reads(CW[0:16, 0:width], D[y * 16:y * 16 + 16])
                                T.writes(C[y * 16:y * 16 + 16, 0:width])
                                T.block_attr(fast)
                                for i, j in T.grid(16, width):
                                    C[y * 16 + i, j] = CW[i, j] + D[y * 16 + i] if fused else CW[i, j]
        return main

    def test_on_threads(self):
        dev = tvm.cuda(0)
        for warps, width, fused, turned in ((4, 64, False, False), (1, 16, True, False), (2, 48, True, True), (8, 32, False, True), (1, 272, False, False)):
            mod = tvm.build(tvm.IRModule({"main": self.product(warps, width, fused, turned)}), target="cuda -arch=sm_80 -max_shared_memory_per_block=200000")
            rand = numpy.random.RandomState(4).rand
            a, b, d = rand(16 * warps, width).astype("float16"), rand(width, width).astype("float16"), rand(16 * warps).astype("float32")
            arrays = [tvm.nd.array(one, dev) for one in (a, b, d, numpy.zeros((16 * warps, width), "float32"))]
            mod["main"](*arrays)
            wanted = a.astype("float32") @ b.astype("float32") + (d[:, None] if fused else 0)
            numpy.testing.assert_allclose(arrays[3].numpy(), wanted, rtol=1e-5)
            text = mod.imported_modules[0].get_source()
            self.assertIn("nvcuda::wmma::store_matrix_sync", text)
            self.assertEqual("nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::col_major" in text, turned)

    def test_blocks_of_tiles(self):
        made = after(self.product(4, 64, True).with_attr("global_symbol", "main"), passes.LowerAutoCopy())
        blocks = {b.name_hint: b for b in found(made, tir.Block)}
        shared = {one.name: [int(n) for n in one.strides] for one in blocks["all"].alloc_buffers if one.scope() == "shared.dyn"}
        self.assertEqual(shared, {"AS": [72, 1], "BS": [72, 1]})                # rows begin at multiples of 16 bytes
        (stage,) = blocks["c"].alloc_buffers
        self.assertEqual((stage.name, stage.scope(), [int(n) for n in stage.shape]), ("CW_shared_dyn", "shared.dyn", [4, 4, 16, 16]))
        for name, kept in (("wmma_load", "BW"), ("wmma_store", "CW")):
            matched = [match.source.buffer.name for match in blocks[name].match_buffers]
            self.assertIn(kept, matched)
            self.assertEqual([[int(n) for n in match.buffer.shape] for match in blocks[name].match_buffers], [[16, 16]] * 2)

    def test_sums_of_mma(self):
        """TVM's form: tiles of 8 x 8, of which each thread has two numbers side by side, through shared memory to where they go."""
        @T.prim_func(private=True)
        def func(C: T.Buffer((128, 64), "float32")):
            with T.block("root"):
                T.block_attr({"warp_execution": True})
                for y in T.thread_binding(4, thread="threadIdx.y"):
                    with T.block("all"):
                        R = T.alloc_buffer((32, 64), "float32", scope="m16n8k8.matrixC")
                        with T.block("c"):
                            T.block_attr({"auto_copy": True, "vector_bytes": 16})
                            for i, j in T.grid(32, 64):
                                C[y * 32 + i, j] = R[i, j]

        made = after(func, passes.LowerAutoCopy())
        blocks = {b.name_hint: b for b in found(made, tir.Block)}
        (stage,) = blocks["c"].alloc_buffers
        self.assertEqual((stage.name, stage.scope(), [int(n) for n in stage.shape]), ("R_shared_dyn", "shared.dyn", [4, 8, 8, 8]))
        store = blocks["mma_store"]
        self.assertEqual([[int(n) for n in match.buffer.shape] for match in store.match_buffers], [[8, 8]] * 2)
        loop = store.body
        self.assertEqual((loop.thread_binding.thread_tag, int(loop.extent), loop.body.kind, int(loop.body.extent)), ("threadIdx.x", 32, tir.ForKind.VECTORIZED, 2))
        self.assertEqual([str(index) for index in loop.body.body.indices], ["x // 4", "x % 4 * 2 + lane"])
        self.assertTrue(tvm.ir.structural_equal(after(func.with_attr("tir.noalias", True), passes.LowerAutoCopy()).body, made.body))

    def test_rows_of_fragments(self):
        """They are multiples of 16 bytes apart: the lowering says so, for every device that it makes code for."""
        for width in (16, 24, 20):
            @T.prim_func
            def main(A: T.Buffer((16, width), "float16")):
                for x in T.thread_binding(32, thread="threadIdx.x"):
                    with T.block("all"):
                        F = T.alloc_buffer((16, 16), "float16", scope="wmma.matrix_a")
                        T.evaluate(T.tvm_load_matrix_sync(F.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), A.data, 0, 16 * width, 1), width, "row_major"))

            if width % 8 == 0:
                tvm.build(main, target="cuda")
            else:
                with self.assertRaisesRegex(tvm.TVMError, "The matrix fragment `F` is loaded and stored in rows that are a multiple of 16 bytes apart"):
                    tvm.build(main, target="cuda")

    def test_what_is_no_tile_stays(self):
        @T.prim_func(private=True)
        def func():
            for y in T.thread_binding(2, thread="threadIdx.y"):
                with T.block("all"):
                    S = T.alloc_buffer((128, 24), "float16", scope="shared")
                    W = T.alloc_buffer((128, 24), "float16", scope="wmma.matrix_a")
                    with T.block("short"):
                        T.block_attr({"auto_copy": True})
                        for i, j in T.grid(16, 24):
                            W[i, j] = S[i, j]
                    with T.block("apart"):
                        T.block_attr({"auto_copy": True})
                        for i, j in T.grid(16, 16):
                            W[i, j] = S[i * 2, j]
                    with T.block("flat"):
                        T.block_attr({"auto_copy": True})
                        for i in range(16):
                            W[0, i] = S[0, i]

        made = after(func, passes.LowerAutoCopy())
        self.assertEqual([b.name_hint for b in found(made, tir.Block) if b.name_hint.startswith("wmma")], [])


class Permuted(unittest.TestCase):
    def indices(self, rows, columns):
        @T.prim_func(private=True)
        def func(X: T.Buffer((rows, columns), "float16")):
            with T.block("all"):
                S = T.alloc_buffer((rows, columns), "float16", scope="shared")
                with T.block("copy"):
                    T.block_attr({"permuted_layout": 1})
                    for r, c in T.grid(rows, columns):
                        S[r, c] = X[r, c]

        made = after(func, passes.InjectPermutedLayout())
        copy = next(b for b in found(made, tir.Block) if b.name_hint == "copy")
        self.assertNotIn("permuted_layout", copy.annotations)
        return found(made, tir.BufferStore)[0].indices

    def test_rows_are_permuted_and_columns_spread(self):
        for rows, columns, step in ((8, 64, 1), (8, 32, 2)):
            row, column = self.indices(rows, columns)
            places = [[self.number(column, r, c) for c in range(columns)] for r in range(rows)]
            for r in range(rows):
                self.assertEqual(sorted(places[r]), list(range(columns)))
                self.assertEqual(places[r][8] // 8, 1 ^ r // step % 8)

    def number(self, expr, r, c):
        def evaluate(e):
            if isinstance(e, tir.Call):
                return evaluate(e.args[0]) ^ evaluate(e.args[1])
            if isinstance(e, tir.Var):
                return {"r": r, "c": c}[e.name]
            if isinstance(e, tir.IntImm):
                return int(e)
            a, b = evaluate(e.a), evaluate(e.b)
            return {tir.Add: a + b, tir.Mul: a * b, tir.FloorDiv: a // b if b else 0, tir.FloorMod: a % b if b else 0}[type(e)]
        return evaluate(expr)

    def test_other_rows_are_refused(self):
        with self.assertRaisesRegex(tvm.TVMError, "multiple of 64"):
            self.indices(8, 48)


class Warps(unittest.TestCase):
    def func(self, size=96, threads=32, store=lambda t, i: t * 3 + i, load=lambda t, i: t * 3 + i):
        x, y = tir.decl_buffer((size,), "float32", "X"), tir.decl_buffer((size,), "float32", "Y")
        memory = tir.decl_buffer((size,), "float32", "M", scope="warp")
        t, i, j = (tir.Var(name, "int32") for name in "tij")
        rounds = size // threads
        body = tir.SeqStmt([tir.For(i, 0, rounds, tir.ForKind.SERIAL, tir.BufferStore(memory, x[t * rounds + i], [store(t, i)])),
                            tir.For(j, 0, rounds, tir.ForKind.SERIAL, tir.BufferStore(y, memory[load(t, j)], [t * rounds + j]))])
        axis = tir.IterVar(tvm.ir.Range(0, threads), t, tir.IterVar.ThreadIndex, "threadIdx.x")
        body = tir.AttrStmt(axis, "thread_extent", threads, body)
        func = tir.PrimFunc([x, y], tir.Allocate(memory.data, "float32", [size], tir.const(True, "bool"), body))
        return func.with_attr("target", tvm.target.Target("cuda"))

    def lowered(self, **how):
        func = after(self.func(**how), passes.LowerWarpMemory())
        memory = found(func, tir.Allocate)[0]
        own, read = [s for s in found(func, tir.BufferStore)]
        return memory, own, read.value

    def test_what_a_thread_keeps_itself_needs_no_shuffle(self):
        memory, store, load = self.lowered()
        self.assertEqual((int(memory.extents[0]), memory.buffer_var.type_annotation.storage_scope), (3, "local"))
        self.assertEqual((str(store.indices[0]), str(load.indices[0])), ("i", "j"))
        self.assertTrue(store.buffer.data.same_as(memory.buffer_var))

    def test_what_another_keeps_is_shuffled(self):
        memory, store, load = self.lowered(load=lambda t, j: (t + 5) % 32 * 3 + j)
        self.assertEqual(load.op.name, "tir.tvm_warp_shuffle")
        self.assertEqual([int(load.args[3]), int(load.args[4])], [32, 32])
        self.assertEqual([value(load.args[2], t=t, j=2) for t in (0, 26, 27, 31)], [5, 31, 0, 4])
        self.assertEqual(str(load.args[1].indices[0]), "j")

    def test_parts_of_a_warp_keep_groups(self):
        memory, store, load = self.lowered(size=64, threads=16, store=lambda t, i: i * 16 + t, load=lambda t, j: j * 16 + 3)
        self.assertEqual((int(memory.extents[0]), str(store.indices[0])), (4, "i"))
        self.assertEqual([int(load.args[3]), value(load.args[2], t=9, j=1)], [16, 3])

    def test_what_cannot_be_kept_in_registers_is_refused(self):
        for how, rule in (({"store": lambda t, i: t * t}, "positive constant"), ({"size": 48, "threads": 24, "store": lambda t, i: t + i}, "divides the 32"),
                          ({"load": lambda t, j: t * 2 + j}, "must not depend")):
            with self.assertRaisesRegex(tvm.TVMError, rule):
                self.lowered(**how)
        with self.assertRaisesRegex(tvm.TVMError, "no target"):
            after(tir.PrimFunc([], tir.Evaluate(0)), passes.LowerWarpMemory())


class Fragments(unittest.TestCase):
    def func(self, k=16, layout="col_major", fill=True):
        size = tir.const(256, "int32")
        a, b, c = (tir.decl_buffer((256,), dtype, name, scope="wmma." + scope)
                   for name, dtype, scope in (("a", "float16", "matrix_a"), ("b", "float16", "matrix_b"), ("c", "float32", "accumulator")))
        x = tir.decl_buffer((256,), "float16", "X")

        def call(name, *args):
            return tir.Evaluate(tir.call_intrin("handle", "tir." + name, *args))

        parts = [call("tvm_fill_fragment", c.data, 16, 16, 16, 0, 0.0)] if fill else []
        parts += [call("tvm_load_matrix_sync", a.data, 16, 16, 16, 0, x.data, 16, "row_major"),
                  call("tvm_load_matrix_sync", b.data, 16, 16, k, 0, x.data, 16, layout),
                  call("tvm_mma_sync", c.data, 0, a.data, 0, b.data, 0, c.data, 0),
                  call("tvm_load_matrix_sync", b.data, 16, 16, k, 0, x.data, 16, "col_major")]
        body = tir.SeqStmt(parts)
        for buffer in (a, b, c):
            body = tir.Allocate(buffer.data, buffer.dtype, [size], tir.const(True, "bool"), body)
        return tir.PrimFunc([x], body)

    def test_allocations_are_told_shape_and_layout(self):
        told = {}
        for attr in found(after(self.func(), passes.InferFragment()), tir.AttrStmt):
            told[attr.node.name, attr.attr_key] = attr.value.value
        shapes = {(name, "fragment_shape"): "16, 16, 16" for name in "abc"}
        self.assertEqual(told, {**shapes, ("a", "fragment_layout"): "row_major", ("b", "fragment_layout"): "col_major", ("c", "fragment_layout"): "row_major"})

    def test_contradictions_are_refused(self):
        for how, rule in (({"k": 8}, "another shape"), ({"layout": "row_major"}, "two layouts"), ({"fill": False}, "`c` is filled")):
            with self.assertRaisesRegex(tvm.TVMError, rule):
                after(self.func(**how), passes.InferFragment())


if __name__ == "__main__":
    tap.main()
