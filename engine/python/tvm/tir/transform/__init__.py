"""Passes over TensorIR, by TVM's names."""
import _loopscope as _core

from ...error import TVMError as _TVMError
from ...ir import transform as _transform
from ...ir.transform import _EnginePass
from .async_dma import LowerAsyncDMA
from .bind_target import BindTarget
from .bound_checkers import InstrumentBoundCheckers
from .default_gpu_schedule import DefaultGPUSchedule
from .device_storage import LowerDeviceStorageAccessInfo
from .each import each_function, with_body
from .extract_constants import ExtractPrimFuncConstants
from .hoist import HoistedConditionals, HoistedLetBindings
from .ldg32 import InjectPTXLDG32
from .profile import InstrumentProfileIntrinsics


def _prim_func():
    from ..function import PrimFunc

    return PrimFunc


class PrimFuncPass(_transform.FunctionPass):
    """A pass over PrimFuncs; prim_func_pass makes one."""


prim_func_pass = _transform.make_function_pass_decorator("transform_function", _prim_func, PrimFuncPass)


def Apply(ftransform):
    """A pass that calls a function with each PrimFunc."""
    return _transform.FunctionPass(lambda f, m, c: ftransform(f), _transform.PassInfo(0, "Apply"), _prim_func())


def Filter(fcond):
    """Keeps the functions of which a condition holds."""

    def run(mod, ctx):
        result = mod.clone()
        for var, func in mod.functions.items():
            if isinstance(func, _prim_func()) and not fcond(func):
                del result[var]
        return result

    return _transform.ModulePass(run, _transform.PassInfo(0, "tir.Filter"))


def AnnotateEntryFunc():
    """Marks the entry: the only function, or the only one that is seen from outside."""

    def run(mod, ctx):
        functions = {v: f for v, f in mod.functions.items() if isinstance(f, _prim_func())}
        entries = list(functions) if len(functions) == 1 else [v for v, f in functions.items() if "global_symbol" in (f.attrs or {})]
        if len(entries) != 1:
            raise _TVMError("tir.AnnotateEntryFunc: the module has to have one function, or one that is seen from outside; "
                            f"there are {len(functions)}, of them {len(entries)} seen from outside")
        result = mod.clone()
        result[entries[0]] = functions[entries[0]].with_attr("tir.is_entry_func", True)
        return result

    return _transform.ModulePass(run, _transform.PassInfo(0, "tir.AnnotateEntryFunc"))


def _define(name, summary):
    def make():
        return _EnginePass("tir." + name, name)

    make.__name__ = name
    make.__doc__ = summary
    return make


for _name, _summary in _core.passes():
    globals()[_name] = _define(_name, _summary)


def NarrowDataType(target_bits):
    """Gives indices and loops that need no more the type of this many bits."""
    return _EnginePass("tir.NarrowDataType", "NarrowDataType", {"target_bits": int(target_bits)})


def HoistIfThenElse(variant=None):
    """Asks conditions outside of the loops that do not change them; the variant "basic" leaves those that ask for a thread's index,
    which else PassContext(config={"tir.HoistIfThenElse": {"support_block_scope_hosting": True}}) adds."""
    if variant not in (None, "basic"):
        raise ValueError(f'wrong variant of HoistIfThenElse, {variant}: there is "basic"')
    if variant is None:
        return _EnginePass("tir.HoistIfThenElse", "HoistIfThenElse")
    return _EnginePass("tir.HoistIfThenElse", "HoistIfThenElse", {"support_block_scope_hosting": 0})


def RemoveWeightLayoutRewriteBlock(skip_ndarray_rewrite=False):
    """Takes weights in the layout that the program copies them to.  Their data are the caller's: none are rewritten here."""
    return _EnginePass("tir.RemoveWeightLayoutRewriteBlock", "RemoveWeightLayoutRewriteBlock")


def CompactBufferAllocation(is_strict=True):
    """Shrinks each allocation to the region that is used of it; not strict, it also grows where more is used than it has."""
    return _EnginePass("tir.CompactBufferAllocation", "CompactBufferAllocation", {"is_strict": int(is_strict)})


def ThreadSync(storage_scope="shared"):
    """Puts barriers where threads read what others have written in memory of this scope."""
    return _EnginePass("tir.ThreadSync", "ThreadSync", {"storage_scope": storage_scope})


def LowerThreadAllreduce(barriers="all"):
    """Writes reductions over threads as shuffles within warps, or by shared memory.  barriers="needed" leaves out those that keep nothing apart, which TVM has."""
    return _EnginePass("tir.LowerThreadAllreduce", "LowerThreadAllreduce", {"barriers": barriers})


def CommonSubexprElimTIR(enable_cse_tir=True, identify_equiv_terms=False):
    """Computes once what is computed several times; identify_equiv_terms: also what is equal only after simplification."""
    return _EnginePass("tir.CommonSubexprElimTIR", "CommonSubexprElimTIR",
                       {"enable_cse_tir": int(enable_cse_tir), "identify_equiv_terms": int(identify_equiv_terms)})


def FP8ComputeLegalize(promote_dtype_str="float32"):
    """Computes with float32, float16 or bfloat16 where the machine does not know the floats of 8 bits."""
    return _EnginePass("tir.FP8ComputeLegalize", "FP8ComputeLegalize", {"promote_dtype_str": promote_dtype_str})


def VectorizeLoop(enable_vectorize=True):
    """Turns vectorised loops into operations on vectors; without, into loops like others."""
    from .vectorize import check, is_scalable_target, plain

    def run(mod, ctx):
        if not enable_vectorize:
            return plain(mod)
        check(mod)
        asked = ctx.config.get("tir.enable_buffer_level_predication")
        return _core.run_pass("VectorizeLoop", mod, {"enable_buffer_level_predication": 2 if asked is None else int(bool(asked)),
                                                     "scalable_target": int(is_scalable_target(None))})

    return _transform.ModulePass(run, _transform.PassInfo(0, "tir.VectorizeLoop"))


class _Simplify(_EnginePass):
    """Simplify, with the options of the context."""

    _PARTS = {"transitively_prove_inequalities": 1, "convert_boolean_to_and_of_ors": 2, "apply_constraints_to_boolean_branches": 4,
              "propagate_knowns_to_prove_conditional": 256, "propagate_knowns_to_simplify_expressions": 512}

    def __init__(self):
        super().__init__("tir.Simplify", "Simplify")

    def _run(self, mod, ctx):
        options = ctx.config.get("tir.Simplify") or {}
        return _core.simplify_module(mod, sum(bit for part, bit in self._PARTS.items() if options.get(part)))


def Simplify():
    """Simplifies expressions and conditions with the ranges of the loops.  PassContext(config={"tir.Simplify": {...}}) switches
    further rules on; with propagate_knowns_* what stores and T.assume say of buffers is followed, by one element or whole loops."""
    return _Simplify()


from .unroll import UnrollLoop  # noqa: E402


def VerifyMemory():
    """Raises where a function for a GPU accesses memory from outside on the host."""
    def run(mod, ctx):
        from ..analysis.scopes import outside_of_threads

        for var, func in mod.functions.items():
            wrong = outside_of_threads(func) if isinstance(func, _prim_func()) else []
            if wrong:
                raise RuntimeError(f"Memory verification failed with the following errors:\n    Variable `{wrong[0].name}` is directly accessed by "
                                   f"host memory (it is not contained in a thread environment or in the function arguments.\n    "
                                   f"Did you forget to bind?\n{func}")
        return mod

    return _transform.ModulePass(run, _transform.PassInfo(0, "tir.VerifyMemory"))


def VerifySSA():
    """Raises where a variable is defined twice."""
    def check(func, ctx):
        from ..analysis import verify_ssa

        if not verify_ssa(func):
            raise RuntimeError(f"RuntimeError: IR is not in SSA form{func}")
        return func

    return each_function("VerifySSA", check)


def ConvertForLoopsToSerial():
    """Turns parallel loops into serial ones."""
    def change(loop):
        from ..stmt import For, ForKind

        if int(loop.kind) != int(ForKind.PARALLEL):
            return None
        return For(loop.loop_var, loop.min, loop.extent, ForKind.SERIAL, loop.body, None, loop.annotations)

    return each_function("ConvertForLoopsToSerial", lambda f, ctx: with_body(f, _core.transform(f.body, None, change, ["For"])))


def DecorateDeviceScope():
    """Marks the body of each function as a part that a device runs ("device_scope")."""
    def decorate(func, ctx):
        from ..stmt import AttrStmt

        return func.with_body(AttrStmt(0, "device_scope", 0, func.body))

    return each_function("DecorateDeviceScope", decorate)


def VerifyVTCMLimit(default_target=None):
    """Raises where a function keeps more in the fast memory of a Hexagon at one time than its target, or else this one, has
    ("vtcm-capacity"); 0: there is no limit."""
    def check(func, ctx):
        from ..analysis import calculate_allocated_bytes

        target = (func.attrs or {}).get("target", default_target)
        limit = int(target.attrs.get("vtcm-capacity", 0)) if target is not None else 0
        used = calculate_allocated_bytes(func)["main"].get("global.vtcm", 0)
        if 0 < limit < used:
            raise RuntimeError(f"RuntimeError: The global.vtcm memory allocation limit has been exceeded (allocated: {used}, limit: {limit}).\n"
                               f"In function\n{func}")
        return func

    return each_function("calculate_allocated_bytes", check)


def VerifyGPUCode(constraints):
    """Raises where a kernel needs more than these limits allow."""
    def check(func, ctx):
        from ..analysis import verify_gpu_code

        if not verify_gpu_code(func, constraints):
            raise RuntimeError("RuntimeError: GPU constraint(s) violated")
        return func

    return each_function("VerifyGPUCode", check)


# Passes of TVM's lowering that the engine does inside its code generator or not at all.
_NOT_OFFERED = "AnnotateIrregularLoop LowerCustomDatatypes".split()


def __getattr__(name):
    if name not in _NOT_OFFERED:
        raise AttributeError(f"tvm.tir.transform has no {name}")

    def refuse(*args, **kwargs):
        raise NotImplementedError(f"tir.transform.{name} is not offered: the engine lowers programs by passes of its own")

    refuse.__name__ = name
    return refuse
