"""tvm.build and tvm.compile."""
import _loopscope as _core

from ..ir.module import IRModule
from ..runtime.module import Executable


def _as_module(mod):
    if isinstance(mod, IRModule):
        return mod
    from ..tir import PrimFunc

    if isinstance(mod, PrimFunc):
        return IRModule.from_expr(mod)
    schedule = getattr(mod, "mod", None)
    if isinstance(schedule, IRModule):
        return schedule
    if isinstance(mod, (list, tuple)):
        result = IRModule()
        for part in mod:
            result.update(_as_module(part))
        return result
    raise ValueError(f"Inputs must be an IRModule or PrimFunc, not {type(mod)}")


_SIMULATED = ("cuda", "nvptx", "opencl", "metal", "rocm")


def _target_text(target, why="code for {0} is not made here from what an ExecBuilder has: its kernels run on simulated threads when relax.build makes them; build it for llvm"):
    """A target that code is made for; why: what is said of one whose kernels are simulated."""
    from ..target import Target

    if target is None:
        target = Target.current(allow_none=True) or "llvm"
    target = Target(target)
    if target.kind.name not in ("llvm", "c"):
        from ..error import TVMError

        kind = target.kind.name
        raise TVMError(why.format(kind) if kind in _SIMULATED else f"code for {kind} is not made here; it is for llvm and c, and kernels for "
                       f"{', '.join(_SIMULATED[:-1])} and {_SIMULATED[-1]} run on simulated threads")
    return target


def _simulated(target):
    """The target if its kernels can run on simulated threads, else None."""
    from ..target import Target

    target = Target(target if target is not None else Target.current(allow_none=True) or "llvm")
    return target if target.kind.name in _SIMULATED else None


def _has_relax(mod):
    return any(_core.kind(f) == "Function" for f in _core.items(_core.field(mod, "functions")))


def _absent(reason):
    """What stands for a function that was compiled but cannot be called."""
    def refuse(*args):
        from ..error import TVMError

        raise TVMError(reason)

    return refuse


def _with_pipeline(mod, pipeline, target):
    """The module after a pipeline, given by its name or as a pass; the default one is the engine's own unless somebody watches the passes, or
    the target has vectors of any length, which VectorizeLoop has to know."""
    from ..ir.transform import PassContext
    from ..tir.pipeline import get_tir_pipeline
    from ..tir.transform.vectorize import is_scalable_target

    if pipeline is None or pipeline == "default":
        context = PassContext.current()
        if not context.instruments and not context.config.get("tir.add_lower_pass") and not is_scalable_target(target):
            return mod
        pipeline = "default"
    with target:
        return (get_tir_pipeline(pipeline) if isinstance(pipeline, str) else pipeline)(mod)


def _refuse_masks(mod):
    """Text has no form for an access under a mask."""
    from ..error import TVMError
    from ..tir.stmt_functor import post_order_visit

    def look(node):
        kind = _core.kind(node) if isinstance(node, _core.Node) else ""
        if kind in ("BufferLoad", "BufferStore") and node.predicate is not None:
            raise TVMError(f"Predicated buffer {kind[6:].lower()} is not supported.  C has no form for an access under a mask: {node}")

    for func in mod.functions.values():
        if _core.kind(func) == "PrimFunc":
            post_order_visit(func.body, look)


def build(mod, target=None, pipeline="default", *args, **kwargs):
    """Compiles the TensorIR functions of a module to machine code in memory."""
    import _loopscope_native as native

    mod = _as_module(mod)
    if _has_relax(mod):
        from .. import relax

        return relax.build(mod, target)
    simulated = _simulated(target)
    if simulated is not None:
        from ..runtime import simt

        return simt.build(mod, simulated)
    target = _target_text(target)
    exported = {}
    for var, func in mod.functions.items():
        name = func.attrs.get("global_symbol")
        if name is not None:
            exported[str(name)] = var.name_hint
    mod = _with_pipeline(mod, pipeline, target)
    if target.kind.name == "c":
        _refuse_masks(mod)
    kernel = native.build(mod, target.engine_text())
    reason = kernel.reason
    functions = {symbol: kernel.get(name) if reason is None else _absent(reason) for symbol, name in exported.items()}
    made = Executable(functions, mod, "llvm", target.engine_text(), kernel)
    made.language = "c" if target.kind.name == "c" else ""
    return made


def compile(mod, target=None, *, exec_mode="bytecode", relax_pipeline="default", tir_pipeline="default", params=None, system_lib=None):  # noqa: A001
    """Compiles a module; a Relax module becomes an executable for relax.VirtualMachine."""
    mod = _as_module(mod)
    if _has_relax(mod):
        from .. import relax

        return relax.build(mod, target, params=params, exec_mode=exec_mode)
    return build(mod, target, tir_pipeline)


def lower(inputs, args=None, name="main", binds=None, simple_mode=False):
    """The module after the lowering passes.  A function by itself gets the name, and its buffers are taken to lie apart."""
    from ..ir.transform import PassContext
    from ..tir import PrimFunc

    if isinstance(inputs, PrimFunc):
        inputs = inputs.with_attr("global_symbol", name)
        if PassContext.current().config.get("tir.noalias", True):
            inputs = inputs.with_attr("tir.noalias", True)
    mod = _as_module(inputs)
    if PassContext.current().config.get("tir.add_lower_pass"):
        from ..tir.pipeline import default_tir_pipeline

        return default_tir_pipeline()(mod)
    return _core.lower(mod)
