"""The gradient of pooling: what reached a window goes to its largest element, or to all in equal parts."""
from ... import te, tir

__all__ = ["pool_grad"]


def _numbers(value, count):
    """As many whole numbers as there are axes or ends of axes."""
    numbers = [int(n) for n in value] if hasattr(value, "__len__") else [int(value)]
    return numbers * count if len(numbers) == 1 else numbers


class _Windows:
    """Where the windows of a pooling lie."""

    def __init__(self, x, out, kernel, stride, padding, ceil_mode, include, layout):
        self.axes = [layout.index("H"), layout.index("W")]
        self.kernel, self.strides, pads = _numbers(kernel, 2), _numbers(stride, 2), _numbers(padding, 4)
        self.before = pads[:2]
        after = pads[2:] if len(pads) == 4 else pads[:2]
        self.after = [end + stride - 1 if ceil_mode else end for end, stride in zip(after, self.strides)]
        self.include = include
        self.x, self.out = x, out

    def reach(self):
        """Axes over the windows that an element may lie in."""
        dtype = self.x.shape[self.axes[0]].dtype
        return [te.reduce_axis((0, tir.const((k + s - 1) // s, dtype)), name) for k, s, name in zip(self.kernel, self.strides, ("wh", "ww"))]

    def around(self, indices, windows):
        """The place of a window, and whether it is one that has the element."""
        place, inside = list(indices), []
        for axis, kernel, stride, before, window in zip(self.axes, self.kernel, self.strides, self.before, windows):
            at = indices[axis] + before
            first = tir.Select(at < kernel, tir.const(0, at.dtype), tir.truncdiv(at - kernel, stride) + 1)
            place[axis] = tir.truncdiv(at, stride) - window
            inside += [place[axis] >= first, place[axis] < self.out.shape[axis]]
        return place, tir.all(*inside)

    def size(self, place):
        """How many elements a mean counts."""
        if self.include:
            return self.kernel[0] * self.kernel[1]
        sides = []
        for axis, kernel, stride, before in zip(self.axes, self.kernel, self.strides, self.before):
            start = place[axis] * stride - before
            sides.append(te.min(start + kernel, self.x.shape[axis]) - te.max(start, 0))
        return te.max(sides[0] * sides[1], 1)


def _over(shape, value, name, tag=""):
    """A tensor whose axes are ax0, ax1, ..."""
    return te.compute(shape, value, name, tag, varargs_names=[f"ax{i}" for i in range(len(shape))])


def _padded(x, where):
    """The data and, around it, the lowest number; the data alone where nothing is around."""
    if not any(where.before + where.after):
        return x
    shape = list(x.shape)
    for axis, before, after in zip(where.axes, where.before, where.after):
        shape[axis] = shape[axis] + before + after

    def element(*i):
        place, inside = list(i), []
        for axis, before, after in zip(where.axes, where.before, where.after):
            inside += [i[axis] >= before] if before else []
            inside += [i[axis] < x.shape[axis] + before] if after else []
            place[axis] = i[axis] - before
        return tir.if_then_else(tir.all(*inside), x(*place), tir.min_value(x.dtype))

    return _over(shape, element, "pad_temp", "elemwise")


def _of_means(grad, x, where):
    axes = where.reach()

    def part(*i):
        place, inside = where.around(i, axes)
        return te.sum(tir.if_then_else(inside, grad(*place) / tir.Cast(x.dtype, tir.convert(where.size(place))), tir.const(0, x.dtype)), axis=axes)

    return _over(x.shape, part, "T_pool_grad", "pool_grad_avg")


def _better(a, b):
    """The larger of two (place, value); of equal ones the earlier."""
    larger = a[1] > b[1]
    first = tir.any(larger, tir.all(a[1] == b[1], a[0] < b[0]))
    return tir.Select(first, a[0], b[0]), tir.Select(larger, a[1], b[1])


def _of_maxima(grad, x, where):
    padded = _padded(x, where)
    inner = [te.reduce_axis((0, k), name) for k, name in zip(where.kernel, ("dh", "dw"))]
    argmax = te.comm_reducer(_better, lambda t0, t1: (tir.const(-1, t0), tir.min_value(t1)), name="argmax")

    def number(place):
        flat = tir.const(0, x.shape[0].dtype)
        for extent, index in zip(padded.shape, place):
            flat = flat * extent + index
        return flat

    def winner(*i):
        place = list(i)
        for axis, stride, offset in zip(where.axes, where.strides, inner):
            place[axis] = i[axis] * stride + offset
        return argmax((number(place), padded(*place)), axis=inner)

    places = _over(grad.shape, winner, "maxpool_grad_argmax", "comm_reduce_idx")[0]
    axes = where.reach()

    def part(*i):
        mine = list(i)
        for axis, before in zip(where.axes, where.before):
            mine[axis] = i[axis] + before
        place, inside = where.around(i, axes)
        return te.sum(tir.if_then_else(tir.all(inside, places(*place) == number(mine)), grad(*place), tir.const(0, x.dtype)), axis=axes)

    return _over(x.shape, part, "T_pool_grad", "pool_grad_max")


def pool_grad(grads, data, kernel, stride, padding, pool_type, ceil_mode=False, count_include_pad=True, layout="NCHW"):
    """What reaches each element of data; pool_type "max" or "avg".  A window that lies partly outside counts with count_include_pad the padding too."""
    made = {"avg": _of_means, "max": _of_maxima}.get(pool_type)
    if made is None:
        raise ValueError(f'a pooling is of the type "avg" or "max", not {pool_type!r}')
    return made(grads, data, _Windows(data, grads, kernel, stride, padding, bool(ceil_mode), bool(count_include_pad), str(layout)))
