"""Operators on numbers of a few bits: packed into words, multiplied by counting bits."""
from ... import te, tir
from ..transform import concatenate
from ..utils import get_const_int
from .paddings import get_pad_tuple

__all__ = ["binarize_pack", "binary_dense", "bitpack", "bitserial_conv2d_nchw", "bitserial_conv2d_nhwc", "bitserial_dense"]


def bitpack(data, bits, pack_axis, bit_axis, pack_type, name="QuantizeInput"):
    """The lowest bits of numbers in words: those of neighbours along one axis stand in a word, the first one's highest; the planes of the bits
    become an axis of their own."""
    width = tir.const(0, pack_type).dtype
    lanes = int(width.lstrip("uint"))
    extents = list(data.shape)
    if get_const_int(extents[pack_axis]) % lanes != 0:
        raise ValueError(f"an axis of {extents[pack_axis]} numbers cannot be packed into {pack_type}")
    extents[pack_axis] = get_const_int(extents[pack_axis]) // lanes
    extents.insert(bit_axis, 1)

    def planes(*places):
        own = [place for i, place in enumerate(places) if i != bit_axis]
        words = [tir.const(0, pack_type)] * bits
        for lane in range(lanes):
            value = data(*[place * lanes + lane if i == pack_axis else place for i, place in enumerate(own)])
            for bit in range(bits):
                one = ((value & tir.const(1 << bit, data.dtype)) >> tir.const(bit, data.dtype)).astype(pack_type)
                words[bit] = words[bit] | one
                if lane < lanes - 1:
                    words[bit] = words[bit] << tir.const(1, pack_type)
        return tuple(words)

    packed = te.compute(tuple(extents), planes, name=name, tag="bitpack")
    return concatenate(packed, axis=bit_axis) if bits > 1 else packed


def _product(a, w, out_dtype, unipolar):
    """What two words of bits are worth together: a set bit of w counts 1, one that is not -1 or 0."""
    both = tir.popcount(a & w).astype(out_dtype)
    return both - tir.popcount(a & ~w).astype(out_dtype) if unipolar else both


def _weighted(value, bit_a, bit_w, out_dtype):
    return value << (bit_a + bit_w).astype(out_dtype)


def bitserial_dense(data, weight, data_bits, weight_bits, pack_dtype="uint32", out_dtype="int16", unipolar=True):
    """A dense layer over numbers of a few bits."""
    packed = bitpack(data, data_bits, pack_axis=1, bit_axis=1, pack_type=pack_dtype)
    kernel = bitpack(weight, weight_bits, pack_axis=1, bit_axis=1, pack_type=pack_dtype) if len(weight.shape) == 2 else weight
    rows, _, words = packed.shape
    db, wb = te.reduce_axis((0, data_bits), name="db"), te.reduce_axis((0, weight_bits), name="wb")
    k = te.reduce_axis((0, words), name="k")
    return te.compute((rows, kernel.shape[0]),
                      lambda i, j: te.sum(_weighted(_product(packed[i, db, k], kernel[j, wb, k], out_dtype, unipolar), db, wb, out_dtype), axis=[wb, db, k]),
                      name="bitserial_dense", tag="bitserial_dense")


def _two(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def bitserial_conv2d_nchw(data, kernel, stride, padding, activation_bits, weight_bits, pack_dtype="uint32", out_dtype="int16", unipolar=True):
    """A convolution over numbers of a few bits."""
    from . import pad

    packed = bitpack(data, activation_bits, pack_axis=1, bit_axis=2, pack_type=pack_dtype)
    weight = bitpack(kernel, weight_bits, pack_axis=1, bit_axis=4, pack_type=pack_dtype) if len(kernel.shape) == 4 else kernel
    batch, words, _, height, width = packed.shape
    filters, _, rows, columns, _ = weight.shape
    top, left, down, right = get_pad_tuple(padding, (rows, columns))
    padded = pad(packed, [0, 0, 0, top, left], [0, 0, 0, down, right], name="PaddedInput")
    step = _two(stride)
    out = [(height + top + down - rows) // step[0] + 1, (width + left + right - columns) // step[1] + 1]
    rc, ry, rx = te.reduce_axis((0, words), name="rc"), te.reduce_axis((0, rows), name="ry"), te.reduce_axis((0, columns), name="rx")
    b1, b2 = te.reduce_axis((0, activation_bits), name="b1"), te.reduce_axis((0, weight_bits), name="b2")

    def value(n, f, y, x):
        a, w = padded[n, rc, b1, y * step[0] + ry, x * step[1] + rx], weight[f, rc, ry, rx, b2]
        return te.sum(_weighted(_product(a, w, out_dtype, unipolar), b1, b2, out_dtype), axis=[rc, ry, rx, b2, b1])

    return te.compute((batch, filters, *out), value, name="Conv2dOutput", tag="bitserial_conv2d_nchw")


def bitserial_conv2d_nhwc(data, kernel, stride, padding, activation_bits, weight_bits, pack_dtype="uint32", out_dtype="int16", unipolar=True):
    """The same with the channels last, and the kernel as HWIO."""
    from . import pad

    packed = bitpack(data, activation_bits, pack_axis=3, bit_axis=4, pack_type=pack_dtype)
    weight = bitpack(kernel, weight_bits, pack_axis=2, bit_axis=4, pack_type=pack_dtype) if len(kernel.shape) == 4 else kernel
    batch, height, width, words, _ = packed.shape
    rows, columns, _, filters, _ = weight.shape
    top, left, down, right = get_pad_tuple(padding, (rows, columns))
    padded = pad(packed, [0, top, left, 0, 0], [0, down, right, 0, 0], name="PaddedInput")
    step = _two(stride)
    out = [(height + top + down - rows) // step[0] + 1, (width + left + right - columns) // step[1] + 1]
    rc, ry, rx = te.reduce_axis((0, words), name="rc"), te.reduce_axis((0, rows), name="ry"), te.reduce_axis((0, columns), name="rx")
    b1, b2 = te.reduce_axis((0, activation_bits), name="b1"), te.reduce_axis((0, weight_bits), name="b2")

    def value(n, y, x, f):
        a, w = padded[n, y * step[0] + ry, x * step[1] + rx, rc, b1], weight[ry, rx, rc, f, b2]
        return te.sum(_weighted(_product(a, w, out_dtype, unipolar), b1, b2, out_dtype), axis=[rc, ry, rx, b2, b1])

    return te.compute((batch, *out, filters), value, name="Conv2dOutput", tag="bitserial_conv2d_nhwc")


def binarize_pack(data, axis=None, name="PackedInput"):
    """Whether numbers are negative, 32 of them in a word along an axis (the last one)."""
    axis = len(data.shape) - 1 if axis is None else axis
    extents = list(data.shape)
    if get_const_int(extents[axis]) % 32 != 0:
        raise ValueError("binarize_pack takes a multiple of 32 numbers along the axis")
    extents[axis] = get_const_int(extents[axis]) // 32

    def word(*places):
        packed = tir.const(0, "uint32")
        for lane in range(32):
            value = data(*[place * 32 + lane if i == axis else place for i, place in enumerate(places)])
            packed = packed | (value >= tir.const(0, data.dtype)).astype("uint32")
            if lane < 31:
                packed = packed << tir.const(1, "uint32")
        return packed

    return te.compute(tuple(extents), word, name=name, tag="binarize_pack")


def binary_dense(data, weight):
    """A dense layer over numbers that are 1 or -1, packed by binarize_pack."""
    if data.dtype != "uint32" or weight.dtype != "uint32" or len(data.shape) != 2 or len(weight.shape) != 2:
        raise ValueError("binary_dense takes two matrices of uint32")
    words = data.shape[1]
    k = te.reduce_axis((0, words), name="k")
    other = te.compute((data.shape[0], weight.shape[0]), lambda i, j: te.sum(tir.popcount(data[i, k] ^ weight[j, k]), axis=k), tag="binary_dense")
    return te.compute(other.shape, lambda i, j: 32 * words - 2 * other(i, j), tag="elemwise")
