"""Threefry (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"): number i is a hash of key, path and counter + i.

A state has ten words of 64 bits: four of key, two of path (a bit for each split: left or right), two of counter (of which
the last counts) and two with one bit set, where the next step of the path goes; none set: the path is full."""
from ... import te, tir

_ROUNDS = 20
_TURNS = ((14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32))    # by Skein's paper, as the constant below
_PARITY = 0x1BD11BDAA9FC1A22
_MOST = 2**64 - 1


def _word(value):
    return tir.const(value, "uint64")


def _hash(builder, key, words, out, at):
    """Writes the hash of four words to out[at : at + 4]; `key` has five, the last the parity of the others."""
    state = builder.allocate("uint64", 4, name="state", scope="local")
    for j in range(4):
        state[j] = words[j]
    place = [0, 1, 2, 3]                                     # where word j is kept: nothing moves when words change places
    for turn in range(_ROUNDS):
        if turn % 4 == 0:
            for j in range(4):
                added = key[(turn // 4 + j) % 5]
                state[place[j]] += added + _word(turn // 4) if j == 3 else added
        for a, b, bits in ((place[0], place[1], _TURNS[turn % 8][0]), (place[2], place[3], _TURNS[turn % 8][1])):
            state[a] += state[b]
            state[b] = state[a] ^ ((state[b] << _word(bits)) | (state[b] >> _word(64 - bits)))
        place[1], place[3] = place[3], place[1]
    for j in range(4):
        out[at + j] = state[place[j]]


def _key(builder, words):
    """The key as the hash takes it."""
    key = builder.allocate("uint64", 5, name="full_key", scope="local")
    parity = _word(_PARITY)
    for j in range(4):
        key[j] = words[j]
        parity = parity ^ words[j]
    key[4] = parity
    return key


def _step(builder, state, out):
    """Moves the place of the next step of the path on by one bit: out[8], out[9]."""
    out[9] = (state[9] >> _word(1)) | (state[8] << _word(63))
    out[8] = state[8] >> _word(1)


def _copy(out, state, words):
    for j in words:
        out[j] = state[j]


def _fill(out, values):
    for j, value in values.items():
        out[j] = _word(value)


def _full(state):
    """Has the path no place left?"""
    return tir.all(state[8] == _word(0), state[9] == _word(0))


def threefry_generate(gen, out_shape):
    """The next state, and a tensor of this shape of random uint64 numbers (a multiple of four)."""
    count = 1
    for extent in out_shape:
        count *= int(extent)
    if count % 4 != 0:
        raise ValueError(f"Threefry makes four numbers at a time: {count} is no multiple of four")

    def kernel(ins, outs):
        builder = tir.ir_builder.create()
        state, out_state, out = (builder.buffer_ptr(x) for x in (*ins, *outs))
        now = builder.allocate("uint64", 10, name="now", scope="global")
        with builder.if_scope(state[7] < _word(_MOST - count)):
            _copy(now, state, range(10))
        with builder.else_scope():                          # the counter is used up: another path, or another key
            with builder.if_scope(_full(state)):
                _hash(builder, _key(builder, [state[j] for j in range(4)]), [_word(_MOST), _word(_MOST), state[4], state[5]], now, 0)
                _fill(now, {4: 0, 5: 0, 6: 0, 7: 0, 8: 1 << 63, 9: 0})
            with builder.else_scope():
                _copy(now, state, range(4))
                now[4] = state[4] | state[8]
                now[5] = state[5] | state[9]
                _fill(now, {6: 0, 7: 0})
                _step(builder, state, now)
        key = _key(builder, [now[j] for j in range(4)])
        with builder.for_range(0, count // 4, name="i") as i:
            _hash(builder, key, [now[4 + j] + i.astype("uint64") for j in range(4)], out, i * 4)
        _copy(out_state, now, (0, 1, 2, 3, 4, 5, 8, 9))
        _fill(out_state, {6: 0})
        out_state[7] = now[7] + _word(count)
        return builder.get()

    outs = [tir.decl_buffer((10,), "uint64", "out_gen"), tir.decl_buffer(out_shape, "uint64", "out_array")]
    return te.extern([buffer.shape for buffer in outs], [gen], kernel, dtype=["uint64", "uint64"], out_buffers=outs, name="threefry_generate", tag="threefry_generate")


def threefry_split(gen):
    """Two states that never give the same numbers: the left and the right step of the path."""
    def kernel(ins, outs):
        builder = tir.ir_builder.create()
        state, left, right = (builder.buffer_ptr(x) for x in (*ins, *outs))
        with builder.if_scope(_full(state)):
            _hash(builder, _key(builder, [state[j] for j in range(4)]), [state[4 + j] for j in range(4)], left, 0)
            _copy(right, left, range(4))
            _fill(left, {4: 0, 5: 0, 6: 0, 7: 0, 8: 1 << 62, 9: 0})
            _fill(right, {4: 1 << 63, 5: 0, 6: 0, 7: 0, 8: 1 << 62, 9: 0})
        with builder.else_scope():
            _copy(left, state, range(8))
            _copy(right, state, (0, 1, 2, 3, 6, 7))
            right[4] = state[4] | state[8]
            right[5] = state[5] | state[9]
            _step(builder, state, left)
            _step(builder, state, right)
        return builder.get()

    outs = [tir.decl_buffer((10,), "uint64", name) for name in ("out_left", "out_right")]
    return te.extern([(10,), (10,)], [gen], kernel, dtype=["uint64", "uint64"], out_buffers=outs, name="threefry_split", tag="threefry_split")


def threefry_test_wrapping(target, device):
    """Do sums of unsigned numbers wrap around, as the hash needs it?"""
    import numpy as np

    from ... import compile as build, nd

    x = te.placeholder((1,), "uint64", name="x")
    y = te.compute((1,), lambda i: x[i] + _word(1), name="y")
    result = nd.array(np.ones(1, "uint64"), device)
    build(te.create_prim_func([x, y]), target=target)(nd.array(np.array([_MOST], "uint64"), device), result)
    return bool(result.numpy()[0] == 0)


def uniform(gen, low, high, out_shape, out_dtype):
    """The next state, and numbers of float32 or float64 from low up to, without, high: scalars that are tensors."""
    from .. import add, multiply

    bits = {"float32": 23, "float64": 52}.get(str(out_dtype))
    if bits is None:
        raise ValueError(f"uniform makes float32 or float64 numbers, not {out_dtype}")
    state, words = threefry_generate(gen, out_shape)
    share = te.compute(out_shape, lambda *i: (words(*i) >> _word(64 - bits)).astype(out_dtype) / tir.const(1 << bits, out_dtype))
    return state, add(multiply(share, high - low), low)
