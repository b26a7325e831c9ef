"""Functions of TVM's runtime that programs call by name."""
from .module import source_module


def CSourceModuleCreate(code, fmt, func_names, const_vars=None):  # noqa: N802
    """A module of C source."""
    return source_module("c", str(code), str(fmt), [str(name) for name in func_names or ()])
