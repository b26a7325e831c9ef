"""Choosing tokens by their probabilities: from a distribution, and within the k likeliest or the likeliest share p.

Running sums rise, so every choice here is a place in a rising row, and a place is a number of elements: how many sums a drawn number has passed;
how many of the likeliest ones stay below the share p and before the k-th.  Each kernel counts along the row and then looks one element up.
"""
import numpy as np

from .... import te, tir
from ... import op as _op
from .core import Tensor, wrap_nested


def _rows_of(sample_indices, uniform_sample, prob):
    """From which distribution each number is drawn; unless it is said, the i-th from the i-th."""
    drawn = list(uniform_sample.shape)
    if sample_indices is None:
        assert prob.shape[0] == drawn[0], f"{drawn[0]} numbers are drawn for {prob.shape[0]} distributions: sample_indices has to say from which each is"
        return Tensor.from_const(np.arange(drawn[0], dtype="int64").reshape(-1, 1))
    assert list(sample_indices.shape) == drawn, f"sample_indices has the shape {list(sample_indices.shape)}; one row for each drawn number is {drawn}"
    return sample_indices


def multinomial_from_uniform(prob, uniform_sample, sample_indices=None, dtype="int64", name="multinomial_from_uniform"):
    """The places at which the running sums of probabilities pass uniform numbers."""
    rows = _rows_of(sample_indices, uniform_sample, prob)
    return wrap_nested(_op.multinomial_from_uniform(prob._expr, uniform_sample._expr, rows._expr, dtype), name)


# ---- kernels ----------------------------------------------------------------------------------------


def _count(rows, row_length, holds, name):
    """For each row, at how many places something holds; as int64."""
    at = te.reduce_axis((0, row_length), name="at")
    return te.compute((rows,), lambda row: te.sum(tir.Select(holds(row, at), tir.const(1, "int64"), tir.const(0, "int64")), axis=at), name=name)


def _column(rows, value, name):
    """One number for each row, as a column."""
    return te.compute((rows, 1), lambda row, _: value(row), name=name)


def _last_chosen(sums, top_p, top_k):
    """The place of the least likely one that is still chosen: the first is always, and one follows on all that stay below both limits."""
    rows, length = sums.shape
    below = _count(rows, length, lambda row, at: tir.all(sums[row, at] < top_p[row, 0], at + 1 < top_k[row, 0]), "below")
    return lambda row: te.min(below[row], tir.Cast("int64", length) - 1)


def _renormalizer(sums, top_p, top_k):
    """What the probabilities of the chosen ones add up to."""
    last = _last_chosen(sums, top_p, top_k)
    return _column(sums.shape[0], lambda row: sums[row, last(row)], "renorm")


def _cutoff(sorted_prob, sums, top_p, top_k):
    """The probability of the least likely one that is chosen."""
    last = _last_chosen(sums, top_p, top_k)
    return _column(sorted_prob.shape[0], lambda row: sorted_prob[row, last(row)], "cutoff")


def _drawn(sums, sorted_index, renorm, uniform_sample, rows):
    """The token at which the renormalized sums pass a drawn number, or the last one where rounding left it above all."""
    length = sums.shape[1]
    passed = _count(uniform_sample.shape[0], length,
                    lambda i, at: sums[rows[i, 0], at] / renorm[rows[i, 0], 0] <= uniform_sample[i, 0], "passed")
    return _column(uniform_sample.shape[0], lambda i: sorted_index[rows[i, 0], te.min(passed[i], tir.Cast("int64", length) - 1)], "token")


def _kept(prob, cutoff):
    """The probabilities from a cutoff on."""
    return te.compute(prob.shape, lambda row, at: tir.if_then_else(cutoff[row, 0] <= prob[row, at], prob[row, at], tir.const(0, prob.dtype)), name="kept")


def sample_top_p_top_k_from_sorted_prob(sorted_prob, sorted_index, top_p, top_k, uniform_sample, sample_indices=None):
    """Samples from the likeliest ones; probabilities and their places come in falling order."""
    from .op import cumsum, tensor_expr_op

    rows = _rows_of(sample_indices, uniform_sample, sorted_prob)
    sums = cumsum(sorted_prob, axis=1)
    renorm = tensor_expr_op(_renormalizer, "get_renorm_prob", [sums, top_p, top_k])
    return tensor_expr_op(_drawn, "get_index_from_sorted", [sums, sorted_index, renorm, uniform_sample, rows])


def renormalize_top_p_top_k_prob(prob, sorted_prob, top_p, top_k):
    """The probabilities of the likeliest ones, so that they add up to 1, and 0 for the others."""
    from .op import cumsum, sum, tensor_expr_op  # noqa: A004

    cutoff = tensor_expr_op(_cutoff, "get_renorm_cutoff", [sorted_prob, cumsum(sorted_prob, axis=1), top_p, top_k])
    kept = tensor_expr_op(_kept, "filter_with_top_p_top_k", [prob, cutoff])
    return kept / sum(kept, axis=1, keepdims=True)
