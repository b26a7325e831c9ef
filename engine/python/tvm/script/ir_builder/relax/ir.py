"""The functions of R of the builder: those of scripts that make functions and bindings; every operator of Relax is here too."""
import builtins

from .... import relax as _relax
from ....relax import expr as _expr
from ..base import IRBuilder
from . import frame as _frame

py_print, py_str, py_tuple = builtins.print, builtins.str, builtins.tuple


def _around(kind=_frame.SeqExprFrame):
    found = IRBuilder.current().find(kind)
    if found is None:
        raise ValueError("This stands inside a Relax function: with R.function ()")
    return found


def function(is_pure=True, is_private=False):
    """A function, for `with`."""
    return _frame.FunctionFrame(is_pure, is_private)


def arg(name, struct_info):
    """A parameter."""
    var = _expr.Var(name, struct_info)
    _around(_frame.FunctionFrame).params.append(var)
    return var


def func_name(name):
    """The name of the function."""
    _around(_frame.FunctionFrame).name = name


def func_attr(attrs):
    """Attributes of the function."""
    _around(_frame.FunctionFrame).attrs.update(attrs)


def func_ret_struct_info(ret_sinfo):
    """What is known of the result."""
    _around(_frame.FunctionFrame).ret_struct_info = ret_sinfo


def func_ret_value(value):
    """The result."""
    found = _around(_frame.FunctionFrame)
    if found.output is not None:
        raise ValueError("The result of a Relax function is said once")
    value = found.block_builder.normalize(value)
    leaf = isinstance(value, (_expr.Var, _expr.Constant, _expr.ShapeExpr, _expr.Tuple, _expr.PrimValue, _expr.StringImm, _expr.DataTypeImm))
    found.output = value if leaf else found.block_builder.emit(value)


def dataflow():
    """A dataflow block, for `with`."""
    return _frame.DataflowFrame()


def output(*vars):  # noqa: A002
    """The variables of a dataflow block that are seen outside."""
    found = _around(_frame.DataflowFrame)
    if found.output_vars:
        raise ValueError("R.output stands once in a dataflow block")
    found.output_vars = list(vars)


def emit(value, annotate_struct_info=None):
    """Binds a value to a new variable."""
    builder = _around().block_builder
    if annotate_struct_info is None:
        return builder.emit(value)
    value = builder.normalize(value)
    var = (_expr.DataflowVar if builder.current_block_is_dataflow() else _expr.Var)(builder.get_unique_name("lv"), annotate_struct_info)
    builder.emit_normalized(_expr.VarBinding(var, value))
    return var


def emit_te(func, *args, **kwargs):
    """The call of a PrimFunc made of a tensor expression, bound to a new variable."""
    return _around().block_builder.emit_te(func, *args, **kwargs)


def emit_match_cast(value, struct_info):
    """A value that has to fit a struct info."""
    return _around().block_builder.match_cast(value, struct_info)


def emit_var_binding(value):
    """A binding as it is."""
    _around().block_builder.emit_normalized(value)
    return value.var


def If(condition):  # noqa: N802
    """An if, for `with`; inside stand Then and Else."""
    return _frame.IfFrame(condition)


def Then():  # noqa: N802
    """The branch of an If that holds, for `with`."""
    return _frame.ThenFrame()


def Else():  # noqa: N802
    """The other branch of an If, for `with`."""
    return _frame.ElseFrame()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    from ... import relax as script

    return getattr(script, name)


_ = _relax
