"""Passes over TensorIR, by TVM's names."""
import _loopscope as _core

from ...ir import transform as _transform
from ...ir.transform import _EnginePass


def _prim_func():
    from ..function import PrimFunc

    return PrimFunc


prim_func_pass = _transform.make_function_pass_decorator("transform_function", _prim_func)


def Apply(ftransform):
    """A pass that calls a function with each PrimFunc."""
    return _transform.FunctionPass(lambda f, m, c: ftransform(f), _transform.PassInfo(0, "Apply"), _prim_func())


def BindTarget(target):
    """Notes the target on each function."""

    def run(f, mod, ctx):
        return f.with_attr("target", target)

    return _transform.FunctionPass(run, _transform.PassInfo(0, "tir.BindTarget"), _prim_func())


def AnnotateEntryFunc():
    """Marks the only function, or main, as the entry."""

    def run(mod, ctx):
        result = mod.clone()
        functions = mod.functions
        for var, func in functions.items():
            if len(functions) == 1 or var.name_hint == "main":
                result[var] = func.with_attr("tir.is_entry_func", True)
        return result

    return _transform.ModulePass(run, _transform.PassInfo(0, "tir.AnnotateEntryFunc"))


def _define(name, summary):
    def make(*args, **kwargs):
        return _EnginePass("tir." + name, name)

    make.__name__ = name
    make.__doc__ = summary
    return make


for _name, _summary in _core.passes():
    globals()[_name] = _define(_name, _summary)
