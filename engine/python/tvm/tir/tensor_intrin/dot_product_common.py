"""Names of the sums of four products."""
DP4A_INTRIN = "dp4a"
DP4A_S8S8S32_INTRIN = "dp4a_s8s8s32"
DP4A_S8U8S32_INTRIN = "dp4a_s8u8s32"
DP4A_U8S8S32_INTRIN = "dp4a_u8s8s32"
DP4A_U8U8U32_INTRIN = "dp4a_u8u8u32"

_functions = {
    "dp4a_desc": (DP4A_INTRIN, "desc"),
    "dp4a_impl": (DP4A_INTRIN, "impl"),
}


def __getattr__(name):
    from . import function_of

    return function_of(_functions, name, globals())
