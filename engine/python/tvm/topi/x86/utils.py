"""What a target of x86 can do."""

_VNNI = ("cascadelake", "icelake-client", "icelake-server", "rocketlake", "tigerlake", "cooperlake", "sapphirerapids", "alderlake")
_AVX512 = ("skylake-avx512", "cannonlake", "knl", "knm") + _VNNI
_AVX2 = ("haswell", "broadwell", "skylake", "core-avx2") + _AVX512


def target_has_vnni(target):
    """Sums of products of bytes in one instruction?"""
    return target in _VNNI


def target_has_avx512(target):
    """Vectors of 64 bytes?"""
    return target in _AVX512


def target_has_avx2(target):
    """Vectors of 32 bytes?"""
    return target in _AVX2
