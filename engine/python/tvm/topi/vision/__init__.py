"""Operators over regions of pictures."""
from .nms import get_valid_counts, non_max_suppression
from .regions import roi_align_nchw, roi_align_nhwc, roi_pool_nchw
