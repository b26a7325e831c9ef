"""Decorators: where the text comes from, what it may name, what is said about errors."""
import textwrap
import unittest

import tap
import tvm
from tvm.script import from_source
from tvm.script import ir as I
from tvm.script import tir as T
from programs import MatMulRelu


class Decorators(unittest.TestCase):
    def test_free_function(self):
        @T.prim_func
        def f(A: T.Buffer((4,), "float32")):
            for i in range(4):
                A[i] = A[i] + T.float32(1)

        self.assertEqual(f.attrs["global_symbol"], "f")
        self.assertEqual(type(f).__name__, "PrimFunc")

    def test_private(self):
        @T.prim_func(private=True)
        def f(A: T.Buffer((4,), "float32")):
            A[0] = T.float32(1)

        self.assertNotIn("global_symbol", f.attrs)

    def test_second_class_of_a_name(self):
        @I.ir_module
        class Module:
            @T.prim_func
            def first(A: T.Buffer((4,), "float32")):
                A[0] = T.float32(1)

        one = Module

        @I.ir_module
        class Module:
            @T.prim_func
            def second(A: T.Buffer((4,), "float32")):
                A[0] = T.float32(2)

        self.assertIn("first", one)
        self.assertIn("second", Module)
        self.assertNotIn("first", Module)

    def test_cell_without_a_file(self):
        import linecache

        text = textwrap.dedent('''
            import tvm
            from tvm.script import tir as T
            @tvm.script.ir_module
            class Cell:
                @T.prim_func
                def main(A: T.Buffer((4,), "float32")):
                    A[0] = T.float32(7)
        ''')
        linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(True), "<cell 1>")
        space = {}
        exec(compile(text, "<cell 1>", "exec"), space)
        self.assertIn("main", space["Cell"])

    def test_round_trip(self):
        again = from_source(MatMulRelu.script())
        tvm.ir.assert_structural_equal(again, MatMulRelu)
        func = from_source(MatMulRelu["main"].script())
        tvm.ir.assert_structural_equal(func, MatMulRelu["main"])

    def test_error_names_the_line(self):
        with self.assertRaises(tvm.error.DiagnosticError) as caught:
            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                A[0] = nothing_of_this_name  # noqa: F821

        self.assertIn("nothing_of_this_name", str(caught.exception))
        self.assertIn("script.py:", str(caught.exception))



class Choices(unittest.TestCase):
    def test_a_condition_of_the_program_chooses_later(self):
        @T.prim_func(private=True)
        def short(A: T.Buffer((8, 8), "float32")):
            for i, j in T.grid(8, 8):
                A[i, j] = i if i < j else T.int64(2)

        @T.prim_func(private=True)
        def long(A: T.Buffer((8, 8), "float32")):
            for i, j in T.grid(8, 8):
                A[i, j] = T.if_then_else(i < j, T.cast(i, "int64"), T.int64(2))

        tvm.ir.assert_structural_equal(short, long)

    def test_words_of_targets(self):
        @T.prim_func
        def short():
            T.func_attr({"target": T.target("llvm -mtriple=aarch64-linux-gnu -mattr=+sve,+dotprod")})
            T.evaluate(0)

        self.assertIn('"mattr": ["+sve", "+dotprod"]', short.script())
        self.assertIn('"keys": ["arm_cpu", "cpu"]', short.script())
        made = tvm.target.Target("llvm -mtriple=aarch64-linux-gnu -mattr=+sve,+dotprod")
        tvm.ir.assert_structural_equal(short, short.with_attr("target", made))

    def test_macros_that_are_methods(self):
        class Scaled:
            def __init__(self, factor):
                self.factor = factor

            @T.macro
            def apply(self, A, i):
                A[i] = A[i] * self.factor

        five, both = Scaled(5), type("Both", (), {})()
        both.inner = Scaled(7)

        @T.prim_func(private=True)
        def func(A: T.Buffer((4,), "int32")):
            for i in range(4):
                five.apply(A, i)
                both.inner.apply(A, i)

        @T.prim_func(private=True)
        def expected(A: T.Buffer((4,), "int32")):
            for i in range(4):
                A[i] = A[i] * 5
                A[i] = A[i] * 7

        tvm.ir.assert_structural_equal(func, expected)

    def test_macros_take_further_names(self):
        @T.macro
        def add(i, *args, **more):
            more["to"][i] = more["to"][i] + args[0] * more["by"]

        @T.prim_func(private=True)
        def short(A: T.Buffer((8,), "int32")):
            for i in range(8):
                add(i, 2, to=A, by=3)

        @T.prim_func(private=True)
        def long(A: T.Buffer((8,), "int32")):
            for i in range(8):
                A[i] = A[i] + 2 * 3

        tvm.ir.assert_structural_equal(short, long)


class OneLine(unittest.TestCase):
    def test_branches_on_one_line_each(self):
        @T.prim_func
        def short(A: T.Buffer((4,), "int32"), n: T.int32):
            for i in range(4):
                if i < n: A[i] = 1  # noqa: E701
                elif i == n: A[i] = 2; A[0] = 3  # noqa: E701, E702
                else: A[i] = 4  # noqa: E701

        @T.prim_func
        def long(A: T.Buffer((4,), "int32"), n: T.int32):
            T.func_attr({"global_symbol": "short"})
            for i in range(4):
                if i < n:
                    A[i] = 1
                else:
                    if i == n:
                        A[i] = 2
                        A[0] = 3
                    else:
                        A[i] = 4

        tvm.ir.assert_structural_equal(short, long)

    def test_texts_times_numbers(self):
        kinds = 2

        @T.prim_func
        def func(a: T.Buffer((4, 4), "float32"), b: T.Buffer((4, 4), "float32")):
            for i, j in T.grid(4, 4):
                with T.block("copy"):
                    vi, vj = T.axis.remap("S" * kinds, [i, j])
                    b[vi, vj] = a[vi, vj]

        self.assertIn('T.axis.remap("SS", [i, j])', func.script())


if __name__ == "__main__":
    tap.main()
