"""What lowering does to buffers: where they are allocated, how large, with which strides, what windows on them say."""
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


def block_named(func, name):
    return next(block for block in found(func, tir.Block) if block.name_hint == name)


class Flatten(unittest.TestCase):
    def same(self, before, expected):
        tvm.ir.assert_structural_equal(after(before, passes.FlattenBuffer()), expected)

    def test_declarations_go_and_accesses_are_flat(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((6, 5), "float32")):
            Y = T.decl_buffer((5, 6), "float32")
            for r, c in T.grid(6, 5):
                Y[c, r] = X[r, c]

        @T.prim_func(private=True)
        def expected(X: T.Buffer((6, 5), "float32")):
            X_flat = T.Buffer((30,), data=X.data)
            Y_data = T.allocate([30], "float32", "global")
            Y = T.Buffer((30,), data=Y_data)
            for r, c in T.grid(6, 5):
                Y[c * 6 + r] = X_flat[r * 5 + c]

        self.same(before, expected)

    def test_booleans_are_stored_as_bytes(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((9,), "bool"), Y: T.Buffer((9,), "bool")):
            for i in range(9):
                Y[i] = not X[i]

        @T.prim_func(private=True)
        def expected(X: T.Buffer((9,), "bool"), Y: T.Buffer((9,), "bool")):
            Y_bytes = T.Buffer((9,), "int8", data=Y.data)
            X_bytes = T.Buffer((9,), "int8", data=X.data)
            for i in range(9):
                Y_bytes[i] = T.Cast("int8", not T.Cast("bool", X_bytes[i]))

        self.same(before, expected)

    def test_groups_of_axes_stay_apart(self):
        @T.prim_func(private=True)
        def before():
            X = T.decl_buffer((3, 4, 5, 6), axis_separators=[1])
            for i, j, k, m in T.grid(3, 4, 5, 6):
                X[i, j, k, m] = T.float32(1)

        @T.prim_func(private=True)
        def expected():
            X_data = T.allocate([3, 120], "float32", "global")
            X = T.Buffer((3, 120), data=X_data, axis_separators=[1])
            for i, j, k, m in T.grid(3, 4, 5, 6):
                X[i, j * 30 + k * 6 + m] = T.float32(1)

        self.same(before, expected)

    def test_blocks_and_their_regions_are_flat_too(self):
        @T.prim_func(private=True)
        def before():
            X = T.alloc_buffer((7, 8))
            for r in range(7):
                with T.block("row"):
                    T.reads(X[r, 0:8])
                    T.evaluate(X[r, 3])

        @T.prim_func(private=True)
        def expected():
            X = T.alloc_buffer((56,))
            for r in range(7):
                with T.block("row"):
                    T.reads(X[r * 8:r * 8 + 8])
                    T.evaluate(X[r * 8 + 3])

        self.same(before, expected)


class Compact(unittest.TestCase):
    def test_variables_of_lets_stand_for_their_values(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((4, 9), "int32")):
            for r in range(4):
                with T.block("row"):
                    row = T.alloc_buffer((4, 9), "int32")
                    for c in range(9):
                        row[r, c] = X[r, c]
                    for c in range(9):
                        back: T.int32 = 8 - c
                        X[r, c] = row[r, back]

        row = block_named(after(before, passes.CompactBufferAllocation()), "row")
        self.assertEqual([int(n) for n in row.alloc_buffers[0].shape], [1, 9])
        mod = tvm.IRModule({"main": before.with_attr("global_symbol", "main")})
        values = numpy.arange(36, dtype="int32").reshape(4, 9)
        array = tvm.nd.array(values)
        tvm.build(mod, target="llvm")["main"](array)
        numpy.testing.assert_array_equal(array.numpy(), values[:, ::-1])

    def test_lets_around_loops_and_blocks_are_values_outside_of_them(self):
        """A let's name bounds a loop and a block's regions: where both are said further out, it is not known any more."""
        @T.prim_func
        def before(A: T.Buffer((64,), "float32"), n: T.int32):
            for p in range(2):
                with T.block("work"):
                    T.reads()
                    T.writes()
                    S = T.alloc_buffer((64,), "float32")
                    for tile in range((n * 8 + 31) // 32):
                        rows = T.min(32, n * 8 - tile * 32)
                        for r in range(rows):
                            S[r] = T.float32(r)
                        for k in range(rows):
                            if k < rows - 1:
                                A[p * 32 + k] = S[k] + S[k + 1]

        steps = [passes.PlanAndUpdateBufferAllocationLocation(), passes.ConvertBlocksToOpaque(), passes.CompactBufferAllocation(), passes.Simplify(),
                 passes.LowerOpaqueBlock(), passes.FlattenBuffer(), passes.Simplify()]
        func = before
        for step in steps:
            func = after(func, step)
            outside = [buffer.data for buffer in func.buffer_map.values()] + list(func.params)
            self.assertEqual([var.name for var in tir.analysis.undefined_vars(func.body, outside)], [], step)
        got = tvm.nd.array(numpy.zeros(64, "float32"))
        tvm.tir.build(before, target="llvm")["before"](got, 3)
        wanted = numpy.zeros(64, "float32")
        wanted[:23] = wanted[32:55] = 2 * numpy.arange(23) + 1
        numpy.testing.assert_array_equal(got.numpy(), wanted)

    def test_aligned_rows_keep_their_distance(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((12, 10), "float32"), Y: T.Buffer((12, 10), "float32")):
            for r in range(12):
                with T.block("row"):
                    T.reads(X[r, 0:10])
                    T.writes(Y[r, 0:10])
                    cache = T.alloc_buffer((12, 10))
                    for c in range(10):
                        with T.block("fill"):
                            T.reads(X[r, c])
                            T.writes(cache[r, c])
                            T.block_attr({"buffer_dim_align": [[0, 0, 8, 3]]})
                            cache[r, c] = X[r, c]
                    for c in range(10):
                        with T.block("use"):
                            T.reads(cache[r, c])
                            T.writes(Y[r, c])
                            Y[r, c] = cache[r, c]

        small = after(before, passes.CompactBufferAllocation())
        cache = block_named(small, "row").alloc_buffers[0]
        self.assertEqual(([int(n) for n in cache.shape], [int(n) for n in cache.strides]), ([1, 10], [11, 1]))
        low = after(small, passes.LowerOpaqueBlock())
        self.assertEqual([int(n) for n in found(low, tir.Allocate)[0].extents], [1, 11])

    def test_alignments_go_with_the_allocation(self):
        @T.prim_func(private=True)
        def before(A: T.Buffer((24, 20), "float32"), C: T.Buffer((20, 24), "float32")):
            for o in range(3):
                with T.block():
                    B = T.alloc_buffer((24, 20), "float32", scope="shared")
                    for i, j in T.grid(8, 20):
                        with T.block():
                            T.reads(A[o * 8 + i, j])
                            T.writes(B[o * 8 + i, j])
                            T.block_attr({"buffer_dim_align": [[0, 0, 16, 3]]})
                            B[o * 8 + i, j] = A[o * 8 + i, j]
                    for i, j in T.grid(8, 20):
                        with T.block():
                            C[j, o * 8 + i] = B[o * 8 + i, j]

        lowered = after(before, passes.LowerOpaqueBlock())
        [allocation] = found(lowered, tir.Allocate)
        self.assertEqual([[int(value) for value in row] for row in allocation.annotations["buffer_dim_align"]], [[-1, 0, 16, 3]])
        late = after(lowered, passes.CompactBufferAllocation(), passes.Simplify())
        early = after(before, passes.CompactBufferAllocation(), passes.LowerOpaqueBlock(), passes.Simplify())
        self.assertIn("strides=(35, 1)", late.script())
        tvm.ir.assert_structural_equal(late, early)

    def test_gaps_of_the_innermost_axis_are_allocated(self):
        @T.prim_func(private=True)
        def before():
            with T.block("all"):
                X = T.alloc_buffer((2, 5), strides=(40, 8))
                for i, j in T.grid(2, 5):
                    X[i, j] = T.float32(0)

        low = after(before, passes.LowerOpaqueBlock())
        self.assertEqual([int(n) for n in found(low, tir.Allocate)[0].extents], [2, 40])

    def test_windows_use_what_they_match(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((32,), "float32")):
            for i in range(4):
                with T.block("part"):
                    T.reads(X[i * 8:i * 8 + 8])
                    T.writes(X[i * 8:i * 8 + 8])
                    tile = T.alloc_buffer((32,))
                    with T.block("fill"):
                        T.reads(X[i * 8:i * 8 + 8])
                        T.writes(tile[i * 8:i * 8 + 8])
                        w = T.match_buffer(tile[i * 8:i * 8 + 8], (8,), offset_factor=8)
                        for j in range(8):
                            w[j] = X[i * 8 + j]
                    for j in range(8):
                        X[i * 8 + j] = tile[i * 8 + 7 - j]

        small = after(before, passes.CompactBufferAllocation())
        self.assertEqual(int(block_named(small, "part").alloc_buffers[0].shape[0]), 8)
        self.assertEqual(int(tvm.arith.Analyzer().simplify(block_named(small, "fill").match_buffers[0].source.region[0].min)), 0)

    def test_a_guard_that_names_a_thread_leaves_each_its_rows(self):
        """Of threads that have none of the sixteen rows, too, the buffer has four: what the loops inside run through."""
        @T.prim_func(private=True)
        def before(A: T.Buffer((16, 6), "float32"), C: T.Buffer((16, 6), "float32")):
            for b in T.thread_binding(1, thread="blockIdx.x"):
                for t in T.thread_binding(8, thread="threadIdx.x"):
                    with T.block("thread"):
                        T.reads(A[0:16, 0:6])
                        T.writes(C[t * 4:t * 4 + 4, 0:6])
                        L = T.alloc_buffer((32, 6), scope="local")
                        for i, j in T.grid(4, 6):
                            with T.block("fill"):
                                T.reads()
                                T.writes(L[b * 32 + t * 4 + i, j])
                                L[b * 32 + t * 4 + i, j] = T.float32(1)
                        for i, j in T.grid(4, 6):
                            with T.block("use"):
                                T.where(t * 4 + i < 16)
                                T.reads(A[t * 4 + i, j], L[t * 4 + i, j])
                                T.writes(C[t * 4 + i, j])
                                C[t * 4 + i, j] = L[t * 4 + i, j] * A[t * 4 + i, j]

        small = after(before, passes.CompactBufferAllocation())
        self.assertEqual([int(n) for n in block_named(small, "thread").alloc_buffers[0].shape], [4, 6])

    def test_the_other_branch_knows_both_conditions(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((20, 20), "float32")):
            with T.block("all"):
                corner = T.alloc_buffer((20, 20))
                for i, j in T.grid(20, 20):
                    if i < 12 or j < 15:
                        X[i, j] = T.float32(0)
                    else:
                        corner[i, j] = X[i, j]

        small = after(before, passes.CompactBufferAllocation())
        self.assertEqual([int(n) for n in block_named(small, "all").alloc_buffers[0].shape], [8, 5])

    def test_what_is_used_too_much_counts_only_when_not_strict(self):
        @T.prim_func(private=True)
        def before():
            with T.block("all"):
                X = T.alloc_buffer((30,))
                for i in range(32):
                    X[i] = T.float32(0)

        for strict, extent in ((True, 30), (False, 32)):
            small = after(before, passes.CompactBufferAllocation(is_strict=strict))
            self.assertEqual(int(block_named(small, "all").alloc_buffers[0].shape[0]), extent)


class CompactAllocations(unittest.TestCase):
    """What is allocated by T.allocate shrinks as what blocks allocate does, before blocks are lowered or after."""

    tidy = [passes.Simplify(), passes.RemoveNoOp()]

    def either_order(self, before, expected):
        small = after(before, passes.CompactBufferAllocation(), *self.tidy)
        tvm.ir.assert_structural_equal(small, after(expected, *self.tidy))
        tvm.ir.assert_structural_equal(after(before, passes.LowerOpaqueBlock(), passes.CompactBufferAllocation(), *self.tidy),
                                       after(small, passes.LowerOpaqueBlock(), *self.tidy))

    def test_rows(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((14, 9), "float32"), Y: T.Buffer((14, 9), "float32")):
            for r in range(14):
                with T.block():
                    T.reads(X[r, 0:9])
                    T.writes(Y[r, 0:9])
                    row = T.alloc_buffer((14, 9))
                    for c in range(9):
                        with T.block():
                            T.reads(X[r, c])
                            T.writes(row[r, c])
                            row[r, c] = X[r, c] * T.float32(3)
                    for c in range(9):
                        with T.block():
                            T.reads(row[r, c])
                            T.writes(Y[r, c])
                            Y[r, c] = row[r, c] - T.float32(1)

        @T.prim_func(private=True)
        def expected(X: T.Buffer((14, 9), "float32"), Y: T.Buffer((14, 9), "float32")):
            for r in range(14):
                with T.block():
                    T.reads(X[r, 0:9])
                    T.writes(Y[r, 0:9])
                    row = T.alloc_buffer((1, 9))
                    for c in range(9):
                        with T.block():
                            T.reads(X[r, c])
                            T.writes(row[0, c])
                            row[0, c] = X[r, c] * T.float32(3)
                    for c in range(9):
                        with T.block():
                            T.reads(row[0, c])
                            T.writes(Y[r, c])
                            Y[r, c] = row[0, c] - T.float32(1)

        self.either_order(before, expected)

    def test_threads_share(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((24,), "float32"), Y: T.Buffer((24,), "float32")):
            for b in T.thread_binding(3, thread="blockIdx.x"):
                for t in T.thread_binding(8, thread="threadIdx.x"):
                    with T.block():
                        T.reads(X[0:24])
                        T.writes(Y[b * 8 + t])
                        S = T.alloc_buffer((24,), scope="shared")
                        with T.block():
                            T.reads(X[b * 8 + t])
                            T.writes(S[b * 8 + t])
                            S[b * 8 + t] = X[b * 8 + t]
                        with T.block():
                            T.reads(S[b * 8:b * 8 + 8])
                            T.writes(Y[b * 8 + t])
                            Y[b * 8 + t] = S[b * 8 + (t + 1) % 8]

        @T.prim_func(private=True)
        def expected(X: T.Buffer((24,), "float32"), Y: T.Buffer((24,), "float32")):
            for b in T.thread_binding(3, thread="blockIdx.x"):
                for t in T.thread_binding(8, thread="threadIdx.x"):
                    with T.block():
                        T.reads(X[0:24])
                        T.writes(Y[b * 8 + t])
                        S = T.alloc_buffer((8,), scope="shared")
                        with T.block():
                            T.reads(X[b * 8 + t])
                            T.writes(S[t])
                            S[t] = X[b * 8 + t]
                        with T.block():
                            T.reads(S[0:8])
                            T.writes(Y[b * 8 + t])
                            Y[b * 8 + t] = S[(t + 1) % 8]

        self.either_order(before, expected)

    def test_a_row_may_begin_before_the_first(self):
        """Row -1 is guarded away: the first index that is kept is 0 there."""
        @T.prim_func(private=True)
        def before(X: T.Buffer((30,), "int32"), Y: T.Buffer((30,), "int32")):
            for o in range(5):
                with T.block():
                    T.reads(X[o * 6 - 1:o * 6 + 6])
                    T.writes(Y[o * 6:o * 6 + 6])
                    S = T.alloc_buffer((30,), "int32")
                    for i in range(7):
                        with T.block():
                            T.where(1 <= o * 6 + i)
                            T.reads(X[o * 6 - 1 + i])
                            T.writes(S[o * 6 - 1 + i])
                            S[o * 6 - 1 + i] = X[o * 6 - 1 + i]
                    for i in range(6):
                        with T.block():
                            T.reads(S[o * 6 + i - 1:o * 6 + i + 1])
                            T.writes(Y[o * 6 + i])
                            Y[o * 6 + i] = S[o * 6 + i] + T.if_then_else(1 <= o * 6 + i, S[o * 6 + i - 1], 0)

        small = after(before, passes.CompactBufferAllocation())
        block = next(one for one in found(small, tir.Block) if one.alloc_buffers)
        self.assertEqual(int(block.alloc_buffers[0].shape[0]), 7)
        stores = [store for store in found(small, tir.BufferStore) if store.buffer.same_as(block.alloc_buffers[0])]
        self.assertIn("T.max(o * 6 - 1, 0)", str(stores[0].indices[0]))
        mod = tvm.IRModule({"main": before.with_attr("global_symbol", "main")})
        values = numpy.arange(30, dtype="int32") ** 2
        got = tvm.nd.array(numpy.zeros(30, "int32"))
        tvm.build(mod, target="llvm")["main"](tvm.nd.array(values), got)
        numpy.testing.assert_array_equal(got.numpy(), values + numpy.concatenate([[0], values[:-1]]))

    def test_pointers_use_what_their_block_says(self):
        @T.prim_func(private=True)
        def before():
            with T.block("all"):
                A = T.alloc_buffer((500,))
                B = T.alloc_buffer((500,))
                for i in range(100):
                    with T.block():
                        T.reads()
                        T.writes()
                        T.call_extern("int32", "fill", A.data)
                        A[i] = T.float32(0)
                    with T.block():
                        T.reads(A[i])
                        T.writes(B[i:i + 3])
                        T.call_extern("int32", "spread", A.data, B.data)

        blocks = block_named(after(before, passes.CompactBufferAllocation()), "all")
        self.assertEqual([int(buffer.shape[0]) for buffer in blocks.alloc_buffers], [500, 102])

    def test_rounds_that_data_tell(self):
        """An index that is read from memory is one index; a number of rounds that is read leaves the buffer as it is."""
        @T.prim_func(private=True)
        def before(X: T.Buffer((90,), "float32"), P: T.Buffer((11,), "int32"), Y: T.Buffer((10,), "float32")):
            for r in range(10):
                for k in range(P[r + 1] - P[r]):
                    with T.block("one"):
                        T.reads(P[r], X[P[r] + k], Y[r])
                        T.writes(Y[r])
                        S = T.alloc_buffer((90,))
                        with T.block():
                            T.reads(P[r], X[P[r] + k])
                            T.writes(S[P[r] + k])
                            S[P[r] + k] = X[P[r] + k]
                        with T.block():
                            T.reads(P[r], S[P[r] + k], Y[r])
                            T.writes(Y[r])
                            Y[r] = Y[r] + S[P[r] + k]
            with T.block("rest"):
                T.reads(P[0:11])
                T.writes()
                Q = T.alloc_buffer((90,))
                for k in range(P[10]):
                    Q[k] = T.float32(0)

        small = after(before, passes.CompactBufferAllocation())
        self.assertEqual([int(block_named(small, name).alloc_buffers[0].shape[0]) for name in ("one", "rest")], [1, 90])

    def test_a_pointer_that_is_shown_twice_keeps_its_size(self):
        @T.prim_func(private=True)
        def two():
            data = T.allocate([64], "int8")
            A = T.decl_buffer([64], "int8", data)
            B = T.decl_buffer([32], "int16", data)
            for i in range(5):
                A[i] = T.int8(1)
                B[i] = T.int16(2)

        @T.prim_func(private=True)
        def other():
            data = T.allocate([64], "int8")
            A = T.decl_buffer([16], "int32", data)
            for i in range(5):
                A[i] = 1

        for func in (two, other):
            tvm.ir.assert_structural_equal(after(func, passes.CompactBufferAllocation()), func)

    def test_conditions_that_are_numbers(self):
        @T.prim_func(private=True)
        def before():
            data = T.allocate([20], "int32")
            A = T.Buffer([20], "int32", data)
            for i in range(12):
                if i:
                    A[i] = i

        small = after(before, passes.CompactBufferAllocation(), *self.tidy)
        self.assertEqual([int(found(small, tir.Allocate)[0].extents[0]), str(found(small, tir.BufferStore)[0].indices[0])], [11, "i - 1"])

    def test_tiles_that_end_early(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((40,), "float32"), Y: T.Buffer((40,), "float32")):
            for t in range(3):
                L = T.decl_buffer((16,), scope="local")
                for i in range(16):
                    if t * 16 + i < 40:
                        L[i] = X[t * 16 + i]
                for i in range(16):
                    if t * 16 + i < 40:
                        Y[t * 16 + i] = L[i]
            M = T.decl_buffer((16,), scope="local")
            for i in range(16):
                if i < 7:
                    M[i] = X[i]

        small = after(before, passes.CompactBufferAllocation())
        self.assertEqual(sorted(int(one.extents[0]) for one in found(small, tir.Allocate)), [7, 16])

    def test_an_access_counts_as_what_it_is_said_to_be(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((64,), "float32"), Y: T.Buffer((16,), "float32")):
            for i in range(4):
                with T.block("tile"):
                    T.reads(X[i * 16:i * 16 + 16])
                    T.writes(Y[i * 4:i * 4 + 4])
                    S = T.alloc_buffer((64,))
                    for j in range(16):
                        S[i * 16 + j] = X[i * 16 + j]
                    for j in range(4):
                        with T.block():
                            T.reads(S[i * 16 + j:i * 16 + j + 5])
                            T.writes(Y[i * 4 + j])
                            T.block_attr({"explicit_read_region": [0]})
                            Y[i * 4 + j] = S[i * 16 + j * j % 7 * 3 + j]

        small = block_named(after(before, passes.CompactBufferAllocation()), "tile")
        self.assertEqual(int(small.alloc_buffers[0].shape[0]), 16)


class Windows(unittest.TestCase):
    def refused(self, func, what):
        with self.assertRaisesRegex(tvm.TVMError, what):
            after(func, passes.LowerMatchBuffer())

    def test_a_fixed_offset_has_to_be_the_regions(self):
        @T.prim_func(private=True)
        def func(X: T.Buffer((6, 6), "float32")):
            for i in range(6):
                with T.block("b"):
                    w = T.match_buffer(X[i, 0:6], (6,), elem_offset=0)
                    w[2] = T.float32(1)

        self.refused(func, "w.elem_offset .* offset_factor=1 leaves it open")

    def test_one_variable_has_one_value(self):
        @T.prim_func(private=True)
        def func(X: T.Buffer((6, 6), "float32")):
            with T.block("b"):
                s = T.int32()
                w = T.match_buffer(X[0:2, 0:3], (2, 3), strides=[s, s], offset_factor=1)
                w[1, 1] = T.float32(1)

        self.refused(func, "w.strides")

    def test_offsets_are_multiples_of_the_factor(self):
        @T.prim_func(private=True)
        def func(X: T.Buffer((64,), "float32")):
            for i in range(16):
                with T.block("b"):
                    w = T.match_buffer(X[i * 4:i * 4 + 4], (4,), offset_factor=8)
                    w[0] = T.float32(1)

        self.refused(func, "offset_factor, 8")


class Places(unittest.TestCase):
    def test_a_block_does_not_list_what_it_allocates(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((8, 8), "float32"), Y: T.Buffer((8, 8), "float32")):
            tmp = T.alloc_buffer((8, 8))
            for i in range(8):
                with T.block("outer"):
                    vi = T.axis.spatial(8, i)
                    T.reads(X[vi, 0:8], tmp[vi, 0:8])
                    T.writes(tmp[vi, 0:8], Y[vi, 0:8])
                    for j in range(8):
                        with T.block("a"):
                            vj = T.axis.spatial(8, j)
                            tmp[vi, vj] = X[vi, vj]
                    for j in range(8):
                        with T.block("b"):
                            vj = T.axis.spatial(8, j)
                            Y[vi, vj] = tmp[vi, vj]

        outer = block_named(after(before, passes.PlanAndUpdateBufferAllocationLocation()), "outer")
        self.assertEqual([b.name for b in outer.alloc_buffers], ["tmp"])
        self.assertEqual([r.buffer.name for r in outer.reads], ["X"])
        self.assertEqual([r.buffer.name for r in outer.writes], ["Y"])

    def test_pragmas_of_blocks_stand_in_their_order_on_nothing(self):
        @T.prim_func(private=True)
        def before():
            with T.block("b"):
                T.block_attr({"pragma_a": 1, "pragma_b": "two"})
                T.evaluate(7)

        attr = after(before, passes.LowerOpaqueBlock()).body
        self.assertEqual((attr.attr_key, int(attr.node)), ("pragma_a", 0))
        self.assertEqual((attr.body.attr_key, attr.body.value.value), ("pragma_b", "two"))

    def test_each_copy_of_an_unrolled_loop_has_its_own_memory(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((3,), "float32")):
            for i in T.unroll(3):
                tmp = T.decl_buffer((4,))
                tmp[1] = X[i]
                X[i] = tmp[1] * T.float32(2)

        places = [a.buffer_var for a in found(after(before, passes.UnrollLoop()), tir.Allocate)]
        self.assertEqual(len(places), 3)
        self.assertFalse(places[0].same_as(places[1]) or places[1].same_as(places[2]))

    def test_declarations_of_double_buffers_move_with_the_memory(self):
        @T.prim_func(private=True)
        def before(X: T.Buffer((6, 10), "float32"), Y: T.Buffer((6, 10), "float32")):
            for i in range(6):
                row = T.decl_buffer((10,))
                with T.attr(row.data, "double_buffer_scope", 1):
                    for j in range(10):
                        row[j] = X[i, j]
                for j in range(10):
                    Y[i, j] = row[j]

        func = after(before, passes.InjectDoubleBuffer(), passes.Simplify())
        self.assertIsInstance(func.body, tir.Allocate)
        self.assertIsInstance(func.body.body, tir.DeclBuffer)
        self.assertEqual(int(func.body.body.buffer.shape[0]), 20)
        self.assertEqual(len(found(func, tir.DeclBuffer)), 1)
        self.assertEqual(found(func, tir.Evaluate), [])

    def test_kernels_declare_first_what_was_met_last(self):
        @T.prim_func
        def main(X: T.Buffer((64,), "float32"), Y: T.Buffer((64,), "float32")):
            T.func_attr({"target": T.target("cuda", host="llvm")})
            with T.attr(T.target("cuda"), "target", 0):
                t = T.launch_thread("threadIdx.x", 64)
                Y[t] = X[t]

        kernel = passes.SplitHostDevice()(tvm.IRModule({"main": main}))["main_kernel"]
        self.assertEqual([d.buffer.name for d in found(kernel, tir.DeclBuffer)][::-1], ["X", "Y"])


if __name__ == "__main__":
    tap.main()
