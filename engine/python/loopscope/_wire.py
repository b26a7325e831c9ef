"""How values go between the two processes.

Into the jail goes a pickle: it comes from the one who asks.  Out of it comes what an attacker may have written, so nothing that comes out is
unpickled: one line of JSON that describes the value, and the bytes of its arrays.
"""
import json
import struct

MOST_HEAD = 64 << 20


def _array(value):
    """(kind, numpy array) of what holds numbers; None of others."""
    import sys

    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        return "numpy", numpy.asarray(value)
    if type(value).__name__ in ("NDArray", "Tensor") and type(value).__module__.split(".")[0] == "tvm":
        return "tvm", value.numpy()
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return "torch", value.detach().cpu().numpy()
    return None


class Packer:
    """Collects the bytes of arrays while a value is described."""

    def __init__(self):
        self.blobs = []

    def blob(self, data):
        """The number under which the bytes will be found."""
        self.blobs.append(bytes(data))
        return len(self.blobs) - 1

    def describe(self, value):
        """The value as JSON can hold it; TypeError where there is no word for it."""
        if value is None or isinstance(value, (bool, str)):
            return ["plain", value]
        if isinstance(value, int):
            return ["int", str(int(value))]
        if isinstance(value, float):
            return ["float", float(value).hex()]
        if isinstance(value, complex):
            return ["complex", value.real.hex(), value.imag.hex()]
        if isinstance(value, (bytes, bytearray)):
            return ["bytes", self.blob(value)]
        if isinstance(value, (list, tuple, set, frozenset)):
            return [next(kind.__name__ for kind in (list, tuple, set, frozenset) if isinstance(value, kind)), [self.describe(one) for one in value]]
        if isinstance(value, dict):
            return ["dict", [[self.describe(key), self.describe(one)] for key, one in value.items()]]
        found = _array(value)
        if found is None or found[1].dtype.hasobject:
            raise TypeError(f"a value of type {type(value).__module__}.{type(value).__qualname__} cannot come out of the jail; "
                            "None, numbers, strings, bytes, lists, tuples, sets, dicts and arrays of numbers can")
        kind, array = found
        return ["array", kind, array.dtype.str, list(array.shape), self.blob(array.tobytes())]


def pack(value):
    """The bytes of a value."""
    packer = Packer()
    head = json.dumps({"value": packer.describe(value), "blobs": [len(one) for one in packer.blobs]}).encode()
    return struct.pack("<Q", len(head)) + head + b"".join(packer.blobs)


def _build(told, blobs):
    kind = told[0]
    if kind == "plain" and (told[1] is None or isinstance(told[1], (bool, str))):
        return told[1]
    if kind == "int":
        return int(told[1])
    if kind == "float":
        return float.fromhex(told[1])
    if kind == "complex":
        return complex(float.fromhex(told[1]), float.fromhex(told[2]))
    if kind == "bytes":
        return blobs[told[1]]
    if kind in ("list", "tuple", "set", "frozenset"):
        return {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[kind](_build(one, blobs) for one in told[1])
    if kind == "dict":
        return {_build(key, blobs): _build(one, blobs) for key, one in told[1]}
    if kind == "array":
        return _build_array(told, blobs)
    raise ValueError("unknown kind")


def _build_array(told, blobs):
    import numpy

    _, kind, dtype, shape, number = told
    dtype = numpy.dtype(str(dtype))
    if dtype.hasobject or number < 0:
        raise ValueError("no numbers")
    array = numpy.frombuffer(blobs[number], dtype).reshape([int(size) for size in shape]).copy()
    if kind == "tvm":
        import tvm

        return tvm.nd.array(array)
    if kind == "torch":
        import torch

        return torch.from_numpy(array)
    return array


def unpack(data):
    """The value; ValueError when the bytes are none."""
    try:
        (length,) = struct.unpack_from("<Q", data)
        if length > MOST_HEAD:
            raise ValueError("too long")
        head = json.loads(data[8:8 + length])
        blobs, at = [], 8 + length
        for size in head["blobs"]:
            if not isinstance(size, int) or size < 0 or at + size > len(data):
                raise ValueError("short")
            blobs.append(bytes(data[at:at + size]))
            at += size
        return _build(head["value"], blobs)
    except (ValueError, KeyError, IndexError, TypeError, struct.error, RecursionError, OverflowError) as problem:
        raise ValueError(f"what came out of the jail is not understood: {problem}") from None
