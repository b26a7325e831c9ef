"""relax.build for targets with threads: the graph runs on the virtual machine, its kernels on the device or on simulated threads.

Operators become functions of TensorIR, those without a schedule get one for threads (dlight's, then DefaultGPUSchedule), and the machine calls each by
its name.  A function that binds no thread is one of the host and is compiled for it."""
import warnings

import _loopscope as _core

from ..ir import transform as _transform
from ..runtime import simt
from ..runtime.container import ShapeTuple
from ..runtime.ndarray import Device, NDArray


def _binds_threads(func):
    """Does a loop of the function run on threads, or does a T.launch_thread stand in it?"""
    from ..tir import AttrStmt, For, stmt_functor

    found = []

    def visit(node):
        if (isinstance(node, For) and node.thread_binding is not None) or (isinstance(node, AttrStmt) and node.attr_key in ("thread_extent", "virtual_thread")):
            found.append(node)

    stmt_functor.post_order_visit(func.body, visit)
    return bool(found)


def scheduled(mod, target):
    """The module with its operators as functions of TensorIR that run on the threads of a target."""
    from ..dlight import ApplyDefaultSchedule, gpu
    from ..tir.transform import DefaultGPUSchedule
    from . import pipeline, transform as t

    rules = ApplyDefaultSchedule(gpu.Matmul(), gpu.GEMV(), gpu.Reduction(), gpu.GeneralReduction(), gpu.Fallback())
    with target, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)         # rules go further than can be proved; the simulator looks at every access
        return _transform.Sequential([*pipeline.library_dispatch_passes(target), pipeline._before_legalize, t.LegalizeOps(), t.AnnotateTIROpPattern(),
                                      t.FoldConstant(), t.FuseOps(), t.FuseTIR(), rules, DefaultGPUSchedule()])(mod)


class ThreadKernels:
    """The functions of TensorIR of a module, as the machine calls them: by name, with arrays that are wherever the machine has them."""

    def __init__(self, mod, target):
        from ..driver import build as build_module
        from ..tir import PrimFunc

        self.kind, self.device = target.kind.name, Device(simt.KINDS[target.kind.name], 0)
        self.functions, self.sources, self.names = {}, [], []
        text = simt.target_text(target)
        for var, func in mod.functions.items():
            if not isinstance(func, PrimFunc):
                continue
            name = var.name_hint
            if not _binds_threads(func):
                self.functions[name] = self._flat(build_module(func.with_attr("global_symbol", name), "llvm").get_function(name))
                continue
            kernel = simt.SimtFunction(name, func, text, simt.KINDS[self.kind])
            self.functions[name] = self._flat(kernel.run_anywhere)
            self.sources.append(_core.device_source(name, kernel.lowered, text))
            self.names.append(f"{name}_kernel")

    @staticmethod
    def _flat(function):
        """The extents that call_tir_dyn gives as one shape are the last arguments, one by one."""
        def call(*args):
            return function(*args[:-1], *args[-1]) if args and isinstance(args[-1], ShapeTuple) else function(*args)

        return call

    def source_module(self):
        """Their text, as the module that TVM has beneath the machine's."""
        from ..runtime.module import source_module

        return source_module("cuda" if self.kind == "nvptx" else self.kind, "\n".join(self.sources), simt.LANGUAGES[self.kind], self.names)

    def placed(self, value):
        """What the machine gives is on the device: arrays, in tuples too."""
        if isinstance(value, NDArray):
            value._device = self.device
        elif isinstance(value, (list, tuple)) and not isinstance(value, ShapeTuple):
            for item in value:
                self.placed(item)
        return value


def build(mod, target):
    """(the machine's executable, its kernels, the module with their schedules)"""
    from .vm_build import machine

    mod = scheduled(mod, target)
    kernels = ThreadKernels(mod, target)
    made = machine().vm_build(mod, "llvm", False, True)
    made.set_kernels(kernels.functions)
    simt.tell(kernels.device)
    return made, kernels, mod
