"""The names under which TVM keeps remote devices.  Programs run on this machine, in a LocalSession; there are no servers."""


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
