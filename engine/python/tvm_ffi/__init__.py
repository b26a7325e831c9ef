"""The names of TVM's foreign functions since 0.22, when they became a package of their own: functions by name, arrays, devices, containers."""
import tvm as _tvm
from tvm.ir import Array, Map
from tvm.runtime import DataType as dtype
from tvm.runtime import Device, Module, Object, PackedFunc as Function, Shape, ShapeTuple, String, Tensor, convert, device, from_dlpack, load_module
from tvm.runtime._registry import get_global_func, list_global_func_names, register_global_func, remove_global_func

__version__ = _tvm.__version__


def register_object(type_key=None):
    """Decorator: nothing to be done, classes stand for nodes by their own registry."""
    return type_key if isinstance(type_key, type) else (lambda cls: cls)


def init_ffi_api(namespace, target_module_name=None):
    """Puts the registered functions of a name space into a module."""
    from tvm._ffi import _init_api

    _init_api(namespace, target_module_name)


def structural_equal(lhs, rhs, map_free_vars=False):
    """Are two nodes the same up to the names of variables?"""
    return _tvm.ir.structural_equal(lhs, rhs, map_free_vars)


def structural_hash(node, map_free_vars=False):
    """A number that is the same for nodes that are structurally equal."""
    return _tvm.ir.structural_hash(node, map_free_vars)
