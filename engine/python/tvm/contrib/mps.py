"""Products by Metal Performance Shaders, as extern calls; running them needs functions of these names (register_func)."""
from ._product import product as _product


def matmul(lhs, rhs, transa=False, transb=False):
    """The product as one extern call."""
    return _product("tvm.contrib.mps.matmul", lhs, rhs, transa, transb, None)
