"""Small things that several files need."""
import os

from ..ir.module import IRModule
from ..target import Target
from ..tir import PrimFunc


def derived_object(cls):
    """Marks a class that derives from one of these; nothing has to be done."""
    return cls


def normalize_mod(mod):
    """A module of one function called main, when a function is given."""
    if isinstance(mod, PrimFunc):
        if "global_symbol" not in (mod.attrs or {}):
            mod = mod.with_attr("global_symbol", "main")
        mod = mod.with_attr("tir.noalias", True)
        mod = IRModule({"main": mod})
    if not isinstance(mod, IRModule):
        raise TypeError(f"Expected `mod` to be PrimFunc or IRModule, but gets: {mod}")
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
    import random

    draw = random.Random(seed if seed is not None and seed != -1 else None)
    return [draw.randrange(1, 2**31 - 1) for _ in range(n)]
