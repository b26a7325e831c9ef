"""The name under which TVM keeps packed functions."""
from .module import PackedFunc
