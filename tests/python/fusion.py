"""Fusion in graphs: functions written in place, symbols that are passed on, operators of topi that are put together."""
import unittest

import numpy as np
import tap
import tvm
from tvm import relax, topi
from tvm.relax import dpl
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


class Buffers(unittest.TestCase):
    """What the buffers of a fused function have from those of the functions in it."""

    def test_two_buffers_become_one(self):
        """Its first region stands for both, as in TVM."""
        @I.ir_module
        class Module:
            @T.prim_func(private=True)
            def join(x: T.Buffer((3, 4), "float32"), y: T.Buffer((3, 4), "float32"), out: T.Buffer((6, 4), "float32")):
                for i, j in T.grid(6, 4):
                    with T.block("join"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        T.reads(y[vi - 3, vj], x[vi, vj])
                        T.writes(out[vi, vj])
                        out[vi, vj] = T.if_then_else(vi >= 3, y[vi - 3, vj], x[vi, vj])

            @R.function(private=True)
            def fused(x: R.Tensor((3, 4), "float32")) -> R.Tensor((6, 4), "float32"):
                R.func_attr({"Primitive": True})
                with R.dataflow():
                    y = R.call_tir(Module.join, (x, x), out_sinfo=R.Tensor((6, 4), "float32"))
                    R.output(y)
                return y

            @R.function
            def main(x: R.Tensor((3, 4), "float32")) -> R.Tensor((6, 4), "float32"):
                with R.dataflow():
                    y = Module.fused(x)
                    R.output(y)
                return y

        block = relax.transform.FuseTIR()(Module)["fused"].body.block.body.body.body.block
        self.assertEqual([str(r) for r in block.reads], ["x[vi - 3, vj]"])

    def test_what_is_not_read_is_not_passed(self):
        @I.ir_module
        class Module:
            @T.prim_func(private=True)
            def half(x: T.Buffer((4,), "float32"), out: T.Buffer((4,), "float16")):
                for i in range(4):
                    with T.block("half"):
                        vi = T.axis.remap("S", [i])
                        out[vi] = T.Cast("float16", x[vi])

            @R.function(private=True)
            def fused(p: R.Tuple(R.Tensor((5,), "float32"), R.Tensor((4,), "float32"))) -> R.Tensor((4,), "float16"):
                R.func_attr({"Primitive": True})
                with R.dataflow():
                    a = p[1]
                    y = R.call_tir(Module.half, (a,), out_sinfo=R.Tensor((4,), "float16"))
                    R.output(y)
                return y

            @R.function
            def main(p: R.Tuple(R.Tensor((5,), "float32"), R.Tensor((4,), "float32"))) -> R.Tensor((4,), "float16"):
                with R.dataflow():
                    y = Module.fused(p)
                    R.output(y)
                return y

        after = relax.transform.FuseTIR()(Module)
        self.assertEqual(len(after["fused"].params), 2)
        item, call = after["main"].body.blocks[0].bindings
        self.assertEqual(item.value.index, 1)
        self.assertEqual(len(call.value.args[1].fields), 1)

    def separated(self, second):
        """A product of one tensor with itself, whose PrimFunc wants one separator in the first operand and `second` in the other."""
        @T.prim_func(private=True)
        def product(a: T.handle, b: T.handle, c: T.handle):
            A = T.match_buffer(a, (T.int64(16), T.int64(32)), axis_separators=[1])
            B = T.match_buffer(b, (T.int64(16), T.int64(32)), axis_separators=second)
            C = T.match_buffer(c, (T.int64(16), T.int64(32)), axis_separators=[1])
            for i, j in T.grid(T.int64(16), T.int64(32)):
                with T.block("product"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[vi, vj] = A[vi, vj] * B[vi, vj]

        builder = relax.BlockBuilder()
        name = builder.add_func(product, "product")
        info = relax.TensorStructInfo((16, 32), "float32")
        x, y = relax.Var("x", info), relax.Var("x", info)
        with builder.function("fused", [x], attrs={"Primitive": True}, private=True):
            with builder.dataflow():
                once = builder.emit(relax.call_tir(name, [x, x], info))
                twice = builder.emit_output(relax.call_tir(name, [once, once], info))
            fused = builder.emit_func_output(twice)
        with builder.function("main", [y]):
            with builder.dataflow():
                called = builder.emit_output(relax.Call(fused, [y]))
            builder.emit_func_output(called)
        return builder.get()

    def test_axis_separators(self):
        fused = relax.transform.FuseTIR()(self.separated([1]))["fused"]
        buffers = [fused.buffer_map[p] for p in fused.params] + list(fused.body.block.alloc_buffers)
        self.assertEqual([[int(s) for s in b.axis_separators] for b in buffers], [[1]] * 3)
        with self.assertRaises(tvm.TVMError):
            relax.transform.FuseTIR()(self.separated([]))


class Composite(unittest.TestCase):
    def test_a_function_that_is_called_twice_is_defined_once(self):
        @I.ir_module
        class Module:
            @R.function(private=True)
            def relu(x: R.Tensor((10,), "float32")) -> R.Tensor((10,), "float32"):
                R.func_attr({"Primitive": True, "Composite": "far.relu"})
                with R.dataflow():
                    y = R.nn.relu(x)
                    R.output(y)
                return y

            @R.function(private=True)
            def gelu(x: R.Tensor((10,), "float32")) -> R.Tensor((10,), "float32"):
                R.func_attr({"Primitive": True, "Composite": "far.gelu"})
                with R.dataflow():
                    y = R.nn.gelu(x)
                    R.output(y)
                return y

            @R.function
            def main(x: R.Tensor((10,), "float32")) -> R.Tensor((10,), "float32"):
                with R.dataflow():
                    a = Module.relu(x)
                    b = Module.gelu(a)
                    c = Module.relu(b)
                    R.output(c)
                return c

        after = relax.transform.MergeCompositeFunctions()(Module)
        made = [f for f in after.functions.values() if "Codegen" in f.attrs]
        self.assertEqual(len(made), 1)
        bindings = [b for block in made[0].body.blocks for b in block.bindings]
        inner = [b for b in bindings if isinstance(b.value, relax.Function)]
        calls = [b.value for b in bindings if isinstance(b.value, relax.Call)]
        self.assertEqual([b.value.attrs["Composite"] for b in inner], ["far.relu", "far.gelu"])
        self.assertTrue(calls[0].op.same_as(inner[0].var) and calls[2].op.same_as(inner[0].var) and calls[1].op.same_as(inner[1].var))
        self.assertTrue(relax.analysis.well_formed(after))


    def test_a_group_that_needs_more_later(self):
        """The group of `o` needs `d` only once `o2` joins it; `e`, which reads what came of `o`, must not go to the group of `d` then."""
        @I.ir_module
        class Module:
            @R.function(private=True)
            def a(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                R.func_attr({"Primitive": True, "Composite": "one.add"})
                with R.dataflow():
                    z = R.add(x, y)
                    R.output(z)
                return z

            @R.function(private=True)
            def b(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                R.func_attr({"Primitive": True, "Composite": "two.multiply"})
                with R.dataflow():
                    z = R.multiply(x, y)
                    R.output(z)
                return z

            @R.function
            def main(p: R.Tensor((4,), "float32"), q: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                with R.dataflow():
                    d = Module.b(q, q)
                    o = Module.a(p, p)
                    x = R.exp(o)
                    o2 = Module.a(o, d)
                    e = Module.b(x, d)
                    result = R.subtract(o2, e)
                    R.output(result)
                return result

        after = relax.transform.MergeCompositeFunctions()(Module)
        self.assertTrue(relax.analysis.well_formed(after))
        self.assertEqual(sorted(f.attrs["Codegen"] for f in after.functions.values() if "Codegen" in f.attrs), ["one", "two", "two"])

    def test_a_function_that_would_need_itself(self):
        """A pattern by itself says so; one with a check leaves such a match alone."""
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((4, 4), "float32"), w: R.Tensor((4, 4), "float32")):
                with R.dataflow():
                    a = R.matmul(x, w)
                    inside = R.nn.relu(a)
                    outside = R.nn.gelu(inside)
                    d = R.add(inside, outside)
                    R.output(d)
                return d

        product = dpl.is_op("relax.matmul")(dpl.wildcard(), dpl.wildcard())
        sum_of = dpl.is_op("relax.add")(dpl.is_op("relax.nn.relu")(product), dpl.wildcard())
        with self.assertRaisesRegex(tvm.TVMError, "A cyclic dependency detected between the groups d and outside"):
            relax.transform.FuseOpsByPattern([("far.sum", sum_of)])(Module)
        tvm.ir.assert_structural_equal(relax.transform.FuseOpsByPattern([("far.sum", sum_of, {}, lambda context: True)])(Module), Module)

    def test_another_name_of_a_result_is_given_inside(self):
        @I.ir_module
        class Module:
            @R.function(private=True)
            def shaped(a: R.Tensor((2, 3), "float32"), s: R.Shape([6])) -> R.Tensor((6,), "float32"):
                R.func_attr({"Primitive": True, "Composite": "far.reshape"})
                with R.dataflow():
                    y = R.reshape(a, s)
                    R.output(y)
                return y

            @R.function
            def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((6,), "float32"):
                with R.dataflow():
                    a = Module.shaped(x, R.shape([6]))
                    b = a
                    R.output(b)
                return b

        after = relax.transform.MergeCompositeFunctions()(Module)
        bindings = after["main"].body.blocks[0].bindings
        self.assertEqual(len(bindings), 1)
        made = after[bindings[0].value.op]
        self.assertEqual([type(b.value).__name__ for b in made.body.blocks[0].bindings], ["Function", "Call", "Var"])
        self.assertEqual(len(made.params), 1)
        self.assertTrue(relax.analysis.well_formed(after))


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


class NamesAcrossBlocks(unittest.TestCase):
    """An element of a tuple is named by what was put there: what one dataflow block holds is seen in another one then, and has to be its output."""

    def same(self, body, step, pure=True):
        head = "from tvm.script import ir as I, relax as R\n@I.ir_module\nclass M:\n    @R.function"
        mod = tvm.script.from_source(f'{head}(pure={pure})\n    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):\n{body}')
        after = step(mod)
        self.assertTrue(relax.analysis.well_formed(after), after.script())
        tvm.ir.assert_structural_equal(tvm.script.from_source(after.script()), after)
        for choice in (True, False):
            results = [relax.VirtualMachine(relax.build(m, "llvm"), tvm.cpu())["main"](tvm.nd.array(np.arange(4, dtype="float32")), tvm.nd.array(np.array(choice)))
                       for m in (mod, after)]
            np.testing.assert_array_equal(*[r.numpy() for r in results])
        return after.script()

    def test_in_a_branch(self):
        text = self.same("""        t = (x, R.add(x, x))
        if c:
            y = R.multiply(t[1], x)
            z = R.subtract(y, x)
        else:
            z = R.negative(x)
        r = R.add(z, t[0])
        return r
""", relax.transform.ConvertToDataflow(1))
        self.assertIn("R.output(gv, t)", text)

    def test_in_another_block(self):
        text = self.same("""        with R.dataflow():
            a = R.add(x, x)
            t = (x, a)
            R.output(t)
        _ = R.print(x, format="# {}")
        with R.dataflow():
            b = t[1]
            d = R.multiply(b, b)
            R.output(d)
        return d
""", relax.transform.CanonicalizeBindings(), False)
        self.assertIn("R.output(a, t)", text)


if __name__ == "__main__":
    tap.main()
