"""Passes over Relax, made from the engine's table."""
import ast
import inspect

import _loopscope as _core

from ...ir import transform as _transform
from ...ir.transform import Pass, PassInfo


def _function():
    from ..expr import Function

    return Function


function_pass = _transform.make_function_pass_decorator("transform_function", _function)


def dataflowblock_pass(pass_func=None, opt_level=None, name=None, required=None, traceable=False):
    """Decorator: a function over dataflow blocks becomes a pass."""

    def run(func):
        def transform(mod, ctx):
            from ..expr import DataflowBlock

            def visit(node):
                return func(node, mod, ctx) if isinstance(node, DataflowBlock) else None

            return _core.transform(mod, None, visit, None)

        return _transform.ModulePass(transform, PassInfo(opt_level or 0, name or func.__name__, required, traceable))

    return run(pass_func) if pass_func is not None else run


def _value(value):
    """An argument of a pass as the engine takes it."""
    if isinstance(value, _core.NDArray) or hasattr(value, "__array_interface__") or hasattr(value, "detach"):
        from ..expr import convert_array

        return convert_array(value)
    if isinstance(value, dict):
        return {(k if isinstance(k, str) else getattr(k, "name_hint", None) or k.name): _value(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_value(v) for v in value]
    return value


# Arguments that options of the PassContext say, by pass.
_OPTIONS = {"LiftTransformParams": {"consume_params": "relax.lift_transform_params.consume_params"}}


class _RelaxPass(Pass):
    """A pass of the table with its arguments."""

    def __init__(self, name, args, kwargs):
        super().__init__(PassInfo(0, name))
        self._args = ([_value(x) for x in args], {k: _value(v) for k, v in kwargs.items()})

    def _run(self, mod, ctx):
        options = {name: ctx.config[option] for name, option in _OPTIONS.get(self.info.name, {}).items() if option in ctx.config}
        return _core.run_relax_pass(self.info.name, mod, self._args[0], {**options, **self._args[1]})


class _UpdateParamStructInfo(Pass):
    """The function is asked for every parameter; the engine gets its answers."""

    def __init__(self, sinfo_func):
        super().__init__(PassInfo(1, "UpdateParamStructInfo"))
        self._func = sinfo_func

    def _run(self, mod, ctx):
        answers = []
        for func in mod.functions.values():
            if isinstance(func, _function()):
                for param in func.params:
                    info = self._func(param)
                    if info is not None:
                        answers.append([param, info])
        return _core.run_relax_pass(self.info.name, mod, [answers], {})


def _preset(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _define(name, summary, params):
    def make(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        if name == "UpdateParamStructInfo":
            return _UpdateParamStructInfo(**bound.arguments)
        return _RelaxPass(name, args, kwargs)

    signature = inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                                     default=inspect.Parameter.empty if preset is None else _preset(preset)) for n, _, preset in params])
    make.__name__ = name
    make.__qualname__ = name
    make.__doc__ = summary
    make.__signature__ = signature
    return make


for _name, _summary, _params in _core.relax_passes():
    globals()[_name] = _define(_name, _summary, _params)


def _check_products(mod):
    def look(node):
        if _core.kind(node) == "RelaxCall" and getattr(node.op, "name", "") == "relax.matmul" and getattr(node.struct_info_, "dtype", "") == "void":
            if node.struct_info.shape is not None:
                raise AssertionError("To legalize R.matmul into R.call_tir, the dtype of its arguments has to be known; that of "
                                     f"{node} is not")

    for func in mod.functions.values():
        if isinstance(func, _function()):
            _core.walk(func, look, None)


def LegalizeOps(customize_legalize_map=None, enable_warning=False, skip_ops=None):  # noqa: N802
    """Operators as calls of TensorIR; customize_legalize_map has functions of a builder and a call by operator, which come first."""
    from .legalize_ops.common import RULES, WITHOUT, apply_rules
    from .legalize_ops.devices import kernels_by_device

    def legalize(mod, ctx):
        before, kept = mod, WITHOUT.union(skip_ops or ())
        rules = {name: rule for name, rule in {**RULES, **(customize_legalize_map or {})}.items() if name not in kept}
        if rules:
            mod = apply_rules(mod, rules)
        _check_products(mod)
        mod = _core.run_relax_pass("LegalizeOps", mod, [], {"enable_warning": bool(enable_warning), "skip_ops": sorted(kept)})
        return kernels_by_device(before, mod)

    return _transform.ModulePass(legalize, PassInfo(0, "LegalizeOps"))


def FoldConstant(skip_ops=None):  # noqa: N802
    """Computes what only constants go into; operators with rules of Python are left alone."""
    from .legalize_ops.common import RULES, WITHOUT

    def fold(mod, ctx):
        return _core.run_relax_pass("FoldConstant", mod, [], {"skip_ops": sorted({*RULES, *WITHOUT, *(skip_ops or ())})})

    return _transform.ModulePass(fold, PassInfo(0, "FoldConstant"))


class FunctionPass(Pass):
    """A pass over functions; function_pass makes one."""


class DataflowBlockPass(Pass):
    """A pass over dataflow blocks; dataflowblock_pass makes one."""


class PatternCheckContext:
    """What the check of a fusion pattern is told."""

    def __init__(self, matched_expr, annotated_expr, matched_bindings, block, value_to_bound_var):
        self.matched_expr = matched_expr
        self.matched_bindings = matched_bindings
        self.value_to_bound_var = value_to_bound_var
        self.annotated_expr = {name: self._known(expr) for name, expr in annotated_expr.items()}
        self._block = block

    def _known(self, expr):
        """A call of a function of the module does not know what it gives; the variable that holds it does."""
        from ..expr import Call, GlobalVar

        if isinstance(expr, Call) and isinstance(expr.op, GlobalVar):
            return self.value_to_bound_var.get(expr, expr)
        return expr

    @property
    def var_usages(self):
        """The users of each variable of the block."""
        from ..analysis import udchain

        return udchain(self._block) if self._block is not None else {}


class FusionPattern:
    """A pattern whose matches FuseOpsByPattern puts into functions."""

    def __init__(self, name, pattern, annotation_patterns=None, check=None, attrs_getter=None):
        self.name = name
        self.pattern = pattern
        self.annotation_patterns = dict(annotation_patterns or {})
        self.check = check
        self.attrs_getter = attrs_getter


class _FuseOpsByPattern(Pass):
    """FuseOpsByPattern with functions of Python."""

    def __init__(self, patterns, bind_constants, annotate_codegen, entry_functions):
        super().__init__(PassInfo(0, "FuseOpsByPattern"))
        self._rows = [(p.name, p.pattern, p.annotation_patterns, p.check, p.attrs_getter) for p in patterns]
        self._options = bool(bind_constants), bool(annotate_codegen), list(entry_functions) if entry_functions else None

    def _run(self, mod, ctx):
        return _core.fuse_ops_by_pattern(mod, self._rows, *self._options, PatternCheckContext)


def FuseOpsByPattern(patterns, bind_constants=True, annotate_codegen=False, entry_functions=None):
    """Puts calls that fit patterns into functions of their own."""
    converted = []
    for pattern in patterns:
        if isinstance(pattern, tuple):
            converted.append(FusionPattern(*pattern))
        elif isinstance(pattern, FusionPattern):
            converted.append(pattern)
        else:
            raise ValueError(f"Invalid pattern: {pattern}")
    return _FuseOpsByPattern(converted, bind_constants, annotate_codegen, entry_functions)


class _CombineParallelMatmul(Pass):
    """CombineParallelMatmul with a check of Python."""

    def __init__(self, check):
        super().__init__(PassInfo(0, "CombineParallelMatmul"))
        self._check = check

    def _run(self, mod, ctx):
        return _core.combine_parallel_matmul(mod, self._check)


def CombineParallelMatmul(check=None):
    """Makes one product of several with the same left side, and splits the result."""
    return _CombineParallelMatmul(check)


def MetaScheduleApplyDatabase(work_dir=None, enable_warning=False):
    """Puts the fastest schedule of a database into each TensorIR function that it has: the one that is entered, or that of work_dir."""

    made_for = _target_here()

    def apply(mod, ctx):
        from ... import meta_schedule as ms
        from ...target import Target

        database = ms.Database.current()
        if database is None:
            if work_dir is None:
                raise ValueError("Cannot find input database file, please specify \"work_dir\" or enter a database")
            database = ms.database.JSONDatabase(work_dir=work_dir)
        target = made_for or Target.current(allow_none=True) or Target("llvm")
        return ms.relax_integration.apply_database(database, mod, target, enable_warning)

    return _transform.ModulePass(apply, PassInfo(0, "MetaScheduleApplyDatabase"))


def _target_here():
    """The target of the surrounding `with`, or None: a pass is for the target it was made under."""
    from ...target import Target

    return Target.current(allow_none=True)


def MetaScheduleTuneTIR(work_dir, max_trials_global):
    """Searches schedules for each TensorIR function, max_trials_global for every one; what is found goes to the database of work_dir."""
    made_for = _target_here()

    def tune(mod, ctx):
        from ... import meta_schedule as ms
        from ...target import Target
        from ...tir import PrimFunc

        target = made_for or Target.current(allow_none=False)
        for func in mod.functions.values():
            if isinstance(func, PrimFunc):
                ms.tir_integration.tune_tir(func, target, work_dir, max_trials_global)
        return mod

    return _transform.ModulePass(tune, PassInfo(0, "MetaScheduleTuneTIR"))


def MetaScheduleTuneIRMod(params, work_dir, max_trials_global, max_trials_per_task=None, op_names=None):
    """Searches schedules for the TensorIR functions that a module calls, max_trials_global for all; what is found goes to the database of work_dir."""
    made_for = _target_here()

    def tune(mod, ctx):
        from ... import meta_schedule as ms
        from ...target import Target

        target = made_for or Target.current(allow_none=False)
        ms.relax_integration.tune_relax(mod, params, target, work_dir, max_trials_global, max_trials_per_task=max_trials_per_task, op_names=op_names)
        return mod

    return _transform.ModulePass(tune, PassInfo(0, "MetaScheduleTuneIRModule"))


def VMBuiltinLower():  # noqa: N802
    """LowerRuntimeBuiltin, by its earlier name."""
    return LowerRuntimeBuiltin()  # noqa: F821


from . import legalize_ops  # noqa: E402
from . import tuning_api  # noqa: E402
from .alter_op_impl import AlterOpImpl  # noqa: E402
from .attach_external_modules import AttachExternModules  # noqa: E402
from .few_shot_tuning import FewShotTuning  # noqa: E402
from .codegen import IPCAllReduceRewrite, RewriteCUDAGraph, RunCodegen  # noqa: E402
from .specialize import SpecializePrimFuncBasedOnCallSite  # noqa: E402
from .split_call_tir import SplitCallTIRByPattern  # noqa: E402
from .vdevice import RealizeVDevice, UpdateVDevice  # noqa: E402
