"""Relax in scripts: constants of arrays and lists, operators of Python, fields of tuples, what is refused."""
import unittest

import numpy as np
import tap
import tvm
from tvm import relax
from tvm.script import relax as R, tir as T


class Values(unittest.TestCase):
    def back(self, func):
        tvm.ir.assert_structural_equal(func, tvm.script.from_source(func.script(show_meta=True)))

    def test_constants(self):
        data = np.arange(6, dtype="float32").reshape(2, 3)

        @R.function
        def main(x: R.Tensor((2, 3), "float32")):
            y = R.add(x, R.const(data))
            z = R.add(y, R.const([[1.0, 2.0, 3.0]], "float32"))
            return z

        first, second = [binding.value.args[1] for binding in main.body.blocks[0].bindings]
        self.assertTrue((first.data.numpy() == data).all())
        self.assertEqual(second.data.numpy().tolist(), [[1, 2, 3]])
        self.back(main)

    def test_lists_are_even(self):
        with self.assertRaises(tvm.error.DiagnosticError):
            @R.function
            def main(x: R.Tensor((2,), "float32")):
                return R.add(x, R.const([[1.0], [2.0, 3.0]]))

    def test_operators(self):
        @R.function
        def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
            a = -x
            b = a < y
            c = a >= y
            d = (b, c)
            e = R.TupleGetItem(d, 1)
            return e

        ops = [binding.value.op.name for binding in main.body.blocks[0].bindings[:3]]
        self.assertEqual(ops, ["relax.negative", "relax.less", "relax.greater_equal"])
        self.back(main)

    def test_annotations_of_names(self):
        @R.function
        def main(x: R.Tensor((2,), "float32")):
            y: R.Object = x
            z: R.Object = R.exp(x)
            return (y, z)

        first, second = [binding.var.struct_info for binding in main.body.blocks[0].bindings[:2]]
        self.assertEqual((first, second), (relax.TensorStructInfo((2,)), relax.ObjectStructInfo()))

    def test_calls_by_position(self):
        @R.function(pure=False)
        def main(x: R.Tensor((4, 4), "float32")) -> R.Tensor((4, 4), dtype=None):
            a = R.builtin.alloc_tensor(R.shape([4, 4]), runtime_device_index=0, dtype="float32")
            s = R.memory.alloc_storage(R.shape([64]), virtual_device_index=0, storage_scope="global", dtype="float32")
            b = R.call_packed("some", a, s, sinfo_args=[R.Object()])
            _ = R.print(b, format="{}")
            return x

        self.back(main)

    def test_one_name_on_the_left(self):
        with self.assertRaises(tvm.error.DiagnosticError):
            @R.function
            def main(x: R.Tensor((2,), "float32")):
                a = b = R.exp(x)
                return a


class Macros(unittest.TestCase):
    def test_bodies_are_put_where_they_are_called(self):
        n = 3

        @T.macro
        def own(A, i):
            A[i] = A[i] + n

        @T.macro(hygienic=False)
        def theirs(A, i):
            A[i] = A[i] + n

        @T.macro
        def loop(A, count, offset=1):
            for i in range(count):
                own(A, i + offset)

        @T.prim_func(private=True)
        def called(A: T.Buffer((8,), "int32"), n: T.int32):
            loop(A, 4, offset=2)
            theirs(A, 2)

        @T.prim_func(private=True)
        def written(A: T.Buffer((8,), "int32"), n: T.int32):
            for i in range(4):
                A[i + 2] = A[i + 2] + 3
            A[2] = A[2] + n

        tvm.ir.assert_structural_equal(called, written)

    def test_results(self):
        @R.macro(hygienic=False)
        def twice(x):
            y = R.exp(x)
            return R.add(y, y)

        @R.function(private=True)
        def called(x: R.Tensor((2,), "float32")):
            z = twice(x)
            return z

        @R.function(private=True)
        def written(x: R.Tensor((2,), "float32")):
            y = R.exp(x)
            z = R.add(y, y)
            return z

        tvm.ir.assert_structural_equal(called, written)


if __name__ == "__main__":
    tap.main()
