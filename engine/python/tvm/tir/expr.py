"""Expressions over numbers."""
from enum import IntEnum

import _loopscope as _core

from ..ir.base import Node
from ..ir.expr import PrimExpr
from ..ir.op import Op
from ..runtime.object import Object, register
from ..error import TVMError
from ..runtime.object_generic import ObjectGeneric

_binary = _core.binary


def convert(expr):
    """A Python value as an expression."""
    return _core.convert_expr(expr)


# The largest finite number of each type; of bfloat16 all that is rounded to it.
_FLOAT_LIMITS = {"float16": 65504.0, "bfloat16": 3.39617752923046e38, "float32": 3.4028234663852886e38, "float8_e3m4": 15.5, "float8_e4m3": 240.0,
                 "float8_e4m3b11fnuz": 30.0, "float8_e4m3fn": 448.0, "float8_e4m3fnuz": 240.0, "float8_e5m2": 57344.0, "float8_e5m2fnuz": 57344.0,
                 "float8_e8m0fnu": 2.0**127, "float6_e2m3fn": 7.5, "float6_e3m2fn": 28.0, "float4_e2m1fn": 6.0}


def _check_range(dtype, value):
    """Refuses a number that its type does not hold."""
    from ..error import TVMError

    element = dtype.partition("x")[0]
    if element in _FLOAT_LIMITS:
        number = float(value)
        if number - number == 0 and (abs(number) > _FLOAT_LIMITS[element] or (number < 0 and element == "float8_e8m0fnu")):
            raise TVMError(f"ValueError: Literal value {value} exceeds the range of {element}")
    elif element.startswith(("int", "uint")):
        bits = int(element.lstrip("uint") or 32)
        low, high = (0, 2**bits - 1) if element[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        if bits > 1 and not low <= int(value) <= high:
            raise TVMError(f"ValueError: Literal value {value} exceeds the range of {element}")


def const(value, dtype=None, span=None):
    """A constant; without a type int32, float32 or bool, as the value is."""
    if dtype is None:
        if hasattr(value, "dtype"):
            dtype = str(value.dtype)
        elif isinstance(value, bool):
            dtype = "bool"
        elif isinstance(value, float):
            dtype = "float32" if not abs(value) > 3.40282347e38 or value in (float("inf"), float("-inf")) else "float64"
        elif isinstance(value, int):
            dtype = "int32" if -(2**31) <= value < 2**31 else "int64"
        else:
            raise ValueError(f"Cannot automatically inference the type. value={value}")
    dtype = str(dtype)
    _check_range(dtype, value)
    return _core.const(dtype, value)


def _is_int(value):
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return True
    dtype = getattr(value, "dtype", "")
    return isinstance(dtype, str) and dtype.startswith(("int", "uint"))


def _ambiguous():
    return RuntimeError("TVM supports multiple types of integer divisions, please call div, indexdiv/indexmod, floordiv/floormod  or "
                        "truncdiv/truncmod directly to avoid ambiguity in the code.")


def _bitwise(name, a, b, raw=None):
    from . import op

    return op.call_bitwise(name, a, b)


def _is_tensor(value):
    return getattr(value, "__te_tensor__", False)


class ExprOp:
    """Python's operators as nodes."""

    __slots__ = ()

    def __add__(self, other):
        return NotImplemented if _is_tensor(other) else _binary("Add", self, other)

    def __radd__(self, other):
        return _binary("Add", other, self)

    def __sub__(self, other):
        return NotImplemented if _is_tensor(other) else _binary("Sub", self, other)

    def __rsub__(self, other):
        return _binary("Sub", other, self)

    def __mul__(self, other):
        return NotImplemented if _is_tensor(other) else _binary("Mul", self, other)

    def __rmul__(self, other):
        return _binary("Mul", other, self)

    def __div__(self, other):
        if _is_tensor(other):
            return NotImplemented
        if _is_int(self) and _is_int(other):
            raise _ambiguous()
        return _binary("Div", self, other)

    def __rdiv__(self, other):
        if _is_int(self) and _is_int(other):
            raise _ambiguous()
        return _binary("Div", other, self)

    __truediv__ = __div__
    __rtruediv__ = __rdiv__

    def __floordiv__(self, other):
        return NotImplemented if _is_tensor(other) else _binary("FloorDiv", self, other)

    def __rfloordiv__(self, other):
        return _binary("FloorDiv", other, self)

    def __mod__(self, other):
        return _binary("FloorMod", self, other)

    def __rmod__(self, other):
        return _binary("FloorMod", other, self)

    def __neg__(self):
        return self.__mul__(const(-1, self.dtype))

    def __lshift__(self, other):
        return _bitwise("shift_left", self, other)

    def __rlshift__(self, other):
        return _bitwise("shift_left", other, self)

    def __rshift__(self, other):
        return _bitwise("shift_right", self, other)

    def __rrshift__(self, other):
        return _bitwise("shift_right", other, self)

    def __and__(self, other):
        return _bitwise("bitwise_and", self, other)

    def __rand__(self, other):
        return _bitwise("bitwise_and", other, self)

    def __or__(self, other):
        return _bitwise("bitwise_or", self, other)

    def __ror__(self, other):
        return _bitwise("bitwise_or", other, self)

    def __xor__(self, other):
        return _bitwise("bitwise_xor", self, other)

    def __rxor__(self, other):
        return _bitwise("bitwise_xor", other, self)

    def __invert__(self):
        if str(self.dtype).startswith("float"):
            raise RuntimeError("Cannot use ~ operator on float type Expr.")
        return _core.call(self.dtype, "tir.bitwise_not", [self])

    def __lt__(self, other):
        return _binary("LT", self, other)

    def __le__(self, other):
        return _binary("LE", self, other)

    def __gt__(self, other):
        return _binary("GT", self, other)

    def __ge__(self, other):
        return _binary("GE", self, other)

    def __eq__(self, other):
        return EqualOp(self, other)

    def __ne__(self, other):
        return NotEqualOp(self, other)

    def __nonzero__(self):
        if isinstance(self, EQ) and _core.deep_equal(self.a, self.b):
            return True
        raise ValueError("Cannot use and / or / not operator to Expr, hint: use tvm.tir.all / tvm.tir.any instead")

    def __bool__(self):
        return self.__nonzero__()

    def equal(self, other, span=None):
        """The comparison as a node."""
        return _binary("EQ", self, other)

    def astype(self, dtype, span=None):
        """Cast to a type."""
        if self.dtype == "handle" and str(dtype) != "handle":
            from ..error import TVMError

            raise TVMError("Can't cast a handle to other types.")
        return _core.cast(dtype, self)


def _some(value):
    if value is None:
        raise ValueError("a whole constant is compared with None")
    return value


def _same(a, b):
    """One and the same node, or two numbers of one value."""
    if isinstance(a, FloatImm) and (isinstance(b, (int, float)) or isinstance(b, FloatImm) and a.dtype == b.dtype):
        return a.value == (b.value if isinstance(b, FloatImm) else b)
    return a is b or isinstance(a, Object) and a.same_as(b)


def _bound(var, value):
    """The value of a variable; TVMError when the types differ."""
    value = _core.convert_expr(value)
    if value.dtype != var.dtype:
        raise TVMError(f"{var.name} is of the type {var.dtype}, its value of the type {value.dtype}")
    return value


class EqualOp(ObjectGeneric, ExprOp):
    """a == b before it is known whether Python or the program asks: true for one and the same node."""

    __array_priority__ = 1000

    def __init__(self, a, b, span=None):
        self.a = a
        self.b = b

    def __bool__(self):
        return _same(self.a, self.b)

    __nonzero__ = __bool__

    def __hash__(self):
        return hash((id(self.a), id(self.b)))

    def asobject(self):
        """The node."""
        return _binary("EQ", self.a, self.b)

    @property
    def dtype(self):
        """bool"""
        return "bool"

    def __repr__(self):
        return repr(self.asobject())


class NotEqualOp(ObjectGeneric, ExprOp):
    """a != b, as EqualOp."""

    __array_priority__ = 1000

    def __init__(self, a, b, span=None):
        self.a = a
        self.b = b

    def __bool__(self):
        return not _same(self.a, self.b)

    __nonzero__ = __bool__

    def __hash__(self):
        return hash((id(self.a), id(self.b)))

    def asobject(self):
        """The node."""
        return _binary("NE", self.a, self.b)

    @property
    def dtype(self):
        """bool"""
        return "bool"

    def __repr__(self):
        return repr(self.asobject())


class IntImmEnum(ObjectGeneric):
    """A member of an enumeration as a constant."""

    def __init__(self, value, span=None):
        self.value = value

    def asobject(self):
        """The constant."""
        return IntImm("int32", self.value)


class PrimExprWithOp(ExprOp, PrimExpr):
    """An expression with Python's operators."""

    __slots__ = ()
    __array_priority__ = 1000
    __hash__ = PrimExpr.__hash__


class ConstExpr(PrimExprWithOp):
    """A constant."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__


class BinaryOpExpr(PrimExprWithOp):
    """An operator of two operands."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__


class CmpExpr(PrimExprWithOp):
    """A comparison."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__


class LogicalExpr(PrimExprWithOp):
    """and, or, not."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__


@register("Var")
class Var(PrimExprWithOp):
    """A variable."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, name, dtype="int32", span=None, *, ty=None):
        return _core.var(name, dtype if ty is None else str(ty))


@register("SizeVar")
class SizeVar(Var):
    """A variable that is never negative."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, name, dtype="int32", span=None):
        return _core.var(name, dtype, True)


class Any(Var):
    """A size of which nothing is known: a variable of its own."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, span=None):
        return _core.var("any_dim", "int32")


@register("IterVar")
class IterVar(Object, ExprOp):
    """An iteration variable: a variable, its range and what it is for."""

    __slots__ = ()
    DataPar, ThreadIndex, CommReduce, Ordered, DimInfo, Unrolled, Vectorized, Parallelized, Tensorized = range(9)
    Opaque = DimInfo
    __hash__ = Object.__hash__
    __lt__, __le__, __gt__, __ge__ = ExprOp.__lt__, ExprOp.__le__, ExprOp.__gt__, ExprOp.__ge__

    def __new__(cls, dom, var, iter_type, thread_tag="", span=None):
        from ..ir.expr import Range

        if dom is not None:
            if isinstance(dom, (list, tuple)):
                if len(dom) != 2:
                    raise TypeError("need to be list of ranges")
                dom = Range(dom[0], dom[1])
            if not isinstance(dom, Range):
                raise TypeError("dom need to be Range")
        if not isinstance(var, Var):
            var = Var(var if var is not None else "iter", dom.extent.dtype if dom is not None else "int32")
        return _core.make("IterVar", dom, var, int(iter_type), thread_tag)

    @property
    def dtype(self):
        """The type of the variable."""
        return self.var.dtype


@register("CommReducer")
class CommReducer(Object):
    """How a reduction combines values."""

    __slots__ = ()

    def __new__(cls, lhs, rhs, result, identity_element, span=None):
        return _core.make("CommReducer", lhs, rhs, result, identity_element)

    def __call__(self, expr, axis, where=None, init=None):
        from ..te import reduce_with

        return reduce_with(self, expr, axis, where, init)


@register("Reduce")
class Reduce(PrimExprWithOp):
    """A reduction over axes."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, combiner, src, rdom, condition, value_index, init=None, span=None):
        if combiner is None:
            combiner = CommReducer([], [], [], [])
        return _core.reduce(combiner, src, rdom, condition, value_index, init if init is not None else [])

    @property
    def combiner(self):
        """How two values become one; None for a reduction that was made without it."""
        found = _core.field(self, "combiner")
        return found if len(found.result) > 0 else None


@register("FloatImm")
class FloatImm(ConstExpr):
    """A constant with a fraction."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, dtype, value, span=None):
        _check_range(str(dtype), value)
        return _core.float_imm(dtype, value)

    def __float__(self):
        return self.value


@register("IntImm")
class IntImm(ConstExpr):
    """A whole constant."""

    __slots__ = ()

    def __new__(cls, dtype, value, span=None):
        return _core.int_imm(dtype, value)

    def __hash__(self):
        return hash(self.value)

    def __index__(self):
        return int(self.value)

    def __int__(self):
        return int(self.value)

    def __float__(self):
        return float(self.value)

    def __nonzero__(self):
        return self.value != 0

    def __bool__(self):
        return self.value != 0

    def __eq__(self, other):
        return _binary("EQ", self, _some(other)) if not isinstance(other, str) else False

    def __ne__(self, other):
        return _binary("NE", self, _some(other)) if not isinstance(other, str) else True


@register("StringImm")
class StringImm(ConstExpr):
    """A text as an expression."""

    __slots__ = ()

    def __new__(cls, value, span=None):
        return _core.string_imm(value)

    def __eq__(self, other):
        if isinstance(other, StringImm):
            return self.value == other.value
        return self.value == other

    def __ne__(self, other):
        return not self.__eq__(other)

    def __hash__(self):
        return hash(self.value)


@register("Cast")
class Cast(PrimExprWithOp):
    """Another type."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, dtype, value, span=None):
        value = convert(value)
        wanted = str(dtype).partition("x")[2]
        if wanted != value.dtype.partition("x")[2]:
            raise TVMError(f"a cast keeps the lanes: {value.dtype} as {dtype} would not")
        return _core.cast(dtype, value, False)


def _raw(name):
    def new(cls, a, b, span=None):
        return _core.raw_binary(name, a, b)

    return new


def _make_binaries():
    words = {"Add": "a + b", "Sub": "a - b", "Mul": "a * b", "Div": "a / b, rounded to zero", "Mod": "the remainder of Div", "FloorDiv": "a // b",
             "FloorMod": "a % b", "Min": "the lower one", "Max": "the higher one", "EQ": "a == b", "NE": "a != b", "LT": "a < b", "LE": "a <= b",
             "GT": "a > b", "GE": "a >= b", "And": "a and b", "Or": "a or b"}
    for name, doc in words.items():
        base = CmpExpr if len(name) == 2 and name != "Or" else LogicalExpr if name in ("And", "Or") else BinaryOpExpr
        cls = type(name, (base,), {"__slots__": (), "__new__": _raw(name), "__doc__": doc, "__module__": __name__, "__hash__": PrimExpr.__hash__})
        _core.set_class(name, cls)
        globals()[name] = cls


_make_binaries()
Add, Sub, Mul, Div, Mod = (globals()[n] for n in ("Add", "Sub", "Mul", "Div", "Mod"))
FloorDiv, FloorMod, Min, Max = (globals()[n] for n in ("FloorDiv", "FloorMod", "Min", "Max"))
EQ, NE, LT, LE, GT, GE, And, Or = (globals()[n] for n in ("EQ", "NE", "LT", "LE", "GT", "GE", "And", "Or"))


@register("Not")
class Not(LogicalExpr):
    """not a"""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, a, span=None):
        return _core.not_(a)


@register("Select")
class Select(PrimExprWithOp):
    """One of two values; both are computed."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, condition, true_value, false_value, span=None):
        if isinstance(condition, bool):
            condition = IntImm("bool", condition)
        return _core.select(condition, true_value, false_value)


def check_predicate(predicate, dtype, place, doing):
    """A mask has as many lanes as the vector that it is for."""
    from ..error import TVMError
    from ..runtime import DataType

    mask, vector = DataType(predicate.dtype).lanes, DataType(dtype).lanes
    if (mask < 0) != (vector < 0):
        raise TVMError(f"Predicate mask dtype and {place} must both be scalable.")
    if mask != vector:
        raise TVMError(f"Got a predicate mask with {abs(mask)} lanes, but trying to {doing} with {abs(vector)} lanes. The number of lanes must match.")
    element = str(predicate.dtype).partition("x")[0]
    if element not in ("bool", "uint1", "int1"):
        raise TVMError(f"Predicate mask elements must be boolean values, but got {element}.")


@register("BufferLoad")
class BufferLoad(PrimExprWithOp):
    """An element of a buffer."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, buffer, indices, predicate=None, span=None):
        if predicate is not None and len(indices) > 0:
            check_predicate(predicate, getattr(list(indices)[-1], "dtype", "int32"), "load indices", "load a vector")
        return _core.buffer_load(buffer, indices, predicate)


@register("ProducerLoad")
class ProducerLoad(PrimExprWithOp):
    """An element of a tensor of te."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, producer, indices, span=None):
        return _core.te_load(producer, list(indices))


def _several(lanes):
    if isinstance(lanes, (int, IntImm)) and int(lanes) < 2:
        raise TVMError(f"a vector has two lanes at least, not {lanes}")


@register("Ramp")
class Ramp(PrimExprWithOp):
    """base, base + stride, ..."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, base, stride, lanes, span=None):
        base, stride = convert(base), convert(stride)
        _several(lanes)
        if stride.dtype != base.dtype and "x" not in stride.dtype:
            stride = Cast(base.dtype, stride)
        return _core.ramp(base, stride, lanes)


@register("Broadcast")
class Broadcast(PrimExprWithOp):
    """The same value in all lanes."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, value, lanes, span=None):
        value = convert(value)
        _several(lanes)
        if "x" in value.dtype:
            raise TVMError(f"Broadcast repeats a number, not one of {value.dtype}")
        return _core.broadcast(value, lanes)


@register("Shuffle")
class Shuffle(PrimExprWithOp):
    """Lanes of vectors in another order."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, vectors, indices, span=None):
        return _core.shuffle(vectors, indices)


class CallEffectKind(IntEnum):
    """What a call does besides giving a value."""

    ExprAnnotation = 0
    Pure = 1
    ReadState = 2
    UpdateState = 3
    SpecialCallArg = 4
    EmbedInfo = 5
    ControlJump = 6
    Opaque = 3


@register("Call")
class Call(PrimExprWithOp):
    """A call of an operator or function."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, dtype, op, args, span=None):
        if isinstance(op, str):
            if not op.startswith("tir."):
                raise ValueError(f"Cannot handle str op argument {op}. This function only handles str argument with the tir namespace.")
            op = Op.get(op)
        return _core.call(dtype, op, args)


@register("Let")
class Let(PrimExprWithOp):
    """A value with a name."""

    __slots__ = ()
    __hash__ = PrimExpr.__hash__

    def __new__(cls, var, value, body, span=None):
        return _core.let(var, _bound(var, value), body)


for _kind in ("SplitExpr", "SumExpr"):
    _core.set_class(_kind, type(_kind, (PrimExprWithOp,), {"__slots__": (), "__module__": __name__, "__hash__": PrimExpr.__hash__}))

__all__ = [name for name, value in list(globals().items()) if isinstance(value, type) and issubclass(value, (Node, ExprOp, Object))]
