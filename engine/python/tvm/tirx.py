"""The name of tvm.tir in later versions of TVM."""
import sys

from . import tir

sys.modules[__name__] = tir
