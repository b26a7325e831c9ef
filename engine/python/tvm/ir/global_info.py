"""What a module says of devices."""
import _loopscope as _core


def DummyGlobalInfo():
    """A global info for tests."""
    return _core.convert({"kind": "DummyGlobalInfo"})


def VDevice(target=None, vdevice_id=0, memory_scope="global"):
    """A virtual device."""
    values = {"kind": "VDevice", "vdevice_id": vdevice_id, "memory_scope": memory_scope}
    if target is not None:
        values["target"] = str(target)
    return _core.convert(values)


class GlobalInfo:
    """Base of global infos."""
