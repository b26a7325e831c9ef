"""Relax programs whose shapes and indices only a run knows: each is right on good inputs, by NumPy, and an error on bad ones.

No bad input may give numbers, or end the process."""
import unittest

import numpy as np

import tap
import tvm
from tvm import relax


def floats(*shape):
    return (np.arange(int(np.prod(shape)), dtype="float32").reshape(shape) % 7 - 3).astype("float32")


def ints(values, dtype="int64"):
    return np.array(values, dtype)


# name, parameters, body, good inputs, NumPy, bad inputs
PROGRAMS = [
    ("broadcast_to", 'x: R.Tensor(("n", "m"), "float32")', "R.broadcast_to(x, (2, 4, 3))", [floats(4, 3)], lambda x: np.broadcast_to(x, (2, 4, 3)),
     [[floats(2, 3)], [floats(4, 2)]]),
    ("squeeze", 'x: R.Tensor(("n", "m", 2), "float32")', "R.squeeze(x, axis=[0, -2])", [floats(1, 1, 2)], lambda x: x.reshape(2), [[floats(2, 1, 2)], [floats(1, 2, 2)]]),
    ("conv2d_channels", 'x: R.Tensor(("a", "n", 3, 3), "float32"), w: R.Tensor(("o", "m", 3, 3), "float32")', "R.nn.conv2d(x, w)", [floats(1, 2, 3, 3), floats(4, 2, 3, 3)],
     lambda x, w: np.einsum("achw,ochw->ao", x, w).reshape(1, 4, 1, 1), [[floats(1, 3, 3, 3), floats(4, 2, 3, 3)], [floats(1, 2, 3, 3), floats(4, 3, 3, 3)]]),
    ("conv2d_layout", 'x: R.Tensor(("a", 3, 3, "n"), "float32"), w: R.Tensor((3, 3, "m", "o"), "float32")', 'R.nn.conv2d(x, w, data_layout="NHWC", kernel_layout="HWIO")',
     [floats(1, 3, 3, 2), floats(3, 3, 2, 4)], lambda x, w: np.einsum("ahwc,hwco->ao", x, w).reshape(1, 1, 1, 4), [[floats(1, 3, 3, 3), floats(3, 3, 2, 4)]]),
    ("conv1d_channels", 'x: R.Tensor(("a", "n", 3), "float32"), w: R.Tensor(("o", "m", 3), "float32")', "R.nn.conv1d(x, w)", [floats(1, 2, 3), floats(4, 2, 3)],
     lambda x, w: np.einsum("acw,ocw->ao", x, w).reshape(1, 4, 1), [[floats(1, 3, 3), floats(4, 2, 3)], [floats(1, 2, 3), floats(4, 3, 3)]]),
    ("attention_rows", 'q: R.Tensor((1, "s", 1, 2), "float32"), k: R.Tensor((1, "t", 1, 2), "float32"), v: R.Tensor((1, "u", 1, 2), "float32")', "R.nn.attention(q, k, v)",
     [floats(1, 2, 1, 2) * 0, floats(1, 3, 1, 2), np.ones((1, 3, 1, 2), "float32")], lambda q, k, v: np.ones((1, 2, 1, 2), "float32"),
     [[floats(1, 2, 1, 2), floats(1, 3, 1, 2), floats(1, 2, 1, 2)], [floats(1, 2, 1, 2), floats(1, 3, 1, 2), floats(1, 4, 1, 2)]]),
    ("cross_entropy_rows", 'x: R.Tensor(("n", 2), "float32"), t: R.Tensor(("m", 2), "float32")', "R.nn.cross_entropy_with_logits(x, t)", [floats(2, 2), floats(2, 2)],
     lambda x, t: np.float32(-(x * t).sum() / 2), [[floats(2, 2), floats(3, 2)], [floats(3, 2), floats(2, 2)]]),
    ("scatter_updates", 'x: R.Tensor(("n", 3), "float32"), i: R.Tensor(("k", 3), "int64"), u: R.Tensor(("l", 3), "float32")', "R.scatter_elements(x, i, u, axis=0)",
     [floats(2, 3), ints([[1, 1, 1]]), floats(1, 3) + 9], lambda x, i, u: np.stack([x[0], u[0]]), [[floats(2, 3), ints([[1, 1, 1], [0, 0, 0]]), floats(1, 3)]]),
    ("scatter_nd_updates", 'x: R.Tensor(("n", "m"), "float32"), i: R.Tensor(("k", 1), "int64"), u: R.Tensor(("l", "p"), "float32")', "R.scatter_nd(x, i, u)",
     [floats(2, 3), ints([[1]]), floats(1, 3) + 9], lambda x, i, u: np.stack([x[0], u[0]]),
     [[floats(2, 3), ints([[1], [0]]), floats(1, 3)], [floats(2, 3), ints([[1]]), floats(1, 2)], [floats(2, 3), ints([[1]]), floats(1, 4)]]),
    ("slice_scatter_rows", 'x: R.Tensor(("n", "m"), "float32"), u: R.Tensor(("k", "l"), "float32")', "R.slice_scatter(x, u, 0, 2, 1, axis=0)",
     [floats(3, 2), floats(2, 2) + 9], lambda x, u: np.concatenate([u, x[2:]]), [[floats(3, 2), floats(1, 2)], [floats(3, 2), floats(2, 1)], [floats(3, 2), floats(3, 2)]]),
    ("batch_matmul_rows", 'x: R.Tensor(("b", "n", "k"), "float32"), y: R.Tensor(("b", "l", "m"), "float32")',
     "R.matmul(x, y)", [floats(2, 3, 4), floats(2, 4, 5)], np.matmul, [[floats(2, 3, 4), floats(2, 3, 5)], [floats(2, 3, 4), floats(3, 4, 5)]]),
    ("vector_matrix", 'x: R.Tensor(("k",), "float32"), y: R.Tensor(("l", "m"), "float32")', "R.matmul(x, y)", [floats(3), floats(3, 2)], np.matmul,
     [[floats(2), floats(3, 2)], [floats(4), floats(3, 2)]]),
    ("concat_rows", 'x: R.Tensor(("n", "k"), "float32"), y: R.Tensor(("m", "k"), "float32")', "R.concat((x, y), axis=0)", [floats(2, 3), floats(4, 3)],
     lambda x, y: np.concatenate([x, y], 0), [[floats(2, 3), floats(4, 2)], [floats(2, 3), floats(2, 4)]]),
    ("take_columns", 'x: R.Tensor(("n", "m"), "int32"), y: R.Tensor(("k", "l"), "int32")', "R.take(x, y, axis=1)",
     [ints([[1, 2, 3], [4, 5, 6]], "int32"), ints([[2, 0], [1, 1]], "int32")], lambda x, y: np.take(x, y, 1),
     [[ints([[1, 2, 3], [4, 5, 6]], "int32"), ints([[v, 0]], "int32")] for v in (3, -1, 2**31 - 1, -2**31)]),
    ("take_of_empty", 'x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("k",), "int64")', "R.take(x, y, axis=0)", [floats(2, 3), ints([1])], lambda x, y: x[y],
     [[floats(0, 3), ints([0])], [floats(1, 3), ints([1])]]),
    ("gather_rows", 'x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("k", "l"), "int64")', "R.gather_elements(x, y, axis=0)", [floats(3, 2), ints([[2, 0], [1, 1]])],
     lambda x, y: np.take_along_axis(x, y, 0), [[floats(3, 2), ints([[3, 0]])], [floats(3, 2), ints([[0, -4]])]]),
    ("gather_points", 'x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("k", 2), "int64")', "R.gather_nd(x, y)", [floats(3, 4), ints([[2, 3], [0, 1]])],
     lambda x, y: x[y[:, 0], y[:, 1]], [[floats(3, 4), ints([[0, 4]])], [floats(3, 4), ints([[3, 0]])], [floats(3, 4), ints([[-1, 0]])]]),
    ("scatter_columns", 'x: R.Tensor((2, 3), "float32"), i: R.Tensor((2, 2), "int64"), u: R.Tensor((2, 2), "float32")', 'R.scatter_elements(x, i, u, axis=1, reduction="update")',
     [floats(2, 3), ints([[2, 0], [1, 0]]), floats(2, 2)], lambda x, i, u: (np.put_along_axis(x := x.copy(), i, u, 1), x)[1],
     [[floats(2, 3), ints([[v, 1], [0, w]]), floats(2, 2)] for v, w in ((0, 3), (-4, 0), (3, 0), (5, 0), (0, -4), (0, -5), (0, 2**40), (-2**40, 0))]),
    ("scatter_middle", 'x: R.Tensor((2, "n", 2), "int32"), i: R.Tensor((2, "k", 2), "int32"), u: R.Tensor((2, "k", 2), "int32")', 'R.scatter_elements(x, i, u, axis=1, reduction="max")',
     [ints([[[1, 2], [3, 4], [5, 6]]] * 2, "int32"), ints([[[2, -3]], [[-1, 1]]], "int32"), ints([[[9, 0]], [[7, 7]]], "int32")],
     lambda x, i, u: np.array([[[1, 2], [3, 4], [9, 6]], [[1, 2], [3, 7], [7, 6]]], "int32"),
     [[ints([[[1, 2], [3, 4], [5, 6]]] * 2, "int32"), ints([[[v, 0]], [[0, w]]], "int32"), ints([[[9, 0]], [[7, 7]]], "int32")] for v, w in ((3, 0), (0, 3), (-4, 0), (0, -6))]),
    ("scatter_pairs", 'x: R.Tensor(("n", "m", 2), "float32"), i: R.Tensor(("k", 2), "int64"), u: R.Tensor(("k", 2), "float32")', 'R.scatter_nd(x, i, u, reduction="update")',
     [floats(3, 4, 2), ints([[2, 3], [0, 1]]), floats(2, 2)], lambda x, i, u: (x := x.copy(), x.__setitem__((i[:, 0], i[:, 1]), u))[0],
     [[floats(3, 4, 2), ints([[v, w], [0, 1]]), floats(2, 2)] for v, w in ((0, 4), (3, 0), (0, -1), (-1, 4), (1, -4), (0, 11), (2, 4))]),
    ("scatter_rows_add", 'x: R.Tensor(("n", 2), "float32"), i: R.Tensor(("k", 2), "int32"), u: R.Tensor(("k", 2), "float32")', 'R.scatter_elements(x, i, u, axis=0, reduction="add")',
     [floats(3, 2), ints([[2, 0]], "int32"), floats(1, 2)], lambda x, i, u: (np.put_along_axis(x := x.copy(), i, u + np.take_along_axis(x, i, 0), 0), x)[1],
     [[floats(3, 2), ints([[3, 0]], "int32"), floats(1, 2)], [floats(3, 2), ints([[0, -9]], "int32"), floats(1, 2)]]),
    ("scatter_points", 'x: R.Tensor(("n",), "float32"), i: R.Tensor(("k", 1), "int64"), u: R.Tensor(("k",), "float32")', 'R.scatter_nd(x, i, u, reduction="update")',
     [floats(4), ints([[3], [1]]), floats(2)], lambda x, i, u: (np.put(x := x.copy(), i[:, 0], u), x)[1],
     [[floats(4), ints([[4], [1]]), floats(2)], [floats(4), ints([[0], [-5]]), floats(2)]]),
    ("reshape_columns", 'x: R.Tensor(("n", "m"), "float32"), s: R.Shape(("a", "b", 2))', "R.reshape(x, (a, b, 2))", [floats(2, 6), (3, 2, 2)], lambda x, s: x.reshape(s),
     [[floats(2, 6), (3, 3, 2)], [floats(2, 6), (0, 0, 2)], [floats(2, 5), (5, 2, 2)]]),
    ("reshape_halves", 'x: R.Tensor(("n",), "float32")', "R.reshape(x, (n // 2, 2))", [floats(6)], lambda x: x.reshape(3, 2), [[floats(5)], [floats(1)]]),
    ("square", 'x: R.Tensor(("n", "n"), "float32")', "R.permute_dims(x)", [floats(3, 3)], np.transpose, [[floats(3, 2)], [floats(9)]]),
    ("same_twice", 'x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")', "R.add(x, y)", [floats(3), floats(3)], np.add, [[floats(3), floats(1)], [floats(1), floats(3)]]),
    ("two_symbols", 'x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")', "R.add(x, y)", [floats(5), floats(5)], np.add,
     [[floats(3), floats(5)], [floats(5), floats(3)], [floats(1), floats(5)], [floats(5), floats(1)], [floats(0), floats(5)]]),
    ("symbol_and_number", 'x: R.Tensor((2, "n"), "int32"), y: R.Tensor((3,), "int32")', "R.multiply(x, y)", [ints([[1, 2, 3]] * 2, "int32"), ints([4, 5, 6], "int32")], np.multiply,
     [[ints([[1] * k] * 2, "int32"), ints([4, 5, 6], "int32")] for k in (0, 1, 2, 4)]),
    ("symbol_against_one", 'x: R.Tensor(("n", 1), "float32"), y: R.Tensor((1, "m"), "float32")', "R.subtract(x, y)", [floats(3, 1), floats(1, 4)], np.subtract, []),
    ("choice_of_symbols", 'x: R.Tensor(("n",), "bool"), y: R.Tensor(("m",), "float32"), s: R.Tensor(("k",), "float32")', "R.where(x, y, s)",
     [np.array([True, False, True]), floats(3), -floats(3)], np.where,
     [[np.array([True] * a), floats(b), floats(c)] for a, b, c in ((3, 3, 2), (3, 2, 3), (2, 3, 3), (4, 3, 3))]),
    ("less_of_symbols", 'x: R.Tensor(("n", "n"), "int64"), y: R.Tensor(("m", "k"), "int64")', "R.less(x, y)", [ints([[1, 5], [2, 2]]), ints([[2, 2], [2, 3]])], np.less,
     [[ints([[1, 5], [2, 2]]), ints([[2, 2, 2], [2, 3, 3]])], [ints([[1, 5], [2, 2]]), ints([[2, 2]])]]),
    ("plus_one", 'x: R.Tensor(("n",), "float32"), y: R.Tensor(("n + 1",), "float32")', "R.concat((x, y), axis=0)", [floats(3), floats(4)], lambda x, y: np.concatenate([x, y]),
     [[floats(3), floats(3)], [floats(4), floats(3)]]),
    ("broadcast_to", 'x: R.Tensor((1, "m"), "float32"), s: R.Shape(("a", "m"))', "R.broadcast_to(x, (a, m))", [floats(1, 3), (4, 3)], np.broadcast_to,
     [[floats(1, 3), (4, 2)], [floats(1, 3), (4, 4)], [floats(2, 3), (4, 3)]]),
    ("full_wraps", 's: R.Shape(("a", "b"))', "R.full((a * b,), R.const(1, \"int8\"), dtype=\"int8\")", [(3, 2)], lambda s: np.ones(6, "int8"),
     [[(2**32, 2**32)], [(2**62, 4)], [(-1, 5)]]),
    ("split_halves", 'x: R.Tensor(("n", 2), "float32")', "R.split(x, 2, axis=0)[0]", [floats(4, 2)], lambda x: x[:2], []),
    ("type_of_argument", 'x: R.Tensor(("n",), "float32")', "R.exp(x)", [floats(3)], np.exp, [[np.zeros(3, "float64")], [np.zeros(3, "int32")], [np.zeros((3, 1), "float32")]]),
    ("integer_division", 'x: R.Tensor(("n",), "int32"), y: R.Tensor(("n",), "int32")', "R.floor_divide(x, y)", [ints([7, -7], "int32"), ints([2, 2], "int32")], np.floor_divide,
     [[ints([7, 1], "int32"), ints([2, 0], "int32")]]),
    ("integer_remainder", 'x: R.Tensor(("n",), "int64"), y: R.Tensor(("n",), "int64")', "R.mod(x, y)", [ints([7, -7]), ints([3, 3])], np.fmod, [[ints([7, 1]), ints([2, 0])]]),
    ("cast_of_shape", 'x: R.Tensor(("n", "m"), "float32")', "R.match_cast(x, R.Tensor((2, m), \"float32\"))", [floats(2, 3)], lambda x: x, [[floats(3, 3)], [floats(1, 3)]]),
    ("einsum_product", 'x: R.Tensor(("n", "k"), "float32"), y: R.Tensor(("l", "m"), "float32")', 'R.einsum((x, y), "ij,jk->ik")', [floats(2, 3), floats(3, 4)], np.matmul,
     [[floats(2, 3), floats(k, 4)] for k in (2, 4)] + [[floats(2, 1), floats(3, 4)]]),
    ("einsum_diagonal", 'x: R.Tensor(("n", "k"), "float32")', 'R.einsum((x,), "ii->i")', [floats(3, 3)], np.diag, [[floats(3, 4)], [floats(4, 3)]]),
    ("einsum_implicit", 'x: R.Tensor(("n", "k"), "float32"), y: R.Tensor((3, "m"), "float32")', 'R.einsum((x, y), "ij,jk")', [floats(2, 3), floats(3, 4)], np.matmul,
     [[floats(2, k), floats(3, 4)] for k in (2, 4)]),
    ("einsum_of_three", 'x: R.Tensor(("a", "b"), "int32"), y: R.Tensor(("k", "l"), "int32"), z: R.Tensor(("m", "n"), "int32")', 'R.einsum((x, y, z), "ij,kj,ki->k")',
     [ints([[1, 2], [3, 4]], "int32"), ints([[5, 6]], "int32"), ints([[7, 8]], "int32")], lambda x, y, z: np.einsum("ij,kj,ki->k", x, y, z),
     [[ints([[1, 2], [3, 4]], "int32"), ints([[5, 6]], "int32"), z] for z in (ints([[7, 8, 9]], "int32"), ints([[7]], "int32"), ints([[7, 8], [7, 8]], "int32"))]),
    ("concat_symbols", 'x: R.Tensor(("n", "k"), "float32"), y: R.Tensor(("m", "l"), "float32"), z: R.Tensor(("a", 3), "float32")', "R.concat((x, y, z), axis=-2)",
     [floats(2, 3), floats(1, 3), floats(4, 3)], lambda *parts: np.concatenate(parts, 0),
     [[floats(2, k), floats(1, l), floats(4, 3)] for k, l in ((4, 3), (3, 4), (4, 4), (2, 2), (3, 0))]),
    ("stack_symbols", 'x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")', "R.stack((x, y), axis=1)", [floats(3), floats(3) + 1],
     lambda x, y: np.stack([x, y], 1), [[floats(3), floats(2)], [floats(2), floats(3)]]),
    ("layer_norm", 'x: R.Tensor(("n", "k"), "float32"), g: R.Tensor(("l",), "float32"), h: R.Tensor(("m",), "float32")', "R.nn.layer_norm(x, g, h, axes=[-1], epsilon=0.0)",
     [ints([[1, 3], [7, 5]], "float32"), ints([2, 2], "float32"), ints([1, 0], "float32")], lambda x, g, h: np.array([[-1, 2], [3, -2]], "float32"),
     [[floats(2, 2), floats(g), floats(b)] for g, b in ((3, 2), (2, 3), (1, 2), (2, 1))]),
    ("rms_norm", 'x: R.Tensor(("n", "k"), "float32"), g: R.Tensor(("l",), "float32")', "R.nn.rms_norm(x, g, axes=[1], epsilon=0.0)",
     [ints([[3, 3], [2, -2]], "float32"), ints([2, 1], "float32")], lambda x, g: np.array([[2, 1], [2, -1]], "float32"), [[floats(2, 2), floats(k)] for k in (1, 3)]),
    ("group_norm", 'x: R.Tensor(("n", "k", 2), "float32"), g: R.Tensor(("l",), "float32"), h: R.Tensor(("m",), "float32")',
     "R.nn.group_norm(x, g, h, num_groups=2, channel_axis=1, axes=[2])", [floats(1, 2, 2) * 0, floats(2), ints([5, 7], "float32")],
     lambda x, g, h: np.array([[[5, 5], [7, 7]]], "float32"), [[floats(1, 2, 2), floats(g), floats(b)] for g, b in ((3, 2), (2, 3), (1, 2), (2, 1))]),
    ("batch_norm", 'x: R.Tensor(("n", "k"), "float32"), g: R.Tensor(("l",), "float32"), h: R.Tensor(("m",), "float32"), mean: R.Tensor(("a",), "float32"), var: R.Tensor(("b",), "float32")',
     "R.nn.batch_norm(x, g, h, mean, var, axis=1, epsilon=0.0, training=False)[0]", [floats(2, 2), floats(2) * 0 + 1, floats(2) * 0, floats(2) * 0, floats(2) * 0 + 1], lambda x, *rest: x,
     [[floats(2, 2)] + [floats(3 if i == k else 2) + 9 for i in range(4)] for k in range(4)]),
    ("prelu", 'x: R.Tensor((1, "n", 2), "float32"), g: R.Tensor(("m",), "float32")', "R.nn.prelu(x, g, axis=1)", [floats(1, 2, 2) - 9, ints([2, 3], "float32")],
     lambda x, g: x * g[None, :, None], [[floats(1, 2, 2), floats(k)] for k in (1, 3)]),
    ("pixel_shuffle", 'x: R.Tensor((1, "n", 1, 1), "float32")', "R.nn.pixel_shuffle(x, 2)", [floats(1, 8, 1, 1)], lambda x: x.reshape(1, 2, 2, 2),
     [[floats(1, k, 1, 1)] for k in (7, 9, 3, 1)]),
    ("concat_many", 'x: R.Tensor(("n", "k"), "float32"), y: R.Tensor(("m", "l"), "float32")', "R.concat((" + "x, y, " * 20 + "), axis=0)", [floats(2, 3), floats(1, 3)],
     lambda x, y: np.concatenate([x, y] * 20), [[floats(2, 3), floats(1, l)] for l in (2, 4, 0)]),
    ("concat_many_columns", 'x: R.Tensor((2, "n", 3), "int32"), y: R.Tensor((2, "m", 3), "int32")', "R.concat((" + "x, y, " * 20 + "), axis=-2)",
     [ints(np.arange(12).reshape(2, 2, 3), "int32"), ints(np.zeros((2, 0, 3)), "int32")], lambda x, y: np.concatenate([x, y] * 20, 1), []),
    ("resize_nothing", 'x: R.Tensor((1, 1, "n", "m"), "float32")', "R.image.resize2d(x, (2, 2))", [floats(1, 1, 2, 2)], lambda x: x,
     [[floats(1, 1, n, m)] for n, m in ((0, 2), (2, 0), (0, 0))]),
    ("reflect", 'x: R.Tensor(("n",), "float32")', 'R.nn.pad(x, (2, 3), pad_mode="reflect")', [floats(4)], lambda x: np.pad(x, (2, 3), mode="reflect"), [[floats(n)] for n in (0, 1, 3)]),
    ("replicate", 'x: R.Tensor(("n", "m"), "float32")', 'R.nn.pad(x, (2, 0, 0, 1), pad_mode="replicate")', [floats(1, 1)],
     lambda x: np.pad(x, ((2, 0), (0, 1)), mode="edge"), [[floats(n, m)] for n, m in ((0, 1), (1, 0))]),
    ("circular", 'x: R.Tensor(("n",), "float32")', 'R.nn.pad(x, (2, 1), pad_mode="circular")', [floats(2)], lambda x: np.pad(x, (2, 1), mode="wrap"), [[floats(n)] for n in (0, 1)]),
    ("loss_rows", 'x: R.Tensor(("n", "k"), "float32"), t: R.Tensor(("m",), "int64"), w: R.Tensor(("l",), "float32")', 'R.nn.nll_loss(x, t, w, reduction="sum")',
     [floats(3, 4), ints([1, 2, 3]), floats(4) + 3], lambda x, t, w: np.float32(-(x[np.arange(3), t] * w[t]).sum()),
     [[floats(3, 4), ints([1, 2]), floats(4)], [floats(3, 4), ints([1, 2, 3, 0]), floats(4)], [floats(3, 4), ints([1, 2, 3]), floats(3)], [floats(3, 4), ints([1, 2, 4]), floats(4)]]),
    ("loss_places", 'x: R.Tensor(("n", 2, "k"), "float32"), t: R.Tensor(("m", "l"), "int64")', 'R.nn.nll_loss(x, t, reduction="none")',
     [floats(1, 2, 3), ints([[1, 0, 1]])], lambda x, t: -np.take_along_axis(x, t[:, None], 1)[:, 0], [[floats(1, 2, 3), ints([[1, 0]])], [floats(1, 2, 3), ints([[1, 0, 1]] * 2)]]),
    ("grouped_conv1d", 'x: R.Tensor((1, "n", 3), "float32"), w: R.Tensor(("o", "m", 3), "float32")', "R.nn.conv1d(x, w, groups=2)", [floats(1, 4, 3), floats(4, 2, 3)],
     lambda x, w: np.stack([(x[0, 2 * (o // 2):2 * (o // 2) + 2] * w[o]).sum() for o in range(4)]).reshape(1, 4, 1),
     [[floats(1, n, 3), floats(o, m, 3)] for n, o, m in ((3, 4, 2), (4, 4, 4), (4, 3, 2), (4, 4, 1), (6, 4, 2))]),
    ("grouped_conv2d", 'x: R.Tensor((1, 2, 2, "n"), "float32"), w: R.Tensor((2, 2, "m", "o"), "float32")', 'R.nn.conv2d(x, w, groups=3, data_layout="NHWC", kernel_layout="HWIO")',
     [floats(1, 2, 2, 3), floats(2, 2, 1, 3)], lambda x, w: np.einsum("ahwc,hwc->ac", x, w[:, :, 0]).reshape(1, 1, 1, 3),
     [[floats(1, 2, 2, n), floats(2, 2, m, o)] for n, m, o in ((4, 1, 3), (3, 2, 3), (3, 1, 4))]),
    ("slice_from_behind", 'x: R.Tensor(("n", 2), "float32")', "R.strided_slice(x, axes=[0], begin=[-1], end=[-4], strides=[-1])", [floats(6, 2)], lambda x: x[-1:-4:-1], []),
    ("slice_of_few", 'x: R.Tensor(("n", 2), "float32")', "R.strided_slice(x, axes=[0], begin=[-4], end=[9], strides=[3])", [floats(2, 2)], lambda x: x[-4:9:3], []),
    ("slice_down", 'x: R.Tensor((2, "n"), "float32")', "R.strided_slice(x, axes=[-1], begin=[9], end=[0], strides=[-2])", [floats(2, 6)], lambda x: x[:, 9:0:-2], []),
    ("slice_to_end", 'x: R.Tensor(("n",), "float32")', "R.strided_slice(x, axes=[0], begin=[-2], end=[n])", [floats(5)], lambda x: x[-2:], []),
    ("slice_at_shape", 'x: R.Tensor(("n",), "float32"), s: R.Shape(("a",))', "R.strided_slice(x, axes=[0], begin=[a], end=[n])", [floats(5), (-2,)], lambda x, s: x[s[0]:], []),
    ("slice_by_shape", 'x: R.Tensor(("n",), "float32"), s: R.Shape(("a", "b", "k"))', "R.strided_slice(x, axes=[0], begin=[a], end=[b], strides=[k])",
     [floats(6), (-9, 99, 1)], lambda x, s: x[-9:99:1], [[floats(6), (0, 6, 0)]]),
    ("slice_back_by_shape", 'x: R.Tensor(("n",), "float32"), s: R.Shape(("a", "b", "k"))', "R.strided_slice(x, axes=[0], begin=[a], end=[b], strides=[k])",
     [floats(6), (99, 0, -2)], lambda x, s: x[99:0:-2], []),
    ("scatter_in_part", 'x: R.Tensor(("n", "m", 3), "float32"), i: R.Tensor(("k", "l", 2), "int64"), u: R.Tensor(("k", "l", 2), "float32")', "R.scatter_elements(x, i, u, axis=0)",
     [floats(3, 2, 3), ints([[[2, 0], [-1, 1]]]), floats(1, 2, 2) + 9], lambda x, i, u: (np.put_along_axis(y := x[:, :, :2].copy(), i, u, 0), np.concatenate([y, x[:, :, 2:]], 2))[1],
     [[floats(3, 2, 3), ints([[[0, 0]] * 3]), floats(1, 3, 2)], [floats(3, 1, 3), ints([[[0, 0]] * 2]), floats(1, 2, 2)]]),
    ("scatter_first_rows", 'x: R.Tensor((3, 2, 3), "float32"), i: R.Tensor((2, 1, 2), "int64"), u: R.Tensor((2, 1, 2), "float32")', 'R.scatter_elements(x, i, u, axis=2, reduction="add")',
     [floats(3, 2, 3), ints([[[2, 0]], [[-1, 1]]]), floats(2, 1, 2)],
     lambda x, i, u: (x := x.copy(), [x.__setitem__((p[0], p[1], i[p]), x[p[0], p[1], i[p]] + u[p]) for p in np.ndindex(i.shape)])[0], []),
    ("gather_in_part", 'x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("k", "l"), "int64")', "R.gather_elements(x, y, axis=1)", [floats(3, 2), ints([[1, 0, 0], [0, 1, 1]])],
     lambda x, y: np.take_along_axis(x[:2], y, 1), [[floats(3, 2), ints([[0]] * 4)]]),
    ("gather_columns", 'x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("k", "l"), "int64")', "R.gather_elements(x, y, axis=0)", [floats(3, 2), ints([[2]])], lambda x, y: x[2:, :1],
     [[floats(3, 2), ints([[0, 0, 0]])], [floats(3, 2), ints([[0] * 99])]]),
    ("take_of_vector", 'x: R.Tensor(("n",), "float32"), y: R.Tensor(("k", "l"), "int32")', "R.take(x, y)", [floats(5), ints([[4, 0], [1, 2]], "int32")], lambda x, y: x[y],
     [[floats(5), ints([[v, 0]], "int32")] for v in (5, -1, 10)]),
    ("quantize", 'x: R.Tensor(("n", "m"), "float32"), s: R.Tensor(("k",), "float32"), z: R.Tensor(("l",), "int8")', 'R.quantize(x, s, z, axis=1, out_dtype="int8")',
     [ints([[2, 8, 900]], "float32"), ints([1, 2, 4], "float32"), ints([0, 1, 2], "int8")], lambda *rest: ints([[2, 5, 127]], "int8"),
     [[floats(2, 3), floats(2) + 9, ints([0, 1, 2], "int8")], [floats(2, 3), floats(3) + 9, ints([0, 1], "int8")]]),
    ("dequantize", 'x: R.Tensor(("n", "m"), "int8"), s: R.Tensor(("k",), "float32"), z: R.Tensor(("l",), "int8")', 'R.dequantize(x, s, z, axis=-1, out_dtype="float32")',
     [ints([[1, 2]], "int8"), ints([1, 2], "float32"), ints([0, 1], "int8")], lambda *rest: ints([[1, 2]], "float32"),
     [[ints([[1, 2]], "int8"), floats(3), ints([0, 1], "int8")], [ints([[1, 2]], "int8"), floats(2), ints([0], "int8")]]),
    ("attention_bias", 'q: R.Tensor((1, "s", 1, 2), "float32"), k: R.Tensor((1, "t", 1, 2), "float32"), v: R.Tensor((1, "t", 1, 2), "float32"), h: R.Tensor((1, 1, "a", "b"), "float32")',
     "R.nn.attention(q, k, v, h)", [floats(1, 2, 1, 2), floats(1, 3, 1, 2), np.ones((1, 3, 1, 2), "float32"), floats(1, 1, 2, 3)], lambda *rest: np.ones((1, 2, 1, 2), "float32"),
     [[floats(1, 2, 1, 2), floats(1, 3, 1, 2), floats(1, 3, 1, 2), floats(1, 1, a, b)] for a, b in ((2, 2), (3, 3), (1, 3), (2, 4))]),
    ("index_rows", 'x: R.Tensor(("n", "m"), "float32"), i: R.Tensor(("k",), "int64"), j: R.Tensor(("l",), "int32")', "R.index_tensor(x, (i, j))",
     [floats(4, 3), ints([3, -1]), ints([2, -3], "int32")], lambda x, i, j: x[i, j],
     [[floats(4, 3), ints([3, 1, 0]), ints([2, 0], "int32")], [floats(4, 3), ints([4, 1]), ints([2, 0], "int32")], [floats(4, 3), ints([3, 1]), ints([3, 0], "int32")],
      [floats(4, 3), ints([-5, 1]), ints([2, 0], "int32")]]),
    ("index_broadcast", 'x: R.Tensor(("n", 3, 2), "float32"), i: R.Tensor(("k", 1), "int64"), j: R.Tensor(("l",), "int64")', "R.index_tensor(x, (i, j))",
     [floats(4, 3, 2), ints([[3], [0]]), ints([2, -1, 0])], lambda x, i, j: x[i, j], [[floats(4, 3, 2), ints([[4]]), ints([2])], [floats(4, 3, 2), ints([[3]]), ints([-4])]]),
    ("index_of_one", 'x: R.Tensor(("n", "m"), "int32"), i: R.Tensor((2, "k"), "int64")', "R.index_tensor(x, (i,))", [ints([[1, 2], [3, 4]], "int32"), ints([[0], [-1]])],
     lambda x, i: x[i], [[ints([[1, 2], [3, 4]], "int32"), ints([[v], [0]])] for v in (2, -3, 2**40)]),
    ("multinomial", 'x: R.Tensor(("n", "m"), "float32"), u: R.Tensor(("k", 1), "float32"), i: R.Tensor(("l", 1), "int64")', "R.multinomial_from_uniform(x, u, i)",
     [np.array([[.2, .3, .5], [1, 0, 0]], "float32"), np.array([[.1], [.4], [.9], [.9]], "float32"), ints([[0], [0], [0], [1]])], lambda *rest: ints([[0], [1], [2], [0]]),
     [[np.ones((2, 3), "float32") / 3, np.zeros((k, 1), "float32"), ints(i)] for k, i in ((2, [[0]] * 3), (3, [[0]] * 2), (1, [[2]]), (1, [[-1]]))]),
    ("pool_of_infinity", 'x: R.Tensor((1, 1, "n", "m"), "float32")', "R.nn.max_pool2d(x, (3, 3), padding=(1, 1))", [np.full((1, 1, 1, 1), -np.inf, "float32")], lambda x: x, []),
    ("topk", 'x: R.Tensor(("n",), "float32")', 'R.topk(x, k=5, axis=0, ret_type="values")', [ints([1, 6, 2, 5, 4, 3], "float32")], lambda x: ints([6, 5, 4, 3, 2], "float32"),
     [[floats(4)], [floats(0)]]),
]



def build(params, body, fused):
    names = sorted({w for w in "nmklbastu" if f'"{w}"' in params or f'"{w} +' in params or f'("{w}"' in params})
    symbols = f"    {', '.join(names)} = {', '.join('T.int64()' for _ in names)}\n" if names else ""
    if len(names) == 1:
        symbols = f"    {names[0]} = T.int64()\n"
    source = ("# from tvm.script import ir as I\n# from tvm.script import tir as T\n# from tvm.script import relax as R\n@I.ir_module\nclass Module:\n    @R.function\n"
              f"    def main({params}):\n" + "".join("    " + line + "\n" for line in symbols.splitlines()) + f"        z = {body}\n        return z\n")
    mod = tvm.script.from_source(source)
    return relax.VirtualMachine(tvm.compile(relax.get_pipeline("zero")(mod) if fused else mod, target="llvm"), tvm.cpu())


def argument(value):
    return tvm.runtime.ShapeTuple(value) if isinstance(value, tuple) else tvm.nd.array(value)


class Checks(unittest.TestCase):
    def test_each(self):
        self.assertGreaterEqual(len(PROGRAMS), 20)
        for name, params, body, good, want, bad in PROGRAMS:
            for fused in (False, True):
                with self.subTest(name, fused=fused):
                    machine = build(params, body, fused)
                    np.testing.assert_allclose(machine["main"](*map(argument, good)).numpy(), want(*good), rtol=1e-5)
                    for inputs in bad:
                        with self.assertRaises(tvm.TVMError, msg=f"{name}: {[np.shape(v) if not isinstance(v, tuple) else v for v in inputs]}"):
                            machine["main"](*map(argument, inputs))
                    np.testing.assert_allclose(machine["main"](*map(argument, good)).numpy(), want(*good), rtol=1e-5)


if __name__ == "__main__":
    tap.main()
