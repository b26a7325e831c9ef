"""What code is made for."""
from .target import _with_options, Target, TargetKind, create, cuda, arm_cpu, list_kinds
from .generic_func import GenericFunc, generic_func, get_native_generic_func, override_native_generic_func
from .hexagon import hexagon
from .tag import list_tags
from .virtual_device import VirtualDevice
from . import codegen, detect_target, intrin, tag, virtual_device, x86


def intel_graphics(model="unknown", options=None):
    """A name only."""
    return _with_options("opencl -device=intel_graphics", options)


def mali(model="unknown", options=None):
    """A name only."""
    return _with_options("opencl -device=mali", options)


def rocm(model="unknown", options=None):
    """A name only."""
    return _with_options("rocm", options)


def bifrost(model="unknown", options=None):
    """A name only."""
    return _with_options("opencl -device=bifrost", options)


def riscv_cpu(model="sifive-u54", options=None):
    """A RISC-V processor."""
    return _with_options("llvm -keys=riscv_cpu,cpu -device=riscv_cpu", options)

