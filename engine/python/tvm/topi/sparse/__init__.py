"""Products with a matrix in CSR: an object that has shape, data, indices and indptr."""
from ... import te, tir
from ..nn import sparse as _nn_sparse


def csrmm(a, b, c=None):
    """a x b + c; c has a number for each row."""
    rows, columns = a.shape[0], b.shape[1]

    def total(i, j):
        at = te.reduce_axis((0, a.indptr[i + 1] - a.indptr[i]), name="elem_idx")
        place = a.indptr[i] + at
        return te.sum(a.data[place] * b[a.indices[place], j], axis=at)

    product = te.compute((rows, columns), total, name="csrmm", tag="csrmm")
    return product if c is None else te.compute((rows, columns), lambda i, j: product[i, j] + c[i], tag="broadcast")


def csrmv(a, x, y=None):
    """a x x + y of a column x: (rows, 1); y has one number, or one for each row."""
    if len(a.shape) != 2 or len(x.shape) != 2 or (y is not None and len(y.shape) != 1):
        raise ValueError("a is a matrix, x a column of two dimensions, y has one dimension")
    product = csrmm(a, x)
    if y is None:
        return product
    single = isinstance(y.shape[0], (int, tir.IntImm)) and int(y.shape[0]) == 1
    return te.compute((a.shape[0], 1), lambda i, j: product[i, j] + (y[0] if single else y[i]), tag="broadcast")


def dense(data, weight, bias=None):
    """data x weight^T + bias, where one of the two is in CSR."""
    sparse_first = not isinstance(data, te.Tensor)
    matrix, other = (data, weight) if sparse_first else (weight, data)
    product = _nn_sparse.sparse_dense(other, matrix.data, matrix.indices, matrix.indptr, sparse_first)
    return product if bias is None else te.compute(product.shape, lambda i, j: product[i, j] + bias[j], tag="broadcast")
