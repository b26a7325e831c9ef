"""A compiled model for torch: methods take and give torch tensors."""
import inspect

import torch

from ....runtime import ndarray
from . import core
from . import spec as _spec


class TorchModule:
    """A model that was compiled; its methods are those of the specification."""

    def __init__(self, spec, vm, params):
        self.spec, self.vm, self.params = spec, vm, params
        self.effects = vm["_initialize_effect"]() if _has(vm, "_initialize_effect") else None

    def __getitem__(self, method_name):
        if method_name not in self.spec.method_names:
            raise ValueError(f"Method `{method_name}` is not found in the module spec. {self.spec}")
        method = self.spec.method_specs[self.spec.method_names.index(method_name)]
        function = self.vm[method_name]

        def call(*args):
            if len(args) != len(method.arg_names):
                raise TypeError(f"Argument length mismatch. Expected {len(method.arg_names)} arguments, but got {len(args)} arguments. "
                                f"The spec is: {method}")
            inputs = [_to_vm(arg, spec, name) for arg, spec, name in zip(args, method.arg_specs, method.arg_names)]
            inputs += self._state(method.effect_mode)
            inputs += self._weights(method.param_mode)
            result = function(*inputs)
            if method.effect_mode != "none" and self.effects is not None:
                result, self.effects = result
            return _to_torch(result)

        call.__name__ = method_name
        return call

    def _state(self, mode):
        if self.effects is None or mode == "none":
            return []
        return [self.effects] if mode == "packed" else list(self.effects)

    def _weights(self, mode):
        return [] if mode == "none" else [self.params] if mode == "packed" else list(self.params)

    def __call__(self, *args):
        return self["forward"](*args)


def _has(vm, name):
    try:
        vm[name]
        return True
    except (AttributeError, KeyError, ValueError, RuntimeError):
        return False


def _to_vm(arg, spec, name):
    from ....runtime import ShapeTuple

    if isinstance(spec, _spec.Int):
        return ShapeTuple([int(arg)])
    if isinstance(spec, _spec.Tensor):
        if not isinstance(arg, torch.Tensor):
            raise TypeError(f"Expected argument `{name}` to be `torch.Tensor`, but got {type(arg)}")
        return core._from_dlpack(arg)
    if isinstance(spec, _spec.Tuple):
        return [_to_vm(x, each, f"{name}[{i}]") for i, (x, each) in enumerate(zip(arg, spec.elements))]
    raise TypeError(f"Unsupported spec of argument {name}: {spec}")


def _to_torch(value):
    if isinstance(value, ndarray.NDArray):
        return torch.from_dlpack(value)
    if isinstance(value, (int, float, str, type(None))):
        return value
    return [_to_torch(x) for x in value]


def _method_spec_from_torch(args, method):
    names = list(inspect.signature(method).parameters)
    if len(args) != len(names):
        raise TypeError(f"{len(args)} arguments are given, the method takes {len(names)}")

    def describe(name, arg):
        if isinstance(arg, torch.Tensor):
            return _spec.Tensor([int(x) for x in arg.shape], str(arg.dtype).partition(".")[2])
        if isinstance(arg, int):
            return _spec.Int()
        raise TypeError(f"Unsupported type {type(arg)} of argument {name}")

    return _spec.MethodSpec(method, names, [describe(n, a) for n, a in zip(names, args)], param_mode="plain", effect_mode="plain")
