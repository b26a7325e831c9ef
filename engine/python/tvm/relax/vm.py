"""The virtual machine."""
from enum import IntEnum

from ..error import TVMError, _ValueMismatch
from ..ir.container import Values
from ..runtime._registry import get_global_func
from .vm_build import VMExecutable, build


def _given(result):
    return Values(_given(x) for x in result) if type(result) is list else result


class VMFunction:
    """A function of an executable."""

    def __init__(self, impl, name, threads=None):
        self._impl, self._name, self._threads = impl, name, threads

    def __call__(self, *args):
        result = _given(self._impl.call(self._name, args))
        return result if self._threads is None else self._threads.placed(result)

    def _time(self, args, number, repeat, min_repeat_ms, cooldown):
        if self._threads is not None:
            from ..runtime import simt

            (simt.tell_fast if simt.fast else simt.tell_time)()
        return self._impl.time(self._name, tuple(args), number, repeat, min_repeat_ms)


class VMInstrumentReturnKind(IntEnum):
    """What an instrument answers before a call."""

    NO_OP = 0
    SKIP_RUN = 1


class VirtualMachine:
    """Runs an executable."""

    NAIVE_ALLOCATOR = 1
    POOLED_ALLOCATOR = 2

    def __init__(self, rt_mod, device=None, memory_cfg=None, profile=False):
        if not isinstance(rt_mod, VMExecutable):
            raise TypeError("Expect the rt_mod to be an runtime.Module")
        self.module = rt_mod
        self._impl = rt_mod._impl
        self._profiled = bool(profile)
        self._inputs = {}
        self._saved = {}
        self._outputs = {}

    def __getitem__(self, key):
        saved = self._saved.get(key)
        if saved is None:
            return self.module[key]
        func, args, with_result = saved

        def call():
            result = func(*args)
            return result if with_result else None

        return call

    def invoke_closure(self, closure, *args):
        """Calls a function that a call gave."""
        if callable(closure):
            return closure(*args)
        return self._impl.invoke(closure, args)

    def set_instrument(self, instrument):
        """Calls instrument(func, name, before_run, result, *args) before and after every call; before one it may answer
        VMInstrumentReturnKind.SKIP_RUN.  None: nothing is called any more."""
        if instrument is None:
            self._impl.instrument(None)
            return
        if isinstance(instrument, str):
            instrument = get_global_func(instrument)

        def called(name, before, result, *args):
            answer = instrument(VMFunction(self._impl, name), name, before, result, *args)
            return int(answer) if answer is not None else 0

        self._impl.instrument(called)

    def save_function(self, func_name, saved_name, *args, include_return=True, **kwargs):
        """A function with its arguments, under another name."""
        if saved_name in self.module or saved_name in self._saved:
            raise ValueError(f"there is a function {saved_name} already")
        args = self._ordered(func_name, args, kwargs)
        self._saved[saved_name] = (self[func_name], args, include_return)
        self._inputs[saved_name] = (func_name, args)

    def _ordered(self, func_name, args, kwargs):
        """Arguments in the order of the parameters, those by name among them."""
        names = self._impl.params(func_name)
        if names is None:
            if kwargs:
                raise TVMError(f"the executable does not know the parameters of {func_name}: its arguments have no names")
            return args
        strangers = [name for name in kwargs if name not in names[len(args):]]
        if strangers:
            raise TVMError(f"{func_name} takes no `{strangers[0]}` more; its parameters are {', '.join(names)}")
        args = list(args) + [kwargs[name] for name in names[len(args):] if name in kwargs]
        if len(args) != len(names):
            raise TVMError(f"{func_name} takes {len(names)} arguments; {len(args)} came")
        return tuple(args)

    def set_input(self, func_name, *args, **kwargs):
        """The arguments of the next invoke_stateful."""
        from ..runtime.ndarray import NDArray, array

        if func_name not in self.module:
            raise TVMError(f"the executable has no function {func_name}")
        args = self._ordered(func_name, args, kwargs)
        self._inputs[func_name] = (func_name, tuple(x if isinstance(x, (NDArray, int, float, str, tuple, list)) else array(x) for x in args))

    def _with_inputs(self, func_name):
        if func_name not in self._inputs:
            raise _ValueMismatch(f"the inputs of {func_name} are not set")
        return func_name

    def invoke_stateful(self, func_name):
        """Calls a function with the arguments that were set."""
        name, args = self._inputs[self._with_inputs(func_name)]
        self._outputs[func_name] = self[name](*args)

    def get_outputs(self, func_name):
        """What it gave."""
        if func_name not in self._outputs:
            raise _ValueMismatch(f"{func_name} was not called yet")
        return self._outputs[func_name]

    def profile(self, func_name, *args):
        """Calls a function, with the arguments that were set if none are given; tells what each instruction of it took."""
        from ..runtime.profiling import Report

        if not self._profiled:
            raise TVMError("the machine does not profile: VirtualMachine(..., profile=True) does")
        if not args and func_name in self._inputs:
            func_name, args = self._inputs[func_name]
        rows = self._impl.profile(func_name, tuple(args))
        total = sum(ns for _, ns, _ in rows) or 1
        calls = [{"Name": name, "Duration (us)": ns / 1e3, "Percent": 100 * ns / total, "Device": "cpu0", "Count": 1, "Argument Shapes": ", ".join(shapes)}
                 for name, ns, shapes in rows]
        return Report(calls, {"cpu0": {"Duration (us)": total / 1e3, "Percent": 100.0, "Device": "cpu0"}}, {"Executor": "VM"})

    def time_evaluator(self, func_name, dev=None, number=10, repeat=1, min_repeat_ms=0, **unused):
        """A function that calls another one many times and gives a BenchmarkResult in seconds."""
        if func_name == "invoke_stateful":
            return lambda name: self.time_evaluator(self._with_inputs(name), dev, number, repeat, min_repeat_ms)()
        name, saved = self._inputs.get(func_name, (func_name, None))
        evaluator = self.module.time_evaluator(name, dev, number, repeat, min_repeat_ms)
        return evaluator if saved is None else lambda *args: evaluator(*(args or saved))


__all__ = ["VirtualMachine", "build"]
