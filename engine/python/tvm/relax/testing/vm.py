"""Packed functions that tests of the virtual machine call, and saved functions."""
from ...runtime._registry import register_func


def _array(data):
    from ...runtime.ndarray import array

    return array(data)


@register_func("test.vm.move", override=True)
def move(src):
    """The value itself."""
    return src


@register_func("test.vm.add", override=True)
def add(a, b):
    """Their sum."""
    return _array(a.numpy() + b.numpy())


@register_func("test.vm.mul", override=True)
def mul(a, b):
    """Their product."""
    return _array(a.numpy() * b.numpy())


@register_func("test.vm.equal_zero", override=True)
def equal_zero(a):
    """Is it 0?"""
    return _array(a.numpy() == 0)


@register_func("test.vm.subtract_one", override=True)
def subtract_one(a):
    """One less."""
    import numpy as np

    return _array(np.subtract(a.numpy(), 1).astype(a.dtype))


@register_func("test.vm.identity", override=True)
def identity_packed(a, b):
    """b becomes a."""
    b[:] = _array(a.numpy())


@register_func("test.vm.tile", override=True)
def tile_packed(a, b):
    """b becomes a, twice beside itself."""
    import numpy as np

    b[:] = _array(np.tile(a.numpy(), (1, 2)))


@register_func("test.vm.add_scalar", override=True)
def add_scalar(a, b):
    """The sum of two numbers."""
    return a + b


@register_func("test.vm.get_device_id", override=True)
def get_device_id(device):
    """The number of a device."""
    return device.device_id


@register_func("test.vm.check_if_defined", override=True)
def check_if_defined(obj):
    """Is there anything?"""
    return obj is not None


def check_saved_func(vm, func_name, *inputs):
    """What a function gives when it was saved with its arguments."""
    saved_name = f"{func_name}_saved"
    vm.save_function(func_name, saved_name, *inputs)
    return vm[saved_name]()
