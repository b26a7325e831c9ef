"""Functions on their way into another process: by name where the other side can import them, else by their code.

By code go functions of __main__, of a lesson's cells and of an interactive session, lambdas and functions within functions: with their defaults, what
they close over and those global names that they use.  Both sides are the same Python.
"""
import builtins
import importlib
import marshal
import os
import pickle
import sys
import types

from . import _jail


def _is_importable(function):
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    name = getattr(function, "__qualname__", "")
    if module is None or module.__name__ == "__main__" or "<" in name:
        return False
    file = getattr(module, "__file__", None)
    if file is not None and not file.startswith("/usr") and all(_jail.is_too_wide(path) or not os.path.realpath(file).startswith(os.path.realpath(path) + "/")
                                                                for path in _jail.python_places()):
        return False
    found = module
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is function


def _names_of(code):
    names = set(code.co_names)
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            names |= _names_of(one)
    return names


def _wrap(value, seen):
    """A value as pickle can take it: functions and modules by their own ways."""
    if isinstance(value, types.ModuleType):
        return ("module", value.__name__)
    if isinstance(value, types.FunctionType) and not _is_importable(value):
        return ("function", _take_apart(value, seen))
    if type(value) in (list, tuple):
        return (type(value).__name__, [_wrap(one, seen) for one in value])
    if type(value) is dict:
        return ("dict", [(key, _wrap(one, seen)) for key, one in value.items()])
    return ("value", _reduced(value))


def _reduced(value):
    """Arrays of ours as numpy's."""
    if type(value).__name__ in ("NDArray", "Tensor") and type(value).__module__.split(".")[0] == "tvm":
        return _Array(value.numpy())
    return value


class _Array:
    """An NDArray of tvm while it travels."""

    def __init__(self, array):
        self.array = array

    def back(self):
        """The NDArray."""
        import tvm

        return tvm.nd.array(self.array)


def _take_apart(function, seen):
    if id(function) in seen:
        return seen[id(function)]
    number = seen[id(function)] = len(seen)
    code = function.__code__
    used = {}
    for name in _names_of(code):
        if name in function.__globals__ and name not in ("__builtins__",):
            used[name] = _wrap(function.__globals__[name], seen)
    cells = [_wrap(cell.cell_contents, seen) for cell in function.__closure__ or ()]
    return (number, marshal.dumps(code), function.__name__, _wrap(list(function.__defaults__ or ()), seen), _wrap(dict(function.__kwdefaults__ or {}), seen), used, cells)


def pack(function, args, kwargs):
    """The bytes of a call."""
    seen = {}
    try:
        return pickle.dumps((_wrap(function, seen), [_wrap(one, seen) for one in args], {name: _wrap(one, seen) for name, one in kwargs.items()}))
    except (pickle.PicklingError, TypeError, AttributeError) as problem:
        raise TypeError(f"this call cannot be handed over to another process: {problem}") from None


def _unwrap(told, made):
    kind, value = told
    if kind == "module":
        return importlib.import_module(value)
    if kind == "function":
        return _put_together(value, made)
    if kind in ("list", "tuple"):
        return {"list": list, "tuple": tuple}[kind](_unwrap(one, made) for one in value)
    if kind == "dict":
        return {key: _unwrap(one, made) for key, one in value}
    return value.back() if isinstance(value, _Array) else value


def _put_together(parts, made):
    if isinstance(parts, int):
        return made[parts]
    number, code, name, defaults, named, used, cells = parts
    space = {"__builtins__": builtins, "__name__": "__isolated__"}
    function = types.FunctionType(marshal.loads(code), space, name, None, tuple(types.CellType() for _ in cells))
    made[number] = function
    function.__defaults__ = tuple(_unwrap(defaults, made)) or None
    function.__kwdefaults__ = _unwrap(named, made) or None
    for key, one in used.items():
        space[key] = _unwrap(one, made)
    for cell, one in zip(function.__closure__ or (), cells):
        cell.cell_contents = _unwrap(one, made)
    return function


def unpack(data):
    """(function, args, kwargs)."""
    function, args, kwargs = pickle.loads(data)
    made = {}
    return _unwrap(function, made), [_unwrap(one, made) for one in args], {name: _unwrap(one, made) for name, one in kwargs.items()}
