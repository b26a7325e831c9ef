"""What `tvm.compile` gives: a module to export and to call."""
from .module import Executable

__all__ = ["Executable"]
