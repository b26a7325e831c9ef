"""A tracker that stands for this machine."""
from ..runner import rpc_runner


class LocalRPC:
    """While it is entered, RPCRunner runs programs on this machine."""

    _next = 9190

    def __init__(self, tracker_key="key", silent=False, no_fork=False):
        self.tracker_host, self.tracker_port, self.tracker_key = "127.0.0.1", LocalRPC._next, tracker_key
        LocalRPC._next += 1

    def _name(self):
        return self.tracker_host, self.tracker_port, self.tracker_key

    def __enter__(self):
        rpc_runner._TRACKERS.add(self._name())
        return self

    def __exit__(self, *unused):
        rpc_runner._TRACKERS.discard(self._name())
