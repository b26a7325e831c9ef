"""The Python interface of Loopscope's tensor compiler engine, with the names of Apache TVM."""
import importlib as _importlib

from ._alias import moved as _moved
from . import error
from .error import TVMError
from . import runtime
from . import ir
from . import tir
from . import arith
from . import target
from . import script
from .runtime import ndarray
from .runtime import ndarray as nd
from .runtime import (DataType, DataTypeCode, Object, device, cpu, cuda, gpu, opencl, cl, vulkan, metal, mtl, vpi, rocm, ext_dev, hexagon, webgpu)
from .runtime._registry import register_func, get_global_func, list_global_func_names, remove_global_func, register_global_func
from .ir import IRModule, transform, instrument
from .driver import build, compile, lower  # noqa: A004
from os import environ as _environ

__version__ = "0.20.0"

# The names of TVM since 2026.
for _name, _where in (("tirx", "tir"), ("script.tirx", "script.tir"), ("s_tir.schedule", "tir.schedule"), ("s_tir.transform", "tir.transform"),
                      ("s_tir.analysis", "tir.analysis"), ("s_tir.tensor_intrin", "tir.tensor_intrin"), ("s_tir.meta_schedule", "meta_schedule"),
                      ("s_tir.dlight", "dlight"), ("s_tir.script.ir_builder", "script.ir_builder.tir"), ("s_tir.script", "script.tir"),
                      ("tirx.script.ir_builder", "script.ir_builder.tir"), ("tirx.script", "script.tir"), ("s_tir.data_layout", "tir.data_layout"),
                      ("s_tir.sblock_scope", "tir.block_scope"), ("s_tir.sblock_dependence_info", "tir.block_dependence_info")):
    _moved("tvm." + _name, "tvm." + _where)

# Modules of TVM whose contents stand in the package above them here.
for _name in ("transform.transform", "transform.fast_math", "transform.fuse_transpose_matmul", "transform.ipc_allreduce_rewrite", "transform.lazy_transform_params",
              "transform.lower_gpu_ipc_alloc_storage", "transform.optimize_layout_transform", "transform.remove_redundant_reshape", "analysis.analysis",
              "op.nn.nn", "op.image.image", "op.memory.memory", "op.memory.view", "op.builtin.builtin", "op.ccl.ccl", "op.vm.vm", "op.grad.grad",
              "op.distributed.distributed", "global_info", "transform.legalize_ops.binary", "transform.legalize_ops.unary", "transform.legalize_ops.nn",
              "transform.legalize_ops.manipulate", "transform.legalize_ops.index", "transform.legalize_ops.create", "transform.legalize_ops.datatype",
              "transform.legalize_ops.image", "transform.legalize_ops.linear_algebra", "transform.legalize_ops.search", "transform.legalize_ops.statistical",
              "transform.legalize_ops.inspect_op", "transform.legalize_ops.ccl", "transform.legalize_ops.qdq"):
    _moved("tvm.relax." + _name, "tvm.ir" if _name == "global_info" else "tvm.relax." + _name.rpartition(".")[0])

# Large or seldom used parts are loaded when somebody asks for them.
_LAZY = ("relax", "te", "topi", "testing", "contrib", "meta_schedule", "s_tir", "tirx", "driver", "rpc", "_ffi", "support")


def __getattr__(name):
    if name in _LAZY:
        return _importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'tvm' has no attribute '{name}'")


def __dir__():
    return sorted(set(globals()) | set(_LAZY))


def support_libinfo():
    """What the engine was built with."""
    return {"TVM_VERSION": __version__, "USE_LLVM": "ON"}


def const(value, dtype=None, span=None):
    """A constant of a type; without one, of the type that the value suggests."""
    return tir.const(value, dtype, span)


def register_object(type_key=None):
    """Decorator: nothing to be done."""
    return type_key if isinstance(type_key, type) else (lambda cls: cls)


def register_extension(cls, fcreate=None):
    """Decorator: nothing to be done."""
    return cls


def convert(value, span=None):
    """A Python value as an object of the engine."""
    return runtime.convert(value, span)


def _load_classes():
    """The classes of nodes that stand in the parts that are loaded late."""
    for part in ("relax", "te"):
        _importlib.import_module("." + part, __name__)


runtime.object._core.load_classes(_load_classes)
IS_IN_CI = _environ.get("CI", "") == "true"
