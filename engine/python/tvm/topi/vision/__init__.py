"""Operators over regions of pictures."""
from .regions import roi_align_nchw, roi_align_nhwc, roi_pool_nchw
