"""How intrinsics are lowered for targets."""
from ..ir.op import register_intrin_lowering
