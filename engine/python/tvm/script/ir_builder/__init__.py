"""The builder: programs made by calls instead of text.  What it offers is TensorIR; modules and Relax functions are written as scripts."""
from .. import ir, relax
from . import tir
from .base import IRBuilder, IRBuilderFrame
