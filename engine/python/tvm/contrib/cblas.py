"""Products by the library of linear algebra."""


def matmul(lhs, rhs, transa=False, transb=False, **kwargs):
    """The product as one extern call."""
    from ..te import extern

    n = lhs.shape[1] if transa else lhs.shape[0]
    m = rhs.shape[0] if transb else rhs.shape[1]
    from .. import tir

    return extern((n, m), [lhs, rhs], lambda ins, outs: tir.call_packed("tvm.contrib.cblas.matmul", ins[0], ins[1], outs[0], transa, transb), name="C", **kwargs)
