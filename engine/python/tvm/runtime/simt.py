"""Devices with threads: kernels run on simulated threads, exactly and checked; there are no times of a GPU.  Where there is a device, it is that one (drivers.py)."""
import sys
import time

import _loopscope as _core

KINDS = {"cuda": 2, "nvptx": 2, "opencl": 4, "metal": 8, "rocm": 10, "simt": 32}
LANGUAGES = {"cuda": "cu", "nvptx": "cu", "rocm": "hip", "opencl": "cl", "metal": "metal"}
LONG = 500_000_000              # operations of a kernel that is timed without checks
PATIENCE = 5.0                  # seconds of a run with checks, after which it is timed without them
_said = set()
fast = False                    # loopscope.fast_threads


def tell(device):
    """Says once, in one line, which device it is, or that it is simulated."""
    if device in _said or device.device_type == KINDS["simt"]:
        return
    from . import drivers

    _said.add(device)
    driver = drivers.of_type(device.device_type)
    if drivers.facts(device) is not None:
        print(f"loopscope: tvm.{device} is {driver.sentence()}", file=sys.stderr)
        return
    reason = f" ({driver.reason})" if driver is not None and device.device_id == 0 and driver.reason and not driver.missing else ""
    print(f"loopscope: tvm.{device} is simulated here{reason}: results are exact and checked, times are not a GPU's", file=sys.stderr)


def arch_of(text):
    """"sm_80" of a target's text; what a target without one is compiled for."""
    found = [word.split("=")[1] for word in text.split() if word.startswith("-arch=")]
    return found[0] if found else "sm_70"


def target_text(target):
    """The target as the engine reads it."""
    words = [target.kind.name]
    for key, value in target.stated.items():
        if key in ("arch", "mcpu", "max_threads_per_block", "max_num_threads", "max_shared_memory_per_block", "thread_warp_size", "registers_per_block"):
            words.append(f"-{key}={value}")
    return " ".join(words)



class SimtFunction:
    """A function whose kernels run on simulated threads."""

    def __init__(self, name, func, text, device_type):
        self._name, self._text, self._device_type = name, text, device_type
        self.lowered = _core.lower_device(func, text)
        self._loops = None
        self.where = None               # the last times were measured
        self._on_device = None
        self._func = func
        self._operations, self._took = None, 0.0    # the latter: seconds of the last run with checks

    def _there(self, args):
        """The function on the device, where its arrays are there; None: it is simulated."""
        from . import drivers
        from .ndarray import Device

        if fast or drivers.facts(Device(self._device_type, 0)) is None:
            return None
        if any(isinstance(arg, _core.NDArray) and (arg.device.device_type == KINDS["simt"] or arg.device.device_id != 0) for arg in args):
            return None
        if self._on_device is None:
            self._on_device = drivers.DeviceFunction(drivers.of_type(self._device_type), self._name, self._func, self._text)
        return self._on_device

    def _check(self, args):
        from ..error import TVMError

        for number, arg in enumerate(args):
            if isinstance(arg, _core.NDArray) and arg.device.device_type not in (self._device_type, KINDS["simt"]):
                raise TVMError(f"argument {number} of {self._name} is on {arg.device}; the function was built for {self._text.split()[0]}: "
                               "tvm.nd.array(x, device) puts an array there")

    def _compiled(self):
        """The kernels as loops over blocks and threads, compiled for this CPU when they are wanted first."""
        if self._loops is None:
            from ..driver import build as build_module

            self._loops = build_module(_core.serial_threads(self.lowered), "llvm").entry_func
        return self._loops

    def _is_long(self):
        """Would a run with checks take more than some seconds?"""
        from ..tir.analysis import estimate_tir_flops

        if self._operations is None:
            try:
                self._operations = estimate_tir_flops(self._func.body)
            except (ValueError, RuntimeError):  # sizes that are not known before a call
                self._operations = 0
        return self._operations > LONG or self._took > PATIENCE

    def __call__(self, *args):
        self._check(args)
        self.run_anywhere(*args)

    def run_anywhere(self, *args):
        """The call, wherever the arrays are."""
        from ..error import TVMError

        if fast:
            self._compiled()(*_here(args))
            return
        there = self._there(args)
        if there is not None:
            there.run(args)
            return
        start = time.perf_counter()
        found = _core.simt_run(self.lowered, self._text, tuple(args))
        self._took = time.perf_counter() - start
        faults = [text for kind, text in found if kind != "same-value"]
        if faults:
            raise TVMError("\n".join(faults))

    def _time(self, args, number, repeat, *_more):
        """Seconds of the simulation itself: one run for each repetition, since an average of `number` runs would say nothing more of a GPU.  Fast
        kernels are timed as what they are, functions of this CPU, and so are those whose checked run would take minutes."""
        if fast or (self._is_long() and self._there(args) is None):
            self._check(args)
            tell_fast()
            self.where = "this CPU, as loops over blocks and threads: no time of a GPU"
            return self._compiled()._time(_here(args), number, repeat, *_more)
        there = self._there(args)
        if there is not None:
            self._check(args)
            self.where = there.driver.sentence()
            there.run(args)
            return [there.run(args, max(number, 1)) for _ in range(repeat)]
        tell_time()
        self.where = "simulated threads: how long the simulation took, no time of a GPU"
        results = []
        for _ in range(repeat):
            start = time.perf_counter()
            self(*args)
            results.append(time.perf_counter() - start)
        return results


def _here(args):
    """The arguments as a function of this CPU takes them: the same memory."""
    return tuple(_core.from_dlpack(arg.to_dlpack()) if isinstance(arg, _core.NDArray) else arg for arg in args)


def tell_fast():
    """Says once what a time of fast kernels is."""
    if "fast" not in _said:
        _said.add("fast")
        print("loopscope: this is how long the kernel takes as loops over blocks and threads on this CPU, not a GPU's time; nothing was checked", file=sys.stderr)


def tell_time():
    """Says once what a time of the simulator is."""
    if "time" not in _said:
        _said.add("time")
        print("loopscope: this is how long one run of the simulation takes, not a GPU's time", file=sys.stderr)


def build(mod, target):
    """An executable of the functions of a module with kernels; its imported module has their text."""
    from .module import Executable, source_module
    from .ndarray import Device

    kind, text = target.kind.name, target_text(target)
    functions, sources, names = {}, [], []
    for var, func in mod.functions.items():
        if _core.kind(func) != "PrimFunc":
            continue
        symbol = func.attrs.get("global_symbol") if func.attrs is not None else None
        made = SimtFunction(var.name_hint, func, text, KINDS[kind])
        functions[str(symbol or var.name_hint)] = made
        sources.append(_core.device_source(var.name_hint, made.lowered, text))
        names.append(f"{var.name_hint}_kernel")
    tell(Device(KINDS[kind], 0))
    result = Executable(functions, mod, "llvm", text, None)
    result.import_module(source_module("cuda" if kind == "nvptx" else kind, "\n".join(sources), LANGUAGES[kind], names))
    return result
