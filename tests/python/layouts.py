"""Layouts of weights and of what functions work on; memory of functions for other compilers."""
import unittest

import tap
import tvm
from tvm import relax
from tvm.script import ir as I, relax as R, tir as T


def compare(transform, before, expected):
    tvm.ir.assert_structural_equal(transform(before), expected)


class Weights(unittest.TestCase):
    def test_free_layouts_are_said(self):
        @I.ir_module
        class Before:
            @T.prim_func(private=True)
            def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
                for i in range(4):
                    with T.block("c"):
                        vi = T.axis.spatial(4, i)
                        c[vi] = a[vi] + b[vi]

            @R.function
            def main(x: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")):
                R.func_attr({"num_input": 1})
                cls = Before
                with R.dataflow():
                    lv = R.call_tir(cls.add, (x, w), out_sinfo=R.Tensor((4,), "float32"))
                    lv1 = R.call_tir(cls.add, (R.const([1.0, 2.0, 3.0, 4.0], "float32"), lv), out_sinfo=R.Tensor((4,), "float32"))
                    gv = R.call_tir(cls.add, (lv1, w), out_sinfo=R.Tensor((4,), "float32"))
                    R.output(gv)
                return gv

        after = relax.transform.AttachAttrLayoutFreeBuffers()(Before)
        names = {v.name_hint: [int(x) for x in f.attrs["layout_free_buffers"]] for v, f in after.functions.items() if isinstance(f, tvm.tir.PrimFunc)}
        self.assertEqual(names, {"add1": [1], "add2": [0]})
        self.assertEqual([b.value.args[0].name_hint for b in after["main"].body.blocks[0].bindings], ["add1", "add2", "add1"])

    def test_preparation_is_split_off(self):
        @I.ir_module
        class Before:
            @T.prim_func(private=True)
            def f(x: T.Buffer((8,), "float32"), u: T.Buffer((8,), "float32"), w: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
                T.func_attr({"layout_free_buffers": [1, 2], "tir.noalias": True})
                u2 = T.alloc_buffer((2, 4))
                w2 = T.alloc_buffer((4, 2))
                for i in range(8):
                    with T.block("u2"):
                        vi = T.axis.spatial(8, i)
                        T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                        u2[vi // 4, vi % 4] = u[vi]
                for i in range(8):
                    with T.block("w2"):
                        vi = T.axis.spatial(8, i)
                        T.block_attr({"meta_schedule.layout_rewrite_preproc": True})
                        w2[vi // 2, vi % 2] = w[vi]
                for i in range(8):
                    with T.block("y"):
                        vi = T.axis.spatial(8, i)
                        y[vi] = x[vi] * u2[vi // 4, vi % 4] + w2[vi // 2, vi % 2]

            @R.function
            def main(x: R.Tensor((8,), "float32"), u: R.Tensor((8,), "float32"), w: R.Tensor((8,), "float32")):
                cls = Before
                with R.dataflow():
                    gv = R.call_tir(cls.f, (x, u, w), out_sinfo=R.Tensor((8,), "float32"))
                    R.output(gv)
                return gv

        @I.ir_module
        class Expected:
            @T.prim_func(private=True)
            def f_prepacked(x: T.Buffer((8,), "float32"), u2: T.Buffer((2, 4), "float32"), w2: T.Buffer((4, 2), "float32"), y: T.Buffer((8,), "float32")):
                T.func_attr({"tir.noalias": True})
                for i in range(8):
                    with T.block("y"):
                        vi = T.axis.spatial(8, i)
                        y[vi] = x[vi] * u2[vi // 4, vi % 4] + w2[vi // 2, vi % 2]

            @T.prim_func(private=True)
            def f_weight_prepack(u: T.Buffer((8,), "float32"), w: T.Buffer((8,), "float32"), u2: T.Buffer((2, 4), "float32"), w2: T.Buffer((4, 2), "float32")):
                T.func_attr({"tir.noalias": True})
                for i in range(8):
                    with T.block("u2"):
                        vi = T.axis.spatial(8, i)
                        u2[vi // 4, vi % 4] = u[vi]
                for i in range(8):
                    with T.block("w2"):
                        vi = T.axis.spatial(8, i)
                        w2[vi // 2, vi % 2] = w[vi]

            @R.function
            def main(x: R.Tensor((8,), "float32"), u: R.Tensor((8,), "float32"), w: R.Tensor((8,), "float32")):
                cls = Expected
                with R.dataflow():
                    lv = R.call_tir(cls.f_weight_prepack, (u, w), out_sinfo=[R.Tensor((2, 4), "float32"), R.Tensor((4, 2), "float32")])
                    lv1 = R.call_tir(cls.f_prepacked, (x, lv[0], lv[1]), out_sinfo=R.Tensor((8,), "float32"))
                    gv = lv1
                    R.output(gv)
                return gv

        compare(relax.transform.SplitLayoutRewritePreproc(), Before, Expected)


class Detours(unittest.TestCase):
    def test_there_and_back(self):
        @I.ir_module
        class Before:
            @R.function
            def main(x: R.Tensor((12,), "float32")):
                with R.dataflow():
                    a = R.layout_transform(x, index_map=lambda i: (i // 3, i % 3))
                    b = R.nn.relu(a)
                    c = R.layout_transform(b, index_map=lambda i, j: (i * 3 + j,))
                    d = R.layout_transform(c, index_map=lambda i: (i // 3, i % 3))
                    e = R.exp(d)
                    f = R.layout_transform(e, index_map=lambda i, j: (i * 3 + j,))
                    gv = f
                    R.output(gv)
                return gv

        @I.ir_module
        class Expected:
            @R.function
            def main(x: R.Tensor((12,), "float32")):
                with R.dataflow():
                    a = R.layout_transform(x, index_map=lambda i: (i // 3, i % 3))
                    b = R.nn.relu(a)
                    e = R.exp(b)
                    gv = R.layout_transform(e, index_map=lambda i, j: (i * 3 + j,))
                    R.output(gv)
                return gv

        compare(tvm.transform.Sequential([relax.transform.OptimizeLayoutTransform(), relax.transform.DeadCodeElimination()]), Before, Expected)

    def test_another_way_back_stays(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((3, 3), "float32")):
                with R.dataflow():
                    a = R.layout_transform(x, index_map=lambda i, j: (j, i))
                    gv = R.layout_transform(a, index_map=lambda i, j: (i, j))
                    R.output(gv)
                return gv

        compare(relax.transform.OptimizeLayoutTransform(), Module, Module)

    def test_padding(self):
        @I.ir_module
        class Module:
            @T.prim_func(private=True)
            def cut(var_x: T.handle, var_y: T.handle):
                T.func_attr({"operator_name": "remove_pad"})
                n, m = T.int64(), T.int64()
                x = T.match_buffer(var_x, (n,))
                y = T.match_buffer(var_y, (m,))
                for i in range(m):
                    with T.block("y"):
                        vi = T.axis.spatial(m, i)
                        y[vi] = x[vi]

            @R.function
            def main(x: R.Tensor((16,), "float32")):
                cls = Module
                with R.dataflow():
                    a = R.layout_transform(x, index_map=lambda i: (i,))
                    b = R.call_tir(cls.cut, (a,), out_sinfo=R.Tensor((14,), "float32"))
                    c = R.layout_transform(b, index_map=lambda i: (i % 16,))
                    gv = R.exp(c)
                    R.output(gv)
                return gv

        after = tvm.transform.Sequential([relax.transform.OptimizeLayoutTransform(), relax.transform.DeadCodeElimination()])(Module)
        self.assertEqual([b.value.op.name for b in after["main"].body.blocks[0].bindings], ["relax.exp"])


class Workspaces(unittest.TestCase):
    def test_functions_inside_and_outside(self):
        @I.ir_module
        class Before:
            @R.function
            def main(x: R.Tensor((4,), "float32")):
                cls = Before
                with R.dataflow():
                    a = cls.one(x)
                    gv = cls.two(a)
                    R.output(gv)
                return gv

            @R.function
            def one(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                R.func_attr({"Codegen": "other", "WorkspaceSize": 64})

                @R.function
                def inner(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    R.func_attr({"Composite": "other.add", "WorkspaceSize": 64})
                    with R.dataflow():
                        gv = R.add(y, y)
                        R.output(gv)
                    return gv

                return inner(x)

            @R.function
            def two(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                R.func_attr({"Codegen": "other", "WorkspaceSize": 128})
                cls = Before
                return cls.two_inner(x)

            @R.function(private=True)
            def two_inner(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                R.func_attr({"Composite": "other.exp", "WorkspaceSize": 128})
                with R.dataflow():
                    gv = R.exp(x)
                    R.output(gv)
                return gv

        @I.ir_module
        class Expected:
            @R.function
            def main(x: R.Tensor((4,), "float32")):
                cls = Expected
                with R.dataflow():
                    workspace_main = R.builtin.alloc_tensor(R.shape([128]), R.dtype("uint8"), R.prim_value(0))
                    a = cls.one1(x, workspace_main)
                    gv = cls.two1(a, workspace_main)
                    R.output(gv)
                return gv

            @R.function
            def one1(x: R.Tensor((4,), "float32"), workspace: R.Tensor((128,), "uint8")) -> R.Tensor((4,), "float32"):
                R.func_attr({"Codegen": "other"})

                @R.function
                def inner(y: R.Tensor((4,), "float32"), workspace_1: R.Tensor((128,), "uint8")) -> R.Tensor((4,), "float32"):
                    R.func_attr({"Composite": "other.add"})
                    with R.dataflow():
                        gv = R.add(y, y)
                        R.output(gv)
                    return gv

                return inner(x, workspace)

            @R.function
            def two1(x: R.Tensor((4,), "float32"), workspace: R.Tensor((128,), "uint8")) -> R.Tensor((4,), "float32"):
                R.func_attr({"Codegen": "other"})
                cls = Expected
                return cls.two_inner1(x, workspace)

            @R.function
            def two_inner1(x: R.Tensor((4,), "float32"), workspace: R.Tensor((128,), "uint8")) -> R.Tensor((4,), "float32"):
                R.func_attr({"Composite": "other.exp"})
                with R.dataflow():
                    gv = R.exp(x)
                    R.output(gv)
                return gv

        compare(relax.transform.AllocateWorkspace(), Before, Expected)

    def test_nothing_to_allocate(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((4,), "float32")):
                return x

        compare(relax.transform.AllocateWorkspace(), Module, Module)


class Implementations(unittest.TestCase):
    """Other functions in the place of those of an operator."""

    @staticmethod
    def module(n):
        @I.ir_module
        class Module:
            @T.prim_func
            def double(a: T.Buffer((n,), "float32"), b: T.Buffer((n,), "float32"), c: T.Buffer((n,), "float32")):
                T.func_attr({"operator_name": "test.double"})
                for i in range(n):
                    with T.block("double"):
                        vi = T.axis.spatial(n, i)
                        b[vi] = a[vi] + a[vi]
                        c[vi] = a[vi] * a[vi]

            @R.function
            def main(x: R.Tensor((n,), "float32")):
                cls = Module
                with R.dataflow():
                    gv = R.call_tir(cls.double, (x,), out_sinfo=[R.Tensor((n,), "float32"), R.Tensor((n,), "float32")])
                    R.output(gv)
                return gv

        return Module

    @staticmethod
    def replacement():
        @T.prim_func
        def double(a: T.Buffer((4, 4), "float32"), b: T.Buffer((4, 4), "float32"), c: T.Buffer((4, 4), "float32")):
            for i, j in T.grid(4, 4):
                with T.block("double"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    b[vi, vj] = a[vi, vj] * T.float32(2)
                    c[vi, vj] = a[vi, vj] * a[vi, vj]

        return double

    def bindings(self, n, maps):
        after = relax.transform.AlterOpImpl({"test.double": self.replacement()}, {"test.double": maps})(self.module(n))
        self.assertTrue(relax.analysis.well_formed(after))
        func = after["test_double_replacement"]
        self.assertEqual(list(func.attrs), ["global_symbol", "operator_name"])
        return after, [getattr(getattr(b.value, "op", None), "name", type(b.value).__name__) for b in after["main"].body.blocks[0].bindings]

    def test_layouts_around_a_call(self):
        _, found = self.bindings(16, [lambda i: (i // 4, i % 4)] * 3)
        self.assertEqual(found, ["relax.layout_transform", "relax.call_tir", "TupleGetItem", "relax.layout_transform", "TupleGetItem",
                                 "relax.layout_transform", "Tuple"])

    def test_maps_with_their_separators(self):
        split = tvm.tir.IndexMap.from_func_with_separators(lambda i: (i // 4, tvm.tir.IndexMap.AXIS_SEPARATOR, i % 4))
        after = relax.transform.AlterOpImpl({"test.double": self.replacement()}, {"test.double": [split] * 3}, {"test.double": [split[1], [], []]},
                                            {"test.double": [[], split[1], split[1]]})(self.module(16))
        calls = [b.value for b in after["main"].body.blocks[0].bindings if getattr(getattr(b.value, "op", None), "name", "") == "relax.layout_transform"]
        self.assertEqual([([int(x) for x in c.attrs["axis_separators"]], [int(x) for x in c.attrs["input_axis_separators"]]) for c in calls],
                         [([1], []), ([], [1]), ([], [1])])

    def test_what_cuts_padding_off_is_private(self):
        after, _ = self.bindings(14, [lambda i: (i // 4, i % 4)] * 3)
        self.assertNotIn("global_symbol", after["remove_pad"].attrs)

    @tap.needs_numpy
    def test_padding_is_cut_off(self):
        import numpy as np

        after, found = self.bindings(14, [lambda i: (i // 4, i % 4)] * 3)
        self.assertEqual(found.count("relax.call_tir"), 3)
        x = np.arange(14, dtype="float32")
        vm = relax.VirtualMachine(relax.build(after, "llvm"), tvm.cpu())
        twice, square = vm["main"](tvm.nd.array(x))
        self.assertEqual([twice.numpy().tolist(), square.numpy().tolist()], [(x * 2).tolist(), (x * x).tolist()])


class Outside(unittest.TestCase):
    """Compilers that are not here, and padding for windows."""

    def test_compilers_that_are_not_here(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((4,), "float32")):
                cls = Module
                return cls.other(x)

            @R.function
            def other(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                R.func_attr({"Codegen": "nobody"})
                return R.add(x, x)

        with self.assertRaisesRegex(tvm.TVMError, "relax.ext.nobody"):
            relax.transform.RunCodegen()(Module)

    @tap.needs_numpy
    def test_compilers_of_python(self):
        import numpy as np

        @tvm.register_func("relax.ext.tests_layouts", override=True)
        def compile_all(functions, options, constants):
            name = str(functions[0].attrs["global_symbol"])
            tvm.register_func(name, lambda x, y: y.copyfrom(x.numpy() * 3), override=True)
            return []

        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((4,), "float32")):
                cls = Module
                return cls.other_triple(x)

            @R.function
            def other_triple(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                R.func_attr({"Codegen": "tests_layouts"})
                return R.add(x, x)

        after = relax.transform.RunCodegen()(Module)
        self.assertEqual([v.name_hint for v in after.get_global_vars()], ["main"])
        got = relax.VirtualMachine(relax.build(after, "llvm"), tvm.cpu())["main"](tvm.nd.array(np.ones(4, "float32")))
        self.assertEqual(got.numpy().tolist(), [3, 3, 3, 3])

    @tap.needs_numpy
    def test_padding_for_windows(self):
        import numpy as np
        from tvm.relax.frontend.common import autopad

        data = np.arange(20, dtype="float32").reshape(1, 1, 4, 5)
        for kind in ("constant", "edge", "reflect"):
            bb, x = relax.BlockBuilder(), relax.Var("x", relax.TensorStructInfo((1, 1, 4, 5), "float32"))
            with bb.function("main", [x]):
                bb.emit_func_output(autopad(bb, x, (2, 2), (3, 3), pad_type=kind, mode="SAME_LOWER"))
            got = relax.VirtualMachine(relax.build(bb.get(), "llvm"), tvm.cpu())["main"](tvm.nd.array(data)).numpy()
            self.assertEqual(got.tolist(), np.pad(data, ((0, 0), (0, 0), (1, 0), (1, 1)), kind).tolist())
            name = {"constant": "pad", "edge": "replicate_pad", "reflect": "mirror_pad"}[kind]
            self.assertEqual(sorted(v.name_hint for v in bb.get().get_global_vars()), ["main", name])
            self.assertIn({"constant": "PadInput[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(5) and T.int64(1) <= v_i3 and v_i3 < T.int64(6), ",
                           "edge": "[T.if_then_else(v_i0 < T.int64(0), T.int64(0), T.if_then_else(T.int64(1) <= v_i0, T.int64(0), v_i0)), ",
                           "reflect": "[v_i0, v_i1, T.if_then_else(T.int64(5) <= v_i2, T.int64(7) - v_i2, T.if_then_else(v_i2 < T.int64(1), "}[kind], bb.get()[name].script())

    @tap.needs_numpy
    def test_mirrored_borders(self):
        import numpy as np
        from tvm import te, topi

        data = np.arange(6, dtype="float32").reshape(2, 3)
        for mode, kind in (("SYMMETRIC", "symmetric"), ("REFLECT", "reflect")):
            x = te.placeholder((2, 3), "float32", name="x")
            mod = tvm.build(te.create_prim_func([x, topi.nn.mirror_pad(x, [1, 2], [0, 1], mode)]), target="llvm")
            out = tvm.nd.array(np.zeros((3, 6), "float32"))
            mod(tvm.nd.array(data), out)
            self.assertEqual(out.numpy().tolist(), np.pad(data, ((1, 0), (2, 1)), kind).tolist())

    def test_parts_of_an_axis_are_put_together_for_ewise_fma(self):
        @I.ir_module
        class Before:
            @R.function
            def main(x: R.Tensor((2, 16, 8, 8), "float32"), w: R.Tensor((16, 16, 3, 3), "float32")):
                with R.dataflow():
                    a = R.nn.conv2d(x, w, out_dtype="float32")
                    out = R.ewise_fma(a, R.nn.relu(a), a)
                    R.output(out)
                return out

        after = relax.transform.ConvertLayout({"relax.nn.conv2d": ["NCHW4c", "OIHW4o"]})(Before)
        calls = {b.value.op.name: b.value for b in after["main"].body.blocks[0].bindings if isinstance(b.value, relax.Call)}
        self.assertEqual(calls["relax.nn.relu"].args[0].struct_info.ndim, 5)
        self.assertEqual([argument.struct_info.ndim for argument in calls["relax.ewise_fma"].args], [4, 4, 4])

    def test_norms_behind_a_packed_convolution(self):
        """Axes below 0 count whole axes; gamma and beta of group_norm have an element for each channel."""
        @I.ir_module
        class Before:
            @R.function
            def main(x: R.Tensor((2, 16, 8, 8), "float32"), w: R.Tensor((16, 16, 3, 3), "float32"), g: R.Tensor((6, 6), "float32"), c: R.Tensor((16,), "float32")):
                with R.dataflow():
                    a = R.nn.conv2d(x, w, out_dtype="float32")
                    b = R.nn.layer_norm(a, g, g, axes=[-2, -1])
                    out = R.nn.group_norm(b, c, c, num_groups=4, channel_axis=1, axes=[2, 3])
                    R.output(out)
                return out

        after = relax.transform.ConvertLayout({"relax.nn.conv2d": ["NCHW4c", "OIHW4o"]})(Before)
        calls = {b.value.op.name: b.value for b in after["main"].body.blocks[0].bindings if isinstance(b.value, relax.Call)}
        self.assertEqual(calls["relax.nn.layer_norm"].args[0].struct_info.ndim, 5)
        self.assertEqual([int(axis) for axis in calls["relax.nn.layer_norm"].attrs.axes], [2, 3])
        self.assertEqual(calls["relax.nn.group_norm"].args[0].struct_info.ndim, 4)
        tvm.ir.assert_structural_equal(after["main"].ret_struct_info, Before["main"].ret_struct_info)


if __name__ == "__main__":
    tap.main()
