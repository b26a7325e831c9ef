"""Choosing tokens by their probabilities: from a distribution, and within the k likeliest or the likeliest share p."""
import numpy as np

from .... import te, tir
from ....script import tir as T
from ... import op as _op
from .core import Tensor, wrap_nested


def _indices(sample_indices, uniform_sample, prob):
    """Which distribution each sample is from; by default each has its own."""
    if sample_indices is not None:
        assert sample_indices.shape == uniform_sample.shape, "The shape of sample_indices must match the shape of uniform_sample."
        return sample_indices
    assert prob.shape[0] == uniform_sample.shape[0], "Number of samples must match the number of probability distributions."
    return Tensor.from_const(np.arange(uniform_sample.shape[0], dtype="int64").reshape(-1, 1))


def multinomial_from_uniform(prob, uniform_sample, sample_indices=None, dtype="int64", name="multinomial_from_uniform"):
    """The places at which the running sums of probabilities pass uniform numbers."""
    sample_indices = _indices(sample_indices, uniform_sample, prob)
    return wrap_nested(_op.multinomial_from_uniform(prob._expr, uniform_sample._expr, sample_indices._expr, dtype), name)


def _within(cumsum_sorted, top_p, top_k, i, j):
    """Is the j-th likeliest one still chosen?"""
    return tir.all(cumsum_sorted[i, j] < top_p[i, 0], j + 1 < top_k[i, 0])


def sample_top_p_top_k_from_sorted_prob(sorted_prob, sorted_index, top_p, top_k, uniform_sample, sample_indices=None):
    """Samples from the likeliest ones; probabilities and their places come in falling order."""
    from .op import cumsum, tensor_ir_op

    prob_dtype, index_dtype = sorted_prob.dtype, sorted_index.dtype
    sample_indices = _indices(sample_indices, uniform_sample, sorted_prob)
    sample_indices_dtype = sample_indices.dtype

    @T.prim_func(private=True)
    def renorm(A: T.handle, B: T.handle, C: T.handle, D: T.handle):
        batch, vocab_size = T.int64(is_size_var=True), T.int64(is_size_var=True)
        cumsum_sorted = T.match_buffer(A, (batch, vocab_size), prob_dtype)
        top_p = T.match_buffer(B, (batch, 1), prob_dtype)
        top_k = T.match_buffer(C, (batch, 1), index_dtype)
        renorm_prob = T.match_buffer(D, (batch, 1), prob_dtype)
        for ax0, ax1 in T.grid(batch, vocab_size):
            with T.block("T_get_renorm_prob"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                if not _within(cumsum_sorted, top_p, top_k, v_ax0, 0):
                    renorm_prob[v_ax0, 0] = cumsum_sorted[v_ax0, 0]
                elif _within(cumsum_sorted, top_p, top_k, v_ax0, v_ax1):
                    if v_ax1 + 1 == vocab_size:
                        renorm_prob[v_ax0, 0] = cumsum_sorted[v_ax0, v_ax1]
                    elif not _within(cumsum_sorted, top_p, top_k, v_ax0, v_ax1 + 1):
                        renorm_prob[v_ax0, 0] = cumsum_sorted[v_ax0, v_ax1 + 1]

    @T.prim_func(private=True)
    def pick(A: T.handle, B: T.handle, C: T.handle, D: T.handle, E: T.handle, F: T.handle):
        batch, vocab_size = T.int64(is_size_var=True), T.int64(is_size_var=True)
        out_batch = T.int64(is_size_var=True)
        cumsum_sorted = T.match_buffer(A, (batch, vocab_size), prob_dtype)
        indices = T.match_buffer(B, (batch, vocab_size), index_dtype)
        renorm_prob = T.match_buffer(C, (batch, 1), prob_dtype)
        usample = T.match_buffer(D, (out_batch, 1), prob_dtype)
        sample_indices = T.match_buffer(E, (out_batch, 1), sample_indices_dtype)
        output_index = T.match_buffer(F, (out_batch, 1), index_dtype)
        for ax0, ax1 in T.grid(out_batch, vocab_size):
            with T.block("T_get_index_from_sorted"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.writes(output_index[v_ax0, 0])
                if (usample[v_ax0, T.int64(0)] < cumsum_sorted[sample_indices[v_ax0, T.int64(0)], v_ax1] / renorm_prob[sample_indices[v_ax0, T.int64(0)], 0]
                        or v_ax1 + 1 == vocab_size):
                    if v_ax1 == 0:
                        output_index[v_ax0, 0] = indices[sample_indices[v_ax0, T.int64(0)], 0]
                    elif (usample[v_ax0, T.int64(0)]
                          >= cumsum_sorted[sample_indices[v_ax0, T.int64(0)], v_ax1 - 1] / renorm_prob[sample_indices[v_ax0, T.int64(0)], 0]):
                        output_index[v_ax0, 0] = indices[sample_indices[v_ax0, T.int64(0)], v_ax1]

    cumsum_sorted = cumsum(sorted_prob, axis=1)
    renormed = tensor_ir_op(renorm, "get_renorm_prob", [cumsum_sorted, top_p, top_k], Tensor.placeholder([sorted_prob.shape[0], 1], prob_dtype))
    return tensor_ir_op(pick, "get_index_from_sorted", [cumsum_sorted, sorted_index, renormed, uniform_sample, sample_indices],
                        Tensor.placeholder([uniform_sample.shape[0], 1], index_dtype))


def renormalize_top_p_top_k_prob(prob, sorted_prob, top_p, top_k):
    """The probabilities of the likeliest ones, so that they add up to 1, and 0 for the others."""
    from .op import cumsum, sum, tensor_expr_op, tensor_ir_op  # noqa: A004

    prob_dtype, top_k_dtype = prob.dtype, top_k.dtype

    @T.prim_func(private=True)
    def cut(A: T.handle, B: T.handle, C: T.handle, D: T.handle, E: T.handle):
        batch, vocab_size = T.int64(), T.int64()
        sorted_prob = T.match_buffer(A, (batch, vocab_size), prob_dtype)
        cumsum_sorted = T.match_buffer(B, (batch, vocab_size), prob_dtype)
        top_p = T.match_buffer(C, (batch, 1), prob_dtype)
        top_k = T.match_buffer(D, (batch, 1), top_k_dtype)
        cutoff = T.match_buffer(E, (batch, 1), prob_dtype)
        for ax0, ax1 in T.grid(batch, vocab_size):
            with T.block("T_get_renorm_prob"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                if _within(cumsum_sorted, top_p, top_k, v_ax0, 0) == 0:
                    cutoff[v_ax0, 0] = sorted_prob[v_ax0, 0]
                elif _within(cumsum_sorted, top_p, top_k, v_ax0, v_ax1) == 1:
                    if v_ax1 + 1 == vocab_size:
                        cutoff[v_ax0, 0] = sorted_prob[v_ax0, v_ax1]
                    elif _within(cumsum_sorted, top_p, top_k, v_ax0, v_ax1 + 1) == 0:
                        cutoff[v_ax0, 0] = sorted_prob[v_ax0, v_ax1 + 1]

    def keep(prob, cutoff):
        return te.compute(prob.shape, lambda i, j: tir.Select(prob[i, j] >= cutoff[i, 0], prob[i, j], 0.0), name="filter_with_top_p_top_k")

    cutoff = tensor_ir_op(cut, "get_renorm_cutoff", [sorted_prob, cumsum(sorted_prob, axis=1), top_p, top_k],
                          Tensor.placeholder([sorted_prob.shape[0], 1], prob_dtype))
    kept = tensor_expr_op(keep, "filter_with_top_p_top_k", [prob, cutoff])
    return kept / sum(kept, axis=1, keepdims=True)
