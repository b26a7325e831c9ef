"""For CUDA."""
from . import layout_transform
