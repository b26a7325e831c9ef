"""Small things that several files need."""
import os
import random

import _loopscope as _core

from ..error import TVMError
from ..ir.module import IRModule
from ..target import Target
from ..tir import PrimFunc


class Named:
    """What prints as meta_schedule.Name(0x..)."""

    def __repr__(self):
        return f"meta_schedule.{type(self).__name__}({hex(id(self))})"

    def __str__(self):
        return self.__repr__()

    def _outer(self):
        """The object itself: TVM keeps a derived class in an object of its own."""
        return self


def missing(method):
    """A method of a Py... class that has to be written by who derives from it."""

    def refuse(self, *args, **kwargs):
        base = next(cls for cls in type(self).__mro__ if method in vars(cls) and getattr(vars(cls)[method], "_missing", False))
        name = "".join(word.capitalize() for word in method.strip("_").split("_"))
        raise TVMError(f"{base.__name__}'s {name} method not implemented!")

    refuse.__name__ = method
    refuse.__doc__ = "Has to be written."
    refuse._missing = True
    return refuse


def derived_object(cls):
    """Marks a class that derives from one of these; nothing has to be done."""
    return cls


class RunSecs(float):
    """Seconds of a run: a number that has its value under `value` too, as a FloatImm."""

    __slots__ = ()

    def __new__(cls, value):
        return super().__new__(cls, getattr(value, "value", value))

    @property
    def value(self):
        """The number."""
        return float(self)

    @property
    def dtype(self):
        """The type of the number."""
        return "float32"


def run_secs(values):
    """Seconds as a list; None stays."""
    return None if values is None else [RunSecs(x) for x in values]


def normalize_mod(mod):
    """A module of one function, called main, of a function or of such a module under another name."""
    if isinstance(mod, PrimFunc):
        if "global_symbol" not in (mod.attrs or {}):
            mod = mod.with_attr("global_symbol", "main")
        mod = mod.with_attr("tir.noalias", True)
        mod = IRModule({"main": mod})
    if not isinstance(mod, IRModule):
        raise TypeError(f"a module or a PrimFunc is tuned, not {type(mod).__name__}")
    if len(mod.functions) == 1 and "main" not in mod:
        mod = IRModule({"main": next(iter(mod.functions.values()))})
    return mod


def as_target(target):
    """A Target of one or of its text."""
    return target if isinstance(target, Target) else Target(target)


def num_cores(target):
    """The cores that a target names, or those of this machine."""
    value = as_target(target).attrs.get("num-cores")
    return int(value) if value is not None else cpu_count()


def cpu_count(logical=True):
    """Processors of this machine."""
    return os.cpu_count() or 1


def fork_seed(seed, n):
    """n seeds from one."""
    draw = random.Random(seed if seed is not None and seed != -1 else None)
    return [draw.randrange(1, 2**31 - 1) for _ in range(n)]


def shash2hex(mod):
    """The structural hash of a module as 16 digits."""
    from ..ir.base import structural_hash

    return f"{structural_hash(mod) & (2**64 - 1):016x}"


def get_global_func_with_default_on_worker(name, default):
    """The default where there is no name, a function where it is one, else that of the registry; ValueError: it has none."""
    from ..runtime._registry import get_global_func

    if name is None:
        return default
    if callable(name):
        return name
    try:
        return get_global_func(name)
    except ValueError as error:
        raise ValueError("Function '{name}' is not registered on the worker process. The build function and export function should be registered "
                         f"in the worker process. Note that the worker process is only aware of functions registered in TVM package: {name}") from error


def get_global_func_on_rpc_session(session, name, extra_error_msg=None):
    """The function of a name in a session; AttributeError: it has none."""
    try:
        return session.get_function(name)
    except AttributeError as error:
        raise AttributeError(f"Unable to find function \"{name}\" on the remote RPC server. {extra_error_msg or ''}") from error


def remove_build_dir(artifact_path):
    """Deletes the folder of an artifact."""
    import shutil

    shutil.rmtree(os.path.dirname(artifact_path))


def hash_of(mod):
    """The structural hash of a module."""
    return _core.structural_hash(mod, False)


def _register():
    from ..runtime._registry import register_func

    register_func("meta_schedule.remove_build_dir", remove_build_dir, override=True)


_register()
