"""Names of the intrinsics for matrices of a group of Metal's lanes, and which of them go together."""
_SHORT = {"float16": "f16", "bfloat16": "bf16", "float32": "f32"}


def get_simdgroup_intrin_group(load_scope, store_scope, dtype, trans_a=False, trans_b=False):
    """Names of load, fill, product and store over matrices of 8 x 8."""
    if load_scope not in ("shared",) or store_scope not in ("global", "shared"):
        raise ValueError(f"matrices come from shared memory and go there or to global; got {load_scope}, {store_scope}")
    kind = _SHORT[dtype]
    return {
        "init": f"simdgroup_make_filled_{kind}_8x8x8_intrin",
        "load_a": f"simdgroup_load_{kind}_8x8_{load_scope}_intrin" + ("_trans" if trans_a else ""),
        "load_b": f"simdgroup_load_{kind}_8x8_{load_scope}_intrin" + ("_trans" if trans_b else ""),
        "compute": f"simdgroup_multiply_accumulate_{kind}_8x8x8_intrin",
        "store": f"simdgroup_store_{kind}_8x8_{store_scope}_intrin",
    }
