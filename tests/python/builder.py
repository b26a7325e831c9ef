"""Programs made by calls (IRBuilder), and the texts of single expressions, buffers and statements."""
import unittest

import tap
import tvm
from tvm import tir
from tvm.ir import PointerType, PrimType, Range
from tvm.script import tir as S
from tvm.script.ir_builder import IRBuilder
from tvm.script.ir_builder import tir as T


def text(node):
    return node.script(verbose_expr=True).strip()


class Expressions(unittest.TestCase):
    def test_what_is_used_is_declared(self):
        a, b = tir.Var("a", "int32"), tir.SizeVar("b", "int64")
        buffer = tir.decl_buffer((8, 4), "float16", name="A")
        for node, wanted in (
                (a + 1, "a = T.int32()\na + 1"), (b, "b = T.int64(is_size_var=True)\nb"), (buffer, 'A = T.Buffer((8, 4), "float16")\nA'),
                (tir.BufferRegion(buffer, [Range(0, 2), Range(1, 3)]), 'A = T.Buffer((8, 4), "float16")\nA[0:2, 1:3]'),
                (tir.Div(a, tir.Var("c", "int32")), "a = T.int32()\nc = T.int32()\nT.Div(a, c)"), (Range(0, 10), "I.Range(0, 10)"),
                (PointerType(PrimType("int32"), "global"), 'T.handle("int32", "global")'), (S.float16(1), "T.float16(1.0)"),
                (tir.IterVar((0, 8), "i", tir.IterVar.DataPar), 'i = T.int32()\nT.iter_var(i, T.Range(0, 8), "DataPar", "")'),
                (tir.MatchBufferRegion(tir.decl_buffer((2,), name="B"), tir.BufferRegion(tir.decl_buffer((4,), name="C"), [Range(0, 2)])),
                 "C = T.Buffer((4,))\nB = T.match_buffer(C[0:2], (2,))")):
            self.assertEqual(text(node), wanted)
        self.assertEqual((a + 1).script(), "a + 1")

    def test_a_store_by_itself(self):
        buffer = tir.decl_buffer((4,), "float32", name="A")
        self.assertEqual(text(tir.BufferStore(buffer, S.float32(1), [0])), "A = T.Buffer((4,))\nA[0] = T.float32(1.0)")


class Builder(unittest.TestCase):
    def test_statements(self):
        def loops(ib):
            with T.grid(4, 8) as (i, j):
                ib.name_many(["i", "j"], [i, j])
                T.evaluate(0)

        def let(ib):
            with T.LetStmt(S.float32(10)) as v:
                ib.name("v", v)
                T.evaluate(0)

        def memory(ib):
            with T.allocate([8], "float32") as data:
                with T.decl_buffer([4], "float32", data=data):
                    T.evaluate(data)

        def choice(ib):
            with T.If(tir.Var("n", "int32") == 1):
                with T.Then():
                    T.evaluate(1)
                with T.Else():
                    T.evaluate(2)

        for make, wanted in ((loops, "for i, j in T.grid(4, 8):\n    T.evaluate(0)"), (let, "with T.LetStmt(T.float32(10.0)) as v:\n    T.evaluate(0)"),
                             (memory, 'with T.allocate([8], "float32", "global") as v:\n    buffer = T.decl_buffer((4,), data=v)\n    T.evaluate(v)'),
                             (choice, "n = T.int32()\nif n == 1:\n    T.evaluate(1)\nelse:\n    T.evaluate(2)")):
            with IRBuilder() as ib:
                make(ib)
            self.assertEqual(text(ib.get()), wanted)

    def test_blocks(self):
        i, k = tir.Var("i", "int32"), tir.Var("k", "int32")
        with IRBuilder() as ib:
            with T.block("sum"):
                ib.name("vi", T.axis.spatial(8, i))
                ib.name("vk", T.axis.reduce((2, 4), k))
                T.where(i < 3)
                T.reads()
                T.writes()
                T.block_attr({"key": 1})
                with T.init():
                    T.evaluate(0)
                T.evaluate(1)
        realize = ib.get()
        self.assertEqual([v.iter_type for v in realize.block.iter_vars], [tir.IterVar.DataPar, tir.IterVar.CommReduce])
        self.assertIn('T.where(i < 3)', text(realize))
        self.assertIn("vk = T.axis.reduce((2, 4), k)", text(realize))
        self.assertIsNotNone(realize.block.init)

    def test_functions(self):
        with IRBuilder() as ib:
            with T.prim_func():
                T.func_name("main")
                T.func_attr({"key": "value"})
                a = T.arg("A", T.buffer((8,), "float32"))
                with T.serial(8) as i:
                    ib.name("i", i)
                    T.buffer_store(a, a[i] + 1, [i])

        @S.prim_func
        def main(A: S.Buffer((8,), "float32")):
            S.func_attr({"key": "value"})
            for i in range(8):
                A[i] = A[i] + S.float32(1)

        tvm.ir.assert_structural_equal(ib.get(), main)

    def test_outside_nothing_is_built(self):
        with self.assertRaises(ValueError):
            IRBuilder.current()


class RelaxFunctions(unittest.TestCase):
    def test_bindings_blocks_and_branches(self):
        from tvm import relax
        from tvm.script import relax as written
        from tvm.script.ir_builder import relax as R

        info = relax.TensorStructInfo((4,), "float32")
        with IRBuilder() as builder:
            with R.function():
                R.func_name("foo")
                R.func_attr({"kind": 3})
                x, c = R.arg("x", info), R.arg("c", relax.PrimStructInfo("bool"))
                R.func_ret_struct_info(relax.TensorStructInfo(dtype="float32", ndim=1))
                with R.dataflow() as flow:
                    y = R.emit(R.add(x, x))
                    z = R.emit(R.exp(y))
                    IRBuilder.name("z", z)
                    R.output(z)
                (z,) = flow.output_vars
                with R.If(c) as branch:
                    with R.Then():
                        IRBuilder.name("w", R.emit(R.add(z, x)))
                    with R.Else():
                        IRBuilder.name("w", R.emit(R.multiply(z, x)))
                R.func_ret_value(branch.var)

        @written.function
        def foo(x: written.Tensor((4,), "float32"), c: written.Prim("bool")) -> written.Tensor((4,), "float32"):
            written.func_attr({"kind": 3})
            with written.dataflow():
                y = written.add(x, x)
                z = written.exp(y)
                written.output(z)
            if c:
                w = written.add(z, x)
            else:
                w = written.multiply(z, x)
            return w

        tvm.ir.assert_structural_equal(builder.get(), foo)
        self.assertEqual([b.var.name_hint for b in builder.get().body.blocks[0].bindings][1], "z")

    def test_what_is_missing_is_said(self):
        from tvm.script.ir_builder import relax as R

        with IRBuilder(), self.assertRaisesRegex(ValueError, "func_ret_value"):
            with R.function():
                R.func_name("foo")
        with IRBuilder(), self.assertRaisesRegex(ValueError, "inside a Relax function"):
            R.emit(None)


if __name__ == "__main__":
    tap.main()
