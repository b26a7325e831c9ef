"""Kernels of every kind (thread_programs.py): on simulated threads, checked and in the fast mode, they compute what numpy computes and nothing is found; each
barrier that is needed is missed; counts are those derived by hand."""
import unittest

import _loopscope as core
import numpy as np
import tap
import tvm
from thread_programs import ALL
from tvm import tir

TARGET = "cuda -arch=sm_80"


def function(text):
    func = tvm.script.from_source(text)
    return func if isinstance(func, tir.PrimFunc) else func["main"]


def simulate(kernel, lowered):
    """What was found, and the results."""
    device = tvm.device("simt", 0)
    arrays = [tvm.nd.array(array, device) for array in kernel.inputs + [np.zeros(shape, dtype) for dtype, shape in kernel.outputs]]
    found = [text for kind, text in core.simt_run(lowered, TARGET, tuple(arrays)) if kind != "same-value"]
    return found, [array.numpy() for array in arrays[len(kernel.inputs):]]


def without_barrier(lowered, wanted):
    """The function without its barrier of this number, and how many it has."""
    seen = [0]

    def visit(stmt):
        if isinstance(stmt.value, tir.Call) and getattr(stmt.value.op, "name", "") == "tir.tvm_storage_sync" and stmt.value.args[0].value != "warp":
            seen[0] += 1
            if seen[0] - 1 == wanted:
                return tir.Evaluate(tir.const(0, "int32"))
        return stmt

    body = tir.stmt_functor.ir_transform(lowered.body, None, visit, ["tir.Evaluate"])
    return lowered.with_body(body), seen[0]


def fast(kernel, lowered):
    """The results of the fast mode: loops over blocks and threads, compiled for this CPU."""
    arrays = [tvm.nd.array(array) for array in kernel.inputs + [np.zeros(shape, dtype) for dtype, shape in kernel.outputs]]
    tvm.build(core.serial_threads(lowered), "llvm")(*arrays)
    return [array.numpy() for array in arrays[len(kernel.inputs):]]


class Kernels(unittest.TestCase):
    def same(self, kernel, results):
        for wanted, got in zip(kernel.reference(*kernel.inputs), results):
            self.assertEqual(wanted.shape, got.shape)
            if kernel.tolerance == 0:
                np.testing.assert_array_equal(got, wanted, kernel.name)
            else:
                np.testing.assert_allclose(got, wanted, kernel.tolerance, kernel.tolerance, err_msg=kernel.name)

    def check(self, kernel):
        lowered = core.lower_device(function(kernel.text), TARGET)
        found, results = simulate(kernel, lowered)
        self.assertEqual(found, [])
        self.same(kernel, results)
        for simulated, computed in zip(results, fast(kernel, lowered)):
            np.testing.assert_allclose(computed, simulated, 1e-6, 1e-6, err_msg=f"fast mode: {kernel.name}")
        n, needed, at = without_barrier(lowered, -1)[1], "", 0
        for at in range(n):
            found, results = simulate(kernel, without_barrier(lowered, at)[0])
            races = any("Race" in text for text in found)
            needed += "x" if races else "."
            if not races:
                self.assertEqual(found, [])
                self.same(kernel, results)
        if kernel.barriers is not None:
            self.assertEqual(needed, kernel.barriers, lowered.script())
        elif n > 0:
            self.assertIn("x", needed)


for _kernel in ALL:
    setattr(Kernels, f"test_{_kernel.name}", lambda self, kernel=_kernel: self.check(kernel))

if __name__ == "__main__":
    tap.main()
