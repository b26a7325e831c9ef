"""What operators of Relax are given: wrong numbers, kinds, types and devices of operands; shapes that are known only in part."""
import unittest

import tap

import tvm
from tvm import relax, te, tir
from tvm.ir import VDevice
from tvm.relax import ShapeStructInfo, TensorStructInfo
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


def tensor(*args, **kwargs):
    """A variable for a tensor of this kind."""
    return relax.Var("t", R.Tensor(*args, **kwargs))


def info(call):
    """What is known of a call."""
    return relax.BlockBuilder().normalize(call).struct_info


class Refusals(unittest.TestCase):
    """Each is a TVMError and what Python calls such an error."""

    def refuses(self, call, *kinds):
        """The call cannot be made or normalised."""
        for kind in (tvm.error.TVMError, *kinds):
            with self.assertRaises(kind):
                made = call()
                relax.BlockBuilder().normalize(made)

    def test_number_of_operands(self):
        x = tensor((4, 2), "float32")
        for operator, n in ((relax.op.subtract, 2), (relax.op.less, 2), (relax.op.cosh, 1), (relax.op.nn.silu, 1), (relax.op.ewise_fma, 3)):
            for k in (n - 1, n + 1):
                self.refuses(lambda operator=operator, k=k: operator(*[x] * k), TypeError)

    def test_number_in_a_call(self):
        """A call that somebody made himself is looked at when it is normalised."""
        x = tensor((4, 2), "float32")
        for name, n in (("relax.cosh", 1), ("relax.subtract", 2), ("relax.ewise_fma", 3)):
            for k in (n - 1, n + 1):
                self.refuses(lambda name=name, k=k: relax.Call(tvm.ir.Op.get(name), [x] * k))
            self.assertEqual(info(relax.Call(tvm.ir.Op.get(name), [x] * n)).dtype, "float32")

    def test_types_that_differ(self):
        self.refuses(lambda: relax.op.power(tensor((5,), "float16"), tensor((5,), "int8")), TypeError)
        self.refuses(lambda: relax.op.maximum(tensor((5,), "float32", VDevice("llvm")), tensor((5,), "float32", VDevice("cuda"))), TypeError)

    def test_what_is_no_tensor(self):
        shape, func = relax.Var("s", ShapeStructInfo((5,))), relax.Var("f", relax.FuncStructInfo([], R.Tensor((5,), "float32")))
        for wrong in (shape, func):
            self.refuses(lambda wrong=wrong: relax.op.divide(wrong, tensor((5,), "float32")), TypeError)
            self.refuses(lambda wrong=wrong: relax.op.nn.layer_norm(wrong, tensor((5,), "float32"), tensor((5,), "float32"), axes=[0]), TypeError)

    def test_numbers_in_a_row(self):
        """As many strides, extents of a window and ends of padding as there are axes, or fewer that stand for them: when the call is made."""
        x, w, nn = tensor((2, 3, 8, 8), "float32"), tensor((4, 3, 3, 3), "float32"), relax.op.nn
        for made in (lambda: nn.conv2d(x, w, strides=(1, 2, 3)), lambda: nn.conv2d(x, w, padding=(1, 2, 3)), lambda: nn.conv2d(x, w, dilation=(1, 2, 3)),
                     lambda: nn.conv2d_transpose(x, w, output_padding=(1, 2, 3)), lambda: nn.max_pool2d(x, pool_size=(1, 2, 3)),
                     lambda: nn.avg_pool2d(x, strides=(1, 2, 3)), lambda: nn.adaptive_avg_pool2d(x, (4, 4, 4)),
                     lambda: nn.conv1d(tensor((2, 3, 8), "float32"), tensor((4, 3, 3), "float32"), strides=(1, 2))):
            with self.assertRaises(tvm.error.TVMError):
                made()
        self.assertEqual(list(nn.conv2d(x, w, padding=(1, 2)).attrs["padding"]), [1, 2, 1, 2])

    def test_places_of_a_split(self):
        x, n = tensor((2, 10), "float32"), tir.Var("n", "int64")
        for how in (0, -1, n, [3, n]):
            with self.assertRaises(tvm.error.TVMError):
                relax.op.split(x, how, axis=1)
        self.assertEqual([int(f.shape[1]) for f in info(relax.op.split(x, [3, 7], axis=1)).fields], [3, 4, 3])

    def test_arguments_that_are_written(self):
        x, out = tensor((2,), "float32"), TensorStructInfo((2,), "float32")
        for indices in ([1], [], [-1], [0, 0], [-2]):
            self.refuses(lambda indices=indices: relax.op.call_inplace_packed("f", x, inplace_indices=indices, sinfo_args=[out] * max(len(indices), 1)))
        self.assertEqual(info(relax.op.call_inplace_packed("f", x, inplace_indices=[0], sinfo_args=[out])).dtype, "float32")

    def test_conditions_of_assertions(self):
        for wrong in (relax.const(1), tensor((2,), "bool"), relax.Var("s", ShapeStructInfo((2,)))):
            self.refuses(lambda wrong=wrong: relax.op.assert_op(wrong))
        for fine in (relax.const(True), tensor(()), relax.Var("p", R.Prim("bool")), relax.Var("o", R.Object())):
            self.assertEqual(len(info(relax.op.assert_op(fine)).fields), 0)

    def test_shapes_and_axes(self):
        x = tensor((4, 2), "float32")
        self.refuses(lambda: relax.op.add(x, tensor((4, 3), "float32")), ValueError)
        self.refuses(lambda: relax.op.nn.log_softmax(x, axis=[0, 1]), TypeError)
        self.refuses(lambda: relax.op.take(x, tensor((3,), "int64")), ValueError)
        self.refuses(lambda: relax.op.take(tensor(dtype="float32"), tensor((3,), "int64")), ValueError)
        self.refuses(lambda: relax.op.strided_slice(x, axes=[0, 1], begin=[0, 0], end=[1]), ValueError)

    def test_a_number_is_no_shape(self):
        one = relax.const(1.0)
        for shape in (6, tir.Var("n", "int64")):
            self.refuses(lambda shape=shape: relax.op.full(shape, one), TypeError)
            self.refuses(lambda shape=shape: relax.op.zeros(shape, "float32"), TypeError)

    def test_whole_numbers(self):
        x = tensor((4, 2), "float32")
        for wrong in (1.5, tir.Var("r", "float32"), tir.StringImm("a")):
            self.refuses(lambda wrong=wrong: relax.op.repeat(x, wrong), TypeError)
            self.refuses(lambda wrong=wrong: relax.op.tile(x, (2, wrong)), TypeError)
            self.refuses(lambda wrong=wrong: relax.op.expand_dims(x, wrong), TypeError)
        self.assertEqual([int(e) for e in info(relax.op.tile(x, 3)).shape], [4, 6])

    def test_padding_of_another_type(self):
        by_three = lambda i, j: (i, j // 3, j % 3)  # noqa: E731
        self.refuses(lambda: relax.op.layout_transform(tensor((4, 2), "int32"), index_map=by_three, pad_value=2.5), ValueError)
        self.assertEqual(info(relax.op.layout_transform(tensor((4, 2), "int32"), index_map=by_three, pad_value=2)).dtype, "int32")

    def test_what_is_written_into_a_slice(self):
        x = tensor((8, 4), "float32")
        for src, place in (((4, 4), (1, 7, 2)), ((3, 5), (1, 7, 2)), ((3, 4), (1, 7, 0)), ((3,), (1, 7, 2))):
            self.refuses(lambda src=src, place=place: relax.op.slice_scatter(x, tensor(src, "float32"), *place, 0))
        for src, place in (((3, 4), (1, 7, 2)), ((6, 4), (1, 7, 1)), ((0, 4), (3, 3, 1))):
            self.assertEqual([int(e) for e in info(relax.op.slice_scatter(x, tensor(src, "float32"), *place, 0)).shape], [8, 4])

    def test_type_of_what_is_made(self):
        with self.assertRaises(TypeError):
            relax.op.zeros((2, 2))
        self.refuses(lambda: relax.op.ones((2, 2), ""), ValueError)


class Manipulation(unittest.TestCase):
    """Shapes of tensors put together, taken apart and repeated."""

    def same(self, call, expected):
        tvm.ir.assert_structural_equal(info(call), expected)

    def test_devices_of_parts(self):
        """Where one part says where it is, or all that do say the same, the result is there."""
        cpu, other = VDevice("llvm"), VDevice("cuda")
        a, b, c = tensor((2,), "float32"), tensor((2,), "float32", cpu), tensor((2,), "float32", other)
        for first, second, device in ((a, b, cpu), (b, a, cpu), (b, b, cpu), (a, a, None), (b, c, None)):
            self.same(relax.op.concat([first, second], axis=0), TensorStructInfo((4,), "float32", device))
            self.same(relax.op.stack([first, second], axis=0), TensorStructInfo((2, 2), "float32", device))
            self.same(relax.op.meshgrid((first, second), indexing="ij"), relax.TupleStructInfo([TensorStructInfo((2, 2), "float32", device)] * 2))
        unknown = relax.Var("x", TensorStructInfo(dtype="float32", ndim=1))
        self.same(relax.op.concat([b, unknown], axis=0), TensorStructInfo(dtype="float32", ndim=1, vdevice=cpu))

    def test_extents_put_together(self):
        n, m = tir.Var("n", "int64"), tir.Var("m", "int64")
        for extents, expected in (((n, n, n), n * 3), ((n, 3, m), n + 3 + m), ((3, n), 3 + n), ((3, 4), 7)):
            self.same(relax.op.concat([tensor((e, 2), "float32") for e in extents], axis=0), TensorStructInfo((expected, 2), "float32"))

    def test_axes_of_a_grid(self):
        n, m = tir.Var("n", "int64"), tir.Var("m", "int64")
        x, y, z = tensor((n,), "float32"), tensor((m,), "float32"), tensor((5,), "float32")
        for indexing, shape in (("ij", (n, m, 5)), ("xy", (m, n, 5))):
            self.same(relax.op.meshgrid((x, y, z), indexing=indexing), relax.TupleStructInfo([TensorStructInfo(shape, "float32")] * 3))
        self.same(relax.op.meshgrid((x,), indexing="xy"), relax.TupleStructInfo([TensorStructInfo((n,), "float32")]))

    def test_what_may_be_one(self):
        n, s = tir.Var("n", "int64"), relax.Var("s", ShapeStructInfo(ndim=2))
        self.same(relax.op.squeeze(tensor((n, 1, 3), "float32")), TensorStructInfo(dtype="float32"))
        self.same(relax.op.squeeze(tensor((n, 1, 3), "float32"), 1), TensorStructInfo((n, 3), "float32"))
        self.same(relax.op.squeeze(tensor((2, 1, 3), "float32")), TensorStructInfo((2, 3), "float32"))
        self.same(relax.op.squeeze(relax.Var("x", TensorStructInfo(s, "float32")), []), TensorStructInfo(s, "float32"))

    def test_one_part_is_the_whole(self):
        s = relax.Var("s", ShapeStructInfo(ndim=2))
        x = relax.Var("x", TensorStructInfo(s, "float32"))
        for how in (1, []):
            self.same(relax.op.split(x, how, axis=1), relax.TupleStructInfo([TensorStructInfo(s, "float32")]))

    def test_extents_of_programs(self):
        """What is repeated has the extent that topi gives it; lines of the first axis need no remainder."""
        n, m, k = (tir.Var(name, "int64") for name in "nmk")

        def program(made, *params):
            bb = relax.BlockBuilder()
            with bb.function("main", list(params)):
                bb.emit_func_output(bb.emit(made(*params)))
            return relax.transform.LegalizeOps()(bb.get()).script()

        self.assertIn("(n, T.int64(3) * m)", program(lambda x: relax.op.repeat(x, 3, 1), tensor((n, m), "float32")))
        scattered = program(lambda x, i, u: relax.op.scatter_elements(x, i, u, 1), tensor((n, m), "float32"), tensor((n, k), "int64"), tensor((n, k), "float32"))
        self.assertNotIn("fused %", scattered)
        self.assertNotIn("fused %", program(lambda x, i, u: relax.op.scatter_elements(x, i, u, 1), tensor((n, m), "float32"),
                                            relax.Var("i", TensorStructInfo((2, k), "int64")), tensor((2, k), "float32")))


class Norms(unittest.TestCase):
    """Parameters of normalisations: where they may not fit, the shape of the result is not known."""

    def test_parameters_of_other_symbols(self):
        a, b, n = (tir.Var(x, "int64") for x in "abn")
        x, mine, other = tensor((n, a), "float16"), tensor((a,), "float16"), tensor((b,), "float16")
        same = relax.op.nn.layer_norm(x, mine, mine, axes=[1])
        tvm.ir.assert_structural_equal(info(same), TensorStructInfo((n, a), "float16"))
        unsure = relax.op.nn.layer_norm(x, mine, other, axes=[1])
        tvm.ir.assert_structural_equal(info(unsure), TensorStructInfo(dtype="float16", ndim=2))
        batch = info(relax.op.nn.batch_norm(x, mine, mine, other, mine, axis=1))
        tvm.ir.assert_structural_equal(batch.fields[0], TensorStructInfo(dtype="float16", ndim=2))
        tvm.ir.assert_structural_equal(batch.fields[1], TensorStructInfo(dtype="float16", ndim=1))

    def test_parameters_without_a_type(self):
        with self.assertRaises(tvm.TVMError):
            info(relax.op.nn.layer_norm(tensor((2, 6), "float32"), tensor((6,), "float32"), tensor((6,)), axes=[-1]))

    def test_loss_of_whole_numbers(self):
        x, targets, weights = tensor((2, 7, 5), "int16"), tensor((2, 5), "int64"), tensor((7,), "int16")
        tvm.ir.assert_structural_equal(info(relax.op.nn.nll_loss(x, targets, weights)), TensorStructInfo((), "int16"))
        unknown = relax.op.nn.nll_loss(x, tensor("int64", ndim=2), weights, reduction="none")
        tvm.ir.assert_structural_equal(info(unknown), TensorStructInfo((2, 5), "int16"))
        untyped = relax.op.nn.nll_loss(x, targets, tensor((7,)), reduction="none")
        tvm.ir.assert_structural_equal(info(untyped), TensorStructInfo((2, 5), ""))


class Slices(unittest.TestCase):
    """Extents of slices at symbolic places, and shapes that a variable stands for."""

    def extent(self, **places):
        """The extent of a slice of ten."""
        return info(relax.op.strided_slice(tensor((10, 3), "float32"), axes=[0], **places)).shape.values[0]

    def test_symbolic_places(self):
        i, n = tir.Var("i", "int64"), tir.SizeVar("n", "int64")
        wrapped = tir.max(tir.if_then_else(i < 0, i + 10, i), 0)
        tvm.ir.assert_structural_equal(self.extent(begin=[i], end=[10]), tir.max(10 - wrapped, 0))
        tvm.ir.assert_structural_equal(self.extent(begin=[0], end=[i]), tir.min(wrapped, 10))
        tvm.ir.assert_structural_equal(self.extent(begin=[n], end=[10]), tir.max(10 - n, 0))
        tvm.ir.assert_structural_equal(self.extent(begin=[i], end=[10], assume_inbound=True), 10 - i)

    def test_symbolic_strides(self):
        i, n = tir.Var("i", "int64"), tir.SizeVar("n", "int64")
        tvm.ir.assert_structural_equal(self.extent(begin=[0], end=[10], strides=[i], assume_inbound=True), (i + 9) // i)
        tvm.ir.assert_structural_equal(self.extent(begin=[0], end=[10], strides=[n]), tir.floordiv(9, n) + 1)

    def test_no_axis(self):
        s, unknown = relax.Var("s", ShapeStructInfo((4, 6))), relax.Var("s", ShapeStructInfo(ndim=2))
        whole = relax.op.strided_slice(relax.Var("x", TensorStructInfo(s, "int8")), axes=[], begin=[], end=[])
        tvm.ir.assert_structural_equal(info(whole), TensorStructInfo((4, 6), "int8"))
        whole = relax.op.strided_slice(relax.Var("x", TensorStructInfo(unknown, "int8")), axes=[], begin=[], end=[])
        tvm.ir.assert_structural_equal(info(whole), TensorStructInfo(unknown, "int8"))

    def test_shape_of_a_variable(self):
        x = relax.Var("x", TensorStructInfo(relax.Var("s", ShapeStructInfo((4, 6))), "int8"))
        taken = relax.op.take(x, tensor((3,), "int32"), axis=0)
        tvm.ir.assert_structural_equal(info(taken), TensorStructInfo(dtype="int8", ndim=2))
        tvm.ir.assert_structural_equal(info(relax.op.ewise_fma(x, x, x)), TensorStructInfo(x.struct_info.shape, "int8"))


class Scalars(unittest.TestCase):
    """Scalars as operands: a known one is written into the function, one that is not known becomes its argument."""

    def test_legalised(self):
        @I.ir_module
        class Before:
            @R.function
            def main(x: R.Tensor((3, 5), "float32"), s: R.Prim("float32"), i: R.Prim("int64")):
                with R.dataflow():
                    a = R.subtract(s, x)
                    b = R.take(a, i, axis=1)
                    R.output(b)
                return b

        @I.ir_module
        class Expected:
            @T.prim_func(private=True)
            def subtract(s: T.float32, x: T.Buffer((T.int64(3), T.int64(5)), "float32"), y: T.Buffer((T.int64(3), T.int64(5)), "float32")):
                T.func_attr({"tir.noalias": True})
                for i, j in T.grid(T.int64(3), T.int64(5)):
                    with T.block("T_subtract"):
                        v, w = T.axis.remap("SS", [i, j])
                        y[v, w] = s - x[v, w]

            @T.prim_func(private=True)
            def take(x: T.Buffer((T.int64(3), T.int64(5)), "float32"), at: T.int64, y: T.Buffer((T.int64(3),), "float32")):
                T.func_attr({"tir.noalias": True})
                for i in range(T.int64(3)):
                    with T.block("T_take"):
                        v = T.axis.spatial(T.int64(3), i)
                        y[v] = x[v, at]

            @R.function
            def main(x: R.Tensor((3, 5), "float32"), s: R.Prim("float32"), i: R.Prim("int64")):
                cls = Expected
                with R.dataflow():
                    a = R.call_tir(cls.subtract, (s, x), out_sinfo=R.Tensor((3, 5), "float32"))
                    b = R.call_tir(cls.take, (a, i), out_sinfo=R.Tensor((3,), "float32"))
                    R.output(b)
                return b

        after = relax.transform.LegalizeOps()(Before)
        tvm.ir.assert_structural_equal(after, Expected)

    def test_constant_of_another_type(self):
        bb = relax.BlockBuilder()
        with bb.function("main", []):
            bb.emit_func_output(bb.emit(relax.op.astype(relax.const(-2.75, "float32"), "int16")))
        made = relax.transform.LegalizeOps()(bb.get())["main"].body.blocks[0].bindings[0].value
        self.assertEqual((made.data.dtype, int(made.data.numpy())), ("int16", -2))

    def test_known_index(self):
        x = tensor((3, 5), "float32")
        bb = relax.BlockBuilder()
        with bb.function("main", [x]):
            bb.emit_func_output(bb.emit(relax.op.take(x, relax.PrimValue(2), axis=0)))
        self.assertIn("[T.int64(2), v_ax0]", relax.transform.LegalizeOps()(bb.get())["take"].script())


class Sizes(unittest.TestCase):
    """Operators whose result is told from more than the shapes of tensors."""

    def test_size_of_an_image(self):
        x = tensor((1, 3, 4, 4), "float32")
        s = relax.Var("s", ShapeStructInfo((8, 8)))
        tvm.ir.assert_structural_equal(info(relax.op.image.resize2d(x, s)), TensorStructInfo(dtype="float32", ndim=4))
        for size in (relax.Var("s", ShapeStructInfo(ndim=3)), relax.Var("s", ShapeStructInfo()), (8,)):
            with self.assertRaises(tvm.TVMError):
                info(relax.op.image.resize2d(x, size))

    def test_nearest_pixels(self):
        x = te.placeholder((1, 2, 4, 6, 8), name="x")
        text = te.create_prim_func([x, tvm.topi.image.resize2d(x, (0.0,) * 4, (12, 6), "NCHW8c", "nearest_neighbor", "asymmetric")]).script()
        self.assertIn("T.max(T.min(T.Div(v_i2, 3), 3), 0), T.max(T.min(v_i3, 5), 0), v_i4", text)

    def test_parts_of_workers(self):
        n = tir.Var("n", "int64")
        part = info(relax.op.ccl.scatter_from_worker0(tensor((n, 4), "int8"), 2))
        tvm.ir.assert_structural_equal(part, TensorStructInfo((tir.div(n, 2), 4), "int8"))
        bb = relax.BlockBuilder()
        x = tensor((6, 4), "float32")
        with bb.function("main", [x]):
            a = bb.emit(relax.op.ccl.allreduce(x, "min", False))
            b = bb.emit(relax.op.ccl.scatter_from_worker0(a, 2, axis=1))
            bb.emit_func_output(b)
        text = relax.transform.LegalizeOps()(bb.get()).script()
        self.assertIn('"runtime.disco.allreduce", (t, R.shape([2]), R.prim_value(False)), out_sinfo=R.Tensor((6, 4)', text)
        self.assertIn("R.Tensor((2, 6, 2)", text)
        self.assertIn("(gv1, R.prim_value(False)), out_sinfo=R.Tensor((6, 2)", text)

    def test_checkpoints(self):
        for operator in (relax.op.grad.start_checkpoint, relax.op.grad.end_checkpoint):
            for wrong in (relax.const(1.0), relax.Tuple([tensor((2,)), tensor((2,))])):
                with self.assertRaises(tvm.TVMError):
                    info(operator(wrong))

    def test_index_map_of_python(self):
        turn = lambda i, j: (j, i)  # noqa: E731

        @R.function
        def main(x: R.Tensor((3, 5), "float32")):
            y = R.layout_transform(x, index_map=turn)
            return y

        tvm.ir.assert_structural_equal(main.ret_struct_info, TensorStructInfo((5, 3), "float32"))


class Fields(unittest.TestCase):
    """What a program asks of a tensor while it runs."""

    def run_main(self, main, *args):
        main = main.with_attr("global_symbol", "main")
        return relax.VirtualMachine(relax.build(tvm.IRModule({"main": main}), "llvm"), tvm.cpu())["main"](*args)

    def test_fields(self):
        import numpy

        x = tvm.nd.array(numpy.zeros((2, 3, 4), "int16"))

        @R.function
        def kinds(A: R.Tensor):
            return (A.dtype.type_code, A.dtype.bits, A.dtype.lanes, A.ndim, A.byte_offset, A.elem_offset)

        self.assertEqual([int(n) for n in self.run_main(kinds, x)], [0, 16, 1, 3, 0, 0])

        @R.function
        def along(A: R.Tensor, axis: R.Prim("int64")):
            return (A.shape[axis], A.strides[axis])

        self.assertEqual([[int(n) for n in self.run_main(along, x, axis)] for axis in range(3)], [[2, 12], [3, 4], [4, 1]])
        for axis in (-1, 3):
            with self.assertRaisesRegex(tvm.TVMError, "no axis"):
                self.run_main(along, x, axis)


class Ends(unittest.TestCase):
    """Ends of dataflow blocks, modules that are not well formed, functions in the place of their calls."""

    def test_return_in_a_dataflow_block(self):
        @R.function(private=True)
        def said(A: R.Tensor([4], "float16")):
            with R.dataflow():
                B = R.add(A, A)
                C = R.multiply(B, A)
                R.output(B, C)
            return (C, B)

        @R.function(private=True)
        def returned(A: R.Tensor([4], "float16")):
            with R.dataflow():
                B = R.add(A, A)
                C = R.multiply(B, A)
                return (C, B)

        tvm.ir.assert_structural_equal(said, returned)

    def test_not_well_formed(self):
        text = (
            "from tvm.script import ir as I, relax as R\n@I.ir_module\nclass Module:\n    @R.function\n"
            '    def main(A: R.Tensor([8], "float32")):\n        B: R.Tensor([9], "int8") = R.add(A, A)\n        return B\n'
        )
        with self.assertRaises(tvm.error.DiagnosticError):
            tvm.script.from_source(text)

        @I.ir_module(check_well_formed=False)
        class Module:
            @R.function
            def main(A: R.Tensor([8], "float32")):
                B: R.Tensor([9], "int8") = R.add(A, A)
                return B

        self.assertFalse(relax.analysis.well_formed(Module))

    def test_functions_that_never_end(self):
        @I.ir_module
        class Module:
            @R.function(private=True)
            def main() -> R.Tensor([], "int64"):
                return Module.ping()

            @R.function(private=True)
            def ping() -> R.Tensor([], "int64"):
                return Module.pong()

            @R.function(private=True)
            def pong() -> R.Tensor([], "int64"):
                return Module.ping()

        with self.assertRaisesRegex(ValueError, "calls itself"):
            Module["main"].inline_functions({"ping": Module["ping"], "pong": Module["pong"]})
        with self.assertRaisesRegex(ValueError, "two functions"):
            Module["main"].inline_functions({"ping": Module["ping"], tvm.ir.GlobalVar("ping"): Module["ping"]})

    def test_weights_that_are_not_changed(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((2,), "float32"), a: R.Tensor((2,), "float32"), b: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")):
                R.func_attr({"num_input": 1})
                if c:
                    w = a
                else:
                    w = b
                y = R.add(x, w)
                return y

            @R.function
            def none(s: R.Shape(["n"])):
                R.func_attr({"num_input": 1})
                n = T.int64()
                with R.dataflow():
                    z = R.zeros((n,), "float32")
                    R.output(z)
                return z

        after = relax.transform.LiftTransformParams()(Module)
        weights = after["main_transform_params"]
        self.assertTrue(weights.body.body.same_as(weights.params[0]))
        nothing = after["none_transform_params"].body
        self.assertEqual((len(nothing.blocks), len(nothing.body.fields)), (0, 0))

    def test_weights_are_read_where_they_are_used(self):
        """The weight in the tuple is read first, though it is given second."""
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                R.func_attr({"num_input": 1})
                with R.dataflow():
                    packed = (w,)
                    again = packed[0]
                    y = R.add(x, again)
                    z = R.multiply(y, w)
                    R.output(z)
                return z

        weights = relax.transform.LiftTransformParams()(Module)["main_transform_params"]
        first, second, both = weights.body.blocks[0].bindings
        self.assertEqual((first.value.index, second.value.index), (0, 0))
        self.assertTrue(both.value.fields[0].same_as(second.var) and both.value.fields[1].same_as(first.var))

    def test_kinds_of_functions(self):
        @I.ir_module
        class Module:
            @T.prim_func
            def product(x: T.Buffer((4, 8), "float16"), w: T.Buffer((8, 4), "float16"), y: T.Buffer((4, 4), "float32")):
                for i, j, k in T.grid(4, 4, 8):
                    with T.block("y"):
                        a, b, c = T.axis.remap("SSR", [i, j, k])
                        with T.init():
                            y[a, b] = T.float32(0)
                        y[a, b] = y[a, b] + T.Cast("float32", T.Cast("float64", x[a, c] * w[c, b]))

            @T.prim_func
            def outside(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
                for i in range(4):
                    with T.block("y"):
                        v = T.axis.spatial(4, i)
                        T.reads(x[v])
                        T.writes(y[v])
                        T.call_packed("compute")

        kinds = relax.transform.AnnotateTIROpPattern()(Module)
        self.assertEqual([int(kinds[name].attrs["op_pattern"]) for name in ("product", "outside")], [4, 8])

    def test_words_of_a_difference(self):
        with self.assertRaises(ValueError) as caught:
            tvm.ir.assert_structural_equal(tir.Evaluate(1), tir.Evaluate(2))
        self.assertTrue(str(caught.exception).startswith("ValueError: StructuralEqual check failed, caused by lhs at <root>.value"))

    def test_functions_for_tests(self):
        import tvm.testing

        self.assertEqual(tvm.get_global_func("testing.echo")(5), 5)
        self.assertTrue(callable(tvm.testing.requires_multi_gpu))

    def test_numbers_in_containers(self):
        places = tvm.ir.base.get_first_structural_mismatch(tvm.runtime.convert([1, 2]), tvm.runtime.convert([1, 5]))
        self.assertEqual(str(places[0]), "<root>[1]")


class Modules(unittest.TestCase):
    """What is found under more names than one."""

    def test_modules_of_topi(self):
        from tvm.topi.image.resize import resize2d
        from tvm.topi.nn.dense import dense
        from tvm.topi.nn.softmax import log_softmax
        from tvm.topi.sort import argsort

        self.assertIs(dense, tvm.topi.nn.dense)
        self.assertIs(log_softmax, tvm.topi.nn.log_softmax)
        self.assertIs(resize2d, tvm.topi.image.resize2d)
        self.assertIs(argsort, tvm.topi.argsort)
        x = te.placeholder((2, 3))
        self.assertEqual([int(n) for n in tvm.topi.nn.softmax(x).shape], [2, 3])

    def test_traces_of_a_context(self):
        outer = tvm.transform.PassContext(trace_stack=["one", "two"])
        self.assertEqual(list(outer.trace_stack), ["one", "two"])
        self.assertEqual(outer.trace_stack, outer.get_trace_stack())


class Extents(unittest.TestCase):
    """What call_tir says of its results has to be what the function gives for its arguments."""

    def is_sound(self, call):
        text = ("from tvm.script import ir as I, relax as R, tir as T\n@I.ir_module\nclass Module:\n    @T.prim_func(private=True)\n    def f(a: T.handle, b: T.handle):\n"
                "        m = T.int64()\n        A = T.match_buffer(a, (256, m), \"float32\")\n        B = T.match_buffer(b, (m * 2, 256), \"float32\")\n        T.evaluate(0)\n"
                "    @R.function\n    def main(x: R.Tensor((256, \"n\"), \"float32\"), y: R.Tensor((\"n * 2\", 256), \"float32\")):\n        n = T.int64()\n"
                f"        z = {call}\n        return z\n")
        return relax.analysis.well_formed(tvm.script.from_source(text, check_well_formed=False))

    def test_they_follow_from_the_arguments(self):
        for extent, fine in (("n * 2", True), ("n + n", True), ("n", False), ("n * 2 + 1", False)):
            with self.subTest(extent=extent):
                self.assertEqual(self.is_sound(f'R.call_tir(Module.f, (x,), out_sinfo=R.Tensor(({extent}, 256), "float32"))'), fine)

    def test_arguments_that_are_not_there(self):
        for index, fine in ((1, True), (2, False), (5, False)):
            with self.subTest(index=index):
                self.assertEqual(self.is_sound(f'R.call_tir_inplace(Module.f, (x, y), inplace_indices=[{index}], out_sinfo=R.Tensor((n * 2, 256), "float32"))'), fine)


if __name__ == "__main__":
    tap.main()
