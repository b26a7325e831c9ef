"""Random numbers as extern calls."""
from .. import te, tir


def _filled(name, *args):
    def make(size, *values):
        return te.extern(size, [], lambda ins, outs: tir.call_packed(name, *values, outs[0]), dtype=args[0])

    return make


def randint(low, high, size, dtype="int32"):
    """Whole numbers of [low, high)."""
    if "int" not in dtype:
        raise AssertionError("the type of whole numbers is int or uint")
    return _filled("tvm.contrib.random.randint", dtype)(size, int(low), int(high))


def uniform(low, high, size):
    """Numbers of [low, high)."""
    return _filled("tvm.contrib.random.uniform", "float32")(size, float(low), float(high))


def normal(loc, scale, size):
    """Numbers of a normal distribution."""
    return _filled("tvm.contrib.random.normal", "float32")(size, float(loc), float(scale))
