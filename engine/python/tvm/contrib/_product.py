"""Products that a library of the device computes: one call of a packed function, under the name that the library's binding has.

The expression can be made anywhere; running it needs a function of that name (register_func), as there is no such library here."""
from .. import te, tir


def product(name, lhs, rhs, transa, transb, dtype, batch=False, **kwargs):
    """A matrix product, or one for each item of a batch, as an extern tensor."""
    at = 1 if batch else 0
    rows = lhs.shape[at + 1] if transa else lhs.shape[at]
    columns = rhs.shape[at] if transb else rhs.shape[at + 1]
    lead = () if not batch else ((lhs.shape[0] if not _is_one(lhs.shape[0]) else rhs.shape[0]),)
    return te.extern((*lead, rows, columns), [lhs, rhs], lambda ins, outs: tir.call_packed(name, ins[0], ins[1], outs[0], transa, transb),
                     dtype=dtype or lhs.dtype, name=kwargs.pop("name", "matmul_" + name.split(".")[-2]), **kwargs)


def _is_one(value):
    return getattr(value, "value", value) == 1
