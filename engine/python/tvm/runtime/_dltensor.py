"""The DLTensor of an array as a ctypes structure."""
import ctypes


class _Type(ctypes.Structure):
    _fields_ = [("type_code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Device(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int), ("device_id", ctypes.c_int)]


class DLTensor(ctypes.Structure):
    """What libraries hand to each other: where the numbers are, and how they lie there."""

    _fields_ = [("data", ctypes.c_void_p), ("device", _Device), ("ndim", ctypes.c_int), ("dtype", _Type), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


def pointer_to(array):
    """A pointer to the tensor of an array, which it keeps."""
    capsule = array.__dlpack__()
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    pointer = ctypes.cast(address(capsule, b"dltensor"), ctypes.POINTER(DLTensor))
    pointer.array, pointer.capsule = array, capsule
    return pointer
