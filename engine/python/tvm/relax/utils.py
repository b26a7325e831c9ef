"""Conversions between Python values and expressions."""
import functools
import inspect
import typing

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


def convert_to_expr_list(value):
    """A list of Python values as a list of expressions."""
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"a list of expressions is expected, not {value!r}")
    return [convert_to_expr(x) for x in value]


class _ArgsConverter:
    """Decorators that convert arguments before a function is called: those that are named, or by their annotations."""

    @staticmethod
    def _convert(func, names, convert):
        signature = inspect.signature(func)
        kinds = {name: param.kind for name, param in signature.parameters.items()}

        def once(name, value):
            return value if value is None or name not in names else convert[name](value)

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            bound = signature.bind(*args, **kwargs)
            for name, value in bound.arguments.items():
                if kinds[name] is inspect.Parameter.VAR_POSITIONAL:
                    bound.arguments[name] = tuple(once(name, x) for x in value)
                elif kinds[name] is inspect.Parameter.VAR_KEYWORD:
                    bound.arguments[name] = {key: once(name, x) for key, x in value.items()}
                else:
                    bound.arguments[name] = once(name, value)
            return func(*bound.args, **bound.kwargs)

        return wrapper

    def to_expr(self, *arg_names):
        """The named arguments become expressions."""
        return lambda func: self._convert(func, set(arg_names), dict.fromkeys(arg_names, convert_to_expr))

    def to_list_expr(self, *arg_names):
        """The named arguments become lists of expressions."""
        return lambda func: self._convert(func, set(arg_names), dict.fromkeys(arg_names, convert_to_expr_list))

    def auto(self, func):
        """Arguments that are annotated as Expr or lists of them, optional or not, are converted."""
        convert = {}
        for name, param in inspect.signature(func).parameters.items():
            kind = param.annotation
            if kind in (_e.Expr, typing.Optional[_e.Expr]):
                convert[name] = convert_to_expr
            elif kind in (typing.List[_e.Expr], typing.Optional[typing.List[_e.Expr]], list[_e.Expr]):
                convert[name] = convert_to_expr_list
        return self._convert(func, set(convert), convert)


args_converter = _ArgsConverter()


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
