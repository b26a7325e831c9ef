"""The target of a device."""


def detect_target_from_device(dev):
    """The processor; other devices are not here."""
    from ..runtime import device
    from .target import Target

    dev = device(dev) if isinstance(dev, str) else dev
    if dev.device_type != 1:
        raise ValueError(f"Cannot detect device `{dev}`. Please make sure the device and its driver is installed properly, and TVM is compiled with "
                         "the driver")
    return Target("llvm")
