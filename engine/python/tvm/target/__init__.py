"""What code is made for."""
from .target import Target, TargetKind, create, cuda, arm_cpu, list_kinds
from .generic_func import GenericFunc, generic_func, override_native_generic_func
from .hexagon import hexagon
from .tag import list_tags
from .virtual_device import VirtualDevice
from . import codegen, detect_target, intrin, tag, virtual_device, x86


def intel_graphics(model="unknown", options=None):
    """A name only."""
    return Target("opencl -device=intel_graphics")


def mali(model="unknown", options=None):
    """A name only."""
    return Target("opencl -device=mali")


def rocm(model="unknown", options=None):
    """A name only."""
    return Target("rocm")


def bifrost(model="unknown", options=None):
    """A name only."""
    return Target("opencl -device=bifrost")


def riscv_cpu(model="sifive-u54", options=None):
    """A RISC-V processor."""
    return Target("llvm -keys=riscv_cpu,cpu -device=riscv_cpu")

