"""T: TensorIR functions, and the values that their annotations evaluate to."""
import sys

import _loopscope as _core

from . import source as _source

__path__ = []           # tvm.s_tir.script.ir_builder is asked for below one of its names

_DTYPES = [f"{name}{bits}" for name in ("int", "uint") for bits in (8, 16, 32, 64)] + [
    "float16", "float32", "float64", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz",
    "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn"]


def prim_func(func=None, private=False, check_well_formed=True, s_tir=True):
    """Decorator: a Python function becomes a PrimFunc.  Inside a class that becomes a module nothing happens yet.
    `s_tir` is the newer marker of schedulable functions: all are here."""

    def decorate(f, frame):
        if not hasattr(f, "__code__"):
            raise TypeError(f"Expect a function, but got: {f}")
        if _source.in_class_body(frame):
            return f
        text, filename, line = _source.definition_of(f)
        names = _source.captured([f])
        if frame is not None and frame.f_locals is not frame.f_globals:
            for name, value in frame.f_locals.items():
                names[name] = value
        text, line = _source.decorated(text, line, "prim_func(private=True)" if private else "prim_func", names, "_T", sys.modules[__name__])
        mod = _source.parse_text(text, filename, line, names)
        result = mod[f.__name__]
        if check_well_formed:
            _source.check(result)
        return result

    frame = sys._getframe(1)
    if func is not None:
        return decorate(func, frame)
    return lambda f: decorate(f, sys._getframe(1))


def _buffer(shape, dtype="float32", data=None, strides=None, elem_offset=None, scope="global", align=0, offset_factor=0, buffer_type="", axis_separators=None):
    from ..tir.buffer import decl_buffer
    from ..tir.expr import Var

    if isinstance(shape, (str, int)) or not hasattr(shape, "__iter__"):
        shape = (shape,)
    shape = [Var(x, "int32") if isinstance(x, str) else x for x in shape]
    try:
        return decl_buffer(shape, str(dtype), name="buffer", data=data, strides=strides, elem_offset=elem_offset, scope=scope,
                           data_alignment=align, offset_factor=offset_factor, buffer_type=buffer_type, axis_separators=axis_separators)
    except (TypeError, ValueError):
        return None                 # an annotation; what is wrong with it the parser says


class _Buffer:
    """T.Buffer: called or indexed, it gives a buffer; a class for annotations of Python."""

    def __call__(self, *args, **kwargs):
        return _buffer(*args, **kwargs)

    def __getitem__(self, keys):
        if isinstance(keys, tuple) and len(keys) > 1 and (isinstance(keys[0], (tuple, list)) or isinstance(keys[-1], str)):
            return _buffer(*keys)
        return _buffer(keys)


Buffer = _Buffer()
Tensor, function = Buffer, prim_func      # what the newest scripts call them


def dynamic(name, dtype="int64"):
    """A variable for extents that only a run knows: scripts of 2026 make it outside of the functions whose annotations say it."""
    from ..tir.expr import Var

    return Var(name, str(dtype))


class _DType:
    """T.float32 and its kind: called it makes a constant, a cast or a variable."""

    def __init__(self, dtype):
        self._dtype = dtype

    def __call__(self, expr=None, is_size_var=False, **unused):
        from ..tir import expr as _expr

        if expr is None or (isinstance(expr, str) and expr not in ("inf", "-inf", "nan")):
            name = expr if isinstance(expr, str) else ""
            return _expr.SizeVar(name, self._dtype) if is_size_var else _expr.Var(name, self._dtype)
        if isinstance(expr, str):
            return _expr.const(float(expr), self._dtype)
        if isinstance(expr, (int, float)) or hasattr(expr, "item"):
            return _expr.const(expr, self._dtype)
        return _core.cast(self._dtype, expr)

    def __str__(self):
        return self._dtype

    def __repr__(self):
        return f"T.{self._dtype}"

    def __eq__(self, other):
        return str(self) == str(other)

    def __hash__(self):
        return hash(self._dtype)


for _name in _DTYPES:
    for _lanes in ("", "x4", "x8", "x16", "x32", "x64"):
        globals()[_name + _lanes] = _DType(_name + _lanes)
bool = boolean = _DType("bool")  # noqa: A001
void = _DType("void")


class _Handle:
    """T.handle: a pointer variable."""

    def __call__(self, dtype=None, storage_scope="global", *, is_size_var=False, is_unknown_type=False):
        from ..ir.type import PointerType, PrimType
        from ..tir import expr as _expr

        if dtype is None:
            return _expr.Var("", "handle")
        return _expr.Var("", PointerType(PrimType(str(dtype)), storage_scope))

    def __str__(self):
        return "handle"

    def __repr__(self):
        return "T.handle"


class _Ptr(_Handle):
    """T.Ptr: a pointer with its element type, which may also stand in brackets."""

    def __getitem__(self, keys):
        return self(*keys) if isinstance(keys, tuple) else self(keys)


handle = _Handle()
Ptr = _Ptr()


def ptr(dtype, storage_scope="global", is_size_var=False):
    """A pointer variable with its element type."""
    return handle(dtype, storage_scope, is_size_var=is_size_var)


def var(dtype, name=""):
    """A variable."""
    from ..tir.expr import Var

    return Var(name, str(dtype))


def index_map(mapping, *, inverse_index_map=None):
    """An index map from a lambda."""
    from ..tir.function import IndexMap

    return IndexMap.from_func(mapping, inverse_index_map=inverse_index_map)


def target(target_config, host=None):
    """A target."""
    from ..target import Target

    return Target(target_config, host)


class meta_var:
    """A value of Python that a name stands for, with nothing bound in the program; its parts are of the same kind."""

    def __init__(self, value):
        self.__meta_value__ = value

    @property
    def value(self):
        """The value."""
        return self.__meta_value__

    def __iter__(self):
        return (meta_var(part) for part in self.__meta_value__)


def macro(*args, hygienic=True):
    """Decorator: a function whose body is put where it is called."""

    def decorate(func):
        _source.mark_macro(func, hygienic)
        return func

    if not args:
        return decorate
    if len(args) == 1 and callable(args[0]):
        return decorate(args[0])
    raise ValueError("Invalid use of the macro decorator: it stands for itself, or has keyword arguments only")


inline = macro


def ramp(base, stride, lanes):
    """base, base + stride, ...: T.Ramp."""
    from ..tir import Ramp

    return Ramp(base, stride, lanes)


def broadcast(value, lanes):
    """A value in all lanes: T.Broadcast."""
    from ..tir import Broadcast

    return Broadcast(value, lanes)


def cast(value, dtype, span=None):
    """The value as another type."""
    from ..tir import Cast
    from ..tir.op import const

    value = value if hasattr(value, "dtype") else const(value)
    return value if str(value.dtype) == str(dtype) else value.astype(dtype) if hasattr(value, "astype") else Cast(dtype, value)


def iter_var(v, dom, iter_type, thread_tag):
    """An iterator: T.iter_var."""
    from ..ir import Range
    from ..tir import IterVar, Var

    kinds = {"DataPar": IterVar.DataPar, "ThreadIndex": IterVar.ThreadIndex, "CommReduce": IterVar.CommReduce, "Ordered": IterVar.Ordered,
             "Opaque": IterVar.DimInfo, "Unrolled": IterVar.Unrolled, "Vectorized": IterVar.Vectorized, "Parallelized": IterVar.Parallelized,
             "Tensorized": IterVar.Tensorized}
    var = v if not isinstance(v, str) else Var(v, "int32")
    dom = Range(*dom) if isinstance(dom, (tuple, list)) else dom
    return IterVar(dom, var, kinds[iter_type] if isinstance(iter_type, str) else iter_type, thread_tag)


def Range(begin, end):  # noqa: N802
    """[begin, end)."""
    from ..ir import Range as _Range

    return _Range(begin, end)


def comm_reducer(combiner, identity):
    """A reducer: a function of as many left and right values as there are identities."""
    from ..tir import CommReducer, Var

    identity = list(identity)
    lhs = [Var(f"x{i}" if len(identity) > 1 else "x", value.dtype) for i, value in enumerate(identity)]
    rhs = [Var(f"y{i}" if len(identity) > 1 else "y", value.dtype) for i, value in enumerate(identity)]
    result = combiner(*lhs, *rhs)
    return CommReducer(lhs, rhs, list(result) if isinstance(result, (list, tuple)) else [result], identity)


class _Inside:
    """A name that has a meaning only inside a script."""

    def __init__(self, name):
        self.__name__ = name

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"T.{self.__name__} has a meaning only inside a function that is decorated with T.prim_func")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Inside(f"{self.__name__}.{name}")


_FRAMES = ("grid", "serial", "parallel", "vectorized", "unroll", "thread_binding", "block", "sblock", "init", "axis", "where", "reads", "writes", "block_attr",
           "alloc_buffer", "match_buffer", "decl_buffer", "func_attr", "func_name", "func_ret", "Assert", "Let", "LetStmt", "let", "realize", "allocate", "allocate_const",
           "attr", "While", "If", "Then", "Else", "launch_thread", "env_thread", "buffer_store", "prefetch", "evaluate", "preflattened_buffer", "sblock_attr")


def __getattr__(name):
    if name in _FRAMES:
        return _Inside(name)
    if name.startswith("__"):
        raise AttributeError(name)
    from .. import tir

    found = getattr(tir, name, None) or getattr(tir.op, name, None)
    if found is None:
        raise AttributeError(f"module 'tvm.script.tir' has no attribute '{name}'")
    return found
