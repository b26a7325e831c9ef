"""The builder: programs made by calls instead of text.  What it offers is modules and TensorIR; Relax functions are written as scripts."""
from .. import relax
from . import ir, tir
from .base import IRBuilder, IRBuilderFrame
