"""Compiled modules and how long they take."""
import json
import os

import _loopscope as _core

PackedFuncBase = _core.Function


class PackedFunc:
    """A Python function that was registered: called as it is, with any objects."""

    def __init__(self, packed, python):
        self._packed = packed
        self._python = python

    def __call__(self, *args):
        return self._python(*args)

    def _time(self, *args):
        return self._packed._time(*args)


class BenchmarkResult:
    """Seconds that calls took."""

    def __init__(self, results):
        results = list(results)
        self.results = tuple(results)
        ordered = sorted(results)
        n = len(ordered)
        self.mean = sum(ordered) / n
        self.std = (sum((x - self.mean) ** 2 for x in ordered) / n) ** 0.5
        self.median = ordered[n // 2] if n % 2 else (ordered[n // 2 - 1] + ordered[n // 2]) / 2
        self.min = ordered[0]
        self.max = ordered[-1]

    def __repr__(self):
        return (f"BenchmarkResult(min={self.min}, mean={self.mean}, median={self.median}, max={self.max}, std={self.std}, "
                f"results={self.results})")

    def __str__(self):
        return ("Execution time summary:\n"
                "{:^12} {:^12} {:^12} {:^12} {:^12}\n"
                "{:^12.4f} {:^12.4f} {:^12.4f} {:^12.4f} {:^12.4f}\n"
                "               ").format("mean (ms)", "median (ms)", "max (ms)", "min (ms)", "std (ms)", self.mean * 1000, self.median * 1000,
                                         self.max * 1000, self.min * 1000, self.std * 1000)


class Module:
    """Functions that can be called."""

    def __init__(self, functions=None, ir_mod=None, kind="llvm", target="llvm", kernel=None):
        self._functions = dict(functions or {})
        self._kernel = kernel
        self._ir_mod = ir_mod
        self._target = target
        self.type_key = kind
        self.imported_modules = []
        self._entry = None
        self.entry_name = "__tvm_main__"

    @property
    def entry_func(self):
        """The function that calling the module calls."""
        if self._entry is None:
            self._entry = self.get_function("main") if len(self._names()) != 1 else self.get_function(self._names()[0])
        return self._entry

    def _names(self):
        return list(self._functions) or (self._kernel.functions if self._kernel is not None else [])

    def implements_function(self, name, query_imports=False):
        """Is there such a function?"""
        return name in self._names()

    def get_function(self, name, query_imports=False):
        """The function of a name."""
        func = self._functions.get(name)
        if func is None and self._kernel is not None:
            func = self._kernel.get(name)
        if func is None and query_imports:
            for mod in self.imported_modules:
                if mod.implements_function(name, True):
                    return mod.get_function(name, True)
        if func is None:
            raise AttributeError(f"Module has no function '{name}'")
        return func

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise ValueError("Can only take string as function name")
        return self.get_function(name, True)

    def __contains__(self, name):
        return self.implements_function(name)

    def __call__(self, *args):
        return self.entry_func(*args)

    def export_library(self, file_name, *, fcompile=None, addons=None, workspace_dir=None, **kwargs):
        """Writes the functions into a file that load_module reads; see save."""
        self.save(file_name)

    def save(self, file_name, fmt=""):
        """Writes a file of the program and its target; load_module compiles it again.  fmt "ll", "s", "asm": the text of get_source instead."""
        fmt = fmt or os.path.splitext(str(file_name))[1].lstrip(".")
        if self._ir_mod is None:
            raise RuntimeError(f"a module of the kind {self.type_key} has no program that could be written")
        if fmt in ("ll", "s", "asm"):
            with open(os.fspath(file_name), "w", encoding="utf-8") as file:
                file.write(self.get_source("asm" if fmt == "s" else fmt))
            return
        from ..ir.base import save_json

        with open(os.fspath(file_name), "w", encoding="utf-8") as file:
            file.write(_MAGIC)
            json.dump({"target": self._target, "module": save_json(self._ir_mod)}, file)

    def import_module(self, module):
        """Looks up functions in another module too."""
        self.imported_modules.append(module)

    def get_source(self, fmt=""):
        """What the code was made from: LLVM's text, or "asm"."""
        import _loopscope_native as native

        return native.source(self._ir_mod, self._target, fmt or "ll")

    def inspect_source(self, fmt=""):
        """The newer name of get_source."""
        return self.get_source(fmt)

    @property
    def format(self):
        """The form of get_source."""
        return "ll"

    def is_runnable(self):
        """Yes."""
        return True

    def time_evaluator(self, func_name, dev, number=10, repeat=1, min_repeat_ms=0, limit_zero_time_iterations=100, cooldown_interval_ms=0,
                       repeats_to_cooldown=1, cache_flush_bytes=0, f_preproc=""):
        """A function that calls another one many times and gives a BenchmarkResult in seconds."""
        func = self.get_function(func_name or self.entry_name, True) if func_name != self.entry_name else self.entry_func

        def evaluator(*args):
            return BenchmarkResult(func._time(args, number, repeat, min_repeat_ms, cooldown_interval_ms))

        return evaluator

    def __repr__(self):
        return f"Module({self.type_key}, {id(self):x})"


class Executable(Module):
    """What tvm.compile gives: a module whose own module is `mod`."""

    @property
    def mod(self):
        """The module."""
        return self

    def jit(self, **unused):
        """The module, ready to be called."""
        return self


_MAGIC = "loopscope module 1\n"


def _load_program(file):
    from ..driver.build_module import build
    from ..ir.base import load_json

    data = json.load(file)
    return build(load_json(data["module"]), data["target"])


def load_module(path, fmt=""):
    """What export_library wrote: a module, or an executable of the virtual machine."""
    from ..relax.vm_build import VMExecutable

    with open(os.fspath(path), "rb") as file:
        if file.read(len(_MAGIC)) == _MAGIC.encode():
            return _load_program(file)
    try:
        return VMExecutable.load(str(path))
    except _core_errors() as error:
        raise ValueError(f"{path}: compiled code is not loaded from files: {error}") from None


def _core_errors():
    from ..error import TVMError

    return (TVMError,)


def system_lib(symbol_prefix=""):
    """Not offered."""
    raise ValueError("there is no system library")


def num_threads():
    """Threads of a parallel loop."""
    return _core.num_threads()


def enabled(target):
    """Can programs for the target run here?"""
    return str(target).split()[0] in ("llvm", "cpu")
