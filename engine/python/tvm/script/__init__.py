"""TVMScript: modules and functions written as Python."""
from . import tir, ir, relax
from .ir import ir_module
from .source import from_source
from .tir import prim_func
from . import parser, ir_builder

from .tir import dynamic as _dynamic
from .._alias import alias as _alias

tirx = tir
ir.dynamic = _dynamic
s_tir = _alias(__name__ + ".s_tir", tir)

T = tir
I = ir  # noqa: E741
R = relax


def function(*args, **kwargs):
    """R.function."""
    return relax.function(*args, **kwargs)
