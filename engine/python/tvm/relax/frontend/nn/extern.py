"""Functions from outside of the model.

An ExternModule says what each symbol gives; calling one emits a call of the packed function of that name.  load() gives the machine code of an object or
of source, whose functions follow the convention of TVM v0.20 (value, type codes); relax.transform.AttachExternModules adds it to a module.  A function
that is registered (tvm.register_func) serves as well."""
import os
import tempfile

from ...struct_info import TensorStructInfo  # noqa: F401
from . import core


class ExternModule(core.Module):
    """Symbols, each with a function that gives the placeholder of its result for its arguments."""

    def __init__(self, symbols):
        super().__init__()
        self._symbols = symbols

    def __getitem__(self, func_name):
        from .op import extern

        infer = self._symbols[func_name]

        def call(*args):
            from .exporter import Exporter

            exporter = Exporter.current()
            if self not in exporter.extern_mods:
                exporter.add_external_module(self)
            return extern(name=func_name, args=list(args), out=infer(*args))

        call.__name__ = func_name
        return call

    def load(self):
        """The compiled functions."""
        raise NotImplementedError("An ExternModule says only what functions give: ObjectModule and SourceModule have their code")


class ObjectModule(ExternModule):
    """Functions of an object file."""

    def __init__(self, symbols, filepath):
        if not isinstance(filepath, (str, bytes)) and not hasattr(filepath, "exists"):
            raise TypeError(f"A path is expected, not {filepath!r}")
        if not os.path.isfile(filepath):
            raise ValueError(f"Not a file: {filepath}")
        super().__init__(symbols)
        self.filepath = filepath

    def load(self):
        """The functions of the object, as a module that AttachExternModules takes."""
        from ....runtime.module import load_static_library

        return load_static_library(os.fspath(self.filepath), list(self._symbols))


class SourceModule(ExternModule):
    """Functions of C++ source: a text or the path of a file; CUDA's is compiled where nvcc is installed."""

    def __init__(self, symbols, source_code, source_format, compile_options=None, compiler=None, output_format="obj"):
        if source_format not in ("cpp", "cu"):
            raise ValueError(f"Invalid source format: {source_format}")
        if output_format not in ("obj", "wasm"):
            raise ValueError(f"Invalid output format: {output_format}")
        super().__init__(symbols)
        if hasattr(source_code, "read_text") or (len(source_code) < 1024 and "\n" not in source_code and os.path.isfile(source_code)):
            with open(source_code, encoding="utf-8") as file:
                source_code = file.read()
        self.source_code, self.source_format = source_code, source_format
        self.compile_options = self.get_compile_options(source_format) if compile_options is None else list(compile_options)
        self.compiler = compiler or ("nvcc" if source_format == "cu" else None)
        self.output_format = output_format

    @staticmethod
    def get_includes(tvm_pkg=None):
        """The folders with headers of a TVM that TVM_HOME names; none without."""
        home = os.environ.get("TVM_HOME")
        parts = ["include", "3rdparty/dlpack/include", "3rdparty/dmlc-core/include"] + [os.path.join("3rdparty", x) for x in tvm_pkg or ()]
        return [os.path.join(home, part) for part in parts] if home else []

    @staticmethod
    def get_compile_options(source_format, tvm_pkg=None):
        """What the compiler is told."""
        includes = [word for folder in SourceModule.get_includes(tvm_pkg) for word in ("-I", folder)]
        return ["-O3", "-std=c++17", *(["-fPIC"] if source_format == "cpp" else ["-Xcompiler=-fPIC"]), *includes]

    def compile(self, output_path):
        """Compiles the source into an object file."""
        from ....contrib.cc import _run, get_cc

        compiler = self.compiler or get_cc()
        if compiler is None:
            raise RuntimeError("a SourceModule needs a C++ compiler, and this machine has none")
        with tempfile.TemporaryDirectory(prefix="loopscope-source-") as folder:
            path = os.path.join(folder, f"main.{self.source_format}")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.source_code)
            _run([compiler, *self.compile_options, "-c", path, "-o", os.fspath(output_path)])

    def load(self):
        """The functions of the source, as a module that AttachExternModules takes."""
        from ....runtime.module import load_static_library

        with tempfile.TemporaryDirectory(prefix="loopscope-source-") as folder:
            path = os.path.join(folder, "main.o")
            self.compile(path)
            return load_static_library(path, list(self._symbols))
