"""Arrays of numbers, and devices."""
import _loopscope as _core

_DEVICES = {"llvm": 1, "cpu": 1, "c": 1, "test": 1, "hybrid": 1, "composite": 1, "cuda": 2, "nvptx": 2, "gpu": 2, "opencl": 4, "cl": 4, "vulkan": 7,
            "metal": 8, "mtl": 8, "vpi": 9, "rocm": 10, "ext_dev": 12, "hexagon": 14, "webgpu": 15, "simt": 32}
_NAMES = {1: "cpu", 2: "cuda", 4: "opencl", 7: "vulkan", 8: "metal", 9: "vpi", 10: "rocm", 12: "ext_dev", 14: "hexagon", 15: "webgpu", 32: "simt"}


_SIMULATED = (2, 4, 8, 10, 32)


class Device:
    """Where arrays live.  cuda, opencl and rocm are the device that their driver finds (drivers.py).  Where it finds none they are simulated, as simt is:
    arrays can be there, and kernels run on them."""

    STR2MASK, MASK2STR = _DEVICES, _NAMES
    kDLCPU, kDLCUDA, kDLOpenCL, kDLVulkan, kDLMetal, kDLVPI, kDLROCM = 1, 2, 4, 7, 8, 9, 10

    def __init__(self, device_type, device_id=0):
        self.device_type = int(device_type)
        self.device_id = int(device_id)

    def asobject(self):
        """The virtual device that stands for it in programs."""
        from ..ir import VDevice

        kind = {1: "llvm", 2: "cuda", 4: "opencl", 7: "vulkan", 8: "metal", 10: "rocm"}.get(self.device_type)
        if kind is None:
            raise ValueError(f"a device of type {self.device_type} has no target")
        return VDevice(kind, self.device_id)

    @property
    def exist(self):
        """Is the device itself there?  Those that are simulated are not."""
        return self.device_type == 1 or self._there() is not None

    def _there(self):
        """What the driver says of it; None: it is a CPU, or simulated."""
        from . import drivers

        return drivers.facts(self)

    def _fact(self, name):
        found = self._there()
        return found[name] if found is not None and found[name] else None

    @property
    def max_threads_per_block(self):
        """Not known for a CPU."""
        return self._fact("most_threads") or {2: 1024, 4: 256, 8: 256, 10: 256, 32: 1024}.get(self.device_type)

    @property
    def warp_size(self):
        """Threads of a warp in the simulator; None for a CPU."""
        return 32 if self.device_type in _SIMULATED else None

    max_shared_memory_per_block = property(lambda self: self._fact("most_shared") or (49152 if self.device_type in _SIMULATED else None), doc="Bytes; None for a CPU.")
    device_name = property(lambda self: self._fact("name"), doc="Not known of what is simulated, nor of a CPU; so are the next.")
    max_clock_rate = property(lambda self: self._fact("clock_khz"), doc="In kHz.")
    multi_processor_count = property(lambda self: self._fact("units"), doc="How many there are.")
    l2_cache_size_bytes = property(lambda self: self._fact("cache_bytes"), doc="Of the last cache.")
    total_global_memory = property(lambda self: self._fact("memory"), doc="Bytes.")
    max_thread_dimensions = api_version = driver_version = available_global_memory = property(lambda self: None, doc="Not told.")

    @property
    def compute_version(self):
        """"8.0" of a GPU of the architecture sm_80; None of what is simulated, and of a CPU."""
        capability = self._fact("capability")
        return f"{capability // 10}.{capability % 10}" if capability else None

    def texture_spatial_limit(self):
        """The largest width and height of an image; None, as there are none here."""
        return None

    def sync(self, stream=None):
        """Waits for what runs there; nothing does."""

    def __eq__(self, other):
        return isinstance(other, Device) and (self.device_type, self.device_id) == (other.device_type, other.device_id)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((self.device_type, self.device_id))

    def __repr__(self):
        return f"{_NAMES.get(self.device_type, 'unknown')}({self.device_id})"


def device(dev_type, dev_id=None):
    """The device of a name ("cpu", "cuda:0") or number."""
    if isinstance(dev_type, Device):
        return dev_type
    kind = dev_type
    if isinstance(dev_type, str):
        name, colon, number = dev_type.split()[0].partition(":")
        if name not in _DEVICES:
            raise ValueError(f"Unknown device type {name}")
        if colon and not number.isdecimal():
            raise ValueError(f'after "{name}:" stands the number of a device, not "{number}"')
        kind, dev_id = _DEVICES[name], int(number) if colon else dev_id
    dev_id = 0 if dev_id is None else dev_id
    if isinstance(dev_id, str) and not dev_id.isdecimal():
        raise ValueError(f'a device has a number, not "{dev_id}"')
    return Device(kind, int(dev_id))


def _maker(name):
    def make(dev_id=0):
        return Device(_DEVICES[name], dev_id)

    make.__name__ = name
    make.__doc__ = f"The {name} device of this number."
    return make


cpu, cuda, gpu, opencl, cl, vulkan, metal, mtl, vpi, rocm, ext_dev, hexagon, webgpu = map(
    _maker, ("cpu", "cuda", "gpu", "opencl", "cl", "vulkan", "metal", "mtl", "vpi", "rocm", "ext_dev", "hexagon", "webgpu"))


def _require_place(dev):
    """The device, where arrays can be: the CPU, or one with threads."""
    place = device(dev) if dev is not None else Device(1, 0)
    if place.device_type in _SIMULATED:
        from .simt import tell

        tell(place)
    elif place.device_type != 1:
        from ..error import TVMError

        raise TVMError(f"there is no device {place} here; arrays live on cpu(0), or on cuda, opencl, metal, rocm and simt, which are simulated where they are not")
    return place


def _at(place, made):
    """The array, which from now on is on the device."""
    if place.device_type != 1:
        from . import drivers

        made._device = place
        if drivers.facts(place) is not None:
            drivers.settle(made)
    return made


def _parts(dtype):
    """(the type of a lane, how many lanes)"""
    element, _, lanes = str(dtype).partition("x")
    return (element, int(lanes)) if lanes.isdigit() else (str(dtype), 1)


def _n_bytes(shape, dtype):
    """The size of an array."""
    from ._types import DataType

    kind = DataType(dtype)
    n = (kind.bits * kind.lanes + 7) // 8
    for extent in shape:
        n *= extent
    return n


class NDArray(_core.NDArray):
    """An array of numbers on the CPU; numpy and torch see the same memory."""

    @property
    def device(self):
        """Where it is."""
        return getattr(self, "_device", None) or Device(1, 0)

    def asobject(self):
        """The numbers as a node: what attributes and lists keep."""
        import numpy as np

        return _core.tensor(str(self.dtype), list(self.shape), np.ascontiguousarray(self.numpy()).tobytes())

    @property
    def ctx(self):
        """An older name of device."""
        return self.device

    @property
    def handle(self):
        """A ctypes pointer to the DLTensor (data, device, ndim, dtype, shape, strides, byte_offset), for functions of other libraries; the
        array lives as long as the pointer."""
        from ._dltensor import pointer_to

        return pointer_to(self)

    @property
    def is_view(self):
        """Is this a DLTensor without an owner?  Never: what other libraries hand over has one."""
        return False

    @property
    def ndim(self):
        """The number of dimensions."""
        return len(self.shape)

    def _of_lanes(self):
        """The same memory where the lanes of a vector are a dimension of their own; None: the elements are no vectors."""
        element, lanes = _parts(self.dtype)
        return self._view([*self.shape, lanes], element, 0) if lanes > 1 else None

    def numpy(self):
        """A copy as a numpy array, the lanes of vectors its last dimension; bfloat16, which numpy has not, as uint16 with the same bits."""
        import numpy as np

        flat = self._of_lanes()
        if flat is not None:
            return flat.numpy()
        if self.dtype == "bfloat16":
            return np.array(self).view("uint16")
        return np.array(memoryview(self), copy=True)

    def asnumpy(self):
        """An older name of numpy."""
        return self.numpy()

    def copyfrom(self, source_array):
        """Takes over the elements of an array of the same shape."""
        if isinstance(source_array, _core.NDArray):
            self._copy_from(source_array)
            return self
        import numpy as np

        source = np.ascontiguousarray(source_array)
        flat = self._of_lanes()
        if flat is not None:
            flat.copyfrom(source)
            return self
        if tuple(source.shape) != tuple(self.shape):
            raise ValueError(f"array shape do not match the shape of NDArray {tuple(source.shape)} vs {tuple(self.shape)}")
        if self.dtype == "bfloat16" and source.dtype.itemsize == 2:
            self._view(list(self.shape), "uint16", 0)._copy_from(source.view("uint16"))
            return self
        if str(source.dtype) != self.dtype and self.dtype != "bfloat16":
            source = source.astype(self.dtype)
        self._copy_from(source)
        return self

    def copyto(self, target, mem_scope=None):
        """Copies to an array or a device."""
        if isinstance(target, _core.NDArray):
            target._copy_from(self)
            return target
        return _at(_require_place(target), self._copy())

    def _create_view(self, shape, dtype=None, relative_byte_offset=0):
        """The same memory, or a part of it, in another shape and type."""
        shape, dtype = [int(n) for n in shape], str(dtype or self.dtype)
        n_bytes, own = (_n_bytes(extents, kind) for extents, kind in ((shape, dtype), (self.shape, str(self.dtype))))
        if relative_byte_offset < 0 or relative_byte_offset + n_bytes > own:
            raise ValueError(f"View with shape {shape} and datatype {dtype} would have a size of {n_bytes} bytes.  This would occupy bytes "
                             f"{relative_byte_offset} <= i_byte < {relative_byte_offset + n_bytes} within the backing array.  However, the NDArray being "
                             f"viewed only contains {own} bytes (shape = {list(self.shape)}, dtype= {self.dtype}).")
        view = self._view(shape, dtype, relative_byte_offset)
        if self._memory is not None:
            from ..error import TVMError

            raise TVMError(f"a view of an array on {self.device}, which is a device of its own, is not made yet: view the array on cpu(0), then copy it there")
        return view

    def __setitem__(self, in_slice, value):
        if not isinstance(in_slice, slice) or in_slice.start is not None or in_slice.stop is not None:
            raise ValueError("Array only support set from numpy array")
        if isinstance(value, (int, float)):
            import numpy as np

            value = np.full(self.shape, value, dtype=self.dtype)
        self.copyfrom(value)

    def __len__(self):
        return self.shape[0]

    def __dlpack__(self, stream=None, **unused):
        return self._to_dlpack()

    def __dlpack_device__(self):
        return 1, 0

    def to_dlpack(self):
        """A DLPack capsule on the same memory."""
        return self._to_dlpack()

    def __eq__(self, other):
        return self is other or (isinstance(other, _core.NDArray) and self._address == other._address and self.shape == other.shape)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self._address)

    def is_same_as(self, other):
        """The same memory?"""
        return self._address == other._address

    def same_as(self, other):
        """The same object or memory?"""
        return isinstance(other, _core.NDArray) and self._address == other._address

    def __repr__(self):
        try:
            text = repr(self.numpy())
        except ImportError:
            text = f"array({self._text()})"
        return f"<tvm.nd.NDArray shape={self.shape}, {self.device}>\n{text}"

    def __str__(self):
        try:
            return str(self.numpy())
        except ImportError:
            return self._text()


NDArray.__module__ = "tvm.runtime.ndarray"
_core.set_array_class(NDArray)


def numpyasarray(np_data):
    """The array of a numpy array and its shape."""
    return array(np_data)


def empty(shape, dtype="float32", device=None, mem_scope=None):  # noqa: F811
    """An array whose elements are not set (they are 0)."""
    place = _require_place(device)
    if isinstance(shape, int):
        shape = (shape,)
    return _at(place, _core.empty([int(x) for x in shape], str(dtype)))


def array(arr, device=None, mem_scope=None):  # noqa: F811
    """A copy of a numpy array, a torch tensor, a list or another array."""
    return _at(_require_place(device), _array(arr))


def _array(arr):
    """The same on the CPU."""
    if isinstance(arr, _core.NDArray):
        return arr._copy()
    if hasattr(arr, "detach") and hasattr(arr, "numpy"):
        arr = arr.detach().cpu().numpy()
    if not hasattr(arr, "__array_interface__"):
        try:
            import numpy as np

            arr = np.array(arr)
        except ImportError:
            return _core.array(arr)
    if arr.dtype.name == "bfloat16":
        result = _core.empty(list(arr.shape), "bfloat16")
        result._copy_from(arr.view("uint16"))
        return result
    return _core.array(arr)


def from_dlpack(ext_tensor):
    """An array on the memory of another library's tensor."""
    capsule = ext_tensor.__dlpack__() if hasattr(ext_tensor, "__dlpack__") else ext_tensor
    return _core.from_dlpack(capsule)


def load_param_dict(param_bytes):
    """What save_param_dict wrote."""
    import io
    import zipfile
    import zlib

    import numpy as np

    try:
        data = np.load(io.BytesIO(param_bytes), allow_pickle=False)
        if not hasattr(data, "files"):
            raise ValueError("this is one array")
        with data:
            return {name: array(data[name]) for name in data.files}
    except (ValueError, KeyError, OSError, EOFError, NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"expected what save_param_dict wrote (an archive of arrays): {error}") from None


def save_param_dict(params):
    """Arrays by name as bytes."""
    import io
    import zipfile

    import numpy as np

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:          # numpy.savez takes no array of the name "file"
        for name, value in params.items():
            with archive.open(name + ".npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, value.numpy(), allow_pickle=False)
    return out.getvalue()
