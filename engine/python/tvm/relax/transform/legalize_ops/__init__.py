"""Operators as TensorIR: rules of Python beside those of the engine."""
from . import common, distributed, grad
