"""Relax: builder, operators, mutators, passes, the virtual machine."""
import unittest

import tap
import tvm
from tvm import relax, te, topi


def mlp():
    x = relax.Var("x", relax.TensorStructInfo((2, 8), "float32"))
    w = relax.Var("w", relax.TensorStructInfo((4, 8), "float32"))
    bb = relax.BlockBuilder()
    with bb.function("main", [x, w]):
        with bb.dataflow():
            lv = bb.emit(relax.op.matmul(x, relax.op.permute_dims(w)))
            gv = bb.emit_output(relax.op.nn.relu(lv))
        bb.emit_func_output(gv)
    return bb.get()


class Builder(unittest.TestCase):
    def test_nested_calls_become_bindings(self):
        text = mlp().script()
        self.assertIn("lv: R.Tensor((8, 4), dtype=\"float32\") = R.permute_dims(w, axes=None)", text)
        self.assertIn("R.nn.relu(lv1)", text)

    def test_parts_by_themselves(self):
        block = mlp()["main"].body.blocks[0]
        self.assertEqual(repr(block.bindings[0]), """w: R.Tensor((4, 8), dtype="float32")
lv: R.Tensor((8, 4), dtype="float32") = R.permute_dims(w, axes=None)""")
        self.assertTrue(repr(block).startswith("""w: R.Tensor((4, 8), dtype="float32")
x: R.Tensor((2, 8), dtype="float32")
with R.dataflow():
    lv: R.Tensor((8, 4)"""))

    def test_what_is_used_twice_is_bound_once(self):
        x = relax.Var("x", relax.TensorStructInfo((2,), "float32"))
        bb = relax.BlockBuilder()
        with bb.function("main", [x]):
            shared = relax.op.add(x, x)
            bb.emit_func_output(bb.emit(relax.op.multiply(shared, shared)))
        self.assertEqual([b.value.op.name for b in bb.get()["main"].body.blocks[0].bindings], ["relax.add", "relax.multiply"])

    def test_fields_of_tuples(self):
        info = relax.TensorStructInfo((2,), "float32")
        t = relax.Var("t", relax.TupleStructInfo([info, info]))
        self.assertEqual([field.index for field in t], [0, 1])
        with self.assertRaises(IndexError):
            t[2]

    def test_emit_te(self):
        x = relax.Var("x", relax.TensorStructInfo((2, 8), "float32"))
        bb = relax.BlockBuilder()
        with bb.function("main", [x]):
            with bb.dataflow():
                lv = bb.emit_te(topi.nn.relu, x)
                gv = bb.emit_output(bb.call_te(lambda a: te.compute(a.shape, lambda i, j: a[i, j] + 1.0), lv))
            bb.emit_func_output(gv)
        self.assertIn("R.call_tir(cls.relu, (x,)", bb.get().script())

    def test_call_tir_of_2022(self):
        x = relax.Var("x", (2, 3), relax.DynTensorType(2, "float32"))
        bb = relax.BlockBuilder()
        with bb.function("main", [x]):
            with bb.dataflow():
                y = bb.emit(relax.op.call_tir(relax.extern("env.relu"), (x,), (2, 3), dtype="float32"))
                gv = bb.emit_output(y)
            bb.emit_func_output(gv)
        self.assertIn('R.call_dps_packed("env.relu", (x,), out_sinfo=R.Tensor((2, 3), dtype="float32"))', bb.get().script())

    def test_refusal(self):
        x = relax.Var("x", relax.TensorStructInfo((2, 8), "float32"))
        bb = relax.BlockBuilder()
        with self.assertRaises(tvm.TVMError):
            with bb.function("main", [x]):
                bb.emit(relax.op.matmul(x, x))


@tap.needs_numpy
class Run(unittest.TestCase):
    def test_build(self):
        import numpy as np

        x, w = np.random.rand(2, 8).astype("float32"), np.random.rand(4, 8).astype("float32") - 0.5
        vm = relax.VirtualMachine(relax.build(mlp(), target="llvm"), tvm.cpu())
        np.testing.assert_allclose(vm["main"](tvm.nd.array(x), tvm.nd.array(w)).numpy(), np.maximum(x @ w.T, 0), rtol=1e-5)
        with self.assertRaises(tvm.TVMError):
            vm["main"](tvm.nd.array(x))

    def test_bind_params(self):
        import numpy as np

        w = np.ones((4, 8), "float32")
        mod = relax.transform.BindParams("main", {"w": tvm.nd.array(w)})(mlp())
        self.assertEqual(len(mod["main"].params), 1)
        vm = relax.VirtualMachine(relax.build(mod), tvm.cpu())
        self.assertEqual(vm["main"](tvm.nd.array(np.ones((2, 8), "float32"))).numpy().tolist(), [[8.0] * 4] * 2)


class Mutators(unittest.TestCase):
    def test_call(self):
        @relax.expr_functor.mutator
        class Swap(relax.PyExprMutator):
            def visit_call_(self, call):
                call = self.visit_expr_post_order(call)
                return relax.op.sigmoid(call.args[0]) if call.op == tvm.ir.Op.get("relax.nn.relu") else call

        mod = mlp()
        mod["main"] = Swap().visit_expr(mod["main"])
        self.assertIn("R.sigmoid(lv1)", mod.script())


if __name__ == "__main__":
    tap.main()
