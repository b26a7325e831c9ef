"""R: Relax functions, and the values that their annotations evaluate to."""
import sys

from . import source as _source


def _under_its_symbol(mod, name, func):
    """The module of a function alone that says itself what it is called."""
    symbol = (func.attrs or {}).get("global_symbol")
    if symbol is None or str(symbol) == name:
        return mod
    from ..ir import IRModule

    return IRModule({str(symbol): func}, global_infos=mod.global_infos)


def function(f=None, pure=True, private=False, check_well_formed=True):
    """Decorator: a Python function becomes a Relax function.  Inside a class that becomes a module nothing happens yet."""

    def decorate(func, frame):
        if not hasattr(func, "__code__"):
            raise TypeError(f"Expect a function, but got: {func}")
        if _source.in_class_body(frame):
            return func
        text, filename, line = _source.definition_of(func)
        names = _source.captured([func])
        if frame is not None and frame.f_locals is not frame.f_globals:
            names.update(frame.f_locals)
        text, line = _source.decorated(text, line, f"function(pure={pure}, private={private})", names, "_R", sys.modules[__name__])
        mod = _source.parse_text(text, filename, line, names, not check_well_formed)
        made = mod[func.__name__]
        if check_well_formed:
            _source.check_relax(_under_its_symbol(mod, func.__name__, made))
        return made

    frame = sys._getframe(1)
    if f is not None:
        return decorate(f, frame)
    return lambda func: decorate(func, sys._getframe(1))


def macro(*args, hygienic=True):
    """Decorator: a function whose body is put where it is called."""

    def decorate(func):
        return _source.mark_macro(func, hygienic)

    if not args:
        return decorate
    if len(args) == 1 and callable(args[0]):
        return decorate(args[0])
    raise ValueError("Invalid use of the macro decorator: it stands for itself, or has keyword arguments only")


def te_caller():
    """What R.emit_te (function, ...) of one script does: a function that gives the call, the name and the program of the PrimFunc."""
    from ..relax.block_builder import BlockBuilder

    builder = BlockBuilder()

    def call_te(func, *args, **kwargs):
        call = builder.call_te(func, *args, **kwargs)
        gvar = call.args[0]
        return call, gvar.name_hint, builder.get()[gvar]

    # Not of the vocabulary: the reader of scripts calls it as it is.
    call_te.__module__ = "__main__"
    return call_te


def rewriter(mod):
    """Decorator: a class of two functions, `pattern` and `replacement`, becomes a rule that replaces one by the other."""
    from ..ir.module import IRModule
    from ..relax.dpl import PatternMatchingRewriter
    from . import ir

    if not isinstance(mod, IRModule):
        mod = ir._decorate_module(mod, sys._getframe(1), False, as_module=True)
    return PatternMatchingRewriter.from_module(mod)


class _Proxy:
    """The value of an annotation such as R.Tensor ((1, "m"), "float32")."""

    def __init__(self, name, args, kwargs):
        self.name, self.args, self.kwargs = name, args, kwargs

    def as_struct_info(self, dict_globals=None):
        """The struct info that it says; dimensions that are texts become variables."""
        from .. import relax

        return relax.struct_info.from_proxy(self.name, self.args, self.kwargs)

    def asobject(self):
        """The struct info."""
        return self.as_struct_info()

    def __repr__(self):
        return f"R.{self.name}{self.args}"


StructInfoProxy = _Proxy


def _annotation(name):
    class Annotation(type):
        """Called it gives the value of an annotation."""

        def __call__(cls, *args, **kwargs):
            return _Proxy(name, args, kwargs)

        def __getitem__(cls, args):
            return _Proxy(name, args if isinstance(args, tuple) else (args,), {})

    return Annotation(name, (), {"__doc__": f"R.{name}: what is known of a value."})


Tensor = _annotation("Tensor")
Shape = _annotation("Shape")
Prim = _annotation("Prim")
Tuple = _annotation("Tuple")
Object = _annotation("Object")
Callable = _annotation("Callable")
DTensor = _annotation("DTensor")
Any = Object
TensorProxy, ShapeProxy, PrimProxy, TupleProxy, ObjectProxy, CallableProxy = Tensor, Shape, Prim, Tuple, Object, Callable


# What has a meaning inside a script, and between the calls of a builder.
_BUILDER = ("arg", "dataflow", "emit", "emit_match_cast", "emit_te", "emit_with_sinfo", "emit_var_binding", "func_attr", "func_name", "func_ret_struct_info",
            "func_ret_value", "output", "If", "Then", "Else")
_VALUES = ("call_packed", "shape", "prim_value", "str", "dtype", "tuple")


def _value(name):
    def make(*args, **kwargs):
        from ..relax.op import call_operator

        return call_operator(name, args, kwargs)

    make.__name__ = name
    return make


def _inside(name):
    """A name that has a meaning inside a script, and between the calls of a builder."""
    from .ir_builder.base import IRBuilder
    from .ir_builder.relax import ir
    from .tir import _Inside

    class Inside(_Inside):
        """Of R."""

        def __call__(self, *args, **kwargs):
            if IRBuilder.is_in_scope() and hasattr(ir, name):
                return getattr(ir, name)(*args, **kwargs)
            raise RuntimeError(f"R.{name} has a meaning only inside a function that is decorated with R.function")

    return Inside(name)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    from .. import relax

    if name == "device_mesh":
        return relax.distributed.device_mesh
    if name in ("vdevice", "dummy_global_info"):         # where 2026 has them
        from . import ir as _ir

        return getattr(_ir, name)
    if name in _BUILDER:
        return _inside(name)
    found = getattr(relax.op, name, None)
    if found is None:
        found = getattr(relax, name, None)
    if found is None and name in _VALUES:
        return _value(name)
    return _inside(name) if found is None else found
