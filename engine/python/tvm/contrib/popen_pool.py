"""Functions that run in processes of their own."""
import concurrent.futures
import enum


class StatusKind(enum.IntEnum):
    """How a task ended."""

    RUNNING = 0
    COMPLETE = 1
    EXCEPTION = 2
    TIMEOUT = 3


class MapResult:
    """How one task ended, and what it gave."""

    def __init__(self, status, value):
        self.status, self.value = status, value


def _child(connection, initializer, initargs, fn, args, kwargs):
    try:
        if initializer is not None:
            initializer(*initargs)
        connection.send((True, fn(*args, **kwargs)))
    except SystemExit:
        raise               # the process ends without an answer, as one that is killed
    except BaseException as error:  # noqa: B902
        try:
            connection.send((False, error))
        except Exception:  # noqa: BLE001
            connection.send((False, RuntimeError(str(error))))
    connection.close()


class PopenWorker:
    """One process at a time."""

    def __init__(self, initializer=None, initargs=(), maximum_uses=None, stdout=None, stderr=None):
        self._initializer, self._initargs = initializer, initargs
        self._process = self._connection = None
        self._timeout = None

    def send(self, fn, args=(), kwargs=None, timeout=None):
        """Starts a call."""
        import multiprocessing

        context = multiprocessing.get_context("fork")
        self._connection, other = context.Pipe(False)
        self._timeout = timeout
        self._process = context.Process(target=_child, args=(other, self._initializer, self._initargs, fn, tuple(args), kwargs or {}), daemon=True)
        self._process.start()
        other.close()

    def recv(self):
        """What it gave; raises what it raised, TimeoutError, ChildProcessError."""
        try:
            if not self._connection.poll(self._timeout):
                raise TimeoutError()
            good, value = self._connection.recv()
        except EOFError:
            raise ChildProcessError("Subprocess terminated") from None
        finally:
            self.kill()
        if good:
            return value
        raise value

    def kill(self):
        """Ends the process."""
        if self._process is not None:
            if self._process.is_alive():
                self._process.kill()
            self._process.join()
            self._process = None
        if self._connection is not None:
            self._connection.close()

    def is_alive(self):
        """Does it run?"""
        return self._process is not None and self._process.is_alive()

    def join(self, timeout=None):
        """Waits for it."""
        if self._process is not None:
            self._process.join(timeout)


class PopenPoolExecutor:
    """Calls in several processes."""

    def __init__(self, max_workers=None, timeout=None, initializer=None, initargs=(), maximum_process_uses=None, stdout=None, stderr=None):
        import os

        self._threads = concurrent.futures.ThreadPoolExecutor(max_workers or os.cpu_count())
        self._timeout, self._initializer, self._initargs = timeout, initializer, initargs

    def _run(self, fn, args, kwargs):
        worker = PopenWorker(self._initializer, self._initargs)
        worker.send(fn, args, kwargs, self._timeout)
        return worker.recv()

    def submit(self, fn, *args, **kwargs):
        """Starts a call; its future."""
        return self._threads.submit(self._run, fn, args, kwargs)

    def map_with_error_catching(self, fn, iterator):
        """Calls fn for each; how each ended."""
        futures = [self.submit(fn, x) for x in iterator]
        try:
            for future in futures:
                yield self._result(future)
        finally:
            for future in futures:
                future.cancel()

    @staticmethod
    def _result(future):
        try:
            return MapResult(StatusKind.COMPLETE, future.result())
        except TimeoutError as error:
            return MapResult(StatusKind.TIMEOUT, error)
        except Exception as error:  # noqa: BLE001
            return MapResult(StatusKind.EXCEPTION, error)
