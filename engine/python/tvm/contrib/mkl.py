"""Products by MKL."""
from ._product import product as _product


def matmul(lhs, rhs, transa=False, transb=False, dtype=None, **kwargs):
    """The product as one extern call."""
    return _product("tvm.contrib.mkl.matmul", lhs, rhs, transa, transb, dtype, **kwargs)


def batch_matmul(lhs, rhs, transa=False, transb=False, dtype=None, **kwargs):
    """The products of a batch as one extern call."""
    return _product("tvm.contrib.mkl.batch_matmul", lhs, rhs, transa, transb, dtype, True, **kwargs)
