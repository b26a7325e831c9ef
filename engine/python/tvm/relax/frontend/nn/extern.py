"""Functions from outside of the model.

An ExternModule says what each symbol gives; calling one emits a call of the packed function of that name.  Objects are not linked into the compiled
module here: the functions have to be registered (tvm.register_func) when the module runs, and SourceModule compiles nothing."""
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
        raise NotImplementedError("A module from outside is not linked here: register its functions with tvm.register_func")


class ObjectModule(ExternModule):
    """Functions of an object file."""

    def __init__(self, symbols, filepath):
        if not isinstance(filepath, (str, bytes)) and not hasattr(filepath, "exists"):
            raise TypeError(f"A path is expected, not {filepath!r}")
        super().__init__(symbols)
        self.filepath = filepath


class SourceModule(ExternModule):
    """Functions of C++ or CUDA source, which is kept as it is."""

    def __init__(self, symbols, source_code, source_format, compile_options=None, compiler=None, output_format="obj"):
        if source_format not in ("cpp", "cu"):
            raise ValueError(f"Invalid source format: {source_format}")
        if output_format not in ("obj", "wasm"):
            raise ValueError(f"Invalid output format: {output_format}")
        super().__init__(symbols)
        self.source_code, self.source_format = source_code, source_format
        self.compile_options, self.compiler, self.output_format = compile_options, compiler, output_format
