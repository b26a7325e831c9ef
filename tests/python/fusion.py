"""Fusion in graphs: functions written in place, symbols that are passed on, operators of topi that are put together."""
import unittest

import tap
import tvm
from tvm import relax, topi
from tvm.script import ir as I, relax as R, tir as T


def annotated(mod):
    return relax.transform.FuseOps()(relax.transform.AnnotateTIROpPattern()(mod))


@I.ir_module
class Places:
    @T.prim_func(private=True)
    def shift(A: T.Buffer((T.int64(6), T.int64(4)), "float32"), B: T.Buffer((), "float32"), C: T.Buffer((T.int64(6), T.int64(4)), "float32")):
        for i, j in T.grid(T.int64(6), T.int64(4)):
            with T.block("shift"):
                v, w = T.axis.remap("SS", [i, j])
                C[v, w] = A[v, w] + B[()]

    @T.prim_func(private=True)
    def grow(A: T.Buffer((T.int64(6), T.int64(4)), "float32")):
        for i, j in T.grid(T.int64(6), T.int64(4)):
            with T.block("grow"):
                v, w = T.axis.remap("SS", [i, j])
                A[v, w] = T.exp(A[v, w])

    @R.function
    def kept(x: R.Tensor((6, 4), "float32"), y: R.Tensor((), "float32")) -> R.Tensor((6, 4), "float32"):
        cls = Places
        with R.dataflow():
            a = R.call_tir(cls.shift, (x, y), out_sinfo=R.Tensor((6, 4), "float32"))
            b = R.call_tir_inplace(cls.grow, (a,), inplace_indices=[0], out_sinfo=R.Tensor((6, 4), "float32"))
            R.output(b)
        return b

    @R.function
    def lost(x: R.Tensor((6, 4), "float32")) -> R.Tensor((6, 4), "float32"):
        cls = Places
        with R.dataflow():
            a = R.call_tir_inplace(cls.grow, (x,), inplace_indices=[0], out_sinfo=R.Tensor((6, 4), "float32"))
            b = R.call_tir_inplace(cls.grow, (a,), inplace_indices=[0], out_sinfo=R.Tensor((6, 4), "float32"))
            R.output(b)
        return b


class InPlace(unittest.TestCase):
    def setUp(self):
        self.fused = annotated(Places)

    def test_groups(self):
        names = {var.name_hint for var in self.fused.get_global_vars()}
        self.assertLessEqual({"fused_shift_grow", "fused_grow_grow"}, names)

    def test_a_tensor_inside_becomes_the_result(self):
        mod = relax.transform.FuseTIR()(self.fused)
        func = mod["fused_shift_grow"]
        self.assertEqual(len(func.params), 3)
        self.assertEqual(len(func.body.block.alloc_buffers), 0)
        call = mod["kept"].body.blocks[0].bindings[0].value
        self.assertEqual(call.op.name, "relax.call_tir")

    def test_an_input_is_written(self):
        mod = relax.transform.FuseTIR()(self.fused)
        self.assertEqual(len(mod["fused_grow_grow"].params), 1)
        call = mod["lost"].body.blocks[0].bindings[0].value
        self.assertEqual(call.op.name, "relax.call_tir_inplace")
        self.assertEqual([int(i) for i in call.attrs.inplace_indices], [0])
        self.assertTrue(relax.analysis.well_formed(mod))


class Symbols(unittest.TestCase):
    def test_a_shape_that_is_passed_by_name_gives_its_extents(self):
        @I.ir_module
        class Module:
            @R.function
            def fused_transpose_matmul(x: R.Tensor((3, 4), "float32"), y: R.Tensor(("n - 1", 4), "float32"), s: R.Shape(["n"])) -> R.Tensor(("n - 1", 3), "float32"):
                R.func_attr({"Primitive": 1})
                with R.dataflow():
                    a = R.emit_te(topi.transpose, x)
                    b = R.emit_te(topi.matmul, y, a)
                    R.output(b)
                return b

            @R.function
            def main(x: R.Tensor((3, 4), "float32"), y: R.Tensor(("n - 1", 4), "float32"), s: R.Shape(["n"])) -> R.Tensor(("n - 1", 3), "float32"):
                cls = Module
                with R.dataflow():
                    a = cls.fused_transpose_matmul(x, y, s)
                    R.output(a)
                return a

        main = relax.transform.FuseTIR()(Module)["main"]
        call = main.body.blocks[0].bindings[0].value
        self.assertIsInstance(call.args[2], relax.ShapeExpr)
        self.assertTrue(call.args[2].values[0].same_as(main.params[2].struct_info.values[0]))

    def test_buffers_of_a_function_come_before_its_result(self):
        def mean(x):
            return topi.divide(topi.sum(x, 1, keepdims=True), 4)

        @I.ir_module
        class Module:
            @R.function
            def fused_mean(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 1), "float32"):
                R.func_attr({"Primitive": 1})
                with R.dataflow():
                    a = R.emit_te(mean, x)
                    b = R.emit_te(topi.sqrt, a)
                    R.output(b)
                return b

            @R.function
            def main(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 1), "float32"):
                cls = Module
                with R.dataflow():
                    a = cls.fused_mean(x)
                    R.output(a)
                return a

        def fused_mean(x):
            return topi.sqrt(mean(x))

        @I.ir_module
        class Expected:
            @R.function
            def main(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 1), "float32"):
                with R.dataflow():
                    a = R.emit_te(fused_mean, x)
                    R.output(a)
                return a

        tvm.ir.assert_structural_equal(relax.transform.FuseTIR()(Module), Expected)


class Operators(unittest.TestCase):
    def test_upsampling_fuses_with_what_joins_it(self):
        bb = relax.BlockBuilder()
        x = relax.Var("x", R.Tensor((1, 2, 8, 8), "float32"))
        with bb.function("main", [x]):
            with bb.dataflow():
                small = bb.emit_te(topi.nn.pool2d, x, kernel=(2, 2), stride=(2, 2), dilation=(1, 1), padding=(0, 0, 0, 0), pool_type="max")
                large = bb.emit_te(topi.nn.upsampling, small, scale_h=2.0, scale_w=2.0)
                gv = bb.emit_output(bb.call_te(topi.concatenate, (large, x), axis=1))
            bb.emit_func_output(gv)
        names = [var.name_hint for var in annotated(bb.get()).get_global_vars()]
        self.assertIn("fused_upsampling_concatenate", names)


class Inlining(unittest.TestCase):
    def test_functions_are_put_in_where_they_are_called(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
                a = Module.twice(x)
                b = Module.twice(a)
                return b

            @R.function
            def twice(y: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
                c = R.add(y, y)
                return c

        @R.function
        def main(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
            c = R.add(x, x)
            a = c
            d = R.add(a, a)
            b = d
            return b

        for key in ("twice", Module.get_global_var("twice")):
            made = Module["main"].inline_functions({key: Module["twice"]})
            tvm.ir.assert_structural_equal(relax.transform.CanonicalizeBindings()(tvm.IRModule({"main": made})),
                                           relax.transform.CanonicalizeBindings()(tvm.IRModule({"main": main})))
        with self.assertRaises(TypeError):
            Module["main"].inline_functions({"twice": 3})


if __name__ == "__main__":
    tap.main()
