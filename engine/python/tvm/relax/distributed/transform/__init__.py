"""Passes over functions of distributed tensors."""
from ...transform import LegalizeRedistribute, LowerDistIR, LowerGlobalViewToLocalView, PropagateSharding
