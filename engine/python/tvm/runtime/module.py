"""Compiled modules and how long they take."""
import json
import os

import _loopscope as _core

from ..error import _reading

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
    """Seconds that calls took; `where`: on which device with threads, or on what in the place of one; None: on this CPU."""

    def __init__(self, results, where=None):
        results = list(results)
        self.where = where
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
                                         self.max * 1000, self.min * 1000, self.std * 1000) + (f"\non {self.where}" if self.where else "")


class Module:
    """Functions that can be called."""

    language = ""
    _object = None                 # of what was loaded from an object file: its bytes

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
    def imports(self):
        """The imported modules, by the name that TVM gives to them since 0.22."""
        return self.imported_modules

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
        if func is None and name == "get_func_names" and self.language == "c":
            return lambda: list(self._names())
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
        """Writes a library of machine code, which TVM's load_module opens as ours does: a shared library (".so"), an object (".o") or an archive of
        objects (".tar").  The C compiler of this machine puts it together (cc="..." names another, options=[...] go to it); fcompile (file_name,
        objects) does so instead.  Without a compiler the file holds the program, which only ours opens, and a warning says so."""
        from . import library

        if self._ir_mod is None:
            raise RuntimeError(f"a module of the kind {self.type_key} has no program that could be written")
        if fcompile is None and library.compiler(kwargs.get("cc")) is None:
            import warnings

            warnings.warn("there is no C compiler: the file holds the program, and only Loopscope opens it", stacklevel=2)
            self.save_program(file_name)
            return
        library.write(file_name, self._write_objects, fcompile, addons, workspace_dir, **kwargs)

    def _write_objects(self, folder, cc=None):
        from . import library

        paths = []
        for mod in [self] + [mod for mod in self.imported_modules if mod.type_key == "static_library"]:
            paths.append(os.path.join(folder, f"lib{len(paths)}.o"))
            if mod._object is not None:
                with open(paths[-1], "wb") as file:
                    file.write(mod._object)
            else:
                library.write_object(paths[-1], mod._ir_mod, mod._target if mod.type_key != "c" else "llvm", cc=cc)
        return paths

    def save_program(self, file_name):
        """Writes the program and its target; load_module compiles it again.  It needs no C compiler."""
        if self._ir_mod is None:
            raise RuntimeError(f"a module of the kind {self.type_key} has no program that could be written")
        with open(os.fspath(file_name), "w", encoding="utf-8") as file:
            file.write(_packed([self] + [mod for mod in self.imported_modules if mod.type_key == "static_library"]))

    def save(self, file_name, fmt=""):
        """Writes a file, of the form fmt or else that of its ending.

        "o", "so", "tar": machine code, as export_library; "ll": LLVM's text with the program in a comment, which load_module reads too; "s", "asm": the
        text of the machine code; "c": the source; any other: the program, as save_program."""
        fmt = fmt or os.path.splitext(str(file_name))[1].lstrip(".")
        if self.type_key == "c" or fmt in ("s", "asm"):
            text = self.get_source("asm" if fmt in ("s", "asm") else fmt)
        elif fmt in ("o", "obj", "so", "tar"):
            self.export_library(file_name)
            return
        elif fmt != "ll" or self._ir_mod is None:
            self.save_program(file_name)
            return
        else:
            text = _packed([self] + [mod for mod in self.imported_modules if mod.type_key == "static_library"])
            text = self.get_source("ll") + "\n; " + text.replace("\n", " ") + "\n"
        with open(os.fspath(file_name), "w", encoding="utf-8") as file:
            file.write(text)

    def import_module(self, module):
        """Looks up functions in another module too."""
        self.imported_modules.append(module)

    def get_source(self, fmt=""):
        """What the code was made from: LLVM's text, or "asm"; C for the target c."""
        if self.language == "c" and fmt in ("", "c"):
            from .c_host import source

            return source(self._ir_mod)
        import _loopscope_native as native

        return native.source(self._ir_mod, self._target, fmt or "ll")

    def inspect_source(self, fmt=""):
        """The newer name of get_source."""
        return self.get_source(fmt)

    @property
    def format(self):
        """The form of get_source."""
        return "ll"

    @property
    def is_runnable(self):
        """Can its functions be called?"""
        return self.type_key != "c"

    @property
    def is_dso_exportable(self):
        """Can it be written into a library?"""
        return self.type_key != "library"

    @property
    def is_binary_serializable(self):
        """Can it be written as bytes within another module?"""
        return self.type_key == "c"

    def to_state(self):
        """What save_json writes of it."""
        from ..error import TVMError

        raise TVMError(f"a module of the kind {self.type_key} is not binary serializable")

    def write_to_file(self, file_name, fmt=""):
        """The newer name of save."""
        self.save(file_name, fmt)

    def time_evaluator(self, func_name, dev, number=10, repeat=1, min_repeat_ms=0, limit_zero_time_iterations=100, cooldown_interval_ms=0,
                       repeats_to_cooldown=1, cache_flush_bytes=0, f_preproc=""):
        """A function that calls another one many times and gives a BenchmarkResult in seconds.  f_preproc names a function that is called
        with the arguments before each repetition."""
        func = self.get_function(func_name or self.entry_name, True) if func_name != self.entry_name else self.entry_func
        prepare = None
        if f_preproc:
            from ._registry import get_global_func

            prepare = get_global_func(f_preproc)

        def evaluator(*args):
            if prepare is not None:
                results = []
                for _ in range(repeat):
                    prepare(*args)
                    results += func._time(args, number, 1, min_repeat_ms, cooldown_interval_ms)
            else:
                results = func._time(args, number, repeat, min_repeat_ms, cooldown_interval_ms)
            return BenchmarkResult(results, getattr(func, "where", None))

        return evaluator

    def __repr__(self):
        return f"Module({self.type_key}, {id(self):x})"


class _Source(Module):
    """Source that was not compiled."""

    def __init__(self, kind, code, fmt, names):
        super().__init__(kind=kind)
        self._code, self._fmt, self._all = code, fmt, names

    def _names(self):
        return self._all

    def get_source(self, fmt=""):
        return self._code

    def to_state(self):
        return [self.type_key, self._code, self._fmt, self._all]

    @property
    def format(self):
        return self._fmt


def source_module(kind, code, fmt, names):
    """A module of source."""
    return _Source(kind, code, fmt, names)


class Executable(Module):
    """What tvm.compile gives: a module whose own module is `mod`.  Executable(mod): around a module."""

    def __init__(self, functions=None, *more, **named):
        given = functions if isinstance(functions, Module) else None
        if given is not None:
            super().__init__(given._functions, given._ir_mod, given.type_key, given._target, given._kernel)
        else:
            super().__init__(functions, *more, **named)
        self._mod = given
        self._jitted_mod = None

    @property
    def mod(self):
        """The module."""
        return self._mod if self._mod is not None else self

    def jit(self, *, fcompile=None, addons=None, force_recompile=False, **kwargs):
        """The module, ready to be called; compiled anew when that is asked for."""
        if force_recompile:
            from ..driver.build_module import build

            self._jitted_mod = build(self._ir_mod, self._target)
        elif self._jitted_mod is None:
            self._jitted_mod = self.mod
        return self._jitted_mod


_MAGIC = "loopscope module 1\n"


def _packed(modules):
    """The programs of modules as the text of a file."""
    from ..ir.base import save_json

    return _MAGIC + json.dumps([{"target": mod._target, "module": save_json(mod._ir_mod)} for mod in modules])


def _programs(path):
    """What save wrote: a list of programs; None: it is another file."""
    with open(path, "rb") as file:
        data = file.read()
    mark = _MAGIC.encode()
    at = 0 if data.startswith(mark) else data.rfind(b"\n; " + mark.strip() + b" ") + 3
    if at == 2 or at > 0 and not str(path).endswith(".ll"):
        return None
    with _reading(path):
        programs = json.loads(data[at + len(mark):].decode("utf-8"))
        if not isinstance(programs, list) or not programs:
            raise ValueError("it holds no list of programs")
        for one in programs:
            if not isinstance(one, dict) or not isinstance(one.get("target"), str) or not isinstance(one.get("module"), str):
                raise ValueError("a program has a target and a module, two texts")
    return programs


def join_files(output, paths):
    """One file of the programs of several; False: they are not all files of save."""
    found = [_programs(path) for path in paths]
    if not found or None in found:
        return False
    with open(output, "w", encoding="utf-8") as file:
        file.write(_MAGIC + json.dumps([program for programs in found for program in programs]))
    return True


def _load_programs(programs):
    from ..driver.build_module import build
    from ..ir.base import load_json

    built = [build(load_json(one["module"]), one["target"]) for one in programs]
    if len(built) == 1:
        return built[0]
    functions = {name: mod.get_function(name) for mod in built for name in mod._names()}
    return Executable(functions, None, "library", built[0]._target)


def load_module(path, fmt=""):
    """What save or export_library wrote: a module, or an executable of the virtual machine."""
    from ..relax.vm_build import VMExecutable

    path = os.fspath(path)
    if not os.path.exists(path):
        raise ValueError(f"cannot find file {path}")
    programs = _programs(path)
    if programs is not None:
        mod = _load_programs(programs)
        if not path.endswith((".ll", ".bc")):
            mod.type_key = "library"
        return mod
    from . import library

    opened = library.open_library(path)
    if opened is not None:
        return opened
    try:
        return VMExecutable.load(str(path))
    except _core_errors() as error:
        raise ValueError(f"{path}: compiled code is not loaded from files: {error}") from None


def load_static_library(path, func_names):
    """The functions of an object file, for import_module: export_library writes them into the library of the importer."""
    from . import library

    path = os.fspath(path)
    programs = _programs(path)
    if programs is not None:
        mod = _load_programs(programs)
    elif library.kind_of(path) == "object":
        mod = library.open_library(path)
        with open(path, "rb") as file:
            mod._object = file.read()
    else:
        raise ValueError(f"{path} is no object file")
    missing = [name for name in func_names if not mod.implements_function(name)]
    if missing:
        raise ValueError(f"{path} has no function {missing[0]}; it has {', '.join(mod._names())}")
    mod.type_key = "static_library"
    return mod


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
