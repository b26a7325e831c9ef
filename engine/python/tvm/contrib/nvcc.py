"""CUDA's compiler: not offered, there are no such devices."""


def get_target_compute_version(target=None):
    """Raises: there is no device."""
    raise ValueError("No CUDA architecture was specified or GPU detected.")


def have_fp16(compute_version):
    """Half precision?"""
    return False


def have_tensorcore(compute_version=None, target=None):
    """Tensor cores?"""
    return False


def get_cuda_version(cuda_path=None):
    """Raises: there is none."""
    raise RuntimeError("Cannot find CUDA")
