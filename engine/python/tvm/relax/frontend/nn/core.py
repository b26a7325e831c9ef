"""Tensors, parameters, effects and modules of a model.

A Tensor is a Relax expression whose shape and type are known; operators on it emit bindings into the builder that is open.  A Parameter is a tensor
with, perhaps, a value.  An Effect stands for a state that goes through the functions of a model.  A Module holds parameters and other modules."""
from collections import OrderedDict

import numpy as np

from ....ir import IRModule  # noqa: F401
from ....runtime import ndarray
from ....runtime.ndarray import Device
from ....tir import IntImm, PrimExpr, Var
from ... import expr as rx
from ...block_builder import BlockBuilder
from ...struct_info import ObjectStructInfo, ShapeStructInfo, TensorStructInfo, TupleStructInfo
from ._tensor_op import _TensorOp
from .subroutine import SubroutineMixin

_default_dtype = "float32"


def get_default_dtype():
    """The type of parameters that say none."""
    return _default_dtype


def set_default_dtype(dtype):
    """Sets the type of parameters that say none."""
    global _default_dtype
    _default_dtype = dtype


def _extents(shape):
    extents = []
    for extent in shape:
        if isinstance(extent, (int, np.integer, IntImm)):
            if int(extent) < 0:
                raise ValueError(f"An extent is not negative: {list(shape)}")
            extents.append(int(extent))
        elif isinstance(extent, str):
            extents.append(Var(extent, "int64"))
        elif isinstance(extent, PrimExpr):
            if extent.dtype != "int64":
                raise ValueError(f"An extent is an int64 number, {extent} is {extent.dtype}")
            extents.append(extent)
        else:
            raise TypeError(f"Invalid shape: {shape}")
    return extents


class Tensor(_TensorOp):
    """A Relax expression that is a tensor of known shape and type.  Made by operators, from_const, from_scalar, from_struct_info and placeholder."""

    def __init__(self, *, _expr):
        info = _expr.struct_info_
        if not isinstance(info, TensorStructInfo) or info.ndim == -1 or info.shape is None or not isinstance(info.shape.struct_info, ShapeStructInfo):
            raise AssertionError(f"A tensor of known shape is expected, not {info}")
        self._expr = _expr

    @staticmethod
    def from_const(data):
        """The tensor of an array or a number."""
        return Tensor(_expr=rx.const(data))

    @staticmethod
    def from_scalar(data, dtype):
        """A number as a tensor without dimensions."""
        return Tensor(_expr=rx.const(data, dtype=dtype))

    @staticmethod
    def from_struct_info(struct_info, name="tensor"):
        """A tensor of this struct info without a value."""
        return Tensor(_expr=rx.Var(name_hint=name, struct_info=struct_info))

    @staticmethod
    def placeholder(shape, dtype, name="tensor"):
        """A tensor of this shape and type without a value."""
        return Tensor(_expr=rx.Var(name_hint=name, struct_info=TensorStructInfo(shape=_extents(shape), dtype=dtype)))

    @property
    def shape(self):
        """The extents, numbers where they are constant."""
        return [x.value if isinstance(x, IntImm) else x for x in self._expr.struct_info.shape.struct_info.values]

    @property
    def ndim(self):
        """The number of dimensions."""
        return self._expr.struct_info.ndim

    @property
    def dtype(self):
        """The type of the elements."""
        return self._expr.struct_info.dtype

    def __repr__(self):
        return f'Tensor({self.shape}, "{self.dtype}")'


class Parameter(Tensor):
    """A weight, with or without a value (`data`)."""

    def __init__(self, shape, dtype=None):
        super().__init__(_expr=Tensor.placeholder(shape, dtype or get_default_dtype(), name="param")._expr)
        self._data = None
        self.attrs = OrderedDict()

    @property
    def data(self):
        """The value, an NDArray, or None."""
        return self._data

    @data.setter
    def data(self, data):
        if data is None:
            self._data = None
            return
        if isinstance(data, np.ndarray):
            data = ndarray.array(data)
        elif not isinstance(data, ndarray.NDArray):
            if not hasattr(data, "__dlpack__"):
                raise TypeError(f"Unsupported data type: {type(data)}")
            data = _from_dlpack(data)
        if tuple(data.shape) != tuple(self.shape):
            raise ValueError(f"Shape mismatch: expected {tuple(self.shape)}, got {tuple(data.shape)}")
        if str(data.dtype) != self.dtype:
            raise ValueError(f"Dtype mismatch: expected {self.dtype}, got {data.dtype}")
        self._data = data

    def to(self, dtype=None):
        """Changes the type of a parameter without a value."""
        if dtype is None:
            return
        if self._data is not None:
            raise ValueError("Changing the dtype of a Parameter that has been bound to concrete data is not recommended. It might lead to potential "
                             "precision loss or other unexpected behaviors")
        self._expr = Tensor.placeholder(self.shape, dtype, name="param")._expr


class Object:
    """A value that is no tensor: an object of the virtual machine."""

    def __init__(self, *, _expr, _name):
        if not isinstance(_expr, rx.Var):
            _expr = BlockBuilder.current().emit(_expr, _name)
        self._expr = _expr
        assert isinstance(self._expr.struct_info, ObjectStructInfo)


class Effect:
    """A state that each function of the model takes and gives back."""

    def emit_init(self, name_hint, builder):
        """Emits what the state is at first; gives the variables."""
        raise NotImplementedError

    def create(self, name_hint):
        """The parameters of a function that stand for the state."""
        raise NotImplementedError

    def set_state(self, state_vars):
        """The state is in these variables now."""
        raise NotImplementedError

    def finalize(self):
        """The variables of the state at the end of a function."""
        raise NotImplementedError

    def to(self, dtype=None):
        """Changes the type where the effect has one."""


class Module(SubroutineMixin):
    """A part of a model: a class with parameters and other modules as attributes, and methods over tensors."""

    def named_parameters(self, prefix=""):
        """Names and parameters, in the order in which they were assigned."""
        yield from _attribute_finder(self, prefix, lambda x: isinstance(x, Parameter))

    def parameters(self):
        """The parameters."""
        for _, param in self.named_parameters():
            yield param

    def state_dict(self, *, prefix="", destination=None):
        """The parameters by name."""
        destination = OrderedDict() if destination is None else destination
        destination.update(self.named_parameters(prefix))
        return destination

    def load_state_dict(self, state_dict, strict=True):
        """Takes the values of other parameters by name; gives the names that are missing and those that are not known."""
        own, unexpected = self.state_dict(), []
        for key, value in state_dict.items():
            if key not in own:
                unexpected.append(key)
                continue
            if value.data is None:
                raise ValueError(f"Parameter {key} is not set to any concrete tensor")
            own.pop(key).data = value.data
        missing = list(own)
        if strict and (missing or unexpected):
            raise KeyError(f"Missing keys: {missing}, Unexpected keys: {unexpected}")
        return missing, unexpected

    def __call__(self, *args, **kwargs):
        if not hasattr(self, "forward"):
            raise NotImplementedError(f"Module {type(self)} does not have a `forward` method")
        return self.forward(*args, **kwargs)

    def to(self, dtype=None):
        """Changes the type of all parameters."""
        for item in self.__dict__.values():
            if hasattr(item, "to") and callable(item.to):
                item.to(dtype=dtype)
        if dtype is not None and isinstance(getattr(self, "dtype", None), str):
            self.dtype = dtype

    def export_tvm(self, spec, debug=False, allow_extern=False):
        """The module with a function for each method of `spec`, and the parameters by name.  spec: {"forward": {"x": spec.Tensor([1, 10], "float32")}}.
        debug: the functions take and give an effect, which printing needs.  allow_extern: external modules are a third result."""
        from . import spec as _spec
        from .exporter import Exporter

        mod, params, externs = Exporter(debug=debug).build(_spec.ModuleSpec.from_raw(spec, self))
        if allow_extern:
            return mod, params, externs
        if externs:
            raise ValueError("`ExternModule`(s) exist when they are not allowed. Turn on flag `allow_extern` to allow.")
        return mod, params

    def jit(self, spec, device="cpu", pipeline="default_build", out_format="torch", debug=False):
        """The module, compiled: its methods take and give torch tensors."""
        import tvm
        from ....target import Target
        from ... import pipeline as _pipeline
        from ...vm import VirtualMachine
        from . import spec as _spec
        from .exporter import Exporter

        spec = _spec.ModuleSpec.from_raw(spec, self)
        mod, params, externs = Exporter(debug=debug).build(spec)
        if externs:
            raise NotImplementedError("Modules from outside are not linked here: register their functions with tvm.register_func")
        device = _str_to_device(device)
        values = _param_to_ndarray(params, device)
        if isinstance(pipeline, str):
            pipeline = _pipeline.get_pipeline(pipeline)
        target = Target.from_device(device) if hasattr(Target, "from_device") else Target("llvm")
        machine = VirtualMachine(tvm.compile(mod, target, relax_pipeline=pipeline), device)
        if out_format == "torch":
            from .torch import TorchModule

            return TorchModule(spec=spec, vm=machine, params=values)
        raise ValueError(f"Unknown out_format: {out_format}")


class ModuleDict(Module):
    """Modules by name."""

    def __init__(self, modules=None):
        self.modules = OrderedDict(modules or {})

    def __iter__(self):
        return iter(self.modules.values())

    def __getitem__(self, key):
        return self.modules[key]

    def __setitem__(self, key, module):
        self.modules[key] = module

    def __len__(self):
        return len(self.modules)

    def keys(self):
        """The names."""
        return self.modules.keys()

    def values(self):
        """The modules."""
        return self.modules.values()

    def items(self):
        """Names and modules."""
        return self.modules.items()

    def get(self, key, default=None):
        """The module of a name."""
        return self.modules.get(key, default)

    def update(self, modules):
        """Adds modules."""
        self.modules.update(modules)

    def clear(self):
        """Removes all modules."""
        self.modules.clear()

    def pop(self, key):
        """Removes a module."""
        return self.modules.pop(key)

    def to(self, dtype=None):
        """Changes the type of all parameters."""
        for module in self.modules.values():
            module.to(dtype=dtype)


class _Sequence:
    """Things in a list, for ModuleList and ParameterList."""

    _items = ()

    def __iter__(self):
        return iter(self._items)

    def __getitem__(self, index):
        return self._items[index]

    def __setitem__(self, index, item):
        self._items[index] = item

    def __len__(self):
        return len(self._items)

    def append(self, item):
        """Adds one at the end."""
        self._items.append(item)


class ModuleList(_Sequence, Module):
    """Modules in a list; called, they run one after the other."""

    def __init__(self, modules):
        self.modules = modules

    @property
    def _items(self):
        return self.modules

    def to(self, dtype=None):
        """Changes the type of all parameters."""
        for module in self.modules:
            module.to(dtype=dtype)

    def forward(self, x):
        """What the modules make of x, one after the other."""
        for module in self.modules:
            x = module(x)
        return x


class ParameterDict(Module):
    """Parameters by name."""

    def __init__(self, parameters=None):
        self.parameters_ = OrderedDict(parameters or {})

    def __iter__(self):
        return iter(self.parameters_)

    def __getitem__(self, key):
        return self.parameters_[key]

    def __setitem__(self, key, parameter):
        self.parameters_[key] = parameter

    def __len__(self):
        return len(self.parameters_)

    def keys(self):
        """The names."""
        return self.parameters_.keys()

    def items(self):
        """Names and parameters."""
        return self.parameters_.items()

    def to(self, dtype=None):
        """Changes the type of all parameters."""
        for parameter in self.parameters_.values():
            parameter.to(dtype=dtype)


class ParameterList(_Sequence, Module):
    """Parameters in a list."""

    def __init__(self, parameters=None):
        self.parameters_ = list(parameters or [])

    @property
    def _items(self):
        return self.parameters_

    def to(self, dtype=None):
        """Changes the type of all parameters."""
        for parameter in self.parameters_:
            parameter.to(dtype=dtype)


def wrap_nested(expr, name):
    """The expression bound to a variable of this name; the fields of a tuple as a tuple of tensors."""
    builder = BlockBuilder.current()
    if not isinstance(expr, rx.DataflowVar):
        if builder is None:
            raise RuntimeError("Operators of a model are called while it is exported")
        expr = builder.emit(expr, name)
    info = expr.struct_info_
    if isinstance(info, TensorStructInfo):
        return Tensor(_expr=expr)
    if isinstance(info, TupleStructInfo):
        return tuple(wrap_nested(rx.TupleGetItem(expr, i), name=f"{name}_{i}") for i in range(len(info.fields)))
    raise TypeError(f"Unsupported return type: {info}")


def _attribute_finder(root, prefix, condition_yield):
    """Names and values of the attributes that hold, down through modules."""
    if isinstance(root, ModuleDict):
        children = root.modules.items()
    elif isinstance(root, (ModuleList, ParameterList)):
        children = ((str(i), item) for i, item in enumerate(root))
    elif isinstance(root, ParameterDict):
        children = root.items()
    else:
        children = list(root.__dict__.items())
    for name, item in children:
        if condition_yield(item):
            yield prefix + name, item
        elif isinstance(item, Module):
            yield from _attribute_finder(item, f"{prefix}{name}.", condition_yield)


def _from_dlpack(tensor):
    try:
        return ndarray.from_dlpack(tensor)
    except (RuntimeError, ValueError, TypeError, BufferError):
        return ndarray.array(tensor.detach().cpu().numpy())


def _str_to_device(device):
    if isinstance(device, Device):
        return device
    import tvm

    kind, _, index = device.partition(":")
    return tvm.device(kind, int(index or 0))


def _param_to_ndarray(params, device):
    missing = [name for name, param in params if param.data is None]
    if missing:
        raise ValueError(f"Parameters are not set to any concrete values: {', '.join(missing)}")
    return [param.data.copyto(target=device) for _, param in params]
