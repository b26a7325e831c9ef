"""NNPACK: not here."""
from .. import te, tir
from ._library import asked


def is_available():
    """Is the library here?"""
    return asked("tvm.contrib.nnpack._initialize") == 0


def fully_connected_inference(lhs, rhs, nthreads=1):
    """A matrix times a vector as one extern call."""
    return te.extern((rhs.shape[0],), [lhs, rhs],
                     lambda ins, outs: tir.call_packed("tvm.contrib.nnpack.fully_connected_inference", ins[0], ins[1], outs[0], nthreads), name="C")
