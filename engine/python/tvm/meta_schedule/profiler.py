"""Where the time of a search goes."""
import contextlib
import time


class Profiler:
    """Sums the time of named parts while it is entered."""

    _current = []

    def __init__(self):
        self._parts = {}
        self._start = None

    def get(self):
        """Seconds by name."""
        return dict(self._parts)

    def table(self):
        """The same as text."""
        return "\n".join(f"{name:30} {seconds:10.3f} s" for name, seconds in self._parts.items())

    def __enter__(self):
        self._start = time.perf_counter()
        Profiler._current.append(self)
        return self

    def __exit__(self, *unused):
        Profiler._current.pop()
        self._parts["Total"] = time.perf_counter() - self._start

    @staticmethod
    def current():
        """The one that is entered, or None."""
        return Profiler._current[-1] if Profiler._current else None

    @staticmethod
    @contextlib.contextmanager
    def timeit(name):
        """Adds the time of a block to a part."""
        start = time.perf_counter()
        try:
            yield
        finally:
            now = Profiler.current()
            if now is not None:
                now._parts[name] = now._parts.get(name, 0.0) + time.perf_counter() - start
