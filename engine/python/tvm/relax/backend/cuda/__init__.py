"""What the libraries of CUDA are offered."""
from .pipeline import dataflow_lower_passes, finalize_passes, get_default_pipeline, legalize_passes, library_dispatch_passes
