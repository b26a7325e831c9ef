"""Expressions over tensors."""
import _loopscope as _core

from ..ir.base import Node, Span
from ..ir.container import CallAttrs
from ..ir.expr import BaseFunc, GlobalVar, RelaxExpr
from ..ir.op import Op
from ..runtime.object import register
from ..runtime.script_printer import Scriptable
from .struct_info import FuncStructInfo, ObjectStructInfo, StructInfo, TensorStructInfo, TupleStructInfo, _dims

Id = str
CALLS_TIR = ("relax.call_tir", "relax.call_tir_inplace", "relax.call_tir_with_grad")


def _op(name):
    def call(self, other):
        from . import op

        return getattr(op, name)(self, _operand(self, other))

    return call


def _op_reversed(name):
    def call(self, other):
        from . import op

        return getattr(op, name)(_operand(self, other), self)

    return call


def _operand(self, other):
    if isinstance(other, Expr):
        return other
    if isinstance(other, (int, float)):
        info = self.struct_info_ or _core.relax_struct_info(self)
        dtype = getattr(info, "dtype", None)
        return const(other, dtype if dtype and dtype != "void" else None)
    raise TypeError(f"{other!r} is no operand of a Relax expression")


class _Inspected:
    """What a tensor tells of itself at run time, by axis or by name."""

    __iter__ = None             # how many axes there are is known at run time

    def __init__(self, tensor, by_axis=None, names=()):
        self._tensor, self._by_axis, self._names = tensor, by_axis, dict(names)

    def __getitem__(self, axis):
        if self._by_axis is None:
            raise TypeError("this has no axes")
        return Call(f"relax.inspect.{self._by_axis}", [self._tensor, axis if isinstance(axis, RelaxExpr) else PrimValue(axis)])

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._names:
            raise AttributeError(f"a tensor tells {', '.join(self._names) or 'its axes'} here, not {name}")
        return Call(f"relax.inspect.{self._names[name]}", [self._tensor])


class ExprWithOp(RelaxExpr, Scriptable):
    """An expression with Python's operators."""

    __slots__ = ()

    def astype(self, dtype):
        """The same numbers as another type."""
        from . import op

        return op.astype(self, dtype)

    __add__, __radd__ = _op("add"), _op_reversed("add")
    __sub__, __rsub__ = _op("subtract"), _op_reversed("subtract")
    __mul__, __rmul__ = _op("multiply"), _op_reversed("multiply")
    __truediv__, __rtruediv__ = _op("divide"), _op_reversed("divide")
    __floordiv__, __rfloordiv__ = _op("floor_divide"), _op_reversed("floor_divide")
    __mod__, __rmod__ = _op("mod"), _op_reversed("mod")
    __pow__, __rpow__ = _op("power"), _op_reversed("power")
    __lt__, __gt__, __le__, __ge__ = _op("less"), _op("greater"), _op("less_equal"), _op("greater_equal")

    def __neg__(self):
        from . import op

        return op.negative(self)

    def __call__(self, *args, attrs=None):
        return Call(self, list(args), attrs)

    def _tensor(self):
        info = _core.relax_struct_info(self)
        if not isinstance(info, (TensorStructInfo, ObjectStructInfo)):
            raise AttributeError(f"only a tensor has dtype, ndim, shape, strides and offsets; this is {info}")
        return self

    @property
    def dtype(self):
        """Its type at run time: type_code, bits, lanes."""
        return _Inspected(self._tensor(), None, {"type_code": "tensor_dtype_code", "bits": "tensor_dtype_bits", "lanes": "tensor_dtype_lanes"})

    @property
    def ndim(self):
        """How many dimensions it has at run time."""
        return Call("relax.inspect.tensor_ndim", [self._tensor()])

    @property
    def shape(self):
        """Its extents at run time, by axis."""
        return _Inspected(self._tensor(), "tensor_shape_i")

    @property
    def strides(self):
        """Its strides at run time, by axis."""
        return _Inspected(self._tensor(), "tensor_stride_i")

    @property
    def byte_offset(self):
        """Where its data begins, in bytes."""
        return Call("relax.inspect.tensor_byte_offset", [self._tensor()])

    @property
    def elem_offset(self):
        """Where its data begins, in elements."""
        return Call("relax.inspect.tensor_elem_offset", [self._tensor()])

    def __getitem__(self, index):
        fields = getattr(_core.relax_struct_info(self), "fields", None) if isinstance(index, int) else None
        if fields is not None and not 0 <= index < len(fields):
            raise IndexError(f"index {index} is out of the range of a tuple of {len(fields)}")
        return TupleGetItem(self, index)

    def __iter__(self):
        fields = getattr(_core.relax_struct_info(self), "fields", None)
        if fields is None:
            raise TypeError("what is not known to be a tuple has no end at which to stop")
        return (TupleGetItem(self, i) for i in range(len(fields)))


class _Value(ExprWithOp):
    """An expression of Relax."""

    __slots__ = ()

    @property
    def struct_info_(self):
        """What is known of it, or None."""
        info = _core.relax_struct_info(self)
        if _core.kind(info) == "ObjectStructInfo" and (isinstance(self, Call) or info.same_as(_core.unknown_struct_info())):
            return None
        return info

    @property
    def struct_info(self):
        """What is known of it."""
        info = self.struct_info_
        if info is None:
            raise ValueError("The struct_info is not populated, check if you have normalized the expr")
        return info

    @property
    def ty(self):
        """The struct info, as 2026 calls it."""
        return self.struct_info

    @property
    def shape_(self):
        """The shape, as it was called in 2022."""
        return self.struct_info.shape

    @property
    def checked_type(self):
        """The type."""
        from .analysis import get_static_type

        info = self.struct_info_
        return None if info is None else get_static_type(info)

    _checked_type_ = checked_type


Expr = RelaxExpr


def _relax(value):
    return value.asobject() if hasattr(value, "asobject") else value


@register("RelaxCall")
class Call(_Value):
    """A call of an operator, a function or a variable."""

    __slots__ = ()

    def __new__(cls, op, args, attrs=None, sinfo_args=None, span=None, ty_args=None):
        sinfo_args = ty_args if sinfo_args is None else sinfo_args
        if isinstance(op, str):
            op = Op.get(op)
        names, values = _in_order(op, dict(attrs.items())) if attrs else ([], [])
        if isinstance(args, (RelaxExpr,)):
            args = [args]
        if isinstance(op, Var) and not isinstance(op.struct_info_, (FuncStructInfo, ObjectStructInfo, type(None))):
            raise ValueError(f"Call expects its operator to have FuncStructInfo, but {op} has {op.struct_info_}")
        if not attrs and isinstance(op, Op):
            filled = _filled(op, list(args), sinfo_args)
            if filled is not None:
                return filled
        return _core.make("RelaxCall", op, list(args), names, values, list(sinfo_args or []))

    @property
    def ty_args(self):
        """The sinfo_args, as 2026 calls them."""
        return self.sinfo_args

    @property
    def attrs(self):
        """The attributes, or None."""
        names = _core.items(_core.field(self, "attr_names"))
        if not names:
            return None
        return _core.wrap_as(_core.convert({n: v if v is not None else "None" for n, v in zip(names, _core.items(_core.field(self, "attrs")))}), CallAttrs)


def _spec(op):
    """What the engine's table says of an operator's arguments; "" of one that it does not have."""
    if not _SPECS:
        _SPECS.update({"relax." + name: text or "" for name, text in _core.relax_op_names()})
    return _SPECS.get(op.name, "") if isinstance(op, Op) else ""


def _in_order(op, attrs):
    """Names and values of attributes in the order of the engine's table, which a Map does not keep; "None" stands in one for nothing."""
    names, values = [], []
    for word in _spec(op).partition("|")[2].split():
        name, _, kind = word.partition("=")[0].partition(":")
        name = name.rstrip("?")
        if name in attrs:
            value = attrs.pop(name)
            names.append(name)
            values.append(None if str(value) == "None" and kind.rstrip("?") != "str" else value)
    return names + list(attrs), values + list(attrs.values())


def _filled(op, args, sinfo_args):
    """A call without attributes of an operator that has some: their presets, as the engine prints them."""
    spec = _spec(op)
    if "|" not in spec or sinfo_args:
        return None
    if any("=" not in word for word in spec.split("|")[1].split()):
        return None
    try:
        return _core.relax_call("R." + op.name[len("relax."):], tuple(args), {})
    except Exception:  # noqa: BLE001
        return None


_SPECS = {}


@register("RelaxIf")
class If(_Value):
    """One of two expressions."""

    __slots__ = ()

    def __new__(cls, cond, true_branch, false_branch, span=None):
        return _core.make("RelaxIf", cond, _sequence(true_branch), _sequence(false_branch))


def _sequence(body):
    """A body: bindings and a result."""
    return body if body is None or _core.kind(body) == "SeqExpr" else _core.make("SeqExpr", [], body)


@register("RelaxTuple")
class Tuple(_Value):
    """Several values."""

    __slots__ = ()

    def __new__(cls, fields, span=None):
        return _core.make("RelaxTuple", list(fields))

    @property
    def struct_info_(self):
        """What is known of it, or None when of a field nothing is."""
        return None if any(isinstance(x, Expr) and x.struct_info_ is None for x in self.fields) else _core.relax_struct_info(self)

    def __getitem__(self, index):
        n = len(self.fields)
        if not -n <= index < n:
            raise IndexError("Tuple index out of range")
        return self.fields[index]

    def __len__(self):
        return len(self.fields)

    def __iter__(self):
        return iter(self.fields)


@register("TupleGetItem")
class TupleGetItem(_Value):
    """One of several values."""

    __slots__ = ()

    def __new__(cls, tuple_value, index, span=None):
        return _core.make("TupleGetItem", tuple_value, index)


@register("ShapeExpr")
class ShapeExpr(_Value):
    """A shape as a value."""

    __slots__ = ()

    def __new__(cls, values, span=None):
        return _core.make("ShapeExpr", _dims(values))

    def __getitem__(self, index):
        if isinstance(index, int) and not -len(self.values) <= index < len(self.values):
            raise IndexError("ShapeExpr index out of range")
        return self.values[index]

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values)


class _ConstantData:
    """The data of a constant as an array."""

    def __new__(cls, tensor):
        import numpy as np

        from ..runtime.ndarray import array

        shape = [int(x) for x in tensor.shape]
        if tensor.dtype == "bfloat16":
            return array(np.frombuffer(_core.tensor_bytes(tensor), "uint16").reshape(shape))
        dtype = "bool" if tensor.dtype == "bool" else tensor.dtype
        return array(np.frombuffer(_core.tensor_bytes(tensor), dtype).reshape(shape))


@register("Tensor")
class TensorData(Node):
    """Constant data."""

    __slots__ = ()

    def numpy(self):
        """As a numpy array."""
        return _ConstantData(self).numpy()

    def __repr__(self):
        return repr(_ConstantData(self))


def _tensor_of(data, dtype=None):
    """Data as a node."""
    import numpy as np

    if isinstance(data, _core.NDArray):
        data = data.numpy()
    elif hasattr(data, "detach"):
        data = data.detach().cpu().numpy()
    array = np.asarray(data) if dtype is None else np.asarray(data, dtype=dtype)
    array = np.ascontiguousarray(array).reshape(np.shape(array))
    name = "bool" if array.dtype == np.bool_ else array.dtype.name
    return _core.tensor(name, [_core.const("int64", n) for n in array.shape], array.tobytes())


def convert_array(data):
    """An array of Python as a node, for parameters of passes."""
    return _tensor_of(data)


@register("Constant")
class Constant(_Value):
    """A tensor that is known."""

    __slots__ = ()

    def __new__(cls, data, struct_info=None, span=None):
        return _core.relax_constant(_tensor_of(data))

    @property
    def data(self):
        """The elements."""
        return _ConstantData(_core.field(self, "data"))


class _VarBase(_Value):
    """A variable."""

    __slots__ = ()

    @property
    def struct_info_(self):
        """What is known of it, or None."""
        return _core.field(self, "struct_info_")

    @property
    def vid(self):
        """Its name as an object."""
        return self

    @property
    def name(self):
        """The name_hint, as 2026 calls it."""
        return self.name_hint


def _info(shape_or_info, second=None):
    if shape_or_info is None and second is None:
        return None
    if hasattr(shape_or_info, "as_struct_info") and second is None:
        return shape_or_info.as_struct_info()
    if isinstance(shape_or_info, StructInfo):
        return shape_or_info
    if second is not None and hasattr(second, "as_struct_info"):
        return second.as_struct_info(shape_or_info)
    if isinstance(shape_or_info, (list, tuple)):
        return TensorStructInfo(shape_or_info, "void")
    raise TypeError("struct_info needs to be an instance of StructInfo. If you attempt to pass in shape, use relax.TensorStructInfo(shape, dtype).")


@register("RelaxVar")
class Var(_VarBase):
    """A variable."""

    __slots__ = ()

    def __new__(cls, name_hint, struct_info=None, type_annotation=None, span=None, *, ty=None):
        info = _info(ty if struct_info is None else struct_info, type_annotation)
        return _core.make("RelaxVar" if cls is not DataflowVar else "DataflowVar", _core.unknown_struct_info() if info is None else info, str(name_hint))


@register("DataflowVar")
class DataflowVar(Var):
    """A variable that is seen in its dataflow block only."""

    __slots__ = ()


@register("PrimValue")
class PrimValue(_Value):
    """A number as a value."""

    __slots__ = ()

    def __new__(cls, value, span=None):
        if isinstance(value, int) and not isinstance(value, bool):
            value = _core.const("int64", value)
        elif isinstance(value, float):
            value = _core.const("float64", value)
        return _core.make("PrimValue", value)


@register("RelaxString")
class StringImm(_Value):
    """A text as a value."""

    __slots__ = ()

    def __new__(cls, value, span=None):
        return _core.make("RelaxString", value)


@register("DataTypeImm")
class DataTypeImm(_Value):
    """An element type as a value."""

    __slots__ = ()

    def __new__(cls, value, span=None):
        return _core.make("DataTypeImm", value)


@register("ExternFunc")
class ExternFunc(BaseFunc, ExprWithOp):
    """A packed function by name."""

    __slots__ = ()

    def __new__(cls, global_symbol, struct_info=None, span=None):
        return _core.make("ExternFunc", global_symbol, struct_info, {})

    @property
    def struct_info(self):
        """Its signature, or that of a function of which nothing is known."""
        return _core.field(self, "struct_info") or FuncStructInfo.opaque_func()

    struct_info_ = struct_info


def extern(name, struct_info=None, span=None):
    """A packed function by name."""
    return ExternFunc(name, struct_info, span)


class Binding(Node, Scriptable):
    """A variable and its value."""

    __slots__ = ()


@register("VarBinding")
class VarBinding(Binding):
    """var = value"""

    __slots__ = ()

    def __new__(cls, var, value, span=None):
        return _core.make("VarBinding", value, var)


@register("MatchCast")
class MatchCast(Binding):
    """var = value, which has to fit a struct info"""

    __slots__ = ()

    def __new__(cls, var, value, struct_info, span=None):
        return _core.make("MatchCast", value, struct_info, var)


@register("BindingBlock")
class BindingBlock(Node, Scriptable):
    """Bindings in a row."""

    __slots__ = ()

    def __new__(cls, bindings, span=None):
        return _core.make("BindingBlock" if cls is BindingBlock else "DataflowBlock", list(bindings))


@register("DataflowBlock")
class DataflowBlock(BindingBlock):
    """Bindings without effects."""

    __slots__ = ()


@register("SeqExpr")
class SeqExpr(_Value):
    """Blocks of bindings and a result."""

    __slots__ = ()

    def __new__(cls, blocks, body, span=None):
        return _core.make("SeqExpr", list(blocks), body)


def _well_defined(info, params):
    """What is known of a result where only the parameters' dimensions exist."""
    from . import analysis

    known = {var: var for param in params for var in analysis.tir_vars_in_struct_info(param.struct_info_ or ObjectStructInfo())}
    return analysis.erase_to_well_defined(info, known)


@register("Function")
class Function(BaseFunc, ExprWithOp):
    """A function over tensors."""

    __slots__ = ()

    def __new__(cls, params, body, ret_struct_info=None, is_pure=True, attrs=None, span=None, ret_ty=None):
        ret_struct_info = ret_ty if ret_struct_info is None else ret_struct_info
        if not isinstance(body, SeqExpr):
            body = SeqExpr([], body)
        if ret_struct_info is None:
            ret_struct_info = _well_defined(_core.relax_struct_info(body), params)
        return _core.make("Function", list(params), ret_struct_info, body, dict(attrs.items()) if attrs is not None else {}, is_pure)

    @staticmethod
    def create_empty(params, ret_struct_info, is_pure=True, attrs=None, span=None):
        """A function without a body is not made here."""
        raise NotImplementedError("a function has a body")

    @property
    def ret_ty(self):
        """What is known of the result, as 2026 calls it."""
        return self.ret_struct_info

    @property
    def struct_info(self):
        """Parameters and result."""
        return _core.make("FuncStructInfo", [p.struct_info for p in self.params], self.ret_struct_info, self.is_pure, None)

    def _alone(self, make_pass):
        """The function after a pass, which is nobody's business but its own: no instruments look on."""
        from ..ir import IRModule
        from ..ir.transform import PassContext

        name = str(self.attrs["global_symbol"]) if self.attrs is not None and "global_symbol" in self.attrs else "main"
        with PassContext(opt_level=PassContext.current().opt_level, instruments=[]):
            return make_pass(name)(IRModule({name: self}))[name]

    def bind_params(self, binding_map):
        """Parameters with values, by variable or by name."""
        from ..error import TVMError
        from . import transform

        for key in binding_map:
            if not isinstance(key, str) and not any(key.same_as(param) for param in self.params):
                raise TVMError(f"{key} is no parameter of the function")
        values = {k if isinstance(k, str) else k.name_hint: v for k, v in binding_map.items()}
        return self._alone(lambda name: transform.BindParams(name, values))

    def bind_symbolic_vars(self, binding_map):
        """Dimensions with values, by variable or by name."""
        from ..error import TVMError
        from .analysis import defined_symbolic_vars, free_symbolic_vars

        defined, values = list(defined_symbolic_vars(self)), {}
        for key, value in binding_map.items():
            found = [x for x in defined if (x.name == key if isinstance(key, str) else x.same_as(key))]
            if len(found) != 1:
                raise TVMError(f"the function has {'several symbolic variables' if found else 'no symbolic variable'} {key}")
            if any(found[0].same_as(x) for x in values):
                raise TVMError(f"the symbolic variable {key} has two values")
            values[found[0]] = _core.const(found[0].dtype, value) if isinstance(value, int) else value
        made = _core.relax_bind_symbols(self, values)
        free = list(free_symbolic_vars(self))
        for var in free_symbolic_vars(made):
            if not any(var.same_as(x) for x in free):
                raise TVMError(f"the values bring the symbolic variable {var.name}, which no parameter defines")
        return made

    def inline_functions(self, function_map):
        """Calls of these functions, by GlobalVar or name, as what the functions do.  None of them may call itself."""
        from ..ir import IRModule
        from .transform import InlinePrivateFunctions

        known = self.attrs is not None and "global_symbol" in self.attrs
        own = str(self.attrs["global_symbol"]) if known else "main"
        functions = {}
        for var, function in function_map.items():
            if not isinstance(var, (str, GlobalVar)) or not isinstance(function, Function):
                raise TypeError(f"inline_functions takes functions of Relax by GlobalVar or name, not {function!r} by {var!r}")
            private = function.attrs is not None and "global_symbol" in function.attrs
            name = var if isinstance(var, str) else var.name_hint
            if name in functions:
                raise ValueError(f"two functions stand for {name!r}: one by its name, one by its GlobalVar")
            functions[name] = function.without_attr("global_symbol") if private else function
        _refuse_circles(functions)
        while own in functions:
            own += "_"
        functions[own] = self.with_attr("global_symbol", own)
        made = InlinePrivateFunctions()(IRModule(functions))[own]
        return made.with_attr("global_symbol", self.attrs["global_symbol"]) if known else made.without_attr("global_symbol")

    def __call__(self, *args):
        return Call(self, list(args))

    def __repr__(self):
        return self.script()


def const(value, dtype=None):
    """A tensor that is known.  A struct info may stand for the type; without one, numbers and arrays of 64 bits become 32 bits wide."""
    import numpy as np

    if dtype is not None and not isinstance(dtype, str):
        dtype = getattr(dtype, "dtype", None) if not isinstance(dtype, type) else np.dtype(dtype).name
    if isinstance(value, _core.NDArray) and dtype is None:
        return Constant(value)
    if dtype is None and isinstance(value, (bool, int, float, list, tuple, np.ndarray, np.generic)):
        value = np.asarray(value)
        dtype = {"float64": "float32", "int64": "int32"}.get(value.dtype.name, value.dtype.name)
    return _core.relax_constant(_tensor_of(value, dtype))


def _refuse_circles(functions):
    """Raises where functions that are put in the place of their calls would never end."""
    from .analysis import all_global_vars

    calls = {name: {var.name_hint for var in all_global_vars(function)} & set(functions) for name, function in functions.items()}
    for name in calls:
        reached, todo = set(), [name]
        while todo:
            fresh = calls[todo.pop()] - reached
            reached |= fresh
            todo.extend(fresh)
        if name in reached:
            raise ValueError(f"{name!r} calls itself: its body cannot stand in the place of its calls")


def _update_struct_info(expr, struct_info):
    """Says what the function of a GlobalVar is.  Other expressions are not changed: what is known of them follows from what they are."""
    if _core.kind(expr) == "GlobalVar":
        _core.set_signature(expr, struct_info)


def get_shape_of(expr):
    """The shape of a tensor: what is known of it, or a call of shape_of."""
    from .op import shape_of

    known = expr.struct_info.shape
    if known is not None:
        return known
    return shape_of(expr)


def te_tensor(value, tir_var_map=None, name="rxplaceholder"):
    """A placeholder of te with the shape and type of a value."""
    from ..te import placeholder

    info = value.struct_info
    return placeholder(list(info.shape.values), info.dtype, name)


for _kind, _name in (("TeTensor", None),):
    del _kind, _name
GlobalVar = GlobalVar
_ = (Span, TupleStructInfo, _relax)
