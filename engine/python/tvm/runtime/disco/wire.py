"""Sessions over a network: workers on other nodes, each at one end of a connection.

What goes through a connection is JSON behind its length, arrays as their bytes in base64: nothing that another program sends is run.

    a node says     {"disco": 1, "workers": how many it has}, once for each of its workers
    it is told      {"number", "total", "place"} of that worker
    then            orders, answers and exchanges, as for workers that are processes (process.py)
"""
import base64
import json
import socket
import struct
import threading

import numpy as np

from . import process as _process
from . import session as _session
from . import worker as _worker

_LARGEST = 1 << 34      # bytes of one message


def _plain(value):
    if isinstance(value, np.ndarray):
        return {"array": base64.b64encode(np.ascontiguousarray(value).tobytes()).decode(), "dtype": str(value.dtype), "shape": list(value.shape)}
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} does not go to another node")


def _array(found):
    if set(found) != {"array", "dtype", "shape"}:
        return found
    return np.frombuffer(base64.b64decode(found["array"]), found["dtype"]).reshape(found["shape"]).copy()


class Wire:
    """One end of a connection; like one of multiprocessing's, but for JSON."""

    def __init__(self, sock):
        self._sock = sock

    def send(self, value):
        """All of a value."""
        text = json.dumps(value, default=_plain).encode()
        self._sock.sendall(struct.pack("<Q", len(text)) + text)

    def _bytes(self, n):
        parts = []
        while n > 0:
            part = self._sock.recv(min(n, 1 << 20))
            if not part:
                raise EOFError("the other end has closed the connection")
            parts.append(part)
            n -= len(part)
        return b"".join(parts)

    def recv(self):
        """The next value; EOFError where there is none any more."""
        size, = struct.unpack("<Q", self._bytes(8))
        if size > _LARGEST:
            raise EOFError(f"a message of {size} bytes is none of this protocol's")
        try:
            return json.loads(self._bytes(size), object_hook=_array)
        except (ValueError, TypeError):
            raise EOFError("a message is not as this protocol writes it") from None

    def close(self):
        """No more of it."""
        try:
            self._sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._sock.close()


def _greeted(wire):
    """Is a node of this protocol at the other end, and with how many workers?"""
    try:
        said = wire.recv()
    except (EOFError, OSError):
        return 0
    return said.get("workers", 0) if isinstance(said, dict) and said.get("disco") == 1 else 0


def _accept(listener, nodes, per_node):
    """A connection for each worker of the other nodes; what else connects is sent away."""
    wires = []
    while len(wires) < nodes * per_node:
        sock, where = listener.accept()
        wire = Wire(sock)
        workers = _greeted(wire)
        if workers == per_node:
            wires.append(wire)
            continue
        wire.close()
        if workers:
            for other in wires:
                other.close()
            raise ValueError(f"the node at {where[0]} has {workers} workers; each node of this session has {per_node}")
    return wires


class _Far(_process.Behind):
    """The thread that stands for a worker of another node."""

    def __init__(self, wire, number, total, everyone, mine, place):
        wire.send({"number": number, "total": total, "place": place})
        super().__init__(wire, number, total, everyone, mine, place)


class SocketSession(_session.Session):
    """A session over nodes: this process with its threads is the first, the others run `python3 -m tvm.exec.disco_remote_socket_session HOST PORT
    WORKERS`. It begins when all of them have come."""

    def __init__(self, num_nodes, num_workers_per_node, num_groups, host, port):
        if num_nodes < 1 or num_workers_per_node < 1:
            raise ValueError(f"{num_nodes} nodes of {num_workers_per_node} workers are no session")
        with socket.create_server((host, int(port)), backlog=num_nodes * num_workers_per_node) as listener:
            wires = iter(_accept(listener, num_nodes - 1, num_workers_per_node))
        super().__init__(_session.workers_of(lambda i: _worker.Worker if i < num_workers_per_node else lambda *where: _Far(next(wires), *where),
                                             num_nodes * num_workers_per_node, num_groups))


def _serve(wire):
    try:
        where = wire.recv()
        _process.Inside(where["number"], where["total"], where["place"], wire).serve()
    except (EOFError, OSError):
        pass
    finally:
        wire.close()


def serve_node(host, port, workers):
    """The workers of a node, threads of this process, until the session ends."""
    if workers < 1:
        raise ValueError(f"a node has at least one worker, not {workers}")
    _worker.register()
    threads = []
    for _ in range(workers):
        wire = Wire(socket.create_connection((host, port)))
        wire.send({"disco": 1, "workers": workers})
        threads.append(threading.Thread(target=_serve, args=(wire,)))
        threads[-1].start()
    for thread in threads:
        thread.join()
