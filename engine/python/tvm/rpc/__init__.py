"""The names under which TVM keeps remote devices.  Programs run on this machine, in a LocalSession; a Server is a name
for one within this process."""


class RPCSession:
    """A session on a device."""


class LocalSession(RPCSession):
    """A session on this machine, with a folder of its own for files."""

    def __init__(self):
        import tempfile

        self._folder = tempfile.TemporaryDirectory(prefix="loopscope-session-")

    def _path(self, name):
        import os

        return os.path.join(self._folder.name, os.path.basename(name))

    def upload(self, data, target=None):
        """Copies a file, or bytes, into the session."""
        import shutil

        if isinstance(data, (bytes, bytearray)):
            if not target:
                raise ValueError("bytes need a target name")
            with open(self._path(target), "wb") as file:
                file.write(data)
        else:
            shutil.copyfile(data, self._path(target or data))

    def download(self, path):
        """The bytes of a file of the session."""
        with open(self._path(path), "rb") as file:
            return bytearray(file.read())

    def remove(self, path):
        """Deletes a file of the session."""
        import os

        if path and os.path.exists(self._path(path)):
            os.remove(self._path(path))

    def listdir(self, path=""):
        """The names of its files, with commas between."""
        import os

        return ",".join(sorted(os.listdir(self._folder.name)))

    def load_module(self, path):
        """The module of a file of the session."""
        from ..runtime.module import load_module

        return load_module(self._path(path))

    def get_function(self, name):
        """The registered function of a name."""
        from ..runtime._registry import get_global_func

        found = get_global_func(name, allow_missing=True)
        if found is None:
            raise AttributeError(f"there is no function {name}")
        return found

    def device(self, dev_type, dev_id=0):
        """A device of this machine."""
        from ..runtime.ndarray import device

        return device(dev_type, dev_id)

    def cpu(self, dev_id=0):
        """The processor."""
        return self.device("cpu", dev_id)


def _refuse(*args, **kwargs):
    raise NotImplementedError("remote sessions are not offered: programs run on this machine")


connect_tracker = with_minrpc = _refuse

_SERVERS = {}


class Server:
    """A place on this machine, in this process, that `connect` finds by its port.  It listens to nobody else."""

    def __init__(self, host="0.0.0.0", port=9091, port_end=9199, is_proxy=False, tracker_addr=None, key="", load_library=None, custom_addr=None,
                 silent=False, no_fork=False, server_init_callback=None, reuse_addr=True, timeout=None):
        if is_proxy or tracker_addr is not None:
            _refuse()
        free = next((number for number in range(port, max(port_end, port + 1)) if number not in _SERVERS), None)
        if free is None:
            raise ValueError(f"no port between {port} and {port_end} is free")
        self.host, self.port, self.custom_addr, self.proc = host, free, custom_addr, None
        _SERVERS[free] = self
        if server_init_callback is not None:
            server_init_callback()

    def terminate(self):
        """Nobody finds it any more."""
        if _SERVERS.get(self.port) is self:
            del _SERVERS[self.port]

    def __del__(self):
        try:
            self.terminate()
        except (AttributeError, TypeError):
            pass


def connect(url, port, key="", session_timeout=0, session_constructor_args=None, enable_logging=False):
    """A session with a Server of this process; others are not reached."""
    if url not in ("127.0.0.1", "localhost", "0.0.0.0", "::1") or int(port) not in _SERVERS:
        raise ConnectionRefusedError(f"no server of this process listens on {url}:{port}; other machines are not reached")
    return LocalSession()


class PopenSession(RPCSession):
    """Not offered."""

    def __init__(self, *args, **kwargs):
        _refuse()


class TrackerSession:
    """Not offered."""
