"""Passes over modules."""
import functools
import types

import _loopscope as _core

from .attrs import older_key as _older
from .module import IRModule


class PassInfo:
    """What a pass is called and needs."""

    def __init__(self, opt_level=0, name="", required=None, traceable=False):
        self.opt_level = opt_level
        self.name = name
        self.required = required or []
        self.traceable = traceable

    def __repr__(self):
        return f"The meta data of the pass - pass name: {self.name}, opt_level: {self.opt_level}, required passes: []"


# Options of passes that are made of several, with what holds where nothing is said.
_OPTIONS = {
    "tir.UnrollLoop": {"auto_max_step": 0, "auto_max_depth": 8, "auto_max_extent": 0, "explicit_unroll": True, "unroll_local_access": False},
    "tir.LoopPartition": {"partition_const_loop": False, "no_unroll_loop_with_extent_one": False, "unroll_loop_with_partition_hint_no_interval": False},
    "tir.RemoveNoOp": {"use_dataflow_analysis": False, "max_simplification_steps": 0},
    "tir.Simplify": {"transitively_prove_inequalities": False, "propagate_knowns_to_prove_conditional": False,
                     "propagate_knowns_to_simplify_expressions": False, "convert_boolean_to_and_of_ors": False,
                     "apply_constraints_to_boolean_branches": False},
    "tir.ReduceBranchingThroughOvercompute": {"use_dataflow_analysis": False},
    "tir.HoistExpression": {"hoisted_conditionals": 0, "hoisted_let_bindings": 0},
    "tir.HoistIfThenElse": {"support_block_scope_hosting": False},
}
_PLAIN = {"tir.detect_global_barrier": "runtime.BoxBool", "tir.instrument_bound_checkers": "runtime.BoxBool", "tir.disable_assert": "runtime.BoxBool",
          "tir.disable_vectorize": "runtime.BoxBool", "tir.enable_buffer_level_predication": "runtime.BoxBool", "tir.disable_cse_tir": "runtime.BoxBool",
          "tir.enable_equiv_terms_in_cse_tir": "runtime.BoxBool", "tir.enable_debug": "runtime.BoxBool", "tir.disable_storage_rewrite": "runtime.BoxBool",
          "tir.is_entry_func": "runtime.BoxBool", "tir.add_lower_pass": "Array", "tir.debug_keep_trivial_loop": "runtime.BoxBool",
          "tir.use_async_copy": "runtime.BoxBool", "tir.merge_static_smem": "runtime.BoxBool", "tir.instrument_lwp": "runtime.BoxBool",
          "tir.vtcm_capacity": "IntImm", "tir.experimental_dma_bypass_cache": "runtime.BoxBool", "tir.ptx_ldg32": "runtime.BoxBool", "relax.FuseOps.max_depth": "IntImm",
          "relax.fallback_device_type": "IntImm", "testing.immutable_module": "runtime.BoxBool"}
_FAMILIES = ("tir.", "relax.", "te.", "testing.", "ir.", "target.", "llvm.", "vm.")


class _Options(dict):
    """Options of one pass, by name and as attributes."""

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)


def _option(key, value):
    if not key.startswith(_FAMILIES):
        raise AttributeError(f"Invalid config option '{key}'")
    known = _OPTIONS.get(key)
    if known is None:
        return value
    if not isinstance(value, dict):
        raise AttributeError(f"{key} is made of {', '.join(known)}; it is given as a dictionary")
    unknown = [name for name in value if name not in known]
    if unknown:
        raise AttributeError(f"{key}: there is no option {unknown[0]}; there are {', '.join(known)}")
    return _Options(known, **value)


class PassContext:
    """Options and hooks of the passes that run inside it."""

    _stack = []
    _default = None

    def __init__(self, opt_level=2, required_pass=None, disabled_pass=None, instruments=None, config=None, trace=None,
                 trace_stack=None, make_traceable=None, num_evals=0, tuning_api_database=None):
        self.opt_level = opt_level
        self.required_pass = list(required_pass or [])
        self.disabled_pass = list(disabled_pass or [])
        self.instruments = list(instruments or [])
        given = {_older(key): value for key, value in dict(config or {}).items()}
        self.config = {key: _option(key, value) for key, value in given.items()}
        self._traces = list(trace_stack or []) if trace is None else [trace]
        self.make_traceable = None if make_traceable is None else set(make_traceable)
        self.num_evals = num_evals
        self._database = tuning_api_database

    def push_trace(self, trace):
        """A trace to go on with."""
        self._traces.append(trace)

    def pop_trace(self, return_current=True):
        """Takes the current trace away; gives it."""
        trace = self._traces.pop()
        return trace if return_current else self.get_current_trace()

    @property
    def trace_stack(self):
        """All traces, the outermost first."""
        return list(self._traces)

    def get_trace_stack(self):
        """All traces."""
        return self.trace_stack

    def get_trace_stack_size(self):
        """How many there are."""
        return len(self._traces)

    def get_current_trace(self):
        """The innermost one."""
        if not self._traces:
            raise ValueError("the PassContext has no trace")
        return self._traces[-1]

    def set_num_evals(self, num):
        """How many candidates were measured."""
        self.num_evals = num

    def inc_num_evals(self, num):
        """So many more."""
        self.num_evals += num

    def get_tuning_api_database(self):
        """Where measured times are kept."""
        return self._database

    def _records(self, info):
        return bool(self._traces) and not info.traceable and (self.make_traceable is None or info.name in self.make_traceable)

    def _begin_hooks(self):
        """Enters the hooks; where one raises, those that were entered are left and all are dropped."""
        entered = []
        try:
            for hook in self.instruments:
                hook.enter_pass_ctx()
                entered.append(hook)
        except BaseException:
            self.instruments = []
            for hook in entered:
                hook.exit_pass_ctx()
            raise

    def _end_hooks(self):
        """Leaves the hooks; where one raises, all are dropped."""
        try:
            for hook in self.instruments:
                hook.exit_pass_ctx()
        except BaseException:
            self.instruments = []
            raise

    def __enter__(self):
        self._begin_hooks()
        PassContext._stack.append(self)
        return self

    def __exit__(self, *unused):
        PassContext._stack.remove(self)
        self._end_hooks()

    def override_instruments(self, instruments):
        """Other hooks from here on: those of before are left, these entered."""
        self._end_hooks()
        self.instruments = list(instruments or [])
        self._begin_hooks()

    @staticmethod
    def current():
        """The innermost context, or the one of defaults."""
        if PassContext._stack:
            return PassContext._stack[-1]
        if PassContext._default is None:
            PassContext._default = PassContext()
        return PassContext._default

    @staticmethod
    def list_configs():
        """The options that passes know, with their types."""
        return {**{key: {"type": "DictAttrs"} for key in _OPTIONS}, **{key: {"type": kind} for key, kind in _PLAIN.items()}}


class Pass:
    """A step from module to module."""

    def __init__(self, info=None):
        self.info = info or PassInfo(name=type(self).__name__)

    def _run(self, mod, ctx):
        raise NotImplementedError

    def __call__(self, mod):
        if not isinstance(mod, IRModule):
            raise TypeError(f"a pass takes an IRModule, not {type(mod)}")
        ctx = PassContext.current()
        if self.info.name in ctx.disabled_pass:
            return mod
        if not all(hook.should_run(mod, self.info) is not False for hook in ctx.instruments):
            return mod
        for hook in ctx.instruments:
            hook.run_before_pass(mod, self.info)
        mod = self._run(mod, ctx)
        if ctx._records(self.info):
            from ..relax.transform.tuning_api import note_pass

            note_pass(ctx, self.info, mod)
        for hook in ctx.instruments:
            hook.run_after_pass(mod, self.info)
        return mod


class ModulePass(Pass):
    """A pass made of a function over modules."""

    def __init__(self, func=None, info=None):
        super().__init__(info)
        self._func = func

    def _run(self, mod, ctx):
        result = self._func(mod, ctx)
        if not isinstance(result, IRModule):
            raise TypeError(f"the pass {self.info.name} gave {type(result)}, not an IRModule")
        return result


class FunctionPass(Pass):
    """A pass made of a function over functions of some class."""

    def __init__(self, func=None, info=None, wants=None):
        super().__init__(info)
        self._func = func
        self._wants = wants

    def _run(self, mod, ctx):
        result = mod.clone()
        for var, func in mod.functions.items():
            if self._wants is None or isinstance(func, self._wants):
                result[var] = self._func(func, mod, ctx)
        return result


class Sequential(Pass):
    """Passes one after another."""

    def __init__(self, passes=None, opt_level=0, name="sequential", required=None, traceable=False):
        super().__init__(PassInfo(opt_level, name, required, traceable))
        self.passes = list(passes or [])

    def _run(self, mod, ctx):
        for step in self.passes:
            mod = step(mod)
        return mod


class _EnginePass(Pass):
    """A lowering pass of the engine."""

    def __init__(self, name, engine_name=None, options=None):
        super().__init__(PassInfo(0, name))
        self._name = engine_name or name
        self._options = options

    def _run(self, mod, ctx):
        given = ctx.config.get(self.info.name)
        options = {k: int(v) for k, v in given.items()} if isinstance(given, dict) else {}
        options.update((k, int(v)) for k, v in ctx.config.items() if isinstance(v, int))
        return _core.run_pass(self._name, mod, {**options, **(self._options or {})})


def _decorator(make):
    """A decorator of functions and classes that makes passes."""

    def outer(pass_func=None, opt_level=None, name=None, required=None, traceable=False):
        if opt_level is None and pass_func is None:
            raise ValueError("Please provide opt_level for the module pass.")

        def create(arg):
            info = PassInfo(opt_level or 0, name or arg.__name__, required, traceable)
            return make(arg, info)

        return create(pass_func) if pass_func is not None else create

    return outer


def _class_pass(cls, info, method, base, wants=None):
    """A class whose instances are passes made of one of its methods."""

    class PyPass(base):
        """A pass written in Python."""

        def __init__(self, *args, **kwargs):
            inst = cls(*args, **kwargs)
            func = functools.partial(getattr(cls, method), inst) if isinstance(getattr(cls, method), types.FunctionType) else getattr(inst, method)
            super().__init__(func, info) if wants is None else super().__init__(func, info, wants)
            self._inst = inst

        def __getattr__(self, name):
            return getattr(self.__dict__["_inst"], name)

    functools.update_wrapper(PyPass.__init__, cls.__init__)
    PyPass.__name__ = cls.__name__
    PyPass.__doc__ = cls.__doc__
    PyPass.__module__ = cls.__module__
    return PyPass


def make_function_pass_decorator(method, wants, made=FunctionPass):
    """The decorator of passes over functions of one class; `made` is the class of these passes."""

    def make(arg, info):
        if isinstance(arg, type):
            return _class_pass(arg, info, method, made, wants())
        return made(arg, info, wants())

    decorator = _decorator(make)
    decorator.__doc__ = "Decorator: a function over one function of a module, or a class with such a method, becomes a pass."
    return decorator


def _make_module_pass(arg, info):
    if isinstance(arg, type):
        return _class_pass(arg, info, "transform_module", ModulePass)
    if not callable(arg):
        raise TypeError("pass_func must be a callable for Module pass")
    return ModulePass(arg, info)


module_pass = _decorator(_make_module_pass)
module_pass.__doc__ = "Decorator: a function over a module, or a class with transform_module, becomes a pass."


def PrintIR(header=""):
    """A pass that prints the module."""

    def show(mod, ctx):
        print(header)
        print(mod)
        return mod

    return ModulePass(show, PassInfo(0, "PrintIR"))


def ApplyPassToFunction(transform, func_name_regex, error_if_no_function_matches_regex=False):
    """A pass that touches only functions whose names match."""
    import re

    def apply(mod, ctx):
        chosen = {v: f for v, f in mod.functions.items() if re.fullmatch(func_name_regex, v.name_hint)}
        if not chosen and error_if_no_function_matches_regex:
            raise ValueError(f"no function matches {func_name_regex}")
        part = transform(IRModule(chosen))
        result = mod.clone()
        for var, func in part.functions.items():
            result[var] = func
        return result

    return ModulePass(apply, PassInfo(0, "ApplyPassToFunction"))
