"""Passes that an option or a registered function decides about: other compilers, and the graphs of CUDA."""
from ...ir import IRModule
from ...ir.transform import ModulePass, PassInfo


def _attribute(func, name):
    value = func.attrs.get(name) if func.attrs else None
    return None if value is None else str(value)


def register_modules(modules):
    """Makes the functions of compiled modules callable by their names."""
    from ...runtime._registry import register_func

    for module in modules:
        for name in module._names():
            register_func(name, module[name], override=True)


def RunCodegen(target_options=None, entry_functions=None):  # noqa: N802
    """Has the functions with Codegen compiled by the registered function relax.ext.NAME; calls of them go to what it made."""
    options = dict(target_options or {})

    def run(mod, ctx):
        from ...error import TVMError
        from ...runtime._registry import get_global_func
        from .. import op
        from ..expr import Call, Function, GlobalVar
        from ..expr_functor import PyExprMutator, mutator

        chosen = {v: f for v, f in mod.functions_items() if isinstance(f, Function) and _attribute(f, "Codegen") is not None}
        if not chosen:
            return mod
        compiled = []  # functions by name, for the machine to call
        for name in dict.fromkeys(_attribute(f, "Codegen") for f in chosen.values()):
            compiler = get_global_func("relax.ext." + name, allow_missing=True)
            if compiler is None:
                raise TVMError(f"relax.ext.{name} is not registered: there is no compiler {name} here")
            compiled += list(compiler([f for f in chosen.values() if _attribute(f, "Codegen") == name], options.get(name, {}), {}))

        @mutator
        class Calls(PyExprMutator):
            """Calls by name."""

            def visit_call_(self, op_):
                """A call."""
                call = super().visit_call_(op_)
                func = chosen.get(call.op) if isinstance(call, Call) and isinstance(call.op, GlobalVar) else None
                if func is None:
                    return call
                return op.call_dps_packed(_attribute(func, "global_symbol") or call.op.name_hint, tuple(call.args), func.ret_struct_info)

        walker = Calls(mod)
        funcs = {v: walker.visit_expr(f) if isinstance(f, Function) else f for v, f in mod.functions_items() if v not in chosen}
        register_modules(compiled)
        return IRModule(funcs, attrs=mod.attrs, global_infos=mod.global_infos)

    return ModulePass(run, PassInfo(0, "RunCodegen"))


def RewriteCUDAGraph():  # noqa: N802
    """Moves launches whose arguments stay the same into functions of their own, if the option relax.backend.use_cuda_graph is set."""
    import _loopscope as _core

    def rewrite(mod, ctx):
        if not ctx.config.get("relax.backend.use_cuda_graph", False):
            return mod
        return _core.run_relax_pass("RewriteCUDAGraph", mod, [], {})

    return ModulePass(rewrite, PassInfo(0, "RewriteCUDAGraph"))


def IPCAllReduceRewrite(allreduce_strategy):  # noqa: N802
    """Sums over processes in memory that all of them see, where runtime.disco.cuda_ipc.custom_allreduce is registered."""
    import _loopscope as _core

    def rewrite(mod, ctx):
        from ...runtime._registry import get_global_func

        if get_global_func("runtime.disco.cuda_ipc.custom_allreduce", allow_missing=True) is None:
            return mod
        return _core.run_relax_pass("IPCAllReduceRewrite", mod, [int(allreduce_strategy)], {})

    return ModulePass(rewrite, PassInfo(0, "IPCAllReduceRewrite"))
