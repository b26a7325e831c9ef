"""Programs from elsewhere."""
from . import onnx, torch
from .common import detach_params
