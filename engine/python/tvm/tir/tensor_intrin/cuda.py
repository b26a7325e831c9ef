"""Names of the intrinsics for CUDA, and which of them go together.  Those of 8-bit floats are names only."""
from .layouts import (ldmatrix_32x8_to_shared_16x16_layout, shared_16x16_to_ldmatrix_32x8_layout, shared_16x32_to_ldmatrix_32x16_layout,
                      shared_32x16_to_ldmatrix_32x16_layout)

LDMATRIX_e4m3_A_INTRIN = "mma_ldmatrix_e4m3_a"
LDMATRIX_e4m3_B_INTRIN = "mma_ldmatrix_e4m3_b"
LDMATRIX_e4m3_B_TRANS_INTRIN = "mma_ldmatrix_e4m3_b_trans"
LDMATRIX_e5m2_A_INTRIN = "mma_ldmatrix_e5m2_a"
LDMATRIX_e5m2_B_INTRIN = "mma_ldmatrix_e5m2_b"
LDMATRIX_e5m2_B_TRANS_INTRIN = "mma_ldmatrix_e5m2_b_trans"
MMA_e4m3e4m3f32_INTRIN = "mma_e4m3e4m3f32"
MMA_e4m3e4m3f32_TRANS_B_INTRIN = "mma_e4m3e4m3f32_trans_b"
MMA_e5m2e5m2f32_INTRIN = "mma_e5m2e5m2f32"
MMA_e5m2e5m2f32_TRANS_B_INTRIN = "mma_e5m2e5m2f32_trans_b"
LDMATRIX_f16_A_INTRIN = "mma_ldmatrix_f16_a"
LDMATRIX_f16_B_INTRIN = "mma_ldmatrix_f16_b"
LDMATRIX_f16_A_TRANS_INTRIN = "mma_ldmatrix_f16_a_trans"
LDMATRIX_f16_B_TRANS_INTRIN = "mma_ldmatrix_f16_b_trans"
LDMATRIX_f16_A_DYN_INTRIN = "mma_ldmatrix_f16_a_dyn"
LDMATRIX_f16_B_DYN_INTRIN = "mma_ldmatrix_f16_b_dyn"
LDMATRIX_f16_A_TRANS_DYN_INTRIN = "mma_ldmatrix_f16_a_trans_dyn"
LDMATRIX_f16_B_TRANS_DYN_INTRIN = "mma_ldmatrix_f16_b_trans_dyn"
LDMATRIX_i8_A_INTRIN = "mma_ldmatrix_i8_a"
LDMATRIX_i8_B_INTRIN = "mma_ldmatrix_i8_b"
LDMATRIX_i8_B_TRANS_INTRIN = "mma_ldmatrix_i8_b_trans"
MMA_f16f16f32_INTRIN = "mma_f16f16f32"
MMA_f16f16f32_TRANS_B_INTRIN = "mma_f16f16f32_trans_b"
MMA_f16f16f32_TRANS_A_INTRIN = "mma_f16f16f32_trans_a"
MMA_f16f16f32_TRANS_A_TRANS_B_INTRIN = "mma_f16f16f32_trans_a_trans_b"
MMA_f16f16f16_INTRIN = "mma_f16f16f16"
MMA_f16f16f16_TRANS_B_INTRIN = "mma_f16f16f16_trans_b"
MMA_f16f16f16_TRANS_A_INTRIN = "mma_f16f16f16_trans_a"
MMA_f16f16f16_TRANS_A_TRANS_B_INTRIN = "mma_f16f16f16_trans_a_trans_b"
MMA_i8i8i32_INTRIN = "mma_i8i8i32"
MMA_i8i8i32_TRANS_B_INTRIN = "mma_i8i8i32_trans_b"
MMA_fill_16x16_f32_INTRIN = "mma_fill_16x16_f32"
MMA_fill_16x16_f16_INTRIN = "mma_fill_16x16_f16"
MMA_fill_16x16_i32_INTRIN = "mma_fill_16x16_i32"
MMA_store_16x16_f32_global_INTRIN = "mma_store_16x16_f32_global_"
MMA_store_16x16_f32_shared_dyn_INTRIN = "mma_store_16x16_f32_shared_dyn_"
MMA_store_16x16_f32_shared_dyn_INTRIN_SIMPLE = "mma_store_16x16_f32_shared_dyn_simple_"
MMA_store_16x16_f16_shared_dyn_INTRIN_SIMPLE = "mma_store_16x16_f16_shared_dyn_simple_"
MMA_store_16x16_f16_global_INTRIN = "mma_store_16x16_f16_global_"
MMA_store_16x16_i32_global_INTRIN = "mma_store_16x16_i32_global_"
WMMA_SYNC_16x16x16_f16f16f32_INTRIN = "wmma_sync_16x16x16_f16f16f32"
WMMA_SYNC_16x16x16_f16f16f32_TRANS_INTRIN = "wmma_sync_16x16x16_f16f16f32_trans"
WMMA_SYNC_16x16x16_f16f16f16_INTRIN = "wmma_sync_16x16x16_f16f16f16"
WMMA_SYNC_16x16x16_f16f16f16_TRANS_INTRIN = "wmma_sync_16x16x16_f16f16f16_trans"
WMMA_SYNC_16x16x16_s8s8s32_INTRIN = "wmma_sync_16x16x16_s8s8s32"
WMMA_SYNC_16x16x16_s8s8s32_TRANS_INTRIN = "wmma_sync_16x16x16_s8s8s32_trans"
WMMA_SYNC_8x8x32_s4s4s32_TRANS_INTRIN = "wmma_sync_8x8x32_s4s4s32_trans"
WMMA_FILL_16x16x16_F32_INTRIN = "wmma_fill_16x16x16_f32"
WMMA_FILL_16x16x16_F16_INTRIN = "wmma_fill_16x16x16_f16"
WMMA_FILL_16x16x16_S32_INTRIN = "wmma_fill_16x16x16_s32"
WMMA_FILL_8x8x32_S32_INTRIN = "wmma_fill_8x8x32_s32"
WMMA_LOAD_16x16x16_F16_A_INTRIN = "wmma_load_16x16x16_f16_a_shared"
WMMA_LOAD_16x16x16_F16_A_DYN_INTRIN = "wmma_load_16x16x16_f16_a_shared_dyn"
WMMA_LOAD_16x16x16_F16_B_INTRIN = "wmma_load_16x16x16_f16_b_shared"
WMMA_LOAD_16x16x16_F16_B_DYN_INTRIN = "wmma_load_16x16x16_f16_b_shared_dyn"
WMMA_LOAD_16x16x16_F16_A_TRANS_INTRIN = "wmma_load_16x16x16_f16_a_trans_shared"
WMMA_LOAD_16x16x16_F16_A_TRANS_DYN_INTRIN = "wmma_load_16x16x16_f16_a_trans_shared_dyn"
WMMA_LOAD_16x16x16_F16_B_TRANS_INTRIN = "wmma_load_16x16x16_f16_b_trans_shared"
WMMA_LOAD_16x16x16_F16_B_TRANS_DYN_INTRIN = "wmma_load_16x16x16_f16_b_trans_shared_dyn"
WMMA_LOAD_16x16x16_S8_A_INTRIN = "wmma_load_16x16x16_s8_a_shared"
WMMA_LOAD_16x16x16_S8_A_DYN_INTRIN = "wmma_load_16x16x16_s8_a_shared_dyn"
WMMA_LOAD_16x16x16_S8_B_INTRIN = "wmma_load_16x16x16_s8_b_shared"
WMMA_LOAD_16x16x16_S8_B_DYN_INTRIN = "wmma_load_16x16x16_s8_b_shared_dyn"
WMMA_LOAD_16x16x16_S8_A_TRANS_INTRIN = "wmma_load_16x16x16_s8_a_trans_shared"
WMMA_LOAD_16x16x16_S8_A_TRANS_DYN_INTRIN = "wmma_load_16x16x16_s8_a_trans_shared_dyn"
WMMA_LOAD_16x16x16_S8_B_TRANS_INTRIN = "wmma_load_16x16x16_s8_b_trans_shared"
WMMA_LOAD_16x16x16_S8_B_TRANS_DYN_INTRIN = "wmma_load_16x16x16_s8_b_trans_shared_dyn"
WMMA_LOAD_8x8x32_S4_A_INTRIN = "wmma_load_8x8x32_s4_a_shared"
WMMA_LOAD_8x8x32_S4_A_DYN_INTRIN = "wmma_load_8x8x32_s4_a_shared_dyn"
WMMA_LOAD_8x8x32_S4_B_TRANS_INTRIN = "wmma_load_8x8x32_s4_b_trans_shared"
WMMA_LOAD_8x8x32_S4_B_TRANS_DYN_INTRIN = "wmma_load_8x8x32_s4_b_trans_shared_dyn"
WMMA_STORE_16x16x16_F32_SHARED_INTRIN = "wmma_store_16x16x16_f32_shared"
WMMA_STORE_16x16x16_F32_SHARED_DYN_INTRIN = "wmma_store_16x16x16_f32_shared_dyn"
WMMA_STORE_16x16x16_F32_GLOBAL_INTRIN = "wmma_store_16x16x16_f32_global"
WMMA_STORE_16x16x16_F16_SHARED_INTRIN = "wmma_store_16x16x16_f16_shared"
WMMA_STORE_16x16x16_F16_SHARED_DYN_INTRIN = "wmma_store_16x16x16_f16_shared_dyn"
WMMA_STORE_16x16x16_F16_GLOBAL_INTRIN = "wmma_store_16x16x16_f16_global"
WMMA_STORE_16x16x16_S32_SHARED_INTRIN = "wmma_store_16x16x16_s32_shared"
WMMA_STORE_16x16x16_S32_SHARED_DYN_INTRIN = "wmma_store_16x16x16_s32_shared_dyn"
WMMA_STORE_16x16x16_S32_GLOBAL_INTRIN = "wmma_store_16x16x16_s32_global"
WMMA_STORE_8x8x32_S32_SHARED_INTRIN = "wmma_store_8x8x32_s32_shared"
WMMA_STORE_8x8x32_S32_SHARED_DYN_INTRIN = "wmma_store_8x8x32_s32_shared_dyn"
WMMA_STORE_8x8x32_S32_GLOBAL_INTRIN = "wmma_store_8x8x32_s32_global"

_MMA = {"float16": "f16", "float32": "f32", "int8": "i8", "int32": "i32"}
_WMMA = {"float16": "f16", "float32": "f32", "int8": "s8", "int32": "s32"}


def get_wmma_intrin_group(load_scope, store_scope, in_dtype, out_dtype, trans_b):
    """Names of load, fill, sync and store for a product in fragments of 16 x 16 x 16."""
    if load_scope not in ("shared", "shared.dyn") or store_scope not in ("global", "shared", "shared.dyn"):
        raise ValueError(f"fragments come from shared memory and go there or to global; got {load_scope}, {store_scope}")
    one, out = _WMMA[in_dtype], _WMMA[out_dtype]
    load, store, trans = load_scope.replace(".", "_"), store_scope.replace(".", "_"), "_trans" if trans_b else ""
    return {
        "init": f"wmma_fill_16x16x16_{out}",
        "load_a": f"wmma_load_16x16x16_{one}_a_{load}",
        "load_b": f"wmma_load_16x16x16_{one}_b{trans}_{load}",
        "compute": f"wmma_sync_16x16x16_{one}{one}{out}{trans}",
        "store": f"wmma_store_16x16x16_{out}_{store}",
    }


def get_mma_intrin_group(load_scope, store_scope, a_dtype, b_dtype, out_dtype, trans_a, trans_b,
                         not_use_mma_store_intrinic=True, store_to_smem_dtype=None):
    """Names of load, fill, mma and store for a product over the lanes of a warp."""
    if load_scope not in ("shared", "shared.dyn") or store_scope not in ("global", "shared", "shared.dyn"):
        raise ValueError(f"tiles come from shared memory and go there or to global; got {load_scope}, {store_scope}")
    a, b, out = _MMA[a_dtype], _MMA[b_dtype], _MMA[out_dtype]
    dyn = "_dyn" if load_scope == "shared.dyn" else ""
    ta, tb = "_trans" if trans_a else "", "_trans" if trans_b else ""
    kept = _MMA[store_to_smem_dtype] if store_to_smem_dtype else out
    return {
        "init": f"mma_fill_16x16_{out}",
        "load_a": f"mma_ldmatrix_{a}_a{ta}{dyn}",
        "load_b": f"mma_ldmatrix_{b}_b{tb}{dyn}",
        "compute": f"mma_{a}{b}{out}" + (ta + "_a" if ta else "") + (tb + "_b" if tb else ""),
        "store": f"mma_store_16x16_{kept}_{store_scope.replace('.', '_')}_" + ("simple_" if not_use_mma_store_intrinic else ""),
    }


def shared_16x16_to_ldmatrix_32x8_layout(i, j):
    """(lane, place) of an element of 16 x 16 halves."""
    return 4 * (i % 8) + (j % 8) // 2, 4 * (j // 8) + (i // 8) * 2 + j % 2


def ldmatrix_32x8_to_shared_16x16_layout(thread_id, local_id):
    """(row, column) of what a lane holds of 16 x 16 halves."""
    return 8 * (local_id % 4 // 2) + thread_id // 4, 8 * (local_id // 4) + (thread_id % 4) * 2 + local_id % 2


def shared_16x32_to_ldmatrix_32x16_layout(i, j):
    """(lane, place) of an element of 16 x 32 bytes."""
    return 4 * (i % 8) + (j % 16) // 4, 8 * (j // 16) + (i // 8) * 4 + j % 4


def ldmatrix_32x16_to_shared_16x32_layout(thread_id, local_id):
    """(row, column) of what a lane holds of 16 x 32 bytes."""
    return 8 * (local_id % 8 // 4) + thread_id // 4, 16 * (local_id // 8) + (thread_id % 4) * 4 + local_id % 4


def shared_32x16_to_ldmatrix_32x16_layout(i, j):
    """(lane, place) of an element of 32 x 16 bytes."""
    return (i % 16) // 4 + 4 * (j % 8), 8 * (j // 8) + (i // 16) * 4 + i % 4


def ldmatrix_32x16_to_shared_32x16_layout(thread_id, local_id):
    """(row, column) of what a lane holds of 32 x 16 bytes."""
    return (local_id % 8 // 4) * 16 + (thread_id % 4) * 4 + local_id % 4, (local_id // 8) * 8 + thread_id // 4
