"""A module as C that a host can link: each function that can be seen from outside has an entry that takes packed arguments, as TVM's runtime calls it."""
import _loopscope as _core

_TYPES = """
typedef union { int64_t v_int64; double v_float64; void* v_handle; const char* v_str; } TVMValue;
typedef struct { void* data; struct { int32_t device_type, device_id; } device; int32_t ndim; struct { uint8_t code, bits; uint16_t lanes; } dtype;
                 int64_t* shape; int64_t* strides; uint64_t byte_offset; } DLTensor;
"""
_ARGUMENTS = "void* args, int32_t* arg_type_ids, int32_t num_args, void* out_ret_value, int32_t* out_ret_tcode, void* resource_handle"


def source(module):
    """The text.  A function f that can be seen from outside is called f_compute_; f is its entry."""
    from ..tir import PrimFunc

    exposed = {var.name_hint: func for var, func in module.functions_items() if isinstance(func, PrimFunc) and "global_symbol" in (func.attrs or {})}
    text = _core.c_source(module.replace_global_vars({name: f"{name}_compute_" for name in exposed}))
    head = "".join(f"\nint32_t {name}({_ARGUMENTS});" for name in exposed) + "\n"
    return text + (_TYPES + head + "".join(_entry(name, func) for name, func in exposed.items()) if exposed else "")


def _entry(name, func):
    arrays = [i for i, param in enumerate(func.params) if param in func.buffer_map]
    checks, values, sizes = [f"num_args != {len(func.params)}"], [], {}
    for i, param in enumerate(func.params):
        if i in arrays:
            _tensor(f"a{i}", func.buffer_map[param], checks, sizes)
            values.append(f"(void*) ((char*) a{i}->data + a{i}->byte_offset)")
        elif param.dtype == "handle":
            values.append(f"values[{i}].v_handle")
        else:
            values.append(f"({_c_type(param.dtype)}) values[{i}].{'v_float64' if 'float' in param.dtype else 'v_int64'}")
    given = set(func.params)
    values += [f"({_c_type(var.dtype)}) {where}" for var, where in sizes.items() if var not in given]
    lines = ["  TVMValue* values = (TVMValue*) args;", *(f"  DLTensor* a{i} = num_args > {i} ? (DLTensor*) values[{i}].v_handle : NULL;" for i in arrays), ""]
    lines += [f"  if ({check})\n    return -1;" for check in checks]
    return "\n".join(["", f"int32_t {name}({_ARGUMENTS})", "{", *lines, f"  {name}_compute_({', '.join(values)});", "  return 0;", "}", ""])


def _tensor(at, buffer, checks, sizes):
    """What is compared of an argument that is an array, and the sizes that it tells."""
    from ..runtime import DataType
    from ..tir import IntImm, Var

    element, is_bool = DataType(buffer.dtype), buffer.dtype == "bool"
    checks.append(f"{at} == NULL || {at}->ndim != {len(buffer.shape)}")
    checks.append(f"{at}->dtype.code != {6 if is_bool else element.type_code} || {at}->dtype.bits != {8 if is_bool else element.bits}"
                  f" || {at}->dtype.lanes != {element.lanes}")
    for k, extent in enumerate(buffer.shape):
        if isinstance(extent, IntImm):
            checks.append(f"{at}->shape[{k}] != {extent.value}")
        elif isinstance(extent, Var):
            if extent in sizes:
                checks.append(f"{at}->shape[{k}] != {sizes[extent]}")
            sizes.setdefault(extent, f"{at}->shape[{k}]")


def _c_type(dtype):
    """The type of a number in C."""
    return {"bool": "bool", "float32": "float", "float64": "double"}.get(dtype, f"{dtype}_t")
