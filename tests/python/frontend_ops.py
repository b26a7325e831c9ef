"""torch.fx graphs: the operators that from_fx makes of them, binding by binding, with every attribute.  Skipped where there is no torch."""
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
    class Operators(unittest.TestCase):
        @unittest.skip("python3-torch is not installed")
        def test_all(self):
            pass

    tap.main()

from tvm.relax.frontend.torch import from_fx

torch.manual_seed(5)


def const(value, dtype="float32"):
    return relax.const(value, dtype)


def weight(tensor):
    return relax.const(tensor.detach().numpy())


def module_of(info, make):
    """main (inp_0, ...): what `make (e, inp_0, ...)` emits with e, its result bound at the end."""
    builder = relax.BlockBuilder()
    inputs = [relax.Var(f"inp_{i}", relax.TensorStructInfo(shape, str(dtype).replace("torch.", ""))) for i, (shape, dtype) in enumerate(info)]
    with builder.function("main", inputs):
        with builder.dataflow():
            result = builder.emit_output(make(builder.emit, *inputs))
        builder.emit_func_output(result)
    return builder.get()


def traced(model, n):
    if isinstance(model, nn.Module):
        return fx.symbolic_trace(model)

    class One(nn.Module):
        def forward(self, a):
            return model(a)

    class Two(nn.Module):
        def forward(self, a, b):
            return model(a, b)

    class Three(nn.Module):
        def forward(self, a, b, c):
            return model(a, b, c)

    class Four(nn.Module):
        def forward(self, a, b, c, d):
            return model(a, b, c, d)

    return fx.symbolic_trace((One, Two, Three, Four)[n - 1]())


def held(function, **tensors):
    """A model that holds tensors and gives them to the function behind the input."""

    class Holder(nn.Module):
        def __init__(self):
            super().__init__()
            for name, value in tensors.items():
                setattr(self, name, value)

        def forward(self, x):
            return function(x, *[getattr(self, name) for name in tensors])

    return Holder()


def floats(*shapes):
    return [(shape, "float32") for shape in shapes]


IMAGE, MATRIX = floats((1, 3, 10, 10)), floats((10, 10))


def in_place(name, *args):
    def call(x):
        getattr(x, name)(*args)
        return x

    return call


def conv(op, layout, n, groups=1, **attributes):
    def make(w, b=None):
        def emit(e, x):
            y = e(op(x, weight(w), data_layout=layout, out_layout=layout, out_dtype="float32", **attributes))
            return y if b is None else e(R.add(y, e(R.reshape(weight(b), (1, b.shape[0]) + (1,) * n))))
        return emit
    return make


def convolutions():
    rows = [(nn.Conv1d, F.conv1d, (3, 6, 7), (1, 3, 10), conv(R.nn.conv1d, "NCW", 1, kernel_layout="OIW", strides=[1], padding=[0, 0], dilation=[1])),
            (nn.Conv2d, F.conv2d, (3, 6, 7), (1, 3, 10, 10), conv(R.nn.conv2d, "NCHW", 2, kernel_layout="OIHW", strides=[1, 1], padding=[0] * 4, dilation=[1, 1])),
            (nn.Conv3d, F.conv3d, (3, 6, 7), (1, 3, 10, 10, 10), conv(R.nn.conv3d, "NCDHW", 3, kernel_layout="OIDHW", strides=[1], padding=[0, 0, 0], dilation=[1])),
            (nn.ConvTranspose1d, F.conv_transpose1d, (6, 6, 3), (1, 6, 4), conv(R.nn.conv1d_transpose, "NCW", 1, kernel_layout="OIW", strides=[1], padding=[0, 0], dilation=[1])),
            (nn.ConvTranspose2d, F.conv_transpose2d, (3, 3, 7), (1, 3, 10, 10), conv(R.nn.conv2d_transpose, "NCHW", 2, kernel_layout="OIHW", strides=[1, 1], padding=[0] * 4, dilation=[1, 1]))]
    for layer, function, sizes, shape, make in rows:
        model = layer(*sizes)
        yield nn.Sequential(model), floats(shape), make(model.weight, model.bias)
        bare = layer(*sizes, bias=False)
        yield nn.Sequential(bare), floats(shape), make(bare.weight)
        w, b = torch.randn(model.weight.shape), torch.randn(model.bias.shape)
        yield held(function, weight=w, bias=b), floats(shape), make(w, b)


def dense(w, b=None):
    def emit(e, x):
        y = e(R.matmul(x, e(R.permute_dims(weight(w), axes=None)), out_dtype="float32"))
        return y if b is None else e(R.add(y, weight(b)))
    return emit


def products():
    for bias in (True, False):
        model = nn.Linear(10, 7, bias=bias)
        yield nn.Sequential(model), IMAGE, dense(model.weight, model.bias)
    w, b = torch.randn(7, 10), torch.randn(7)
    yield held(F.linear, weight=w, bias=b), IMAGE, dense(w, b)
    yield torch.matmul, MATRIX * 2, lambda e, x, y: e(R.matmul(x, y, out_dtype="float32"))
    batches = floats((4, 8, 6), (4, 6, 5))
    yield torch.bmm, batches, lambda e, x, y: e(R.matmul(x, y, out_dtype="float32"))
    batches = floats((4, 8, 5)) + batches
    yield torch.baddbmm, batches, lambda e, c, x, y: e(R.add(e(R.matmul(x, y)), c))
    yield lambda c, x, y: torch.baddbmm(c, x, y, alpha=2, beta=0), batches, lambda e, c, x, y: e(R.multiply(e(R.matmul(x, y)), const(2)))
    yield torch.addmm, MATRIX * 3, lambda e, c, x, y: e(R.add(c, e(R.matmul(x, y, out_dtype="float32"))))

    def scaled(e, c, x, y):
        product = e(R.multiply(e(R.matmul(x, y, out_dtype="float32")), const(0.5)))
        return e(R.add(e(R.multiply(c, const(0.8))), product))

    yield lambda c, x, y: torch.addmm(c, x, y, beta=0.8, alpha=0.5), MATRIX * 3, scaled
    yield lambda x: torch.einsum("ii", x), floats((4, 4)), lambda e, x: e(R.einsum((x,), subscripts="ii"))
    yield lambda x, y: torch.einsum("i,j->ij", x, y), floats((5,), (4,)), lambda e, x, y: e(R.einsum((x, y), subscripts="i,j->ij"))


def unary():
    names = "abs acos acosh asin asinh atan atanh bitwise_not ceil cos cosh erf exp floor log rsqrt round sin sinh sign sqrt square tan tanh sigmoid isnan isinf isfinite trunc logical_not"
    for name in names.split():
        yield getattr(torch, name), IMAGE, lambda e, x, op=getattr(R, name): e(op(x))
    yield torch.neg, IMAGE, lambda e, x: e(R.negative(x))
    yield lambda x: -x, IMAGE, lambda e, x: e(R.negative(x))
    both = [(nn.ReLU(), F.relu, R.nn.relu), (nn.SELU(), F.selu, R.nn.selu), (nn.SiLU(), F.silu, R.nn.silu), (nn.GELU(), F.gelu, R.nn.gelu), (nn.Sigmoid(), torch.sigmoid, R.sigmoid),
            (nn.Tanh(), torch.tanh, R.tanh), (nn.Softmax(dim=1), lambda x: F.softmax(x, dim=1), lambda x: R.nn.softmax(x, axis=1)),
            (nn.LogSoftmax(dim=1), lambda x: F.log_softmax(x, dim=1), lambda x: R.nn.log_softmax(x, axis=1)),
            (nn.LeakyReLU(0.02), lambda x: F.leaky_relu(x, 0.02), lambda x: R.nn.leakyrelu(x, 0.02)), (nn.ReLU6(), F.relu6, lambda x: R.clip(x, 0, 6)),
            (nn.Hardtanh(), F.hardtanh, lambda x: R.clip(x, -1.0, 1.0)), (nn.Softplus(), F.softplus, lambda x: R.nn.softplus(x, 1.0, 20.0))]
    for module, function, op in both:
        yield nn.Sequential(module), IMAGE, lambda e, x, op=op: e(op(x))
        yield function, IMAGE, lambda e, x, op=op: e(op(x))
    yield nn.Sequential(nn.GELU("tanh")), IMAGE, lambda e, x: e(R.nn.gelu_tanh(x))

    def hardsigmoid(e, x):
        return e(R.divide(e(R.clip(e(R.add(x, const(3))), 0, 6)), const(6)))

    def elu(e, x):
        y = e(R.nn.relu(e(R.subtract(const(1.0), e(R.exp(x))))))
        return e(R.add(e(R.multiply(const(-1.0), y)), e(R.nn.relu(x))))

    def celu(e, x):
        y = e(R.subtract(e(R.divide(e(R.exp(x)), const(1.0))), const(1.0)))
        return e(R.add(e(R.multiply(const(1.0), e(R.minimum(const(0.0), y)))), e(R.nn.relu(x))))

    for module, function, make in [(nn.Hardsigmoid(), F.hardsigmoid, hardsigmoid), (nn.ELU(), F.elu, elu), (nn.CELU(), F.celu, celu),
                                   (nn.Hardswish(), F.hardswish, lambda e, x: e(R.multiply(x, hardsigmoid(e, x))))]:
        yield nn.Sequential(module), IMAGE, make
        yield function, IMAGE, make
    prelu = nn.PReLU(3)
    yield nn.Sequential(prelu), IMAGE, lambda e, x: e(R.nn.prelu(x, weight(prelu.weight), 1))
    yield torch.log2, IMAGE, lambda e, x: e(R.divide(e(R.log(x)), const(0.6931471805599453)))
    yield torch.log10, IMAGE, lambda e, x: e(R.divide(e(R.log(x)), const(2.302585092994046)))
    yield torch.log1p, IMAGE, lambda e, x: e(R.log(e(R.add(x, const(1)))))
    yield torch.reciprocal, IMAGE, lambda e, x: e(R.divide(const(1.0), x))
    yield lambda x: torch.clamp(x, min=0.1, max=0.5), IMAGE, lambda e, x: e(R.clip(x, 0.1, 0.5))
    for k in (torch.tril, torch.triu):
        op = getattr(R, k.__name__)
        yield lambda x, k=k: k(x, 1), MATRIX, lambda e, x, op=op: e(op(x, 1))
        yield in_place(k.__name__ + "_", 1), MATRIX, lambda e, x, op=op: e(op(x, 1))


def nothing():
    for model in (nn.Sequential(nn.Dropout(0.5)), lambda x: torch.dropout(x, 0.5, train=True), lambda x: F.dropout(x), lambda x: x.contiguous(), lambda x: x.clone(), lambda x: x.to("cpu"),
                  nn.Sequential(nn.Identity())):
        yield model, IMAGE, lambda e, x: x
    try:
        from torchvision.ops import StochasticDepth, stochastic_depth
    except ImportError:
        return
    yield nn.Sequential(StochasticDepth(0.5, mode="row")), IMAGE, lambda e, x: x
    yield lambda x: stochastic_depth(x, 0.5, mode="row", training=False), IMAGE, lambda e, x: x


def windows():
    def max_pool(size, strides, padding=(0, 0, 0, 0), dilation=(1, 1)):
        return lambda e, x: e(R.nn.max_pool2d(x, pool_size=list(size), strides=list(strides), dilation=list(dilation), padding=list(padding), layout="NCHW", out_layout="NCHW"))

    yield nn.Sequential(nn.MaxPool2d(kernel_size=[1, 1])), IMAGE, max_pool([1, 1], [1, 1])
    yield lambda x: F.max_pool2d(x, kernel_size=[1, 1]), IMAGE, max_pool([1, 1], [1, 1])
    yield nn.Sequential(nn.MaxPool2d(kernel_size=[2, 2], dilation=[2, 3])), IMAGE, max_pool([2, 2], [2, 2], dilation=[2, 3])
    yield nn.Sequential(nn.MaxPool2d(kernel_size=[4, 4], padding=2, stride=2)), IMAGE, max_pool([4, 4], [2, 2], [2, 2, 2, 2])

    def avg_pool(size, strides, padding=(0, 0, 0, 0), ceil_mode=False):
        return lambda e, x: e(R.nn.avg_pool2d(x, pool_size=list(size), strides=list(strides), dilation=[1, 1], padding=list(padding), ceil_mode=ceil_mode, layout="NCHW", out_layout="NCHW"))

    yield nn.Sequential(nn.AvgPool2d(kernel_size=[1, 1])), IMAGE, avg_pool([1, 1], [1, 1])
    yield nn.Sequential(nn.AvgPool2d(kernel_size=[4, 4], stride=2, padding=2, ceil_mode=True)), IMAGE, avg_pool([4, 4], [2, 2], [2] * 4, True)
    yield lambda x: F.avg_pool2d(x, kernel_size=[4, 4], stride=2, padding=2, ceil_mode=True), IMAGE, avg_pool([4, 4], [2, 2], [2] * 4, True)
    yield lambda x: F.avg_pool2d(x, kernel_size=[2, 1], divisor_override=2), IMAGE, avg_pool([2, 1], [2, 1])
    for model in (nn.Sequential(nn.AdaptiveAvgPool2d([10, 10])), lambda x: F.adaptive_avg_pool2d(x, [10, 10])):
        yield model, IMAGE, lambda e, x: e(R.nn.adaptive_avg_pool2d(x, output_size=[10, 10], layout="NCHW", out_layout="NCHW"))

    def resized(size, method, how):
        return lambda e, x: e(R.image.resize2d(x, size, layout="NCHW", method=method, coordinate_transformation_mode=how))

    yield lambda x: F.interpolate(x, (5, 5)), IMAGE, resized((5, 5), "nearest_neighbor", "asymmetric")
    yield lambda x: F.interpolate(x, size=None, scale_factor=2.0, mode="bilinear", align_corners=False), IMAGE, resized((20, 20), "linear", "half_pixel")
    yield lambda x: F.interpolate(x, size=None, scale_factor=(2.0, 1.0), mode="bilinear", align_corners=False), IMAGE, resized((20, 10), "linear", "half_pixel")


def normalisation():
    batch = nn.BatchNorm2d(3)
    yield nn.Sequential(batch), IMAGE, lambda e, x: e(relax.TupleGetItem(e(R.nn.batch_norm(
        x, weight(batch.weight), weight(batch.bias), weight(batch.running_mean), weight(batch.running_var), axis=1, epsilon=1e-5, center=True, scale=True)), 0))
    layer = nn.LayerNorm((10, 10))
    one, zero = torch.ones(10, 10), torch.zeros(10, 10)

    def layer_norm(e, x):
        return e(R.nn.layer_norm(x, weight(one), weight(zero), axes=[-2, -1], epsilon=1e-5, center=True, scale=True))

    yield nn.Sequential(layer), IMAGE, layer_norm
    yield held(lambda x, w, b: F.layer_norm(x, w.shape, w, b, 1e-5), weight=nn.Parameter(one), bias=nn.Parameter(zero)), IMAGE, layer_norm
    yield held(lambda x, s, w, b: F.layer_norm(x, s, w, b, 1e-5), shape=(10, 10), weight=None, bias=None), IMAGE, layer_norm
    yield held(lambda x, s, w, b: F.layer_norm(x, s, w, b, 1e-5), shape=[10, 10], weight=nn.Parameter(one), bias=nn.Parameter(zero)), IMAGE, layer_norm
    group = nn.GroupNorm(3, 3)
    yield nn.Sequential(group), IMAGE, lambda e, x: e(R.nn.group_norm(x, weight(group.weight), weight(group.bias), num_groups=3, channel_axis=1, axes=[2, 3], epsilon=1e-5, center=True, scale=True))
    table = nn.Embedding(10, 3)
    yield nn.Sequential(table), [((4,), "int64")], lambda e, x: e(R.take(weight(table.weight), e(R.astype(x, "int32")), axis=0))


def losses():
    logits = [((3, 2), "float32"), ((3,), "int32")]

    def loss(weights, reduction="mean", ignore=-100):
        def emit(e, x, t):
            y = e(R.nn.log_softmax(x, axis=-1))
            return e(R.nn.nll_loss(y, t, *weights, reduction=reduction, ignore_index=ignore))
        return emit

    class Loss(nn.Module):
        def __init__(self, loss):
            super().__init__()
            self.loss = loss

        def forward(self, x, t):
            return self.loss(x, t)

    class Weighted(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones((2,)))
            self.loss = nn.CrossEntropyLoss(weight=self.weight)

        def forward(self, x, t):
            return self.loss(x, t)

    yield Loss(nn.CrossEntropyLoss()), logits, loss([])
    yield Weighted(), logits, loss([const(np.ones(2, "float32"))])
    yield Loss(nn.CrossEntropyLoss(ignore_index=1, reduction="sum")), logits, loss([], "sum", 1)
    yield F.cross_entropy, logits, loss([])


def binary():
    pairs = [(lambda a, b: a + b, R.add), (lambda a, b: a - b, R.subtract), (lambda a, b: a * b, R.multiply), (lambda a, b: a / b, R.divide), (lambda a, b: a // b, R.floor_divide),
             (lambda a, b: a ** b, R.power), (lambda a, b: a % b, R.mod), (lambda a, b: a < b, R.less), (lambda a, b: a <= b, R.less_equal), (lambda a, b: a > b, R.greater), (lambda a, b: a >= b, R.greater_equal),
             (lambda a, b: a == b, R.equal), (lambda a, b: a != b, R.not_equal)]
    for function, op in pairs:
        yield function, IMAGE * 2, lambda e, x, y, op=op: e(op(x, y))
        yield lambda x, f=function: f(x, 1.0), IMAGE, lambda e, x, op=op: e(op(x, const(1.0)))
    yield torch.max, MATRIX * 2, lambda e, x, y: e(R.maximum(x, y))
    yield torch.min, MATRIX * 2, lambda e, x, y: e(R.minimum(x, y))
    whole = [((10, 10), "int32")] * 2
    for function, op in [(lambda a, b: a << b, R.left_shift), (lambda a, b: a >> b, R.right_shift), (lambda a, b: a & b, R.bitwise_and), (lambda a, b: a | b, R.bitwise_or), (lambda a, b: a ^ b, R.bitwise_xor)]:
        yield function, whole, lambda e, x, y, op=op: e(op(x, y))
    yield lambda x: torch.rsub(x, 5.0), MATRIX, lambda e, x: e(R.subtract(const(5.0), x))
    yield torch.rsub, MATRIX * 2, lambda e, x, y: e(R.subtract(y, x))
    yield torch.lerp, floats((5, 3)) * 3, lambda e, a, b, w: e(R.add(a, e(R.multiply(w, e(R.subtract(b, a))))))
    yield torch.where, [((5, 3), "bool")] + floats((5, 3)) * 2, lambda e, c, x, y: e(R.where(c, x, y))
    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.bool):
        yield torch.ops.aten.add, [((10, 10), dtype)] * 2, lambda e, x, y: e(R.add(x, y))


def asked():
    for model in (lambda x: x.size(), lambda x: x.shape):
        yield model, IMAGE, lambda e, x: relax.ShapeExpr([1, 3, 10, 10])
    for dim in (1, -2):
        yield lambda x, dim=dim: torch.ops.aten.sym_size.int(x, dim), floats((1, 3, 4)), lambda e, x: e(const(3, "int32"))
    yield torch.is_floating_point, floats((2, 3)), lambda e, x: const(True, "bool")
    yield torch.numel, floats((5, 3)), lambda e, x: const(15, "int32")
    yield lambda x: x.item(), floats((1,)), lambda e, x: e(R.take(x, const(0, "int64"), axis=0))


def shapes():
    square = floats((1, 2, 3, 4))
    yield lambda x: x.squeeze(1), floats((3, 1, 4, 1)), lambda e, x: e(R.squeeze(x, axis=[1]))
    yield lambda x: x.squeeze(), floats((3, 1, 4, 1)), lambda e, x: e(R.squeeze(x, axis=None))
    for dim in (1, -1):
        yield lambda x, dim=dim: x.unsqueeze(dim), IMAGE, lambda e, x, dim=dim: e(R.expand_dims(x, dim))
    for model in (nn.Sequential(nn.Flatten(2, -1)), nn.Flatten(2, -1), lambda x: torch.flatten(x, 2, -1)):
        yield model, IMAGE, lambda e, x: e(R.reshape(x, (1, 3, 100)))
    for model in (lambda x: x.expand(4, 2, 3, 4), lambda x: x.expand(4, -1, -1, 4)):
        yield model, square, lambda e, x: e(R.broadcast_to(x, (4, 2, 3, 4)))
    for model in (lambda x: x.permute(0, 3, 2, 1), lambda x: torch.permute(x, (0, 3, 2, 1)), lambda x: x.transpose(1, 3)):
        yield model, square, lambda e, x: e(R.permute_dims(x, axes=[0, 3, 2, 1]))
    for model in (lambda x: x.reshape(2, 12), lambda x: x.view(2, 12), lambda x: torch.reshape(x, (2, 12))):
        yield model, square, lambda e, x: e(R.reshape(x, (2, 12)))
    yield lambda x: x.tile((2,)), floats((1, 3)), lambda e, x: e(R.tile(x, [2]))
    for model in (lambda x: x.tile(4, 2), lambda x: torch.tile(x, (4, 2)), lambda x: x.repeat(4, 2)):
        yield model, floats((1, 3)), lambda e, x: e(R.tile(x, [4, 2]))
    yield lambda x: x.repeat(2), floats((3,)), lambda e, x: e(R.tile(x, 2))
    yield lambda x: torch.broadcast_to(x, (5, 3)), floats((5, 1)), lambda e, x: e(R.broadcast_to(x, (5, 3)))
    yield lambda x: torch.narrow(x, 1, 0, 2), floats((5, 3)), lambda e, x: e(R.strided_slice(x, axes=[1], begin=[0], end=[2]))
    for axis in (0, 1):
        yield lambda x, axis=axis: torch.flip(x, [axis]), floats((2, 2)), lambda e, x, axis=axis: e(R.flip(x, axis=axis))

    def sliced(axes, begin, end, strides, shape):
        return lambda e, x: e(R.reshape(e(R.strided_slice(x, axes=axes, begin=begin, end=end, strides=strides)), shape))

    yield lambda x: x[0, 1::2, :, :3], IMAGE, sliced([0, 1, 2, 3], [0, 1, 0, 0], [1, 3, 10, 3], [1, 2, 1, 1], (1, 1, 10, 3))
    yield lambda x: x[:, None, None, :, None], floats((8, 16)), sliced([0, 1], [0, 0], [8, 16], [1, 1], (8, 1, 1, 16, 1))


def several():
    for model in (lambda x: torch.split(x, 1, dim=1), lambda x: torch.chunk(x, 3, dim=1)):
        yield model, IMAGE, lambda e, x: e(R.split(x, indices_or_sections=3, axis=1))
    yield lambda x: torch.split(x, [1, 2], dim=1), IMAGE, lambda e, x: e(R.split(x, indices_or_sections=[1], axis=1))

    def unbound(axis):
        def emit(e, x):
            parts = e(R.split(x, indices_or_sections=[1, 2, 3], axis=axis))
            return e(relax.Tuple([e(R.squeeze(e(relax.TupleGetItem(parts, i)), axis=[axis])) for i in range(3)]))
        return emit

    yield torch.unbind, floats((3, 3, 10, 10)), unbound(0)
    yield lambda x: torch.unbind(x, dim=1), floats((3, 3, 10, 10)), unbound(1)
    pair = floats((2, 3), (2, 3))
    for model, axis in ((lambda x, y: torch.cat((x, y)), 0), (lambda x, y: torch.cat((x, y), dim=1), 1), (lambda x, y: torch.cat((x, y), 1), 1), (lambda x, y: torch.concat((x, y), dim=0), 0)):
        yield model, pair, lambda e, x, y, axis=axis: e(R.concat((x, y), axis=axis))
    yield lambda x, y, z: torch.stack((x, y, z), dim=0), IMAGE * 3, lambda e, *x: e(R.reshape(e(R.concat(x, axis=0)), (3, 1, 3, 10, 10)))
    yield lambda x, y: torch.stack((x, y), 1), pair, lambda e, *x: e(R.reshape(e(R.concat(x, axis=1)), (2, 2, 3)))
    for order in ("ij", "xy"):
        yield lambda x, y, order=order: torch.meshgrid((x, y), indexing=order), floats((3,), (3,)), lambda e, *x, order=order: e(R.meshgrid(x, indexing=order))
    yield lambda x: torch.topk(x, k=2, dim=1, largest=True, sorted=True), floats((5, 3)), lambda e, x: e(R.topk(x, k=2, axis=1, ret_type="both", largest=True, dtype="int64"))


def reductions():
    yield lambda x: torch.sum(x, (2, 1)), floats((1, 2, 3, 4)), lambda e, x: e(R.sum(x, axis=[2, 1], keepdims=False))
    for keep in (False, True):
        yield lambda x, keep=keep: x.mean(-1, keepdim=keep), MATRIX, lambda e, x, keep=keep: e(R.mean(x, axis=[-1], keepdims=keep))
        yield lambda x, keep=keep: torch.argmax(x, dim=-1, keepdim=keep), MATRIX, lambda e, x, keep=keep: e(R.argmax(x, axis=-1, keepdims=keep))
        yield lambda x, keep=keep: torch.argmin(x, keepdim=keep), MATRIX, lambda e, x, keep=keep: e(R.argmin(x, axis=None, keepdims=keep))
    yield lambda x: x.mean(-1), MATRIX, lambda e, x: e(R.mean(x, axis=[-1], keepdims=False))
    yield lambda x: torch.cumsum(x, dim=1, dtype=torch.int32), floats((1, 2, 3, 4)), lambda e, x: e(R.cumsum(x, axis=1, dtype="int32"))
    yield lambda x: torch.cumprod(x, 0), floats((5, 3)), lambda e, x: e(R.cumprod(x, axis=0, exclusive=False))
    for function, op in ((torch.std, R.std), (torch.var, R.variance), (torch.prod, R.prod)):
        yield function, floats((5, 3)), lambda e, x, op=op: e(op(x, axis=None, keepdims=False))
    yield lambda x: torch.argsort(x, dim=1, descending=True), floats((5, 3)), lambda e, x: e(R.argsort(x, axis=1, descending=True))
    for p, name in ((float("inf"), "max"), (float("-inf"), "min")):
        yield lambda x, p=p: torch.norm(x, p=p, dim=None, keepdim=False), floats((1, 3, 5, 3)), lambda e, x, name=name: e(getattr(R, name)(e(R.abs(x)), axis=None, keepdims=False))

    def norm(p, keep):
        return lambda e, x: e(R.power(e(R.sum(e(R.power(e(R.abs(x)), const(p))), axis=None, keepdims=keep)), const(1 / p)))

    for p, keep in ((2.0, False), (1.0, False), (-4.0, True), (0.5, True)):
        yield lambda x, p=p, keep=keep: torch.norm(x, p=p, dim=None, keepdim=keep), floats((1, 3, 5, 3)), norm(p, keep)
    yield lambda x: torch.norm(x, p="fro", dim=None, keepdim=False), floats((1, 3, 5, 3)), lambda e, x: e(R.sqrt(e(R.sum(e(R.multiply(x, x)), axis=None, keepdims=False))))


def picked():
    yield (lambda x, y: torch.isin(x, y), floats((10, 10), (8,)),
           lambda e, x, y: e(R.greater(e(R.sum(e(R.equal(e(R.expand_dims(x, axis=-1)), e(R.reshape(y, (8,))))), axis=-1)), const(0.0))))
    for add in (False, True):
        yield (lambda x, i, y, add=add: x.index_put_((i,), y, accumulate=add), floats((64,)) + [((128,), "int64")] + floats((128,)),
               lambda e, x, i, y, add=add: e(R.index_put(x, (i,), y, accumulate=add)))
    yield lambda x: torch.repeat_interleave(x, 3, 1), floats((2, 4)), lambda e, x: e(R.repeat(x, 3, 1))
    for model in (lambda x: F.softmin(x, dim=1), nn.Sequential(nn.Softmin(1))):
        yield model, IMAGE, lambda e, x: e(R.nn.softmax(e(R.negative(x)), axis=1))
    yield lambda x, y: torch.dot(x, y), floats((5,), (5,)), lambda e, x, y: e(R.matmul(x, y))
    yield lambda x, y: x.mv(y), floats((3, 5), (5,)), lambda e, x, y: e(R.matmul(x, y))
    yield lambda x: x.new_full((2, 3), 1.5), floats((4,)), lambda e, x: e(R.full((2, 3), const(1.5), "float32"))
    for axis in (0, 1, -1, -2):
        yield lambda x, i, axis=axis: torch.gather(x, axis, i), floats((2, 3)) + [((2, 3), "int32")], lambda e, x, i, axis=axis: e(R.gather_elements(x, i, axis=axis))
    yield torch.take, floats((5,)) + [((3,), "int32")], lambda e, x, i: e(R.take(x, e(R.astype(i, "int32"))))
    yield lambda x: torch.select(x, 0, 1), floats((5, 3)), lambda e, x: e(R.take(x, const(1, "int64"), axis=0))
    yield lambda x, i, s: x.scatter(dim=0, index=i, src=s), floats((20, 20)) + [((2, 5), "int64")] + floats((2, 5)), lambda e, x, i, s: e(R.scatter_elements(x, i, s, axis=0, reduction="update"))
    for start, end, step, dim, shape, part in ((1, 7, 2, 1, (8, 8, 10, 10), (8, 3, 10, 10)), (0, 6, 1, 0, (8, 16), (6, 16))):
        yield (lambda x, s, a=(dim, start, end, step): torch.slice_scatter(x, s, dim=a[0], start=a[1], end=a[2], step=a[3]), floats(shape, part),
               lambda e, x, s, a=(start, end, step, dim): e(R.slice_scatter(x, s, relax.PrimValue(a[0]), relax.PrimValue(a[1]), relax.PrimValue(a[2]), axis=a[3])))

    def scattered(e, x, m, s):
        i = e(R.subtract(e(R.cumsum(m, axis=0, dtype="int32", exclusive=False)), const(1, "int32")))
        return e(R.where(m, e(R.take(s, i, axis=0)), x))

    def scattered_flat(e, x, m, s):
        i = e(R.subtract(e(R.cumsum(e(R.reshape(m, (10,))), axis=0, dtype="int32", exclusive=False)), const(1, "int32")))
        taken = e(R.take(e(R.reshape(s, (15,))), i, axis=0))
        return e(R.where(m, e(R.reshape(taken, (2, 5))), x))

    yield lambda x, m, s: x.masked_scatter(m, s), floats((5,)) + [((5,), "bool")] + floats((10,)), scattered
    yield lambda x, m, s: x.masked_scatter(m, s), floats((2, 5)) + [((2, 5), "bool")] + floats((3, 5)), scattered_flat


def made():
    yield in_place("fill_", 1.5), MATRIX, lambda e, x: e(R.full(relax.ShapeExpr([10, 10]), const(1.5), dtype="float32"))

    def masked(x, m):
        x.masked_fill_(m, 1.5)
        return x

    yield masked, MATRIX + [((10, 10), "bool")], lambda e, x, m: e(R.where(m, e(R.full_like(x, const(1.5), dtype="void")), x))
    yield lambda x: x.new_ones(1, 2, 3), floats((1, 2, 3)), lambda e, x: e(R.full((1, 2, 3), const(1), dtype="float32"))
    yield lambda x: x.new_zeros(1, 128, 128), floats((1, 128, 128)), lambda e, x: e(R.full((1, 128, 128), const(0.0), dtype="float32"))
    yield lambda x: F.one_hot(x, num_classes=10), [((5,), "int32")], lambda e, x: e(R.one_hot(x, relax.PrimValue(1), relax.PrimValue(0), depth=10, axis=-1))
    yield torch.empty_like, floats((5,)), lambda e, x: e(R.zeros_like(x))
    yield torch.ones_like, MATRIX, lambda e, x: e(R.ones_like(x, dtype="void"))
    for model in (torch.zeros_like, lambda x: x.zero_()):
        yield model, MATRIX, lambda e, x: e(R.zeros_like(x, dtype="void"))

    def copied(x, y):
        x.copy_(y)
        return x

    yield copied, MATRIX * 2, lambda e, x, y: y


def types():
    square = floats((1, 2, 3, 4))
    for model in (lambda x: x.float(), lambda x: x.type(torch.float32), lambda x: x.type(x.getattr("dtype")), lambda x: x.astype(torch.float32)):
        yield model, square, lambda e, x: e(R.astype(x, dtype="float32"))
    for model in (lambda x: x.half(), lambda x: x.to(torch.float16)):
        yield model, square, lambda e, x: e(R.astype(x, dtype="float16"))
    yield lambda x, y: x.type_as(y), [((8, 8), "float16"), ((8, 8), "float32")], lambda e, x, y: e(R.astype(x, dtype="float32"))


def attentions():
    head, mask = floats((32, 8, 128, 64)) * 3, floats((32, 8, 128, 128))

    def attention(**how):
        def emit(e, q, k, v, *mask):
            q, k, v = (e(R.permute_dims(x, axes=[0, 2, 1, 3])) for x in (q, k, v))
            return e(R.permute_dims(e(R.nn.attention(q, k, v, *mask, scale=None, **how)), axes=[0, 2, 1, 3]))
        return emit

    if hasattr(F, "scaled_dot_product_attention"):
        yield lambda q, k, v: F.scaled_dot_product_attention(q, k, v), head, attention()
        yield lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), head + mask, attention()
        yield lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), head, attention(causal_mask="TopLeft")


class Operators(unittest.TestCase):
    def same(self, model, info, make):
        mod = from_fx(traced(model, len(info)), info)
        tvm.ir.assert_structural_equal(mod, module_of(info, make))


def test_of(rows):
    def test(self):
        problems, n = [], 0
        for n, (model, info, make) in enumerate(rows()):
            try:
                self.same(model, info, make)
            except Exception as error:
                problems.append(f"{rows.__name__} {n}: {type(error).__name__}: {error}")
        if problems:
            self.fail(f"{len(problems)} of {n + 1}\n" + "\n".join(problems))
    return test


for _rows in (convolutions, products, unary, nothing, windows, normalisation, losses, binary, asked, shapes, several, reductions, picked, made, types, attentions):
    setattr(Operators, "test_" + _rows.__name__, test_of(_rows))


tap.main()
