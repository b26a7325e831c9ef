"""The names under which TVM keeps remote devices.  Programs run on this machine; there are no servers."""


class RPCSession:
    """Not offered."""


class LocalSession(RPCSession):
    """Not offered."""

    def __init__(self):
        raise NotImplementedError("remote sessions are not offered: programs run on this machine")


def _refuse(*args, **kwargs):
    raise NotImplementedError("remote sessions are not offered: programs run on this machine")


connect = connect_tracker = with_minrpc = _refuse


class Server:
    """Not offered."""

    def __init__(self, *args, **kwargs):
        _refuse()


class PopenSession(RPCSession):
    """Not offered."""

    def __init__(self, *args, **kwargs):
        _refuse()


class TrackerSession:
    """Not offered."""
