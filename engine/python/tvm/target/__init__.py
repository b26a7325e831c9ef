"""What code is made for."""
from .target import Target, TargetKind, create, cuda, arm_cpu, list_kinds
from . import codegen


def intel_graphics(model="unknown", options=None):
    """A name only."""
    return Target("opencl -device=intel_graphics")


def mali(model="unknown", options=None):
    """A name only."""
    return Target("opencl -device=mali")


def rocm(model="unknown", options=None):
    """A name only."""
    return Target("rocm")
