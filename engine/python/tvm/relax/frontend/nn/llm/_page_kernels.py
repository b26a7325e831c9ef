"""Functions that move keys and values between rows of tokens and pages."""
from .....script import from_source

_PAGES = """
    num_pages = T.int32()
    page_size = T.int32()
    pages = T.match_buffer(var_pages, (num_pages, 2, {h}, page_size, {d}), "{dtype}")"""

_APPEND = """
@T.prim_func
def tir_kv_cache_transpose_append(var_pages: T.handle, var_k_data: T.handle, var_v_data: T.handle, var_position_map: T.handle):
    T.func_attr({{"tir.noalias": True}})
    ntoken = T.int32()""" + _PAGES + """
    k_data = T.match_buffer(var_k_data, (ntoken, {h}, {d}), "{dtype}")
    v_data = T.match_buffer(var_v_data, (ntoken, {h}, {d}), "{dtype}")
    position_map = T.match_buffer(var_position_map, (ntoken,), "int32")
    for i, j, l in T.grid(ntoken, {h}, {d}):
        if position_map[i] != -1:
            with T.block("k_transpose_append"):
                t, h, f = T.axis.remap("SSS", [i, j, l])
                T.reads(position_map[t], k_data[t, h, f])
                T.writes(pages[position_map[t] // page_size, 0, h, position_map[t] % page_size, f])
                pages[position_map[t] // page_size, 0, h, position_map[t] % page_size, f] = k_data[t, h, f]
            with T.block("v_transpose_append"):
                t, h, f = T.axis.remap("SSS", [i, j, l])
                T.reads(position_map[t], v_data[t, h, f])
                T.writes(pages[position_map[t] // page_size, 1, h, position_map[t] % page_size, f])
                pages[position_map[t] // page_size, 1, h, position_map[t] % page_size, f] = v_data[t, h, f]
"""

_DEBUG = """
@T.prim_func
def tir_kv_cache_debug_get_kv(var_pages: T.handle, var_position_map: T.handle, var_k_data: T.handle, var_v_data: T.handle, layer_id: T.int64):
    T.func_attr({{"tir.noalias": True}})
    seqlen = T.int32()""" + _PAGES + """
    position_map = T.match_buffer(var_position_map, (seqlen,), "int32")
    k_data = T.match_buffer(var_k_data, ({layers}, seqlen, {h}, {d}), "{dtype}")
    v_data = T.match_buffer(var_v_data, ({layers}, seqlen, {h}, {d}), "{dtype}")
    for i, j, l in T.grid(seqlen, {h}, {d}):
        with T.block("copy0"):
            t, h, f = T.axis.remap("SSS", [i, j, l])
            T.reads(position_map[t], pages[position_map[t] // page_size, 0:2, h, position_map[t] % page_size, f])
            T.writes(k_data[layer_id, t, h, f], v_data[layer_id, t, h, f])
            k_data[layer_id, t, h, f] = pages[position_map[t] // page_size, 0, h, position_map[t] % page_size, f]
            v_data[layer_id, t, h, f] = pages[position_map[t] // page_size, 1, h, position_map[t] % page_size, f]
"""

_LATENT_PAGES = """
    num_pages = T.int32()
    page_size = T.int32()
    pages = T.match_buffer(var_pages, (num_pages, page_size, {d}), "{dtype}")"""

_APPEND_LATENT = """
@T.prim_func
def tir_kv_cache_transpose_append_mla(var_pages: T.handle, var_kv_data: T.handle, var_position_map: T.handle):
    T.func_attr({{"tir.noalias": True}})
    ntoken = T.int32()""" + _LATENT_PAGES + """
    kv_data = T.match_buffer(var_kv_data, (ntoken, {d}), "{dtype}")
    position_map = T.match_buffer(var_position_map, (ntoken,), "int32")
    for i, l in T.grid(ntoken, {d}):
        if position_map[i] != -1:
            with T.block("kv_transpose_append"):
                t, f = T.axis.remap("SS", [i, l])
                T.reads(position_map[t], kv_data[t, f])
                T.writes(pages[position_map[t] // page_size, position_map[t] % page_size, f])
                pages[position_map[t] // page_size, position_map[t] % page_size, f] = kv_data[t, f]
"""

_DEBUG_LATENT = """
@T.prim_func
def tir_kv_cache_debug_get_kv_mla(var_pages: T.handle, var_position_map: T.handle, var_kv_data: T.handle, layer_id: T.int64):
    T.func_attr({{"tir.noalias": True}})
    seqlen = T.int32()""" + _LATENT_PAGES + """
    position_map = T.match_buffer(var_position_map, (seqlen,), "int32")
    kv_data = T.match_buffer(var_kv_data, ({layers}, seqlen, {d}), "{dtype}")
    for i, l in T.grid(seqlen, {d}):
        with T.block("copy0"):
            t, f = T.axis.remap("SS", [i, l])
            T.reads(position_map[t], pages[position_map[t] // page_size, position_map[t] % page_size, f])
            T.writes(kv_data[layer_id, t, f])
            kv_data[layer_id, t, f] = pages[position_map[t] // page_size, position_map[t] % page_size, f]
"""

_COPY_LATENT = """
@T.prim_func
def copy_single_page_mla_cpu(var_pages: T.handle, src_page_id: T.int64, tgt_page_id: T.int64, copy_length: T.int64):
    num_pages = T.int32()
    pages = T.match_buffer(var_pages, (num_pages, {page_size}, {d}), "{dtype}")
    for token, x in T.grid(copy_length, {d}):
        with T.block("copy"):
            t, f = T.axis.remap("SS", [token, x])
            T.reads(pages[src_page_id, t, f])
            T.writes(pages[tgt_page_id, t, f])
            pages[tgt_page_id, t, f] = pages[src_page_id, t, f]
"""

_COPY = """
@T.prim_func
def copy_single_page_cpu(var_pages: T.handle, src_page_id: T.int64, tgt_page_id: T.int64, copy_length: T.int64):
    num_pages = T.int32()
    pages = T.match_buffer(var_pages, (num_pages, 2, {h}, {page_size}, {d}), "{dtype}")
    for part, head, token, x in T.grid(2, {h}, copy_length, {d}):
        with T.block("copy"):
            p, h, t, f = T.axis.remap("SSSS", [part, head, token, x])
            T.reads(pages[src_page_id, p, h, t, f])
            T.writes(pages[tgt_page_id, p, h, t, f])
            pages[tgt_page_id, p, h, t, f] = pages[src_page_id, p, h, t, f]
"""

_COMPACT = """
@T.prim_func
def compact_kv_copy_cpu(var_pages: T.handle, var_copy_length_indptr: T.handle, var_copy_src_dst_pos: T.handle, batch_size: T.int32):
    total_copy_length = T.int32()""" + _PAGES + """
    copy_length_indptr = T.match_buffer(var_copy_length_indptr, (batch_size + 1,), "int32")
    copy_src_dst_pos = T.match_buffer(var_copy_src_dst_pos, (2, total_copy_length), "int32")
    for b, part, head in T.grid(batch_size, 2, {h}):
        for i, x in T.grid(copy_length_indptr[b + 1] - copy_length_indptr[b], {d}):
            with T.block("copy"):
                T.reads()
                T.writes()
                src = copy_src_dst_pos[0, copy_length_indptr[b] + i]
                dst = copy_src_dst_pos[1, copy_length_indptr[b] + i]
                pages[dst // page_size, part, head, dst % page_size, x] = pages[src // page_size, part, head, src % page_size, x]
"""


def kv_cache_transpose_append(num_key_value_heads, head_dim, dtype):
    """Rows of new keys and values to their places in pages."""
    return from_source(_APPEND.format(h=num_key_value_heads, d=head_dim, dtype=dtype))


def kv_cache_debug_get_kv(num_hidden_layers, num_key_value_heads, head_dim, dtype):
    """Keys and values at places of pages, as rows."""
    return from_source(_DEBUG.format(layers=num_hidden_layers, h=num_key_value_heads, d=head_dim, dtype=dtype))


def kv_cache_transpose_append_mla(head_dim, dtype):
    """Latent vectors of new tokens to their places in pages."""
    return from_source(_APPEND_LATENT.format(d=head_dim, dtype=dtype))


def kv_cache_debug_get_kv_mla(num_hidden_layers, head_dim, dtype):
    """Latent vectors at places of pages, as rows."""
    return from_source(_DEBUG_LATENT.format(layers=num_hidden_layers, d=head_dim, dtype=dtype))


def copy_single_page_mla_cpu(page_size, head_dim, dtype):
    """The first latent vectors of a page to another page."""
    return from_source(_COPY_LATENT.format(page_size=page_size, d=head_dim, dtype=dtype))


def copy_single_page_cpu(num_heads, page_size, head_dim, dtype):
    """The first tokens of a page to another page."""
    return from_source(_COPY.format(h=num_heads, page_size=page_size, d=head_dim, dtype=dtype))


def compact_kv_copy_cpu(num_heads, head_dim, dtype):
    """Tokens from place to place, of each sequence in order."""
    return from_source(_COMPACT.format(h=num_heads, d=head_dim, dtype=dtype))
