"""PrimFuncs in the memory that their callers have: buffers of parameters take the scope of the virtual device of what is handed over."""
import _loopscope as _core

from ...ir.transform import ModulePass, PassInfo


def _scope_of(info):
    device = getattr(info, "vdevice", None)
    return getattr(device, "memory_scope", None) or "global"


def _handed(call):
    """The struct infos of a call's operands and results, in the order of the PrimFunc's parameters; None: they are not all tensors."""
    from ..expr import Tuple
    from ..struct_info import TensorStructInfo, TupleStructInfo

    args = call.args[1]
    infos = [x.struct_info for x in args.fields] if isinstance(args, Tuple) else list(getattr(args.struct_info, "fields", []))
    for result in call.sinfo_args:
        infos += list(result.fields) if isinstance(result, TupleStructInfo) else [result]
    return infos if all(isinstance(x, TensorStructInfo) for x in infos) else None


def _scoped(buffer, scope):
    from ...ir import PointerType
    from ...tir import Var, decl_buffer

    kind = buffer.data.type_annotation
    data = Var(buffer.data.name, PointerType(kind.element_type, scope))
    return decl_buffer(buffer.shape, buffer.dtype, buffer.name, data, list(buffer.strides) or None, buffer.elem_offset, "", buffer.data_alignment,
                       buffer.offset_factor, "", list(buffer.axis_separators))


def _specialized(func, infos):
    """The function in the memory of these; itself where it is already."""
    changed = {}
    for param, info in zip(func.params, infos):
        buffer = func.buffer_map.get(param)
        if buffer is not None and buffer.scope() != _scope_of(info):
            changed[param] = _scoped(buffer, _scope_of(info))
    return func.specialize(changed).with_attr("scoped", 1) if changed else func


def SpecializePrimFuncBasedOnCallSite():  # noqa: N802
    """Buffers of PrimFuncs take the memory that the virtual devices of their call_tir say.  Calls of one function from several memories are an error."""

    def run(mod, ctx):
        from ...error import TVMError
        from ...tir import PrimFunc
        from ..expr import Function

        result, asked = mod.clone(), {}

        def look(node):
            if _core.kind(node) != "RelaxCall" or getattr(node.op, "name", None) not in ("relax.call_tir", "relax.call_tir_inplace"):
                return True
            var, infos = node.args[0], _handed(node)
            func = mod.functions.get(var) if infos is not None else None
            if not isinstance(func, PrimFunc):
                return True
            scopes = [_scope_of(x) for x in infos]
            if asked.setdefault(var.name_hint, scopes) != scopes:
                raise TVMError(f"SpecializePrimFuncBasedOnCallSite: {var.name_hint} is called with memory {asked[var.name_hint]} and with {scopes}; "
                               "a function is in one")
            result[var] = _specialized(func, infos)
            return True

        for func in mod.functions.values():
            if isinstance(func, Function):
                _core.walk(func, look, None)
        return result

    return ModulePass(run, PassInfo(0, "SpecializePrimFuncBasedOnCallSite"))
