"""Objects, arrays, devices and modules that run."""
from .object import Object
from .object_generic import ObjectGeneric, convert, convert_to_object, const
from ._types import DataType, DataTypeCode
from .ndarray import (NDArray, device, cpu, cuda, gpu, opencl, cl, vulkan, metal, mtl, vpi, rocm, ext_dev, hexagon, webgpu, Device, array, empty, from_dlpack)
from .module import Module, BenchmarkResult, PackedFunc, Executable, load_module, load_static_library, system_lib, num_threads, enabled
from .container import String, ShapeTuple, Shape
from .object_path import ObjectPath, ObjectPathPair
from .script_printer import PrinterConfig, Scriptable
from .params import load_param_dict_from_file, save_param_dict_to_file
from . import _ffi_api, cache_flush, ndarray, module, object, container, profiling, executable, params  # noqa: A004

Tensor = NDArray


def tensor(arr, device=None, mem_scope=None):  # noqa: F811
    """An array with a copy of the data; the name that TVM gives to `nd.array` since 0.22."""
    return array(arr, device, mem_scope)


def load_param_dict(param_bytes):
    """Parameters as saved by save_param_dict."""
    return ndarray.load_param_dict(param_bytes)


def save_param_dict(params):
    """Parameters as bytes."""
    return ndarray.save_param_dict(params)
