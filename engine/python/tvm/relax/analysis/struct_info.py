"""How struct infos stand to each other."""
import enum

import _loopscope as _core


class BaseCheckResult(enum.IntEnum):
    """Is every value of one struct info one of another?  From certainly not to yes."""

    FAIL_L0 = 0
    FAIL_L1 = 1
    FAIL_L2 = 2
    PASS = 3


_FAIL_L0, _FAIL_L1, _FAIL_L2, _PASS = BaseCheckResult


def _value_check(a, b, symbols):
    from ...arith import Analyzer
    from ...tir.stmt_functor import substitute

    if _core.kind(a) in ("Var", "SizeVar") and symbols is not None and not any(a.same_as(x) for x in symbols.keys()):
        symbols[a] = b
        return _PASS
    if symbols:
        a = substitute(a, symbols)
    if _core.equal(a, b, False) is True:
        return _PASS
    if a.dtype != b.dtype:
        return _FAIL_L0
    difference = Analyzer().simplify(a - b)
    if _core.kind(difference) == "IntImm":
        return _PASS if int(difference) == 0 else _FAIL_L0
    return _FAIL_L2


def _extents_check(a, b, symbols):
    if len(a) != len(b):
        return _FAIL_L0
    return min([_value_check(x, y, symbols) for x, y in zip(a, b)], default=_PASS)


def _tensor_check(a, b, symbols):
    result = _PASS
    if a.dtype != "void" and a.dtype != b.dtype:
        if b.dtype != "void":
            return _FAIL_L0
        result = _FAIL_L1
    if a.vdevice is not None and b.vdevice is not None and not _core.equal(a.vdevice, b.vdevice, False) is True:
        return _FAIL_L0
    if a.vdevice is not None and b.vdevice is None:
        result = _FAIL_L1
    if a.ndim != -1 and a.ndim != b.ndim:
        if b.ndim != -1:
            return _FAIL_L0
        result = min(result, _FAIL_L1)
    if a.shape is None or result != _PASS:
        return result
    if b.shape is None:
        return _FAIL_L2
    if a.shape.same_as(b.shape):
        return _PASS
    shapes = [x.values if _core.kind(x) == "ShapeExpr" else getattr(x.struct_info, "values", None) for x in (a.shape, b.shape)]
    return _FAIL_L2 if None in shapes else _extents_check(*shapes, symbols)


def _shape_check(a, b, symbols):
    if a.ndim == -1:
        return _PASS
    if b.ndim == -1:
        return _FAIL_L1
    if a.ndim != b.ndim:
        return _FAIL_L0
    if a.values is None:
        return _PASS
    return _FAIL_L2 if b.values is None else _extents_check(a.values, b.values, symbols)


def _prim_check(a, b, symbols):
    if a.dtype != b.dtype:
        return _FAIL_L0
    if a.value is None:
        return _PASS
    return _FAIL_L2 if b.value is None else _value_check(a.value, b.value, symbols)


def _func_check(a, b, symbols):
    if a.purity and not b.purity:
        return _FAIL_L0
    if a.params is None:
        return _PASS
    if b.params is None:
        return _FAIL_L2
    if len(a.params) != len(b.params):
        return _FAIL_L0
    symbols = {}
    return min([_check(x, y, symbols) for x, y in zip(a.params, b.params)] + [_check(a.ret, b.ret, symbols)])


def _tuple_check(a, b, symbols):
    if len(a.fields) != len(b.fields):
        return _FAIL_L0
    return min([_check(x, y, symbols) for x, y in zip(a.fields, b.fields)], default=_PASS)


def _dtensor_check(a, b, symbols):
    same = _core.equal(a.device_mesh, b.device_mesh, False) is True and _core.equal(a.placement, b.placement, False) is True
    return min(_tensor_check(a.tensor_sinfo, b.tensor_sinfo, symbols), _PASS if same else _FAIL_L1)


_CHECKS = {"DTensorStructInfo": _dtensor_check, "TensorStructInfo": _tensor_check, "ShapeStructInfo": _shape_check, "PrimStructInfo": _prim_check, "FuncStructInfo": _func_check,
           "TupleStructInfo": _tuple_check}


def _check(a, b, symbols):
    kind = _core.kind(a)
    if kind == "ObjectStructInfo":
        return _PASS
    if _core.kind(b) != kind:
        return _FAIL_L1 if _core.kind(b) == "ObjectStructInfo" else _FAIL_L0
    return _CHECKS[kind](a, b, symbols)


def struct_info_base_check(base, derived):
    """How certain it is that values of `derived` are values of `base`."""
    return _check(base, derived, None)


def struct_info_is_base_of(base, derived):
    """Does everything that base says hold for derived?"""
    return struct_info_base_check(base, derived) == _PASS


def struct_info_lca(lhs, rhs):
    """The most that holds for both."""
    return _core.struct_info_unify(lhs, rhs)


def _erased(values, symbols):
    from ...arith import Analyzer
    from ...tir.stmt_functor import substitute

    result = []
    for value in values:
        for var in _core.relax_symbols(_core.make("ShapeExpr", [value]), 0):
            if not any(var.same_as(x) for x in symbols):
                return None
        changed = substitute(value, symbols)
        result.append(value if _core.equal(changed, value, False) is True else Analyzer().simplify(changed))
    return result


def erase_to_well_defined(sinfo, shape_var_map=None, var_map=None):
    """What is left of a struct info where only some variables are known."""
    from ...tir import IntImm
    from ..struct_info import PrimStructInfo, ShapeStructInfo, TensorStructInfo, TupleStructInfo

    symbols = {k: IntImm(k.dtype, v) if isinstance(v, int) else v for k, v in (shape_var_map or {}).items()}
    exprs = var_map or {}
    kind = _core.kind(sinfo)
    if kind == "TupleStructInfo":
        return TupleStructInfo([erase_to_well_defined(x, symbols, exprs) for x in sinfo.fields])
    if kind == "PrimStructInfo" and sinfo.value is not None:
        value = _erased([sinfo.value], symbols)
        return PrimStructInfo(sinfo.dtype) if value is None else PrimStructInfo(value=value[0])
    if kind == "ShapeStructInfo" and sinfo.values is not None:
        values = _erased(sinfo.values, symbols)
        return ShapeStructInfo(ndim=sinfo.ndim) if values is None else ShapeStructInfo(values)
    if kind != "TensorStructInfo" or sinfo.shape is None:
        return sinfo
    unknown = TensorStructInfo(None, sinfo.dtype, sinfo.vdevice, sinfo.ndim)
    if _core.kind(sinfo.shape) == "ShapeExpr":
        values = _erased(sinfo.shape.values, symbols)
        return unknown if values is None else TensorStructInfo(values, sinfo.dtype, sinfo.vdevice)
    for var, value in exprs.items():
        if sinfo.shape.same_as(var):
            return TensorStructInfo(value, sinfo.dtype, sinfo.vdevice)
    return unknown


def derive_call_ret_struct_info(func_sinfo, call, ctx=None):
    """What a call of a function of this signature gives."""
    from ...error import TVMError

    params = func_sinfo.params
    if params is not None:
        if len(params) != len(call.args):
            raise TVMError(f"Number of arguments and parameters mismatch: expected {len(params)}, given {len(call.args)}")
        symbols = {}
        for i, (param, arg) in enumerate(zip(params, call.args)):
            if _check(param, arg.struct_info, symbols) in (_FAIL_L0, _FAIL_L1):
                raise TVMError(f"Argument {i} type mismatch: expected {param}, given {arg.struct_info}")
    elif func_sinfo.derive_func is not None:
        from .. import BlockBuilder, Call, Var

        return BlockBuilder().normalize(Call(Var("f", func_sinfo), call.args)).struct_info
    return _core.signature_result(func_sinfo, call)


def get_static_type(sinfo):
    """The type of values: what is known without dimensions."""
    from ...ir.type import PrimType
    from ..ty import DynTensorType, FuncType, ObjectType, PackedFuncType, ShapeType, TupleType

    kind = _core.kind(sinfo)
    if kind == "TensorStructInfo":
        return DynTensorType(sinfo.ndim, sinfo.dtype)
    if kind == "ShapeStructInfo":
        return ShapeType(sinfo.ndim)
    if kind == "PrimStructInfo":
        return PrimType(sinfo.dtype)
    if kind == "TupleStructInfo":
        return TupleType([get_static_type(x) for x in sinfo.fields])
    if kind == "FuncStructInfo":
        return PackedFuncType() if sinfo.params is None else FuncType([get_static_type(x) for x in sinfo.params], get_static_type(sinfo.ret))
    return ObjectType()
