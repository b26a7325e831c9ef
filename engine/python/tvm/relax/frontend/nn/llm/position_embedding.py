"""Rotary positions: how far each pair of numbers of a head is turned at a position, and functions that turn them.

A frequency is a function (position, dimension, dimensions, theta, dtype) that gives the cosine and the sine of the angle,
and the values of variables that both use.  Numbers turn in pairs: x and the one half of the dimensions further on, or, in the
manner of GPT-J, neighbours.
"""
import functools
import math

from ..... import tir
from .....script import from_source

_THETA_SCALE = 2 * math.pi


def _float(value):
    return tir.const(value, "float32")


def _plain(position, d, d_range, theta):
    """position / theta ** (2 d / d_range), the position's factor left out."""
    return position / tir.power(_float(theta) if isinstance(theta, (int, float)) else theta, (d * 2 % d_range) / _float(d_range))


def _of_angle(angle, dtype, factor=None):
    var = tir.Var("angle", "float32")
    cos, sin = tir.cos(var), tir.sin(var)
    if factor is not None:
        cos, sin = cos * _float(factor), sin * _float(factor)
    return cos.astype(dtype), sin.astype(dtype), {var: angle}


def rope_freq_default(s, d, d_range, theta, dtype):
    """Each pair turns slower than the one before."""
    return _of_angle(_plain(s, d, d_range, theta), dtype)


def rope_freq_gptj(s, d, d_range, theta, dtype):
    """The same; neighbours are a pair."""
    return _of_angle(s / tir.power(_float(theta) if isinstance(theta, (int, float)) else theta, (2 * (d // 2) % d_range) / _float(d_range)), dtype)


def rope_freq_llama3(s, d, d_range, theta, dtype, factor, low_freq_factor, high_freq_factor, original_max_position_embeddings):
    """What turns slower than once in the length the model was trained with is slowed down, with a passage between."""
    speed = _plain(_float(1.0), d, d_range, theta)
    turns = speed * _float(original_max_position_embeddings / _THETA_SCALE)
    share = tir.max(tir.min((turns - _float(low_freq_factor)) / _float(high_freq_factor - low_freq_factor), _float(1.0)), _float(0.0))
    return _of_angle(s * ((_float(1.0) - share) * speed / _float(factor) + share * speed), dtype)


def rope_freq_llama4(s, d, d_range, theta, dtype, factor, low_freq_factor, high_freq_factor, original_max_position_embeddings):
    """The rule of llama3; neighbours are a pair."""
    return rope_freq_llama3(s, 2 * (d // 2) // 2, d_range, theta, dtype, factor, low_freq_factor, high_freq_factor, original_max_position_embeddings)


def rope_freq_longrope(s, d, d_range, theta, dtype, max_position_embeddings, original_max_position_embeddings, ext_factors=None):
    """Each pair has a factor of its own; everything grows a little with the length."""
    stretch = max_position_embeddings / original_max_position_embeddings
    grown = 1.0 if stretch <= 1 else math.sqrt(1 + math.log(stretch) / math.log(original_max_position_embeddings))
    angle = _plain(s, d, d_range, theta)
    return _of_angle(angle if ext_factors is None else angle / ext_factors[d % (d_range // 2)], dtype, grown)


def yarn_find_correction_dim(num_rotations, d, theta, max_position_embeddings):
    """The dimension that turns so often in a length."""
    return d * math.log(max_position_embeddings / (num_rotations * 2 * math.pi)) / (2 * math.log(theta))


def yarn_find_correction_range(low_rot, high_rot, d, theta, max_position_embeddings):
    """The dimensions between which slowing down begins and is complete."""
    low = yarn_find_correction_dim(low_rot, d, theta, max_position_embeddings)
    high = yarn_find_correction_dim(high_rot, d, theta, max_position_embeddings)
    return max(low, 0), min(high, d - 1)


def rope_freq_yarn(s, d, d_range, theta, dtype, original_max_position_embeddings, scaling_factor, beta_fast, beta_slow):
    """Between two dimensions the speed passes from the trained one to the slower one."""
    speed = _plain(_float(1.0), d, d_range, theta)
    low, high = yarn_find_correction_range(beta_fast, beta_slow, d_range, theta, original_max_position_embeddings)
    high = high + 0.001 if low == high else high
    share = tir.max(tir.min(((d * 2 % d_range) // 2 - _float(low)) / _float(high - low), _float(1.0)), _float(0.0))
    return _of_angle(s * (share * speed / _float(scaling_factor) + (_float(1.0) - share) * speed), dtype)


def switch_rope_freq_func(rope_scaling):
    """The frequency that a model's settings ask for."""
    kind = (rope_scaling or {}).get("rope_type")
    if kind is None:
        return rope_freq_default
    if kind == "gptj":
        return rope_freq_gptj
    if kind in ("llama3", "llama4"):
        rule = rope_freq_llama3 if kind == "llama3" else rope_freq_llama4
        return functools.partial(rule, **{name: rope_scaling[name] for name in
                                          ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings")})
    if kind == "longrope":
        return functools.partial(rope_freq_longrope, **{name: rope_scaling[name] for name in ("max_position_embeddings", "original_max_position_embeddings")})
    if kind == "yarn":
        return functools.partial(rope_freq_yarn, original_max_position_embeddings=rope_scaling["original_max_position_embeddings"],
                                 scaling_factor=rope_scaling["factor"], beta_fast=rope_scaling["beta_fast"], beta_slow=rope_scaling["beta_slow"])
    raise ValueError(f'Unsupported RoPE scaling type: {kind}')


def are_neighbours(rope_scaling):
    """Are the two numbers of a pair neighbours?"""
    return (rope_scaling or {}).get("rope_type") in ("gptj", "llama4")


def partner(d, rotary_dim, rope_scaling):
    """The other dimension of a pair, as an expression of TVMScript."""
    return f"({d} + 1 - {d} % 2 * 2)" if are_neighbours(rope_scaling) else f"(({d} + {rotary_dim // 2}) % {rotary_dim})"


def turning(rotary_dim, rope_scaling):
    """A function for scripts: (position, d, number, its partner, theta, scale, factor of the pair) turned, in float32."""
    frequency = switch_rope_freq_func(rope_scaling)
    is_long = (rope_scaling or {}).get("rope_type") == "longrope"

    def turned(position, d, own, other, theta, scale, pair_factor):
        at = tir.Cast("float32", position) * scale
        cos, sin, values = frequency(at / pair_factor if is_long else at, d, rotary_dim, theta, "float32")
        first = d % 2 == 0 if are_neighbours(rope_scaling) else d < rotary_dim // 2
        result = cos * own + sin * tir.Select(first, -other, other)
        for var, value in values.items():
            result = tir.Let(var, value, result)
        return result

    return turned


_SPLIT = """
@T.prim_func
def {name}(var_qkv: T.handle, var_position_map: T.handle, var_q: T.handle, var_k: T.handle, var_v: T.handle, {last}):
    T.func_attr({{"op_pattern": 8, "tir.noalias": True}})
    seq_len = T.int32()
    qkv = T.match_buffer(var_qkv, (seq_len, {heads}, {d}), "{dtype}")
    q = T.match_buffer(var_q, (seq_len, {h_q}, {d}), "{dtype}")
    k = T.match_buffer(var_k, (seq_len, {h_kv}, {d}), "{dtype}")
    v = T.match_buffer(var_v, (seq_len, {h_kv}, {d}), "{dtype}")
    position_map = T.match_buffer(var_position_map, (seq_len,), "int32")
    for i0, i1, i2 in T.grid(seq_len, {heads}, {d}):
        with T.block("llama_fused_rope"):
            s, h, d = T.axis.remap("SSS", [i0, i1, i2])
            if h < {h_q}:
                q[s, h, d] = T.if_then_else({turns}, {turned}, qkv[s, h, d])
            elif h < {h_q} + {h_kv}:
                k[s, h - {h_q}, d] = T.if_then_else({turns}, {turned}, qkv[s, h, d])
            else:
                v[s, h - {h_q} - {h_kv}, d] = qkv[s, h, d]
"""


def llama_rope_with_position_map(theta, scale, head_dim, num_q_heads, num_kv_heads, dtype, rope_scaling=None, rotary_dim=None):
    """A function that takes rows of queries, keys and values apart, and turns the first two by the positions of their rows."""
    rotary_dim = head_dim if rotary_dim is None else rotary_dim
    is_long = (rope_scaling or {}).get("rope_type") == "longrope"
    last = f'ext_factors: T.Buffer(({rotary_dim // 2},), "float32")' if is_long else "apply_rope: T.int64"
    other = partner("d", rotary_dim, rope_scaling)
    turned = (f'T.Cast("{dtype}", turned(position_map[s], d, T.Cast("float32", qkv[s, h, d]), T.Cast("float32", qkv[s, h, {other}]), '
              f'T.float32({float(theta)}), T.float32({float(scale)}), {f"ext_factors[d % {rotary_dim // 2}]" if is_long else "T.float32(1)"}))')
    text = _SPLIT.format(name="fused_rope_longrope_scaling" if is_long else "fused_rope", last=last, heads=num_q_heads + 2 * num_kv_heads, h_q=num_q_heads,
                         h_kv=num_kv_heads, d=head_dim, dtype=dtype, turned=turned,
                         turns=("" if is_long else "apply_rope > T.int64(0) and ") + f"d < {rotary_dim}")
    return from_source(text, {"turned": turning(rotary_dim, rope_scaling)})


def llama_rope(qkv, total_seq_len, theta, scale, num_q_heads, num_kv_heads, rope_scaling=None, rotary_dim=None):
    """Queries, keys and values of (batch, rows, heads, dimensions) apart, the first two turned; the last row is the last position."""
    from ..... import te
    from .. import op
    from ..core import Tensor

    batch, rows, _, head_dim = qkv.shape
    rotary_dim = head_dim if rotary_dim is None else rotary_dim
    turned = turning(rotary_dim, rope_scaling)
    if (rope_scaling or {}).get("rope_type") == "longrope":
        raise ValueError("longrope has a factor for each pair: llama_rope_with_position_map takes them")

    def part(source, first, count, turns):
        def value(b, s, h, d):
            own = source[b, s, first + h, d]
            if not turns:
                return own
            other = d + 1 - d % 2 * 2 if are_neighbours(rope_scaling) else (d + rotary_dim // 2) % rotary_dim
            result = turned(s + (total_seq_len - rows), d, own.astype("float32"), source[b, s, first + h, other].astype("float32"), _float(theta),
                            _float(scale), _float(1.0)).astype(qkv.dtype)
            return result if rotary_dim == head_dim else tir.if_then_else(d < rotary_dim, result, own)

        return te.compute((batch, rows, count, head_dim), value, name="rope")

    def split(source, *_):
        return [part(source, 0, num_q_heads, True), part(source, num_q_heads, num_kv_heads, True), part(source, num_q_heads + num_kv_heads, num_kv_heads, False)]

    assert isinstance(qkv, Tensor)
    return op.tensor_expr_op(split, "llama_rope", [qkv, total_seq_len] if isinstance(total_seq_len, tir.Var) else [qkv])
