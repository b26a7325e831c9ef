"""Programs of PyTorch."""
from .fx_translator import from_fx
