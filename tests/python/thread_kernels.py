"""Kernels of every kind (thread_programs.py): on simulated threads, checked and in the fast mode, they compute what numpy computes and nothing is found; each
barrier that is needed is missed; counts are those derived by hand."""
import json
import os
import subprocess
import tempfile
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


class Counts(unittest.TestCase):
    """What accesses cost, derived by hand beside each kernel."""

    def sites(self, kernel):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kernel.py")
            with open(path, "w") as file:
                file.write(kernel.text)
            cli = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli")
            run = subprocess.run([cli, "simt", path, "--json"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_counts(self):
        for kernel in [kernel for kernel in ALL if kernel.counts or kernel.grid]:
            answer = self.sites(kernel)
            if kernel.grid:
                self.assertEqual((tuple(answer["kernels"][0]["grid"]), tuple(answer["kernels"][0]["block"])), kernel.grid, kernel.name)
            for buffer, wanted in kernel.counts.items():
                sites = [site for site in answer["sites"] if site["buffer"] == buffer]
                for key, value in wanted.items():
                    got = ([site["most-ways" if key == "ways" else key] for site in sites] if isinstance(value, list)
                           else max(site["most-sectors"] for site in sites) if key == "most" else sum(site[key] for site in sites))
                    self.assertEqual(got, value, f"{kernel.name}: {key} of {buffer}")


class Refused(unittest.TestCase):
    def source(self, name, target):
        kernel, = [kernel for kernel in ALL if kernel.name == name]
        return core.device_source("main", core.lower_device(function(kernel.text), target), target)

    def test_memory_of_a_warp_is_no_memory_of_a_thread(self):
        with self.assertRaisesRegex(tvm.TVMError, "^W, memory that the threads of a warp share, has no form in OpenCL C here"):
            self.source("warp_memory", "opencl")
        self.assertIn("__shfl_sync(", self.source("warp_memory", TARGET))

    def test_halves_stay_halves(self):
        """half * 0.5f is a float in OpenCL C, and ambiguous to nvcc."""
        self.assertIn("* (half)0.5f", self.source("half", "opencl").replace("((half)0.5f)", "(half)0.5f"))
        self.assertIn("* half(0.5f)", self.source("half", TARGET))

    def test_functions_of_halves(self):
        """exp (half) is ambiguous to nvcc: they are computed in float and rounded."""
        func = function("""from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float16")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        A[t] = T.exp(A[t]) + T.fabs(A[t])
""")
        text = core.device_source("main", core.lower_device(func, TARGET), TARGET)
        self.assertIn("half(expf((float)A[", text)
        self.assertIn("half(fabsf((float)A[", text)

    def test_what_atomic_functions_change_is_no_constant(self):
        self.assertIn("const int *__restrict__ A, int *__restrict__ H)", self.source("histogram", TARGET))
        self.assertIn("__global const int *restrict A, __global int *restrict H)", self.source("histogram", "opencl"))

    def test_bfloat16_is_rounded_where_a_device_has_none(self):
        kernel, = [kernel for kernel in ALL if kernel.name == "brain_floats"]
        random = np.random.RandomState(5)
        inputs = [random.uniform(-1, 1, 64).astype("float32") for _ in range(2)]
        for target in ("cuda -arch=sm_70", "opencl", TARGET):
            device = tvm.device("simt", 0)
            arrays = [tvm.nd.array(array, device) for array in inputs + [np.zeros(64, "float32")]]
            self.assertEqual(core.simt_run(core.lower_device(function(kernel.text), target), target, tuple(arrays)), [])
            np.testing.assert_array_equal(arrays[2].numpy(), kernel.reference(*inputs)[0], target)

    def test_what_does_not_become_loops(self):
        text = """from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        A[t] = %s
"""
        shuffle = "T.if_then_else(t < 3, T.tvm_warp_shuffle(T.uint32(0xffffffff), A[t], 0, 32, 32), T.float32(1))"
        with self.assertRaisesRegex(tvm.TVMError, "^A barrier or a shuffle stands in a statement of the kind BufferStore, which is not cut there"):
            core.serial_threads(core.lower_device(function(text % shuffle), TARGET))
        with self.assertRaisesRegex(tvm.TVMError, "^No loop is bound to threads"):
            core.serial_threads(function(text % "T.float32(1)").with_body(tir.Evaluate(tir.const(0, "int32"))))


for _kernel in ALL:
    setattr(Kernels, f"test_{_kernel.name}", lambda self, kernel=_kernel: self.check(kernel))

if __name__ == "__main__":
    tap.main()
