"""What compilers outside of this one are offered: patterns of what they can compute."""
from . import cpu_generic, cuda, gpu_generic, pattern_registry, patterns, rocm
from .pattern_registry import get_pattern, get_patterns_with_prefix, register_patterns
from .dispatch_sampling import DispatchSampling
from .dispatch_sort_scan import DispatchSortScan
