"""The text of Relax expressions by themselves, of functions from outside, and what a script may say of calls."""
import unittest

import tap
import tvm
from tvm import relax, tir
from tvm.script import ir as I, relax as R, tir as T


def verbose(node):
    return node.script(verbose_expr=True)


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

    def test_a_choice(self):
        cond = relax.Var("c", relax.TensorStructInfo([], "bool"))
        other = relax.Var("b", relax.TensorStructInfo([3], "float32"))
        text = verbose(relax.If(cond, relax.SeqExpr([], self.a), relax.SeqExpr([], other)))
        branch = "".join("    " + line + "\n" for line in (self.head + "a").splitlines())
        self.assertEqual(text, 'c: R.Tensor((), dtype="bool")\nif c:\n' + branch + 'else:\n    b: R.Tensor((3,), dtype="float32")\n    b')

    def test_types_of_what_is_known(self):
        self.assertEqual(relax.Var("s", R.Shape()).checked_type, relax.ShapeType())
        self.assertEqual(self.a.checked_type, relax.DynTensorType(2, "float32"))


class Outside(unittest.TestCase):
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


if __name__ == "__main__":
    tap.main()
