"""How passes that are written in Python are put together."""
import _loopscope as _core

from ...ir import transform as _transform


def with_body(func, body):
    """The function with another body; the same function where it is the same."""
    from ..function import PrimFunc

    return func if body.same_as(func.body) else PrimFunc(func.params, body, func.ret_type, func.buffer_map, func.attrs)


def each_function(name, rewrite):
    """A pass that rewrites the bodies of PrimFuncs; the module stays itself where nothing changes."""
    def run(mod, ctx):
        result = None
        for var, func in mod.functions.items():
            if _core.kind(func) == "PrimFunc":
                after = rewrite(func, ctx)
                if not after.same_as(func):
                    result = result or mod.clone()
                    result[var] = after
        return result or mod

    return _transform.ModulePass(run, _transform.PassInfo(0, "tir." + name))
