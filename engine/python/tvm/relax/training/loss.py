"""Losses: functions of predictions and targets whose result is the loss."""
from ..block_builder import BlockBuilder
from ..expr import Var
from ..struct_info import StructInfo
from ..op import abs as _abs, argmax, astype, mean, multiply, negative, reshape, subtract, sum as _sum
from ..op import nn as _nn

_REDUCTIONS = {"mean": mean, "sum": _sum, "none": lambda expr: expr}


def _parameter(value, name):
    """A variable of the loss function for a struct info or another variable."""
    if isinstance(value, StructInfo):
        return Var(name, value)
    if isinstance(value, Var):
        return Var(value.name_hint, value.struct_info)
    raise TypeError(f"a parameter of a loss is a Var or a StructInfo, not {type(value)}")


class Loss:
    """What losses have in common: a name, how many outputs of the backbone they take, the reduction."""

    def __init__(self, loss_name, num_backbone_outputs, reduction="mean"):
        if reduction not in _REDUCTIONS:
            raise ValueError(f"a loss is reduced by {', '.join(_REDUCTIONS)}, not by {reduction}")
        self._loss_name = loss_name
        self._num_backbone_outputs = num_backbone_outputs
        self._reduction = reduction

    @property
    def num_backbone_outputs(self):
        """How many of its parameters are outputs of the backbone."""
        return self._num_backbone_outputs

    def _with_reduction(self, expr):
        return _REDUCTIONS[self._reduction](expr)

    def _function(self, params, value):
        """The function whose result is value (builder, parameters)."""
        bb = BlockBuilder()
        params = [_parameter(param, name) for name, param in params if param is not None]
        with bb.function(self._loss_name, params):
            with bb.dataflow():
                result = bb.emit_output(value(bb, *params))
            bb.emit_func_output(result)
        return bb.get()[self._loss_name]


class L1Loss(Loss):
    """The absolute difference."""

    def __init__(self, reduction="mean"):
        super().__init__("l1_loss", 1, reduction)

    def __call__(self, predictions, targets):
        return self._function([("predictions", predictions), ("targets", targets)],
                              lambda bb, left, right: self._with_reduction(_abs(subtract(left, right))))


class MSELoss(Loss):
    """The squared difference."""

    def __init__(self, reduction="mean"):
        super().__init__("mse_loss", 1, reduction)

    def __call__(self, predictions, targets):
        def value(bb, left, right):
            difference = bb.emit(subtract(left, right))
            return self._with_reduction(multiply(difference, difference))

        return self._function([("predictions", predictions), ("targets", targets)], value)


class CrossEntropyLoss(Loss):
    """log_softmax and nll_loss; the targets are numbers of classes."""

    def __init__(self, reduction="mean", ignore_index=-100):
        super().__init__("cross_entropy_loss", 1, reduction)
        self.ignore_index = ignore_index

    def __call__(self, predictions, targets, weights=None):
        def value(bb, scores, classes, factors=None):
            return _nn.nll_loss(bb.emit(_nn.log_softmax(scores)), classes, factors, self._reduction, self.ignore_index)

        return self._function([("predictions", predictions), ("targets", targets), ("weights", weights)], value)


class CategoricalCrossEntropyLoss(Loss):
    """The same with targets that are one-hot.  Only a class that is ignored needs nll_loss; otherwise it is a product."""

    def __init__(self, reduction="mean", ignore_index=-100):
        super().__init__("categorical_cross_entropy_loss", 1, reduction)
        self.ignore_index = ignore_index

    def __call__(self, predictions, targets, weights=None):
        info = targets.struct_info if isinstance(targets, Var) else targets
        if "int" not in info.dtype:
            raise TypeError(f"targets are numbers of classes, so integers; these are {info.dtype}")

        def value(bb, scores, onehot, factors=None):
            logits = bb.emit(_nn.log_softmax(scores))
            if self.ignore_index >= 0:
                classes = bb.emit(reshape(argmax(onehot, axis=1), (onehot.struct_info.shape[0],)))
                return _nn.nll_loss(logits, classes, factors, self._reduction, self.ignore_index)
            product = bb.emit(multiply(negative(logits), astype(onehot, "float32")))
            if factors is not None:
                product = bb.emit(multiply(product, factors))
            return self._with_reduction(product)

        return self._function([("predictions", predictions), ("targets", targets), ("weights", weights)], value)
