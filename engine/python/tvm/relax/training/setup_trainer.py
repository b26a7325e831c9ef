"""SetupTrainer: a backbone becomes a module with all that training needs."""
from ...error import TVMError
from ...ir.transform import Pass, PassInfo
from ..analysis import well_formed
from ..expr import Tuple
from ..transform import DecomposeOpsForInference, DecomposeOpsForTraining, Gradient, LegalizeOps
from .utils import AppendLoss


class BackboneError(TVMError, ValueError):
    """A module that is no backbone."""


def _require(holds, what):
    if not holds:
        raise BackboneError(f"SetupTrainer: {what}")


class SetupTrainer(Pass):
    """backbone (inputs, parameters, states) with the attributes param_num and state_num gets, beside it, backbone_loss,
    backbone_loss_adjoint (its gradients) and optimizer; the attributes input_num and optim_state are added."""

    BACKBONE_FUNC = "backbone"
    BACKBONE_LOSS_FUNC = "backbone_loss"
    ADJOINT_FUNC = "backbone_loss_adjoint"
    OPTIMIZER_FUNC = "optimizer"
    PARAM_NUM_ATTR_KEY = "param_num"
    STATE_NUM_ATTR_KEY = "state_num"

    def __init__(self, loss, optimizer, loss_args, legalize=True):
        super().__init__(PassInfo(0, "SetupTrainer"))
        self._loss, self._optimizer, self._loss_args, self._legalize = loss, optimizer, loss_args, legalize

    def _number(self, mod, key):
        attrs = mod.attrs or {}
        _require(key in attrs, f"the backbone needs {key}, a whole number, among its attributes")
        try:
            return int(attrs[key])
        except (TypeError, ValueError):
            raise BackboneError(f"SetupTrainer: the backbone needs {key}, a whole number, among its attributes") from None

    def _numbers(self, mod):
        """How many inputs, parameters and states the backbone has."""
        _require(well_formed(mod), "The backbone module is not well formed.")
        _require(self.BACKBONE_FUNC in [v.name_hint for v in mod.get_global_vars()],
                 f"The backbone module does not contain a function named {self.BACKBONE_FUNC}")
        func = mod[self.BACKBONE_FUNC]
        params, states = self._number(mod, self.PARAM_NUM_ATTR_KEY), self._number(mod, self.STATE_NUM_ATTR_KEY)
        inputs = len(func.params) - params - states
        _require(inputs >= 0, "The number of parameters of the predict function should be no less than the number of parameters and states")
        _require(states == 0 or (isinstance(func.body.body, Tuple) and len(func.body.body.fields) > states),
                 "When model state exists, the predict function should return a tuple of length more than the number of states")
        return inputs, params

    def transform_module(self, mod, ctx):
        """The module with its trainer."""
        inputs, count = self._numbers(mod)
        mod = AppendLoss(self.BACKBONE_FUNC, self._loss(*self._loss_args), self._loss.num_backbone_outputs, self.BACKBONE_LOSS_FUNC)(mod)
        mod = DecomposeOpsForInference(self.BACKBONE_FUNC)(mod)
        mod = DecomposeOpsForTraining(self.BACKBONE_LOSS_FUNC)(mod)
        params = list(mod[self.BACKBONE_LOSS_FUNC].params)[inputs:inputs + count]
        mod = Gradient(self.BACKBONE_LOSS_FUNC, require_grads=params, target_index=0)(mod)
        self._optimizer.init(params)
        mod[self.OPTIMIZER_FUNC] = self._optimizer.get_function().with_attr("global_symbol", self.OPTIMIZER_FUNC)
        mod = mod.with_attrs({"input_num": inputs, "optim_state": list(self._optimizer.state)})
        return LegalizeOps()(mod) if self._legalize else mod

    def _run(self, mod, ctx):
        return self.transform_module(mod, ctx)
