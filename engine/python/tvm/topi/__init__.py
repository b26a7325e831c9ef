"""The tensor operator inventory: operators over te tensors."""
import _loopscope as _core

from . import tag, utils
from .broadcast import *  # noqa: F403
from .math import *  # noqa: F403
from .reduction import *  # noqa: F403
from .transform import *  # noqa: F403
from .places import *  # noqa: F403
from .signal import dft, stft
from . import broadcast, image, math, nn, random, reduction, signal, sparse, transform, vision


def elemwise_sum(xs):
    """The sum of tensors of one shape."""
    return _core.topi("elemwise_sum", list(xs))


from ._families import register as _register  # noqa: E402

_register(__name__)

from .._alias import moved as _moved  # noqa: E402

_moved("tvm.topi.cuda", "tvm.topi.gpu")


def __getattr__(name):
    import importlib

    if name in ("gpu", "cuda"):
        return importlib.import_module("tvm.topi.gpu")
    raise AttributeError(f"module 'tvm.topi' has no attribute {name!r}")
