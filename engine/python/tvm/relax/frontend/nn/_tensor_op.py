"""What Python's operators and a few methods do with a tensor of a model."""
from ....tir import PrimExpr


def _both(left, right):
    """Two operands; a number takes the type of the other one."""
    from .core import Tensor

    if isinstance(left, Tensor) and isinstance(right, Tensor):
        return left, right
    scalars = (int, float, PrimExpr)
    if isinstance(left, Tensor) and isinstance(right, scalars):
        return left, Tensor.from_scalar(_number(right), left.dtype)
    if isinstance(left, scalars) and isinstance(right, Tensor):
        return Tensor.from_scalar(_number(left), right.dtype), right
    raise TypeError(f"A tensor goes with a tensor or a number, not {type(left).__name__} with {type(right).__name__}")


def _number(value):
    return value.value if isinstance(value, PrimExpr) else value


def _operator(name, reflected=False):
    def method(self, other):
        from . import op

        left, right = _both(self, other)
        return getattr(op, name)(*((right, left) if reflected else (left, right)))

    method.__doc__ = f"op.{name} with the other operand{' at the left' if reflected else ''}."
    return method


class _TensorOp:
    """Operators of tensors."""

    # The order does not matter where the tensor stands first in both.
    __add__ = __radd__ = _operator("add")
    __sub__, __rsub__ = _operator("subtract"), _operator("subtract", True)
    __mul__ = __rmul__ = _operator("multiply")
    __truediv__, __rtruediv__ = _operator("divide"), _operator("divide", True)
    __lt__, __le__ = _operator("less"), _operator("less_equal")
    __gt__, __ge__ = _operator("greater"), _operator("greater_equal")

    def astype(self, dtype):
        """The elements as numbers of another type."""
        from . import op

        return op.astype(self, dtype)

    def maximum(self, other):
        """The greater one, element by element."""
        from . import op

        return op.maximum(*_both(self, other))

    def minimum(self, other):
        """The smaller one, element by element."""
        from . import op

        return op.minimum(*_both(self, other))

    def reshape(self, *shape):
        """The same elements in another shape."""
        from . import op

        return op.reshape(self, shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape)

    def permute_dims(self, *axes):
        """The dimensions in another order."""
        from . import op

        return op.permute_dims(self, axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else (axes or None))

    def repeat(self, repeats, axis=None):
        """Each element several times."""
        from . import op

        return op.repeat(self, repeats, axis)
