"""dlight.adreno: what its rules make computes the same on simulated threads, in vectors; what they are not for they leave alone."""
import unittest

import numpy as np

import tap
import tvm
from tvm import dlight as dl
from tvm import te, tir, topi

TARGET = tvm.target.Target("opencl -device=adreno", host="llvm")


def scheduled(func, *rules):
    with TARGET:
        return dl.ApplyDefaultSchedule(*rules)(tvm.IRModule({"main": func}))


def ran(mod, target, shapes):
    numbers = np.random.default_rng(3)
    device = tvm.cpu() if target == "llvm" else tvm.opencl()
    arrays = [tvm.nd.array(numbers.integers(-4, 5, shape).astype("float32"), device) for shape in shapes]
    tvm.build(mod, target=target)["main"](*arrays)
    return arrays[-1].numpy()


def convolution():
    x, w = te.placeholder((1, 2, 6, 7, 4), name="x"), te.placeholder((3, 8, 3, 3, 4), name="w")
    pad = te.compute((1, 2, 8, 9, 4), lambda n, c, i, j, v: te.if_then_else(te.all(i >= 1, i < 7, j >= 1, j < 8), x[n, c, i - 1, j - 1, v], 0.0), name="pad")
    c, i, j = te.reduce_axis((0, 8), "c"), te.reduce_axis((0, 3), "i"), te.reduce_axis((0, 3), "j")
    y = te.compute((1, 3, 6, 7, 4), lambda n, o, h, u, v: te.sum(pad[n, c // 4, h + i, u + j, c % 4] * w[o, c, i, j, v], [c, i, j]), name="conv2d_NCHWc_OIHWo")
    return te.create_prim_func([x, w, topi.nn.relu(y)]), [(1, 2, 6, 7, 4), (3, 8, 3, 3, 4), (1, 3, 6, 7, 4)]


def pool():
    x = te.placeholder((1, 2, 6, 8, 4), name="x")
    i, j = te.reduce_axis((0, 2), "i"), te.reduce_axis((0, 2), "j")
    y = te.compute((1, 2, 3, 4, 4), lambda n, c, h, u, v: te.max(x[n, c, h * 2 + i, u * 2 + j, v], [i, j]), name="pool_max")
    return te.create_prim_func([x, te.compute(y.shape, lambda *at: y(*at) + 1.0, name="more")]), [(1, 2, 6, 8, 4), (1, 2, 3, 4, 4)]


def layout(name="te_layout_transform"):
    x = te.placeholder((2, 8, 5, 12), name="x")
    return te.create_prim_func([x, te.compute((2, 2, 5, 12, 4), lambda n, c, h, w, v: x[n, c * 4 + v, h, w], name=name)]), [(2, 8, 5, 12), (2, 2, 5, 12, 4)]


def copy():
    x = te.placeholder((2, 3, 5, 8), name="x")
    return te.create_prim_func([x, te.compute((2, 3, 5, 8), lambda *at: x(*at), name="te_layout_transform")]), [(2, 3, 5, 8)] * 2


def texture():
    """A sum over rows, kept in a texture between two blocks."""
    x = te.placeholder((6, 9, 8), name="x")
    k = te.reduce_axis((0, 9), "k")
    y = te.compute((6, 8), lambda i, j: te.sum(x[i, k, j], [k]), name="y")
    func = te.create_prim_func([x, te.compute((6, 8), lambda i, j: y[i, j] * 2.0, name="z")])
    sch = tir.Schedule(func)
    sch.set_scope("y", 0, "global.texture")
    return sch.mod["main"], [(6, 9, 8), (6, 8)]


class Adreno(unittest.TestCase):
    def check(self, rule, made, vectors=True):
        func, shapes = made
        mod = scheduled(func, rule)
        self.assertIn("threadIdx.x", mod.script())
        self.assertEqual("T.vectorized" in mod.script(), vectors)
        np.testing.assert_allclose(ran(mod, TARGET, shapes), ran(tvm.IRModule({"main": func}), "llvm", shapes), rtol=1e-5)

    def test_convolution(self):
        self.check(dl.adreno.Conv2d(), convolution())

    def test_pool(self):
        self.check(dl.adreno.Pool2D(), pool())

    def test_layout(self):
        self.check(dl.adreno.LayoutTransform(), copy())
        self.check(dl.adreno.LayoutTransform(use_op_name=False), layout("other"))

    def test_textures(self):
        func, shapes = texture()
        mod = scheduled(func, dl.adreno.Fallback())
        self.assertIn("threadIdx.x", mod.script())
        self.assertTrue(tir.analysis.verify_well_formed(mod["main"]))
        with self.subTest("values"):
            flat = tvm.script.from_source(mod.script().replace(', scope="global.texture"', ""))
            np.testing.assert_allclose(ran(flat, TARGET, shapes), ran(tvm.IRModule({"main": tvm.script.from_source(func.script().replace(', scope="global.texture"', ""))}), "llvm", shapes), rtol=1e-5)

    def test_others_are_left_alone(self):
        for func, _ in (convolution(), pool(), layout("other")):
            mod = tvm.IRModule({"main": func})
            for rule in (dl.adreno.LayoutTransform(), dl.adreno.Fallback()):
                tvm.ir.assert_structural_equal(scheduled(func, rule), mod)
        func = convolution()[0]
        with tvm.target.Target("cuda"):
            tvm.ir.assert_structural_equal(dl.ApplyDefaultSchedule(dl.adreno.Conv2d())(tvm.IRModule({"main": func})), tvm.IRModule({"main": func}))


if __name__ == "__main__":
    tap.main()
