"""Optimizers: functions (parameters, gradients, state) -> (new parameters, new state).

An optimizer says what its state begins with (_initial) and how one parameter is updated (_update); the function around
that is made here, once for all.  State number 0 counts the steps.
"""
from decimal import Decimal

import numpy as np

from ..block_builder import BlockBuilder
from ..expr import Tuple, TupleGetItem, Var, const
from ..op import add, divide, multiply, sqrt, subtract
from ..struct_info import TensorStructInfo, TupleStructInfo


def _complement(value):
    """1 - value without the noise of binary fractions."""
    return float(1 - Decimal(str(value)))


def _array(data):
    from ...runtime.ndarray import array

    return array(data)


def _zeros(param):
    return _array(np.zeros([int(x) for x in param.struct_info.shape.values], param.struct_info.dtype))


def _checked(params):
    """The type of all parameters, which are different variables of floating point tensors."""
    dtype = None
    for at, param in enumerate(params):
        if not isinstance(param, Var):
            raise ValueError(f"what is optimized are variables; {param} is none")
        info = param.struct_info
        if not isinstance(info, TensorStructInfo):
            raise ValueError(f"what is optimized are tensors; {param.name_hint} is {info}")
        if not info.dtype.startswith(("float", "bfloat")):
            raise ValueError(f"what is optimized are tensors of floats; {param.name_hint} is of {info.dtype}")
        if dtype not in (None, info.dtype):
            raise ValueError(f"parameters of one optimizer are of one type; {param.name_hint} is of {info.dtype}, those before of {dtype}")
        if any(param.same_as(x) for x in params[:at]):
            raise ValueError(f"{param.name_hint} is given twice")
        dtype = info.dtype
    return dtype


class Optimizer:
    """What optimizers have in common.  `state` goes in as the last argument and comes back as the last result."""

    def __init__(self, name):
        self.name = name
        self.param_list = None
        self.state = None
        self.dtype = None

    def init(self, params):
        """Which parameters; makes the first state."""
        params = list(params) if isinstance(params, (list, tuple)) and not isinstance(params, Var) and not hasattr(params, "struct_info_") else [params]
        dtype = _checked(params)
        self.param_list, self.dtype = params, dtype
        self.state = self._initial()
        return self

    def _initial(self):
        return None

    def _update(self, step, param, grad, index):
        raise NotImplementedError(f"the optimizer {self.name} does not say how a parameter is updated")

    def _begin(self, step):
        """What is done once, before the parameters."""

    def get_function(self):
        """The function."""
        if self.param_list is None or self.state is None or self.dtype is None:
            raise RuntimeError("Please call init() for the optimizer before calling get_function()")
        step = _Step(self)
        with step.bb.function(self.name, [step.params, step.grads, step.states]):
            with step.bb.dataflow():
                count = step.emit(TupleGetItem(step.states, 0), "num_steps")
                step.next[0] = step.emit(add(count, const(1, "int64")), "num_steps_new")
                self._begin(step)
                fresh = []
                for index, param in enumerate(self.param_list):
                    step.name = param.name_hint
                    value = step.emit(TupleGetItem(step.params, index), "{}")
                    fresh.append(self._update(step, value, step.emit(TupleGetItem(step.grads, index), "{}_grad"), index))
                params = step.bb.emit_output(Tuple(fresh), "params_new")
                states = step.bb.emit_output(Tuple(step.next), "optim_states_new")
            step.bb.emit_func_output(Tuple([params, states]))
        return step.bb.get()[self.name]

    def _decayed(self, step, param, grad):
        """The gradient with the weight decay, when there is one."""
        if not self.weight_decay:
            return grad
        return step.emit(add(multiply(step.const(self.weight_decay), param), grad), "{}_grad_new")


class _Step:
    """A function of an optimizer while it is built."""

    def __init__(self, optimizer):
        infos = [p.struct_info for p in optimizer.param_list]
        self.dtype = optimizer.dtype
        self.bb = BlockBuilder()
        self.params = Var("params", TupleStructInfo(infos))
        self.grads = Var("gradients", TupleStructInfo(infos))
        self.states = Var("optim_states", TupleStructInfo([TensorStructInfo(list(x.shape), x.dtype) for x in optimizer.state]))
        self.next = [None] * len(optimizer.state)
        self.name = ""

    def const(self, value):
        """A number of the type of the parameters."""
        return const(value, self.dtype)

    def emit(self, expr, name):
        """A binding; {} in its name is the parameter's."""
        return self.bb.emit(expr, name.format(self.name))


class SGD(Optimizer):
    """Gradient descent.  State: (steps,)"""

    def __init__(self, lr, weight_decay=0):
        super().__init__("SGD")
        self.lr, self.weight_decay = float(lr), float(weight_decay)

    def _initial(self):
        return (_array(np.zeros((), "int64")),)

    def _update(self, step, param, grad, index):
        grad = self._decayed(step, param, grad)
        return step.emit(subtract(param, multiply(step.const(self.lr), grad)), "{}_new")


class MomentumSGD(Optimizer):
    """Gradient descent with a velocity.  State: (steps, velocity of each parameter)"""

    def __init__(self, lr, momentum, dampening=0, weight_decay=0, nesterov=False):
        super().__init__("MomentumSGD")
        self.lr, self.momentum = float(lr), float(momentum)
        self.dampening, self.weight_decay, self.nesterov = float(dampening), float(weight_decay), nesterov

    def _initial(self):
        return (_array(np.zeros((), "int64")), *map(_zeros, self.param_list))

    def _update(self, step, param, grad, index):
        momentum = step.const(self.momentum)
        velocity = step.emit(TupleGetItem(step.states, index + 1), "{}_v")
        grad = self._decayed(step, param, grad)
        push = multiply(step.const(_complement(self.dampening)), grad) if self.dampening else grad
        velocity = step.emit(add(multiply(momentum, velocity), push), "{}_v_new")
        step.next[index + 1] = velocity
        if self.nesterov:
            velocity = step.emit(add(grad, multiply(momentum, velocity)), "{}_g_nest")
        return step.emit(subtract(param, multiply(step.const(self.lr), velocity)), "{}_new")


class Adam(Optimizer):
    """Adam.  State: (steps, beta1 ** steps, beta2 ** steps, first moments, second moments)"""

    def __init__(self, lr, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
        super().__init__("Adam")
        self.lr, self.beta1, self.beta2 = float(lr), float(betas[0]), float(betas[1])
        self.eps, self.weight_decay = float(eps), float(weight_decay)

    def _initial(self):
        one = np.ones((), self.dtype)
        return (_array(np.zeros((), "int64")), _array(one), _array(one), *map(_zeros, self.param_list), *map(_zeros, self.param_list))

    def _begin(self, step):
        for at, beta in ((1, self.beta1), (2, self.beta2)):
            step.next[at] = step.emit(multiply(TupleGetItem(step.states, at), step.const(beta)), f"beta{at}_prod")

    def _update(self, step, param, grad, index):
        at = (index + 3, index + 3 + len(self.param_list))
        first = step.emit(TupleGetItem(step.states, at[0]), "{}_m")
        second = step.emit(TupleGetItem(step.states, at[1]), "{}_v")
        grad = self._decayed(step, param, grad)
        keep, take = [step.const(x) for x in (self.beta1, self.beta2)], [step.const(_complement(x)) for x in (self.beta1, self.beta2)]
        first = step.emit(add(multiply(keep[0], first), multiply(take[0], grad)), "{}_m_new")
        second = step.emit(add(multiply(keep[1], second), multiply(take[1], multiply(grad, grad))), "{}_v_new")
        step.next[at[0]], step.next[at[1]] = first, second
        first = step.emit(divide(first, subtract(step.const(1), step.next[1])), "{}_m_hat")
        second = step.emit(divide(second, subtract(step.const(1), step.next[2])), "{}_v_hat")
        share = divide(first, add(sqrt(second), step.const(self.eps)))
        return step.emit(subtract(param, multiply(step.const(self.lr), share)), "{}_new")
