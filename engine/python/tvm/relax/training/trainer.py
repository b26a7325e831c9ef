"""Trainer: runs what SetupTrainer made, and keeps parameters, states and the optimizer's state."""
import numpy as np

from ...error import TVMError
from ..expr import TensorData


class Trainer:
    """A module of SetupTrainer with the virtual machine of its program."""

    BACKBONE_FUNC = "backbone"
    BACKBONE_LOSS_FUNC = "backbone_loss"
    ADJOINT_FUNC = "backbone_loss_adjoint"
    OPTIMIZER_FUNC = "optimizer"

    def __init__(self, train_mod, vm, device, zero_init_param_state=True):
        self.mod, self.vm, self.device = train_mod.without_attr("optim_state"), vm, device
        attrs = train_mod.attrs
        self._input_num, params, states = (int(attrs[x]) for x in ("input_num", "param_num", "state_num"))
        self._optim_state = [self._array(x) for x in attrs["optim_state"]]
        all_vars = list(train_mod[self.ADJOINT_FUNC].params)[self._input_num:]
        self._param_vars, self._state_vars = all_vars[:params], all_vars[params:params + states]
        self._params, self._states = [None] * params, [None] * states
        if zero_init_param_state:
            self.zero_init_params()
            self.zero_init_states()

    def _array(self, value):
        from ...runtime.ndarray import array

        return array(value.numpy() if isinstance(value, TensorData) else value, self.device)

    @staticmethod
    def _shape(var):
        return [int(x) for x in var.struct_info.shape.values]

    def _zeros(self, variables):
        return [self._array(np.zeros(self._shape(x), x.struct_info.dtype)) for x in variables]

    def xaiver_uniform_init_params(self):
        """Parameters at random, by the method of Glorot and Bengio (2010)."""
        self._params = []
        for var in self._param_vars:
            shape = self._shape(var)
            values = np.sqrt(6.0 / np.sum(shape)) * np.random.uniform(-1.0, 1.0, shape)
            self._params.append(self._array(values.astype(var.struct_info.dtype)))

    def zero_init_params(self):
        """All parameters 0."""
        self._params = self._zeros(self._param_vars)

    def zero_init_states(self):
        """All states 0."""
        self._states = self._zeros(self._state_vars)

    def _load(self, into, variables, values, what):
        if isinstance(values, dict):
            names = [x.name_hint for x in variables]
            for name, value in values.items():
                if name not in names:
                    raise ValueError(f"the model has no {what.lower()} {name}")
                into[names.index(name)] = self._array(value)
        elif isinstance(values, (list, tuple)):
            if len(values) != len(into):
                raise ValueError(f"there are {len(values)} values for {len(into)} of the kind {what.lower()}")
            into[:] = [self._array(x) for x in values]
        else:
            raise ValueError(f"the values of the kind {what.lower()} are a list or a dict")

    def load_params(self, params):
        """Parameters: all in a list, or some by name."""
        self._load(self._params, self._param_vars, params, "Parameter")

    def load_states(self, states):
        """States: all in a list, or some by name."""
        self._load(self._states, self._state_vars, states, "State")

    def export_params(self):
        """Parameters by name."""
        return {var.name_hint: value for var, value in zip(self._param_vars, self._params)}

    def export_states(self):
        """States by name."""
        return {var.name_hint: value for var, value in zip(self._state_vars, self._states)}

    def _arguments(self, inputs, targets):
        for what, values in (("parameter", self._params), ("model state", self._states)):
            for at, value in enumerate(values):
                if value is None:
                    raise TVMError(f"{what.lower()} number {at} has no value yet: it is loaded, or drawn, before the model runs")
        if len(inputs) != self._input_num:
            raise ValueError(f"the backbone takes {self._input_num} inputs; {len(inputs)} came")
        return [self._array(x) for x in inputs] + self._params + self._states + [self._array(x) for x in targets]

    def predict(self, *input_instances):
        """What the backbone gives, without the states."""
        result = self.vm[self.BACKBONE_FUNC](*self._arguments(input_instances, []))
        if self._states:
            result = list(result)[:-len(self._states)]
            return result[0] if len(result) == 1 else result
        return result

    def update(self, input_instances, targets):
        """One step of the optimizer; the loss before it."""
        lists = [x if isinstance(x, list) else [x] for x in (input_instances, targets)]
        result, grads = self.vm[self.ADJOINT_FUNC](*self._arguments(*lists))
        if self._states:
            result, *self._states = list(result)
        params, state = self.vm[self.OPTIMIZER_FUNC](self._params, grads, self._optim_state)
        self._params, self._optim_state = list(params), list(state)
        return result

    def profile_adjoint(self, input_instances, targets):
        """How long the functions of a step take, when the virtual machine can say so."""
        lists = [x if isinstance(x, list) else [x] for x in (input_instances, targets)]
        arguments = self._arguments(*lists)
        if not hasattr(self.vm, "profile"):
            raise NotImplementedError("this virtual machine does not profile")
        return self.vm.profile(self.ADJOINT_FUNC, *arguments)
