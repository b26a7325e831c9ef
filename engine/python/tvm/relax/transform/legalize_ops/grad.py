"""Operators that Gradient reads or brings in: marks are their arguments, the backward steps of nll_loss, pooling and take tensor expressions.

Names of the stages are those that TVM's rules give them.  An input of a pooling is told from its windows: the windows that an
element lies in are those from `first` on, at most ceil (kernel / stride) of them.
"""
from .common import register_legalize


for _mark in ("no_grad", "start_checkpoint", "end_checkpoint"):
    register_legalize(f"relax.grad.{_mark}", lambda bb, call: call.args[0])


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


def _pool(kind):
    @register_legalize(f"relax.grad.{kind}_pool2d_backward")
    def rule(bb, call):
        if [int(n) for n in call.attrs["dilation"]] != [1, 1] or len(str(call.attrs["layout"])) != 4:
            return call
        from .... import topi

        options = [call.attrs[name] for name in ("pool_size", "strides", "padding")]
        return bb.call_te(lambda grad, x: topi.nn.pool_grad(grad, x, *options, kind, call.attrs["ceil_mode"], call.attrs["count_include_pad"], call.attrs["layout"]), *call.args,
                          primfunc_name_hint=f"{kind}_pool2d_backward")

    return rule


_pool("avg")
_pool("max")


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
