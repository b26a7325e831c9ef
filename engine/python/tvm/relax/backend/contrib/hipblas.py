"""As backend.rocm.hipblas."""
from ..rocm.hipblas import partition_for_hipblas  # noqa: F401
