"""Intrinsics and operators of TensorIR as functions."""
import builtins as _py

import _loopscope as _core

from ..error import TVMError
from ..runtime import DataType
from ..runtime._registry import register_func
from .expr import Call, CommReducer, FloatImm, IntImm, StringImm, Var, const, convert

# What has a constant value; a Cast has a `value` too, which is an expression.
_NUMBERS = (IntImm, FloatImm)

_max = _py.max
_min = _py.min


def call_intrin(dtype, func_name, *args, span=None):
    """A call of an intrinsic."""
    return _core.call(dtype, func_name, list(args))


def call_bitwise(name, a, b):
    """A bitwise operator on two integers of one type, constants computed."""
    if isinstance(a, int) and hasattr(b, "dtype"):
        a = const(a, b.dtype)
    elif isinstance(b, int) and hasattr(a, "dtype"):
        bits = DataType(a.dtype).bits
        if name.startswith("shift") and str(a.dtype).startswith(("int", "uint")) and not 0 <= b < bits:
            raise TVMError(f"Shift amount must be non-negative and less than {bits} for type {a.dtype}")
        b = const(b, a.dtype)
    a, b = convert(a), convert(b)
    for x in (a, b):
        if not x.dtype.startswith(("int", "uint", "bool")):
            raise TVMError(f"Expected integer arguments to {name}, but one is {x.dtype}")
    if a.dtype != b.dtype:
        both = _core.binary("Add", Var("a", a.dtype), Var("b", b.dtype)).dtype
        a, b = a.astype(both), b.astype(both)
    if isinstance(a, IntImm) and isinstance(b, IntImm):
        x, y = int(a), int(b)
        value = {"shift_left": lambda: x << y, "shift_right": lambda: x >> y, "bitwise_and": lambda: x & y, "bitwise_or": lambda: x | y,
                 "bitwise_xor": lambda: x ^ y}[name]()
        return const(value, a.dtype)
    if name.startswith("shift") and isinstance(b, IntImm) and int(b) == 0:
        return a
    return _core.call(a.dtype, f"tir.{name}", [a, b])


# ---- functions of one number, as floats ------------------------------------------------

def _unary(name, doc):
    def call(x, span=None):
        x = convert(x)
        return _core.call(x.dtype, f"tir.{name}", [x])

    call.__name__ = name
    call.__doc__ = doc
    return call


exp = _unary("exp", "e to the power of x")
exp2 = _unary("exp2", "2 to the power of x")
exp10 = _unary("exp10", "10 to the power of x")
erf = _unary("erf", "The error function.")
tanh = _unary("tanh", "The hyperbolic tangent.")
sigmoid = _unary("sigmoid", "1 / (1 + exp (-x))")
log = _unary("log", "The natural logarithm.")
log2 = _unary("log2", "The logarithm to base 2.")
log10 = _unary("log10", "The logarithm to base 10.")
log1p = _unary("log1p", "log (1 + x)")
tan = _unary("tan", "The tangent.")
cos = _unary("cos", "The cosine.")
cosh = _unary("cosh", "The hyperbolic cosine.")
acos = _unary("acos", "The inverse of cos.")
acosh = _unary("acosh", "The inverse of cosh.")
sin = _unary("sin", "The sine.")
sinh = _unary("sinh", "The hyperbolic sine.")
asin = _unary("asin", "The inverse of sin.")
asinh = _unary("asinh", "The inverse of sinh.")
atan = _unary("atan", "The inverse of tan.")
atanh = _unary("atanh", "The inverse of tanh.")
sqrt = _unary("sqrt", "The square root.")
rsqrt = _unary("rsqrt", "1 / sqrt (x)")


def clz(x, span=None):
    """Leading zero bits, as int32."""
    return _core.call("int32", "tir.clz", [convert(x)])


popcount = _unary("popcount", "Bits that are set.")


def _rounding(name, doc, fold):
    def call(x, span=None):
        x = convert(x)
        if not x.dtype.startswith(("float", "bfloat")):
            return x
        if isinstance(x, _NUMBERS):
            return const(_math("copysign")(fold(x.value), x.value), x.dtype) if _math("isfinite")(x.value) else x
        return _core.call(x.dtype, f"tir.{name}", [x])

    call.__name__ = name
    call.__doc__ = doc
    return call


def _half_even(x):
    return float(_py.round(x))


def _math(name):
    import math

    return getattr(math, name)


floor = _rounding("floor", "The whole number below.", lambda x: float(_math("floor")(x)))
ceil = _rounding("ceil", "The whole number above.", lambda x: float(_math("ceil")(x)))
trunc = _rounding("trunc", "Without the fraction.", lambda x: float(_math("trunc")(x)))
round = _rounding("round", "The nearest whole number.", _half_even)  # noqa: A001
nearbyint = _rounding("nearbyint", "The nearest whole number, ties to even.", _half_even)


def abs(x, span=None):  # noqa: A001
    """The absolute value."""
    x = convert(x)
    if x.dtype.startswith("uint") or x.dtype == "bool":
        return x
    if isinstance(x, _NUMBERS):
        return const(_py.abs(x.value), x.dtype)
    if x.dtype.startswith("int"):
        return _core.select(_core.binary("GE", x, const(0, x.dtype)), x, _core.neg(x))
    return _core.call(x.dtype, "tir.fabs", [x])


fabs = abs


def isnan(x, span=None):
    """Is x no number?"""
    x = convert(x)
    lanes = "x" + x.dtype.rpartition("x")[2] if "x" in x.dtype else ""
    if x.dtype.startswith(("int", "uint", "bool")):
        return const(False, "bool" + lanes)
    if isinstance(x, _NUMBERS):
        return const(x.value != x.value, "bool")
    if x.dtype.startswith("float16"):
        x = x.astype("float32" + lanes)
    return _core.call("bool" + lanes, "tir.isnan", [x])


def isinf(x, span=None):
    """Is x infinite?"""
    x = convert(x)
    if not x.dtype.startswith("float"):
        return const(False, "bool")
    return logical_and(_core.binary("EQ", abs(x), infinity(x.dtype)), logical_not(isnan(x)))


def isfinite(x, span=None):
    """Is x neither infinite nor NaN?"""
    x = convert(x)
    return logical_and(logical_not(isinf(x)), logical_not(isnan(x))) if x.dtype.startswith("float") else const(True, "bool")


def isnullptr(x, span=None):
    """Is the pointer null?"""
    return _core.call("bool", "tir.isnullptr", [x])


def _binary_intrinsic(name, doc):
    def call(x1, x2, span=None):
        x1, x2 = convert(x1), convert(x2)
        if x1.dtype != x2.dtype and not isinstance(x2, Var):
            x2 = x2.astype(x1.dtype) if isinstance(x2, _NUMBERS) else x2
        return _core.call(x1.dtype, f"tir.{name}", [x1, x2])

    call.__name__ = name
    call.__doc__ = doc
    return call


atan2 = _binary_intrinsic("atan2", "The angle of a point.")
copysign = _binary_intrinsic("copysign", "x1 with the sign of x2")
hypot = _binary_intrinsic("hypot", "sqrt (x1 * x1 + x2 * x2)")
nextafter = _binary_intrinsic("nextafter", "The next number after x1 towards x2.")
ldexp = _binary_intrinsic("ldexp", "x1 * 2 ** x2")
fmod = _binary_intrinsic("fmod", "The remainder with the sign of x1.")


def logaddexp(a, b, span=None):
    """log (exp (a) + exp (b))"""
    return log(exp(a) + exp(b))


def power(x, y, span=None):
    """x to the power of y."""
    x, y = convert(x), convert(y)
    if x.dtype != y.dtype:
        both = _core.binary("Add", Var("a", x.dtype), Var("b", y.dtype)).dtype
        x, y = x.astype(both), y.astype(both)
    if "float" not in x.dtype:
        raise TVMError(f"power takes numbers with a fraction, not {x.dtype}")
    return _core.call(x.dtype, "tir.pow", [x, y])


pow = power  # noqa: A001


# ---- operators ----------------------------------------------------------------------------

def _two(name, doc):
    def call(a, b, span=None):
        return _core.binary(name, a, b)

    call.__name__ = name.lower()
    call.__doc__ = doc
    return call


truncdiv = _two("Div", "a / b rounded to zero")
truncmod = _two("Mod", "The remainder of truncdiv.")
floordiv = _two("FloorDiv", "a / b rounded down")
floormod = _two("FloorMod", "The remainder of floordiv.")
div = truncdiv
indexdiv = floordiv
indexmod = floormod
logical_and = _two("And", "a and b")
logical_or = _two("Or", "a or b")


def shift_left(x, y, span=None):
    """x << y"""
    return call_bitwise("shift_left", x, y)


def shift_right(x, y, span=None):
    """x >> y"""
    return call_bitwise("shift_right", x, y)


def bitwise_and(x, y, span=None):
    """x & y"""
    return call_bitwise("bitwise_and", x, y)


def bitwise_or(x, y, span=None):
    """x | y"""
    return call_bitwise("bitwise_or", x, y)


def bitwise_xor(x, y, span=None):
    """x ^ y"""
    return call_bitwise("bitwise_xor", x, y)


def bitwise_not(x, span=None):
    """~x"""
    x = convert(x)
    return _core.call(x.dtype, "tir.bitwise_not", [x])


def logical_not(a, span=None):
    """not a"""
    return _core.not_(a)


def ceildiv(lhs, rhs, span=None):
    """lhs / rhs rounded up: (lhs + rhs - 1) // rhs, the numbers left as they stand there."""
    lhs, rhs = convert(lhs), convert(rhs)
    if lhs.dtype.startswith("float") or rhs.dtype.startswith("float"):
        return ceil(lhs / rhs)
    return _core.binary("FloorDiv", lhs + rhs - 1, rhs)


def shape_int(value):
    """A constant as a Python number."""
    return int(value)


def max_value(dtype, span=None):
    """The highest number of a type."""
    return _limit(dtype, True)


def min_value(dtype, span=None):
    """The lowest number of a type."""
    return _limit(dtype, False)


_FLOATS = {"float64": 1.7976931348623157e308, "float32": 3.4028234663852886e38, "float16": 65504.0, "bfloat16": 3.3895313892515355e38,
           "float8_e4m3fn": 448.0, "float8_e5m2": 57344.0, "float8_e3m4": 15.5, "float8_e4m3": 240.0, "float8_e4m3b11fnuz": 30.0,
           "float8_e4m3fnuz": 240.0, "float8_e5m2fnuz": 57344.0, "float8_e8m0fnu": 2.0 ** 127, "float6_e2m3fn": 7.5, "float6_e3m2fn": 28.0,
           "float4_e2m1fn": 6.0}


def _limit(dtype, high):
    dtype = str(dtype)
    if dtype in _FLOATS:
        return const(_FLOATS[dtype] if high else -_FLOATS[dtype], dtype)
    if dtype == "bool":
        return const(1 if high else 0, "bool")
    unsigned = dtype.startswith("uint")
    bits = int(dtype.lstrip("uint"))
    if unsigned:
        return const((1 << bits) - 1 if high else 0, dtype)
    return const((1 << (bits - 1)) - 1 if high else -(1 << (bits - 1)), dtype)


def infinity(dtype, span=None):
    """Infinity."""
    return const(float("inf"), str(dtype))


def reinterpret(dtype, value, span=None):
    """The same bits as another type."""
    value = convert(value)
    return value if value.dtype == dtype else _core.call(dtype, "tir.reinterpret", [value])


def if_then_else(cond, t, f, span=None):
    """t or f; only one of them is computed."""
    return _core.if_then_else(cond if not isinstance(cond, bool) else const(cond, "bool"), t, f)


def likely(cond, span=None):
    """A condition that holds most of the time."""
    return _core.call("bool", "tir.likely", [cond])


def any(*args, span=None):  # noqa: A001
    """Does one of the conditions hold?"""
    if not args:
        raise ValueError("Any must take at least 1 argument")
    result = args[0]
    for value in args[1:]:
        result = _core.binary("Or", result, value)
    return result


def all(*args, span=None):  # noqa: A001
    """Do all conditions hold?"""
    if not args:
        raise ValueError("Any must take at least 1 argument")
    result = args[0]
    for value in args[1:]:
        result = _core.binary("And", result, value)
    return result


def comm_reducer(fcombine, fidentity, name="reduce"):
    """A reducer from a function of two values and one that gives the neutral value of a type."""

    def reducer(expr, axis=None, where=None, init=None, *args):
        if isinstance(axis, (list, tuple)) or hasattr(axis, "iter_type") or (hasattr(axis, "__len__") and not hasattr(axis, "dtype")):
            from ..te import reduce_by

            return reduce_by(fcombine, fidentity, expr, axis, where, init)
        if where is None and not args and init is None:
            return fcombine(convert(expr), convert(axis))
        result = fcombine(convert(expr), convert(axis))
        for value in (where, init, *args):
            if value is not None:
                result = fcombine(result, convert(value))
        return result

    reducer.__name__ = name
    reducer.__doc__ = f"{name} over axes, or of several values."
    return reducer


sum = comm_reducer(lambda x, y: x + y, lambda t: const(0, t), name="sum")  # noqa: A001
min = comm_reducer(lambda x, y: _core.binary("Min", x, y), max_value, name="min")  # noqa: A001
max = comm_reducer(lambda x, y: _core.binary("Max", x, y), min_value, name="max")  # noqa: A001


# ---- calls ------------------------------------------------------------------------------------

def ret(val, span=None):
    """Ends the function with a value."""
    val = convert(val)
    return _core.call(val.dtype, "tir.ret", [val])


def call_extern(dtype, func_name, *args, span=None):
    """A call of a C function."""
    return _core.call(dtype, "tir.call_extern", [StringImm(func_name), *args])


def call_pure_extern(dtype, func_name, *args, span=None):
    """A call of a C function that only computes."""
    return _core.call(dtype, "tir.call_pure_extern", [StringImm(func_name), *args])


def call_packed(*args, span=None):
    """A call of a packed function."""
    return _core.call("int32", "tir.tvm_call_packed", [_pack(x) for x in args])


def call_cpacked(*args, span=None):
    """A call of a packed function by its C name."""
    return _core.call("int32", "tir.tvm_call_cpacked", [_pack(x) for x in args])


def call_packed_lowered(*args, span=None):
    """As call_packed, after lowering."""
    return _core.call("int32", "tir.tvm_call_packed_lowered", [_pack(x) for x in args])


def call_cpacked_lowered(*args, span=None):
    """As call_cpacked, after lowering."""
    return _core.call("int32", "tir.tvm_call_cpacked_lowered", [_pack(x) for x in args])


def _pack(value):
    from .buffer import Buffer

    if isinstance(value, str):
        return StringImm(value)
    if not isinstance(value, Buffer):
        return value
    shape = _core.call("handle", "tir.tvm_stack_make_shape", list(value.shape))
    strides = _core.call("handle", "tir.tvm_stack_make_shape", list(value.strides)) if len(value.strides) > 0 else 0
    return _core.call("handle", "tir.tvm_stack_make_array", [value.data, shape, strides, len(value.shape), const(0, value.dtype), value.elem_offset])


def call_tir(global_var, *args):
    """A call of another function of the module."""
    return Call("void", global_var, list(args))


def _llvm_name(name):
    """The name of an intrinsic of LLVM, given by its name or number."""
    from ..target import codegen

    if codegen.llvm_lookup_intrinsic_id(name) == 0 if isinstance(name, str) else codegen.llvm_get_intrinsic_name(name) == "":
        raise ValueError(f"Unknown llvm intrinsic function {name}")
    return StringImm(name if isinstance(name, str) else codegen.llvm_get_intrinsic_name(name))


def call_llvm_intrin(dtype, name, *args, span=None):
    """A call of an intrinsic of LLVM by its name or number."""
    return _core.call(dtype, "tir.call_llvm_intrin", [_llvm_name(name), *args])


def call_llvm_pure_intrin(dtype, name, *args, span=None):
    """A call of a pure intrinsic of LLVM by its name or number."""
    return _core.call(dtype, "tir.call_llvm_pure_intrin", [_llvm_name(name), *args])


def assume(cond=None):
    """Something that may be taken for granted."""
    return _core.call("bool", "tir.assume", [cond])


def undef():
    """A value that nobody asks for."""
    return _core.call("int32", "tir.undef", [])


def tvm_access_ptr(ptype, data, offset, extent, rw_mask):
    """A pointer to elements."""
    return _core.call("handle", "tir.tvm_access_ptr", [ptype, data, offset, extent, rw_mask])


def tvm_thread_allreduce(*freduce_args):
    """A reduction over threads."""
    return _core.call("handle", "tir.tvm_thread_allreduce", list(freduce_args))


def tvm_storage_sync(storage_scope):
    """A barrier."""
    return _core.call("int32", "tir.tvm_storage_sync", [StringImm(storage_scope)])


def type_annotation(dtype):
    """A type as an argument."""
    return _core.call(dtype, "tir.type_annotation", [])


def address_of(obj, span=None):
    """The address of an element."""
    from .buffer import Buffer

    if isinstance(obj, Buffer):
        obj = obj[tuple(0 for _ in obj.shape)]
    return _core.call("handle", "tir.address_of", [obj])


def lookup_param(param_name, span=None):
    """A parameter by name."""
    return _core.call("handle", "tir.lookup_param", [StringImm(param_name)])


def vscale():
    """How often a scalable vector holds its smallest size."""
    return _core.call("int32", "tir.vscale", [])


def q_multiply_shift(x, y, q, s):
    """A product of fixed-point numbers."""
    return _core.call("int32", "tir.q_multiply_shift", [x, y, q, s])


def q_multiply_shift_per_axis(x, y, ls, rs, q, is_lshift_required, is_rshift_required):
    """A product of fixed-point numbers, x shifted to the left before it and the result to the right, where that is asked for."""
    return _core.call("int32", "tir.q_multiply_shift_per_axis", [x, y, ls, rs, q, is_lshift_required, is_rshift_required])


def dp4a(vec1, vec2, acc=0):
    """The product of two vectors of four numbers of 8 bits, added."""
    return _core.call("int32", "tir.dp4a", [vec1, vec2, acc])


def bitwise_op(name, x, y):
    """By name."""
    return call_bitwise(name, x, y)


def multiply(lhs, rhs, span=None):
    """lhs * rhs"""
    return _core.binary("Mul", lhs, rhs)


@register_func("tvm.default_trace_action", override=True)
def _default_trace_action(*args):
    print(list(args))


def trace(args, trace_action="tvm.default_trace_action"):
    """The last of the values, shown to a function, which may give another one in its place."""
    return _core.call(args[-1].dtype, "tir.tvm_call_trace_packed", [StringImm(trace_action), *args])


# ---- operators for devices and for code that is being lowered: called by name -------------------

# The arguments, and the type of the value: "dtype" for the argument of that name, or "of NAME" for the type of an argument.
_DEVICE = {
    "tvm_tuple": ("*value", "handle"),
    "tvm_struct_get": ("arr index field dtype", "dtype"),
    "tvm_struct_set": ("arr index field value", "int32"),
    "tvm_throw_last_error": ("", "handle"),
    "tvm_check_return": ("expected return_unexpected nested_call", "int32"),
    "tvm_stack_alloca": ("dtype_str num", "handle"),
    "tvm_stack_make_shape": ("*args", "handle"),
    "tvm_stack_make_array": ("data shape strides ndim arr_dtype elem_offset", "handle"),
    "tvm_static_handle": ("", "handle"),
    "tvm_load_matrix_sync": ("fragment m n k index buffer_ptr stride layout", "handle"),
    "tvm_store_matrix_sync": ("fragment m n k index buffer_ptr stride layout", "handle"),
    "tvm_mma_sync": ("fragment_d index_d fragment_a index_a fragment_b index_b fragment_c index_c", "handle"),
    "tvm_bmma_sync": ("fragment_d index_d fragment_a index_a fragment_b index_b fragment_c index_c", "handle"),
    "tvm_fill_fragment": ("fragment m n k index value", "handle"),
    "tvm_warp_shuffle": ("mask value warp_id width warp_size", "of value"),
    "tvm_warp_shuffle_up": ("mask value offset width warp_size", "of value"),
    "tvm_warp_shuffle_down": ("mask value offset width warp_size", "of value"),
    "tvm_warp_activemask": ("", "uint32"),
    "tvm_thread_invariant": ("cond", "of cond"),
    "tvm_context_id": ("", "handle"),
    "ptx_mma": ("dtype shape A_layout B_layout A_dtype B_dtype C_dtype multiplicand_a a_index multiplicand_b b_index accumulator c_index saturate operator=None", "dtype"),
    "ptx_mma_sp": ("dtype shape A_layout B_layout A_dtype B_dtype C_dtype multiplicand_a a_index multiplicand_b b_index accumulator c_index metadata "
                   "meta_index sparse_selector saturate", "dtype"),
    "ptx_ldmatrix": ("dtype trans num type local_ptr local_offset smem_ptr smem_offset", "dtype"),
    "ptx_cp_async": ("dtype shared_ptr shared_offset global_ptr global_offset bytes", "dtype"),
    "ptx_cp_async_bulk": ("dtype shared_ptr shared_offset global_ptr global_offset bytes barrier_id", "dtype"),
    "ptx_commit_group": ("", ""),
    "ptx_wait_group": ("num", ""),
    "ptx_cp_async_barrier": ("barrier_id", ""),
    "ptx_init_barrier_thread_count": ("barrier_id thread_count", ""),
    "ptx_arrive_barrier": ("barrier_id", ""),
    "ptx_arrive_barrier_expect_tx": ("barrier_id byte_count", ""),
    "ptx_wait_barrier": ("barrier_id", ""),
    "create_barriers": ("barrier_count", ""),
    "ptx_ldg32": ("dtype reg guard global_addr local_addr", "dtype"),
    "mma_store": ("dtype m n dst_ptr src_ptr src_offset dst_stride", "dtype"),
    "mma_fill": ("dtype local_size local_ptr offset", "dtype"),
    "make_filled_simdgroup_matrix": ("d index value col=8 row=8", "handle"),
    "simdgroup_load": ("d index ptr stride col=8 row=8 transpose_matrix=False", "handle"),
    "simdgroup_store": ("d index ptr stride col=8 row=8 transpose_matrix=False", "handle"),
    "simdgroup_multiply_accumulate": ("d index_d a index_a b index_b c index_c", "handle"),
    "vectorlow": ("dtype vec", "dtype"),
    "vectorhigh": ("dtype vec", "dtype"),
    "vectorcombine": ("dtype vec1 vec2", "dtype"),
    "get_active_lane_mask": ("dtype base limit", "dtype"),
    "masked_load": ("dtype *args", "dtype"),
    "start_profile_intrinsic": ("id", "handle"),
    "end_profile_intrinsic": ("id", "handle"),
    "anylist_getitem": ("list_handle index", "handle"),
    "anylist_resetitem": ("list_handle index", "int32"),
    "anylist_setitem_call_packed": ("list_handle index func_name *args", "int32"),
    "anylist_setitem_call_cpacked": ("list_handle index func_name *args", "int32"),
    "TVMBackendAllocWorkspace": ("device_type device_id nbytes dtype_code_hint dtype_bits_hint", "handle"),
    "TVMBackendFreeWorkspace": ("device_type device_id ptr", "int32"),
    "ignore_loop_partition": ("predicate", "bool"),
    "texture2d_load": ("*args", "handle"),
    "texture2d_store": ("*args", "int32"),
    "dma_copy": ("*args", "int32"),
    "dma_wait": ("*args", "int32"),
    "dma_start_group": ("*args", "int32"),
    "dma_end_group": ("*args", "int32"),
    "atomic_add": ("*args", "int32"),
}


def _signature(text):
    """A signature of names, NAME=number or None among them, *NAME for any number."""
    import ast
    import inspect

    found = []
    for word in text.split():
        name, _, preset = word.partition("=")
        kind = inspect.Parameter.VAR_POSITIONAL if word.startswith("*") else inspect.Parameter.POSITIONAL_OR_KEYWORD
        found.append(inspect.Parameter(name.lstrip("*"), kind, default=ast.literal_eval(preset) if preset else inspect.Parameter.empty))
    return inspect.Signature(found)


def _device_op(name, text, result):
    signature = []

    def call(*args, span=None, **named):
        if not signature:                     # made when it is needed: there are many, and few programs call any
            signature.append(_signature(text))
        extra = named.pop("dtype", None) if "dtype" not in text.split() else None
        bound = signature[0].bind(*args, **named)
        bound.apply_defaults()
        given = dict(bound.arguments)
        kind = given.pop("dtype") if "dtype" in given else result
        if result.startswith("of "):
            given = {key: convert(value) for key, value in given.items()}
            kind = given[result[3:]].dtype
        values = []
        for key, value in given.items():
            values.extend(value if "*" + key in text.split() else [] if value is None else [value])
        return _core.call(str(extra if extra is not None else kind), f"tir.{name}", [StringImm(x) if isinstance(x, str) else x for x in values])

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"A call of tir.{name} ({', '.join(text.split())})."
    return call


for _name, _row in _DEVICE.items():
    if _core.op(f"tir.{_name}") is not None:
        globals()[_name] = _device_op(_name, *_row)


def get_vscale_expr(dtype, min_size=128):
    """How many elements of a type fit into a scalable vector."""
    return vscale() * (min_size // DataType(str(dtype)).bits)


__all__ = [n for n in list(globals()) if not n.startswith("_") and n not in ("Call", "CommReducer", "IntImm", "StringImm", "Var", "convert", "shape_int", "TVMError", "DataType")]
