"""Reductions over axes."""
import _loopscope as _core


def _axes(axis):
    if axis is None:
        return None
    return [axis] if isinstance(axis, int) else [int(x) for x in axis]


def _reduction(name):
    def call(data, axis=None, keepdims=False):
        return _core.topi("reduce", name, data, _axes(axis), keepdims)

    call.__name__ = name
    call.__qualname__ = name
    call.__doc__ = f"{name} over axes (None: all)."
    return call


sum = _reduction("sum")  # noqa: A001
prod = _reduction("prod")
max = _reduction("max")  # noqa: A001
min = _reduction("min")  # noqa: A001
all = _reduction("all")  # noqa: A001
any = _reduction("any")  # noqa: A001


def argmax(data, axis=None, keepdims=False, select_last_index=False):
    """The index of the highest element."""
    return _core.topi("arg_reduce", "argmax", data, _axes(axis), keepdims, select_last_index)


def argmin(data, axis=None, keepdims=False, select_last_index=False):
    """The index of the lowest element."""
    return _core.topi("arg_reduce", "argmin", data, _axes(axis), keepdims, select_last_index)


def collapse_sum(data, target_shape):
    """Sums away what broadcasting from a shape has added."""
    return _core.topi("collapse_sum", data, list(target_shape))


__all__ = ["sum", "prod", "max", "min", "all", "any", "argmax", "argmin", "collapse_sum"]
