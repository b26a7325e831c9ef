"""torch.fx graphs: what from_fx makes of them, and that it computes what torch computes.  Skipped where there is no torch."""
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
from tvm.script import relax as R

if torch is None:
    class Frontend(unittest.TestCase):
        @unittest.skip("python3-torch is not installed")
        def test_all(self):
            pass

    tap.main()

from tvm.relax.frontend import detach_params
from tvm.relax.frontend.torch import add_rules, from_fx

torch.manual_seed(3)


class Call(nn.Module):
    """A function as a model."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def trace(model, n):
    if isinstance(model, nn.Module) and not isinstance(model, Call):
        return fx.symbolic_trace(model.eval())
    function = model.function if isinstance(model, Call) else model

    class One(nn.Module):
        def forward(self, a):
            return function(a)

    class Two(nn.Module):
        def forward(self, a, b):
            return function(a, b)

    class Three(nn.Module):
        def forward(self, a, b, c):
            return function(a, b, c)

    return fx.symbolic_trace((One, Two, Three)[n - 1]())


def imported(model, inputs, **options):
    graph = trace(model, len(inputs))
    return graph, from_fx(graph, [(tuple(x.shape), str(x.dtype).replace("torch.", "")) for x in inputs], **options)


def run(mod, inputs):
    vm = relax.VirtualMachine(relax.build(mod, target=tap.LLVM), tvm.cpu())
    return vm["main"](*[tvm.nd.array(x.numpy()) for x in inputs])


def rand(*shape):
    return torch.rand(shape) * 0.8 + 0.1


def ints(high, *shape):
    return torch.randint(0, high, shape)


X, Y, IMAGE, SEQ = (rand(3, 4), rand(3, 4), torch.randn(2, 4, 8, 8), torch.randn(2, 5, 8)) if torch is not None else (None,) * 4

FUNCTIONS = {
    "elementwise": [lambda x, f=getattr(torch, name): f(x) for name in
                    "abs acos asin asinh atan atanh ceil cos cosh erf exp floor log log10 log1p log2 neg reciprocal relu round rsqrt selu sigmoid sign sin sinh "
                    "sqrt square tan tanh trunc expm1 exp2".split()],
    "activations": [lambda x, f=getattr(F, name): f(x - 0.5) for name in
                    "celu elu gelu hardsigmoid hardswish hardtanh leaky_relu logsigmoid mish relu relu6 selu silu softplus softshrink softsign tanhshrink".split()]
                   + [lambda x: F.gelu(x - 0.5, approximate="tanh"), lambda x: F.elu(x - 0.5, alpha=0.3), lambda x: F.leaky_relu(x - 0.5, 0.2),
                      lambda x: F.softmax(x, dim=1), lambda x: F.log_softmax(x, dim=0), lambda x: x.softmax(-1)],
    "arithmetic": [lambda x: x + 1, lambda x: 2 - x, lambda x: x * 3.5, lambda x: 1 / x, lambda x: x ** 2, lambda x: -x, lambda x: torch.clamp(x, 0.2, 0.6),
                   lambda x: x.clamp(min=0.3), lambda x: torch.clip(x, max=0.4), lambda x: x // 0.3, lambda x: torch.add(x, x, alpha=2),
                   lambda x: x.pow(0.5), lambda x: torch.maximum(x, 1 - x), lambda x: torch.rsub(x, 2), lambda x: torch.lerp(x, x * 2, x),
                   lambda x: torch.where(x > 0.5, x, -x), lambda x: (x > 0.5).float(), lambda x: x.masked_fill(x > 0.5, 0.0)],
    "reductions": [lambda x: x.sum(), lambda x: x.sum(1), lambda x: x.mean(dim=0, keepdim=True), lambda x: torch.mean(x, -1), lambda x: x.prod(1), lambda x: torch.amax(x, 1),
                   lambda x: x.amin(0), lambda x: torch.argmax(x, 1), lambda x: x.argmin(0), lambda x: torch.cumsum(x, 1), lambda x: x.max(), lambda x: torch.argsort(x, 1),
                   lambda x: torch.linalg.vector_norm(x, 2, 1), lambda x: torch.norm(x, p=float("inf"), dim=1), lambda x: torch.norm(x, p=0.5, dim=1, keepdim=True)],
    "shapes": [lambda x: x.reshape(4, 3), lambda x: x.view(-1), lambda x: x.view(2, -1), lambda x: x.t(), lambda x: x.transpose(0, 1), lambda x: x.permute(1, 0), lambda x: x.flatten(),
               lambda x: x.unsqueeze(1), lambda x: x.unsqueeze(0).squeeze(0), lambda x: x.expand(2, 3, 4), lambda x: x.unsqueeze(1).expand(-1, 5, -1),
               lambda x: x.repeat(2, 2), lambda x: torch.tile(x, (1, 2)), lambda x: torch.cat([x, x * 2], dim=1), lambda x: torch.stack([x, -x], dim=1), lambda x: torch.flip(x, [1]),
               lambda x: torch.split(x, 2, dim=1)[1], lambda x: torch.split(x, [1, 3], dim=1)[1], lambda x: x.chunk(2, dim=1)[0], lambda x: torch.unbind(x, 0)[2],
               lambda x: x.view(x.size(0), -1), lambda x: x.reshape(x.shape[0] * 2, 2), lambda x: x.contiguous().view(x.size(1), x.size(0)), lambda x: torch.tril(x),
               lambda x: x.triu(1), lambda x: x.view(x.numel()), lambda x: x[1:], lambda x: x[:, 1:3], lambda x: x[..., 0:2], lambda x: x[:, None], lambda x: x.to(torch.float64),
               lambda x: x.float(), lambda x: x.dim() * x, lambda x: torch.select(x, 1, 2), lambda x: F.pad(x, (1, 2)), lambda x: x.type_as(x), lambda x: x.new_ones(2, 2) + x.sum(),
               lambda x: torch.ones_like(x) + x, lambda x: torch.full((3, 4), 2.0) + x, lambda x: torch.einsum("ij,kj->ik", x, x),
               lambda x: torch.narrow(x, 1, 1, 2), lambda x: torch.roll(x, 1), lambda x: torch.roll(x, (-1, 1), (0, 1)),
               lambda x: torch.ops.aten.add(x, x), lambda x: torch.ops.aten.mul.Tensor(x, x)],
}
PAIRS = [lambda x, y: x + y, lambda x, y: x - y, lambda x, y: torch.mul(x, y), lambda x, y: x / y, lambda x, y: torch.pow(x, y), lambda x, y: torch.min(x, y), lambda x, y: x < y,
         lambda x, y: torch.eq(x, y), lambda x, y: x @ y.t(), lambda x, y: torch.mm(x, y.transpose(0, 1)), lambda x, y: torch.addmm(x @ x.t(), x, y.t(), beta=0.5, alpha=2),
         lambda x, y: torch.outer(x[0:1].view(-1), y[0:1].view(-1)), lambda x, y: torch.atan(x) + y.add_(1)]


class Block(nn.Module):
    def __init__(self, how):
        super().__init__()
        self.how = how
        self.norm = nn.LayerNorm(8)
        self.qkv = nn.Linear(8, 24)
        self.out = nn.Linear(8, 8)
        self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8)
        self.attend = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        y = self.norm(x)
        if self.how == "module":
            y = self.attend(y, y, y, need_weights=False)[0]
        else:
            qkv = self.qkv(y)
            q, k, v = (qkv[:, :, 8 * i:8 * i + 8].view(2, 5, 2, 4).transpose(1, 2) for i in range(3))
            y = torch.matmul(F.softmax(q @ k.transpose(-2, -1) / 2.0, dim=-1), v)
            y = self.out(y.transpose(1, 2).reshape(2, 5, 8))
        x = x + y
        return x + self.down(F.gelu(self.up(self.norm(x))))


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn, self.conv2 = nn.Conv2d(4, 6, 3, padding=1), nn.BatchNorm2d(6), nn.Conv2d(6, 6, 3, stride=2, groups=3)
        self.pool, self.fc = nn.MaxPool2d(2), nn.Linear(6, 3)

    def forward(self, x):
        x = self.pool(F.relu(self.bn(self.conv1(x))))
        x = F.adaptive_avg_pool2d(self.conv2(x), (1, 1))
        return self.fc(torch.flatten(x, 1))


class MyModel(nn.Module):
    """That of the course."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(128, 128))

    def forward(self, x):
        return torch.relu(torch.matmul(x, self.weight))


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear0, self.relu, self.linear1 = nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10)

    def forward(self, x):
        return self.linear1(self.relu(self.linear0(x)))


def modules():
    yield MyModel(), [torch.randn(1, 128)]
    yield Mlp(), [torch.randn(1, 784)]
    yield Cnn(), [IMAGE]
    yield Block("functions"), [SEQ]
    yield Block("module"), [SEQ]
    for layer in (nn.Conv2d(4, 3, 3, stride=2, padding=1, dilation=1), nn.Conv2d(4, 3, 3, bias=False, padding="same"), nn.MaxPool2d(3, 2, 1), nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(2),
                  nn.BatchNorm2d(4), nn.GroupNorm(2, 4), nn.InstanceNorm2d(4), nn.Dropout2d(), nn.Flatten(), nn.Flatten(2, -1), nn.PReLU(4), nn.Softmax(dim=1),
                  nn.LogSoftmax(dim=1), nn.ELU(0.5), nn.CELU(0.7), nn.Hardtanh(-0.3, 0.2), nn.LeakyReLU(0.3), nn.Softplus(2.0), nn.ReLU6(), nn.SiLU(), nn.SELU(), nn.GELU("tanh"),
                  nn.Identity(), nn.Hardswish(), nn.Hardsigmoid(), nn.Mish(), nn.Softshrink(0.4), nn.LayerNorm([8, 8]), nn.PixelShuffle(2)):
        yield nn.Sequential(layer), [IMAGE]
    yield nn.Sequential(nn.Conv1d(5, 4, 3, padding=1)), [SEQ]
    yield nn.Sequential(nn.Embedding(10, 6)), [ints(10, 2, 3)]
    yield nn.Sequential(nn.Embedding(10, 6)), [ints(10, 4)]


class Values(unittest.TestCase):
    """The same numbers as torch, to 1e-5."""

    def same(self, model, inputs, what):
        copies = [x.clone() for x in inputs]
        try:
            graph, mod = imported(model, inputs)
            with torch.no_grad():
                expected = graph(*copies)
            result = run(mod, inputs).numpy()
            np.testing.assert_allclose(result, expected.numpy(), rtol=1e-5, atol=1e-5)
            self.assertEqual(result.shape, tuple(expected.shape))
        except Exception as error:
            return f"{what}: {type(error).__name__}: {str(error)[:300]}"
        return None

    def none_of(self, problems):
        problems = [x for x in problems if x is not None]
        if problems:
            self.fail("\n".join(problems))

    def test_modules(self):
        self.none_of(self.same(model, inputs, f"{i} {model}") for i, (model, inputs) in enumerate(modules()))

    def test_two_operands(self):
        self.none_of(self.same(f, [X, Y], f"pair {i}") for i, f in enumerate(PAIRS))

    def test_convolution(self):
        w, b = torch.randn(3, 4, 3, 3), torch.randn(3)
        self.none_of([self.same(lambda x, w: F.conv2d(x, w, padding=1, stride=2), [IMAGE, w], "conv2d"), self.same(lambda x, w, b: F.conv2d(x, w, b), [IMAGE, w, b], "conv2d with bias"),
                      self.same(lambda x: F.avg_pool2d(x, 3, 2), [IMAGE], "avg_pool2d"), self.same(lambda x: F.max_pool2d(x, 2), [IMAGE], "max_pool2d"),
                      self.same(lambda x: F.interpolate(x, size=(15, 15), mode="bilinear"), [IMAGE], "interpolate"),
                      self.same(lambda x: F.layer_norm(x, (8, 8)), [IMAGE], "layer_norm")])

    def test_three_operands(self):
        a, b, c = torch.randn(2, 3, 4), torch.randn(2, 4, 5), torch.randn(2, 3, 5)
        self.none_of([self.same(lambda c, a, b: torch.baddbmm(c, a, b), [c, a, b], "baddbmm"), self.same(lambda a, b, c: a.bmm(b) + c, [a, b, c], "bmm"),
                      self.same(lambda x, i: torch.gather(x, 1, i), [X, ints(4, 3, 2)], "gather"), self.same(lambda x, i: torch.index_select(x, 0, i), [X, ints(3, 5)], "index_select"),
                      self.same(lambda x, y: torch.isin(x, y), [ints(9, 3, 4).float(), ints(9, 5).float()], "isin"),
                      self.same(lambda x, i, y: x.clone().index_put_((i,), y), [torch.randn(16), torch.arange(6) * 2, torch.randn(6)], "index_put_"),
                      self.same(lambda w, i: F.embedding(i, w), [X, ints(3, 2, 2)], "embedding"), self.same(lambda x, w, b: F.linear(x, w, b), [X, rand(5, 4), rand(5)], "linear")])


for _name, _functions in FUNCTIONS.items():
    setattr(Values, "test_" + _name, lambda self, name=_name, functions=_functions: self.none_of(self.same(f, [X], f"{name} {i}") for i, f in enumerate(functions)))


class Text(unittest.TestCase):
    """What TVM makes."""

    def test_linear(self):
        _, mod = imported(nn.Sequential(nn.Linear(4, 5)), [X])

        @tvm.script.ir_module
        class Expected:
            @R.function
            def main(inp_0: R.Tensor((3, 4), dtype="float32"), w: R.Tensor((5, 4), dtype="float32"), b: R.Tensor((5,), dtype="float32")) -> R.Tensor((3, 5), dtype="float32"):
                with R.dataflow():
                    lv: R.Tensor((4, 5), dtype="float32") = R.permute_dims(w, axes=None)
                    lv1: R.Tensor((3, 5), dtype="float32") = R.matmul(inp_0, lv, out_dtype="float32")
                    lv2: R.Tensor((3, 5), dtype="float32") = R.add(lv1, b)
                    gv: R.Tensor((3, 5), dtype="float32") = lv2
                    R.output(gv)
                return gv

        model = nn.Sequential(nn.Linear(4, 5))
        mod = from_fx(fx.symbolic_trace(model), [((3, 4), "float32")])
        bound = relax.transform.BindParams("main", {"w": model[0].weight.detach().numpy(), "b": model[0].bias.detach().numpy()})(Expected)
        tvm.ir.assert_structural_equal(mod, bound)

    def test_kept_parameters(self):
        model = nn.Sequential(nn.Linear(4, 5))
        mod = from_fx(fx.symbolic_trace(model), [((3, 4), "float32")], keep_params_as_input=True)
        self.assertEqual([p.name_hint for p in mod["main"].params], ["inp_0", "0.bias", "0.weight"])
        self.assertEqual((int(mod["main"].attrs["num_input"]), mod["main"].attrs["num_input"].dtype), (1, "int32"))
        detached, params = detach_params(mod)
        self.assertNotIn("params", detached["main"].attrs)
        np.testing.assert_array_equal(params["main"][1].numpy(), model[0].weight.detach().numpy())
        vm = relax.VirtualMachine(relax.build(detached, target="llvm"), tvm.cpu())
        np.testing.assert_allclose(vm["main"](tvm.nd.array(X.numpy()), *params["main"]).numpy(), model(X).detach().numpy(), rtol=1e-5, atol=1e-5)

    def test_tuples(self):
        class Unit(nn.Module):
            def forward(self, x):
                return (x + 1,)

        class Two(nn.Module):
            def forward(self, x):
                return x + 1, x * 2

        info = [((3, 4), "float32")]
        self.assertIn("R.Tuple(R.Tensor((3, 4)", from_fx(fx.symbolic_trace(Unit()), info).script())
        self.assertIn("-> R.Tensor((3, 4)", from_fx(fx.symbolic_trace(Unit()), info, unwrap_unit_return_tuple=True).script())
        self.assertIn("return (gv, gv1)", from_fx(fx.symbolic_trace(Two()), info, no_bind_return_tuple=True).script())

    def test_symbolic(self):
        n = tvm.tir.Var("n", "int64")
        mod = from_fx(fx.symbolic_trace(Mlp()), [((n, 784), "float32")])
        self.assertIn("(\"n\", 784)", mod.script())
        vm = relax.VirtualMachine(relax.build(mod, target="llvm"), tvm.cpu())
        self.assertEqual(vm["main"](tvm.nd.array(np.zeros((7, 784), "float32"))).numpy().shape, (7, 10))

    def test_shared_parameters(self):
        class Tied(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(4, 4, bias=False)
                self.b = nn.Linear(4, 4, bias=False)
                self.b.weight = self.a.weight

            def forward(self, x):
                return self.b(self.a(x))

        mod = from_fx(fx.symbolic_trace(Tied()), [((3, 4), "float32")], keep_params_as_input=True)
        self.assertEqual(len(mod["main"].params), 2)

    def test_unknown(self):
        with self.assertRaises(tvm.TVMError) as caught:
            imported(lambda x: torch.fft.fft(x), [X])
        self.assertIn("torch.fft", str(caught.exception))
        self.assertIn("supported are ", str(caught.exception))

    def test_rules(self):
        add_rules("frac(x) = subtract(x, floor(x))")
        self.assertIsNone(Values().same(lambda x: torch.frac(x * 3), [X], "frac"))

    def test_custom(self):
        def twice(node, importer):
            x = importer.env[node.args[0]]
            return importer.block_builder.emit(relax.op.add(x, x))

        graph = trace(lambda x: torch.fft.fft(x.relu()) + 1, 1)
        mod = from_fx(graph, [((3, 4), "float32")], custom_convert_map={"fft_fft": twice, "fft": twice})
        self.assertIn("R.add(lv, lv)", mod.script())

    def test_what_a_converter_is_given(self):
        from tvm.relax.frontend.torch.fx_translator import TorchFXImporter

        def shifted(node, importer: TorchFXImporter):
            x, by = importer.env[node.args[0]], importer._convert_torch_tensor_to_relax(torch.ones(4))
            self.assertEqual((importer.shape_of(x)[1], importer._convert_data_type(torch.float16)), (4, "float16"))
            return importer.block_builder.emit(relax.op.add(x, by))

        mod = from_fx(trace(lambda x: torch.fft.fft(x), 1), [((3, 4), "float32")], custom_convert_map={"fft_fft": shifted, "fft": shifted})
        np.testing.assert_array_equal(run(mod, [X]).numpy(), X.numpy() + 1)


class Resizing(unittest.TestCase):
    def test_the_region_is_that_of_the_operator(self):
        mod = from_fx(trace(lambda x: F.interpolate(x, size=(5, 5)), 1), [((1, 3, 10, 10), "float32")])
        x = relax.Var("x", relax.TensorStructInfo((1, 3, 10, 10), "float32"))
        wanted = relax.op.image.resize2d(x, (5, 5), layout="NCHW", method="nearest_neighbor", coordinate_transformation_mode="asymmetric")
        tvm.ir.assert_structural_equal(mod["main"].body.blocks[0].bindings[0].value.attrs, wanted.attrs)


tap.main()
