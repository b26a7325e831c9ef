"""What is known of values."""
import _loopscope as _core

from .. import error as _error

from ..ir.base import Node
from ..runtime._registry import register_func
from ..runtime.object import register
from ..runtime.script_printer import Scriptable


class StructInfo(Node, Scriptable):
    """What is known of a value."""

    __slots__ = ()

    def __eq__(self, other):
        if hasattr(other, "as_struct_info"):
            other = other.as_struct_info()
        return isinstance(other, StructInfo) and _core.equal(self, other, True) is True

    def __ne__(self, other):
        return not self == other

    __hash__ = Node.__hash__

    def same_as(self, other):
        """The same node?"""
        return Node.same_as(self, other)

    def is_base_of(self, derived):
        """Does everything that this says hold for the other?"""
        from . import analysis

        return analysis.struct_info_is_base_of(self, derived)


def _dims(shape):
    """Dimensions as int64 expressions."""
    result = []
    for x in shape:
        if isinstance(x, int) or (hasattr(x, "__index__") and not isinstance(x, _core.Node)):
            result.append(_core.const("int64", int(x)))
        elif getattr(x, "dtype", "") != "int64" and _core.kind(x) == "IntImm":
            result.append(_core.const("int64", int(x)))
        elif getattr(x, "dtype", "int64") != "int64":
            raise _error.TVMError("the value in ShapeStructInfo can only have dtype of int64")
        else:
            result.append(x)
    return result


@register("ObjectStructInfo")
class ObjectStructInfo(StructInfo):
    """Anything."""

    __slots__ = ()

    def __new__(cls, span=None):
        return _core.make("ObjectStructInfo")


@register("PrimStructInfo")
class PrimStructInfo(StructInfo):
    """A number."""

    __slots__ = ()

    def __new__(cls, dtype=None, value=None, span=None):
        if value is not None:
            if isinstance(value, int) and not isinstance(value, bool):
                value = _core.const(dtype or "int64", value)
            elif isinstance(value, float):
                value = _core.const(dtype or "float64", value)
            if isinstance(value, (list, tuple)):
                raise _error._KindMismatch(f"the value of a PrimStructInfo is one number, not {value!r}")
            return _core.make("PrimStructInfo", value, _core.convert_expr(value).dtype)
        if dtype is None:
            raise TypeError("PrimStructInfo.__init__() missing required argument.  Must provide either 'dtype' or 'value'")
        if not isinstance(dtype, str):
            return PrimStructInfo(value=dtype)
        return _core.make("PrimStructInfo", None, dtype)


@register("ShapeStructInfo")
class ShapeStructInfo(StructInfo):
    """A shape."""

    __slots__ = ()

    def __new__(cls, values=None, ndim=-1, span=None):
        if values is not None and ndim != -1:
            raise ValueError("When values are given, ndim has to be left out")
        if values is not None and not hasattr(values, "__iter__") and not isinstance(values, _core.Node):
            raise _error._KindMismatch(f"the values of a ShapeStructInfo are a list, not {values!r}")
        if ndim < -1:
            raise _error.TVMError(f"a shape has a number of dimensions, or -1 where that is not known, not {ndim}")
        values = None if values is None else _dims(values)
        return _core.make("ShapeStructInfo", values, len(values) if values is not None else ndim)


@register("TensorStructInfo")
class TensorStructInfo(StructInfo):
    """A tensor: shape, number of dimensions, type."""

    __slots__ = ()

    def __new__(cls, shape=None, dtype="float32", vdevice=None, ndim=-1, span=None):
        if isinstance(shape, (list, tuple)) or (shape is not None and not isinstance(shape, _core.Node) and hasattr(shape, "__iter__")) \
                or (isinstance(shape, _core.Node) and _core.kind(shape) == "Array"):
            shape = _core.make("ShapeExpr", _dims(shape))
        if shape is not None and _core.kind(shape) == "ShapeExpr":
            if ndim != -1:
                raise ValueError("When the shape is given, ndim has to be left out")
            ndim = len(shape.values)
        elif shape is not None and _core.kind(shape) in ("RelaxVar", "DataflowVar"):
            info = shape.struct_info
            if _core.kind(info) != "ShapeStructInfo":
                raise _error.TVMError(f"the shape of a tensor is a shape, not {info}")
            ndim = info.ndim if ndim == -1 else ndim
        if isinstance(vdevice, str):
            raise ValueError("a virtual device is an object here")
        return _core.make("TensorStructInfo", shape, ndim, dtype or "void", vdevice)


@register("TupleStructInfo")
class TupleStructInfo(StructInfo):
    """Several values."""

    __slots__ = ()

    def __new__(cls, fields, span=None):
        if not hasattr(fields, "__iter__"):
            raise _error._KindMismatch(f"the fields of a TupleStructInfo are a list, not {fields!r}")
        return _core.make("TupleStructInfo", list(fields))


@register("FuncStructInfo")
class FuncStructInfo(StructInfo):
    """A function."""

    __slots__ = ()

    def __new__(cls, params, ret, purity=True, span=None):
        return _core.make("FuncStructInfo", list(params), ret, purity, None)

    @staticmethod
    def opaque_func(*, ret=None, derive_func=None, purity=False, span=None):
        """A function of which only the result is known, or the name of the rule that gives it."""
        if derive_func is not None:
            if ret is not None:
                raise ValueError("an opaque function has a result or a rule that gives it, not both")
            return _core.relax_call("R.Callable", (), {"derive_func": getattr(derive_func, "name", derive_func), "purity": purity})
        return _core.make("FuncStructInfo", None, ret if ret is not None else ObjectStructInfo(), purity, None)

    @property
    def derive_func(self):
        """The name of the rule that gives the results, or None."""
        return _core.field(self, "derive_func")


def from_proxy(name, args, kwargs):
    """The struct info that an annotation such as R.Tensor says."""
    convert = lambda x: x.as_struct_info() if hasattr(x, "as_struct_info") else x  # noqa: E731
    return _core.relax_call(f"R.{name}", tuple(convert(x) for x in args), {k: convert(v) for k, v in kwargs.items()})


def _viewed(call, ctx):
    """What relax.memory.view gives, for a call of the runtime with the same arguments."""
    from . import Call
    from ..ir import Op

    return ctx.normalize(Call(Op.get("relax.memory.view"), call.args)).struct_info


def _stated(call, ctx):
    """What a call says itself of its result."""
    if not call.sinfo_args:
        return ObjectStructInfo()
    return call.sinfo_args[0] if len(call.sinfo_args) == 1 else TupleStructInfo(call.sinfo_args)


register_func("tvm.relax.struct_info.infer_view_sinfo", _viewed)
register_func("tvm.relax.struct_info.infer_by_sinfo_args", _stated)
