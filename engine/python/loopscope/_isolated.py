"""run_isolated: a call in a process of its own, in a jail, within limits; what goes wrong there is an exception here."""
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time

from . import _jail, _ship, _wire


class IsolatedError(RuntimeError):
    """A call in isolation did not end well."""


class Crash(IsolatedError):
    """A signal ended it; `signal` is its name, such as "SIGSEGV"; None when it ended by itself, with `status`."""

    def __init__(self, message, name=None, status=None):
        super().__init__(message)
        self.signal, self.status = name, status


class TimedOut(IsolatedError, TimeoutError):
    """It took longer than it may, and was ended with all that it had started."""


class OutOfMemory(IsolatedError, MemoryError):
    """It wanted more memory than it may have."""


class Raised(IsolatedError):
    """The function raised an exception: its `name`, the names of its `kinds`, `message` and `traceback` as texts."""

    def __init__(self, name, kinds, message, traceback):
        super().__init__(f"{name}: {message}")
        self.name, self.kinds, self.message, self.traceback = name, kinds, message, traceback


class NoJail(IsolatedError):
    """This machine refuses a jail; jail=False calls it in a process of its own without one."""


def _is_built(function):
    return type(function).__module__.split(".")[0] == "tvm" and hasattr(function, "export_library")


def _command(read, write, memory, network, jail, out):
    own = [sys.executable, "-s", "-m", "loopscope._child", str(out), str(memory)]
    if not jail or _jail.is_inside():
        return own
    line = _jail.command(read=list(read) + _jail.python_places(), write=write, memory=memory, network=network)
    if line is None:
        raise NoJail("there is no jail here: loopscope-jail is not beside Loopscope's Python module; jail=False calls without one")
    return line + own


def _feed(pipe, data):
    try:
        pipe.write(data)
        pipe.close()
    except OSError:
        pass


def _end(process):
    """Ends it with all that it started: the jail does that itself; without one it is the group of processes."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass
    process.kill()


def _read(process, fd, timeout, most):
    """All that comes until the other side closes; None when that takes too long."""
    parts, size, until = [], 0, time.monotonic() + timeout if timeout else None
    with selectors.DefaultSelector() as selector:
        selector.register(fd, selectors.EVENT_READ)
        while True:
            wait = None if until is None else max(0.0, until - time.monotonic())
            if not selector.select(wait):
                return None
            data = os.read(fd, 1 << 20)
            if not data:
                return b"".join(parts)
            parts.append(data)
            size += len(data)
            if size > most:
                _end(process)
                raise OutOfMemory(f"the answer is larger than {most} bytes")


def _judge(process, data, until, timeout):
    """The answer, or why there is none."""
    late = TimedOut(f"the call did not end within {timeout:g} s and was ended") if timeout else None
    if data is None:
        raise late
    try:
        status = process.wait(None if until is None else max(0.2, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise late from None
    if status < 0:
        name = signal.Signals(-status).name
        raise Crash(f"the call was ended by {name} ({signal.strsignal(-status)})", name)
    if status == 125 and not data:
        raise NoJail("this machine refuses a jail (loopscope-cli jail says why); jail=False calls without one")
    if not data:
        raise Crash(f"the process of the call ended by itself with status {status}", None, status)
    try:
        answer = _wire.unpack(data)
        if not isinstance(answer, dict):
            raise ValueError("no answer")
    except ValueError as problem:
        raise Crash(str(problem), None, status) from None
    return answer


def _write_back(args, arrays):
    """What the function wrote into the arrays that it was given."""
    for place, value in arrays.items():
        target = args[place] if isinstance(place, int) and 0 <= place < len(args) else None
        found = _wire._array(target)
        if found is None or _wire._array(value) is None:
            continue
        kind, array = found[0], _wire._array(value)[1]
        if array.shape != found[1].shape or array.dtype != found[1].dtype:
            continue
        if kind == "tvm":
            target.copyfrom(array)
        elif kind == "torch":
            import torch

            target.detach().copy_(torch.from_numpy(array))
        elif getattr(target, "flags", None) is not None and target.flags.writeable and target.ndim + target.size:
            target[...] = array


def run_isolated(function, *args, timeout=60.0, memory=4 << 30, entry=None, jail=True, read=(), write=(), network=False, **kwargs):
    """Calls `function(*args, **kwargs)` in a process of its own and returns what it returns.

    function   any function of Python, or what tvm.build made (then `entry` names its function; its main one without)
    timeout    seconds until it is ended (TimedOut), None = any
    memory     bytes that it may take (OutOfMemory)
    jail       False: a process of its own, without a jail; else NoJail where this machine refuses one
    read       folders and files that it may read beside the system, Python and what is on sys.path
    write      and those that it may write; its home and /tmp are empty and gone afterwards
    network    True leaves the network open

    Arrays (numpy, NDArray, torch) are copied in; those given as `args` are written back, so that functions with output arguments work.  What comes out are None,
    numbers, strings, bytes, lists, tuples, sets, dicts and arrays: nothing is unpickled.  A crash is an exception (Crash) that names the
    signal; what the function raises comes as Raised.  What it prints goes where this process prints.
    """
    memory = int(memory or 0)
    with tempfile.TemporaryDirectory(prefix="loopscope-isolated-") as folder:
        if _is_built(function):
            path = os.path.join(folder, "built")
            getattr(function, "save_program", function.export_library)(path)
            read, function = [*read, path], ("built", path, entry)
        request = _ship.pack(function, args, kwargs)
        ours, theirs = os.pipe()
        try:
            line = _command(read, write, memory, network, jail, theirs)
            env = dict(os.environ, PYTHONPATH=os.pathsep.join([path or os.getcwd() for path in sys.path if path is not None]))
            process = subprocess.Popen(line, stdin=subprocess.PIPE, pass_fds=[theirs], env=env, start_new_session=True)
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        threading.Thread(target=_feed, args=(process.stdin, request), daemon=True).start()
        until = time.monotonic() + timeout if timeout else None
        try:
            answer = _judge(process, _read(process, ours, timeout, 2 * memory + (64 << 20) if memory else sys.maxsize), until, timeout)
        finally:
            os.close(ours)
            _end(process)
            process.wait()
    if answer.get("memory"):
        raise OutOfMemory(f"the call wanted more than {memory} bytes")
    if "name" in answer:
        raise Raised(str(answer["name"]), list(answer.get("kinds") or []), str(answer.get("message")), str(answer.get("traceback")))
    _write_back(args, answer.get("arrays") or {})
    return answer.get("result")
