"""What the methods of a module take: the specifications that Module.export_tvm reads."""
import inspect


class Int:
    """A number that is known when the method is called."""

    def __repr__(self):
        return "int"


class Tensor:
    """A tensor: extents, numbers or names of symbolic ones, and a type."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = list(shape), dtype

    def __repr__(self):
        return f"Tensor([{', '.join(str(x) for x in self.shape)}], '{self.dtype}')"


class Object:
    """An object of the virtual machine; `object_type` is the class that stands for it."""

    def __init__(self, object_type):
        self.object_type = object_type

    def __repr__(self):
        return "object"


class Tuple:
    """Several values as a tuple or a list."""

    def __init__(self, name, elements):
        assert isinstance(elements, (tuple, list)), f"Unsupported container type: {type(elements)}"
        self.name, self.elements = name, elements

    def __repr__(self):
        return repr(self.elements)


class ConstInt:
    """A whole number, for functions from outside."""

    def __init__(self, dtype=None):
        self.dtype = dtype

    def __repr__(self):
        return "const.int"


class ConstFloat:
    """A real number, for functions from outside."""

    def __init__(self, dtype=None):
        self.dtype = dtype

    def __repr__(self):
        return "const.float"


class ConstString:
    """A text, for functions from outside."""

    def __repr__(self):
        return "const.string"


_MODES = ("plain", "packed", "none")


def _argument(given, name):
    if given is Int or given is int or given == "int":
        return Int()
    if isinstance(given, (Int, Tensor, Object)):
        return given
    if isinstance(given, Tuple):
        return Tuple(name, type(given.elements)([_argument(x, f"{name}_{i}") for i, x in enumerate(given.elements)]))
    if isinstance(given, (tuple, list)):
        return Tuple(name, type(given)([_argument(x, f"{name}_{i}") for i, x in enumerate(given)]))
    raise TypeError(f"Invalid spec for argument {name}: {given}")


class MethodSpec:
    """A method, its arguments, and how it takes parameters and effects: one by one ("plain"), as a tuple ("packed") or not ("none")."""

    def __init__(self, method, arg_names, arg_specs, param_mode, effect_mode):
        if param_mode not in _MODES:
            raise ValueError(f"Invalid param_mode: {param_mode}")
        if effect_mode not in _MODES:
            raise ValueError(f"Invalid effect_mode: {effect_mode}")
        self.method, self.arg_names, self.arg_specs = method, arg_names, arg_specs
        self.param_mode, self.effect_mode = param_mode, effect_mode

    def _repr(self, name):
        return f"{name}({', '.join(f'{arg}: {spec}' for arg, spec in zip(self.arg_names, self.arg_specs))})"

    def __repr__(self):
        return self._repr("MethodSpec")

    @staticmethod
    def from_raw(spec, method):
        """A dictionary from arguments to specifications; "$" holds param_mode and effect_mode."""
        if isinstance(spec, MethodSpec):
            return spec
        modes = spec.pop("$", {})
        names = list(inspect.signature(method).parameters)
        return MethodSpec(method, names, [_argument(spec[name], name) for name in names if name in spec],
                          param_mode=modes.get("param_mode", "plain"), effect_mode=modes.get("effect_mode", "plain"))

    @staticmethod
    def from_torch(args, method):
        """What torch tensors say about the arguments."""
        from .torch import _method_spec_from_torch

        return _method_spec_from_torch(args, method)


class ModuleSpec:
    """The methods of a module that are exported."""

    def __init__(self, module, method_names, method_specs):
        self.module, self.method_names, self.method_specs = module, method_names, method_specs

    @staticmethod
    def from_raw(spec, module):
        """A dictionary from methods to specifications."""
        if isinstance(spec, ModuleSpec):
            return spec
        return ModuleSpec(module, list(spec), [MethodSpec.from_raw(each, getattr(module, name)) for name, each in spec.items()])

    def __repr__(self):
        return "ModuleSpec:\n" + "\n".join("  " + spec._repr(name) for name, spec in zip(self.method_names, self.method_specs))
