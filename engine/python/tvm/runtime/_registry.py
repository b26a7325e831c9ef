"""Packed functions by name."""
import _loopscope as _core

_PYTHON = {}


def register_func(func_name, f=None, override=False):
    """Registers a function under a name; a decorator when only the name is given."""
    if callable(func_name):
        f, func_name = func_name, func_name.__name__
    if not isinstance(func_name, str):
        raise ValueError("expect string function name")

    def register(func):
        _core.register(func_name, func, override)
        _PYTHON[func_name] = func
        return func

    return register(f) if f is not None else register


def register_global_func(func_name, f=None, override=False):
    """The name that TVM gives to register_func since 0.22."""
    return register_func(func_name, f, override)


def _machine_function(name):
    """A function of the virtual machine, or None."""
    from ..relax import rnn_state, runtime_builtin  # noqa: F401  (registers those that are written in Python)
    from ..relax.vm_build import machine
    from .module import PackedFunc

    python = _PYTHON.get(name)
    if python is not None:
        return PackedFunc(_core.find_function(name), python)
    native = machine()
    if not native.vm_has_builtin(name):
        return None
    method = rnn_state.METHODS.get(name)

    def call(*args):
        if method is not None and args and isinstance(args[0], rnn_state.RNNState):
            return method(*args)
        return native.vm_builtin(name, args)

    return PackedFunc(None, call)


def get_global_func(name, allow_missing=False):
    """The function of a name.  A Python function comes back as something that calls it."""
    func = _core.find_function(name)
    if func is None and name.startswith("vm.builtin."):
        func = _machine_function(name)
        if func is not None:
            return func
    if func is None and name.startswith("testing."):
        from .. import testing  # noqa: F401  (registers them)

        func = _core.find_function(name)
    if func is None:
        if allow_missing:
            return None
        raise ValueError(f"Cannot find global function {name}")
    if name in _PYTHON:
        from .module import PackedFunc

        return PackedFunc(func, _PYTHON[name])
    return func


def list_global_func_names():
    """All names."""
    return _core.registered()


def remove_global_func(name):
    """Forgets a function."""
    _PYTHON.pop(name, None)
    _core.unregister(name)


def _offer(name):
    """A function of contrib/packed.py, loaded when it is called."""
    def call(*args):
        from ..contrib.packed import FUNCTIONS

        return FUNCTIONS[name](*args)

    _core.register(name, call, True)


for _name in ("random.seed", "random.randint", "random.uniform", "random.normal", "random.random_fill", "random.random_fill_for_measure", "sort.argsort_nms",
              "cblas.matmul", "cblas.batch_matmul"):
    _offer("tvm.contrib." + _name)
