"""Temporary folders."""
import contextlib
import os
import shutil
import tempfile


class TempDirectory:
    """A folder that goes when the object does, unless it is kept for looking at."""

    _KEEP = False

    def __init__(self, custom_path=None, keep_for_debug=None):
        self.temp_dir = custom_path or tempfile.mkdtemp(prefix="loopscope-")
        self._kept = self._KEEP if keep_for_debug is None else keep_for_debug
        os.makedirs(self.temp_dir, exist_ok=True)

    @classmethod
    @contextlib.contextmanager
    def set_keep_for_debug(cls, set_to=True):
        """Folders that are made inside stay."""
        before, TempDirectory._KEEP = TempDirectory._KEEP, set_to
        try:
            yield
        finally:
            TempDirectory._KEEP = before

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.remove()

    def remove(self):
        """Removes the folder."""
        if self.temp_dir and not self._kept:
            shutil.rmtree(self.temp_dir, ignore_errors=True)
            self.temp_dir = None

    def __del__(self):
        try:
            self.remove()
        except (ImportError, TypeError, AttributeError):
            pass

    @property
    def path(self):
        """The folder."""
        return self.temp_dir

    def relpath(self, name):
        """A path in it."""
        return os.path.join(self.temp_dir, name)

    def listdir(self):
        """What is in it."""
        return os.listdir(self.temp_dir)


def tempdir(custom_path=None, keep_for_debug=None):
    """A temporary folder."""
    return TempDirectory(custom_path, keep_for_debug)
