"""Operators whose results NumPy knows, each at its edges: built without and with optimisation, the graph as it is and fused.

A row: what it is about, parameters, body, inputs, what NumPy says."""
import unittest

import numpy as np

import tap
import tvm
from tvm import relax, te, tir, topi

I8, I32, I64, U8, F16, F32, F64 = "int8", "int32", "int64", "uint8", "float16", "float32", "float64"
INF, NAN = np.inf, np.nan


def a(values, dtype):
    return np.array(values, dtype)


def p(*tensors):
    return ", ".join(f'{name}: R.Tensor({shape}, "{dtype}")' for name, shape, dtype in tensors)


EDGES = a([NAN, INF, -INF, 0.0, -0.0, 1.0, -2.5, 3e38], F32)
LOWS = a([-2**31, 2**31 - 1, -1, 0, 7, -7], I32)

ROWS = [
    # data that wraps, and what a simplifier would make of it
    ("sum and difference", p(("x", "(6,)", I32)), 'R.subtract(R.add(x, R.const(5, "int32")), R.const(5, "int32"))', [LOWS], lambda x: x),
    ("doubled and halved", p(("x", "(6,)", I32)), 'R.floor_divide(R.multiply(x, R.const(2, "int32")), R.const(2, "int32"))', [LOWS], lambda x: (x * np.int32(2)) // np.int32(2)),
    ("successor is greater", p(("x", "(6,)", I32)), 'R.greater(R.add(x, R.const(1, "int32")), x)', [LOWS], lambda x: x + np.int32(1) > x),
    ("negative of the lowest", p(("x", "(6,)", I32)), "R.negative(x)", [LOWS], lambda x: -x),
    ("absolute of the lowest", p(("x", "(3,)", I8)), "R.abs(x)", [a([-128, 127, -1], I8)], np.abs),
    ("square of int8", p(("x", "(4,)", I8)), "R.multiply(x, x)", [a([-128, 127, 16, 12], I8)], lambda x: x * x),
    ("uint8 below zero", p(("x", "(3,)", U8), ("y", "(3,)", U8)), "R.subtract(x, y)", [a([0, 5, 255], U8), a([1, 5, 0], U8)], np.subtract),
    ("sum of int8 over an axis", p(("x", "(2, 3)", I8)), "R.sum(x, axis=1)", [a([[100, 100, 100], [-100, -100, 1]], I8)], lambda x: x.sum(1, dtype=I8)),
    ("product of int32 over all", p(("x", "(3,)", I32)), "R.prod(x)", [a([65536, 65536, 3], I32)], lambda x: np.prod(x, dtype=I32)),
    ("matmul of int8", p(("x", "(1, 2)", I8), ("y", "(2, 1)", I8)), "R.matmul(x, y)", [a([[100, 3]], I8), a([[2], [50]], I8)], np.matmul),
    ("matmul of int8 in int32", p(("x", "(1, 2)", I8), ("y", "(2, 1)", I8)), 'R.matmul(x, y, out_dtype="int32")', [a([[100, 3]], I8), a([[2], [50]], I8)],
     lambda x, y: np.matmul(x.astype(I32), y.astype(I32))),
    ("cumsum of uint8", p(("x", "(4,)", U8)), "R.cumsum(x, axis=0)", [a([200, 100, 1, 255], U8)], lambda x: np.cumsum(x, dtype=U8)),
    # tensors put together
    ("grid of rows first", p(("x", "(3,)", F32), ("y", "(4,)", F32)), 'R.subtract(R.meshgrid((x, y), indexing="ij")[0], R.meshgrid((x, y), indexing="ij")[1])',
     [a([1, 2, 3], F32), a([10, 20, 30, 40], F32)], lambda x, y: np.subtract(*np.meshgrid(x, y, indexing="ij"))),
    ("grid of columns first", p(("x", "(3,)", F32), ("y", "(4,)", F32)), 'R.subtract(R.meshgrid((x, y), indexing="xy")[0], R.meshgrid((x, y), indexing="xy")[1])',
     [a([1, 2, 3], F32), a([10, 20, 30, 40], F32)], lambda x, y: np.subtract(*np.meshgrid(x, y, indexing="xy"))),
    # division
    ("floored quotient of negatives", p(("x", "(4,)", I32), ("y", "(4,)", I32)), "R.floor_divide(x, y)", [a([7, -7, 7, -7], I32), a([2, 2, -2, -2], I32)], np.floor_divide),
    ("floored remainder of negatives", p(("x", "(4,)", I32), ("y", "(4,)", I32)), "R.floor_mod(x, y)", [a([7, -7, 7, -7], I32), a([3, 3, -3, -3], I32)], np.mod),
    ("truncated remainder of negatives", p(("x", "(4,)", I64), ("y", "(4,)", I64)), "R.mod(x, y)", [a([7, -7, 7, -7], I64), a([3, 3, -3, -3], I64)], np.fmod),
    ("lowest by minus one", p(("x", "(2,)", I32), ("y", "(2,)", I32)), "R.floor_divide(x, y)", [a([-2**31, 9], I32), a([-1, -1], I32)], lambda x, y: a([-2**31, -9], I32)),
    ("quotients in a row", p(("x", "(6,)", I32)), 'R.floor_divide(R.floor_divide(x, R.const(65536, "int32")), R.const(65536, "int32"))', [LOWS], lambda x: x // 65536 // 65536),
    # floats
    ("maximum with NaN", p(("x", "(8,)", F32), ("y", "(8,)", F32)), "R.maximum(x, y)", [EDGES, EDGES[::-1].copy()], np.maximum),
    ("minimum with NaN", p(("x", "(8,)", F32), ("y", "(8,)", F32)), "R.minimum(x, y)", [EDGES, EDGES[::-1].copy()], np.minimum),
    ("equal to itself", p(("x", "(8,)", F32)), "R.equal(x, x)", [EDGES], lambda x: x == x),  # noqa: PLR0124
    ("not less", p(("x", "(8,)", F32), ("y", "(8,)", F32)), "R.logical_not(R.less(x, y))", [EDGES, EDGES[::-1].copy()], lambda x, y: ~(x < y)),
    ("x minus x", p(("x", "(8,)", F32)), "R.subtract(x, x)", [EDGES], lambda x: x - x),
    ("zero times x", p(("x", "(8,)", F32)), 'R.multiply(x, R.const(0.0, "float32"))', [EDGES], lambda x: x * np.float32(0)),
    ("over a number that is no normal one", p(("x", "(8,)", F32)), 'R.divide(x, R.const(1e-39, "float32"))', [EDGES], lambda x: x / np.float32(1e-39)),
    ("sum minus summand", p(("x", "(3,)", F32)), 'R.subtract(R.add(x, R.const(1e10, "float32")), R.const(1e10, "float32"))', [a([1, INF, 3e38], F32)],
     lambda x: (x + np.float32(1e10)) - np.float32(1e10)),
    ("sum of float16 past its range", p(("x", "(3,)", F16)), "R.add(x, x)", [a([40000, -40000, 6e-8], F16)], lambda x: x + x),
    ("clip with NaN", p(("x", "(8,)", F32)), "R.clip(x, 0, 1)", [EDGES], lambda x: np.clip(x, 0, 1).astype(F32)),
    ("relu with NaN", p(("x", "(8,)", F32)), "R.nn.relu(x)", [EDGES], lambda x: np.maximum(x, np.float32(0))),
    ("maximum of minus infinities", p(("x", "(2, 2)", F32)), "R.max(x, axis=1)", [a([[-INF, -INF], [1, NAN]], F32)], lambda x: np.max(x, 1)),
    ("minimum of infinities", p(("x", "(2, 2)", F64)), "R.min(x, axis=0)", [a([[INF, NAN], [INF, 3]], F64)], lambda x: np.min(x, 0)),
    ("argmax of minus infinities", p(("x", "(3, 2)", F32)), "R.argmax(x, axis=1)", [a([[-INF, -INF], [1, NAN], [2, 2]], F32)], lambda x: np.argmax(x, 1)),
    ("argmin of int8", p(("x", "(2, 3)", I8)), "R.argmin(x, axis=1)", [a([[127, -128, -128], [3, 3, 3]], I8)], lambda x: np.argmin(x, 1)),
    # casts
    ("int32 to uint8", p(("x", "(6,)", I32)), 'R.astype(x, "uint8")', [LOWS], lambda x: x.astype(U8)),
    ("int64 to int16 and back", p(("x", "(3,)", I64)), 'R.astype(R.astype(x, "int16"), "int64")', [a([65536 + 7, -32769, 40000], I64)], lambda x: x.astype("int16").astype(I64)),
    ("float to int32, saturated", p(("x", "(8,)", F32)), 'R.astype(x, "int32")', [EDGES], lambda x: a([0, 2**31 - 1, -2**31, 0, 0, 1, -2, 2**31 - 1], I32)),
    ("float to bool", p(("x", "(8,)", F32)), 'R.astype(x, "bool")', [EDGES], lambda x: x != 0),
    # nothing, and one
    ("sum of nothing", p(("x", "(2, 0)", F32)), "R.sum(x, axis=1)", [np.zeros((2, 0), F32)], lambda x: x.sum(1)),
    ("maximum of nothing", p(("x", "(2, 0)", F32)), "R.max(x, axis=1)", [np.zeros((2, 0), F32)], lambda x: np.full(2, -INF, F32)),
    ("matmul of no columns", p(("x", "(2, 0)", F32), ("y", "(0, 3)", F32)), "R.matmul(x, y)", [np.zeros((2, 0), F32), np.zeros((0, 3), F32)], np.matmul),
    ("empty, joined", p(("x", "(0, 2)", F32), ("y", "(3, 2)", F32)), "R.concat((x, y), axis=0)", [np.zeros((0, 2), F32), np.ones((3, 2), F32)], lambda x, y: np.concatenate([x, y])),
    ("one against many", p(("x", "(3, 1)", I32), ("y", "(1, 2)", I32)), "R.multiply(x, y)", [a([[1], [2], [3]], I32), a([[5, 7]], I32)], np.multiply),
    # symbols
    ("rows of a symbol", p(("x", '("n", 3)', F32)), "R.sum(x, axis=0)", [np.arange(12, dtype=F32).reshape(4, 3)], lambda x: x.sum(0)),
    ("no rows of a symbol", p(("x", '("n", 3)', F32)), "R.sum(x, axis=0)", [np.zeros((0, 3), F32)], lambda x: x.sum(0)),
    ("symbol reshaped", p(("x", '("n", 4)', I32)), "R.reshape(x, (n * 2, 2))", [np.arange(12, dtype=I32).reshape(3, 4)], lambda x: x.reshape(-1, 2)),
    ("symbol, flat", p(("x", '("n", "m")', I8)), "R.flatten(x)", [np.arange(6, dtype=I8).reshape(3, 2)], lambda x: x.reshape(-1)),
]

# topi alone: name, its stages over placeholders, inputs, NumPy.
STAGES = [
    ("quotient of a remainder", lambda x, y: topi.floor_divide(topi.floor_mod(x, y), y), [a([7, -7, 100, -100], I32), a([3, 3, -7, -7], I32)], lambda x, y: (x % y) // y),
    ("quotient by a power, truncated", lambda x: te.compute(x.shape, lambda i: tir.truncdiv(x[i], 8) * 8 + tir.truncmod(x[i], 8)), [LOWS], lambda x: x),
    ("difference, compared", lambda x, y: topi.less(topi.subtract(x, y), topi.subtract(y, x)), [LOWS, LOWS[::-1].copy()], lambda x, y: (x - y) < (y - x)),
    ("shifted, and back", lambda x: topi.right_shift(topi.left_shift(x, 3), 3), [LOWS], lambda x: (x << 3) >> 3),
    ("sum of maxima", lambda x: topi.sum(topi.maximum(x, te.compute(x.shape, lambda i, j: x[i, 1 - j])), axis=1), [a([[NAN, 1], [2, INF]], F32)], lambda x: np.maximum(x, x[:, ::-1]).sum(1)),
    ("place by a remainder of a negative number", lambda x: te.compute((6,), lambda i: x[tir.truncmod(i - 3, 3) + 2]), [a([10, 11, 12, 13, 14], I8)],
     lambda x: x[[2, 0, 1, 2, 3, 4]]),
    ("reversed by a negative factor", lambda x: te.compute((5,), lambda i: x[i * -1 + 4]), [a([1, 2, 3, 4, 5], U8)], lambda x: x[::-1]),
    ("minimum of nothing", lambda x: topi.min(x, axis=0), [np.zeros((0, 2), F64)], lambda x: np.full(2, INF, F64)),
]


def script(params, body):
    symbols = [s for s in "nm" if f'"{s}"' in params]
    lines = [f"{s} = T.int64()" for s in symbols] + [f"z = {body}", "return z"]
    return ("# from tvm.script import ir as I\n# from tvm.script import tir as T\n# from tvm.script import relax as R\n@I.ir_module\nclass Module:\n    @R.function\n"
            f"    def main({params}):\n" + "".join(f"        {line}\n" for line in lines))


class Known(unittest.TestCase):
    def same(self, got, want):
        want = np.asarray(want)
        self.assertEqual((got.dtype, got.shape), (want.dtype, want.shape))
        np.testing.assert_array_equal(got, want)

    def test_operators(self):
        for name, params, body, inputs, want in ROWS:
            mod = tvm.script.from_source(script(params, body))
            with np.errstate(all="ignore"):
                wanted = want(*inputs)
            for level in (0, 3):
                for fused in (False, True):
                    with self.subTest(name, level=level, fused=fused):
                        made = relax.get_pipeline("zero")(mod) if fused else mod
                        machine = relax.VirtualMachine(relax.build(made, f"llvm -opt-level={level}"), tvm.cpu())
                        self.same(machine["main"](*map(tvm.nd.array, inputs)).numpy(), wanted)

    def test_stages(self):
        for name, stages, inputs, want in STAGES:
            params = [te.placeholder(v.shape, str(v.dtype), name=f"p{i}") for i, v in enumerate(inputs)]
            func = te.create_prim_func(params + [stages(*params)])
            with np.errstate(all="ignore"):
                wanted = np.asarray(want(*inputs))
            for level in (0, 3):
                with self.subTest(name, level=level):
                    out = tvm.nd.array(np.full(wanted.shape, 77).astype(wanted.dtype))
                    tvm.build(tvm.IRModule({"main": func}), target=f"llvm -opt-level={level}")["main"](*map(tvm.nd.array, inputs), out)
                    self.same(out.numpy(), wanted)


if __name__ == "__main__":
    tap.main()
