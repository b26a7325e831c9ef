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


def get_global_func(name, allow_missing=False):
    """The function of a name.  A Python function comes back as something that calls it."""
    func = _core.find_function(name)
    if func is None:
        if allow_missing:
            return None
        raise ValueError(f"Cannot find global function {name}")
    python = _PYTHON.get(name)
    if python is not None:
        from .module import PackedFunc

        return PackedFunc(func, python)
    return func


def list_global_func_names():
    """All names."""
    return _core.registered()


def remove_global_func(name):
    """Forgets a function."""
    _PYTHON.pop(name, None)
    _core.unregister(name)
