"""Rules for CPUs."""
from .gemv import GEMV
