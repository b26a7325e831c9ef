"""Operators of Python as functions."""
import _loopscope as _core


def _generic(name, doc):
    def call(lhs, rhs, span=None):
        return _core.binary(name, lhs, rhs)

    call.__doc__ = doc
    return call


add = _generic("Add", "lhs + rhs")
subtract = _generic("Sub", "lhs - rhs")
multiply = _generic("Mul", "lhs * rhs")
divide = _generic("Div", "lhs / rhs")
floordiv = _generic("FloorDiv", "lhs // rhs")


def cast(src, dtype, span=None):
    """src as another type."""
    return _core.cast(dtype, src)
