"""Temporary folders."""
import os
import shutil
import tempfile


class TempDirectory:
    """A folder that goes when the object does."""

    def __init__(self, custom_path=None, keep_for_debug=None):
        self.temp_dir = custom_path or tempfile.mkdtemp(prefix="loopscope-")
        os.makedirs(self.temp_dir, exist_ok=True)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.remove()

    def remove(self):
        """Removes the folder."""
        if self.temp_dir:
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
