"""Workers that are processes: what is ordered goes to them through a pipe, and what they exchange comes back through it.

In this process a thread stands for each; it is the one that meets the other workers where arrays are exchanged."""
import os
import socket
import subprocess
import sys
from multiprocessing.connection import Connection

from .. import ndarray
from ..container import ShapeTuple, String
from . import worker as _worker


def _pack(value):
    """As what pickle takes: arrays as NumPy's, devices as numbers."""
    if isinstance(value, ndarray.NDArray):
        return ("array", value.numpy())
    if isinstance(value, ndarray.Device):
        return ("device", value.device_type, value.device_id)
    if isinstance(value, (ShapeTuple, String)):
        return (type(value).__name__, list(value) if isinstance(value, ShapeTuple) else str(value))
    if isinstance(value, (list, tuple)):
        return ("list", [_pack(x) for x in value])
    return ("plain", value)


def _unpack(packed):
    kind, *rest = packed
    if kind == "array":
        return ndarray.array(rest[0])
    if kind == "device":
        return ndarray.Device(*rest)
    if kind in ("ShapeTuple", "String"):
        return (ShapeTuple if kind == "ShapeTuple" else String)(rest[0])
    return [_unpack(x) for x in rest[0]] if kind == "list" else rest[0]


class Behind(_worker.Worker):
    """The thread that stands for a worker elsewhere, at the other end of a pipe."""

    def __init__(self, pipe, number, total, everyone, mine, place):
        self._pipe = pipe
        super().__init__(number, total, everyone, mine, place)

    def perform(self, verb, *args):
        """Tells the worker, and serves it until it has done that."""
        try:
            self._pipe.send((verb, _pack(list(args))))
            while True:
                kind, *rest = self._pipe.recv()
                if kind == "exchange":
                    self._pipe.send(self.exchange(*rest))
                elif kind == "failed":
                    raise RuntimeError(f"worker {self.number}: {rest[0]}")
                else:
                    return _unpack(rest[0])
        except (EOFError, OSError):
            raise RuntimeError(f"the process of worker {self.number} has ended") from None

    def run(self):
        """Orders as a thread takes them, then no more of the pipe."""
        super().run()
        self._pipe.close()


class _Remote(Behind):
    """The same of a process that it starts."""

    def __init__(self, entrypoint, number, total, everyone, mine, place):
        mine_end, other_end = socket.socketpair()
        path = os.pathsep.join(p for p in [os.path.dirname(os.path.dirname(sys.modules["tvm"].__file__)), os.environ.get("PYTHONPATH")] if p)
        self._process = subprocess.Popen([sys.executable, "-m", entrypoint, *map(str, (number, total, place, other_end.fileno()))],
                                         pass_fds=[other_end.fileno()], env={**os.environ, "PYTHONPATH": path})
        other_end.close()
        super().__init__(Connection(mine_end.detach()), number, total, everyone, mine, place)

    def run(self):
        """Until the process has ended too."""
        super().run()
        self._process.wait()


def starter(entrypoint):
    """What makes a worker whose process runs that module."""
    return lambda *args: _Remote(entrypoint, *args)


class Inside(_worker.Worker):
    """The worker where it works: it has no queue, its pipe is one."""

    def __init__(self, number, total, place, pipe):
        self.number, self.total, self.place, self._pipe = number, total, place, pipe
        self.registers = {}

    def exchange(self, in_group, value):
        """By way of the thread that stands for it."""
        self._pipe.send(("exchange", in_group, value))
        return self._pipe.recv()

    def serve(self):
        """Does what comes through the pipe, until nothing more can come."""
        _worker._here.worker = self
        while True:
            try:
                verb, args = self._pipe.recv()
            except (EOFError, OSError):
                return
            try:
                answer = ("done", _pack(self.perform(verb, *_unpack(args))))
            except Exception as error:  # noqa: BLE001  (goes to the other process)
                answer = ("failed", f"{type(error).__name__}: {error}")
            self._pipe.send(answer)


def main(argv):
    """number, total, place, the pipe's file descriptor"""
    _worker.register()
    number, total, place, fd = map(int, argv)
    Inside(number, total, place, Connection(fd)).serve()
