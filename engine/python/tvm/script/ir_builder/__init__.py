"""The names under which TVM keeps its builder.  Programs are built from text or nodes here."""
from .. import ir, relax, tir


class IRBuilder:
    """Not offered: write a script, or make nodes."""

    def __init__(self):
        raise NotImplementedError("IRBuilder is not offered; write a script, or make nodes with tvm.tir")
