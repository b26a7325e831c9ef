"""A place for data: a device, a target, a memory."""


class VirtualDevice:
    """Where something is, as far as it is known."""

    def __init__(self, device=None, target=None, memory_scope=""):
        from .target import Target

        self.device_type_int = self.device_type = device.device_type if device is not None else -1
        self.virtual_device_id = device.device_id if device is not None else -1
        self.target = Target(target) if target is not None else None
        self.memory_scope = memory_scope

    def _parts(self):
        return self.device_type, self.virtual_device_id, str(self.target), self.memory_scope

    def __eq__(self, other):
        return isinstance(other, VirtualDevice) and self._parts() == other._parts()

    def __hash__(self):
        return hash(self._parts())

    def __repr__(self):
        parts = [f"device_type={self.device_type}", f"virtual_device_id={self.virtual_device_id}"]
        if self.target is not None:
            parts.append(f"target={self.target.kind.name}")
        if self.memory_scope:
            parts.append(f"memory_scope={self.memory_scope!r}")
        return f"VirtualDevice({', '.join(parts)})"
