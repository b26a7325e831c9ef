"""Grids of devices."""
import _loopscope as _core

from ...error import InternalError
from ...ir.base import Node
from ...ir.expr import Range
from ...runtime.object import register
from ...runtime.script_printer import Scriptable


def _numbers(values):
    return [_core.const("int32", int(x)) for x in values]


@register("DeviceMesh")
class DeviceMesh(Node, Scriptable):
    """Devices as a grid of this shape; a Range stands for the devices of these numbers."""

    __slots__ = ()

    def __new__(cls, shape, device_ids):
        is_range = isinstance(device_ids, Range)
        if is_range:
            start = int(device_ids.min)
            device_ids = range(start, start + int(device_ids.extent))
        shape, device_ids = [int(x) for x in shape], list(device_ids)
        places = 1
        for extent in shape:
            places *= extent
        if places != len(device_ids):
            raise InternalError(f"{len(device_ids)} devices do not fill a mesh of {places} places")
        return _core.make("DeviceMesh", _numbers(shape), _numbers(device_ids), is_range)

    @property
    def device_range(self):
        """The Range that the devices were given as, or None."""
        if not self.is_range:
            return None
        ids = [int(x) for x in self.device_ids]
        return Range(ids[0], ids[-1] + 1)


def device_mesh(shape, device_ids):
    """A grid of devices."""
    return DeviceMesh(shape, device_ids)
