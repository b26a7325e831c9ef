"""Hexagon: there is no such device here."""


def allocate_hexagon_array(dev, tensor_shape=None, dtype=None, data=None, axis_separators=None, mem_scope=None):
    """An array in the memory of a device."""
    from ..runtime import ndarray

    shape = tuple(tensor_shape if tensor_shape is not None else data.shape)
    array = ndarray.empty(shape, dtype or str(data.dtype), dev)
    if data is not None:
        array.copyfrom(data.reshape(shape))
    return array
