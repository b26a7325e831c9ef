"""The patterns of dataflow."""
import _loopscope as _core

from ...ir.base import Node
from ...ir.op import Op
from ...runtime.object import register
from ..struct_info import _dims


def _check(pattern):
    if not isinstance(pattern, DFPattern):
        raise TypeError(f"{pattern!r} is no pattern")
    return pattern


def _attrs(attrs):
    return dict(attrs.items()) if hasattr(attrs, "items") else attrs


class DFPattern(Node):
    """A pattern; equal to itself only."""

    __slots__ = ()

    def __repr__(self):
        return _core.print_pattern(self)

    def __call__(self, *args, varg_default_wildcard=False, add_constraint=True):
        """The call of what fits this pattern."""
        return CallPattern(self, args, varg_default_wildcard, add_constraint)

    def __or__(self, other):
        return OrPattern(self, other)

    def __and__(self, other):
        return AndPattern(self, other)

    def __invert__(self):
        return reject(self)

    def has_attr(self, attrs):
        """The same with these attributes."""
        return AttrPattern(self, attrs)

    def has_struct_info(self, struct_info):
        """The same with this struct info; its symbolic variables agree everywhere."""
        return StructInfoPattern(self, struct_info)

    def has_dtype(self, dtype):
        """The same as tensor of this type."""
        return has_dtype(dtype, self)

    def has_shape(self, shape):
        """The same as tensor of this shape."""
        if not isinstance(shape, (list, tuple)) and not hasattr(shape, "__iter__"):
            raise ValueError("has_shape takes a list or tuple as input.")
        return ShapePattern(pattern=self, shape=shape)

    def match(self, expr, var2val=None):
        """Does the expression fit?"""
        return self.extract_matched_expr(expr, var2val) is not None

    def extract_matched_expr(self, expr, var2val=None):
        """What fits each part, or None."""
        return _core.match_pattern(self, expr, dict(var2val.items()) if var2val is not None else None)

    def used_by(self, other, index=-1):
        """What fits this is used by what fits the other."""
        return _relate(self, other, False, index)

    def __xor__(self, other):
        return self.used_by(other, -1)

    def only_used_by(self, other, index=-1):
        """The same, and by nothing else."""
        return _relate(self, other, True, index)

    def __rshift__(self, other):
        return self.only_used_by(other, -1)

    def dup(self):
        """Another pattern of the same form."""
        return _core.dup_pattern(self)

    def fork_to(self, *args):
        """It is used by each of them."""
        for v in args:
            self ^ v  # pylint: disable=pointless-statement

    def same_shape_as(self, *args):
        """All of them have the same shape."""
        return SameShapeConstraint(self, *args)


class DFConstraint(Node):
    """What has to hold between patterns."""

    __slots__ = ()

    def __repr__(self):
        return _core.print_pattern(self)


@register("ExprPattern")
class ExprPattern(DFPattern):
    """This expression."""

    __slots__ = ()

    def __new__(cls, expr):
        return _core.make("ExprPattern", expr)


@register("VarPattern")
class VarPattern(DFPattern):
    """A variable, of this name unless it is empty."""

    __slots__ = ()

    def __new__(cls, name_hint=""):
        return _core.make("VarPattern", name_hint)


@register("DataflowVarPattern")
class DataflowVarPattern(VarPattern):
    """A variable of a dataflow block."""

    __slots__ = ()

    def __new__(cls, name_hint=""):
        return _core.make("DataflowVarPattern", name_hint)


@register("GlobalVarPattern")
class GlobalVarPattern(DFPattern):
    """A function of the module, with this text in its name."""

    __slots__ = ()

    def __new__(cls, name_hint=""):
        return _core.make("GlobalVarPattern", name_hint)


@register("ExternFuncPattern")
class ExternFuncPattern(DFPattern):
    """A packed function."""

    __slots__ = ()

    def __new__(cls, global_symbol=""):
        return _core.make("ExternFuncPattern", global_symbol)


@register("ConstantPattern")
class ConstantPattern(DFPattern):
    """A constant."""

    __slots__ = ()

    def __new__(cls):
        return _core.make("ConstantPattern")


@register("CallPattern")
class CallPattern(DFPattern):
    """A call; with varg_default_wildcard more arguments may follow."""

    __slots__ = ()

    def __new__(cls, op, args, varg_default_wildcard=False, add_constraint=True):
        self = _core.make("CallPattern", _check(op), [_check(x) for x in args], varg_default_wildcard)
        if add_constraint:
            for i, arg in enumerate(args):
                arg.used_by(self, i)
        return self


@register("FunctionPattern")
class FunctionPattern(DFPattern):
    """A function."""

    __slots__ = ()

    def __new__(cls, params, body):
        return _core.make("FunctionPattern", [_check(x) for x in params], _check(body))


@register("TuplePattern")
class TuplePattern(DFPattern):
    """A tuple, field by field."""

    __slots__ = ()

    def __new__(cls, fields):
        return _core.make("TuplePattern", [_check(x) for x in fields])

    def __getitem__(self, index):
        """A field; None: any."""
        if index is not None:
            if index < 0:
                index += len(self)
            if index >= len(self):
                raise IndexError("TuplePattern index out of range")
        else:
            index = -1
        return TupleGetItemPattern(self, index)

    def __len__(self):
        return len(self.fields)


@register("UnorderedTuplePattern")
class UnorderedTuplePattern(DFPattern):
    """A tuple, its fields in any order."""

    __slots__ = ()

    def __new__(cls, fields):
        return _core.make("UnorderedTuplePattern", [_check(x) for x in fields])

    def __len__(self):
        return len(self.fields)


@register("TupleGetItemPattern")
class TupleGetItemPattern(DFPattern):
    """A field of a tuple; None: any."""

    __slots__ = ()

    def __new__(cls, tuple_value, index=None):
        return _core.make("TupleGetItemPattern", _check(tuple_value), index if index is not None else -1)


@register("OrPattern")
class OrPattern(DFPattern):
    """One or the other."""

    __slots__ = ()

    def __new__(cls, left, right):
        return _core.make("OrPattern", _check(left), _check(right))


@register("AndPattern")
class AndPattern(DFPattern):
    """One and the other."""

    __slots__ = ()

    def __new__(cls, left, right):
        return _core.make("AndPattern", _check(left), _check(right))


@register("NotPattern")
class NotPattern(DFPattern):
    """Anything else."""

    __slots__ = ()

    def __new__(cls, to_reject):
        return _core.make("NotPattern", _check(to_reject))


@register("WildcardPattern")
class WildcardPattern(DFPattern):
    """Anything."""

    __slots__ = ()

    def __new__(cls):
        return _core.make("WildcardPattern")


@register("StructInfoPattern")
class StructInfoPattern(DFPattern):
    """A pattern with struct info."""

    __slots__ = ()

    def __new__(cls, pattern, struct_info):
        return _core.make("StructInfoPattern", _check(pattern), struct_info.asobject() if hasattr(struct_info, "asobject") else struct_info)


@register("DataTypePattern")
class DataTypePattern(DFPattern):
    """A pattern with an element type."""

    __slots__ = ()

    def __new__(cls, pattern, dtype):
        return _core.make("DataTypePattern", _check(pattern), str(dtype))


@register("ShapePattern")
class ShapePattern(DFPattern):
    """A pattern with a shape."""

    __slots__ = ()

    def __new__(cls, pattern, shape):
        return _core.make("ShapePattern", _check(pattern), _dims(shape))


@register("SameShapeConstraint")
class SameShapeConstraint(DFConstraint):
    """Patterns of one shape."""

    __slots__ = ()

    def __new__(cls, *args):
        from .context import PatternContext

        self = _core.make("SameShapeConstraint", [_check(x) for x in args])
        PatternContext._note_constraint(self)
        return self


@register("PrimArrPattern")
class PrimArrPattern(DFPattern):
    """A shape as it is."""

    __slots__ = ()

    def __new__(cls, shape):
        return _core.make("PrimArrPattern", _dims(shape))

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError("PrimArrPattern index out of range")
        return self.fields[index]

    def __len__(self):
        return len(self.fields)


@register("AttrPattern")
class AttrPattern(DFPattern):
    """A pattern with attributes."""

    __slots__ = ()

    def __new__(cls, pattern, attrs):
        return _core.make("AttrPattern", _check(pattern), _attrs(attrs))


def is_var(name=""):
    """A variable."""
    return VarPattern(name)


def is_gv(name=""):
    """A function of the module."""
    return GlobalVarPattern(name)


def is_dfv(name=""):
    """A variable of a dataflow block."""
    return DataflowVarPattern(name)


def is_const():
    """A constant."""
    return ConstantPattern()


def is_expr(expr):
    """This expression."""
    return ExprPattern(expr)


def is_op(op_name):
    """An operator."""
    return ExprPattern(Op.get(op_name))


def is_tuple(fields, unordered=False):
    """A tuple."""
    if not isinstance(fields, (list, tuple)) and not hasattr(fields, "__iter__"):
        raise ValueError("fields must be a list, tuple, or Array")
    return UnorderedTuplePattern(fields) if unordered else TuplePattern(fields)


def is_tuple_get_item(tuple_value, index=None):
    """A field of a tuple."""
    return TupleGetItemPattern(tuple_value, index)


def wildcard():
    """Anything."""
    return WildcardPattern()


def has_dtype(dtype, pattern=None):
    """A tensor of this type."""
    return DataTypePattern(pattern if pattern is not None else wildcard(), dtype)


def is_shape(shape):
    """A shape as it is."""
    if not isinstance(shape, (list, tuple)) and not hasattr(shape, "__iter__"):
        raise ValueError("is_shape takes a list or tuple as input.")
    return PrimArrPattern(shape)


def _arguments(args):
    if args is None:
        return wildcard()
    return TuplePattern(args) if isinstance(args, (list, tuple)) else args


def _is_call_tir(func_pattern, args=None, tir_vars=None):
    operands = [func_pattern, _arguments(args)] + ([tir_vars] if tir_vars is not None else [])
    return is_op("relax.call_tir")(*operands, add_constraint=False)


def is_call_tir(func_name, args=None, tir_vars=None):
    """A call of a TensorIR function."""
    return _is_call_tir(GlobalVarPattern(func_name), args, tir_vars)


def _is_call_dps_packed(func_pattern, args=None):
    return is_op("relax.call_dps_packed")(func_pattern, _arguments(args), add_constraint=False)


def is_call_dps_packed(func_name, args=None):
    """A call of a packed function that writes its result into an argument."""
    return _is_call_dps_packed(ExternFuncPattern(func_name), args)


def is_call_packed(func_name, args=None):
    """A call of a packed function."""
    if args is None:
        return ExternFuncPattern(func_name)(varg_default_wildcard=True, add_constraint=False)
    return ExternFuncPattern(func_name)(*args)


def reject(pattern):
    """Anything else."""
    return NotPattern(pattern)


def has_attr(attrs, pattern=None):
    """Something with attributes."""
    return (pattern if pattern is not None else wildcard()).has_attr(attrs)


class PatternSeq:
    """Patterns each of which is used by the next."""

    def __init__(self, patterns, only_use=False, constraints=None):
        self.patterns = [_check(x) for x in patterns]
        self.pair_constraints = list(constraints) if constraints is not None else [(only_use, -1)] * (len(self.patterns) - 1)

    def used_by(self, other, index=-1):
        """The last of them is used by the other's first."""
        return _relate(self, other, False, index)

    def only_used_by(self, other, index=-1):
        """The same, and by nothing else."""
        return _relate(self, other, True, index)

    def __getitem__(self, index):
        return self.patterns[index]

    def __len__(self):
        return len(self.patterns)

    def __xor__(self, other):
        return self.used_by(other, -1)

    def __rshift__(self, other):
        return self.only_used_by(other, -1)

    def __repr__(self):
        parts = [repr(self.patterns[0])]
        for (only, _), pattern in zip(self.pair_constraints, self.patterns[1:]):
            parts.append(f"{'>>' if only else '^'} {pattern!r}")
        return " ".join(parts)

    def dup(self):
        """Patterns of the same form that stand to each other alike."""
        from .context import PatternContext

        copy = PatternSeq([x.dup() for x in self.patterns], constraints=self.pair_constraints)
        for (only, index), a, b in zip(copy.pair_constraints, copy.patterns, copy.patterns[1:]):
            PatternContext._note_use(a, b, only, index)
        return copy


def _relate(lhs, rhs, only, index):
    from .context import PatternContext

    lhs = PatternSeq([lhs]) if isinstance(lhs, DFPattern) else lhs
    rhs = PatternSeq([rhs]) if isinstance(rhs, DFPattern) else rhs
    PatternContext._note_use(lhs.patterns[-1], rhs.patterns[0], only, index)
    return PatternSeq(lhs.patterns + rhs.patterns, constraints=lhs.pair_constraints + [(only, index)] + rhs.pair_constraints)


def make_fused_bias_activation_pattern(op_name, with_bias=False, activation=None):
    """An operator, then the addition of a bias, then an activation."""
    lhs = wildcard()
    rhs = wildcard()
    out = is_op(op_name)(lhs, rhs)
    if with_bias:
        out = is_op("relax.add")(out, wildcard())
    return is_op(activation)(out) if activation else out

