"""Names of the intrinsics for x86."""
VNNI_DOT_16x4_INTRIN = "dot_16x4_vnni"
AVX512_DOT_16x4_INTRIN = "dot_16x4_avx512"

_functions = {
    "dot_product_16x4_u8i8i32_desc": (VNNI_DOT_16x4_INTRIN, "desc"),
    "dot_product_16x4_u8i8i32_vnni": (VNNI_DOT_16x4_INTRIN, "impl"),
    "dot_product_16x4_u8i8i32_avx512": (AVX512_DOT_16x4_INTRIN, "impl"),
}


def __getattr__(name):
    from . import function_of

    return function_of(_functions, name, globals())
