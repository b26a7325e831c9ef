"""Models that emit themselves into the function that is being built."""
from .. import op
from ..block_builder import BlockBuilder
from ..expr import DataflowVar, Expr, Var
from ..struct_info import TensorStructInfo


def emit(expr, name_hint=""):
    """Binds an expression in the function that is being built."""
    return BlockBuilder.current().emit(expr, name_hint=name_hint)


def emit_te(func, *args, **kwargs):
    """Binds the call of a tensor expression."""
    return BlockBuilder.current().emit_te(func, *args, **kwargs)


def checkpoint(func, *args, **kwargs):
    """Calls func between the marks of a checkpoint."""
    args = [op.grad.start_checkpoint(x) if isinstance(x, Expr) else x for x in args]
    kwargs = {k: op.grad.start_checkpoint(v) if isinstance(v, Expr) else v for k, v in kwargs.items()}
    result = func(*args, **kwargs)
    if isinstance(result, Expr):
        return op.grad.end_checkpoint(result)
    return [op.grad.end_checkpoint(x) if isinstance(x, Expr) else x for x in result]


def emit_checkpoint(func, *args, **kwargs):
    """The same, every mark bound."""
    bb = BlockBuilder.current()
    args = [bb.emit(op.grad.start_checkpoint(x)) if isinstance(x, Expr) else x for x in args]
    kwargs = {k: bb.emit(op.grad.start_checkpoint(v)) if isinstance(v, Expr) else v for k, v in kwargs.items()}
    result = func(*args, **kwargs)
    if isinstance(result, Expr):
        return bb.emit(op.grad.end_checkpoint(result))
    return [bb.emit(op.grad.end_checkpoint(x)) if isinstance(x, Expr) else x for x in result]


def emit_checkpoint_sequential(functions, segments, input, checkpoint_last=False):  # noqa: A002
    """Functions one after another, in segments that are checkpoints."""
    bb = BlockBuilder.current()
    if isinstance(segments, int):
        if len(functions) < segments:
            raise ValueError("there are fewer functions than segments")
        size = len(functions) // segments
        ends = [*range(size, len(functions), size), len(functions)]
    else:
        ends = [end for end in segments if end > 0]
    start = 0
    for number, end in enumerate(ends):
        part = functions[start:end]

        def run(value, part=part):
            for func in part:
                value = bb.emit(func(value))
            return value

        last = number == len(ends) - 1
        input = run(input) if last and not checkpoint_last else emit_checkpoint(run, input)  # noqa: A001
        start = end
    return input


def _unique_name(name):
    bb = BlockBuilder.current()
    return bb.get_unique_name(name) if bb is not None else name


class Placeholder(Var):
    """A variable that is an input."""

    __slots__ = ()

    def __new__(cls, shape, dtype="float32", name="data"):
        return Var(_unique_name(name), TensorStructInfo(shape, dtype))


class Parameter(Var):
    """A variable that is a weight."""

    __slots__ = ()

    def __new__(cls, shape, dtype="float32", name="param"):
        var = Var(_unique_name(name), TensorStructInfo(shape, dtype))
        _parameters.append(var)
        return var


_parameters = []


def _is_parameter(value):
    return isinstance(value, Var) and any(value.same_as(x) for x in _parameters)


def _unpack(value):
    if _is_parameter(value):
        return [value]
    if isinstance(value, Module):
        return value.parameters()
    if isinstance(value, dict):
        return [x for v in value.values() for x in _unpack(v)]
    if isinstance(value, (list, tuple)):
        return [x for v in value for x in _unpack(v)]
    return []


class Module:
    """A part of a model: weights and what is done with an input."""

    def parameters(self):
        """All weights."""
        return _unpack(self.__dict__)

    def forward(self, input):  # noqa: A002
        """What is done with an input."""
        raise NotImplementedError

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)


class Sequential(Module):
    """Parts one after another."""

    def __init__(self, *modules):
        self.modules = modules

    def forward(self, input):  # noqa: A002
        """Each in its turn."""
        for module in self.modules:
            input = module(input)  # noqa: A001
        return input


class ReLU(Module):
    """R.nn.relu"""

    def forward(self, input):  # noqa: A002
        """The call."""
        return emit(op.nn.relu(input))


class LogSoftmax(Module):
    """R.nn.log_softmax"""

    def forward(self, input):  # noqa: A002
        """The call."""
        return emit(op.nn.log_softmax(input))


class Linear(Module):
    """A product with weights, plus a bias."""

    def __init__(self, in_features, out_features, bias=True):
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter((in_features, out_features), name="linear_weight")
        self.bias = Parameter((out_features,), name="linear_bias") if bias else None

    def forward(self, input):  # noqa: A002
        """The calls."""
        product = emit(op.matmul(input, self.weight))
        return emit(op.add(product, self.bias)) if self.bias is not None else product


def init_params(mod):
    """Random arrays for the weights of the function main."""
    import numpy as np

    from ...runtime.ndarray import array

    count = int(mod["main"].attrs["num_input"]) if mod["main"].attrs and "num_input" in mod["main"].attrs else 1
    result = []
    for param in mod["main"].params[count:]:
        shape = [int(x) for x in param.struct_info.shape.values]
        result.append(array(np.random.rand(*shape).astype(param.struct_info.dtype)))
    return result


_ = DataflowVar
