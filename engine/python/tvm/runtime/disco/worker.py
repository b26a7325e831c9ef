"""A worker of a session: a thread that does what it is told, in order, and what the workers do together."""
import importlib
import queue
import threading

import numpy as np

from .. import ndarray

_here = threading.local()


class Group:
    """Workers that exchange arrays: each brings one, all see what all brought."""

    def __init__(self, size):
        self.size = size
        self._barrier = threading.Barrier(size)
        self._brought = [None] * size

    def exchange(self, place, value):
        """What each of them brought, once all have."""
        self._brought[place] = value
        self._barrier.wait()
        everything = list(self._brought)
        self._barrier.wait()
        return everything

    def leave(self):
        """Nobody waits any longer."""
        self._barrier.abort()


class Worker(threading.Thread):
    """One of the threads. `registers` are its values, by the number that the session gave each."""

    def __init__(self, number, total, everyone, mine, place):
        super().__init__(name=f"disco worker {number}", daemon=True)
        self.number, self.total = number, total
        self.everyone, self.mine, self.place = everyone, mine, place
        self.registers = {}
        self._orders = queue.Queue()
        self._failure = None
        self.start()

    def perform(self, verb, *args):
        """Does one thing: here, by this thread itself."""
        return _VERBS[verb](self, *args)

    def run(self):
        """Order after order, until one is None."""
        _here.worker = self
        for order in iter(self._orders.get, None):
            words, answer = order
            try:
                found = (self.perform(*words), None)
            except BaseException as error:  # noqa: BLE001  (told to who asks next)
                found = (None, error)
                if answer is None:
                    self._failure = self._failure or error
                    self.everyone.leave()
                    self.mine.leave()
            if answer is not None:
                answer.put(found)
            order = words = found = None        # what is waited for next keeps no value alive

    def order(self, *words):
        """A verb and its arguments: done after what was ordered before."""
        self._orders.put((words, None))

    def ask(self, *words):
        """What it gives, after what was ordered before; the first thing that failed there is raised here."""
        answer = queue.Queue()
        self._orders.put((words, answer))
        value, error = answer.get()
        if self._failure is not None:
            raise self._failure
        if error is not None:
            raise error
        return value

    def end(self):
        """No more orders."""
        self._orders.put(None)

    def exchange(self, in_group, value):
        """What each worker of the group, or each of all, brought, and which of them this one is."""
        group, place = (self.mine, self.place) if in_group else (self.everyone, self.number)
        return group.exchange(place, value), place


# ---- what a worker is told ----

def _global(worker, to, name):
    from ..._ffi import get_global_func

    worker.registers[to] = get_global_func(name)


def _call(worker, to, func, args):
    """`args`: pairs of a value and False, or of a register's number and True."""
    worker.registers[to] = worker.registers[func](*(worker.registers[x] if held else x for x, held in args))


def _empty(worker, to, shape, dtype, device, only, in_group):
    first = (worker.place if in_group else worker.number) == 0
    worker.registers[to] = ndarray.empty(shape, dtype, device) if first or not only else None


def _load(worker, to, path, device):
    from ...relax import VirtualMachine
    from ..module import load_module

    worker.registers[to] = VirtualMachine(load_module(path), device)


def _item(worker, to, module, name):
    worker.registers[to] = worker.registers[module][name]


def _drop(worker, number):
    worker.registers.pop(number, None)


def _get(worker, number):
    return worker.registers.get(number)


def _fill(worker, number, array):
    worker.registers[number].copyfrom(array)


def _read(worker, number, array):
    """Only of a thread: the array is one of this process."""
    worker.registers[number].copyto(array)


def _import(worker, name):
    importlib.import_module(name)


def _nothing(worker):
    pass


_VERBS = {"global": _global, "call": _call, "empty": _empty, "load": _load, "item": _item, "drop": _drop, "get": _get, "fill": _fill, "read": _read,
          "import": _import, "nothing": _nothing}


def current():
    """The worker that this thread is."""
    worker = getattr(_here, "worker", None)
    if worker is None:
        raise RuntimeError("this is done by the workers of a tvm.runtime.disco session, which this thread is none of")
    return worker


# ---- what workers do together ----

_SUMS = [np.add, np.multiply, np.minimum, np.maximum, np.add]


def _together(array, in_group):
    return current().exchange(in_group, None if array is None else array.numpy())


def _put(value, to):
    to.copyfrom(np.ascontiguousarray(value).reshape(to.shape).astype(to.dtype, copy=False))


def allreduce(array, kind, in_group, to):
    """The sum, product, least, greatest or mean (kind 0 to 4) of what each brought."""
    arrays, _ = _together(array, in_group)
    kind = int(kind[0])
    value = _SUMS[kind].reduce(arrays)
    _put(value / len(arrays) if kind == 4 else value, to)


def allgather(array, in_group, to):
    """What each brought, one behind the other."""
    arrays, _ = _together(array, in_group)
    _put(np.concatenate([a.reshape(-1) for a in arrays]), to)


def broadcast_from_worker0(array, in_group, to):
    """What the first has."""
    arrays, _ = _together(array, in_group)
    _put(arrays[0], to)


def scatter_from_worker0(array, in_group, to):
    """A part for each of what the first has."""
    arrays, place = _together(array, in_group)
    parts = arrays[0].reshape(len(arrays), -1)
    _put(parts[place], to)


def gather_to_worker0(array, in_group, to):
    """What each brought, where the first one is."""
    arrays, place = _together(array, in_group)
    if place == 0:
        _put(np.concatenate([a.reshape(-1) for a in arrays]), to)


def register():
    """Under the names that programs with R.ccl call."""
    from .. import ShapeTuple, cpu
    from ..._ffi import register_func

    for func in (allreduce, allgather, broadcast_from_worker0, scatter_from_worker0, gather_to_worker0):
        register_func(f"runtime.disco.{func.__name__}", func, override=True)
    register_func("runtime.disco.worker_id", lambda: ShapeTuple([current().number]), override=True)
    register_func("runtime.disco.worker_rank", lambda: current().number, override=True)
    register_func("runtime.disco.device", cpu, override=True)
