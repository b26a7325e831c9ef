"""NVIDIA's GPU, where libcuda.so.1 can be opened: memory there, kernels as PTX, times by its events.

Without the driver, or without a GPU behind it, cuda is simulated (simt.py).  An array on the GPU has a mirror here; its elements travel when the other
side wants them and has old ones, and not before.  LOOPSCOPE_CUDA=off leaves the GPU alone."""
import ctypes
import os

import _loopscope as _core

_CUDA = 2
_found = {}                     # "gpu": what the driver says of it, or None; "reason": why there is none


def _native():
    import _loopscope_native as native

    return native


def gpu():
    """What the driver says of the first GPU, as a dictionary; None: there is none here, or it is to be left alone."""
    if "gpu" not in _found:
        _found["gpu"] = None
        if os.environ.get("LOOPSCOPE_CUDA") == "off":
            _found["reason"] = "LOOPSCOPE_CUDA is off"
            return None
        try:
            ctypes.CDLL("libcuda.so.1")         # most machines have none: then the other extension is not loaded for it
            _found["gpu"] = _native().cuda_open(0)
        except OSError as error:
            _found["reason"] = f"libcuda.so.1 cannot be opened: {error}"
        except Exception as error:  # pylint: disable=broad-except
            _found["reason"] = str(error)
    return _found["gpu"]


def why_not():
    """Why there is no GPU: the sentence of what failed."""
    return _found.get("reason", "")


def is_real(device):
    """Is the device the GPU itself?"""
    return device.device_type == _CUDA and device.device_id == 0 and gpu() is not None


class Memory:
    """The elements of an array on the GPU."""

    def __init__(self, mirror, n_bytes):
        self._mirror, self._newer = mirror, "host"
        self._address = None
        self._address = _native().cuda_allocate(n_bytes)

    def host(self, writes):
        """The mirror has the elements now; it may be written to."""
        if self._newer == "device":
            _native().cuda_copy(self._address, self._mirror, False)
            self._newer = "both"
        if writes:
            self._newer = "host"

    def device(self, writes):
        """Where the elements are on the GPU, which has them now and may write to them."""
        if self._newer == "host":
            _native().cuda_copy(self._address, self._mirror, True)
            self._newer = "both"
        if writes:
            self._newer = "device"
        return self._address

    def __del__(self):
        if self._address is not None:
            try:
                _native().cuda_release(self._address)
            except Exception:  # pylint: disable=broad-except
                pass            # a GPU that has failed has no memory to give back


def settle(array):
    """Gives an array its memory on the GPU."""
    from .ndarray import _n_bytes

    array._memory = Memory(array._view(list(array.shape), str(array.dtype), 0), _n_bytes(array.shape, array.dtype))
    return array


class CudaFunction:
    """A function whose kernels run on the GPU, compiled for the extents that it is called with."""

    def __init__(self, name, func, text):
        self._name, self._func, self._text = name, func, text
        self._loaded = {}

    def _sized(self, args):
        """(the extents of these arrays where the function leaves them open, the function for them)"""
        from ..tir import decl_buffer

        known, key = {}, []
        for param, arg in zip(self._func.params, args):
            buffer = self._func.buffer_map.get(param)
            if buffer is not None and any(not hasattr(extent, "value") for extent in buffer.shape):
                known[param] = decl_buffer(list(arg.shape), buffer.dtype, buffer.name)
                key.append(tuple(arg.shape))
        if key and tuple(key) in self._loaded:
            return tuple(key), None
        return tuple(key), self._func.specialize(known) if known else self._func

    def load(self, args):
        """The kernels for these arguments, ready to run."""
        from ..error import TVMError
        from .simt import arch_of

        arch, capability = arch_of(self._text), gpu()["capability"]
        if int("".join(filter(str.isdigit, arch))) > capability:
            raise TVMError(f"{self._name} is built for {arch}; {gpu()['name']} is an sm_{capability}: build it with the target \"cuda -arch=sm_{capability}\"")
        key, func = self._sized(args)
        if key not in self._loaded:
            self._loaded[key] = _native().cuda_load(self._name, _core.lower_device(func, self._text), self._text, capability)
        return self._loaded[key][0]

    def ptx(self, *args):
        """The PTX of the kernels for these arguments."""
        self.load(args)
        return self._loaded[self._sized(args)[0]][1]

    def run(self, args, times=1):
        """Runs it that many times; seconds of one round, by the events of the GPU.  Arrays that are not there go there and come back."""
        from ..error import TVMError

        for number, arg in enumerate(args):
            if not isinstance(arg, _core.NDArray):
                raise TVMError(f"argument {number} of {self._name} is no array: numbers are not given to kernels on the GPU yet")
        function = self.load(args)
        memories = [arg._memory or Memory(arg, arg_bytes(arg)) for arg in args]
        seconds = _native().cuda_run(function, [memory.device(True) for memory in memories], times)
        for arg, memory in zip(args, memories):
            if arg._memory is None:
                memory.host(False)
        return seconds


def arg_bytes(array):
    """The size of an array."""
    from .ndarray import _n_bytes

    return _n_bytes(array.shape, array.dtype)
