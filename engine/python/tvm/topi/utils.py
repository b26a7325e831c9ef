"""Numbers in shapes."""
from ..tir import IntImm, PrimExpr


def get_const_int(expr):
    """A constant as a Python number."""
    if isinstance(expr, int):
        return expr
    from ..arith import Analyzer

    expr = expr if isinstance(expr, IntImm) else Analyzer().simplify(expr)
    if not isinstance(expr, IntImm):
        raise ValueError("Expect value to be constant int")
    return int(expr)


def get_const_float(expr):
    """A constant as a Python number."""
    return expr if isinstance(expr, float) else float(expr.value)


def get_const_tuple(in_tuple):
    """A shape with its constants as Python numbers."""
    return tuple(int(x) if isinstance(x, (int, IntImm)) else x for x in in_tuple)


def equal_const_int(expr, value):
    """Is it this constant?"""
    return isinstance(expr, (int, IntImm)) and int(expr) == value


def prod(x):
    """The product."""
    from ..tir import const

    result = const(1, "int32")
    for value in x:
        result = result * value
    return result


def simplify(expr):
    """Simplified, if it is an expression."""
    from ..arith import Analyzer

    return Analyzer().simplify(expr) if isinstance(expr, PrimExpr) else expr


def get_float_tuple(in_tuple):
    """Constants as Python numbers."""
    return tuple(get_const_float(x) for x in in_tuple)


def get_shape(src_shape, src_layout, dst_layout):
    """A shape of one layout in another."""
    from ..tir import bijective_layout, layout

    if src_layout == dst_layout:
        return get_const_tuple(src_shape)
    return get_const_tuple(bijective_layout(layout(src_layout), layout(dst_layout)).forward_shape(list(src_shape)))


def ravel_index(indices, shape):
    """The place of an element among all, in order."""
    flat = None
    for extent, index in zip(shape, indices):
        flat = index if flat is None else flat * extent + index
    return flat


def unravel_index(idx, shape):
    """The indices of the element at a place."""
    from ..tir import indexdiv, indexmod

    indices = []
    for i, extent in reversed(list(enumerate(shape))):
        indices.append(idx if i == 0 else indexmod(idx, extent))
        idx = indexdiv(idx, extent)
    return indices[::-1]


def get_max_power2_factor(n, max_value=None):
    """The highest power of two that divides a number, not above max_value."""
    factor = 1
    while n % 2 == 0 and (max_value is None or max_value >= factor * 2):
        factor, n = factor * 2, n // 2
    return factor


def const_vector(vector, name="const_vector"):
    """A tensor of these numbers, written into the program."""
    from .. import te
    from ..tir import Select, const

    dtype = str(vector.dtype)

    def pick(i):
        value = const(0.0 if "float" in dtype else 0, dtype)
        for k in range(vector.shape[0]):
            value = Select(i % vector.shape[0] == k, const(vector[k], dtype), value)
        return value

    return te.compute(vector.shape, pick, name=name)


def const_matrix(matrix, name="const_matrix"):
    """A tensor of these rows of numbers, written into the program."""
    from .. import te
    from ..tir import Select, all as every, const

    rows, columns = matrix.shape
    dtype = str(matrix.dtype)

    def pick(i, j):
        value = const(0.0 if "float" in dtype else 0, dtype)
        for r in range(rows):
            for c in range(columns):
                value = Select(every(i % rows == r, j % columns == c), const(matrix[r][c], dtype), value)
        return value

    return te.compute(matrix.shape, pick, name=name, attrs={"const_matrix": True})


def is_empty_shape(shape):
    """Has a tensor of this shape no element?"""
    return any(equal_const_int(extent, 0) for extent in shape)


def ceil_div(a, b):
    """The quotient, rounded up."""
    from ..tir import indexdiv

    return indexdiv(a + (b - 1), b)


def swap(arr, axis):
    """The numbers with that at an axis and the last one exchanged."""
    return [*arr[:axis], arr[-1], *arr[axis + 1:-1], arr[axis]]
