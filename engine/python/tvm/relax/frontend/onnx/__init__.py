"""Models of ONNX."""
from .onnx_frontend import from_onnx
