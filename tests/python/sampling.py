"""Choosing tokens by their probabilities, against the same said with numpy, one row at a time."""
import unittest

import numpy as np
import tap
import tvm
from tvm import relax
from tvm.relax.frontend import nn
from tvm.relax.backend.gpu_generic import gpu_multinomial_from_uniform
from tvm.relax.frontend.nn import op, spec
from tvm.script import ir as I
from tvm.script import relax as R

DTYPES = {"prob": "float32", "sorted_prob": "float32", "sorted_index": "int64", "top_p": "float32", "top_k": "int64", "uniform_sample": "float32",
          "sample_indices": "int64"}


def compiled(function, shapes, **dtypes):
    """A function of nn's tensors, run: shapes by the names of its arguments."""

    class Model(nn.Module):
        def forward(self, *args):
            return function(*args)

    types = dict(DTYPES, **dtypes)
    arguments = ", ".join(shapes)
    space = {"function": function}
    exec(f"def forward(self, {arguments}):\n    return function({arguments})", space)
    Model.forward = space["forward"]
    mod, _ = Model().export_tvm(spec={"forward": {name: spec.Tensor(shape, types[name]) for name, shape in shapes.items()}})
    with tvm.target.Target("llvm"):
        mod = relax.backend.DispatchSampling()(mod)
    vm = relax.VirtualMachine(relax.build(mod, "llvm"), tvm.cpu())
    return lambda *arrays: vm["forward"](*[tvm.nd.array(np.ascontiguousarray(array)) for array in arrays]).numpy()


def sums_of(row):
    """Running sums as single precision has them."""
    total, result = np.float32(0), []
    for value in row:
        total = np.float32(total + np.float32(value))
        result.append(total)
    return result


def chosen(row, p, k):
    """How many of a falling row are chosen: one more than there are that stay below both limits."""
    number = 1
    for at, total in enumerate(sums_of(row)):
        if not (total < np.float32(p) and at + 1 < k):
            break
        number = at + 2
    return min(number, len(row))


def sampled(sorted_prob, sorted_index, top_p, top_k, drawn, rows):
    result = []
    for u, row in zip(drawn[:, 0], rows[:, 0]):
        sums = sums_of(sorted_prob[row])
        whole = sums[chosen(sorted_prob[row], top_p[row, 0], top_k[row, 0]) - 1]
        at = next((j for j, total in enumerate(sums) if np.float32(u) < np.float32(total / whole)), len(sums) - 1)
        result.append([sorted_index[row, at]])
    return np.array(result)


def renormalized(prob, sorted_prob, top_p, top_k):
    result = np.zeros_like(prob)
    for i, row in enumerate(prob):
        least = sorted_prob[i, chosen(sorted_prob[i], top_p[i, 0], top_k[i, 0]) - 1]
        kept = np.where(row >= least, row, 0)
        result[i] = kept / kept.sum()
    return result


def draw(rng, rows, tokens):
    """Distributions, their falling order, and limits with the corners among them."""
    prob = rng.dirichlet(np.full(tokens, rng.choice([0.1, 1.0, 20.0])), rows).astype("float32")
    if rng.rand() < 0.3:
        prob = np.round(prob, 1).astype("float32")              # equal ones, and sums that are not 1
        prob[:, 0] = np.maximum(prob[:, 0], np.float32(0.1))
    order = np.argsort(-prob, axis=1, kind="stable")
    top_p = rng.choice([0.0, 0.3, 0.7, 0.95, 1.0, 2.0], (rows, 1)).astype("float32")
    top_k = rng.choice([1, 2, tokens // 2 + 1, tokens, tokens + 5], (rows, 1)).astype("int64")
    return prob, np.take_along_axis(prob, order, 1), order.astype("int64"), top_p, top_k


class Sampling(unittest.TestCase):
    def check_samples(self, rows, tokens, count, symbolic):
        b, v, n = ("b", "v", "n") if symbolic else (rows, tokens, count)
        run = compiled(op.sample_top_p_top_k_from_sorted_prob, {"sorted_prob": (b, v), "sorted_index": (b, v), "top_p": (b, 1), "top_k": (b, 1),
                                                                "uniform_sample": (n, 1), "sample_indices": (n, 1)})
        rng = np.random.RandomState(rows + tokens)
        for _ in range(12):
            prob, falling, order, top_p, top_k = draw(rng, rows, tokens)
            drawn = rng.choice([0.0, 0.25, 0.5, 0.75, 0.999999, rng.rand()], (count, 1)).astype("float32")
            where = rng.randint(0, rows, (count, 1)).astype("int64")
            np.testing.assert_array_equal(run(falling, order, top_p, top_k, drawn, where), sampled(falling, order, top_p, top_k, drawn, where))

    def test_samples(self):
        self.check_samples(2, 7, 5, False)
        self.check_samples(1, 1, 2, False)
        self.check_samples(3, 40, 9, True)

    def test_each_its_own(self):
        rng = np.random.RandomState(5)
        run = compiled(op.sample_top_p_top_k_from_sorted_prob, {"sorted_prob": (4, 6), "sorted_index": (4, 6), "top_p": (4, 1), "top_k": (4, 1),
                                                                "uniform_sample": (4, 1)}, sorted_index="int32", top_k="int32")
        prob, falling, order, top_p, top_k = draw(rng, 4, 6)
        drawn, own = rng.rand(4, 1).astype("float32"), np.arange(4).reshape(4, 1)
        found = run(falling, order.astype("int32"), top_p, top_k.astype("int32"), drawn)
        self.assertEqual(found.dtype, np.int32)
        np.testing.assert_array_equal(found, sampled(falling, order, top_p, top_k, drawn, own))

    def test_only_the_chosen_are_drawn(self):
        run = compiled(op.sample_top_p_top_k_from_sorted_prob, {"sorted_prob": (1, 5), "sorted_index": (1, 5), "top_p": (1, 1), "top_k": (1, 1),
                                                                "uniform_sample": ("n", 1), "sample_indices": ("n", 1)})
        falling, order = np.array([[0.4, 0.3, 0.15, 0.1, 0.05]], "float32"), np.array([[3, 1, 4, 0, 2]])
        drawn = np.linspace(0, 1, 200, endpoint=False, dtype="float32").reshape(-1, 1)
        where = np.zeros((200, 1), "int64")
        for p, k, tokens in ((1.0, 1, {3}), (1.0, 2, {3, 1}), (0.5, 5, {3, 1}), (0.0, 5, {3}), (2.0, 9, {0, 1, 2, 3, 4}), (0.8, 3, {3, 1, 4})):
            found = run(falling, order, np.array([[p]], "float32"), np.array([[k]]), drawn, where)
            self.assertEqual(set(found.ravel().tolist()), tokens, (p, k))
            share = falling[0, :len(tokens)] / falling[0, :len(tokens)].sum()
            counts = [int((found == token).sum()) for token in order[0, :len(tokens)]]
            np.testing.assert_allclose(np.array(counts) / 200, share, atol=0.011)

    def test_renormalized(self):
        for rows, tokens, symbolic in ((3, 9, False), (1, 1, False), (2, 33, True)):
            b, v = ("b", "v") if symbolic else (rows, tokens)
            run = compiled(op.renormalize_top_p_top_k_prob, {"prob": (b, v), "sorted_prob": (b, v), "top_p": (b, 1), "top_k": (b, 1)})
            rng = np.random.RandomState(tokens)
            for _ in range(12):
                prob, falling, _, top_p, top_k = draw(rng, rows, tokens)
                found = run(prob, falling, top_p, top_k)
                np.testing.assert_allclose(found, renormalized(prob, falling, top_p, top_k), rtol=2e-6, atol=1e-7)
                np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-5)

    def test_from_a_distribution(self):
        run = compiled(op.multinomial_from_uniform, {"prob": (3, 8), "uniform_sample": (6, 1), "sample_indices": (6, 1)})
        rng = np.random.RandomState(3)
        prob = rng.dirichlet(np.ones(8), 3).astype("float32")
        drawn, where = rng.rand(6, 1).astype("float32"), rng.randint(0, 3, (6, 1)).astype("int64")
        expected = [[next((j for j, total in enumerate(sums_of(prob[row])) if u < total), 7)] for u, row in zip(drawn[:, 0], where[:, 0])]
        np.testing.assert_array_equal(run(prob, drawn, where), expected)

    def test_from_a_distribution_by_threads(self):
        @I.ir_module
        class Drawn:
            @R.function
            def main(prob: R.Tensor((3, "v"), "float32"), u: R.Tensor(("n", 1), "float32"), row: R.Tensor(("n", 1), "int64")):
                with R.dataflow():
                    token = R.multinomial_from_uniform(prob, u, row, dtype="int64")
                    R.output(token)
                return token

        target, dev = tvm.target.Target("cuda", host="llvm"), tvm.cuda(0)
        with target:
            module = relax.backend.DispatchSampling()(Drawn)
        kernel, = [func for _, func in module.functions_items() if isinstance(func, tvm.tir.PrimFunc)]
        self.assertTrue(kernel.attrs["tir.is_scheduled"])
        built = tvm.build(kernel, target=target)
        rng = np.random.RandomState(11)
        for tokens in (5, 512, 513, 1100):                      # less than a tile, one, and more
            prob = rng.dirichlet(np.ones(tokens), 3).astype("float32")
            prob[:, ::3] = 0                                    # which are never drawn
            prob /= prob.sum(axis=1, keepdims=True)
            drawn, where = rng.rand(4, 1).astype("float32"), rng.randint(0, 3, (4, 1)).astype("int64")
            found = tvm.nd.array(np.zeros((4, 1), "int64"), dev)
            built["parallel_sampling_from_prob"](*[tvm.nd.array(a, dev) for a in (prob, drawn, where)], found)
            for u, row, token in zip(drawn[:, 0], where[:, 0], found.numpy()[:, 0]):
                sums = np.cumsum(prob[row], dtype="float64")
                self.assertGreater(prob[row, token], 0)
                self.assertLessEqual(sums[token] - prob[row, token] - 1e-5, u)
                self.assertGreaterEqual(sums[token] + 1e-5, u)
        with self.assertRaisesRegex(ValueError, "tx_len is a power of two, not 24"):
            gpu_multinomial_from_uniform(tx_len=24)

    def test_refused(self):
        for shapes in ({"prob": (3, 8), "uniform_sample": (6, 1)}, {"prob": (3, 8), "uniform_sample": (6, 1), "sample_indices": (5, 1)}):
            with self.assertRaisesRegex(AssertionError, "sample_indices"):
                compiled(op.multinomial_from_uniform, shapes)


if __name__ == "__main__":
    tap.main()
