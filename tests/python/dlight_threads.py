"""The rules of dlight on programs of other shapes than theirs: what they make runs on simulated threads without a finding, checked and in the fast mode, and
computes what the program computes on the CPU."""
import unittest
import warnings

import _loopscope as core
import numpy as np
import tap
import tvm
from tvm import dlight as dl
from tvm import te, tir

TARGET = "cuda -arch=sm_80"
RULES = [dl.gpu.Matmul, dl.gpu.GEMV, dl.gpu.Reduction, dl.gpu.GeneralReduction, dl.gpu.Transpose, dl.gpu.Fallback]


def convolution(n, c, h, w, o, k, step=1, pad=1):
    x, weight = te.placeholder((n, c, h, w), name="X"), te.placeholder((o, c, k, k), name="W")
    padded = te.compute((n, c, h + 2 * pad, w + 2 * pad), lambda b, i, y, z: tir.if_then_else(
        tir.all(y >= pad, y < h + pad, z >= pad, z < w + pad), x[b, i, y - pad, z - pad], 0.0), name="P")
    r, dy, dx = te.reduce_axis((0, c)), te.reduce_axis((0, k)), te.reduce_axis((0, k))
    shape = (n, o, (h + 2 * pad - k) // step + 1, (w + 2 * pad - k) // step + 1)
    return [x, weight, te.compute(shape, lambda b, f, y, z: te.sum(padded[b, r, y * step + dy, z * step + dx] * weight[f, r, dy, dx], [r, dy, dx]), name="C")]


def product(m, n, k, transposed=False, dtype="float32"):
    a, b, r = te.placeholder((m, k), dtype, name="A"), te.placeholder((n, k) if transposed else (k, n), dtype, name="B"), te.reduce_axis((0, k))
    return [a, b, te.compute((m, n), lambda i, j: te.sum(a[i, r] * (b[j, r] if transposed else b[r, j]), r), name="C")]


def scores(heads, q, k, d):
    a, b, r = te.placeholder((heads, q, d), name="Q"), te.placeholder((heads, k, d), name="K"), te.reduce_axis((0, d))
    return [a, b, te.compute((heads, q, k), lambda h, i, j: te.sum(a[h, i, r] * b[h, j, r], r), name="S")]


def softmax(m, n):
    x, r, s = te.placeholder((m, n), name="X"), te.reduce_axis((0, n)), te.reduce_axis((0, n))
    most = te.compute((m,), lambda i: te.max(x[i, r], r), name="M")
    power = te.compute((m, n), lambda i, j: te.exp(x[i, j] - most[i]), name="E")
    total = te.compute((m,), lambda i: te.sum(power[i, s], s), name="S")
    return [x, te.compute((m, n), lambda i, j: power[i, j] / total[i], name="Y")]


def norm(m, n):
    x, g, r, s = te.placeholder((m, n), name="X"), te.placeholder((n,), name="G"), te.reduce_axis((0, n)), te.reduce_axis((0, n))
    mean = te.compute((m,), lambda i: te.sum(x[i, r], r), name="M")
    square = te.compute((m,), lambda i: te.sum(x[i, s] * x[i, s], s), name="V")
    return [x, g, te.compute((m, n), lambda i, j: (x[i, j] - mean[i] / n) * te.rsqrt(square[i] / n - mean[i] / n * (mean[i] / n) + 1e-5) * g[j], name="Y")]


def column_sums(m, n):
    x, r = te.placeholder((m, n), name="X"), te.reduce_axis((0, m))
    return [x, te.compute((n,), lambda j: te.sum(x[r, j], r), name="S")]


def transpose(m, n):
    x = te.placeholder((m, n), name="X")
    return [x, te.compute((n, m), lambda i, j: x[j, i], name="Y")]


def each(*shape):
    x = te.placeholder(shape, name="X")
    return [x, te.compute(shape, lambda *i: te.tanh(x(*i)) * 2.0, name="Y")]


PROGRAMS = {
    "convolution": convolution(1, 3, 9, 11, 5, 3), "convolution_by_two": convolution(2, 4, 8, 8, 6, 3, 2), "odd_product": product(33, 45, 29),
    "product_by_rows": product(70, 50, 64, True), "product": product(128, 96, 64), "half_product": product(64, 64, 64, True, "float16"),
    "smallest_product": product(1, 1, 1), "gemv": product(1, 100, 256, True), "odd_gemv": product(1, 37, 130, True), "scores": scores(3, 17, 19, 16),
    "softmax": softmax(5, 300), "norm": norm(7, 96), "column_sums": column_sums(200, 33), "transpose": transpose(45, 70), "each": each(7, 11, 13), "one": each(1),
}


class Scheduled(unittest.TestCase):
    def on_threads(self, func, inputs, result, wanted, what):
        tolerance = 2e-2 if wanted.dtype == "float16" else 1e-4
        lowered = core.lower_device(func, TARGET)
        arrays = [tvm.nd.array(array, tvm.device("simt", 0)) for array in [*inputs, result]]
        self.assertEqual([text for kind, text in core.simt_run(lowered, TARGET, tuple(arrays)) if kind != "same-value"], [], what)
        np.testing.assert_allclose(arrays[-1].numpy(), wanted, tolerance, tolerance, err_msg=what)
        fast = [tvm.nd.array(array) for array in [*inputs, result]]
        tvm.build(core.serial_threads(lowered), tap.LLVM)(*fast)
        np.testing.assert_allclose(fast[-1].numpy(), arrays[-1].numpy(), tolerance, tolerance, err_msg=f"{what}, fast")

    def check(self, tensors):
        func, random = te.create_prim_func(tensors), np.random.RandomState(1)
        shapes = [tuple(int(n) for n in tensor.shape) for tensor in tensors]
        inputs = [random.uniform(-1, 1, shape).astype(tensor.dtype) for shape, tensor in zip(shapes[:-1], tensors)]
        result = np.zeros(shapes[-1], tensors[-1].dtype)
        plain = [tvm.nd.array(array) for array in [*inputs, result]]
        tvm.build(func, tap.LLVM)(*plain)
        applied = 0
        for rules in [RULES] + [[rule] for rule in RULES]:
            with tvm.target.Target("nvidia/nvidia-a100"), warnings.catch_warnings():
                warnings.simplefilter("ignore")           # of sums under a guard: the results tell
                made = dl.ApplyDefaultSchedule(*[rule() for rule in rules])(tvm.IRModule({"main": func}))["main"]
            if "thread_binding" not in made.script():
                self.assertEqual(len(rules), 1, "no rule applies")
                continue
            applied += 1
            self.assertTrue(tir.analysis.verify_gpu_code(core.lower_device(made, TARGET), {"max_threads_per_block": 1024, "max_shared_memory_per_block": 49152}))
            self.on_threads(made, inputs, result, plain[-1].numpy(), " ".join(rule.__name__ for rule in rules))
        self.assertGreaterEqual(applied, 2)

    def test_rows_that_are_not_known(self):
        """LowBatchGEMV takes four rows at a time: for every number of rows the last ones are guarded, and so they are by the guard that TVM writes."""
        func = tvm.script.from_source('''
from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, B: T.Buffer((64, 32), "float32"), c: T.handle):
    T.func_attr({"tir.noalias": True})
    n = T.int64()
    A = T.match_buffer(a, (n, T.int64(32)))
    C = T.match_buffer(c, (n, T.int64(64)))
    for i, j, k in T.grid(n, T.int64(64), T.int64(32)):
        with T.block("C"):
            v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[v_i, v_j] = T.float32(0)
            C[v_i, v_j] = C[v_i, v_j] + A[v_i, v_k] * B[v_j, v_k]
''')
        with tvm.target.Target("nvidia/nvidia-a100"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = dl.ApplyDefaultSchedule(dl.gpu.LowBatchGEMV(4))(tvm.IRModule({"main": func}))["main"]
        ours = "ax0_0 * T.int64(4) + ax0 == T.int64(0)"
        self.assertEqual(made.script().count(ours), 1)
        theirs = tvm.script.from_source(made.script().replace(ours, "ax0_0 == T.int64(0)"))
        theirs = theirs if isinstance(theirs, tir.PrimFunc) else theirs["main"]
        random = np.random.RandomState(2)
        for n in range(1, 10):
            a, b = random.randint(-3, 4, (n, 32)).astype("float32"), random.randint(-3, 4, (64, 32)).astype("float32")
            for what, one in (("ours", made), ("theirs", theirs)):
                self.on_threads(one, [a, b], np.full((n, 64), 7, "float32"), a @ b.T, f"{what} of {n}")


for _name, _tensors in PROGRAMS.items():
    setattr(Scheduled, f"test_{_name}", lambda self, tensors=_tensors: self.check(tensors))

if __name__ == "__main__":
    tap.main()
