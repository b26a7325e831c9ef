"""Winograd's convolution: tiles of an image and kernels are transformed so that few products are left."""
from fractions import Fraction

import numpy as np

from ... import te, tir
from ..utils import get_const_int
from .paddings import get_pad_tuple

__all__ = ["conv2d_winograd_nchw", "conv2d_winograd_nhwc", "conv2d_winograd_weight_transform", "winograd_transform_matrices"]


def _points(count):
    """0, 1, -1, 2, -2, 1/2, -1/2, ...: where polynomials are multiplied."""
    found, level = [Fraction(0)], 1
    while len(found) < count:
        new = [Fraction(level), Fraction(-level)] + ([] if level == 1 else [Fraction(1, level), Fraction(-1, level)])
        found += [point for point in new if point not in found]
        level += 1
    return found[:count]


def _times(one, other):
    """The product of two polynomials."""
    product = [Fraction(0)] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            product[i + j] += a * b
    return product


def _matrices(outputs, taps):
    """A, B and G with: outputs of a correlation = A^T ((G g) * (B^T d)), by Toom and Cook over points and infinity."""
    size = outputs + taps - 1
    points = _points(size - 1)
    a = [[point ** j for j in range(outputs)] for point in points] + [[Fraction(int(j == outputs - 1)) for j in range(outputs)]]
    g, b = [], []
    for i, point in enumerate(points):
        others = [other for j, other in enumerate(points) if j != i]
        scale = Fraction(1)
        row = [Fraction(1)]
        for other in others:
            scale *= point - other
            row = _times(row, [-other, Fraction(1)])
        g.append([point ** j / scale for j in range(taps)])
        b.append(row + [Fraction(0)] * (size - len(row)))
    g.append([Fraction(int(j == taps - 1)) for j in range(taps)])
    last = [Fraction(1)]
    for point in points:
        last = _times(last, [-point, Fraction(1)])
    b.append(last)
    return [np.array([[float(x) for x in row] for row in matrix]) for matrix in (a, [list(column) for column in zip(*b)], g)]


def _constant(matrix, name, dtype):
    """A matrix as a stage of constants."""
    def value(i, j):
        chosen = tir.const(0, dtype)
        for row, numbers in enumerate(matrix):
            for column, number in enumerate(numbers):
                if number != 0:
                    chosen = tir.Select(tir.all(i % len(matrix) == row, j % len(numbers) == column), tir.const(float(number), dtype), chosen)
        return chosen

    return te.compute(matrix.shape, value, name=name, attrs={"schedule_rule": "None"})


def winograd_transform_matrices(tile_size, kernel_size, out_dtype):
    """The matrices A, B and G for tiles of results and a kernel of these sizes, as stages of constants."""
    if not 1 < tile_size < 9 or not 1 < kernel_size < 8:
        raise ValueError("winograd_transform_matrices takes tiles of 2 to 8 results and kernels of 2 to 7 weights")
    a, b, g = _matrices(tile_size, kernel_size)
    return _constant(a, "A", out_dtype), _constant(b, "B", out_dtype), _constant(g, "G", out_dtype)


def conv2d_winograd_weight_transform(kernel, tile_size):
    """G g G^T of each kernel in OIHW, as (row, column, output, input)."""
    outputs, inputs, size, _ = kernel.shape
    size = get_const_int(size)
    alpha = tile_size + size - 1
    _, _, g = winograd_transform_matrices(tile_size, size, kernel.dtype)
    rows, columns = te.reduce_axis((0, size), name="r_kh"), te.reduce_axis((0, size), name="r_kw")
    return te.compute((alpha, alpha, outputs, inputs),
                      lambda eps, nu, co, ci: te.sum(kernel[co, ci, rows, columns] * g[eps, rows] * g[nu, columns], axis=[rows, columns]),
                      name="transform_weight")


def _winograd(data, weight, strides, padding, dilation, out_dtype, pre_computed, last):
    from . import pad

    tile = 4
    two = lambda value: (value, value) if isinstance(value, int) else tuple(value)  # noqa: E731
    if two(strides) != (1, 1) or two(dilation) != (1, 1):
        raise ValueError("Winograd's convolution has strides and dilations of 1")
    batch, height, width, channels = data.shape if last else (data.shape[0], data.shape[2], data.shape[3], data.shape[1])
    if pre_computed:
        alpha, filters = get_const_int(weight.shape[0]), weight.shape[3] if last else weight.shape[2]
        size = alpha + 1 - tile
    else:
        size = get_const_int(weight.shape[0] if last else weight.shape[2])
        if size != get_const_int(weight.shape[1] if last else weight.shape[3]):
            raise ValueError("Winograd's convolution has square kernels")
        alpha, filters = tile + size - 1, weight.shape[3] if last else weight.shape[0]
    top, left, down, right = get_pad_tuple(padding, (size, size))
    out_h, out_w = height + top + down - size + 1, width + left + right - size + 1
    tiles_h, tiles_w = te.indexdiv(out_h + tile - 1, tile), te.indexdiv(out_w + tile - 1, tile)
    more_h, more_w = tiles_h * tile - out_h, tiles_w * tile - out_w
    before, after = ([0, top, left, 0], [0, down + more_h, right + more_w, 0]) if last else ([0, 0, top, left], [0, 0, down + more_h, right + more_w])
    padded = pad(data, before, after, name="data_pad")
    a, b, g = winograd_transform_matrices(tile, size, out_dtype)
    if pre_computed:
        kernel = (lambda eps, nu, co, ci: weight[eps, nu, ci, co]) if last else (lambda eps, nu, co, ci: weight[eps, nu, co, ci])
    else:
        rows, columns = te.reduce_axis((0, size), name="r_kh"), te.reduce_axis((0, size), name="r_kw")
        own = (lambda co, ci: weight[rows, columns, ci, co]) if last else (lambda co, ci: weight[co, ci, rows, columns])
        stage = te.compute((alpha, alpha, filters, channels),
                           lambda eps, nu, co, ci: te.sum(own(co, ci).astype(out_dtype) * g[eps, rows] * g[nu, columns], axis=[rows, columns]),
                           name="transform_weight")
        kernel = lambda eps, nu, co, ci: stage[eps, nu, co, ci]  # noqa: E731
    count = batch * tiles_h * tiles_w

    def pixel(ci, p, eps, nu):
        n, y, x = te.indexdiv(p, tiles_h * tiles_w), te.indexmod(te.indexdiv(p, tiles_w), tiles_h) * tile + eps, te.indexmod(p, tiles_w) * tile + nu
        return padded[n, y, x, ci] if last else padded[n, ci, y, x]

    seen = te.compute((channels, count, alpha, alpha), lambda ci, p, eps, nu: pixel(ci, p, eps, nu).astype(out_dtype), name="input_tile")
    ra, rb = te.reduce_axis((0, alpha), name="r_a"), te.reduce_axis((0, alpha), name="r_b")
    turned = te.compute((alpha, alpha, channels, count), lambda eps, nu, ci, p: te.sum(seen[ci, p, ra, rb] * b[ra, eps] * b[rb, nu], axis=[ra, rb]), name="data_pack")
    ci = te.reduce_axis((0, channels), name="ci")
    product = te.compute((alpha, alpha, filters, count), lambda eps, nu, co, p: te.sum(turned[eps, nu, ci, p] * kernel(eps, nu, co, ci), axis=[ci]), name="bgemm")
    rc, rd = te.reduce_axis((0, alpha), name="r_a"), te.reduce_axis((0, alpha), name="r_b")
    back = te.compute((filters, count, tile, tile), lambda co, p, vh, vw: te.sum(product[rc, rd, co, p] * a[rc, vh] * a[rd, vw], axis=[rc, rd]), name="inverse")

    def value(n, co, y, x):
        return back[co, n * tiles_h * tiles_w + te.indexdiv(y, tile) * tiles_w + te.indexdiv(x, tile), te.indexmod(y, tile), te.indexmod(x, tile)]

    if last:
        return te.compute((batch, out_h, out_w, filters), lambda n, y, x, co: value(n, co, y, x), name="conv2d_winograd", tag="conv2d_winograd_nhwc")
    return te.compute((batch, filters, out_h, out_w), value, name="conv2d_winograd", tag="conv2d_winograd_nchw")


def conv2d_winograd_nchw(data, weight, strides, padding, dilation, out_dtype, pre_computed=False, auto_scheduler_rewritten_layout="",
                         meta_schedule_original_shape=None):
    """A convolution by Winograd's transformations; `pre_computed`: the weight comes from conv2d_winograd_weight_transform."""
    return _winograd(data, weight, strides, padding, dilation, out_dtype, pre_computed, False)


def conv2d_winograd_nhwc(data, weight, strides, padding, dilation, out_dtype, pre_computed=False, auto_scheduler_rewritten_layout="",
                         meta_schedule_original_shape=None):
    """The same with the channels last, the kernel as HWIO, and transformed kernels as (row, column, input, output)."""
    return _winograd(data, weight, strides, padding, dilation, out_dtype, pre_computed, True)
