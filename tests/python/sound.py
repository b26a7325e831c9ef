"""Right where TVM v0.20 is wrong: each case of sound_numbers, sound_memory and sound_calls is a program whose result is known without a compiler.

The texts that differ are listed in the help, page "Differences".  Here is what all three use."""
import contextlib
import ctypes
import os

import numpy as np

import tvm
from tvm import tir


M_PERTURB = -6                  # of glibc's mallopt
CLI = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli")
INT_MAX, INT_MIN = 2**31 - 1, -2**31


@contextlib.contextmanager
def unperturbed():
    """./check has new memory filled (MALLOC_PERTURB_): buffers of gigabytes of which a few pages are used would all be there, eight seconds of the kernel's work and what
    other programs have in memory for nothing."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", lambda *_: 1)
    mallopt(M_PERTURB, 0)
    try:
        yield
    finally:
        mallopt(M_PERTURB, int(os.environ.get("MALLOC_PERTURB_", "0") or 0))


def run(func, *arrays):
    """The arrays after a call of the function, compiled."""
    built = tvm.build(tvm.IRModule({"main": func}), target="llvm")
    tensors = [tvm.nd.array(np.asarray(a)) for a in arrays]
    built["main"](*tensors)
    return [t.numpy() for t in tensors]


def simplified(func):
    """The text of the function behind Simplify."""
    return tir.transform.Simplify()(tvm.IRModule({"main": func}))["main"].script()
