"""Operators of Relax.  Parameters, defaults and conversions are those of R.* in scripts."""
import sys
from numbers import Integral, Real
from types import ModuleType

import _loopscope as _core

from ...error import _KindMismatch, _ValueMismatch
from ...tir import PrimExpr
from ..expr import Expr, ExternFunc, PrimValue, Tuple
from ..struct_info import StructInfo, TensorStructInfo


def _argument(value):
    if hasattr(value, "as_struct_info"):
        return value.as_struct_info()
    return value


def call_operator(path, args, kwargs):
    """What R.PATH gives for these arguments."""
    kwargs.pop("span", None)
    return _core.relax_call("R." + path, tuple(_argument(x) for x in args), {k: _argument(v) for k, v in kwargs.items()})


_KINDS = {
    None: "Expr", "shape": "Expr | tuple", "int": "int", "ints": "int | list[int]", "pair": "int | list[int]", "triple": "int | list[int]",
    "pad4": "int | list[int]", "bool": "bool", "float": "float", "str": "str", "dtype": "str", "prim": "int | PrimExpr", "tensors": "list[Expr]",
}


def _default(text, kind):
    if text.startswith("@") or text in ("None", "void"):
        return None if text != "void" else "void"
    if text in ("True", "False"):
        return text == "True"
    if kind in ("str", "dtype"):
        return text
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            pass
    return text


def signature(spec):
    """The parameters that a row of the table says: tensors first, then attributes; an attribute with "@" follows another one."""
    from inspect import Parameter, Signature

    params, named = [], False
    for word in spec.split():
        if word == "|":
            continue
        name, _, rest = word.partition(":")
        kind, _, default = rest.partition("=")
        optional = kind.endswith("?") or name.endswith("?")
        kind, name = kind.rstrip("?") or None, name.rstrip("?")
        given = _default(default, kind) if "=" in rest else None if optional else Parameter.empty
        words = _KINDS.get(kind, "Any")
        if given is None and words != "Any":
            words += " | None"
        if given is Parameter.empty and named:
            given = None
        named = named or given is not Parameter.empty
        params.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=given, annotation=words))
    return Signature(params, return_annotation="Call")


def _is_broken(value):
    """Is it a number, or stands for one, that is not whole?"""
    if isinstance(value, PrimExpr):
        return not str(value.dtype).startswith(("int", "uint"))
    return isinstance(value, Real) and not isinstance(value, Integral)


def _one_number(path, name, value):
    if isinstance(value, (list, tuple)) or _is_expression(value):
        raise _KindMismatch(f"{path}: `{name}` is one number, not {value!r}")
    if _is_broken(value):
        raise _KindMismatch(f"{path}: `{name}` is a whole number, not {value!r}")


def _whole_numbers(path, name, value):
    _no_expression(path, name, value)
    broken = [x for x in (value if isinstance(value, (list, tuple)) else (value,)) if _is_broken(x)]
    if broken:
        raise _KindMismatch(f"{path}: `{name}` has whole numbers, not {broken[0]!r}")


def _a_shape(path, name, value):
    if isinstance(value, (int, float, PrimExpr)):
        raise _KindMismatch(f"{path}: `{name}` is a shape such as (2, 3), not {value!r}")


def _a_type(path, name, value):
    if value in ("", "void"):
        raise _ValueMismatch(f"{path}: `{name}` is the name of a type; {value!r} is none")


def _no_expression(path, name, value):
    if _is_expression(value):
        raise _KindMismatch(f"{path}: `{name}` is said when the call is made; it is no expression such as {value!r}")


def _is_expression(value):
    return isinstance(value, Expr) and not isinstance(value, (PrimExpr, PrimValue))


_CHECKS = {"int": _one_number, "bool": _no_expression, "float": _no_expression, "ints": _whole_numbers, "str": _no_expression, "shape": _a_shape, "dtype": _a_type}


def _checks(spec):
    """What is looked at before a call is made: (place, name, check)."""
    found = []
    for i, word in enumerate(word for word in (spec or "").split() if word != "|"):
        name, _, rest = word.partition(":")
        kind, _, default = rest.partition("=")
        check = _CHECKS.get(kind.rstrip("?"))
        if check is not None and not (check is _a_type and default):
            found.append((i, name.rstrip("?"), check))
    return found


def make_operator(path, spec=None):
    """R.PATH as a Python function."""

    checks = _checks(spec)

    def operator(*args, **kwargs):
        for i, name, check in checks:
            if i < len(args):
                check(path, name, args[i])
            elif name in kwargs:
                check(path, name, kwargs[name])
        return call_operator(path, args, kwargs)

    operator.__name__ = path.rpartition(".")[2]
    operator.__qualname__ = operator.__name__
    operator.__module__ = __name__
    operator.__doc__ = f"The operator relax.{path}; R.{path} in scripts."
    if spec is not None:
        operator.__signature__ = signature(spec)
    return operator


class Space(ModuleType):
    """Operators behind a name, such as nn; a module of its own for those who import it."""

    def __init__(self, name, module=None):
        super().__init__(f"{__name__}.{module or name}", f"The operators relax.{name}.*.")
        self._name = name
        self.__path__ = []
        sys.modules[self.__name__] = self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        path = f"{self._name}.{name}"
        if path in ("dist.device_mesh", "dist.DTensor"):
            from ...script import relax as _script

            return getattr(_script, name)
        if path not in _SPECS and path not in ("nn.dense", "dist.call_tir", "dist.call_tir_local_view", "dist.const"):
            raise AttributeError(f"there is no operator relax.{path}")
        operator = _dense if path == "nn.dense" else make_operator(path, _SPECS.get(path))
        setattr(self, name, operator)
        return operator

    def __dir__(self):
        return sorted(path[len(self._name) + 1:] for path in _SPECS if path.startswith(self._name + "."))


_SPECS = dict(_core.relax_op_names())
_MORE = ("call_tir", "call_tir_inplace", "call_tir_with_grad", "call_dps_packed", "call_pure_packed", "call_inplace_packed", "call_builtin_with_ctx",
         "invoke_closure", "invoke_pure_closure", "print", "assert_op", "shape", "prim_value", "str", "dtype", "tuple")
nn = Space("nn")
image = Space("image")
vision = Space("vision")
memory = Space("memory")
builtin = Space("builtin")
ccl = Space("ccl")
inspect = Space("inspect")
grad = Space("grad")
distributed = dist = Space("dist", "distributed")
vm = Space("vm")


def _dense(x, w):
    """x times the transposed w, as it was called in 2022."""
    return permute_dims_matmul(x, w)


def permute_dims_matmul(x, w):
    """x times the transposed w, what was called dense in 2022."""
    return call_operator("matmul", (x, call_operator("permute_dims", (w,), {})), {})


dense = _dense


def linear(data, weight, bias=None, out_dtype=None):
    """data times the transposed weight, plus bias."""
    kwargs = {} if out_dtype is None else {"out_dtype": out_dtype}
    product = call_operator("matmul", (data, call_operator("permute_dims", (weight,), {})), kwargs)
    return product if bias is None else call_operator("add", (product, bias), {})


def relu(data):
    """R.nn.relu, as it was called in 2022."""
    return call_operator("nn.relu", (data,), {})


def _infos(out_sinfo, shape=None, dtype=None):
    if isinstance(out_sinfo, (list, tuple)):
        return [_argument(x) for x in out_sinfo]
    return _argument(out_sinfo)


def _result(out_sinfo, out_ty):
    """What a call gives: out_sinfo, or out_ty as 2026 calls it."""
    if out_sinfo is None and out_ty is None:
        raise TypeError("the call needs out_sinfo (out_ty since 2026): what it gives")
    return out_ty if out_sinfo is None else out_sinfo


def call_tir(gvar, args, out_sinfo=None, tir_vars=None, dtype=None, out_ty=None):
    """The call of a PrimFunc that writes its results.  As in 2022, `out_sinfo` may be a shape, with `dtype`, and `gvar` a packed function."""
    out_sinfo = _result(out_sinfo, out_ty)
    if dtype is not None:
        out_sinfo = [TensorStructInfo(s, d) for s, d in zip(out_sinfo, dtype)] if isinstance(dtype, (list, tuple)) else TensorStructInfo(out_sinfo, dtype)
    if isinstance(gvar, (str, ExternFunc)):
        return call_dps_packed(gvar, args, out_sinfo)
    return call_operator("call_tir", (gvar, args if not isinstance(args, list) else tuple(args)),
                         {"out_sinfo": _infos(out_sinfo), **({"tir_vars": tir_vars} if tir_vars is not None else {})})


def call_dps_packed(func, args, out_sinfo=None, out_ty=None):
    """The call of a packed function that writes its results."""
    out_sinfo = _result(out_sinfo, out_ty)
    func = func.global_symbol if isinstance(func, ExternFunc) else func
    return call_operator("call_dps_packed", (func, args if not isinstance(args, list) else tuple(args)), {"out_sinfo": _infos(out_sinfo)})


def call_pure_packed(func, *args, sinfo_args=(), ty_args=()):
    """The call of a packed function without effects."""
    sinfo_args = sinfo_args or ty_args
    func = func.global_symbol if isinstance(func, ExternFunc) else func
    sinfo_args = [sinfo_args] if isinstance(sinfo_args, StructInfo) or hasattr(sinfo_args, "as_struct_info") else list(sinfo_args)
    return call_operator("call_pure_packed", (func, *args), {"sinfo_args": [_argument(x) for x in sinfo_args]})


def layout_transform(x, index_map, pad_value=None, axis_separators=None, input_axis_separators=None):
    """The tensor with its elements where the index map says."""
    if callable(index_map):
        from ...tir import IndexMap

        index_map = IndexMap.from_func(index_map, index_dtype="int64")
    dtype = str(getattr(x.struct_info_, "dtype", ""))
    if isinstance(pad_value, int) and dtype not in ("", "void") or isinstance(pad_value, float) and "float" in dtype:
        from ...tir import const
        from ..expr import PrimValue

        pad_value = PrimValue(const(pad_value, dtype))
    more = {} if pad_value is None else {"pad_value": pad_value}
    return call_operator("layout_transform", (x,), {"index_map": index_map, "axis_separators": axis_separators or [],
                                                    "input_axis_separators": input_axis_separators or [], **more})


def quantize(data, scale, zero_point, axis=-1, out_dtype="int8"):
    """Numbers as whole numbers of a scale."""
    return call_operator("quantize", (data, scale, zero_point), {"axis": axis, "out_dtype": out_dtype})


def dequantize(data, scale, zero_point, axis=-1, out_dtype="float32"):
    """Whole numbers of a scale as numbers."""
    return call_operator("dequantize", (data, scale, zero_point), {"axis": axis, "out_dtype": out_dtype})


def masked_fill(x, mask, value):
    """x, with one value where the mask holds."""
    from ..expr import Expr, const

    info = x.struct_info
    if not isinstance(value, Expr):
        value = const(value, info.dtype if info.dtype != "void" else None)
    return call_operator("where", (mask, value, x), {})


def strided_slice(x, axes, begin, end, strides=None, assume_inbound=False):
    """The operator relax.strided_slice; R.strided_slice in scripts."""
    for name, given in (("begin", begin), ("end", end), ("strides", strides)):
        if isinstance(axes, (list, tuple)) and isinstance(given, (list, tuple)) and len(given) != len(axes):
            raise _ValueMismatch(f"strided_slice: `{name}` has one value for each of the {len(axes)} axes, not {len(given)}")
    more = {} if strides is None else {"strides": strides}
    return call_operator("strided_slice", (x, axes, begin, end), {**more, "assume_inbound": assume_inbound})


strided_slice.__signature__ = signature(_SPECS["strided_slice"])


def _resize2d(data, size, *args, **kwargs):
    from ...tir import PrimExpr

    return call_operator("image.resize2d", (data, (size, size) if isinstance(size, (int, PrimExpr)) else size) + args, kwargs)


_resize2d.__name__ = "resize2d"
_resize2d.__doc__ = "The operator relax.image.resize2d; R.image.resize2d in scripts."
_resize2d.__signature__ = signature(_SPECS["image.resize2d"])
image.resize2d = _resize2d


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name in _SPECS or name in _MORE:
        operator = make_operator(name, _SPECS.get(name))
        globals()[name] = operator
        return operator
    raise AttributeError(f"module 'tvm.relax.op' has no attribute '{name}'")


def __dir__():
    return sorted(set(globals()) | {n for n in _SPECS if "." not in n} | set(_MORE))


class _Family(ModuleType):
    """The operators of the package under the name of a family, for those who import it."""

    def __init__(self, name):
        super().__init__(f"{__name__}.{name}", f"Operators of Relax: {name}.")
        sys.modules[self.__name__] = self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(sys.modules[__package__], name)


for _name in ("base", "binary", "create", "datatype", "index", "linear_algebra", "manipulate", "mask", "op_attrs", "qdq", "sampling", "search", "set",
              "sorting", "statistical", "ternary", "unary", "_op_gradient"):
    _Family(_name)

_ = Tuple
