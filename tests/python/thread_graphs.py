"""Graphs built for targets with threads: the virtual machine calls their kernels on simulated threads, each of which is scheduled and checked."""
import contextlib
import io
import unittest
import warnings
from unittest import mock

import numpy as np
import tap
import tvm
from tvm import dlight, relax
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Layer:
    @R.function
    def main(x: R.Tensor((8, 64), "float32"), w: R.Tensor((64, 32), "float32"), b: R.Tensor((32,), "float32")):
        with R.dataflow():
            a = R.matmul(x, w)
            c = R.add(a, b)
            d = R.nn.relu(c)
            e = R.nn.softmax(d, axis=-1)
            R.output(e)
        return e


@I.ir_module
class Rows:
    @R.function
    def main(x: R.Tensor(("n", 16), "float32"), w: R.Tensor((16, 8), "float32")) -> R.Tuple(R.Tensor(("n", 8), "float32"), R.Tensor(("n * 8",), "float32")):
        n = T.int64()
        with R.dataflow():
            a = R.nn.relu(R.matmul(x, w))
            s = R.reshape(a, R.shape([n * 8]))
            R.output(a, s)
        return (a, s)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def numbers(*shape, seed=0):
    return np.random.RandomState(seed).randint(-8, 9, shape).astype("float32") / 4


LAYER = [numbers(8, 64), numbers(64, 32, seed=1), numbers(32, seed=2)]
LAYER_WANT = softmax(np.maximum(LAYER[0] @ LAYER[1] + LAYER[2], 0))


def on(device, arrays):
    return [tvm.nd.array(array, device) for array in arrays]


class Graphs(unittest.TestCase):
    def test_a_layer(self):
        for build, target, device in ((relax.build, "cuda", tvm.cuda(0)), (tvm.compile, "nvidia/nvidia-a100", tvm.cuda(0)), (tvm.build, "rocm -thread_warp_size=32", tvm.rocm(0)), (tvm.build, "rocm", tvm.rocm(0)),
                                      (relax.build, "opencl", tvm.opencl(0))):
            with self.subTest(target=target):
                machine = relax.VirtualMachine(build(Layer, target=target), device)
                from tvm.runtime import simt

                with mock.patch.object(simt._core, "simt_run", wraps=simt._core.simt_run) as runs:
                    out = machine["main"](*on(device, LAYER))
                self.assertEqual(out.device, device)
                np.testing.assert_allclose(out.numpy(), LAYER_WANT, 1e-5, 1e-6)
                self.assertEqual(runs.call_count, 2)

    def test_extents_that_are_not_known(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")      # what a rule of dlight cannot be sure of is looked at by each run
            machine = relax.VirtualMachine(relax.build(Rows, target="cuda"), tvm.cuda(0))
        w = numbers(16, 8, seed=1)
        for n in (1, 3, 33):
            x = numbers(n, 16)
            whole, flat = machine["main"](*on(tvm.cuda(0), (x, w)))
            np.testing.assert_array_equal(whole.numpy(), np.maximum(x @ w, 0))
            np.testing.assert_array_equal(flat.numpy(), np.maximum(x @ w, 0).reshape(-1))
            self.assertEqual((whole.device, flat.device), (tvm.cuda(0), tvm.cuda(0)))

    def test_a_schedule_of_ones_own_stays(self):
        """What has loops on threads already is not scheduled again: the softmax keeps its blocks of 256 threads."""
        with tvm.target.Target("cuda"):
            mod = relax.get_pipeline("zero")(Layer)
            mod = dlight.ApplyDefaultSchedule(dlight.gpu.Fallback())(mod)
        made = relax.build(mod, target="cuda")
        self.assertEqual(made._ir_mod["softmax"].script(), mod["softmax"].script())
        self.assertNotEqual(relax.build(Layer, target="cuda")._ir_mod["softmax"].script(), mod["softmax"].script())
        out = relax.VirtualMachine(made, tvm.cuda(0))["main"](*on(tvm.cuda(0), LAYER))
        np.testing.assert_allclose(out.numpy(), LAYER_WANT, 1e-5, 1e-6)

    def test_a_kernel_that_is_wrong_is_told(self):
        """Two threads write one element: the machine ends the call with the sentence."""
        @I.ir_module
        class Racing:
            @T.prim_func
            def kernel(A: T.Buffer((32,), "float32"), B: T.Buffer((1,), "float32")):
                T.func_attr({"tir.noalias": True, "tir.is_scheduled": True})
                for t in T.thread_binding(32, thread="threadIdx.x"):
                    with T.block("B"):
                        v = T.axis.opaque(32, t)
                        T.reads(A[v])
                        T.writes(B[0])
                        B[0] = A[v]

            @R.function
            def main(x: R.Tensor((32,), "float32")):
                cls = Racing
                y = R.call_tir(cls.kernel, (x,), out_sinfo=R.Tensor((1,), "float32"))
                return y

        machine = relax.VirtualMachine(relax.build(Racing, target="cuda"), tvm.cuda(0))
        with self.assertRaisesRegex(tvm.TVMError, "(?i)race"):
            machine["main"](tvm.nd.array(np.arange(32, dtype="float32"), tvm.cuda(0)))

    def test_sorting_is_a_kernel(self):
        @I.ir_module
        class Sorting:
            @R.function
            def main(x: R.Tensor((4, 10), "float32")):
                with R.dataflow():
                    y = R.sort(x, axis=-1, descending=True)
                    R.output(y)
                return y

        x = np.random.RandomState(3).permutation(40).reshape(4, 10).astype("float32")
        out = relax.VirtualMachine(relax.build(Sorting, target="cuda"), tvm.cuda(0))["main"](tvm.nd.array(x, tvm.cuda(0)))
        np.testing.assert_array_equal(out.numpy(), -np.sort(-x, -1))

    def test_the_text_of_the_kernels(self):
        made = relax.build(Layer, target="cuda")
        text = made.mod.imported_modules[0].get_source()
        self.assertIn("softmax_kernel(", text)
        self.assertIn("__shared__", text)
        self.assertEqual(made.mod.imported_modules[0].type_key, "cuda")

    def test_fast_threads(self):
        import loopscope

        machine = relax.VirtualMachine(relax.build(Layer, target="cuda"), tvm.cuda(0))
        loopscope.fast_threads(True)
        self.addCleanup(loopscope.fast_threads, False)
        from tvm.runtime import simt

        with mock.patch.object(simt._core, "simt_run", side_effect=AssertionError("it was simulated")):
            out = machine["main"](*on(tvm.cuda(0), LAYER))
        np.testing.assert_allclose(out.numpy(), LAYER_WANT, 1e-5, 1e-6)

    def test_times_and_profiles(self):
        from tvm.runtime import simt

        simt._said.clear()
        said = io.StringIO()
        machine = relax.VirtualMachine(relax.build(Layer, target="cuda"), tvm.cuda(0), profile=True)
        with contextlib.redirect_stderr(said):
            result = machine.time_evaluator("main", tvm.cuda(0), number=1, repeat=2)(*on(tvm.cuda(0), LAYER))
        self.assertEqual(len(result.results), 2)
        self.assertIn("not a GPU's time", said.getvalue())
        names = [call["Name"] for call in machine.profile("main", *on(tvm.cuda(0), LAYER)).calls]
        self.assertIn("softmax", names)

    def test_a_kernel_by_its_name(self):
        made = relax.build(Layer, target="cuda")
        x, out = on(tvm.cuda(0), (numbers(8, 32), np.zeros((8, 32), "float32")))
        made["softmax"](x, out)
        np.testing.assert_allclose(out.numpy(), softmax(numbers(8, 32)), 1e-5, 1e-6)
        with self.assertRaisesRegex(AttributeError, "no function 'nothing'"):
            made["nothing"]

    def test_files_are_refused_with_what_to_do(self):
        with self.assertRaisesRegex(tvm.TVMError, "kernels run on the threads of cuda is not written to a file.*device export"):
            relax.build(Layer, target="cuda").export_library("layer.so")

    def test_counts(self):
        """Sectors of a copy whose threads stand side by side, and of one whose threads stand 32 apart."""
        import loopscope

        for stride, sectors in ((1, 32 + 32), (32, 256 + 32)):
            func = tvm.script.from_source(f'''
from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer(({256 * stride},), "float32"), B: T.Buffer((256,), "float32")):
    T.func_attr({{"global_symbol": "main", "tir.noalias": True}})
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(128, thread="threadIdx.x"):
            with T.block("B"):
                v = T.axis.spatial(256, b * 128 + t)
                B[v] = A[v * {stride}]
''')
            arrays = on(tvm.cuda(0), (np.ones(256 * stride, "float32"), np.zeros(256, "float32")))
            row, = loopscope.count_threads(tvm.build(func, target="cuda"), *arrays)
            self.assertEqual((row["sectors"], row["grid"], row["block"], row["barriers"]), (sectors, (2, 1, 1), (128, 1, 1), 0))
            np.testing.assert_array_equal(arrays[1].numpy(), np.ones(256))
        with self.assertRaisesRegex(TypeError, "count_threads counts what was built for cuda"):
            loopscope.count_threads(len)


if __name__ == "__main__":
    tap.main()
