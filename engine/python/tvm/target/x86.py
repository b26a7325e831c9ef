"""Questions about x86."""
from .codegen import llvm_get_vector_width, target_has_features


def get_simd_32bit_lanes():
    """Floats in a vector register."""
    return llvm_get_vector_width() // 32


def target_has_avx512(target):
    """AVX-512?"""
    return target_has_features("avx512f", target)
