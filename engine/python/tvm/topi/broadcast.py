"""Operators of two tensors whose shapes are brought together."""
import _loopscope as _core


def broadcast_to(data, shape):
    """A tensor of another shape by repetition."""
    return _core.topi("broadcast_to", data, list(shape))


def _binary(name):
    def call(lhs, rhs):
        return _core.topi_binary(name, lhs, rhs)

    call.__name__ = name
    call.__qualname__ = name
    call.__doc__ = f"{name.replace('_', ' ')}, element by element."
    return call


_NAMES = ["add", "subtract", "multiply", "divide", "floor_divide", "mod", "floor_mod", "maximum", "minimum", "power", "left_shift", "right_shift",
          "greater", "less", "equal", "not_equal", "greater_equal", "less_equal", "logical_and", "logical_or", "logical_xor", "bitwise_and",
          "bitwise_or", "bitwise_xor", "log_add_exp", "atan2"]
for _name in _NAMES:
    globals()[_name] = _binary(_name)


def logical_not(data):
    """not, element by element."""
    return _core.topi_unary("logical_not", data)


def bitwise_not(data):
    """All bits the other way."""
    return _core.topi_unary("bitwise_not", data)


__all__ = _NAMES + ["broadcast_to", "logical_not", "bitwise_not"]
