"""Packed functions that extern stages call by name: random numbers, sorting of the valid part of each row, products of matrices.

They stand in the registry from the beginning (runtime/_registry.py); this module is loaded when the first one is called.
"""
import numpy as np

_GENERATOR = np.random.default_rng()


def seed(number):
    """Numbers drawn from here on are the same ones for the same number."""
    global _GENERATOR  # noqa: PLW0603
    _GENERATOR = np.random.default_rng(number)


def _put(values, out):
    out.copyfrom(np.asarray(values).astype("uint16" if out.dtype == "bfloat16" else out.dtype))


def randint(low, high, out):
    """Whole numbers of [low, high)."""
    _put(_GENERATOR.integers(low, high, out.shape), out)


def uniform(low, high, out):
    """Numbers of [low, high)."""
    _put(_GENERATOR.uniform(low, high, out.shape), out)


def normal(loc, scale, out):
    """Numbers of a normal distribution."""
    _put(_GENERATOR.normal(loc, scale, out.shape), out)


def random_fill(out):
    """Numbers of any type: 1 to 10, or True and False; those of small types are small."""
    if out.dtype == "bool":
        _put(_GENERATOR.integers(0, 2, out.shape), out)
    elif out.dtype.startswith(("int", "uint")):
        _put(_GENERATOR.integers(0, 10, out.shape), out)
    elif out.dtype == "bfloat16":
        _put(_GENERATOR.uniform(1, 10, out.shape).astype("float32").view("uint32") >> 16, out)
    else:
        _put(_GENERATOR.uniform(1, 10, out.shape), out)


def argsort_nms(values, valid, out, axis, is_ascend):
    """The order of the first `valid` elements along an axis; behind them each element keeps its place."""
    data, counts = values.numpy(), valid.numpy().reshape(-1)
    axis %= data.ndim
    rows = np.moveaxis(data, axis, -1)
    order = np.broadcast_to(np.arange(rows.shape[-1]), rows.shape).copy()
    for row, found, count in zip(rows.reshape(-1, rows.shape[-1]), order.reshape(-1, rows.shape[-1]), counts):
        found[:count] = np.argsort(row[:count] if is_ascend else -row[:count], kind="stable")
    _put(np.moveaxis(order, -1, axis), out)


def matmul(a, b, out, transa=False, transb=False, *unused):
    """The product of two matrices, or of each pair of them; each may be transposed."""
    def side(array, turned):
        return np.swapaxes(array.numpy(), -1, -2) if turned else array.numpy()

    _put(np.matmul(side(a, transa), side(b, transb)), out)


FUNCTIONS = {"tvm.contrib.cblas.matmul": matmul, "tvm.contrib.cblas.batch_matmul": matmul,
             "tvm.contrib.random.seed": seed, "tvm.contrib.random.randint": randint, "tvm.contrib.random.uniform": uniform,
             "tvm.contrib.random.normal": normal, "tvm.contrib.random.random_fill": random_fill, "tvm.contrib.random.random_fill_for_measure": random_fill,
             "tvm.contrib.sort.argsort_nms": argsort_nms}
