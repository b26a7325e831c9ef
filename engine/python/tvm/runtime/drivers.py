"""Devices of this machine: NVIDIA's GPU by libcuda.so.1, what the ICD loader of OpenCL finds (POCL's is the CPU), AMD's GPU by libamdhip64.so.

Where a driver or a device behind it is missing, the kernels are simulated (simt.py).  An array on a device has a mirror here; its elements travel when the
other side wants them and has old ones, and not before.  LOOPSCOPE_CUDA, LOOPSCOPE_OPENCL and LOOPSCOPE_ROCM, when they are off, leave the device alone."""
import ctypes
import os

import _loopscope as _core


def _native():
    import _loopscope_native as native

    return native


class Driver:
    """The first device of a kind."""

    def __init__(self, name, libraries, variable):
        self.name, self._libraries, self._variable = name, libraries, variable
        self._asked, self._facts = False, None
        self.reason = ""                # why there is no device: the sentence of what failed
        self.missing = False            # the driver itself, as on most machines

    def _there(self):
        """Can one of the libraries be opened?  Most machines have none: then the extension with the drivers is not loaded for it."""
        for library in self._libraries:
            try:
                ctypes.CDLL(library)
                return True
            except OSError as error:
                self.reason = self.reason or f"{library} cannot be opened: {error}"
        self.missing = True
        return False

    def facts(self):
        """What the driver says of the device, as a dictionary; None: there is none here, or it is to be left alone."""
        if not self._asked:
            self._asked = True
            if os.environ.get(self._variable) == "off":
                self.reason = f"{self._variable} is off"
            elif self._there():
                try:
                    self._facts = _native().device_open(self.name, 0)
                except Exception as error:  # pylint: disable=broad-except
                    self.reason = str(error)
        return self._facts

    def sentence(self):
        """Which device it is, and that a CPU is no GPU."""
        facts = self.facts()
        return f"{facts['name']} ({facts['version']}){', a CPU and no GPU' if facts['kind'] == 'CPU' else ''}"

    def off(self):
        """How the device is left alone."""
        return f"{self._variable}=off"


_DRIVERS = {2: Driver("cuda", ["libcuda.so.1"], "LOOPSCOPE_CUDA"), 4: Driver("opencl", ["libOpenCL.so.1"], "LOOPSCOPE_OPENCL"),
            10: Driver("hip", ["libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "/opt/rocm/lib/libamdhip64.so"], "LOOPSCOPE_ROCM")}


def of_type(device_type):
    """The driver of a type of devices; None: there are only simulated ones."""
    return _DRIVERS.get(device_type)


def facts(device):
    """What the driver says of a device; None: it is a CPU, or simulated."""
    driver = _DRIVERS.get(device.device_type) if device.device_id == 0 else None
    return driver.facts() if driver is not None else None


class Memory:
    """The elements of an array on a device."""

    def __init__(self, driver, mirror, n_bytes):
        self._driver, self._mirror, self._newer = driver, mirror, "host"
        self._address = None
        self._address = _native().device_allocate(driver, n_bytes)

    def host(self, writes):
        """The mirror has the elements now; it may be written to."""
        if self._newer == "device":
            _native().device_copy(self._driver, self._address, self._mirror, False)
            self._newer = "both"
        if writes:
            self._newer = "host"

    def device(self, writes):
        """Where the elements are on the device, which has them now and may write to them."""
        if self._newer == "host":
            _native().device_copy(self._driver, self._address, self._mirror, True)
            self._newer = "both"
        if writes:
            self._newer = "device"
        return self._address

    def __del__(self):
        if self._address is not None:
            try:
                _native().device_release(self._driver, self._address)
            except Exception:  # pylint: disable=broad-except
                pass            # a device that has failed has no memory to give back


def settle(array):
    """Gives an array its memory on the device where it is."""
    array._memory = Memory(_DRIVERS[array.device.device_type].name, array._view(list(array.shape), str(array.dtype), 0), _bytes_of(array))
    return array


class DeviceFunction:
    """A function whose kernels run on a device, compiled for the extents that it is called with."""

    def __init__(self, driver, name, func, text):
        self.driver, self._name, self._func, self._text = driver, name, func, text
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

    def _check_architecture(self):
        from ..error import TVMError
        from .simt import arch_of

        facts_, arch = self.driver.facts(), arch_of(self._text)
        if self.driver.name == "cuda" and int("".join(filter(str.isdigit, arch))) > facts_["capability"]:
            raise TVMError(f"{self._name} is built for {arch}; {facts_['name']} is an sm_{facts_['capability']}: build it with the target "
                           f"\"cuda -arch=sm_{facts_['capability']}\"")

    def load(self, args):
        """The kernels for these arguments, ready to run."""
        from ..error import TVMError

        self._check_architecture()
        key, func = self._sized(args)
        if key not in self._loaded:
            try:
                self._loaded[key] = _native().device_load(self.driver.name, self._name, _core.lower_device(func, self._text), self._text)
            except TVMError as error:
                raise TVMError(f"{error}  ({self.driver.off()} runs it on simulated threads.)") from None
        return self._loaded[key][0]

    def kernels(self, *args):
        """The kernels for these arguments as the driver gets them: PTX, or text."""
        self.load(args)
        return self._loaded[self._sized(args)[0]][1]

    def run(self, args, times=1):
        """Runs it that many times; seconds of one round, by the events of the device.  Arrays that are not there go there and come back."""
        from ..error import TVMError

        for number, arg in enumerate(args):
            if not isinstance(arg, _core.NDArray):
                raise TVMError(f"argument {number} of {self._name} is no array: numbers are not given to kernels on a device yet")
        function = self.load(args)
        memories = [arg._memory or Memory(self.driver.name, arg, _bytes_of(arg)) for arg in args]
        seconds = _native().device_run(function, [memory.device(True) for memory in memories], times)
        for arg, memory in zip(args, memories):
            if arg._memory is None:
                memory.host(False)
        return seconds


def _bytes_of(array):
    from .ndarray import _n_bytes

    return _n_bytes(array.shape, array.dtype)
