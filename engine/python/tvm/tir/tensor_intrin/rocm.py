"""Names of the intrinsics for ROCm."""
AMDGPU_SDOT4_INTRIN = "sdot4"
