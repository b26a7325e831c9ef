"""Matrices most of whose elements are zero: CSR (data, indices, indptr), and BSR, whose elements are blocks."""
from ... import te, tir

__all__ = ["sparse_add", "sparse_dense", "sparse_dense_sp_lhs", "sparse_dense_sp_rhs", "sparse_transpose"]


def _of_csr(dense, data, indices, indptr, sparse_first):
    """sparse x dense^T or dense x sparse^T"""
    other, rows = dense.shape[0], indptr.shape[0] - 1

    def total(i, row):
        at = te.reduce_axis((0, indptr[row + 1] - indptr[row]), name="elem_idx")
        place = indptr[row] + at
        return te.sum(data[place] * dense[i, indices[place]], axis=at)

    if sparse_first:
        return te.compute((rows, other), lambda row, i: total(i, row), name="sparse_dense_sp_lhs_csrmm", tag="sparse_dense_sp_lhs_csrmm")
    return te.compute((other, rows), total, name="sparse_dense_sp_rhs_csrmm", tag="sparse_dense_sp_rhs_csrmm")


def _of_blocks(dense, data, indices, indptr, sparse_first):
    other, rows = dense.shape[0], indptr.shape[0] - 1
    height, width = data.shape[1], data.shape[2]

    def total(i, row, inner):
        at = te.reduce_axis((0, (indptr[row + 1] - indptr[row]) * width), name="elem_idx")     # one axis: two that depend begin anew for each of the first
        place, c = indptr[row] + te.indexdiv(at, width), te.indexmod(at, width)
        return te.sum(data[place, inner, c] * dense[i, width * indices[place] + c], axis=at)

    side = "lhs" if sparse_first else "rhs"
    blocks = te.compute((other, rows, height), total, name=f"sparse_dense_sp_{side}_bsrmm_block", tag=f"sparse_dense_sp_{side}_bsrmm_block")
    name = f"sparse_dense_sp_{side}_bsrmm"
    if sparse_first:
        return te.compute((rows * height, other), lambda m, n: blocks[n, te.indexdiv(m, height), te.indexmod(m, height)], name=name, tag=name)
    return te.compute((other, rows * height), lambda m, n: blocks[m, te.indexdiv(n, height), te.indexmod(n, height)], name=name, tag=name)


def _sparse_dense(dense, data, indices, indptr, sparse_first):
    if len(data.shape) == 1:
        return _of_csr(dense, data, indices, indptr, sparse_first)
    if len(data.shape) == 3:
        return _of_blocks(dense, data, indices, indptr, sparse_first)
    raise ValueError("a sparse matrix has data of one dimension (CSR) or of three (BSR)")


def sparse_dense(dense_data, sparse_data, sparse_indices, sparse_indptr, sparse_lhs=False):
    """dense x sparse^T, or sparse x dense^T."""
    return _sparse_dense(dense_data, sparse_data, sparse_indices, sparse_indptr, sparse_lhs)


def sparse_dense_sp_rhs(data, weight_data, weight_indices, weight_indptr):
    """data x weight^T of a sparse weight."""
    return _sparse_dense(data, weight_data, weight_indices, weight_indptr, False)


def sparse_dense_sp_lhs(data_data, data_indices, data_indptr, weight):
    """data x weight^T of sparse data."""
    return _sparse_dense(weight, data_data, data_indices, data_indptr, True)


def sparse_add(dense_data, sparse_data, sparse_indices, sparse_indptr):
    """A dense matrix plus one in CSR."""
    def value(i, j):
        at = te.reduce_axis((0, sparse_indptr[i + 1] - sparse_indptr[i]), name="elem_idx")
        place = sparse_indptr[i] + at
        return te.sum(tir.if_then_else(sparse_indices[place].astype("int32") == j, sparse_data[place], tir.const(0, dense_data.dtype)), axis=at)

    spread = te.compute(dense_data.shape, value, name="sparse_add", tag="sparse_add")
    return te.compute(dense_data.shape, lambda i, j: dense_data[i, j] + spread[i, j], name="sparse_add", tag="sparse_add_csr_output")


def sparse_transpose(sparse_data, sparse_indices, sparse_indptr):
    """The transposed square matrix, as [data, indices, indptr]."""
    entries, n = sparse_data.shape[0], sparse_indptr.shape[0] - 1

    def transpose(ins, outs):
        builder = tir.ir_builder.create()
        data, columns, begins, out_data, out_columns, out_begins = (builder.buffer_ptr(x) for x in (*ins, *outs))
        with builder.for_range(0, n + 1, name="i") as i:
            out_begins[i] = tir.const(0, sparse_indptr.dtype)
        with builder.for_range(0, entries, name="i") as i:         # how many stand in each column, one place further on
            out_begins[columns[i] + 1] += tir.const(1, sparse_indptr.dtype)
        with builder.for_range(0, n, name="i") as i:
            out_begins[i + 1] += out_begins[i]
        with builder.for_range(0, n, name="row") as row:
            with builder.for_range(0, begins[row + 1] - begins[row], name="k") as k:
                at = begins[row] + k
                place = out_begins[columns[at]]
                out_columns[place] = row.astype(sparse_indices.dtype)
                out_data[place] = data[at]
                out_begins[columns[at]] += tir.const(1, sparse_indptr.dtype)
        with builder.for_range(0, n, name="i") as i:                 # each begin has become that of the next row
            out_begins[n - i] = out_begins[n - 1 - i]
        out_begins[0] = tir.const(0, sparse_indptr.dtype)
        return builder.get()

    return te.extern([sparse_data.shape, sparse_indices.shape, sparse_indptr.shape], [sparse_data, sparse_indices, sparse_indptr], transpose,
                     dtype=[sparse_data.dtype, sparse_indices.dtype, sparse_indptr.dtype], name="sparse_transpose", tag="sparse_transpose_csr")
