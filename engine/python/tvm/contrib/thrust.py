"""Sorting and scanning by Thrust: not on this machine."""


def maybe_warn(target, func_name):
    """Says that a target asks for the library and has it not."""
    import logging

    if "thrust" in getattr(target, "libs", ()):
        logging.getLogger("tvm").warning("thrust is requested but %s is not here", func_name)


def can_use_thrust(target, func_name):
    """Is there a function of the library?"""
    from .. import get_global_func

    maybe_warn(target, func_name)
    return getattr(target, "kind", None) is not None and target.kind.name in ("cuda", "nvptx") and get_global_func(func_name, allow_missing=True) is not None


def can_use_rocthrust(target, func_name):
    """The same for AMD's."""
    from .. import get_global_func

    maybe_warn(target, func_name)
    return getattr(target, "kind", None) is not None and target.kind.name == "rocm" and get_global_func(func_name, allow_missing=True) is not None
