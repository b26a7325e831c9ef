"""Attributes of functions that are None, passes over PrimFuncs as a class, and what a program keeps in the memory of a Hexagon."""
import unittest

import tap
import tvm
from tvm import relax, tir
from tvm.script import ir as I, relax as R, tir as T


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


@I.ir_module
class InTextures:
    I.module_global_infos({"vdevice": [I.vdevice("opencl", 0, "global.texture-weight"), I.vdevice("opencl", 0, "global")]})

    @T.prim_func(private=True)
    def twice(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("twice"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj] * T.float32(2)

    @T.prim_func(private=True)
    def plain(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("plain"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4, 8), "float32", vdevice="opencl:0:global.texture-weight")) -> R.Tensor((4, 8), "float32", vdevice="opencl:1:global"):
        cls = InTextures
        with R.dataflow():
            a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((4, 8), "float32", vdevice="opencl:1:global"))
            b = R.call_tir(cls.plain, (a,), out_sinfo=R.Tensor((4, 8), "float32", vdevice="opencl:1:global"))
            R.output(b)
        return b


class Memory(unittest.TestCase):
    def test_of_the_caller(self):
        mod = relax.transform.SpecializePrimFuncBasedOnCallSite()(InTextures)
        scopes = {name: [mod[name].buffer_map[p].scope() for p in mod[name].params] for name in ("twice", "plain")}
        self.assertEqual(scopes, {"twice": ["global.texture-weight", "global"], "plain": ["global", "global"]})
        self.assertEqual(int(mod["twice"].attrs["scoped"]), 1)
        tvm.ir.assert_structural_equal(mod["plain"], InTextures["plain"])
        text = mod["twice"].script()
        self.assertIn('scope="global.texture-weight"', text)
        tvm.ir.assert_structural_equal(tvm.script.from_source(text), mod["twice"])

    def test_of_two_callers(self):
        main = InTextures["main"]
        both = InTextures.clone()
        both["other"] = relax.Function(main.params, relax.SeqExpr([], relax.op.call_tir(
            InTextures.get_global_var("twice"), [main.params[0]], out_sinfo=main.params[0].struct_info)), main.params[0].struct_info)
        with self.assertRaises(tvm.error.TVMError):
            relax.transform.SpecializePrimFuncBasedOnCallSite()(both)


if __name__ == "__main__":
    tap.main()
