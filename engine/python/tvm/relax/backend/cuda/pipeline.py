"""The passes for GPUs of NVIDIA, in four groups that other pipelines are put together from."""
from ...pipeline import dataflow_lower_passes, finalize_passes, get_default_pipeline, legalize_passes, library_dispatch_passes

__all__ = ["dataflow_lower_passes", "finalize_passes", "get_default_pipeline", "legalize_passes", "library_dispatch_passes"]
