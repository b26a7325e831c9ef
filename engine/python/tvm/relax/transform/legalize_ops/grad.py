"""Operators that Gradient brings in, as tensor expressions: the backward steps of nll_loss, pooling and take.

Names of the stages are those that TVM's rules give them.  An input of a pooling is told from its windows: the windows that an
element lies in are those from `first` on, at most ceil (kernel / stride) of them.
"""
from .common import register_legalize

def _sum(x):
    from .... import topi

    return x if len(x.shape) == 0 else topi.sum(x)


def _te_nll_loss_backward(output_grad, predictions, targets, weights, reduction, ignore_index):
    from .... import te, tir, topi

    zero = tir.const(0, predictions.dtype)
    if ignore_index >= 0:
        given = weights
        weights = te.compute(given.shape, lambda i: tir.Select(i == ignore_index, tir.const(0, given.dtype), given(i)), "weights_new")
    own = te.compute(targets.shape, lambda *i: weights(targets(*i)), "all_weights")
    if reduction != "none":
        output_grad = topi.broadcast_to(output_grad, targets.shape)
    if reduction == "mean":
        output_grad = topi.divide(output_grad, _sum(own))

    def part(*i):
        sample = i[:1] + i[2:] if len(i) > 1 else ()
        return tir.Select(i[len(i) > 1] == targets(*sample), -own(*sample) * output_grad(*sample), zero)

    return te.compute(predictions.shape, part, "pred_grad")


@register_legalize("relax.grad.nll_loss_backward")
def _nll_loss_backward(bb, call):
    def te_nll_loss_backward_no_weight(output_grad, predictions, targets, **options):
        from .... import topi

        classes = predictions.shape[1 if len(predictions.shape) > 1 else 0]
        return _te_nll_loss_backward(output_grad, predictions, targets, topi.full((classes,), predictions.dtype, 1.0), **options)

    made, name = (_te_nll_loss_backward, "nll_loss_backward") if len(call.args) == 4 else (te_nll_loss_backward_no_weight, None)
    return bb.call_te(made, *call.args, reduction=str(call.attrs["reduction"]), ignore_index=int(call.attrs["ignore_index"]), primfunc_name_hint=name)


class _Windows:
    """Where the windows of a pooling lie."""

    def __init__(self, attrs, x, out):
        layout = str(attrs["layout"])
        self.axes = [layout.index("H"), layout.index("W")]
        self.kernel, self.strides, pads = ([int(n) for n in attrs[name]] for name in ("pool_size", "strides", "padding"))
        self.before = pads[:2]
        self.after = pads[2:] if len(pads) == 4 else pads[:2]
        self.include = bool(attrs["count_include_pad"])
        self.x, self.out = x, out

    def reach(self):
        """Axes over the windows that an element may lie in."""
        from .... import te, tir

        return [te.reduce_axis((0, tir.const((k + s - 1) // s, "int64")), name) for k, s, name in zip(self.kernel, self.strides, ("wh", "ww"))]

    def around(self, indices, windows):
        """The place of a window, and whether it is one that has the element."""
        from ....tir import Select, all as every, const, truncdiv

        place, inside = list(indices), []
        for axis, kernel, stride, before, window in zip(self.axes, self.kernel, self.strides, self.before, windows):
            at = indices[axis] + before
            first = Select(at < kernel, const(0, at.dtype), truncdiv(at - kernel, stride) + 1)
            place[axis] = truncdiv(at, stride) - window
            inside += [place[axis] >= first, place[axis] < self.out.shape[axis]]
        return place, every(*inside)

    def size(self, place):
        """How many elements a mean counts."""
        from ....tir import max as larger, min as smaller

        if self.include:
            return self.kernel[0] * self.kernel[1]
        sides = []
        for axis, kernel, stride, before in zip(self.axes, self.kernel, self.strides, self.before):
            start = place[axis] * stride - before
            sides.append(smaller(start + kernel, self.x.shape[axis]) - larger(start, 0))
        return larger(sides[0] * sides[1], 1)


def _te_avg_pool2d_backward(grad, x, windows):
    from .... import te, tir

    where = windows(x, grad)
    axes = where.reach()

    def part(*i):
        place, inside = where.around(i, axes)
        return te.sum(tir.if_then_else(inside, grad(*place) / tir.Cast(x.dtype, tir.convert(where.size(place))), tir.const(0, x.dtype)), axis=axes)

    return te.compute(x.shape, part, "T_pool_grad", "pool_grad_avg")


def _te_max_pool2d_backward(grad, x, windows):
    from .... import te, tir, topi

    where = windows(x, grad)
    pads = [[0] * len(x.shape), [0] * len(x.shape)]
    for axis, before, after, stride in zip(where.axes, where.before, where.after, where.strides):
        pads[0][axis], pads[1][axis] = before, after + stride - 1
    padded = topi.nn.pad(x, *pads, pad_value=tir.min_value(x.dtype), name="pad_temp") if any(pads[0] + pads[1]) else x
    inner = [te.reduce_axis((0, k), name) for k, name in zip(where.kernel, ("dh", "dw"))]

    def number(place):
        flat = tir.const(0, "int64")
        for extent, index in zip(padded.shape, place):
            flat = flat * extent + index
        return flat

    def better(a, b):
        larger = a[1] > b[1]
        first = tir.any(larger, tir.all(a[1] == b[1], a[0] < b[0]))
        return tir.Select(first, a[0], b[0]), tir.Select(larger, a[1], b[1])

    argmax = te.comm_reducer(better, lambda t0, t1: (tir.const(-1, t0), tir.min_value(t1)), name="argmax")

    def winner(*i):
        place = list(i)
        for axis, stride, offset in zip(where.axes, where.strides, inner):
            place[axis] = i[axis] * stride + offset
        return argmax((number(place), padded(*place)), axis=inner)

    places = te.compute(grad.shape, winner, "maxpool_grad_argmax")[0]
    axes = where.reach()

    def part(*i):
        mine = list(i)
        for axis, before in zip(where.axes, where.before):
            mine[axis] = i[axis] + before
        place, inside = where.around(i, axes)
        return te.sum(tir.if_then_else(tir.all(inside, places(*place) == number(mine)), grad(*place), tir.const(0, x.dtype)), axis=axes)

    return te.compute(x.shape, part, "T_pool_grad", "pool_grad_max")


def _pool(kind, made):
    @register_legalize(f"relax.grad.{kind}_pool2d_backward")
    def rule(bb, call):
        if [int(n) for n in call.attrs["dilation"]] != [1, 1] or len(str(call.attrs["layout"])) != 4:
            return call
        return bb.call_te(lambda grad, x: made(grad, x, lambda *of: _Windows(call.attrs, *of)), *call.args, primfunc_name_hint=f"{kind}_pool2d_backward")

    return rule


_pool("avg", _te_avg_pool2d_backward)
_pool("max", _te_max_pool2d_backward)


@register_legalize("relax.grad.take_backward")
def _take_backward(bb, call):
    from .... import te, tir

    axis = call.attrs["axis"]

    def body(ins, outs, at, shape, index_shape):
        ib = tir.ir_builder.create()
        grad, _, indices = (ib.buffer_ptr(buffer) for buffer in ins)
        out = ib.buffer_ptr(outs[0])
        before, own, behind, many = 1, shape[at], 1, 1
        for extent in shape[:at]:
            before = before * extent
        for extent in shape[at + 1:]:
            behind = behind * extent
        for extent in index_shape:
            many = many * extent
        with ib.for_range(0, before * own * behind) as i:
            out[i] = tir.const(0, ins[1].dtype)
        with ib.for_range(0, before * behind, "parallel") as fused:
            i, j = fused // behind, fused % behind
            with ib.for_range(0, many, "serial") as k:
                to = i * behind * own + indices[k] * behind + j
                out[to] = out[to] + grad[i * behind * many + k * behind + j]
        return ib.get()

    def take_backward(output_grad, x, indices):
        at = 0 if axis is None else int(axis) % len(x.shape)
        shape = [int(n) if isinstance(n, tir.IntImm) else n for n in x.shape]
        return te.extern([x.shape], [output_grad, x, indices], lambda ins, outs: body(ins, outs, at, shape, list(indices.shape)), dtype=x.dtype,
                         out_buffers=[tir.decl_buffer(x.shape, x.dtype, "out_buf")], name="take_backward", tag="take_backward")

    return bb.call_te(take_backward, *call.args, primfunc_name_hint="take_backward")
