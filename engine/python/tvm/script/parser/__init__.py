"""The names under which TVM keeps its parser."""
from .. import ir, relax, tir
from ..ir import ir_module
from ..source import from_source, parse
from ..tir import prim_func
from ..._alias import alias as _alias

for _name, _dialect in (("ir", ir), ("tir", tir), ("tirx", tir), ("s_tir", tir), ("relax", relax)):
    _dialect.entry = _dialect       # first: whether it is there is asked, and the answer of R to a name that it lacks is all of tvm.relax
    _alias(f"{__name__}.{_name}", _dialect)
    _alias(f"{__name__}.{_name}.entry", _dialect)


def __getattr__(name):
    if name in ("core", "_core"):
        import importlib

        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
