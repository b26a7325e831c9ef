"""What is known of a tensor that lies in parts."""
import enum

import _loopscope as _core

from ...error import TVMError, InternalError
from ...ir.base import Node
from ...runtime.object import register
from ...runtime.script_printer import Scriptable
from ..struct_info import StructInfo


class PlacementSpecKind(enum.IntEnum):
    """Cut along an axis, or whole on each device."""

    kSharding = 0
    kReplica = 1


@register("PlacementSpec")
class PlacementSpec(Node, Scriptable):
    """How a tensor lies along one dimension of the mesh."""

    __slots__ = ()

    def __new__(cls, *args, **kwargs):
        raise TVMError("PlacementSpec.sharding and PlacementSpec.replica make one")

    @staticmethod
    def sharding(axis):
        """Cut along this axis of the tensor."""
        return _core.make("PlacementSpec", axis, int(PlacementSpecKind.kSharding))

    @staticmethod
    def replica():
        """The whole tensor on each device."""
        return _core.make("PlacementSpec", -1, int(PlacementSpecKind.kReplica))

    def __eq__(self, other):
        return isinstance(other, PlacementSpec) and _core.equal(self, other, False) is True

    def __ne__(self, other):
        return not self == other

    __hash__ = Node.__hash__


def _spec(text, whole):
    text = text.strip()
    if text == "R":
        return PlacementSpec.replica()
    if text[:2] == "S[" and text[-1:] == "]" and text[2:-1].strip().isdigit():
        return PlacementSpec.sharding(int(text[2:-1]))
    raise InternalError(f"a placement is S[axis] or R for each dimension of the mesh, not {whole!r}")


@register("Placement")
class Placement(Node, Scriptable):
    """How a tensor lies along each dimension of the mesh."""

    __slots__ = ()

    def __new__(cls, dim_specs):
        return _core.make("Placement", list(dim_specs))

    @staticmethod
    def from_text(text):
        """Of "S[0], R"."""
        return Placement([_spec(part, text) for part in text.split(",") if part.strip()])


@register("DTensorStructInfo")
class DTensorStructInfo(StructInfo):
    """A tensor, the mesh on which it lies, and how."""

    __slots__ = ()

    def __new__(cls, tensor_sinfo, device_mesh, placement, span=None):
        if hasattr(tensor_sinfo, "as_struct_info"):
            tensor_sinfo = tensor_sinfo.as_struct_info()
        specs = list(placement.dim_specs)
        if len(device_mesh.shape) != len(specs):
            raise ValueError(f"a mesh of {len(device_mesh.shape)} dimensions takes a placement of as many; this one has {len(specs)}")
        for spec in specs:
            if spec.kind == PlacementSpecKind.kSharding and spec.axis >= tensor_sinfo.ndim:
                raise ValueError(f"axis {spec.axis} cannot be shared out: the tensor has {tensor_sinfo.ndim} dimensions")
        return _core.make("DTensorStructInfo", tensor_sinfo, device_mesh, placement)
