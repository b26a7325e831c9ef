"""Functions of TVM by name: those of processors, which answer as `codegen` does."""
from . import codegen as _codegen


def target_has_feature(feature, target=None):
    """Has the processor of a target this feature?"""
    return _codegen.target_has_features(feature, target)


def llvm_get_cpu_features(target=None):
    """The features of a target's processor, by its name."""
    return _codegen.llvm_get_cpu_features(target)


def llvm_get_vector_width(target=None):
    """Bits of a vector register."""
    return _codegen.llvm_get_vector_width(target)
