"""Operators of one tensor."""
import _loopscope as _core


def _unary(name):
    def call(x):
        return _core.topi_unary(name, x)

    call.__name__ = name
    call.__qualname__ = name
    call.__doc__ = f"{name}, element by element."
    return call


_NAMES = ["identity", "negative", "exp", "erf", "tanh", "tan", "cos", "cosh", "sin", "sinh", "acos", "acosh", "asin", "asinh", "atan", "atanh", "floor",
          "ceil", "sign", "trunc", "abs", "isnan", "isfinite", "isinf", "round", "log", "log2", "log10", "sqrt", "rsqrt", "sigmoid", "fast_exp",
          "fast_tanh", "fast_erf"]
for _name in _NAMES:
    globals()[_name] = _unary(_name)


def clip(x, a_min, a_max):
    """Each element brought between two numbers."""
    return _core.topi("clip", x, a_min, a_max)


def cast(x, dtype, span=None):
    """The same numbers as another type."""
    if getattr(x, "__te_tensor__", False):
        return _core.topi("cast", x, dtype)
    return _core.cast(dtype, x)


def reinterpret(x, dtype):
    """The same bits as another type."""
    return _core.topi("reinterpret", x, dtype)


def full(shape, dtype, fill_value):
    """The same number everywhere."""
    return _core.topi("full", list(shape), dtype, fill_value)


def full_like(x, fill_value):
    """The same number everywhere, shape and type of another tensor."""
    return _core.topi("full_like", x, fill_value)


def eye(n, m=None, k=0, dtype="float32"):
    """Ones on a diagonal."""
    return _core.topi("eye", n, n if m is None else m, k, dtype)


__all__ = _NAMES + ["clip", "cast", "reinterpret", "full", "full_like", "eye"]
