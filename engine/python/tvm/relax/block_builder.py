"""BlockBuilder: Relax functions binding by binding."""
import _loopscope as _core

from .. import te as _te  # noqa: F401: its tensors have their classes from there
from ..ir.container import Array
from ..tir import PrimExpr
from . import expr as _expr
from .struct_info import ShapeStructInfo, TensorStructInfo, TupleStructInfo


class FunctionScope:
    """`with bb.function (...)`"""

    def __init__(self, builder, name, params, attrs, is_pure, private):
        self._builder, self._args = builder, (name, params, attrs, is_pure, private)

    def __enter__(self):
        self._builder._enter_function(*self._args)
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self._builder._exit_function(exc_type is None)


class DataflowScope:
    """`with bb.dataflow ()`"""

    def __init__(self, builder):
        self._builder = builder

    def __enter__(self):
        self._builder._impl.begin_dataflow()
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        if exc_type is None:
            self._builder._impl.end_dataflow()


class TestingScope:
    """A block outside of any function."""

    def __init__(self, builder, def_vars):
        self._builder = builder

    def __enter__(self):
        self._builder._impl.begin_block(False)
        return self

    def __exit__(self, *unused):
        pass


def _is_tensors(value):
    info = value.struct_info_ if isinstance(value, _expr.Expr) else None
    return isinstance(info, TupleStructInfo)


class BlockBuilder:
    """Makes Relax functions binding by binding."""

    _stack = []

    def __init__(self, mod=None):
        self._impl = _core.Builder(mod)
        self._open = []

    @staticmethod
    def current():
        """The builder whose function is open."""
        return BlockBuilder._stack[-1] if BlockBuilder._stack else None

    def _enter_function(self, name, params, attrs, is_pure, private):
        self._impl.begin_function(name, params, attrs, is_pure, private)
        self._open.append(False)
        BlockBuilder._stack.append(self)

    def _exit_function(self, good):
        BlockBuilder._stack.pop()
        done = self._open.pop()
        if done != "whole":
            self._impl.abandon_function()
        if good and not done:
            raise RuntimeError("the function ends without a result: emit_func_output says it")

    def function(self, name, params=None, attrs=None, pure=True, private=False):
        """A function, for `with`."""
        if isinstance(params, _expr.Var):
            params = [params]
        elif isinstance(params, (list, tuple)):
            for param in params:
                if not isinstance(param, _expr.Var):
                    raise TypeError(f"a parameter of a function is a relax.Var, not {type(param).__name__}")
        return FunctionScope(self, name, list(params) if params is not None else None, attrs, pure, private)

    def testing_scope(self, def_vars=None):
        """A block outside of any function."""
        return TestingScope(self, def_vars)

    def dataflow(self):
        """A dataflow block, for `with`."""
        return DataflowScope(self)

    def _value(self, expr):
        if isinstance(expr, (list, tuple)):
            return _expr.Tuple([self._value(x) for x in expr])
        return expr

    def emit(self, expr, name_hint=""):
        """Binds an expression to a new variable."""
        return self._impl.emit(self._value(expr), name_hint)

    def _te_argument(self, bridge, value):
        if isinstance(value, (list, tuple, Array)):
            return [self._te_argument(bridge, x) for x in value]
        if isinstance(value, dict):
            return {k: self._te_argument(bridge, v) for k, v in value.items()}
        if isinstance(value, _expr.ShapeExpr):
            return [bridge.expr(x) for x in value.values]
        if isinstance(value, _expr.PrimValue):
            return bridge.expr(value.value)
        if isinstance(value, _expr.StringImm):
            return value.value
        if isinstance(value, _expr.Tuple):
            return [self._te_argument(bridge, x) for x in value.fields]
        if isinstance(value, _expr.Expr):
            info = self._impl.struct_info(value)
            if isinstance(info, TupleStructInfo):
                return list(bridge.tensors(value))
            if isinstance(info, ShapeStructInfo):
                raise AssertionError("a shape goes into a tensor expression as R.shape([...]); the extents of a variable are not known")
            if not isinstance(info, TensorStructInfo):
                raise TypeError(f"{value} is no tensor")
            return bridge.tensor(value)
        if isinstance(value, PrimExpr):
            return bridge.expr(value)
        return value

    def call_te(self, func, *args, **kwargs):
        """The call of a PrimFunc made of a tensor expression."""
        name = kwargs.pop("primfunc_name_hint", None) or getattr(func, "__name__", "main")
        attrs = kwargs.pop("primfunc_attrs", None)
        bridge = _core.Bridge(self._impl)
        result = func(*[self._te_argument(bridge, x) for x in args], **{k: self._te_argument(bridge, v) for k, v in kwargs.items()})
        outputs = list(result) if isinstance(result, (list, tuple, Array)) else [result]
        return bridge.call(outputs, name, dict(attrs) if attrs is not None else None)

    def emit_te(self, func, *args, **kwargs):
        """The same, bound to a new variable."""
        name_hint = kwargs.pop("name_hint", "")
        return self.emit(self.call_te(func, *args, **kwargs), name_hint)

    def call_te_with_grad(self, func, *args, te_grad_name, te_grad_kwargs=None, **kwargs):
        """call_te, with the name and the options of a derivative (training.utils.register_te_gradient) for the pass Gradient."""
        from .op import call_tir_with_grad

        call = self.call_te(func, *args, **kwargs)
        more = {"tir_vars": call.args[2]} if len(call.args) > 2 else {}
        return call_tir_with_grad(call.args[0], call.args[1], list(call.sinfo_args), te_grad_name=te_grad_name, te_grad_kwargs=te_grad_kwargs or {}, **more)

    def match_cast(self, value, struct_info, name_hint=""):
        """A value that has to fit a struct info."""
        if hasattr(struct_info, "as_struct_info"):
            struct_info = struct_info.as_struct_info()
        return self._impl.match_cast(value, struct_info, name_hint)

    def emit_output(self, output, name_hint=""):
        """A variable that is seen outside of the dataflow block."""
        return self._impl.emit_output(self._value(output), name_hint)

    def emit_func_output(self, output, params=None):
        """The result of the function."""
        if not self._open:
            raise RuntimeError("emit_func_output stands inside of `with builder.function(...)`")
        if self._open[-1]:
            raise RuntimeError("the function has its result already: emit_func_output says it once")
        if isinstance(params, _expr.Var):
            params = [params]
        self._open[-1] = "said"
        gvar = self._impl.emit_func_output(self._value(output), list(params) if params is not None else None)
        self._open[-1] = "whole"
        return gvar

    def normalize(self, expr):
        """The expression with leaves for arguments."""
        return self._impl.normalize(expr)

    def get(self):
        """The module as it is now."""
        return self._impl.get()

    def finalize(self):
        """The module, with the names that its functions say."""
        from .transform import NormalizeGlobalVar

        return NormalizeGlobalVar()(self._impl.get())

    def get_unique_name(self, name_prefix):
        """A name that is not taken."""
        return self._impl.unique_name(name_prefix)

    def add_func(self, func, func_name):
        """Adds a function; one that is equal is not added again."""
        return self._impl.add_func(func, func_name)

    def update_func(self, gv, updated_func):
        """Replaces a function."""
        self._impl.update_func(gv, updated_func)

    def current_block_is_dataflow(self):
        """Is the open block a dataflow block?"""
        return self._impl.in_dataflow()

    def emit_normalized(self, binding):
        """A binding as it is."""
        self._impl.emit_binding(binding)

    def lookup_binding(self, var):
        """What a variable was bound to."""
        return self._impl.lookup(var)

    def begin_scope(self, params=None):
        """Kept for programs that mark scopes."""

    def end_scope(self):
        """Kept for programs that mark scopes."""

    def _begin_dataflow_block(self):
        self._impl.begin_block(True)

    def _begin_binding_block(self):
        self._impl.begin_block(False)

    def _end_block(self):
        return self._impl.end_block()
