"""Functions of this module for those who hold tensors of another library."""
from ..runtime import ndarray


def convert_func(tvm_func, tensor_type, to_dlpack_func):
    """The function, but tensors of `tensor_type` may be given to it: they go over by DLPack, without a copy."""
    if not callable(tvm_func):
        raise AssertionError("a function is needed")

    def call(*args):
        return tvm_func(*[ndarray.from_dlpack(to_dlpack_func(one)) if isinstance(one, tensor_type) else one for one in args])

    return call


def to_pytorch_func(tvm_func):
    """The function for tensors of PyTorch."""
    import torch
    import torch.utils.dlpack

    return convert_func(tvm_func, torch.Tensor, torch.utils.dlpack.to_dlpack)
