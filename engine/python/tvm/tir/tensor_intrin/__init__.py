"""Tensor intrinsics that are registered from the start; the modules give their names."""
from . import arm_cpu, cuda, dot_product_common, hexagon, rocm, x86
