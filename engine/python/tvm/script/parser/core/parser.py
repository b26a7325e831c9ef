"""The reader itself is the engine's; this module has the names of what stands around it."""
from .diagnostics import Diagnostics, Source
from .entry import parse

__all__ = ["Diagnostics", "Source", "parse"]
