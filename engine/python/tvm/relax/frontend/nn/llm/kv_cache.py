"""A paged cache of keys and values as a part of models, and the functions it is made of.

The object itself is one of the virtual machine (vm.builtin.paged_attention_kv_cache_create); a model makes it in a function
of its own and is handed it in the others.  Its functions are made here for CPUs, also those of latent attention (MLA); those for GPUs are not
offered, and say so.
"""
import enum

from ..... import relax as rx
from . import _attention_kernels as _kernels
from . import _page_kernels as _moving
from ..core import Object, Tensor
from .position_embedding import llama_rope_with_position_map
from .tree_attn import _not_offered, tree_attn, tree_attn_cpu, tree_attn_with_paged_kv_cache, tree_attn_with_paged_kv_cache_cpu  # noqa: F401


class RopeMode(enum.IntEnum):
    """Where positions turn queries and keys: nowhere, before keys are kept, or in the attention."""

    NONE = 0
    NORMAL = 1
    INLINE = 2


class AttnKind(enum.IntEnum):
    """What a layer keeps: keys and values of several heads, one latent vector, or nothing by position."""

    MHA = 0
    MLA = 1
    LINEAR_ATTN = 2
    MHA_SLIDING = 3


# ---- functions ------------------------------------------------------------------------------------------

def _kv_cache_transpose_append(num_key_value_heads, head_dim, dtype, page_size=16):
    """(pages, k, v, places)"""
    return _moving.kv_cache_transpose_append(num_key_value_heads, head_dim, dtype)


def _kv_cache_debug_get_kv(num_hidden_layers, num_key_value_heads, head_dim, dtype):
    """(pages, places, k, v, layer)"""
    return _moving.kv_cache_debug_get_kv(num_hidden_layers, num_key_value_heads, head_dim, dtype)


def _kv_cache_transpose_append_mla(d_qk, dtype, page_size=16):
    """(pages, latent vectors, places)"""
    return _moving.kv_cache_transpose_append_mla(d_qk, dtype)


def _kv_cache_debug_get_kv_mla(num_hidden_layers, d_qk, dtype):
    """(pages, places, latent vectors, layer)"""
    return _moving.kv_cache_debug_get_kv_mla(num_hidden_layers, d_qk, dtype)


def _copy_single_page_mla_cpu(page_size, head_dim, dtype):
    """(pages, from, to, tokens)"""
    return _moving.copy_single_page_mla_cpu(page_size, head_dim, dtype)


def _attention_prefill_mla_cpu(h_q, d_latent, d_rope, dtype, sliding_window, page_size=16):
    """(q, q_indptr, pages, page_indptr, page_values, length_info, output, lse, causal, sm_scale)"""
    return _kernels.latent_prefill(h_q, d_latent, d_rope, dtype, sliding_window)


def _copy_single_page_cpu(num_heads, page_size, head_dim, dtype):
    """(pages, from, to, tokens)"""
    return _moving.copy_single_page_cpu(num_heads, page_size, head_dim, dtype)


def _compact_kv_copy_cpu(num_heads, head_dim, dtype, page_size=16):
    """(pages, indptr, (places from, places to), sequences)"""
    return _moving.compact_kv_copy_cpu(num_heads, head_dim, dtype)


def _attention_prefill_cpu(h_kv, h_q, d, dtype, sliding_window, rope_scaling, page_size=16):
    """(0, q, q_indptr, pages, page_indptr, page_values, length_info, k_rope_pos_offset, q_rope_position, output, lse, causal, rotary_mode, rope_scale,
    rope_theta, sm_scale)"""
    return _kernels.paged_prefill(h_kv, h_q, d, dtype, sliding_window, rope_scaling)


def _attention_decode_cpu(num_kv_heads, num_qo_heads, head_dim, qkv_dtype, sliding_window, rope_scaling, page_size=16):
    """The same for a token of each sequence: without q_indptr and causal."""
    return _kernels.paged_decode(num_kv_heads, num_qo_heads, head_dim, qkv_dtype, sliding_window, rope_scaling)


def _attention_prefill_ragged_cpu(h_kv, h_q, d_qk, d_v, dtype, rope_scaling=None):
    """(q, q_indptr, k, v, kv_indptr, q_rope_position, k_rope_pos_offset, output, lse, causal, rotary_mode, rope_scale, rope_theta, sm_scale); in older
    scripts one size of heads is given."""
    if isinstance(d_v, str):
        d_v, dtype, rope_scaling = d_qk, d_v, dtype
    return _kernels.ragged_prefill(h_kv, h_q, d_qk, d_v, dtype, rope_scaling)


def _merge_state_inplace_cpu(v_dtype):
    """(output, lse, other output, other lse)"""
    return _kernels.merge_state(v_dtype)


_attention_prefill = _not_offered("_attention_prefill")
_attention_prefill_mla = _not_offered("_attention_prefill_mla")
_attention_decode = _not_offered("_attention_decode")
_attention_prefill_ragged = _not_offered("_attention_prefill_ragged")
_merge_state_inplace = _not_offered("_merge_state_inplace")
_copy_single_page = _not_offered("_copy_single_page")
_copy_single_page_mla = _not_offered("_copy_single_page_mla")
_compact_kv_copy = _not_offered("_compact_kv_copy")


# ---- the cache in a model ---------------------------------------------------------------------------------

def _emit(value):
    return rx.BlockBuilder.current().emit(value)


class PagedKVCache(Object):
    """Keys and values of many sequences, in pages."""

    extern_mods = []

    def attention_with_fused_qkv(self, layer_id, qkv, num_qo_heads, sm_scale):
        """Keeps the new tokens' keys and values in a layer; gives their attention.  `qkv`: (batch, tokens, heads of queries, keys and values,
        numbers of a head)."""
        b, s, heads, d = qkv.shape
        rows = qkv.reshape(b * s, heads, d)
        return Tensor(_expr=_emit(rx.call_dps_packed(
            "vm.builtin.attention_kv_cache_attention_with_fused_qkv",
            [self._expr, rx.PrimValue(int(layer_id)), rx.PrimValue(float(sm_scale)), rows._expr],
            out_sinfo=rx.TensorStructInfo((b * s, num_qo_heads, d), qkv.dtype)))).reshape(b, s, num_qo_heads, d)

    def self_attention(self, layer_id, q, k, v, sm_scale):
        """The attention of new tokens among themselves, and the logarithms of its sums; nothing is kept."""
        b, s, h_q, d = q.shape
        h_kv, d_v = v.shape[2], v.shape[3]
        parts = [q.reshape(b * s, h_q, d), k.reshape(b * s, h_kv, d), v.reshape(b * s, h_kv, d_v)]
        both = _emit(rx.call_dps_packed(
            "vm.builtin.attention_kv_cache_self_attention",
            [self._expr, rx.PrimValue(int(layer_id)), rx.PrimValue(float(sm_scale))] + [x._expr for x in parts],
            out_sinfo=[rx.TensorStructInfo((b * s, h_q, d_v), q.dtype), rx.TensorStructInfo((b * s, h_q), "float32")]))
        return (Tensor(_expr=_emit(rx.TupleGetItem(both, 0))).reshape(b, s, h_q, d_v), Tensor(_expr=_emit(rx.TupleGetItem(both, 1))).reshape(b, s, h_q))

    def cross_attention(self, layer_id, q, v_head_dim, sm_scale):
        """The attention of new tokens over those before them (over all, where each sequence gets one), and the logarithms of its sums."""
        b, s, h_q, d = q.shape
        both = _emit(rx.call_dps_packed(
            "vm.builtin.attention_kv_cache_cross_attention",
            [self._expr, rx.PrimValue(int(layer_id)), rx.PrimValue(float(sm_scale)), q.reshape(b * s, h_q, d)._expr],
            out_sinfo=[rx.TensorStructInfo((b * s, h_q, v_head_dim), q.dtype), rx.TensorStructInfo((b * s, h_q), "float32")]))
        return (Tensor(_expr=_emit(rx.TupleGetItem(both, 0))).reshape(b, s, h_q, v_head_dim),
                Tensor(_expr=_emit(rx.TupleGetItem(both, 1))).reshape(b, s, h_q))

    def append_mla_kv(self, layer_id, kv):
        """The cache with the latent vectors of the new tokens in a layer.  `kv`: (batch, tokens, 1, numbers of a vector)."""
        b, s, _, d = kv.shape
        return PagedKVCache(_expr=rx.call_pure_packed("vm.builtin.attention_kv_cache_append_mla_kv", self._expr, rx.PrimValue(int(layer_id)),
                                                      kv.reshape(b * s, d)._expr, sinfo_args=rx.ObjectStructInfo()), _name="paged_kv_cache")

    def merge_attn_output_inplace(self, o_self_attn, lse_self_attn, o_cross_attn, lse_cross_attn):
        """Two attentions over different keys become one, in the first one's place."""
        b, s, h_q, d_v = o_self_attn.shape
        parts = [x.reshape(*((b * s, h_q, d_v) if i % 2 == 0 else (b * s, h_q)))._expr
                 for i, x in enumerate((o_self_attn, lse_self_attn, o_cross_attn, lse_cross_attn))]
        both = _emit(rx.call_pure_packed("vm.builtin.attention_kv_cache_merge_attn_output_inplace", self._expr, *parts,
                                         sinfo_args=rx.TupleStructInfo([parts[0].struct_info, parts[1].struct_info])))
        return (Tensor(_expr=_emit(rx.TupleGetItem(both, 0))).reshape(b, s, h_q, d_v), Tensor(_expr=_emit(rx.TupleGetItem(both, 1))).reshape(b, s, h_q))

    def get_query_positions(self, total_length):
        """The positions of the new tokens in their sequences."""
        return Tensor(_expr=_emit(rx.call_pure_packed("vm.builtin.attention_kv_cache_get_query_positions", self._expr,
                                                      sinfo_args=rx.TensorStructInfo((total_length,), "int32"))))


class FlashInferPagedKVCache(PagedKVCache):
    """A cache over the library FlashInfer, which is for GPUs."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("FlashInfer is a library for GPUs, which is not offered; TIRPagedKVCache is, for CPUs")


class TIRPagedKVCache(PagedKVCache):
    """A cache whose functions are written in TensorIR; they become functions of the module."""

    def __init__(self, attn_kind, max_batch_size, max_total_seq_len, prefill_chunk_size, page_size, support_sliding_window, layer_partition,
                 num_hidden_layers, num_attention_heads, num_key_value_heads, qk_head_dim, v_head_dim, mla_original_qk_head_dim=0,
                 mla_original_v_head_dim=0, rope_mode=RopeMode.NORMAL, rope_scale=1, rope_theta=10000, rope_scaling=None, rope_ext_factors=None,
                 rotary_dim=None, enable_disaggregation=False, dtype="float32", target=None, name="paged_kv_cache"):
        kinds = set(attn_kind) if isinstance(attn_kind, (list, tuple)) else {attn_kind}
        latent = kinds == {"mla"}
        if kinds != {"mha"} and not latent:
            raise ValueError("the layers of a cache keep keys and values of several heads (mha) or latent vectors (mla), all the same; "
                             f"{sorted(kinds)} is not offered")
        if target is not None and target.kind.name != "llvm":
            raise NotImplementedError(f"a cache for {target.kind.name} is not offered; its functions are those of CPUs")
        if latent and rope_mode != RopeMode.NONE:
            raise ValueError(f"latent vectors are turned before they are kept: the mode of positions is NONE, not {RopeMode(rope_mode).name}")
        if latent and (mla_original_qk_head_dim <= 0 or mla_original_v_head_dim <= 0):
            raise ValueError("latent vectors (mla) are kept of keys and values with heads: mla_original_qk_head_dim and mla_original_v_head_dim are to be said")
        if not latent and v_head_dim != qk_head_dim:
            raise ValueError(f"heads of values ({v_head_dim}) that are larger or smaller than those of keys ({qk_head_dim}) are not offered")
        builder = rx.BlockBuilder.current()
        h_kv, h_q, d = num_key_value_heads, num_attention_heads, qk_head_dim

        def function(func, called):
            return builder.add_func(func, called)

        def tir(func, called):
            return rx.Tuple([rx.StringImm("tir"), function(func, called)])

        nothing = rx.op.null_value()
        args = [
            rx.ShapeExpr([max_batch_size, max_total_seq_len, prefill_chunk_size, page_size, support_sliding_window]),
            layer_partition,
            rx.PrimValue(h_q), rx.PrimValue(h_kv), rx.PrimValue(d), rx.PrimValue(v_head_dim),
            rx.ShapeExpr([int(AttnKind.MLA if latent else AttnKind.MHA)] * num_hidden_layers),
            rx.PrimValue(bool(enable_disaggregation)),
            rx.PrimValue(int(rope_mode)), rx.PrimValue(rope_scale), rx.PrimValue(rope_theta),
            nothing if rope_ext_factors is None else rope_ext_factors,
            rx.op.zeros((), dtype),
        ]
        if latent:
            args += [
                nothing,
                function(_kv_cache_transpose_append_mla(d, dtype), "kv_cache_transpose_append_mla"),
                tir(_attention_prefill_ragged_cpu(h_q, h_q, mla_original_qk_head_dim, mla_original_v_head_dim, dtype, rope_scaling),
                    "tir_attention_prefill_ragged_cpu"),
                *[rx.Tuple([])] * 6,
                tir(_attention_prefill_mla_cpu(h_q, v_head_dim, d - v_head_dim, dtype, False), "tir_attention_prefill_mla_cpu"),
                rx.Tuple([function(_merge_state_inplace_cpu(dtype), "tir_attention_merge_state_cpu")]),
                nothing,
                nothing,
                function(_kv_cache_debug_get_kv_mla(num_hidden_layers, d, dtype), "kv_cache_debug_get_kv_mla"),
                nothing,
            ]
        else:
            args += [
                function(_kv_cache_transpose_append(h_kv, d, dtype), "kv_cache_transpose_append"),
                nothing,
                tir(_attention_prefill_ragged_cpu(h_kv, h_q, d, v_head_dim, dtype, rope_scaling), "tir_attention_prefill_ragged_cpu"),
                tir(_attention_prefill_cpu(h_kv, h_q, d, dtype, False, rope_scaling), "tir_attention_prefill_cpu"),
                tir(_attention_decode_cpu(h_kv, h_q, d, dtype, False, rope_scaling), "tir_attention_decode_cpu"),
                tir(_attention_prefill_cpu(h_kv, h_q, d, dtype, True, rope_scaling), "tir_attention_prefill_cpu_sliding_window"),
                tir(_attention_decode_cpu(h_kv, h_q, d, dtype, True, rope_scaling), "tir_attention_decode_cpu_sliding_window"),
                tir(tree_attn_with_paged_kv_cache_cpu(h_kv, h_q, d, dtype, rope_scaling), "tir_attention_prefill_with_tree_mask_with_paged_kv_cache_cpu"),
                tir(tree_attn_cpu(h_kv, h_q, d, dtype, rope_scaling), "tir_attention_prefill_with_tree_mask_cpu"),
                rx.Tuple([]),
                rx.Tuple([function(_merge_state_inplace_cpu(dtype), "tir_attention_merge_state_cpu")]),
                function(llama_rope_with_position_map(rope_theta, rope_scale, d, h_q, h_kv, dtype, rope_scaling, rotary_dim), "tir_split_rotary"),
                nothing,
                function(_kv_cache_debug_get_kv(num_hidden_layers, h_kv, d, dtype), "kv_cache_debug_get_kv"),
                nothing,
            ]
        super().__init__(_expr=rx.call_pure_packed("vm.builtin.paged_attention_kv_cache_create", *args, sinfo_args=rx.ObjectStructInfo()), _name=name)
