"""Kernels on simulated threads: built for cuda, run, checked, and taken away as text."""
import contextlib
import io
import unittest
from unittest import mock

import tap
import tvm
from tvm import tir
from tvm.script import ir as I, tir as T

try:
    import numpy as np
except ImportError:
    np = None


@I.ir_module
class VectorAdd:
    @T.prim_func
    def main(A: T.Buffer((100,), "float32"), B: T.Buffer((100,), "float32"), C: T.Buffer((100,), "float32")):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        for i in range(100):
            with T.block("C"):
                vi = T.axis.spatial(100, i)
                C[vi] = A[vi] + B[vi]


def bound(module=VectorAdd, threads=32):
    sch = tvm.tir.Schedule(module)
    i, = sch.get_loops(sch.get_block("C"))
    i0, i1 = sch.split(i, [None, threads])
    sch.bind(i0, "blockIdx.x")
    sch.bind(i1, "threadIdx.x")
    return sch.mod


@tap.needs_numpy
class Simulated(unittest.TestCase):
    def run_add(self, target, dev):
        mod = tvm.build(bound(), target=target)
        rand = np.random.RandomState(2).rand
        a, b = rand(100).astype("float32"), rand(100).astype("float32")
        arrays = [tvm.nd.array(x, dev) for x in (a, b, np.zeros(100, "float32"))]
        mod["main"](*arrays)
        np.testing.assert_array_equal(arrays[2].numpy(), a + b)
        return mod, arrays

    def test_runs_as_it_stands_in_the_course(self):
        mod, arrays = self.run_add("cuda", tvm.cuda(0))
        self.assertEqual(arrays[0].device, tvm.cuda(0))
        text = mod.imported_modules[0].get_source()
        self.assertIn('extern "C" __global__ void __launch_bounds__(32) main_kernel(', text)
        self.assertEqual(mod.imported_modules[0].type_key, "cuda")

    def test_a_long_kernel_is_timed_without_checks(self):
        """Checked runs of it would take minutes; it is said that nothing was checked."""
        from tvm.runtime import simt

        said = io.StringIO()
        mod = tvm.build(bound(), target="cuda")
        arrays = [tvm.nd.array(np.ones(100, "float32"), tvm.cuda(0)) for _ in range(3)]
        with mock.patch.object(simt, "LONG", 10), mock.patch.object(simt, "_said", set()), contextlib.redirect_stderr(said), \
                mock.patch.object(simt._core, "simt_run", wraps=simt._core.simt_run) as runs:
            mod.time_evaluator("main", tvm.cuda(0), number=2)(*arrays)
            self.assertEqual(runs.call_count, 0)
            np.testing.assert_array_equal(arrays[2].numpy(), np.full(100, 2, "float32"))
            mod["main"](*arrays)                            # a call is checked, however long it takes
            self.assertEqual(runs.call_count, 1)
        self.assertIn("nothing was checked", said.getvalue())

    def test_other_devices(self):
        mod, _ = self.run_add("opencl", tvm.opencl(0))
        self.assertIn("__kernel void main_kernel(", mod.imported_modules[0].get_source())
        mod, _ = self.run_add("metal", tvm.metal(0))
        self.assertIn("kernel void main_kernel(device const float * A [[ buffer(0) ]]", mod.imported_modules[0].get_source())
        self.run_add("nvidia/nvidia-a100", tvm.device("simt", 0))
        self.run_add(tvm.target.Target("rocm"), tvm.rocm(0))

    def test_arrays_move(self):
        a = tvm.nd.array(np.arange(4.0), tvm.cuda(0))
        self.assertEqual(a.copyto(tvm.cpu(0)).device, tvm.cpu(0))
        self.assertEqual(tvm.nd.empty((2,), device=tvm.device("simt", 0)).device.device_type, 32)
        self.assertIn("cuda(0)", repr(a))
        with self.assertRaisesRegex(tvm.TVMError, "argument 0 of main is on cpu"):
            tvm.build(bound(), target="cuda")["main"](*[tvm.nd.array(np.zeros(100, "float32"))] * 3)

    def test_it_is_said_once_that_it_is_simulated(self):
        from tvm.runtime import simt

        simt._said.clear()
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            mod, arrays = self.run_add("cuda", tvm.cuda(0))
            self.run_add("cuda", tvm.cuda(0))
            result = mod.time_evaluator("main", tvm.cuda(0), number=1)(*arrays)
        self.assertEqual(said.getvalue().count("tvm.cuda(0) is simulated"), 1)
        self.assertEqual(said.getvalue().count("not a GPU's time"), 1)
        self.assertGreater(result.mean, 0)

    def test_a_repetition_is_one_simulation(self):


        from tvm.runtime import simt

        mod, arrays = self.run_add("cuda", tvm.cuda(0))
        with mock.patch.object(simt._core, "simt_run", wraps=simt._core.simt_run) as runs:
            result = mod.time_evaluator("main", tvm.cuda(0), number=10, repeat=3)(*arrays)
        self.assertEqual((runs.call_count, len(result.results)), (3, 3))

    def test_fast_threads(self):
        """As loops that are compiled: the same result on the same arrays, no simulation, and time_evaluator times them as what they are."""


        import loopscope
        from tvm.runtime import simt

        self.assertFalse(loopscope.fast_threads(True))
        self.addCleanup(loopscope.fast_threads, False)
        simt._said.clear()
        said = io.StringIO()
        with mock.patch.object(simt._core, "simt_run", side_effect=AssertionError("it was simulated")), contextlib.redirect_stderr(said):
            mod, arrays = self.run_add("cuda", tvm.cuda(0))
            self.assertEqual(arrays[2].device, tvm.cuda(0))
            with self.assertRaisesRegex(tvm.TVMError, "argument 0 of main is on cpu"):
                mod["main"](*[tvm.nd.array(np.zeros(100, "float32"))] * 3)
            result = mod.time_evaluator("main", tvm.cuda(0), number=10, repeat=3)(*arrays)
        self.assertEqual(len(result.results), 3)
        self.assertGreater(result.mean, 0)
        self.assertEqual(said.getvalue().count("as loops over blocks and threads on this CPU, not a GPU's time; nothing was checked"), 1)
        loopscope.fast_threads(False)
        with mock.patch.object(simt._core, "simt_run", wraps=simt._core.simt_run) as runs:
            mod["main"](*arrays)
        self.assertEqual(runs.call_count, 1)

    def test_targets_without_code_say_what_there_is(self):
        with self.assertRaisesRegex(tvm.TVMError, "^code for vulkan is not made here; it is for llvm and c, and kernels for cuda, nvptx, opencl, metal and rocm"):
            tvm.build(bound(), target="vulkan")
        with self.assertRaisesRegex(tvm.TVMError, "^code for vulkan is not made here; it is for llvm and c, and kernels for cuda, nvptx, opencl, metal and rocm"):
            tvm.relax.build(VectorAdd, target="vulkan")

    def test_limits_and_what_is_not_bound(self):
        with self.assertRaisesRegex(tvm.TVMError, "A block has 64 threads .*; cuda allows 32"):
            mod = tvm.build(bound(threads=64), target="cuda -max_threads_per_block=32")
            mod["main"](*[tvm.nd.array(np.zeros(100, "float32"), tvm.cuda(0))] * 3)
        with self.assertRaisesRegex(tvm.TVMError, "bound to threads"):
            tvm.build(VectorAdd, target="cuda")

    def test_a_race_is_an_error(self):
        @I.ir_module
        class Race:
            @T.prim_func
            def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
                T.func_attr({"global_symbol": "main", "tir.noalias": True})
                for b in T.thread_binding(2, thread="blockIdx.x"):
                    for t in T.thread_binding(32, thread="threadIdx.x"):
                        B[t] = A[b * 32 + t]

        mod = tvm.build(Race, target="cuda")
        with self.assertRaisesRegex(tvm.TVMError, "Race on element 0 of B"):
            mod["main"](tvm.nd.array(np.arange(64, dtype="float32"), tvm.cuda(0)), tvm.nd.array(np.zeros(64, "float32"), tvm.cuda(0)))


class Attributes(unittest.TestCase):
    def test_what_a_kind_says(self):
        """TVM's numbers of each kind; they are in no text of a target."""
        for kind, threads, warp in (("cuda", 1024, 32), ("nvptx", 1024, 32), ("rocm", 256, 64), ("opencl", 256, 1), ("metal", 256, 16), ("vulkan", 256, 1)):
            with self.subTest(kind=kind):
                target = tvm.target.Target(kind)
                self.assertEqual((int(target.attrs["max_num_threads"]), int(target.attrs["thread_warp_size"])), (threads, warp))
                self.assertEqual((target.max_num_threads, target.thread_warp_size), (threads, warp))
                self.assertNotIn("max_num_threads", str(target))
                self.assertEqual(tvm.target.Target(str(target)), target)
        self.assertEqual(tvm.target.Target("opencl -max_num_threads=64").attrs["max_num_threads"], 64)
        self.assertNotIn("thread_warp_size", tvm.target.Target("llvm").attrs)


class OlderNames(unittest.TestCase):
    def test_blockize_by_the_name_of_2022(self):
        sch = tvm.tir.Schedule(VectorAdd)
        i, = sch.get_loops(sch.get_block("C"))
        _, inner = sch.split(i, [None, 10])
        self.assertEqual(sch.get(sch.blockize(loop=inner)).name_hint, "C_o")


class Text(unittest.TestCase):
    def test_c(self):
        source = tvm.build(VectorAdd, target="c").get_source()
        self.assertIn("void main_compute_(const float *restrict A, const float *restrict B, float *restrict C)", source)
        self.assertIn("C[i] = A[i] + B[i];", source)


if __name__ == "__main__":
    tap.main()
