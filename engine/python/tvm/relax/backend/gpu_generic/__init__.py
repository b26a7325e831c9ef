"""What is done with a module for any GPU."""
from .cumsum import gpu_2d_continuous_cumsum
from .pipeline import dataflow_lower_passes, finalize_passes, get_default_pipeline, legalize_passes, library_dispatch_passes
from .sampling import gpu_multinomial_from_uniform
