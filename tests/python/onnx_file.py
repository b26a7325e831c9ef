"""Writes files of ONNX without the onnx package: messages of protobuf, field by field."""
import struct

import numpy as np

FLOAT, UINT8, INT8, INT32, INT64, BOOL, FLOAT16, DOUBLE = 1, 2, 3, 6, 7, 9, 10, 11
TYPES = {np.dtype("float32"): FLOAT, np.dtype("uint8"): UINT8, np.dtype("int8"): INT8, np.dtype("int32"): INT32, np.dtype("int64"): INT64,
         np.dtype("bool"): BOOL, np.dtype("float16"): FLOAT16, np.dtype("float64"): DOUBLE}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while True:
        out.append(value & 0x7F | (0x80 if value > 0x7F else 0))
        value >>= 7
        if not value:
            return bytes(out)


def field(number, value):
    """A whole number, a text, bytes or a message."""
    if isinstance(value, (bool, int)):
        return varint(number << 3) + varint(int(value))
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name, array, listed=False):
    array = np.asarray(array)
    out = b"".join(field(1, int(n)) for n in array.shape) + field(2, TYPES[array.dtype]) + field(8, name)
    if not listed:
        return out + field(9, np.ascontiguousarray(array).tobytes())
    if array.dtype == np.float32:
        return out + field(4, array.tobytes())
    return out + field(7 if array.dtype == np.int64 else 5, b"".join(varint(int(x)) for x in array.reshape(-1)))


class Graph(bytes):
    """A graph as an attribute of a node."""


def attribute(name, value):
    out = field(1, name)
    if isinstance(value, Graph):
        return out + field(6, bytes(value)) + field(20, 5)
    if isinstance(value, (bool, int, np.integer)):
        return out + field(3, int(value)) + field(20, 2)
    if isinstance(value, float):
        return out + field(2, value) + field(20, 1)
    if isinstance(value, str):
        return out + field(4, value) + field(20, 3)
    if isinstance(value, np.ndarray):
        return out + field(5, tensor("", value)) + field(20, 4)
    if value and isinstance(value[0], str):
        return out + b"".join(field(9, x) for x in value) + field(20, 8)
    if value and isinstance(value[0], float):
        return out + b"".join(field(7, float(x)) for x in value) + field(20, 6)
    return out + b"".join(field(8, int(x)) for x in value) + field(20, 7)


def node(op, inputs, outputs, domain="", name=None, **attributes):
    out = b"".join(field(1, x) for x in inputs) + b"".join(field(2, x) for x in outputs) + field(3, name if name is not None else op.lower() + "_0")
    out += field(4, op) + b"".join(field(5, attribute(key, value)) for key, value in attributes.items() if value is not None)
    return out + (field(7, domain) if domain else b"")


def value_info(name, dtype, shape):
    dims = b"".join(field(1, field(2, x) if isinstance(x, str) else field(1, x)) for x in shape)
    return field(1, name) + field(2, field(1, field(1, TYPES[np.dtype(dtype)]) + field(2, dims)))


def graph(nodes, inputs, outputs, weights=(), infos=()):
    """inputs: (name, dtype, shape) or names; outputs: names or (name, dtype, shape); weights: name -> array."""
    graph = b"".join(field(1, x) for x in nodes) + field(2, "graph")
    graph += b"".join(field(5, tensor(name, array)) for name, array in dict(weights).items())
    graph += b"".join(field(11, field(1, x) if isinstance(x, str) else value_info(*x)) for x in inputs)
    graph += b"".join(field(12, field(1, x) if isinstance(x, str) else value_info(*x)) for x in outputs)
    graph += b"".join(field(13, value_info(*x)) for x in infos)
    return Graph(graph)


def model(nodes, inputs, outputs, weights=(), opset=17, infos=(), domains=()):
    """What graph takes, as a file."""
    whole = bytes(graph(nodes, inputs, outputs, weights, infos))
    opsets = field(8, field(1, "") + field(2, opset)) + b"".join(field(8, field(1, x) + field(2, 1)) for x in domains)
    return field(1, 8) + field(2, "loopscope-tests") + field(7, whole) + opsets
