"""The names under which TVM keeps its parser."""
from .. import ir, relax, tir
from ..ir import ir_module
from ..source import from_source, parse
from ..tir import prim_func
