"""Operators by name."""
import _loopscope as _core

from ..runtime.object import register
from .expr import RelaxExpr

_ATTRS = {}
_RELAX = {}
_MADE = set()   # the names of operators that the program registered


@register("Op")
class Op(RelaxExpr):
    """An operator of TensorIR or Relax."""

    __slots__ = ()

    @staticmethod
    def get(op_name):
        """The operator of this name; the same object each time."""
        if op_name.startswith("relax.") or op_name in _MADE:
            op = _RELAX.get(op_name)
            if op is None:
                op = _RELAX[op_name] = _core.make("RelaxOp", op_name)
            return op
        # tvm.tir is tvm.tirx since 2026
        op = _core.op("tir." + op_name[len("tirx."):] if op_name.startswith("tirx.") else op_name)
        if op is None:
            from ..error import TVMError

            raise TVMError(f"AttributeError: Operator {op_name} is not registered")
        return op

    @staticmethod
    def list_op_names():
        """The names of all operators."""
        return [row[0] for row in _core.ops()]

    @property
    def name(self):
        """The name."""
        return _core.op_name(self)

    def get_attr(self, attr_name):
        """An attribute that was registered."""
        return _ATTRS.get((self.name, attr_name))

    def reset_attr(self, attr_name):
        """Takes an attribute away."""
        _ATTRS.pop((self.name, attr_name), None)

    def has_attr(self, attr_name):
        """Was the attribute registered?"""
        return (self.name, attr_name) in _ATTRS

    def set_attr(self, attr_name, value, plevel=10):
        """Registers an attribute."""
        _ATTRS[(self.name, attr_name)] = value

    def __repr__(self):
        return f"Op({self.name})"


@register("RelaxOp")
class RelaxOp(Op):
    """An operator of Relax."""

    __slots__ = ()

    @property
    def name(self):
        """The name."""
        return _core.field(self, "name")

    def get_attr(self, attr_name):
        """An attribute that was registered; FLegalize is the rule by which LegalizeOps takes it, FInferStructInfo says what a call gives,
        FPrimalGradient its derivatives."""
        if attr_name == "FLegalize":
            from ..relax.transform.legalize_ops.common import rule_of

            return rule_of(self.name)
        if attr_name == "FInferStructInfo" and self.name not in _MADE:
            return lambda call, builder: builder.normalize(call).struct_info
        if attr_name == "FPrimalGradient" and not self.has_attr(attr_name) and _core.has_gradient(self.name):
            return _primal_gradient
        return super().get_attr(attr_name)

    def set_attr(self, attr_name, value, plevel=10):
        """Registers an attribute."""
        if attr_name == "FLegalize":
            from ..relax.transform.legalize_ops.common import register_legalize

            register_legalize(self.name, value)
        else:
            super().set_attr(attr_name, value, plevel)

    def reset_attr(self, attr_name):
        """Takes an attribute away; without FLegalize the operator stays as it is."""
        if attr_name == "FLegalize":
            from ..relax.transform.legalize_ops.common import remove_rule

            remove_rule(self.name)
        super().reset_attr(attr_name)

    def __eq__(self, other):
        return isinstance(other, RelaxOp) and self.name == other.name

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.name)


def _primal_gradient(orig_var, orig_call, output_grad, ctx):
    """The derivatives of a call by its arguments, by the rule of its operator: `output_grad` is the one by what it gave, a variable."""
    from ..relax.expr import PrimValue

    found = _core.gradient_of_call(ctx._impl, orig_var, orig_call, output_grad)
    return [_core.relax_call("R.grad.no_grad", (arg,), {}) if made is None else made for arg, made in zip(orig_call.args, found)
            if made is not None or not isinstance(arg, PrimValue)]


def _infer(call):
    """What a call gives of an operator that the program registered, or of a function whose signature names a rule; None: nobody knows."""
    if isinstance(call.op, Op):
        infer = _ATTRS.get((call.op.name, "FInferStructInfo"))
    else:
        from ..runtime._registry import get_global_func

        infer = get_global_func(str(call.op.struct_info.derive_func))
    if infer is None:
        return None
    from ..relax import BlockBuilder

    return infer(call, BlockBuilder())


def register_op_attr(op_name, attr_key, value=None, level=10):
    """Registers an attribute of an operator."""

    def _register(v):
        if attr_key == "FInferStructInfo" and not op_name.startswith(("relax.", "tir.", "tirx.")) and _core.op(op_name) is None:
            _MADE.add(op_name)
        if op_name in _MADE:
            Op.get(op_name).set_attr(attr_key, v, level)
        else:
            _ATTRS[(op_name, attr_key)] = v
        return v

    return _register(value) if value is not None else _register


def register_intrin_lowering(op_name, target, *, f=None, level=10):
    """Kept for programs that register lowering rules; this engine has its own."""
    return register_op_attr(op_name, f"{target}.FLowerIntrinsic", f, level)


_core.set_infer_registered(_infer)
