"""TVMScript: modules and functions written as Python."""
from . import tir, ir, relax
from .ir import ir_module
from .source import from_source
from .tir import prim_func
from . import parser, ir_builder
from .._alias import alias as _alias

tirx = tir

T = tir
I = ir  # noqa: E741
R = relax


def function(*args, **kwargs):
    """R.function."""
    return relax.function(*args, **kwargs)


for _old in ("", ".core", ".core.diagnostics", ".core.doc", ".core.doc_core", ".core.evaluator", ".core.dispatch", ".core.utils", ".ir", ".tir", ".relax"):
    import sys as _sys

    _alias(f"{__name__}._parser{_old}", _sys.modules[f"{__name__}.parser{_old}"])
