"""Training: losses, optimizers, AppendLoss, and a model that learns."""
import unittest

import numpy as np
import tap
import tvm
import tvm.testing
from tvm import relax, te, topi
from tvm.relax.training import AppendLoss, SetupTrainer, Trainer
from tvm.relax.training.loss import CategoricalCrossEntropyLoss, CrossEntropyLoss, L1Loss, MSELoss
from tvm.relax.training.optimizer import SGD, Adam, MomentumSGD
from tvm.script import ir as I, relax as R


@I.ir_module
class Backbone:
    I.module_attrs({"param_num": 2, "state_num": 1})

    @R.function
    def backbone(x: R.Tensor((1, 4), "float32"), w: R.Tensor((4, 3), "float32"), b: R.Tensor((3,), "float32"), n: R.Tensor((), "float32")):
        with R.dataflow():
            lv = R.matmul(x, w)
            out = R.add(lv, b)
            seen = R.add(n, R.const(1, "float32"))
            R.output(out, seen)
        return out, seen


def info(*shape, dtype="float32"):
    return relax.TensorStructInfo(shape, dtype)


def run(func, *args):
    mod = tvm.IRModule({"f": func.with_attr("global_symbol", "f")})
    return relax.VirtualMachine(tvm.compile(relax.transform.LegalizeOps()(mod), tap.LLVM), tvm.cpu())["f"](*args)


class Optimizers(unittest.TestCase):
    def check(self, optimizer, reference):
        rng = np.random.default_rng(3)
        values, grads = [[rng.random(s, "float32") for s in ((2, 3), (3,))] for _ in range(2)]
        optimizer.init([relax.Var(n, info(*v.shape)) for n, v in zip("xy", values)])
        func, state = optimizer.get_function(), optimizer.state
        expected = reference(values, grads)
        for want in (next(expected), next(expected), next(expected)):
            params = [tvm.nd.array(x) for x in values]
            got, state = run(func, params, [tvm.nd.array(x) for x in grads], list(state))
            state = list(state)
            values = [x.numpy() for x in got]
            for a, b in zip(values, want):
                np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
        self.assertEqual(int(state[0].numpy()), 3)

    def test_sgd(self):
        def reference(values, grads):
            while True:
                values = [v - 0.1 * (g + 0.5 * v) for v, g in zip(values, grads)]
                yield values

        self.check(SGD(0.1, 0.5), reference)

    def test_momentum(self):
        def reference(values, grads):
            speed = [0, 0]
            while True:
                full = [g + 0.02 * v for v, g in zip(values, grads)]
                speed = [0.9 * s + 0.15 * g for s, g in zip(speed, full)]
                values = [v - 0.1 * (g + 0.9 * s) for v, g, s in zip(values, full, speed)]
                yield values

        self.check(MomentumSGD(0.1, 0.9, 0.85, 0.02, True), reference)

    def test_adam(self):
        def reference(values, grads):
            first, second, step = [0, 0], [0, 0], 0
            while True:
                step += 1
                first = [0.8 * m + 0.2 * g for m, g in zip(first, grads)]
                second = [0.9 * m + 0.1 * g * g for m, g in zip(second, grads)]
                values = [v - 0.1 * (m / (1 - 0.8 ** step)) / (np.sqrt(s / (1 - 0.9 ** step)) + 1e-7)
                          for v, m, s in zip(values, first, second)]
                yield values

        self.check(Adam(0.1, (0.8, 0.9), 1e-7), reference)

    def test_names_of_the_function(self):
        x = relax.Var("x", info(3))
        text = MomentumSGD(0.01, 0.9).init(x).get_function().script()
        for line in ("num_steps_new: R.Tensor((), dtype=\"int64\") = R.add(num_steps, R.const(1, \"int64\"))", "x_v_new: R.Tensor((3,), dtype=\"float32\") = R.add(lv, x_grad)",
                     "R.output(params_new, optim_states_new)"):
            self.assertIn(line, text)

    def test_what_is_refused(self):
        x, y = relax.Var("x", info(3)), relax.Var("y", info(3, dtype="float64"))
        for params in ([x, x], [x, y], relax.Var("i", info(3, dtype="int64")), relax.Var("t", relax.TupleStructInfo([info(3)])), relax.Tuple([x])):
            with self.assertRaises(ValueError):
                SGD(0.1).init(params)
        with self.assertRaisesRegex(RuntimeError, "Please call init\\(\\)"):
            SGD(0.1).get_function()


class Losses(unittest.TestCase):
    def test_values(self):
        a, b = np.array([[1, 2], [3, 5]], "float32"), np.array([[0, 4], [3, 1]], "float32")
        arrays = tvm.nd.array(a), tvm.nd.array(b)
        self.assertAlmostEqual(float(run(L1Loss()(info(2, 2), info(2, 2)), *arrays).numpy()), np.abs(a - b).mean(), 5)
        self.assertAlmostEqual(float(run(MSELoss("sum")(info(2, 2), info(2, 2)), *arrays).numpy()), ((a - b) ** 2).sum(), 4)

    def test_cross_entropy(self):
        a, weights = np.array([[1, 2, 3], [3, 5, 1]], "float32"), np.array([1, 2, 3], "float32")
        logits = a - np.log(np.exp(a).sum(axis=1, keepdims=True))
        func = CrossEntropyLoss("sum")(info(2, 3), info(2, dtype="int64"), info(3))
        got = run(func, tvm.nd.array(a), tvm.nd.array(np.array([2, 0])), tvm.nd.array(weights))
        self.assertAlmostEqual(float(got.numpy()), -3 * logits[0, 2] - logits[1, 0], 4)
        func = CategoricalCrossEntropyLoss("sum")(info(2, 3), info(2, 3, dtype="int64"), info(3))
        got = run(func, tvm.nd.array(a), tvm.nd.array(np.array([[0, 0, 1], [1, 0, 0]])), tvm.nd.array(weights))
        self.assertAlmostEqual(float(got.numpy()), -3 * logits[0, 2] - logits[1, 0], 4)
        with self.assertRaises(TypeError):
            CategoricalCrossEntropyLoss()(info(2, 3), info(2, 3))

    def test_append(self):
        mod = AppendLoss("backbone", MSELoss("sum")(info(1, 3), info(1, 3)))(Backbone)
        func = mod["backbone_loss"]
        self.assertEqual([p.name_hint for p in func.params], ["x", "w", "b", "n", "targets"])
        self.assertTrue(relax.analysis.well_formed(mod))
        kinds = {b.var.name_hint: isinstance(b.var, relax.DataflowVar) for b in func.body.blocks[0].bindings}
        self.assertEqual((kinds["out"], kinds["seen"]), (True, False))
        self.assertEqual(str(func.attrs["global_symbol"]), "backbone_loss")

    def test_append_refuses(self):
        for loss, count in ((MSELoss("none")(info(1, 3), info(1, 3)), 1), (MSELoss()(info(2, 3), info(2, 3)), 1), (MSELoss()(info(1, 3), info(1, 3)), 3)):
            with self.assertRaises(tvm.TVMError):
                AppendLoss("backbone", loss, count)(Backbone)


class Learning(unittest.TestCase):
    def test_trainer(self):
        pred = info(1, 3)
        mod = SetupTrainer(MSELoss("sum"), Adam(0.05), [pred, pred])(Backbone)
        self.assertEqual((int(mod.attrs["input_num"]), int(mod.attrs["param_num"])), (1, 2))
        vm = relax.VirtualMachine(tvm.compile(mod, "llvm"), tvm.cpu())
        trainer = Trainer(mod, vm, tvm.cpu(), False)
        with self.assertRaises(tvm.TVMError):
            trainer.predict(np.ones((1, 4), "float32"))
        trainer.xaiver_uniform_init_params()
        trainer.zero_init_states()
        x, y = np.ones((1, 4), "float32"), np.array([[0, 1, 0]], "float32")
        losses = [float(trainer.update(x, y).numpy()) for _ in range(150)]
        self.assertLess(losses[-1], 0.05 * max(losses))
        np.testing.assert_allclose(trainer.predict(x).numpy(), y, atol=0.1)
        self.assertEqual(float(trainer.export_states()["n"].numpy()), 150)
        other = Trainer(mod, vm, tvm.cpu())
        other.load_params(trainer.export_params())
        np.testing.assert_allclose(other.predict(x).numpy(), trainer.predict(x).numpy())

    def test_what_is_no_backbone(self):
        mod = Backbone.without_attr("param_num")
        for error in (tvm.TVMError, ValueError):
            with self.assertRaises(error):
                SetupTrainer(MSELoss(), SGD(0.1), [info(1, 3), info(1, 3)])(mod)


class WrittenDerivatives(unittest.TestCase):
    """Derivatives of call_tir_with_grad: tensor expressions that are registered under a name."""

    def adjoint_of(self, params, make):
        bb = relax.BlockBuilder()
        with bb.function("main", params):
            with bb.dataflow():
                made = bb.emit(make(bb))
                total = bb.emit_output(relax.op.sum(made))
            bb.emit_func_output(total)
        return relax.transform.Gradient("main")(bb.get())

    def test_of_two_arguments(self):
        @relax.training.utils.register_te_gradient("back_of_product")
        def back(grad, a, b):
            return [te.compute(a.shape, lambda *i: b(*i) * grad(*i)), te.compute(b.shape, lambda *i: a(*i) * grad(*i))]

        def product(a, b):
            return te.compute(a.shape, lambda *i: a(*i) * b(*i))

        a, b = (relax.Var(name, relax.TensorStructInfo((3, 2), "float32")) for name in "ab")
        mod = self.adjoint_of([a, b], lambda bb: bb.call_te_with_grad(product, a, b, te_grad_name="back_of_product"))
        self.assertEqual(len(mod["back_of_product"].params), 5)
        self.assertIn("R.call_tir(cls.back_of_product, (made_adjoint, a, b)".replace("made", "lv"), mod.script())
        self.assertTrue(relax.analysis.well_formed(mod))

    def test_with_a_number(self):
        relax.training.utils.register_te_gradient("back_of_scaling", lambda grad, a, k: te.compute(a.shape, lambda *i: grad(*i) * k))
        a = relax.Var("a", relax.TensorStructInfo((3,), "float32"))
        mod = self.adjoint_of([a], lambda bb: bb.call_te_with_grad(lambda x, k: topi.multiply(x, k), a, 2.0, primfunc_name_hint="scaled",
                                                                   te_grad_name="back_of_scaling", te_grad_kwargs={"k": 2.0}))
        self.assertIn("T.float32(2", mod["back_of_scaling"].script())
        mod = relax.transform.LegalizeOps()(mod)
        self.assertIn("a_adjoint", mod.script())

    def test_one_that_nobody_registered(self):
        a = relax.Var("a", relax.TensorStructInfo((3,), "float32"))
        with self.assertRaises(Exception):
            self.adjoint_of([a], lambda bb: bb.call_te_with_grad(topi.exp, a, te_grad_name="nobody"))


class Backward(unittest.TestCase):
    """The backward steps that Gradient brings in, legalized and run, against central differences."""

    def check(self, make, *inputs):
        bb = relax.BlockBuilder()
        params = [relax.Var(f"x{i}", relax.TensorStructInfo(x.shape, x.dtype.name)) for i, x in enumerate(inputs)]
        with bb.function("main", params):
            with bb.dataflow():
                made = bb.emit(make(*params))
                weights = np.random.default_rng(3).uniform(0.5, 1, [int(n) for n in made.struct_info.shape.values]).astype("float32")
                scaled = bb.emit(relax.op.multiply(made, relax.const(weights)))
                total = bb.emit_output(relax.op.sum(scaled))
            bb.emit_func_output(total)
        mod = relax.transform.LegalizeOps()(relax.transform.Gradient("main")(bb.get()))
        self.assertNotIn("R.grad", mod.script())
        machine = relax.VirtualMachine(tvm.compile(mod, "llvm"), tvm.cpu())
        _, grads = machine["main_adjoint"](*[tvm.nd.array(x) for x in inputs])
        tvm.testing.check_numerical_grads(lambda *x: machine["main"](*[tvm.nd.array(v) for v in x]).numpy(), list(inputs), [g.numpy() for g in grads])

    def test_pooling(self):
        distinct = np.random.default_rng(1).permutation(72).reshape(1, 2, 6, 6).astype("float32")
        for pool in (relax.op.nn.max_pool2d, relax.op.nn.avg_pool2d):
            for include in (False, True):
                self.check(lambda x: pool(x, pool_size=(3, 3), strides=(2, 2), padding=(1, 0, 1, 1), count_include_pad=include), distinct)

    def test_nll_loss(self):
        targets = relax.const((np.arange(12).reshape(2, 2, 3) % 4).astype("int64"))
        rows = np.random.default_rng(2).uniform(-1, 1, (2, 4, 2, 3)).astype("float32")
        for reduction in ("none", "sum", "mean"):
            self.check(lambda x: relax.op.nn.nll_loss(x, targets, reduction=reduction, ignore_index=2), rows)

    def test_take(self):
        data = np.random.default_rng(2).uniform(-1, 1, (3, 4, 2)).astype("float32")
        for axis, at in ((1, [3, 0, 3]), (0, [1]), (2, [0, 1, 1])):
            self.check(lambda x: relax.op.take(x, relax.const(np.array(at, "int64")), axis=axis), data)


if __name__ == "__main__":
    tap.main()
