"""The names under which TVM kept its foreign functions up to 0.20."""
from ..runtime._registry import get_global_func, list_global_func_names, register_func, remove_global_func
from ..runtime.object import register as _register
from . import base, runtime_ctypes


def register_object(type_key=None):
    """Decorator: nothing to be done, classes stand for nodes by their own registry."""
    return (lambda cls: cls) if not isinstance(type_key, type) else type_key


from . import registry

_ = (_register, base, registry, runtime_ctypes)


def _init_api(namespace, target_module_name=None):
    """Puts the registered functions of a name space into a module."""
    import sys

    module = sys.modules[target_module_name or namespace]
    for name in list_global_func_names():
        if name.startswith(namespace + "."):
            setattr(module, name.rsplit(".", 1)[1], get_global_func(name))
