"""The text of Relax expressions by themselves, of functions from outside, and what a script may say of calls."""
import unittest

import tap
import tvm
from tvm import relax, tir
from tvm.script import ir as I, relax as R, tir as T


def verbose(node):
    return node.script(verbose_expr=True)


class Known(unittest.TestCase):
    def test_what_the_value_says_can_be_hidden(self):
        @R.function
        def func(a: R.Tensor((2, 3), "float32"), b: R.Tensor(ndim=2, dtype="float32"), c: R.Prim("bool")):
            d = R.match_cast(b, R.Tensor((2, 3), "float32"))
            e = (a, d)
            f = e[1]
            g = f
            h: R.Tensor(ndim=2, dtype="float32") = R.add(g, a)
            if c:
                i = R.add(h, a)
            else:
                i = h
            j = R.const(1)
            return (i, j)

        lines = [line.strip() for line in func.script(show_all_struct_info=False).splitlines()]
        for line in ("d = R.match_cast(b, R.Tensor((2, 3), dtype=\"float32\"))", "e = a, d", "f = e[1]", "g = f",
                     'h: R.Tensor(dtype="float32", ndim=2) = R.add(g, a)', 'j: R.Tensor((), dtype="int32") = R.const(1, "int32")'):
            self.assertIn(line, lines)
        tvm.ir.assert_structural_equal(tvm.script.from_source(func.script(show_all_struct_info=False)), func)
        self.assertIn('f: R.Tensor((2, 3), dtype="float32") = e[1]', func.script())


class Inspected(unittest.TestCase):
    def test_what_a_tensor_tells_at_run_time(self):
        @R.function(private=True)
        def short(a: R.Tensor, axis: R.Prim("int64")):
            b = a.dtype.bits
            c = a.shape[axis]
            d = a.strides[1]
            return (b, c, d, a.ndim, a.byte_offset)

        @R.function(private=True)
        def full(a: R.Tensor, axis: R.Prim("int64")):
            b = R.inspect.tensor_dtype_bits(a)
            c = R.inspect.tensor_shape_i(a, axis)
            d = R.inspect.tensor_stride_i(a, R.prim_value(1))
            return (b, c, d, R.inspect.tensor_ndim(a), R.inspect.tensor_byte_offset(a))

        tvm.ir.assert_structural_equal(short, full)
        with self.assertRaises(AttributeError):
            relax.Var("s", relax.ShapeStructInfo(ndim=2)).ndim
        with self.assertRaises(AttributeError):
            relax.Var("t", relax.TensorStructInfo([2])).dtype.size


class Outside(unittest.TestCase):
    def test_a_function_from_outside_is_some_function(self):
        tvm.ir.assert_structural_equal(relax.ExternFunc("f").struct_info, relax.FuncStructInfo.opaque_func())

        @R.function(pure=False)
        def func(x: R.Tensor((8,), "float32")):
            f = R.ExternFunc("f")
            y = f(x, sinfo_args=(R.Tensor((2,), "float32"),))
            return (y, f(y))

        self.assertIn('f: R.Callable = R.ExternFunc("f")', func.script())
        tvm.ir.assert_structural_equal(func.ret_struct_info, relax.TupleStructInfo([relax.TensorStructInfo([2], "float32"), relax.ObjectStructInfo()]))
        tvm.ir.assert_structural_equal(tvm.script.from_source(func.script()), func)


class Alone(unittest.TestCase):
    def setUp(self):
        self.n = tir.Var("n", "int64")
        self.a = relax.Var("a", relax.TensorStructInfo([2, self.n], "float32"))
        self.head = 'n = T.int64()\na: R.Tensor((2, n), dtype="float32")\n'

    def test_a_function_of_no_module_is_its_name(self):
        call = relax.call_tir(relax.GlobalVar("kernel"), args=self.a, out_sinfo=self.a.struct_info, tir_vars=[self.n])
        self.assertEqual(verbose(call), self.head + 'R.call_tir(kernel, (a,), out_sinfo=R.Tensor((2, n), dtype="float32"), tir_vars=R.shape([n]))')
        self.assertEqual(relax.GlobalVar("kernel").script(), 'I.GlobalVar("kernel")')

    def test_numbers_in_a_dictionary_are_those_of_python(self):
        call = relax.call_tir_with_grad(relax.GlobalVar("kernel"), (self.a,), self.a.struct_info, te_grad_name="back", te_grad_kwargs={"k": 0.5})
        self.assertTrue(verbose(call).endswith('te_grad_name="back", te_grad_kwargs={"k": 0.5})'), verbose(call))
        call = relax.call_tir_with_grad(relax.GlobalVar("kernel"), (self.a,), self.a.struct_info, te_grad_name="back")
        self.assertTrue(verbose(call).endswith('te_grad_name="back")'), verbose(call))

    def test_a_gradient_without_arguments_is_read_again(self):
        @I.ir_module
        class Module:
            @T.prim_func(private=True)
            def kernel(A: T.Buffer((T.int64(2),), "float32"), B: T.Buffer((T.int64(2),), "float32")):
                for i in range(T.int64(2)):
                    with T.block("b"):
                        vi = T.axis.spatial(T.int64(2), i)
                        B[vi] = A[vi]

            @R.function
            def main(x: R.Tensor((2,), "float32")):
                y = R.call_tir_with_grad(Module.kernel, (x,), out_sinfo=R.Tensor((2,), "float32"), te_grad_name="back")
                return y

        self.assertNotIn("te_grad_kwargs", Module.script())
        tvm.ir.assert_structural_equal(tvm.script.from_source(Module.script()), Module)

    def test_a_choice(self):
        cond = relax.Var("c", relax.TensorStructInfo([], "bool"))
        other = relax.Var("b", relax.TensorStructInfo([3], "float32"))
        text = verbose(relax.If(cond, relax.SeqExpr([], self.a), relax.SeqExpr([], other)))
        branch = "".join("    " + line + "\n" for line in (self.head + "a").splitlines())
        self.assertEqual(text, 'c: R.Tensor((), dtype="bool")\nif c:\n' + branch + 'else:\n    b: R.Tensor((3,), dtype="float32")\n    b')

    def test_types_of_what_is_known(self):
        self.assertEqual(relax.Var("s", R.Shape()).checked_type, relax.ShapeType())
        self.assertEqual(self.a.checked_type, relax.DynTensorType(2, "float32"))


class OutsideOfModules(unittest.TestCase):
    def setUp(self):
        signature = relax.FuncStructInfo([relax.TensorStructInfo([4], "float32")], relax.TensorStructInfo([2], "float32"), purity=True)
        self.func = relax.ExternFunc("half", signature)

    def test_the_signature_is_said_and_read(self):
        mod = tvm.IRModule({"half": self.func})
        text = mod.script()
        self.assertIn('half = R.ExternFunc("half", R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((2,), dtype="float32"), True))', text)
        tvm.ir.assert_structural_equal(tvm.script.from_source(text), mod)
        self.assertFalse(tvm.ir.structural_equal(relax.ExternFunc("half"), self.func))

    def test_calls_follow_it(self):
        x = relax.Var("x", relax.TensorStructInfo([4], "float32"))
        call = relax.BlockBuilder().normalize(relax.Call(self.func, [x]))
        self.assertEqual(call.struct_info, relax.TensorStructInfo([2], "float32"))
        self.assertTrue(self.func.struct_info.purity)
        self.assertIsNone(relax.ExternFunc("any").struct_info.params)


class Calls(unittest.TestCase):
    def test_attributes_of_packed_calls(self):
        @R.function(pure=False)
        def main(x: R.Tensor((3,), "float32")) -> R.Object:
            y: R.Object = R.call_packed("outside", x, sinfo_args=R.Object(), deep=True, name="s")
            return y

        call = main.body.blocks[0].bindings[0].value
        self.assertEqual((bool(call.attrs["deep"]), call.attrs["name"]), (True, "s"))
        tvm.ir.assert_structural_equal(tvm.script.from_source(main.script()), main)

    def test_values_of_an_assertion_may_be_a_list(self):
        @R.function(pure=False)
        def one(x: R.Tensor((), "int32")):
            _ = R.assert_op(R.const(True), x, format="{}")
            return x

        @R.function(pure=False)
        def listed(x: R.Tensor((), "int32")):
            _ = R.assert_op(R.const(True), [x], format="{}")
            return x

        tvm.ir.assert_structural_equal(listed.with_attr("global_symbol", "one"), one)

    def test_the_shape_of_a_tensor(self):
        known, unknown = relax.Var("a", R.Tensor([3, 4])), relax.Var("b", R.Tensor(ndim=2))
        self.assertEqual([int(i) for i in relax.get_shape_of(known)], [3, 4])
        self.assertEqual(relax.get_shape_of(unknown).op.name, "relax.shape_of")

    def test_fields_of_a_tuple_are_gone_through(self):
        fields = [relax.Var("a"), relax.Var("b")]
        self.assertTrue(all(x.same_as(y) for x, y in zip(relax.Tuple(fields), fields)))

    def test_a_virtual_device_has_a_target(self):
        self.assertEqual(tvm.ir.VDevice("llvm").target.kind.name, "llvm")


class Roundtrips(unittest.TestCase):
    """What is printed is read as the same function."""

    def check(self, func):
        tvm.ir.assert_structural_equal(tvm.script.from_source(func.script()), func, map_free_vars=True)

    def test_dimensions_are_what_the_body_declares(self):
        size = tvm.tir.SizeVar("N", "int64")

        @R.function
        def sized(A: R.Tensor([size], "float16")):
            B: R.Tensor([size], "float16") = A
            return B

        @R.function
        def scaled(A: R.Tensor(["N"], "float16"), _: R.Prim(value="threshold")):
            N, threshold = T.int64(), T.float16()
            B = A >= R.prim_value(threshold / T.cast(N, "float16"))
            return B

        self.check(sized)
        self.check(scaled)
        again = tvm.script.from_source(sized.script())
        self.assertIsInstance(again.params[0].struct_info.shape.values[0], tvm.tir.SizeVar)
        self.assertEqual(scaled.params[1].struct_info.value.dtype, "float16")

    def test_annotation_says_less_than_the_call(self):
        @R.function
        def func(A: R.Tensor((10, 20), "float32")):
            B = R.call_dps_packed("f", (A,), out_sinfo=R.Tensor((10, 20), "float32"))
            C: R.Tensor(ndim=2, dtype="float32") = R.call_dps_packed("f", (B,), out_sinfo=R.Tensor((10, 20), "float32"))
            return C

        self.check(func)
        self.assertIn("    B = R.call_dps_packed(", func.script())
        self.assertIn('    C: R.Tensor(dtype="float32", ndim=2) = R.call_dps_packed(', func.script())

    def test_names_of_annotations(self):
        entry = tvm.script.parser.relax.entry
        for proxy, info in ((entry.ObjectProxy, relax.ObjectStructInfo), (entry.TensorProxy, relax.TensorStructInfo), (entry.ShapeProxy, relax.ShapeStructInfo),
                            (entry.TupleProxy, relax.TupleStructInfo), (entry.CallableProxy, relax.FuncStructInfo)):
            @R.function
            def func(A: R.Object):
                B = R.match_cast(A, proxy)
                return B

            self.assertIsInstance(func.ret_struct_info, info)
            self.check(func)

    def test_statements_within_statements(self):
        one, two, nothing = tvm.tir.Evaluate(1), tvm.tir.Evaluate(2), tvm.tir.Evaluate(0)
        seq = tvm.tir.SeqStmt([tvm.tir.SeqStmt([nothing, one]), two])
        self.assertEqual([int(stmt.value) for stmt in seq.seq], [1, 2])
        self.assertEqual(len(tvm.tir.SeqStmt([nothing, one]).seq), 2)
        self.check(tvm.tir.PrimFunc([], seq))

        @T.prim_func
        def kernel(A: T.Buffer(64, "float32")):
            T.func_attr({"target": T.target("cuda", host="llvm")})
            bx = T.launch_thread("blockIdx.x", 64)
            T.evaluate(A[bx])

        packed = tvm.tir.transform.MakePackedAPI()(tvm.IRModule({"kernel": kernel}))["kernel"]
        nested = []

        def look(node):
            if isinstance(node, tvm.tir.SeqStmt):
                nested.extend(stmt for stmt in node.seq if isinstance(stmt, tvm.tir.SeqStmt))

        tvm.tir.stmt_functor.post_order_visit(packed.body, look)
        self.assertEqual(nested, [])


if __name__ == "__main__":
    tap.main()
