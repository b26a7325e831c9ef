"""The derivatives of operators as programs ask for them, and what a build makes of operators whose rules are written in Python.

Each derivative is held against central differences of the operator itself, both compiled.
"""
import unittest

import numpy as np
import tap
import tvm
from tvm import relax
from tvm.ir import Op
from tvm.relax import op
from tvm.testing.utils import check_numerical_grads

RNG = np.random.default_rng(2026)


def numbers(*shape):
    return RNG.uniform(0.5, 2.0, shape).astype("float32")


def machine(builder):
    return relax.VirtualMachine(tvm.compile(builder.get(), "llvm"), tvm.cpu())


def function(params, body):
    """A machine whose `main` has one dataflow block; `body` is told the builder."""
    builder = relax.BlockBuilder()
    with builder.function("main", params):
        with builder.dataflow():
            out = builder.emit_output(body(builder))
        builder.emit_func_output(out)
    return machine(builder)["main"]


def variables(arrays):
    return [relax.Var(f"x{i}", relax.TensorStructInfo(a.shape, str(a.dtype))) for i, a in enumerate(arrays)]


def is_mark(expr):
    return isinstance(expr, relax.Call) and expr.op == Op.get("relax.grad.no_grad")


class Derivatives(unittest.TestCase):
    def agree(self, make, arrays, without=()):
        """`make` is called with variables; arguments in `without` have no derivative."""
        params = variables(arrays)
        call = make(*params)
        given = [tvm.nd.array(a) for a in arrays]
        forward = function(params, lambda _: call)
        weight = numbers(*forward(*given).shape)
        adjoint = relax.Var("adjoint", relax.TensorStructInfo(weight.shape, "float32"))
        marks = []

        def backward(builder):
            found = call.op.get_attr("FPrimalGradient")(builder.emit(call), call, adjoint, builder)
            marks.extend(is_mark(x) for x in found)
            return relax.Tuple(found)

        result = function([*params, adjoint], backward)(*given, tvm.nd.array(weight))
        self.assertIsInstance(result, tvm.ir.Array)
        self.assertEqual([i for i, marked in enumerate(marks) if marked], list(without))
        of = [i for i in range(len(arrays)) if i not in without]

        def value(*changed):
            now = dict(zip(of, changed))
            return np.sum(weight * forward(*[tvm.nd.array(now.get(i, a)) for i, a in enumerate(arrays)]).numpy())

        check_numerical_grads(value, [arrays[i] for i in of], [result[i].numpy() for i in of])

    def test_one_argument(self):
        for make in (op.exp, op.tanh, op.nn.silu, op.nn.log_softmax, lambda x: op.sum(x, axis=1), lambda x: op.permute_dims(x), lambda x: op.cumsum(x, axis=1),
                     lambda x: op.triu(x, 1)):
            self.agree(make, [numbers(3, 4)])

    def test_two_arguments(self):
        self.agree(op.divide, [numbers(3, 4), numbers(4)])
        self.agree(op.matmul, [numbers(2, 3, 4), numbers(4, 2)])
        self.agree(lambda x, w: op.nn.conv2d(x, w, strides=(2, 1), padding=(1, 2)), [numbers(1, 2, 5, 5), numbers(3, 2, 3, 3)])

    def test_arguments_without_a_derivative(self):
        self.agree(op.where, [numbers(3, 3) > 1.0, numbers(3, 3), numbers(3, 3)], without=[0])
        self.agree(lambda x, i: op.take(x, i, axis=1), [numbers(3, 5), np.array([4, 0, 4])], without=[1])
        self.agree(op.take, [numbers(5), np.array([1, 3])], without=[1])
        self.agree(lambda p, t, w: op.nn.nll_loss(p, t, w, reduction="mean", ignore_index=1), [numbers(4, 3), np.array([0, 1, 2, 2]), numbers(3)], without=[1, 2])
        self.agree(lambda p, t, w: op.nn.nll_loss(p, t, w), [numbers(3), np.array(2), numbers(3)], without=[1, 2])

    def test_windows(self):
        kept = RNG.permutation(100).reshape(1, 1, 10, 10).astype("float32")      # no two elements are equal
        self.agree(lambda x: op.nn.max_pool2d(x, pool_size=(3, 3), strides=(2, 2), padding=(1, 1)), [kept])
        self.agree(lambda x: op.nn.avg_pool2d(x, pool_size=(3, 3), strides=(2, 2), padding=(1, 1), ceil_mode=True), [numbers(1, 2, 6, 6)])

    def test_operators_without_one(self):
        self.assertIsNone(Op.get("relax.floor").get_attr("FPrimalGradient"))
        self.assertIsNone(Op.get("tir.exp").get_attr("FPrimalGradient"))


class Rules(unittest.TestCase):
    def test_marks_are_their_arguments(self):
        x = relax.Var("x", relax.TensorStructInfo((3,), "float32"))
        for name in ("no_grad", "start_checkpoint", "end_checkpoint"):
            run = function([x], lambda b, name=name: op.exp(b.emit(getattr(op.grad, name)(x))))
            np.testing.assert_allclose(run(tvm.nd.array(np.zeros(3, "float32"))).numpy(), np.ones(3))

    def test_a_build_takes_rules_of_programs(self):
        for name, infer in (("test.derivatives.twice", lambda call, ctx: call.args[0].struct_info),):
            tvm.ir.register_op_attr(name, "FInferStructInfo", infer)
            tvm.ir.register_op_attr(name, "FPurity", True)
            tvm.ir.register_op_attr(name, "FLegalize", lambda builder, call: op.add(call.args[0], call.args[0]))
        x = relax.Var("x", relax.TensorStructInfo((3,), "float32"))
        run = function([x], lambda b: relax.Call(Op.get("test.derivatives.twice"), [x]))
        np.testing.assert_allclose(run(tvm.nd.array(np.arange(3, dtype="float32"))).numpy(), [0, 2, 4])
        for attr in ("FInferStructInfo", "FPurity", "FLegalize"):
            Op.get("test.derivatives.twice").reset_attr(attr)

    def test_attributes_that_are_not_given(self):
        x, i = variables([numbers(5), np.array([1, 3])])
        call = op.take(x, i)
        self.assertIsNone(call.attrs.axis)
        self.assertIsNone(call.attrs["axis"])
        self.assertEqual(dict(call.attrs.items()), {"axis": None})
        tvm.ir.assert_structural_equal(relax.Call(call.op, call.args, attrs=call.attrs), call)


if __name__ == "__main__":
    tap.main()
