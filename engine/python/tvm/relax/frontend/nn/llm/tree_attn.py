"""Attention of tokens that are the nodes of a tree: each sees what is above it, and what is older than the tree."""
from . import _attention_kernels as _kernels


def _not_offered(name):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"{name} is a kernel for GPUs, which is not offered; {name}_cpu is")

    refuse.__name__ = name
    refuse.__doc__ = "For GPUs: not offered."
    return refuse


def tree_attn_cpu(h_kv, h_q, d, dtype, rope_scaling):
    """(q, q_indptr, k, v, kv_indptr, q_rope_position, tree_indptr, tree_order, output, lse, rotary_mode, rope_scale, rope_theta, sm_scale)"""
    return _kernels.ragged_tree(h_kv, h_q, d, dtype, rope_scaling)


def tree_attn_with_paged_kv_cache_cpu(h_kv, h_q, d, dtype, rope_scaling):
    """(0, q, q_indptr, pages, page_indptr, page_values, length_info, k_rope_pos_offset, q_rope_position, output, lse, rotary_mode, rope_scale,
    rope_theta, sm_scale, tree_indptr, tree_order)"""
    return _kernels.paged_tree(h_kv, h_q, d, dtype, rope_scaling)


tree_attn = _not_offered("tree_attn")
tree_attn_with_paged_kv_cache = _not_offered("tree_attn_with_paged_kv_cache")
