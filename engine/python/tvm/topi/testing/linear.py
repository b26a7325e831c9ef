"""Products, attention, recurrent cells."""
import numpy as np


def batch_matmul(x, y, out_dtype=None, trans_x=False, trans_y=True):
    """One product for each item; the second operand is transposed unless said otherwise."""
    x = np.swapaxes(x, 1, 2) if trans_x else x
    y = np.swapaxes(y, 1, 2) if trans_y else y
    dtype = out_dtype or x.dtype
    return np.matmul(x.astype(dtype), y.astype(dtype))


def dense(x, y, bias, use_bias=False, use_relu=False, out_dtype=None):
    """x y^T, with a bias, without what is negative."""
    dtype = out_dtype or x.dtype
    out = x.astype(dtype) @ y.astype(dtype).T
    out = out + bias if use_bias else out
    return np.maximum(out, 0) if use_relu else out


def attention_python(q, k, v, bias, qk_scale, causal, window_size=None, layout="BSNH"):
    """(result, scores) of attention; heads of keys may be shared by several of queries."""
    if layout == "BSNH":
        q, k, v = (np.transpose(x, (0, 2, 1, 3)) for x in (q, k, v))
    if k.shape[1] != q.shape[1]:
        k, v = (np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in (k, v))
    if not qk_scale:
        qk_scale = 1.0 / np.sqrt(q.shape[-1])
    score = q @ np.swapaxes(k, -1, -2) * qk_scale
    score = score + bias if bias is not None else score
    if causal == "TopLeft" or causal == "BottomRight":
        offset = abs(score.shape[-1] - score.shape[-2]) if causal == "BottomRight" else 0
        hidden = np.triu(np.ones(score.shape[-2:], bool), k=1 + offset)
        if window_size is not None:
            hidden |= np.tril(np.ones(score.shape[-2:], bool), k=-int(window_size) + offset)
        score = np.where(hidden, -np.inf, score)
    weights = np.exp(score - score.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    result = weights @ v
    return np.transpose(result, (0, 2, 1, 3)) if layout == "BSNH" else result


def lstm_python(Xs, Wi, Wh, Bi=None, Bh=None, h_init=None, c_init=None, proj=None, p_i=None, p_f=None, p_o=None,  # noqa: N803
                f_act="sigmoid", g_act="tanh", h_act="tanh", reverse=False, weight_layout="IFGO"):
    """(hidden states, cell states) of a sequence (T, N, X)."""
    acts = {"sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": np.tanh, "relu": lambda x: np.maximum(x, 0)}
    size = Wh.shape[0] // 4
    hidden = h_init if h_init is not None else np.zeros((Xs.shape[1], proj.shape[0] if proj is not None else size), Xs.dtype)
    cell = c_init if c_init is not None else np.zeros((Xs.shape[1], size), Xs.dtype)
    places = {gate: slice(weight_layout.index(gate) * size, (weight_layout.index(gate) + 1) * size) for gate in "IFGO"}
    states, cells = [None] * len(Xs), [None] * len(Xs)
    for t in (range(len(Xs) - 1, -1, -1) if reverse else range(len(Xs))):
        gates = Xs[t] @ Wi.T + hidden @ Wh.T + (Bi if Bi is not None else 0) + (Bh if Bh is not None else 0)
        part = {gate: gates[:, place] for gate, place in places.items()}
        i = acts[f_act](part["I"] + (p_i * cell if p_i is not None else 0))
        f = acts[f_act](part["F"] + (p_f * cell if p_f is not None else 0))
        cell = f * cell + i * acts[g_act](part["G"])
        hidden = acts[f_act](part["O"] + (p_o * cell if p_o is not None else 0)) * acts[h_act](cell)
        hidden = hidden @ proj.T if proj is not None else hidden
        states[t], cells[t] = hidden, cell
    return np.stack(states), np.stack(cells)
