"""What is here to run a test, as questions: has_cuda(), has_llvm(), is_x86(), has_nvcc_version(12, 1).  The answers are those of the marks of `features`."""
from . import features as _features

_OTHERWISE = {"is_aarch64": "aarch64", "has_aarch64_sve": "aarch64_sve", "has_aarch64_sme": "aarch64_sme", "has_aprofile_aem_fvp": "aprofile_aem_fvp",
              "is_x86": "x86"}


def has_llvm_min_version(major):
    """LLVM, of this version or a later one?"""
    from ..target.codegen import llvm_version_major

    return has_llvm() and llvm_version_major() >= major


def has_cuda_compute(major, minor=0, exact=False):
    """A device of CUDA of this capability?  The simulated one is none."""
    return False


def has_nvcc_version(major, minor=0, release=0):
    """A device of CUDA and NVIDIA's compiler?  The simulated device is none."""
    return False


def has_cpu_feature(features):
    """Has this processor all these features, by LLVM's names?"""
    from ..target import Target, codegen

    here = Target({"kind": "llvm", "mtriple": codegen.llvm_get_system_triple(), "mcpu": codegen.llvm_get_system_cpu()})
    return bool(codegen.target_has_features(features, here))


def has_llvm():
    """LLVM?"""
    return _features.requires_llvm.present()


def has_cuda():
    """A device of CUDA?"""
    return _features.requires_cuda.present()


def has_mrvl():
    """Marvell's compiler?"""
    return False


def __getattr__(name):
    word = _OTHERWISE.get(name) or (name[4:] if name.startswith("has_") else None)
    feature = getattr(_features, f"requires_{word}", None)
    if not isinstance(feature, _features.Feature):
        raise AttributeError(f"module 'tvm.testing.env' has no attribute '{name}'")

    def present(*unused):
        return feature.present()

    present.__name__, present.__doc__ = name, f"{feature.long_name}?"
    return present
