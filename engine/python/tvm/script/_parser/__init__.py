"""The older name of tvm.script.parser."""
import importlib as _importlib

from .. import parser as _parser
from ..._alias import alias as _alias
from ..parser import from_source, ir, ir_module, parse, prim_func, relax, tir

for _name in ("core", "core.diagnostics", "core.doc", "core.doc_core", "core.evaluator", "core.dispatch", "core.utils"):
    _alias(f"{__name__}.{_name}", _importlib.import_module(f"{_parser.__name__}.{_name}"))
for _name, _dialect in (("ir", ir), ("tir", tir), ("relax", relax)):
    _alias(f"{__name__}.{_name}", _dialect)
