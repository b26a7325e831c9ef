"""Sessions, and what they hold on their workers."""
import itertools

from .. import ndarray
from ..container import ShapeTuple
from . import worker as _worker

REDUCE_OPS = {"sum": 0, "prod": 1, "min": 2, "max": 3, "avg": 4}


class DRef:
    """A value on every worker."""

    def __init__(self, session, number):
        self.session, self.number = session, number

    def __del__(self):
        number = self.number
        for worker in self.session.workers:
            worker.order("drop", number)

    def debug_get_from_remote(self, worker_id):
        """The value of one worker."""
        return self.session.worker(worker_id).ask("get", self.number)

    def debug_copy_from(self, worker_id, value):
        """Another value for one worker's array."""
        value = value if isinstance(value, ndarray.NDArray) else ndarray.array(value)
        self.session.worker(worker_id).ask("fill", self.number, value)


class DPackedFunc(DRef):
    """A function on every worker."""

    def __call__(self, *args):
        return self.session.call_packed(self, *args)


class DModule(DRef):
    """A module on every worker."""

    def __getitem__(self, name):
        return self.session._make(DPackedFunc, "item", self.number, name)


class Session:
    """Workers, and what all of them do when one thing is said."""

    def __init__(self, workers):
        self.workers = workers
        self._numbers = itertools.count(1)

    @property
    def num_workers(self):
        """How many there are."""
        return len(self.workers)

    def worker(self, number):
        """One of them."""
        if not 0 <= number < len(self.workers):
            raise ValueError(f"the session has workers 0 to {len(self.workers) - 1}, not {number}")
        return self.workers[number]

    def _make(self, kind, verb, *args):
        """What a verb makes on each, as a DRef of the kind."""
        made = kind(self, next(self._numbers))
        for worker in self.workers:
            worker.order(verb, made.number, *args)
        return made

    def call_packed(self, func, *args):
        """Calls a function on each worker with numbers, texts, shapes, devices, and what the worker has of a DRef."""
        for x in args:
            if isinstance(x, ndarray.NDArray):
                raise TypeError("an array is given to workers by copy_to_worker_0 or debug_copy_from, not as an argument")
        return self._make(DRef, "call", func.number, [(x.number, True) if isinstance(x, DRef) else (x, False) for x in args])

    def get_global_func(self, name):
        """A registered function on each worker."""
        return self._make(DPackedFunc, "global", name)

    def import_python_module(self, module_name):
        """Imports a module on each worker."""
        for worker in self.workers:
            worker.order("import", module_name)

    def empty(self, shape, dtype, device=None, worker0_only=False, in_group=True):
        """An array without values on each worker, or on the first one (of each group, if so said)."""
        return self._make(DRef, "empty", tuple(int(n) for n in shape), dtype, device or ndarray.cpu(), worker0_only, in_group)

    def _sync_worker(self, worker_id):
        self.worker(worker_id).ask("nothing")

    def sync_worker_0(self):
        """Waits until the first worker has done what it was told."""
        self._sync_worker(0)

    def copy_from_worker_0(self, host_array, remote_array):
        """The first worker's array goes into one of this thread; sync_worker_0 waits for that."""
        self.workers[0].order("read", remote_array.number, host_array)

    def copy_to_worker_0(self, host_array, remote_array=None):
        """An array of this thread goes to the first worker, into a new DRef if none is given."""
        if remote_array is None:
            remote_array = self.empty(host_array.shape, host_array.dtype, worker0_only=True, in_group=False)
        self.workers[0].ask("fill", remote_array.number, host_array)
        return remote_array

    def load_vm_module(self, path, device=None):
        """A compiled program of the virtual machine on each worker."""
        return self._make(DModule, "load", str(path), device or ndarray.cpu())

    def init_ccl(self, ccl, *device_ids):
        """Nothing to begin: workers on the CPU exchange their arrays by themselves. A library for GPUs is none of this session's."""
        if ccl != "cpuccl":
            raise ValueError(f"the workers of this session are on the CPU; {ccl} exchanges arrays of GPUs")

    def _collective(self, name, *args):
        self.get_global_func(f"runtime.disco.{name}")(*args)

    def broadcast(self, array, dst=None, in_group=True):
        """An array of this thread on every worker."""
        src = self.copy_to_worker_0(array)
        dst = dst if dst is not None else self.empty(array.shape, array.dtype)
        self.broadcast_from_worker0(src, dst, in_group)
        return dst

    def broadcast_from_worker0(self, src, dst, in_group=True):
        """The first worker's array on every worker."""
        self._collective("broadcast_from_worker0", src, in_group, dst)

    def scatter(self, array, dst=None, in_group=True):
        """A part of an array of this thread for each worker; the parts lie along its first dimension."""
        share = (self.workers[0].mine if in_group else self.workers[0].everyone).size
        if dst is None and array.shape[0] != share:
            raise ValueError(f"an array of {array.shape[0]} rows is not one row for each of {share} workers")
        src = self.copy_to_worker_0(array)
        dst = dst if dst is not None else self.empty(array.shape[1:], array.dtype)
        self.scatter_from_worker0(src, dst, in_group)
        return dst

    def scatter_from_worker0(self, from_array, to_array, in_group=True):
        """A part of the first worker's array for each worker."""
        self._collective("scatter_from_worker0", from_array, in_group, to_array)

    def gather_to_worker0(self, from_array, to_array, in_group=True):
        """The arrays of all, one behind the other, on the first worker."""
        self._collective("gather_to_worker0", from_array, in_group, to_array)

    def allreduce(self, src, dst, op="sum", in_group=True):
        """The sum, product, least, greatest or mean of the arrays of all, on every worker."""
        if op not in REDUCE_OPS:
            raise ValueError(f"workers reduce by {', '.join(REDUCE_OPS)}, not by {op}")
        self._collective("allreduce", src, ShapeTuple([REDUCE_OPS[op]]), in_group, dst)

    def allgather(self, src, dst, in_group=True):
        """The arrays of all, one behind the other, on every worker."""
        self._collective("allgather", src, in_group, dst)

    def shutdown(self):
        """The workers do what they were told, and end."""
        for worker in getattr(self, "workers", ()):
            worker.end()

    __del__ = shutdown


def workers_of(kind, num_workers, num_groups):
    """Workers in groups of one size; kind(i) makes the i-th."""
    if num_workers < 1 or num_groups < 1 or num_workers % num_groups != 0:
        raise ValueError(f"{num_workers} workers are not {num_groups} groups of one size")
    _worker.register()
    size = num_workers // num_groups
    everyone, groups = _worker.Group(num_workers), [_worker.Group(size) for _ in range(num_groups)]
    return [kind(i)(i, num_workers, everyone, groups[i // size], i % size) for i in range(num_workers)]


class ThreadedSession(Session):
    """A session whose workers are threads of this process."""

    def __init__(self, num_workers, num_groups=1):
        super().__init__(workers_of(lambda i: _worker.Worker, num_workers, num_groups))


class ProcessSession(Session):
    """A session whose first worker is a thread of this process; each of the others is a process that runs the module `entrypoint`."""

    def __init__(self, num_workers, num_groups=1, entrypoint="tvm.exec.disco_worker"):
        from . import process

        super().__init__(workers_of(lambda i: process.starter(entrypoint) if i else _worker.Worker, num_workers, num_groups))
