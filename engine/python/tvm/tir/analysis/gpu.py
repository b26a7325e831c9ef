"""Limits of a GPU: threads, memory and vectors of the kernels in a lowered function."""
from ... import runtime
from .. import Allocate, AttrStmt, BufferLoad, BufferStore, Cast, For, IntImm, Ramp
from ..stmt_functor import pre_order_visit

_LIMITS = ("max_local_memory_per_block", "max_shared_memory_per_block", "max_threads_per_block", "max_thread_x", "max_thread_y", "max_thread_z",
           "max_vthread", "max_vector_bytes", "max_kernels")
_AXES = {"threadIdx.x": "max_thread_x", "threadIdx.y": "max_thread_y", "threadIdx.z": "max_thread_z", "vthread": "max_vthread"}


def _bytes(dtype):
    found = runtime.DataType(str(dtype))
    return found.lanes * ((found.bits + 7) // 8), found.lanes


class _Kernel:
    """What one kernel uses."""

    def __init__(self):
        self.threads, self.product, self.memory = {}, 1, {"local": 0, "shared": 0}


class _Checker:
    """Walks a function and notes each limit that is passed."""

    def __init__(self, limits):
        self.limits, self.errors = limits, []
        self.kernel, self.kernels = _Kernel(), 0

    def over(self, what, used, limit):
        """Notes a number that is above its limit."""
        if limit in self.limits and used > self.limits[limit]:
            self.errors.append(f"{what} ({used}) is greater than the allowed maximum ({self.limits[limit]})")

    def vector(self, dtype):
        """Notes a vector that is too long."""
        size, lanes = _bytes(dtype)
        if lanes > 1:
            self.over(f"Number of bytes of {dtype}", size, "max_vector_bytes")

    def indices(self, indices):
        """Notes vectors of indices that are not in one piece."""
        for index in indices:
            if isinstance(index, Ramp) and not (isinstance(index.stride, IntImm) and int(index.stride) == 1):
                self.vector(index.dtype)

    def bind(self, axis, extent):
        """A thread axis: the same extent wherever it is bound."""
        known = self.kernel.threads.get(axis)
        if known is None:
            self.kernel.threads[axis] = extent
            self.kernel.product *= extent
            self.over(f"Extent of {axis}", extent, _AXES[axis])
        elif axis != "vthread" and known != extent:
            self.errors.append(f"Extent of {axis} ({extent}) does not match the bound {known}")

    def walk(self, root, depth=0):
        """Looks at everything below; `depth`: thread axes around it."""

        def visit(node):
            if isinstance(node, AttrStmt) and str(node.attr_key) in ("thread_extent", "virtual_thread"):
                self.axis(node, depth)
                return False
            self.look(node)
            return True

        pre_order_visit(root, visit)

    def axis(self, attr, depth):
        """A thread axis and what runs under it; the outermost makes a kernel."""
        if depth == 0:
            self.kernel = _Kernel()
            self.kernels += 1
        name = str(attr.node.var.name)
        name = name if name in _AXES else str(attr.node.thread_tag)
        if name in _AXES:
            self.bind(name, int(attr.value))
        self.walk(attr.body, depth + 1)
        if depth == 0:
            self.over("Used threads per block", self.kernel.product, "max_threads_per_block")
            for scope, used in self.kernel.memory.items():
                self.over(f"Used {scope} memory per block", used, f"max_{scope}_memory_per_block")
            self.over("Number of launched kernels", self.kernels, "max_kernels")

    def look(self, node):
        """One node."""
        if isinstance(node, Allocate):
            self.allocation(node)
        elif isinstance(node, For) and str(node.loop_var.name) == "vthread.s" and isinstance(node.extent, IntImm):
            self.over("Number of vthreads", int(node.extent), "max_vthread")
        elif isinstance(node, Cast):
            self.vector(node.dtype)
        elif isinstance(node, BufferLoad):
            self.vector(node.dtype)
            self.indices(node.indices)
        elif isinstance(node, BufferStore):
            self.vector(node.value.dtype)
            self.indices(node.indices)

    def allocation(self, node):
        """Memory of a thread or of a block."""
        scope = str(node.buffer_var.type_annotation.storage_scope).split(".")[0]
        size = 1
        for extent in node.extents:
            size *= int(extent) if isinstance(extent, IntImm) else 0
        if scope in self.kernel.memory:
            self.kernel.memory[scope] += size * _bytes(node.dtype)[0]
        self.vector(node.dtype)


def gpu_errors(func, constraints):
    """A sentence for each limit that a lowered function passes.  constraints: numbers by name."""
    limits = {str(name): int(value) for name, value in constraints.items()}
    for name in limits:
        if name not in _LIMITS:
            raise ValueError(f"Invalid check item: {name}")
    checker = _Checker(limits)
    checker.walk(func.body)
    return checker.errors


def verify_gpu_code(func, constraints):
    """Does a lowered function stay within the limits of a GPU?"""
    return not gpu_errors(func, constraints)
