"""Conversions between Python values and expressions."""
from . import expr as _e


def convert_to_expr(value):
    """A Python value as an expression: numbers, texts, lists of expressions."""
    from ..runtime import convert_to_object
    from ..tir import PrimExpr

    if isinstance(value, int) and not isinstance(value, bool):
        return _e.PrimValue(value)
    if isinstance(value, (bool, float, PrimExpr)):
        return _e.PrimValue(value)
    if isinstance(value, str):
        return _e.StringImm(value)
    if isinstance(value, _e.Expr):
        return value
    if isinstance(value, (list, tuple)):
        values = [convert_to_expr(x) for x in value]
        return _e.Tuple(values)
    value = convert_to_object(value)
    if not isinstance(value, _e.Expr):
        raise TypeError(f"Cannot convert {value} with type {type(value)} to `relax.Expr`")
    return value


def copy_with_new_vars(func):
    """A function like this one, with variables of its own."""
    import _loopscope as _core

    return _core.relax_copy_function(func)


def gen_call_tir_inputs(func, *args, **kwargs):
    """Not offered apart from BlockBuilder.call_te."""
    raise NotImplementedError("use BlockBuilder.call_te")


def metadata_partitioner(rx_txt):
    """The parts of a text: the module, and its metadata."""
    meta, rest = [], rx_txt
    for mark in ("metadata = tvm.ir.load_json(", "# Metadata omitted"):
        at = rest.find(mark)
        if at >= 0:
            meta, rest = [rest[at:]], rest[:at]
    return [rest] + meta
