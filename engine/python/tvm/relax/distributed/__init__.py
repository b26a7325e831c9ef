"""Tensors that lie in parts on several devices."""
from . import transform
from .global_info import DeviceMesh, device_mesh
from .struct_info import DTensorStructInfo, Placement, PlacementSpec, PlacementSpecKind
from .type import DTensorType
