"""Names of the intrinsics for matrices of a group of Metal's lanes, and which of them go together."""
SIMDGROUP_MAKE_FILLED_8x8x8_f16_INTRIN = "simdgroup_make_filled_8x8x8_f16"
SIMDGROUP_FILLED_8x8x8_f32_INTRIN = "simdgroup_make_filled_8x8x8_f32"
SIMDGROUP_MAKE_FILLED_8x8x8_bf16_INTRIN = "simdgroup_make_filled_8x8x8_bf16"
SIMDGROUP_LOAD_8x8x8_f16_SHARED_INTRIN = "simdgroup_load_8x8x8_f16_shared"
SIMDGROUP_LOAD_8x8x8_f16_SHARED_TRANS_INTRIN = "simdgroup_load_8x8x8_f16_shared_trans"
SIMDGROUP_LOAD_8x8x8_bf16_SHARED_INTRIN = "simdgroup_load_8x8x8_bf16_shared"
SIMDGROUP_LOAD_8x8x8_bf16_SHARED_TRANS_INTRIN = "simdgroup_load_8x8x8_bf16_shared_trans"
SIMDGROUP_STORE_8x8x8_f16_GLOBAL_INTRIN = "simdgroup_store_8x8x8_f16_global"
SIMDGROUP_STORE_8x8x8_f16_SHARED_INTRIN = "simdgroup_store_8x8x8_f16_shared"
SIMDGROUP_STORE_8x8x8_bf16_GLOBAL_INTRIN = "simdgroup_store_8x8x8_bf16_global"
SIMDGROUP_STORE_8x8x8_bf16_SHARED_INTRIN = "simdgroup_store_8x8x8_bf16_shared"
SIMDGROUP_MULTI_ACC_8x8x8_f16_INTRIN = "simdgroup_multiply_accumulate_8x8x8_f16"
SIMDGROUP_MULTI_ACC_8x8x8_bf16_INTRIN = "simdgroup_multiply_accumulate_8x8x8_bf16"

_SHORT = {"float16": "f16", "bfloat16": "bf16", "float32": "f32"}


def get_simdgroup_intrin_group(load_scope, store_scope, dtype, trans_a=False, trans_b=False):
    """Names of load, fill, product and store over matrices of 8 x 8."""
    if load_scope not in ("shared",) or store_scope not in ("global", "shared"):
        raise ValueError(f"matrices come from shared memory and go there or to global; got {load_scope}, {store_scope}")
    kind = _SHORT[dtype]
    return {
        "init": f"simdgroup_make_filled_8x8x8_{kind}",
        "load_a": f"simdgroup_load_8x8x8_{kind}_{load_scope}" + ("_trans" if trans_a else ""),
        "load_b": f"simdgroup_load_8x8x8_{kind}_{load_scope}" + ("_trans" if trans_b else ""),
        "compute": f"simdgroup_multiply_accumulate_8x8x8_{kind}",
        "store": f"simdgroup_store_8x8x8_{kind}_{store_scope}",
    }
