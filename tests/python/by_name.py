"""What is found by name: functions of libraries that stages call, classes of errors that messages name; pointers, workers, folders."""
import os
import unittest

import numpy as np
import tap
import tvm
import tvm.testing
from tvm import te, tir


class Libraries(unittest.TestCase):
    """Stages that call functions of a library by name."""

    def run_stage(self, args, out, *arrays):
        made = tvm.nd.array(np.zeros([int(n) for n in out.shape], out.dtype))
        tvm.compile(te.create_prim_func([*args, out]), "llvm")(*[tvm.nd.array(a) for a in arrays], made)
        return made.numpy()

    def test_a_product_between_other_stages(self):
        from tvm.contrib import cblas

        a, b = te.placeholder((5, 4), name="a"), te.placeholder((6, 5), name="b")
        twice = te.compute((5, 4), lambda i, j: a[i, j] * 2.0)
        product = cblas.matmul(twice, b, True, True)
        x, y = np.random.rand(5, 4).astype("float32"), np.random.rand(6, 5).astype("float32")
        out = te.compute(product.shape, lambda i, j: product[i, j] + 1.0)
        np.testing.assert_allclose(self.run_stage([a, b], out, x, y), 2 * x.T @ y.T + 1, rtol=1e-5)

    def test_random_numbers(self):
        from tvm.contrib import random

        tvm.get_global_func("tvm.contrib.random.seed")(7)
        first = self.run_stage([], random.uniform(2.0, 3.0, size=(64, 64)))
        self.assertTrue(((first >= 2) & (first < 3)).all())
        self.assertAlmostEqual(float(first.mean()), 2.5, delta=0.02)
        tvm.get_global_func("tvm.contrib.random.seed")(7)
        np.testing.assert_array_equal(first, self.run_stage([], random.uniform(2.0, 3.0, size=(64, 64))))
        whole = self.run_stage([], random.randint(-3, 4, size=(256,)))
        self.assertEqual(set(whole.tolist()), set(range(-3, 4)))
        self.assertAlmostEqual(float(self.run_stage([], random.normal(5.0, 2.0, size=(64, 64))).std()), 2.0, delta=0.2)

    def test_the_valid_part_of_a_row_is_sorted(self):
        data, valid = np.array([[3, 1, 2, 9], [4, 8, 6, 7]], "float32"), np.array([3, 2], "int32")
        a, b = te.placeholder(data.shape, name="a"), te.placeholder((2,), "int32", name="b")
        for ascending, order in ((True, [[1, 2, 0, 3], [0, 1, 2, 3]]), (False, [[0, 2, 1, 3], [1, 0, 2, 3]])):
            out = te.extern(data.shape, [a, b], lambda ins, outs, up=ascending: tir.call_packed("tvm.contrib.sort.argsort_nms", ins[0], ins[1], outs[0], 1, up), dtype="int32")
            np.testing.assert_array_equal(self.run_stage([a, b], out, data, valid), order)


class Messages(unittest.TestCase):
    def test_a_message_names_its_class(self):
        @tvm.error.register_error
        class OwnTrouble(RuntimeError):
            pass

        for message, cls in (("ValueError: x", ValueError), ("OpNotImplemented: x", NotImplementedError), ("OwnTrouble: x", OwnTrouble),
                             ("nothing: x", tvm.TVMError), ("os: x", tvm.TVMError)):
            with self.assertRaisesRegex(cls, "x"):
                tvm.testing.test_raise_error_callback(message)()

    def test_pointers_are_objects_of_their_own(self):
        x = tir.Var("x", "int32")
        self.assertEqual(x.handle.value, x.handle.value)
        self.assertNotEqual(x.handle, x.handle)
        self.assertFalse(tvm.nd.empty((2,)).is_view)

    def test_a_worker_that_ends_itself(self):
        from tvm.contrib.popen_pool import PopenWorker
        from tvm.testing import terminate_self

        worker = PopenWorker()
        worker.send(terminate_self)
        with self.assertRaises(ChildProcessError):
            worker.recv()

    def test_folders_that_are_kept(self):
        from tvm.contrib import utils

        with utils.TempDirectory.set_keep_for_debug():
            folder = utils.tempdir()
        path = folder.temp_dir
        folder.remove()
        self.assertTrue(os.path.isdir(path))
        os.rmdir(path)
        folder = utils.tempdir()
        path = folder.temp_dir
        folder.remove()
        self.assertFalse(os.path.exists(path))


if __name__ == "__main__":
    tap.main()
