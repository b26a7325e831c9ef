"""From modules to code."""
from .build_module import build, compile, lower  # noqa: A004
