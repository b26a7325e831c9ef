"""The modules that TVM's topi is made of, for those who import an operator from its own module.

Here the operators of a package are in few files; a module such as tvm.topi.nn.pooling shows those of its package."""
import sys
from types import ModuleType

_MODULES = {
    "tvm.topi": ("argwhere", "einsum", "gather", "index_put", "scan", "scatter", "scatter_elements", "searchsorted", "slice_scatter", "sort",
                 "tensor", "unique"),
    "tvm.topi.image": ("dilation2d", "grid_sample", "resize"),
    "tvm.topi.nn": ("batch_matmul", "batch_norm", "batch_to_space_nd", "bitserial_conv2d", "bitserial_dense", "bitserial_util", "bnn", "conv1d",
                    "conv1d_transpose", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose", "correlation", "deformable_conv2d", "dense",
                    "depth_to_space", "depthwise_conv2d", "dilate", "elemwise", "fifo_buffer", "flatten", "group_norm", "instance_norm", "layer_norm",
                    "local_response_norm", "loss", "lstm", "mapping", "pad", "pixel_shuffle", "pooling", "rms_norm", "softmax", "space_to_batch_nd",
                    "space_to_depth", "upsampling", "utils", "winograd_util"),
}


class Family(ModuleType):
    """A module whose names are those of its package."""

    def __init__(self, package, name):
        super().__init__(f"{package}.{name}", f"Operators of {package}: {name}.")
        self._package = package

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return getattr(sys.modules[self._package], name)
        except AttributeError:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None

    def __dir__(self):
        return [name for name in dir(sys.modules[self._package]) if not name.startswith("_")]


def register(package):
    """Makes the modules of a package importable; where an operator has the same name, the package keeps the operator."""
    space = vars(sys.modules[package])
    for name in _MODULES[package]:
        module = Family(package, name)
        sys.modules[module.__name__] = module
        space.setdefault(name, module)
