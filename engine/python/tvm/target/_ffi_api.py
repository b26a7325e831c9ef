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


def llvm_cpu_has_feature(feature, target=None):
    """Has the processor of a target this feature?"""
    return _codegen.target_has_features(feature, target)


llvm_get_targets, llvm_get_cpu_archlist = _codegen.llvm_get_targets, _codegen.llvm_get_cpu_archlist
llvm_get_system_cpu, llvm_get_system_triple = _codegen.llvm_get_system_cpu, _codegen.llvm_get_system_triple
llvm_get_system_x86_vendor = _codegen.llvm_get_system_x86_vendor
