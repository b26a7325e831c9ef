"""The builder: programs made by calls instead of text.  What it offers is modules and TensorIR; Relax functions are written as scripts."""
from . import ir, tir
from .base import IRBuilder, IRBuilderFrame
from ..._alias import alias as _alias

tirx, s_tir = _alias(__name__ + ".tirx", tir), _alias(__name__ + ".s_tir", tir)


def __getattr__(name):
    if name == "relax":
        import importlib

        return importlib.import_module(".relax", __name__)
    raise AttributeError(f"module 'tvm.script.ir_builder' has no attribute '{name}'")
