"""Passes that stand between a program and its memory: stores that are looked at, registers of tensor cores."""
import unittest

import tap

import tvm
from tvm.script import tir as T
from tvm.tir.transform import InstrumentBoundCheckers, TransformMmaBufferLayout


def module(func):
    """A module of one function."""
    return tvm.IRModule({"main": func})


def shifted(bound, value):
    """A[i] = value for the first five numbers of A, of which `bound` are said to be there."""
    return tvm.script.from_source(f"""@T.prim_func
def main(A: T.Buffer((8,), "float32"), n: T.int32):
    T.func_attr({{"global_symbol": "main"}})
    with T.attr(A.data, "buffer_bound", T.tvm_tuple({bound})):
        for i in range(n):
            A[i] = {value}
""")


class Bounds(unittest.TestCase):
    """A store is done only where each of its indices lies in its array."""

    def test_condition(self):
        after = InstrumentBoundCheckers()(module(shifted("T.int32(8)", "A[i + 1] + T.float32(1)")))["main"]
        guard = after.body.body.body
        self.assertIsInstance(guard, tvm.tir.IfThenElse)
        inside = 'T.Cast("int64", {0}) >= T.int64(0) and T.Cast("int64", {0}) < T.Cast("int64", 8)'
        self.assertEqual(str(guard.condition), inside.format("i + 1") + " and (" + inside.format("i") + ")")
        self.assertIsInstance(guard.then_case, tvm.tir.BufferStore)
        self.assertIsInstance(guard.else_case, tvm.tir.AssertStmt)
        self.assertEqual(str(guard.else_case.message), '"OUT OF THE BOUNDS"')

    def test_what_is_left_alone(self):
        after = InstrumentBoundCheckers()(module(shifted("T.int32(8)", "T.if_then_else(i < 7, A[i + 1], T.float32(0))")))["main"]
        self.assertIsInstance(after.body.body.body, tvm.tir.BufferStore)

        @T.prim_func
        def unsaid(A: T.Buffer((8,), "float32")):
            for i in range(8):
                A[i] = T.float32(1)

        before = module(unsaid)
        tvm.ir.assert_structural_equal(InstrumentBoundCheckers()(before), before)

    def test_an_allocation_says_it_anew(self):
        @T.prim_func
        def main(n: T.int32):
            p = T.allocate([4], "float32", "global")
            q = T.Buffer((4,), "float32", data=p)
            with T.attr(p, "buffer_bound", T.tvm_tuple(8)):
                q[n] = T.float32(1)

        text = InstrumentBoundCheckers()(module(main)).script()
        self.assertIn('T.Cast("int64", n) >= T.int64(0)', text)
        self.assertIn("< T.int64(4)", text.replace('T.Cast("int64", T.uint64(4))', "T.int64(4)"))

    def test_wrong(self):
        with self.assertRaisesRegex(tvm.error.TVMError, "1 indices go into an array of 2 extents"):
            InstrumentBoundCheckers()(module(shifted("2, 4", "T.float32(0)")))

    @tap.needs_numpy
    def test_run(self):
        import numpy as np

        func = tvm.compile(InstrumentBoundCheckers()(module(shifted("T.int32(5)", "T.float32(7)"))), target="llvm")
        array = tvm.nd.array(np.zeros(8, "float32"))
        func(array, 5)
        np.testing.assert_array_equal(array.numpy(), [7] * 5 + [0] * 3)
        with self.assertRaisesRegex(Exception, "OUT OF THE BOUNDS"):
            func(array, 6)
        np.testing.assert_array_equal(array.numpy()[5:], [0] * 3)


class Registers(unittest.TestCase):
    """Memory of tensor cores as an array of blocks."""

    def matrix(self, scope, rows, columns, body):
        return module(tvm.script.from_source(f"""@T.prim_func
def main(A: T.Buffer(({rows}, {columns}), "float32")):
    with T.block("root"):
        C = T.alloc_buffer(({rows}, {columns}), "float32", scope="{scope}")
        for i, j in T.grid({rows}, {columns}):
            with T.block("x"):
                vi, vj = T.axis.remap("SS", [i, j])
                {body}
"""))

    def allocated(self, mod):
        (buffer,) = mod["main"].body.block.alloc_buffers
        self.assertEqual(buffer.scope(), "local")
        return [int(n) for n in buffer.shape]

    def test_shapes(self):
        use = 'T.evaluate(C.access_ptr("r"))'
        for scope, rows, columns, shape in (("m16n8k8.matrixA", 64, 16, [2, 2, 4, 2]), ("m16n8k8.matrixB", 16, 64, [2, 2, 1, 8]), ("m16n8k8.matrixC", 32, 24, [2, 3, 2, 2])):
            after = TransformMmaBufferLayout()(self.matrix(scope, rows, columns, use))
            self.assertEqual(self.allocated(after), shape)

    def test_elements(self):
        after = TransformMmaBufferLayout()(self.matrix("m16n8k8.matrixC", 32, 8, "C[vi, vj] = A[vi, vj]"))
        store = after["main"].body.block.body.body.body.block.body
        self.assertEqual([str(index) for index in store.indices], ["vi // 8 // 2", "vj // 8", "vi // 8 % 2", "vj % 8 % 2"])
        after = TransformMmaBufferLayout()(self.matrix("m16n8k8.matrixC", 32, 8, "A[vi, vj] = C[vi, vj]"))
        self.assertEqual(len(after["main"].body.block.body.body.body.block.body.value.indices), 4)

    def test_wrong(self):
        for scope, rows, columns, body, words in (("m16n8k8.matrixC", 12, 8, "C[vi, vj] = A[vi, vj]", "is made of blocks of 16 x 8"),
                                                  ("m16n8k8.matrixA", 32, 8, "C[vi, vj] = A[vi, vj]", "handed to ldmatrix")):
            with self.assertRaisesRegex(tvm.error.TVMError, words):
                TransformMmaBufferLayout()(self.matrix(scope, rows, columns, body))

    def test_other_memory_stays(self):
        before = self.matrix("local", 32, 8, "C[vi, vj] = A[vi, vj]")
        self.assertTrue(TransformMmaBufferLayout()(before).same_as(before))


if __name__ == "__main__":
    tap.main()
