"""Attention on a CPU: one text from which every variant is made.

Each sequence and each head of keys is a piece of work of its own.  The rows that share a head of keys (positions times the
heads of queries that belong to it) are taken in tiles; for each key the whole tile is gone through, so that a key is brought
(out of its page, as float32, turned) once for all its rows.  The softmax runs along: a row keeps the largest score so
far, the sum of the exponentials and the sum of the values under it, and rescales both when a larger score comes.  Exponentials
are those of base 2, and so are the logarithms of sums that come out.
"""
import math

from .....script import from_source
from . import position_embedding

_TEXT = """
@T.prim_func
def {name}({params}):
    T.func_attr({{"tir.is_scheduled": 1}})
    {n} = T.int32()
{buffers}
    for piece in T.parallel({batch} * {h_kv}):
        with T.block("attention"):
            T.reads()
            T.writes()
            Q = T.alloc_buffer(({tile}, {d}), "float32")
            O = T.alloc_buffer(({tile}, {d_v}), "float32")
            K = T.alloc_buffer(({d},), "float32")
            V = T.alloc_buffer(({d_v},), "float32")
            largest = T.alloc_buffer(({tile},), "float32")
            total = T.alloc_buffer(({tile},), "float32")
            lanes = T.alloc_buffer(({n_lanes},), "float32")
            score = T.alloc_buffer((2,), "float32")
            b = piece // {h_kv}
            by = piece % {h_kv}
            first = {first}
            n_q = {n_q}
            n_k = {n_k}
            for tile in range((n_q * {group} + {tile} - 1) // {tile}):
                rows = T.min({tile}, n_q * {group} - tile * {tile})
                for r in range(rows):
                    largest[r] = T.float32(-5e4)
                    total[r] = T.float32(0)
                    for x in range({d_v}):
                        O[r, x] = T.float32(0)
{load_q}
                for j in range({limit_of_tile}):
{load_k}
                    for x in range({d_v}):
                        V[x] = {v_own}
                    for r in range(rows):
                        if {allowed}:
                            for l in T.vectorized({n_lanes}):
                                lanes[l] = T.float32(0)
                            for x in range({d} // {n_lanes}):
                                for l in T.vectorized({n_lanes}):
                                    lanes[l] = lanes[l] + Q[r, x * {n_lanes} + l] * K[x * {n_lanes} + l]
                            score[0] = T.float32(0)
                            for l in range({n_lanes}):
                                score[0] = score[0] + lanes[l]
                            if score[0] > largest[r]:
                                score[1] = T.exp2(largest[r] - score[0])
                                largest[r] = score[0]
                                total[r] = total[r] * score[1]
                                for x in range({d_v}):
                                    O[r, x] = O[r, x] * score[1]
                            score[1] = T.exp2(score[0] - largest[r])
                            total[r] = total[r] + score[1]
                            for x in range({d_v}):
                                O[r, x] = O[r, x] + score[1] * V[x]
                for r in range(rows):
                    for x in range({d_v}):
                        output[{row}, {head}, x] = T.Cast("{dtype}", T.if_then_else(total[r] > T.float32(0), O[r, x] / total[r], T.float32(0)))
                    lse[{row}, {head}] = T.if_then_else(total[r] > T.float32(0), largest[r] + T.log2(total[r]), T.float32(-5e4))
"""

# How a row's query, or a key, comes into its array: turned by its position where the attention is told to, or as it is.
_PLAIN = """
                    for x in range({d}):
                        {into} = {own}{factor}"""
_TURNED = """
                    if rotary_mode == 1:
                        for x in range({d}):
                            {into} = turned({position}, x, {own}, {other}, rope_theta, rope_scale, T.float32(1)){factor}
                    else:
                        for x in range({d}):
                            {into} = {own}{factor}"""

_ROPE = "rotary_mode: T.int32, rope_scale: T.float32, rope_theta: T.float32, sm_scale: T.float32"
_PAGED = "var_pages: T.handle, var_page_indptr: T.handle, var_page_values: T.handle, var_length_info: T.handle, " \
         "var_k_rope_pos_offset: T.handle, var_q_rope_position: T.handle, var_output: T.handle, var_lse: T.handle"

_PAGED_BUFFERS = """
    num_pages = T.int32()
    page_size = T.int32()
    num_page_values = T.int32()
    pages = T.match_buffer(var_pages, (num_pages, 2, {h_kv}, page_size, {d}), "{dtype}")
    page_indptr = T.match_buffer(var_page_indptr, ({indptr},), "int32")
    page_values = T.match_buffer(var_page_values, (num_page_values,), "int32")
    length_info = T.match_buffer(var_length_info, {lengths}, "int32")
    k_rope_pos_offset = T.match_buffer(var_k_rope_pos_offset, (batch_size,), "int32")"""

_Q_BUFFERS = """
    total_len = T.int32()
    q = T.match_buffer(var_q, (total_len, {h_q}, {d}), "{dtype}")
    q_rope_position = T.match_buffer(var_q_rope_position, (total_len,), "int32")
    output = T.match_buffer(var_output, (total_len, {h_q}, {d_v}), "{dtype}")
    lse = T.match_buffer(var_lse, (total_len, {h_q}), "float32")
    q_indptr = T.match_buffer(var_q_indptr, ({indptr},), "int32")"""

_DECODE_BUFFERS = """
    q = T.match_buffer(var_q, (batch_size, {h_q}, {d}), "{dtype}")
    q_rope_position = T.match_buffer(var_q_rope_position, (batch_size,), "int32")
    output = T.match_buffer(var_output, (batch_size, {h_q}, {d_v}), "{dtype}")
    lse = T.match_buffer(var_lse, (batch_size, {h_q}), "float32")"""

_TREE_BUFFERS = """
    tree_size = T.int32()
    tree_indptr = T.match_buffer(var_tree_order_indptr, ({indptr},), "int32")
    tree_order = T.match_buffer(var_tree_order, (tree_size, 2), "int32")"""

_RAGGED_BUFFERS = """
    kv_len = T.int32()
    k = T.match_buffer(var_k, (kv_len, {h_kv}, {d}), "{dtype}")
    v = T.match_buffer(var_v, (kv_len, {h_kv}, {d_v}), "{dtype}")
    kv_indptr = T.match_buffer(var_kv_indptr, ({indptr},), "int32")"""

# a row's position among the new tokens
_AT = "((tile * {tile} + r) // {group})"
_ALL = "n_k"
_UP_TO_ROW = "T.if_then_else(causal > 0, n_k - n_q + {row} + 1, n_k)"


def _paged_parts(window):
    """Where key number j lies."""
    slot = "T.if_then_else(j < length_info[2, b], j, j - length_info[2, b] + length_info[1, b])" if window else "j"
    count = "(page_indptr[b + 1] - page_indptr[b] - 1) * page_size + " + ("length_info[0, b] - length_info[1, b] + length_info[2, b]" if window
                                                                         else "length_info[b]")
    page = f"page_values[page_indptr[b] + {slot} // page_size]"
    return {
        "lengths": "(3, batch_size)" if window else "(batch_size,)",
        "n_k": f"T.if_then_else(page_indptr[b + 1] > page_indptr[b], {count}, 0)",
        "k_at": f"pages[{page}, 0, by, {slot} % page_size, {{x}}]",
        "v_at": f"pages[{page}, 1, by, {slot} % page_size, {{x}}]",
        "k_position": "k_rope_pos_offset[b] + j",
    }


_RAGGED_PARTS = {
    "lengths": "",
    "n_k": "kv_indptr[b + 1] - kv_indptr[b]",
    "k_at": "k[kv_indptr[b] + j, by, {x}]",
    "v_at": "v[kv_indptr[b] + j, by, {x}]",
    "k_position": "k_rope_pos_offset[b] + j",
}


def _make(name, params, buffers, parts, h_kv, h_q, d, d_v, dtype, rope_scaling, allowed, limit, decode=False, has_batch=True, rotary=True):
    """`has_batch`: a buffer has as many elements as there are sequences; else their number follows from where each begins."""
    group = h_q // h_kv
    tile = group if decode else max(64, group)
    other = position_embedding.partner("x", d, rope_scaling) if rotary else "x"
    sizes = {"h_kv": h_kv, "h_q": h_q, "d": d, "d_v": d_v, "dtype": dtype, "tile": tile, "group": group, "lengths": parts["lengths"],
             "indptr": "batch_size + 1" if has_batch else "n_indptr"}
    at = _AT.format(**sizes)
    row = f"first + {at}"
    head = f"by * {group} + (tile * {tile} + r) % {group}"

    def load(into, place, position, factor):
        own, far = (f'T.Cast("float32", {place.format(x=x)})' for x in ("x", other))
        return (_TURNED if rotary else _PLAIN).lstrip("\n").format(into=into, own=own, other=far, position=position, factor=factor, d=d)

    last = f"((tile * {tile} + rows - 1) // {group})"
    text = _TEXT.format(
        name=name, n="batch_size" if has_batch else "n_indptr", batch="batch_size" if has_batch else "(n_indptr - 1)", params=params,
        buffers="".join(buffers).lstrip("\n").format(**sizes), n_lanes=math.gcd(d, 16), first="b" if decode else "q_indptr[b]",
        n_q="1" if decode else "q_indptr[b + 1] - q_indptr[b]", n_k=parts["n_k"],
        load_q=load("Q[r, x]", f"q[{row}, {head}, {{x}}]", f"q_rope_position[{row}]", f" * (sm_scale * T.float32({math.log2(math.e)!r}))"),
        load_k=load("K[x]", parts["k_at"], parts["k_position"], ""), v_own=f'T.Cast("float32", {parts["v_at"].format(x="x")})',
        limit_of_tile=limit.format(row=last), allowed=allowed.format(row=at), row=row, head=head, **sizes)
    return from_source(text, {"turned": position_embedding.turning(d, rope_scaling)} if rotary else {})


def _causal(limit):
    return f"j < {limit}"


def paged_prefill(h_kv, h_q, d, dtype, sliding_window, rope_scaling):
    """Several new tokens of each sequence over pages."""
    params = f"_0: T.int32, var_q: T.handle, var_q_indptr: T.handle, {_PAGED}, causal: T.int32, {_ROPE}"
    return _make("batch_prefill_paged_kv_cpu" + ("_sliding_window" if sliding_window else ""), params, [_Q_BUFFERS, _PAGED_BUFFERS], _paged_parts(sliding_window),
                 h_kv, h_q, d, d, dtype, rope_scaling, _causal(_UP_TO_ROW), _UP_TO_ROW)


def paged_decode(h_kv, h_q, d, dtype, sliding_window, rope_scaling):
    """One new token of each sequence over pages."""
    params = f"_0: T.int32, var_q: T.handle, {_PAGED}, {_ROPE}"
    return _make("batch_decode_paged_kv_cpu" + ("_sliding_window" if sliding_window else ""), params, [_DECODE_BUFFERS, _PAGED_BUFFERS],
                 _paged_parts(sliding_window), h_kv, h_q, d, d, dtype, rope_scaling, "j < n_k", _ALL, decode=True)


def ragged_prefill(h_kv, h_q, d_qk, d_v, dtype, rope_scaling):
    """New tokens among themselves: their keys and values are rows."""
    params = "var_q: T.handle, var_q_indptr: T.handle, var_k: T.handle, var_v: T.handle, var_kv_indptr: T.handle, var_q_rope_position: T.handle, " \
             f"var_k_rope_pos_offset: T.handle, var_output: T.handle, var_lse: T.handle, causal: T.int32, {_ROPE}"
    offsets = '\n    k_rope_pos_offset = T.match_buffer(var_k_rope_pos_offset, (batch_size,), "int32")'
    return _make("batch_prefill_ragged_kv_cpu", params, [_Q_BUFFERS, _RAGGED_BUFFERS, offsets], _RAGGED_PARTS, h_kv, h_q, d_qk, d_v, dtype, rope_scaling,
                 _causal(_UP_TO_ROW), _UP_TO_ROW)


# A key is seen by a row when it is older than the tree, or above the row in it: both are counted from the tree's first node.
_ABOVE = ("(j < n_k - {size} or (tree_order[tree_indptr[b] + j - (n_k - {size}), 0] <= tree_order[tree_indptr[b] + {size} - n_q + {row}, 0] and "
          "tree_order[tree_indptr[b] + {size} - n_q + {row}, 0] < tree_order[tree_indptr[b] + j - (n_k - {size}), 1]))")


def _above():
    return _ABOVE.replace("{size}", "(tree_indptr[b + 1] - tree_indptr[b])")


def ragged_tree(h_kv, h_q, d, dtype, rope_scaling):
    """Nodes of trees among themselves."""
    params = "var_q: T.handle, var_q_indptr: T.handle, var_k: T.handle, var_v: T.handle, var_kv_indptr: T.handle, var_q_rope_position: T.handle, " \
             f"var_tree_order_indptr: T.handle, var_tree_order: T.handle, var_output: T.handle, var_lse: T.handle, {_ROPE}"
    parts = dict(_RAGGED_PARTS, k_position="q_rope_position[kv_indptr[b] + j]")
    return _make("batch_tree_attn", params, [_Q_BUFFERS, _RAGGED_BUFFERS, _TREE_BUFFERS], parts, h_kv, h_q, d, d, dtype, rope_scaling, _above(), _ALL,
                 has_batch=False)


def paged_tree(h_kv, h_q, d, dtype, rope_scaling):
    """Nodes of trees over pages; the trees are the last tokens of their sequences."""
    params = f"_0: T.int32, var_q: T.handle, var_q_indptr: T.handle, {_PAGED}, {_ROPE}, var_tree_order_indptr: T.handle, var_tree_order: T.handle"
    return _make("tree_attn_paged_kv_cpu", params, [_Q_BUFFERS, _PAGED_BUFFERS, _TREE_BUFFERS], _paged_parts(False), h_kv, h_q, d, d, dtype, rope_scaling,
                 _above(), _ALL)


_LATENT_BUFFERS = """
    total_len = T.int32()
    num_pages = T.int32()
    page_size = T.int32()
    num_page_values = T.int32()
    q = T.match_buffer(var_q, (total_len, {h_q}, {d}), "{dtype}")
    output = T.match_buffer(var_output, (total_len, {h_q}, {d_v}), "{dtype}")
    lse = T.match_buffer(var_lse, (total_len, {h_q}), "float32")
    q_indptr = T.match_buffer(var_q_indptr, ({indptr},), "int32")
    pages = T.match_buffer(var_pages, (num_pages, page_size, {d}), "{dtype}")
    page_indptr = T.match_buffer(var_page_indptr, ({indptr},), "int32")
    page_values = T.match_buffer(var_page_values, (num_page_values,), "int32")
    length_info = T.match_buffer(var_length_info, {lengths}, "int32")"""


def latent_prefill(h_q, d_latent, d_rope, dtype, sliding_window):
    """Tokens over pages of latent vectors, of which every head's value is the first part."""
    params = "var_q: T.handle, var_q_indptr: T.handle, var_pages: T.handle, var_page_indptr: T.handle, var_page_values: T.handle, var_length_info: T.handle, " \
             "var_output: T.handle, var_lse: T.handle, causal: T.int32, sm_scale: T.float32"
    parts = _paged_parts(sliding_window)
    place = parts["k_at"].replace(", 0, by, ", ", ")
    return _make("batch_prefill_paged_kv_mla_cpu" + ("_sliding_window" if sliding_window else ""), params, [_LATENT_BUFFERS], dict(parts, k_at=place, v_at=place),
                 1, h_q, d_latent + d_rope, d_latent, dtype, None, _causal(_UP_TO_ROW), _UP_TO_ROW, rotary=False)


_MERGE = """
@T.prim_func
def merge_state_inplace_cpu(v: T.handle, s: T.handle, v_other: T.handle, s_other: T.handle):
    T.func_attr({{"tir.is_scheduled": 1}})
    N = T.int32()
    H = T.int32()
    D = T.int32()
    V = T.match_buffer(v, (N, H, D), "{dtype}")
    S = T.match_buffer(s, (N, H), "float32")
    V_other = T.match_buffer(v_other, (N, H, D), "{dtype}")
    S_other = T.match_buffer(s_other, (N, H), "float32")
    for n, h in T.grid(N, H):
        with T.block("merge"):
            T.reads()
            T.writes()
            share = T.alloc_buffer((2,), "float32")
            top = T.max(S[n, h], S_other[n, h])
            share[0] = T.exp2(S[n, h] - top)
            share[1] = T.exp2(S_other[n, h] - top)
            S[n, h] = top + T.log2(share[0] + share[1])
            for d in range(D):
                V[n, h, d] = T.Cast("{dtype}", (T.Cast("float32", V[n, h, d]) * share[0] + T.Cast("float32", V_other[n, h, d]) * share[1]) / (share[0] + share[1]))
"""


def merge_state(dtype):
    """Attention over two sets of keys becomes that over both, in the first one's place."""
    return from_source(_MERGE.format(dtype=dtype))
