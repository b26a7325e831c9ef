"""torch.fx graphs: what few models have, imported, compiled and run beside torch.  Skipped where there is no torch."""
import unittest

import tap

try:
    import numpy as np
    import torch
    from torch import fx, nn
    import torch.nn.functional as F
except ImportError:
    torch = None

import tvm
from tvm import relax

if torch is None:
    class Rare(unittest.TestCase):
        @unittest.skip("python3-torch is not installed")
        def test_all(self):
            pass

    tap.main()

from tvm.relax.frontend.torch import from_fx

torch.manual_seed(7)


def traced(model, n):
    """Of a module, or of a function of so many tensors."""
    if isinstance(model, Sequences):
        return fx.symbolic_trace(model)
    if isinstance(model, nn.Module):
        return fx.symbolic_trace(nn.Sequential(model))
    names = ", ".join("abc"[:n])
    space = {"nn": nn, "model": model}
    exec(f"class Model(nn.Module):\n    def forward(self, {names}):\n        return model({names})", space)        # pylint: disable=exec-used
    return fx.symbolic_trace(space["Model"]())


def ran(graph, given):
    mod = from_fx(graph, [(tuple(one.shape), str(one.dtype)) for one in given])
    vm = relax.VirtualMachine(relax.build(mod, tap.LLVM), tvm.cpu())
    result = vm["main"](*[tvm.nd.array(one.numpy()) for one in given])
    return result.numpy()


class Sequences(nn.Module):
    """A recurrent module whose results and last states make one tensor."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner.eval()

    def forward(self, x):
        both = self.inner(x)
        last = both[1][0] + both[1][1] * 2 if isinstance(self.inner, nn.LSTM) else both[1]
        return torch.flatten(both[0]) + torch.sum(last * last)


WIDE = torch.tensor([[-3.5, -2.0, -1.25, -0.5, -0.0, 0.0], [0.25, 0.5, 1.0, 2.0, 10.5, 101.0]])
A, B, ROW = torch.randn(3, 6), torch.randn(3, 6), torch.randn(6)
CUBE, IMAGE, SQUARE = torch.randn(2, 3, 4), torch.randn(2, 6, 5, 7), torch.randn(4, 5)
WHOLE = torch.tensor([[0, 3, -2], [0, 0, 0]])
PLACES = torch.tensor([[0, 2, 1, 0, 2, 2]])

ROWS = {
    "elementwise": [
        (torch.lgamma, WIDE), (torch.lgamma, torch.tensor([float("inf"), float("-inf"), 1e-3, 1e5, -7.99])), (torch.frac, WIDE), (torch.deg2rad, WIDE), (torch.rad2deg, WIDE),
        (torch.signbit, WIDE), (torch.signbit, WHOLE), (torch.hypot, A, B), (torch.hypot, A * 1e30, ROW * 1e30), (torch.atan2, A, B), (torch.atan2, A, ROW),
        (lambda a: a.atan2(a), A), (torch.logaddexp, A, B), (F.glu, A), (lambda a: F.glu(a, 1), IMAGE), (nn.GLU(1), IMAGE),
        (lambda a: F.threshold(a, 0.1, 20.0), A), (nn.Threshold(0.5, -2.0), A), (F.hardshrink, A), (nn.Hardshrink(0.2), A), (torch.copysign, A, B)],
    "reductions": [
        (lambda a: torch.any(a), WHOLE), (lambda a: torch.any(a, 1), WHOLE), (lambda a: torch.any(a, 0, True), WHOLE > 0), (lambda a: a.all(1), WHOLE), (lambda a: torch.all(a, 0), A),
        (torch.count_nonzero, WHOLE), (lambda a: torch.logsumexp(a, 1), A * 100), (lambda a: torch.logsumexp(a, (0, 1), True), A),
        (lambda a: torch.logsumexp(a, 0), torch.tensor([[1.0, float("-inf")], [2.0, float("-inf")]])),
        (F.normalize, A), (lambda a: F.normalize(a, p=1.0, dim=0), A), (lambda a: F.normalize(a, p=3.0, dim=-1), A), (F.normalize, torch.zeros(2, 3))],
    "order": [
        (lambda a: torch.movedim(a, 0, 2), CUBE), (lambda a: torch.movedim(a, (0, 1), (-1, 0)), CUBE), (lambda a: a.moveaxis(-1, 0), CUBE),
        (lambda a, b: torch.hstack((a, b)), A, B), (lambda a, b: torch.hstack((a, b)), ROW, ROW), (lambda a, b: torch.vstack((a, b)), A, ROW), (lambda a, b: torch.vstack((a, b)), ROW, ROW),
        (lambda a, b: torch.dstack((a, b)), A, B), (lambda a, b: torch.dstack((a, b)), ROW, ROW), (lambda a, b: torch.column_stack((a, b)), A, torch.randn(3)),
        (lambda a, b: torch.column_stack((a, b)), ROW, ROW), (nn.ChannelShuffle(3), IMAGE)],
    "diagonals": [
        (lambda a, k=k: torch.diag(a, k), x) for k in (0, 1, -2) for x in (ROW, SQUARE, SQUARE.T.contiguous())],
    "products": [
        (lambda a, b: torch.tensordot(a, b, 1), A, torch.randn(6, 2)), (lambda a, b: torch.tensordot(a, b, dims=([1, 0], [0, 1])), CUBE, torch.randn(3, 2, 5)),
        (lambda a, b: torch.tensordot(a, b, dims=([2], [1])), CUBE, torch.randn(3, 4)), (lambda a, b: torch.tensordot(a, b, 2), CUBE, torch.randn(3, 4, 5)),
        (lambda a, b: torch.tensordot(a, b, 0), ROW, torch.randn(2))],
    "places": [
        (lambda a, i: torch.scatter(a, 0, i, 1.5), A, PLACES), (lambda a, i: a.scatter(1, i, -2.0), A, PLACES), (lambda a, i: torch.scatter(a, 1, i, 3, reduce="add"), A, PLACES),
        (lambda a, i, s: torch.scatter(a, 0, i, s), A, PLACES, torch.randn(1, 6))],
    "layers": [
        (nn.LocalResponseNorm(3), IMAGE), (nn.LocalResponseNorm(4, 0.5, 0.9, 2.0), IMAGE), (lambda a: F.local_response_norm(a, 5), IMAGE),
        (nn.ReflectionPad1d(2), CUBE), (nn.ReflectionPad2d((1, 2, 3, 0)), IMAGE), (nn.ReplicationPad1d((3, 1)), CUBE), (nn.ReplicationPad2d(2), IMAGE),
        (nn.ConstantPad2d((1, 0, 2, 1), 2.5), IMAGE), (nn.ConstantPad1d(1, -1.0), CUBE), (nn.ZeroPad2d(1), IMAGE),
        (lambda a: F.pad(a, (2, 1), mode="reflect"), CUBE), (lambda a: F.instance_norm(a), IMAGE)],
    "masks": [
        (lambda a: a[a > 0], A), (lambda a: a[a > 100], A), (lambda a: a[torch.sum(a, 1) > -0.5] * 2, A), (lambda a: a[torch.sum(a, 2) > 0], CUBE), (lambda a, b: torch.sum(a[b < 0]), A, B)],
    "recurrent": [
        (Sequences(nn.LSTM(4, 5)), CUBE), (Sequences(nn.LSTM(4, 3, num_layers=2, batch_first=True, bidirectional=True, dropout=0.5)), CUBE), (Sequences(nn.LSTM(4, 5, bias=False)), CUBE),
        (Sequences(nn.GRU(4, 5, num_layers=2)), CUBE), (Sequences(nn.GRU(4, 3, bidirectional=True, bias=False)), CUBE), (Sequences(nn.RNN(4, 5, batch_first=True)), CUBE),
        (Sequences(nn.RNN(4, 3, nonlinearity="relu", bidirectional=True)), CUBE)],
}


class Rare(unittest.TestCase):
    def test_made_of_numbers(self):
        graph = fx.Graph()
        a = graph.placeholder("a")
        made = graph.call_function(torch.add, (a, graph.call_function(torch.eye, (3, 6))))
        made = graph.call_function(torch.mul, (made, graph.call_function(torch.linspace, (-2, 3.5, 6))))
        made = graph.call_function(torch.add, (made, graph.call_function(torch.linspace, (4, 9, 1))))
        graph.output(made)
        module = fx.GraphModule(nn.Module(), graph)
        np.testing.assert_allclose(ran(module, [A]), module(A).numpy(), rtol=1e-5, atol=1e-5)

    def test_states_are_given(self):
        class Begun(nn.Module):
            def __init__(self):
                super().__init__()
                self.lstm = nn.LSTM(4, 5)

            def forward(self, x, h, c):
                return self.lstm(x, (h, c))[0]

        graph, given = fx.symbolic_trace(Begun()), [CUBE, torch.randn(1, 3, 5), torch.randn(1, 3, 5)]
        with torch.no_grad():
            np.testing.assert_allclose(ran(graph, given), graph(*given).numpy(), rtol=2e-5, atol=2e-5)

    def test_what_cannot_be_of_sequences(self):
        for module, given, said in ((nn.LSTM(4, 5, proj_size=2), CUBE, "proj_size"), (nn.GRU(4, 5), torch.randn(3, 4), "sequences of 1 to")):
            with self.assertRaisesRegex(Exception, said):
                from_fx(fx.symbolic_trace(Sequences(module)), [(tuple(given.shape), "float32")])

    def test_what_cannot_be(self):
        for model, given, said in ((lambda a: F.glu(a, 0), A, "has no halves"), (nn.ChannelShuffle(4), IMAGE, "no whole number of groups"), (lambda a: torch.movedim(a, (0, 1), (2, 2)), CUBE, "moves twice"),
                                   (lambda a: torch.tensordot(a, a, 3), A, "cannot be summed"),
                                   (lambda a: torch.tensordot(a, a, dims=([0, 1], [0, 0])), CUBE, "summed twice"), (torch.diag, CUBE, "a vector or a matrix")):
            with self.assertRaisesRegex(Exception, said):
                from_fx(traced(model, 1), [(tuple(given.shape), "float32")])


def test_of(rows):
    def test(self):
        problems = []
        for n, (model, *given) in enumerate(rows):
            try:
                graph = traced(model, len(given))
                with torch.no_grad():
                    wanted = graph(*given).numpy()
                got = ran(graph, given)
                self.assertEqual((got.shape, got.dtype), (wanted.shape, wanted.dtype))
                np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=2e-5)
            except Exception as error:      # pylint: disable=broad-except
                problems.append(f"{n}: {type(error).__name__}: {error}")
        if problems:
            self.fail(f"{len(problems)} of {len(rows)}\n" + "\n".join(problems))
    return test


for _name, _rows in ROWS.items():
    setattr(Rare, "test_" + _name, test_of(_rows))


tap.main()
