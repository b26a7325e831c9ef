"""Programs of PyTorch."""
from .fx_translator import add_rules, from_fx
