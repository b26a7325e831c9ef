"""Sorting and running sums for threads: kernels against NumPy on simulated threads, and what DispatchSortScan makes of a graph for a device."""
import unittest

import numpy as np
import tap
import tvm
from tvm import dlight, relax, te, tir, topi
from tvm.relax.backend import DispatchSortScan
from tvm.relax.backend.gpu_generic import gpu_2d_continuous_cumsum
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T

CUDA = tvm.target.Target("cuda", host="llvm")


def run(func, *arrays, out):
    """What a PrimFunc computes on threads: one result for each of the (shape, dtype) of out."""
    dev = tvm.cuda(0)
    results = [tvm.nd.array(np.zeros(shape, dtype), dev) for shape, dtype in out]
    tvm.build(func.with_attr("global_symbol", "main"), target="cuda")["main"](*[tvm.nd.array(a, dev) for a in arrays], *results)
    return [one.numpy() for one in results]


class Scans(unittest.TestCase):
    def test_along_each_axis(self):
        data = np.random.default_rng(0).integers(1, 4, (3, 5, 4)).astype("int32")
        for operator, reference, first in ((topi.gpu.cumsum, np.cumsum, 0), (topi.cuda.cumprod, np.cumprod, 1)):
            for axis in (0, 1, 2, -2, None):
                for exclusive in (False, True):
                    a = te.placeholder(data.shape, "int32", name="A")
                    with CUDA:
                        b = operator(a, axis=axis, dtype="int64", exclusive=exclusive)
                    want = reference(data.astype("int64"), axis=axis)
                    if exclusive:
                        want = np.roll(want, 1, axis=axis or 0)
                        want[tuple(slice(0, 1) if i == (axis or 0) % want.ndim else slice(None) for i in range(want.ndim))] = first
                    got, = run(te.create_prim_func([a, b]), data, out=[(want.shape, "int64")])
                    np.testing.assert_array_equal(got, want, f"{operator.__name__} {axis} {exclusive}")

    def test_an_axis_that_is_none(self):
        with self.assertRaisesRegex(ValueError, "axis 2 of a tensor of 2 dimensions: it lies between -2 and 1"):
            topi.gpu.cumsum(te.placeholder((2, 3)), axis=2)

    def test_rows_of_any_length(self):
        rng = np.random.default_rng(1)
        for n, in_dtype, out_dtype in ((1, "int32", None), (5, "int32", "int64"), (512, "int32", None), (513, "int32", "int64"), (1500, "float32", "float32")):
            data = rng.integers(-50, 50, (3, n)).astype(in_dtype)
            func = gpu_2d_continuous_cumsum(in_dtype=in_dtype, out_dtype=out_dtype)
            got, = run(func, data, out=[(data.shape, out_dtype or in_dtype)])
            np.testing.assert_array_equal(got, np.cumsum(data, axis=1, dtype=out_dtype or in_dtype))
        self.assertTrue(gpu_2d_continuous_cumsum().attrs["tir.is_scheduled"])
        with self.assertRaisesRegex(ValueError, "a power of two of threads, not 3 . 32"):
            gpu_2d_continuous_cumsum(ty_len=3)


class Sorts(unittest.TestCase):
    def test_places_of_equal_elements_keep_their_order(self):
        data = np.random.default_rng(2).integers(0, 9, (2, 37, 3)).astype("float32")
        for axis in (0, 1, -1):
            for ascending in (True, False):
                a = te.placeholder(data.shape, name="A")
                with CUDA:
                    both = topi.gpu.argsort(a, axis=axis, is_ascend=ascending, dtype="int32", ret_type="both")
                keys, places = run(te.create_prim_func([a, *both]), data, out=[(data.shape, "float32"), (data.shape, "int32")])
                want = np.argsort(data if ascending else -data, axis=axis, kind="stable")
                np.testing.assert_array_equal(places, want)
                np.testing.assert_array_equal(keys, np.take_along_axis(data, want, axis))

    def test_more_elements_than_threads(self):
        data = np.random.default_rng(3).permutation(700).astype("int32")
        a = te.placeholder(data.shape, "int32", name="A")
        with CUDA:
            b = topi.gpu.sort(a)
        np.testing.assert_array_equal(run(te.create_prim_func([a, b]), data, out=[(data.shape, "int32")])[0], np.arange(700))

    def test_the_first_of_them(self):
        a = te.placeholder((4, 9), name="A")
        for kind, shapes in (("both", [(4, 3), (4, 3)]), ("values", [(4, 3)]), ("indices", [(4, 3)])):
            with CUDA:
                found = topi.gpu.topk(a, k=3, ret_type=kind)
            found = found if kind == "both" else [found]
            self.assertEqual([tuple(int(n) for n in one.shape) for one in found], shapes)
        self.assertEqual(tuple(int(n) for n in topi.gpu.topk(a, k=0, ret_type="values").shape), (4, 9))
        for wrong in (lambda: topi.gpu.topk(a, ret_type="all"), lambda: topi.gpu.argsort(a, ret_type="all")):
            with self.assertRaisesRegex(ValueError, "ret_type is"):
                wrong()


@I.ir_module
class Graph:
    I.module_global_infos({"vdevice": [I.vdevice("cuda", 0)]})

    @R.function
    def main(x: R.Tensor(("m", 6), "float32", "cuda")):
        with R.dataflow():
            a = R.cumsum(x, axis=1)
            b = R.cumsum(x, axis=0)
            c = R.cumprod(a, axis=-1)
            d = R.sort(b, axis=0, descending=True)
            e = R.argsort(x, axis=1, dtype="int64")
            f = R.topk(x, k=2, axis=1, ret_type="values", largest=True)
            R.output(c, d, e, f)
        return (c, d, e, f)


class Dispatched(unittest.TestCase):
    def test_the_functions_are_those_of_the_library(self):
        got = DispatchSortScan()(Graph)
        names = [var.name_hint for var, func in got.functions_items() if isinstance(func, tir.PrimFunc)]
        self.assertEqual(sorted(names), ["argsort", "cumprod", "cumsum", "gpu_2d_continuous_cumsum", "sort", "topk"])
        self.assertTrue(relax.analysis.well_formed(got))
        m = tir.Var("m", "int64")
        builder = relax.BlockBuilder()
        x = relax.Var("x", R.Tensor((m, 6), "float32"))
        with CUDA, builder.function("main", [x]):
            with builder.dataflow():
                out = builder.emit_output(builder.call_te(topi.cuda.argsort, x, axis=1, is_ascend=True, dtype="int64"))
            builder.emit_func_output(out)
        tvm.ir.assert_structural_equal(got["argsort"], builder.finalize()["argsort"])

    def test_parts_without_threads_get_them_at_once(self):
        """Scans and topk; what the target's rules would make of them later."""
        got = DispatchSortScan()(Graph)
        scheduled = {var.name_hint: bool(func.attrs and "tir.is_scheduled" in func.attrs) for var, func in got.functions_items() if isinstance(func, tir.PrimFunc)}
        self.assertEqual(scheduled, {"argsort": False, "sort": False, "topk": True, "cumsum": True, "cumprod": True, "gpu_2d_continuous_cumsum": True})
        a = te.placeholder((5, 6), name="x")
        with CUDA:
            found = topi.gpu.topk(a, k=2, axis=1, ret_type="values")
            want = dlight.ApplyDefaultSchedule(dlight.gpu.Fallback())(tvm.IRModule({"topk": te.create_prim_func([a, found])}))
        self.assertIn("threadIdx.x", want["topk"].script())
        self.assertEqual(got["topk"].script().count("threadIdx.x"), want["topk"].script().count("threadIdx.x"))

    def test_its_kernels_compute(self):
        with CUDA:
            module = dlight.ApplyDefaultSchedule(dlight.gpu.Fallback())(DispatchSortScan()(Graph))
        data = np.random.default_rng(4).random((5, 6)).astype("float32")
        for name, want in (("gpu_2d_continuous_cumsum", np.cumsum(data, 1)), ("cumsum", np.cumsum(data, 0)), ("cumprod", np.cumprod(data, 1)),
                           ("sort", -np.sort(-data, 0)), ("argsort", np.argsort(data, 1)), ("topk", -np.sort(-data, 1)[:, :2])):
            got, = run(module[name], data, out=[(want.shape, want.dtype)])
            np.testing.assert_allclose(got, want, rtol=1e-5, err_msg=name)

    def test_a_processor_has_its_own(self):
        with tvm.target.Target("llvm"):
            func = relax.transform.UpdateVDevice(I.vdevice("llvm"), 0)(Graph)
            module = DispatchSortScan()(func)
        self.assertNotIn("gpu_2d_continuous_cumsum", [var.name_hint for var in module.get_global_vars()])


class Indices(unittest.TestCase):
    def test_threads_and_names_follow_the_type_of_the_shape(self):
        """A kernel written by hand over a shape of int64: its threads and let variables are of int64 too, where they are bound and where they are used."""
        a = te.placeholder((tir.IntImm("int64", 40),), name="A")

        def kernel(ins, outs):
            builder = tir.ir_builder.create()
            source, result = builder.buffer_ptr(ins[0]), builder.buffer_ptr(outs[0])
            thread = te.thread_axis("threadIdx.x")
            builder.scope_attr(thread, "thread_extent", 40)
            at = builder.let("at", 39 - thread.var)
            result[thread.var] = source[at]
            return builder.get()

        func = te.create_prim_func([a, te.extern([a.shape], [a], kernel, dtype="float32", name="turned")], index_dtype_override="int64")
        self.assertTrue(tir.analysis.verify_well_formed(func))
        data = np.arange(40, dtype="float32")
        np.testing.assert_array_equal(run(func, data, out=[((40,), "float32")])[0], data[::-1])

    def test_the_root_has_any_name(self):
        @T.prim_func
        def func(A: T.Buffer((4,), "float32")):
            with T.block("work"):
                T.reads()
                T.writes(A[0:4])
                for i in range(4):
                    A[i] = T.float32(1)

        sch = tir.Schedule(func)
        self.assertEqual(sch.get(dlight.base.get_root_block(sch)).name_hint, "work")


if __name__ == "__main__":
    tap.main()
