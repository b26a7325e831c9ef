"""Rules for the GPUs of Qualcomm (OpenCL with the key "adreno"), whose tensors lie in textures: vectors of channels come last and are moved whole."""
from .base import AdrenoScheduleRule
from .convolution import Conv2d
from .fallback import Fallback
from .layout_transform import LayoutTransform
from .pool import Pool2D
