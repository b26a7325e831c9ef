"""tir.build: TensorIR functions to machine code.  The module is a function as well: `tvm.tir.build (mod)`."""
import sys
import types

from ..driver import build_module as _build_module


def build(mod, target=None, pipeline="default"):
    """Compiles the TensorIR functions of a module to machine code in memory."""
    return _build_module.build(mod, target, pipeline)


def split_host_device_mods(mod):
    """(the host's functions, {target: the functions of a device}) by the targets that functions have."""
    from ..ir import IRModule

    host, devices = IRModule(attrs=mod.attrs), {}
    for var, func in mod.functions.items():
        target = (func.attrs or {}).get("target")
        if target is None or getattr(target, "kind", None) is None or target.kind.name in ("llvm", "c", "stackvm", "ext_dev"):
            host[var] = func
        else:
            devices.setdefault(target, IRModule(attrs=mod.attrs))[var] = func
    return host, devices


class _Callable(types.ModuleType):
    def __call__(self, mod, target=None, pipeline="default"):
        return build(mod, target, pipeline)


sys.modules[__name__].__class__ = _Callable
