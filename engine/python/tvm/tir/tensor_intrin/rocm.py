"""Names of the intrinsics for ROCm, and the layouts of its tiles.  Those of the matrix cores are names only."""
from .layouts import (shared_16x4_to_local_64x1_layout_A, shared_4x16_to_local_64x1_layout_B, shared_16x16_to_local_64x4_layout_A,
                      shared_16x16_to_local_64x4_layout_B, shared_16x16_to_local_64x4_layout_C)

AMDGPU_SDOT4_INTRIN = "sdot4"
ROCM_MFMA_fill_16x16_f32_INTRIN = "ROCM_mfma_fill_16x16_f32"
ROCM_MFMA_fill_16x16_i32_INTRIN = "ROCM_mfma_fill_16x16_i32"
ROCM_MFMA_LOAD_16x16_A_SHARED_s8_INTRIN = "rocm_mfma_load_16x16_a_shared_s8"
ROCM_MFMA_LOAD_16x16_B_SHARED_s8_INTRIN = "rocm_mfma_load_b_16x16_shared_s8"
ROCM_MFMA_LOAD_16x16_A_SHARED_f16_INTRIN = "rocm_mfma_load_16x16_a_shared_f16"
ROCM_MFMA_LOAD_16x16_B_SHARED_f16_INTRIN = "rocm_mfma_load_b_16x16_shared_f16"
ROCM_MFMA_LOAD_16x4_A_SHARED_f32_INTRIN = "rocm_mfma_load_16x4_a_shared_f32"
ROCM_MFMA_LOAD_16x4_B_SHARED_f32_INTRIN = "rocm_mfma_load_b_16x4_shared_f32"
ROCM_MFMA_f32f32f32_INTRIN = "rocm_mfma_f32f32f32"
ROCM_MFMA_f16f16f32_INTRIN = "rocm_mfma_f16f16f32"
ROCM_MFMA_s8s8s32_INTRIN = "rocm_mfma_s8s8s32"
ROCM_MFMA_STORE_16x16_s32_INTRIN = "rocm_mfma_store_16x16_s32"
ROCM_MFMA_STORE_16x16_f32_INTRIN = "rocm_mfma_store_16x16_f32"
