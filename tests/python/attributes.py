"""Attributes of functions that are None, passes over PrimFuncs as a class, and what a program keeps in the memory of a Hexagon."""
import unittest

import tap
import tvm
from tvm import tir
from tvm.script import tir as T


@T.prim_func
def none_in_places(a: T.Buffer((4,), "float32")):
    T.func_attr({"x": None, "y": 1, "z": {"q": None}})
    for i in T.serial(4, annotations={"k": None}):
        with T.block("b"):
            T.block_attr({"n": None})
            a[i] = 1.0


@T.prim_func
def copies(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (128, 128), "int8")
    B = T.match_buffer(b, (128, 128), "int8")
    near = T.alloc_buffer((128, 128), "int8", scope="global.vtcm")
    for i, j in T.grid(128, 128):
        with T.block("read"):
            vi, vj = T.axis.remap("SS", [i, j])
            near[vi, vj] = A[vi, vj]
    for i, j in T.grid(128, 128):
        with T.block("write"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = near[vi, vj]


class Nothing(unittest.TestCase):
    def test_kept(self):
        func = none_in_places
        self.assertIn('T.func_attr({"x": None, "y": 1, "z": {"q": None}})', func.script())
        self.assertIn('annotations={"k": None}', func.script())
        self.assertIn('T.block_attr({"n": None})', func.script())
        self.assertIn("x", func.attrs)
        self.assertIsNone(func.attrs["x"])
        self.assertIsNone(func.attrs["z"]["q"])
        for other in (tvm.script.from_source(func.script()), tvm.ir.load_json(tvm.ir.save_json(func))):
            tvm.ir.assert_structural_equal(other, func)
            self.assertEqual(tvm.ir.structural_hash(other), tvm.ir.structural_hash(func))
        self.assertFalse(tvm.ir.structural_equal(func, func.without_attr("x")))
        again = func.without_attr("x")
        self.assertNotIn("x", again.attrs)
        tvm.ir.assert_structural_equal(again.with_attr("x", None), func)

    def test_scheduled_and_built(self):
        sch = tir.Schedule(none_in_places)
        loop = sch.get_loops(sch.get_block("b"))[0]
        sch.annotate(loop, "k", 7)              # there is one already
        self.assertIn('annotations={"k": None}', sch.mod["main"].script())
        sch.unannotate(sch.get_loops(sch.get_block("b"))[0], "k")
        sch.split(sch.get_loops(sch.get_block("b"))[0], [2, 2])
        self.assertIn('"x": None', sch.mod["main"].script())
        out = tvm.nd.empty((4,), "float32")
        tvm.build(sch.mod, target="llvm")(out)
        self.assertEqual(out.numpy().tolist(), [1.0] * 4)


class OverFunctions(unittest.TestCase):
    def test_class(self):
        @tir.transform.prim_func_pass(opt_level=1)
        def marked(func, mod, ctx):
            return func.with_attr("mark", 1)

        @tir.transform.prim_func_pass(opt_level=1)
        class Marked:
            def __init__(self, mark):
                self.mark = mark

            def transform_function(self, func, mod, ctx):
                return func.with_attr("mark", self.mark)

        mod = tvm.IRModule({"main": copies})
        for step, mark in ((marked, 1), (Marked(3), 3)):
            self.assertIsInstance(step, tir.transform.PrimFuncPass)
            self.assertEqual(step(mod)["main"].attrs["mark"], mark)


class Hexagon(unittest.TestCase):
    def test_limit(self):
        mod = tvm.transform.Sequential(tir.analysis.get_vtcm_compaction_passes())(tvm.IRModule({"main": copies}))
        self.assertEqual(tir.analysis.calculate_allocated_bytes(mod["main"]), {"main": {"global.vtcm": 16384}})

        def target(size):
            return tvm.target.hexagon("v68", vtcm_capacity=size)

        for size in (0, 16384):
            tir.transform.VerifyVTCMLimit(target(size))(mod)
        with self.assertRaisesRegex(RuntimeError, "allocated: 16384, limit: 16383"):
            tir.transform.VerifyVTCMLimit(target(16383))(mod)
        tir.transform.VerifyVTCMLimit()(mod)
        with self.assertRaises(RuntimeError):
            tir.transform.VerifyVTCMLimit()(tvm.IRModule({"main": mod["main"].with_attr("target", target(100))}))


if __name__ == "__main__":
    tap.main()
