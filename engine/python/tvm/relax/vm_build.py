"""relax.build: a module as an executable for the virtual machine."""
import os

import _loopscope as _core

from ..runtime.container import ShapeTuple


def machine():
    """The extension with the machine, which is loaded when it is wanted and then knows the classes and functions of Python."""
    import _loopscope_native as native

    from ..runtime import _registry
    from . import rnn_state, runtime_builtin  # noqa: F401  (registers functions)

    native.set_shape_class(ShapeTuple)
    native.set_host_functions(_registry._PYTHON)
    return native


class VMExecutable:
    """A Relax program ready to run."""

    def __init__(self, impl, mod=None, target="llvm", threads=None):
        self._impl = impl
        self._threads = threads    # ThreadKernels, where the functions of TensorIR run on threads
        self._ir_mod = mod
        self._target = target
        self._external = []        # of AttachExternModules

    @property
    def mod(self):
        """The executable as a module."""
        return self

    def jit(self, **unused):
        """Ready to be called."""
        return self

    def __getitem__(self, name):
        if name in ("as_text", "as_python", "stats") and name not in self._impl.functions:
            return getattr(self, name)
        if name in self._impl.functions:
            from .vm import VMFunction

            return VMFunction(self._impl, name, self._threads)
        func = self._impl.kernel(name) if self._threads is None else self._threads.functions.get(name)
        if func is None:
            raise AttributeError(f"Module has no function '{name}'")
        return func

    @property
    def imported_modules(self):
        """The compiled functions: one module, which is this one; where they run on threads, the text of their kernels."""
        return [self] if self._threads is None else [self._threads.source_module()]

    imports = imported_modules

    def get_function(self, name, query_imports=False):
        """A function; AttributeError when there is none."""
        return self[name]

    def __contains__(self, name):
        return name in self._impl.functions

    def stats(self):
        """A few numbers."""
        return f"Relax VM executable statistics:\n  Functions: {self._impl.functions}\n"

    def as_text(self):
        """The code."""
        return self._impl.text()

    def as_python(self):
        """The code."""
        return self._impl.text()

    def export_library(self, file_name, *, fcompile=None, addons=None, workspace_dir=None, **kwargs):
        """Writes the executable to a file: in a library of machine code where the name ends with .so, .o or .tar and there is a C compiler, else as
        bytes.  The executable is one for our virtual machine, which TVM's loader does not know."""
        from ..runtime import library

        self._refuse_file()
        name = os.fspath(file_name)
        if fcompile is None and (not name.endswith((".so", ".o", ".tar")) or library.compiler(kwargs.get("cc")) is None):
            with open(name, "wb") as file:
                file.write(self._impl.save())
            return
        library.write(name, self._write_objects, fcompile, addons, workspace_dir, **kwargs)

    def _refuse_file(self):
        if self._threads is not None:
            from ..error import TVMError

            raise TVMError(f"an executable whose kernels run on the threads of {self._threads.kind} is not written to a file: it has no machine code of its own; build it for llvm, "
                           "or take its kernels to a device with loopscope-cli device export")

    def _write_objects(self, folder, cc=None):
        from ..runtime import library

        path = os.path.join(folder, "lib0.o")
        library.write_object(path, blob=self._impl.save(), cc=cc, externs=[name for _, names in self._external for name in names])
        paths = [path]
        for module, _ in self._external:
            paths.append(os.path.join(folder, f"lib{len(paths)}.o"))
            with open(paths[-1], "wb") as file:
                file.write(module._object)
        return paths

    def time_evaluator(self, func_name, dev=None, number=10, repeat=1, min_repeat_ms=0, **unused):
        """A function that calls another one many times and gives a BenchmarkResult in seconds."""
        from ..runtime.module import BenchmarkResult

        def evaluator(*args):
            func = self[func_name]
            return BenchmarkResult(func._time(args, number, repeat, min_repeat_ms, 0))

        return evaluator

    @staticmethod
    def load(path):
        """What export_library wrote."""
        from ..runtime import library

        if library.kind_of(path) is not None:
            return library.open_library(path)
        with open(os.fspath(path), "rb") as file:
            return VMExecutable(machine().vm_load(file.read()))


VMExecutable.__module__ = "tvm.relax.vm_build"


def _by_python_rules(mod):
    """The module with its calls replaced whose rules are written in Python: those of gradients, and what programs register."""
    from .expr import Function

    if not any(isinstance(func, Function) for func in mod.functions.values()):
        return mod
    from .transform.legalize_ops.common import RULES, WITHOUT, apply_rules

    return apply_rules(mod, {name: rule for name, rule in RULES.items() if name not in WITHOUT})


def build(mod, target=None, params=None, relax_pipeline="default", tir_pipeline="default", exec_mode="bytecode", *, system_lib=None, pipeline=None):
    """Compiles a module for relax.VirtualMachine."""
    from ..driver.build_module import _as_module, _simulated, _target_text

    mod = _as_module(mod)
    if params:
        from . import transform

        mod = transform.BindParams("main", {k: v[0] if isinstance(v, (list, tuple)) and len(v) == 1 else v for k, v in params.items()})(mod)
    threads = _simulated(target)
    target = threads or _target_text(target)
    for step in (relax_pipeline, pipeline):
        if callable(step):
            mod = step(mod)
    mod = _by_python_rules(mod)
    if threads is not None:
        from . import vm_threads

        made, kernels, mod = vm_threads.build(mod, threads)
        return VMExecutable(made, mod, str(threads), kernels)
    executable = VMExecutable(machine().vm_build(mod, target.engine_text(), False), mod, target.engine_text())
    if mod.attrs and "external_mods" in mod.attrs:
        from .transform.attach_external_modules import external_modules, make_callable

        executable._external = external_modules(mod)
        make_callable(executable._external)
    return executable


def _vmcodegen(builder, mod, exec_mode="bytecode"):
    """Takes the Relax functions of a lowered module into a builder; what is left are the functions of TensorIR.
    In the compiled mode these have the Relax functions among them, as code that works on the machine's registers (vm_tir)."""
    from ..ir import IRModule
    from ..tir import PrimFunc

    if exec_mode not in ("bytecode", "compiled"):
        raise ValueError(f"Unknown exec_mode {exec_mode}")
    builder._module = mod
    rest = {gvar: func for gvar, func in mod.functions_items() if isinstance(func, PrimFunc)}
    if exec_mode == "compiled":
        from .vm_tir import functions_of

        rest.update(functions_of(builder, mod))
    return IRModule(rest)


def _vmlink(builder, target=None, tir_mod=None, tir_pipeline="default", ext_libs=None, params=None, *, system_lib=None):
    """The executable of what a builder has."""
    from ..driver.build_module import _target_text

    if getattr(builder, "_module", None) is None:
        return builder.get()
    target = _target_text(target).engine_text()
    return VMExecutable(machine().vm_build(builder._module, target, True), builder._module, target)


_ = _core
