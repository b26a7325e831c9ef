"""AppendLoss: a backbone and a loss as one function; derivatives that are written as tensor expressions."""
import _loopscope as _core

from ...error import TVMError
from ...ir.transform import ModulePass, PassInfo
from ...tir import FloatImm, IntImm
from .. import expr as _e
from ..analysis import struct_info_is_base_of
from ..block_builder import BlockBuilder
from ..expr_functor import PyExprMutator
from ..struct_info import TensorStructInfo
from ..utils import copy_with_new_vars


def _require(holds, what):
    if not holds:
        raise TVMError(f"AppendLoss: {what}")


def _only_block(func, what):
    blocks = func.body.blocks
    _require(len(blocks) == 1 and isinstance(blocks[0], _e.DataflowBlock), f"the {what} function should contain exactly one DataflowBlock")
    return blocks[0]


def _outputs(func):
    """What the backbone gives: a variable, or a tuple of variables."""
    body = func.body.body
    values = list(body.fields) if isinstance(body, _e.Tuple) else [body]
    _require(all(isinstance(x, _e.Var) for x in values), "the backbone function should return a Var or a tuple of Vars")
    return values


class _Appender(PyExprMutator):
    """Rewrites the bindings of both functions into one block; only `kept` variables stay outputs of it."""

    def __init__(self, mod, kept):
        super().__init__(mod)
        self._kept = kept

    def _fresh(self, var, info):
        stays = any(var.same_as(x) for x in self._kept)
        made = (_e.Var if stays else _e.DataflowVar)(var.name_hint, info)
        self.set_var_remap(var, made)
        return made

    def _define(self, var, value):
        return self._fresh(var, self.builder_._impl.struct_info(value))

    def visit_var_binding_(self, binding):
        """var = value"""
        value = self.builder_.normalize(self.visit_expr(binding.value))
        self.builder_.emit_normalized(_e.VarBinding(self._define(binding.var, value), value))

    def visit_match_cast_(self, binding):
        """var = match_cast (value)"""
        value = self.builder_.normalize(self.visit_expr(binding.value))
        self.builder_.emit_normalized(_e.MatchCast(self._fresh(binding.var, binding.var.struct_info), value, binding.struct_info))

    def block(self, *blocks):
        """One dataflow block of several."""
        self.builder_._begin_dataflow_block()
        for block in blocks:
            for binding in block.bindings:
                self.visit_binding(binding)
        return self.builder_._end_block()


def _append(mod, backbone, loss, count):
    backbone, loss = copy_with_new_vars(backbone), copy_with_new_vars(loss)
    blocks = _only_block(backbone, "backbone"), _only_block(loss, "loss")
    results, result = _outputs(backbone), loss.body.body
    _require(len(results) >= count and len(loss.params) >= count,
             f"the backbone gives {len(results)} values and the loss takes {len(loss.params)}: both should be at least num_backbone_outputs, {count}")
    for value, param in zip(results[:count], loss.params):
        _require(struct_info_is_base_of(param.struct_info, value.struct_info),
                 f"the struct info of the output {value.name_hint}, {value.struct_info}, should be that of the parameter {param.name_hint}, {param.struct_info}")
    info = result.struct_info
    _require(isinstance(result, _e.Var) and isinstance(info, TensorStructInfo) and info.ndim == 0,
             f"the loss function should return a scalar Var, not {info}")
    appender = _Appender(mod, [result] + results[count:])
    params = list(backbone.params) + list(loss.params[count:])
    head = appender.block(blocks[0])
    for value, param in zip(results[:count], loss.params):
        appender.set_var_remap(param, appender.get_var_remap(value))
    tail = appender.block(blocks[1])
    values = [appender.get_var_remap(x) for x in [result] + results[count:]]
    block = _e.DataflowBlock(list(head.bindings) + list(tail.bindings))
    body = _e.SeqExpr([block], values[0] if len(values) == 1 else _e.Tuple(values))
    return _e.Function(params, body, None, backbone.is_pure, backbone.attrs)


def AppendLoss(func_name, loss_function, num_backbone_outputs=1, new_func_name=None):  # noqa: N802
    """A pass that adds the function `new_func_name` (FUNC_loss): the backbone, then the loss of its first outputs.

    Parameters of the loss behind num_backbone_outputs become parameters behind the backbone's; outputs of the backbone
    behind them stay results behind the loss.  Both functions have one dataflow block.
    """
    name = new_func_name or f"{func_name}_loss"

    def append(mod, ctx):
        func = _append(mod, mod[func_name], loss_function, num_backbone_outputs).with_attr("global_symbol", name)
        result = mod.clone()
        result[name] = func
        return result

    return ModulePass(append, PassInfo(0, "AppendLoss"))


_PREFIX = "tvm.relax.te_grad._register."


def _derivative(call, adjoint):
    """For the pass Gradient: the call of the derivative's PrimFunc, and that."""
    from ... import get_global_func

    builder = BlockBuilder()
    made = get_global_func(_PREFIX + call.attrs["te_grad_name"])(None, call, adjoint, builder)
    return made, builder.get()[made.args[0]]


_core.set_te_gradient(_derivative)


def register_te_gradient(te_grad_name, te_grad_func=None):
    """Registers how a call_tir_with_grad of this name is differentiated: a function that takes the tensors of the result's
    derivative, then those of the call's arguments, then `te_grad_kwargs`, and gives the derivatives by the arguments as
    tensor expressions.  A decorator where no function is given."""
    from ... import register_func

    def register(func):
        def handler(result, call, adjoint, builder):
            kwargs = {k: v.value if isinstance(v, (FloatImm, IntImm)) else v for k, v in (call.attrs.get("te_grad_kwargs") or {}).items()}
            return builder.call_te(func, adjoint, *call.args[1], **kwargs, primfunc_name_hint=te_grad_name)

        register_func(_PREFIX + te_grad_name, handler)
        return func

    return register(te_grad_func) if te_grad_func is not None else register
