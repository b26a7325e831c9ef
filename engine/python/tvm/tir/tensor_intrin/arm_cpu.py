"""Names of the intrinsics for ARM."""
from .dot_product_common import DP4A_S8S8S32_INTRIN

ARM_DOT_4x4_i8_NEON_INTRIN = "dot_4x4_i8i8s32_neon"
ARM_DOT_4x4_i8_SDOT_INTRIN = "dot_4x4_i8i8s32_sdot"
