"""The virtual machine."""
from .vm_build import VMExecutable, build


class VMFunction:
    """A function of an executable."""

    def __init__(self, impl, name):
        self._impl, self._name = impl, name

    def __call__(self, *args):
        return self._impl.call(self._name, args)

    def _time(self, args, number, repeat, min_repeat_ms, cooldown):
        return self._impl.time(self._name, tuple(args), number, repeat, min_repeat_ms)


class VirtualMachine:
    """Runs an executable."""

    NAIVE_ALLOCATOR = 1
    POOLED_ALLOCATOR = 2

    def __init__(self, rt_mod, device=None, memory_cfg=None, profile=False):
        if not isinstance(rt_mod, VMExecutable):
            raise TypeError("Expect the rt_mod to be an runtime.Module")
        self.module = rt_mod
        self._impl = rt_mod._impl
        self._inputs = {}
        self._outputs = {}

    def __getitem__(self, key):
        return self.module[key]

    def invoke_closure(self, closure, *args):
        """Calls a function."""
        return closure(*args)

    def save_function(self, func_name, saved_name, *args, include_return=True, **kwargs):
        """A function with its arguments, under another name."""
        self._inputs[saved_name] = (func_name, args)

    def set_input(self, func_name, *args, **kwargs):
        """The arguments of the next invoke_stateful."""
        from ..runtime.ndarray import NDArray, array

        self._inputs[func_name] = (func_name, tuple(x if isinstance(x, (NDArray, int, float, str, tuple, list)) else array(x) for x in args))

    def invoke_stateful(self, func_name):
        """Calls a function with the arguments that were set."""
        name, args = self._inputs[func_name]
        self._outputs[func_name] = self[name](*args)

    def get_outputs(self, func_name):
        """What it gave."""
        return self._outputs[func_name]

    def time_evaluator(self, func_name, dev=None, number=10, repeat=1, min_repeat_ms=0, **unused):
        """A function that calls another one many times and gives a BenchmarkResult in seconds."""
        name, saved = self._inputs.get(func_name, (func_name, None))
        evaluator = self.module.time_evaluator(name, dev, number, repeat, min_repeat_ms)
        return evaluator if saved is None else lambda: evaluator(*saved)


__all__ = ["VirtualMachine", "build"]
