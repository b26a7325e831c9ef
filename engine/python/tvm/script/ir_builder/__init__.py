"""The builder: programs made by calls instead of text.  What it offers is modules and TensorIR; Relax functions are written as scripts."""
from . import ir, tir
from .base import IRBuilder, IRBuilderFrame


def __getattr__(name):
    if name == "relax":
        import importlib

        return importlib.import_module(".relax", __name__)
    raise AttributeError(f"module 'tvm.script.ir_builder' has no attribute '{name}'")
