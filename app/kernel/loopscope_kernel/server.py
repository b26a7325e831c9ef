"""What the kernel answers: run, cases, primitive, primitive-check, needs, hello."""
import gc
import importlib.util
import os
import signal
import sys
import time
import traceback
import types

from . import cells, offline, questions, shows
from .wire import Guard, Wire


# What stands in for modules that are missing does not count as being there.
_FALLBACK = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fallback") + os.sep

MOST_SHOWN = 200
MOST_BYTES = 8 << 20


class Server:
    """One connection, one namespace."""

    def __init__(self, sock):
        self.guard = Guard()
        self.wire = Wire(sock, self.guard)
        self.count = 0
        self.module = types.ModuleType("__main__")
        self.module.__builtins__ = __builtins__
        sys.modules["__main__"] = self.module
        self.names = self.module.__dict__
        shows.install(self.show)
        signal.signal(signal.SIGINT, self.guard.signal)
        self.pipe = None
        self.leftover = None

    def show(self, view):
        """Shows a description (see shows.py) below the cell that runs, at this place of its output."""
        self.count += 1
        if self.count > MOST_SHOWN:
            if self.count == MOST_SHOWN + 1:
                print(f"more than {MOST_SHOWN} things are shown; the others are left out", file=sys.stderr)
            return
        if sum(len(x) for x in view.values() if isinstance(x, str)) > MOST_BYTES:
            view = {"kind": "text", "title": view.get("title", ""), "text": "this is too large to be shown"}
        cells.flush()
        self.wire.notify("show", {"number": self.count, "view": view})
        with self.guard:
            os.write(1, b"\x1e%d\x1f" % self.count)

    # ---- requests ----

    def hello(self, _params):
        """Who answers."""
        return {"pid": os.getpid(), "python": sys.version.split()[0], "tvm": self._preload()}

    def _preload(self):
        try:
            import tvm

            shows.adopt_tvm()
            shows.adopt_timing()
            shows.adopt_tuning()
            self._watch_interrupts()
            return getattr(tvm, "__version__", "?")
        except Exception as problem:  # a lesson without tvm still runs
            return f"missing: {problem}"

    def _watch_interrupts(self):
        """Python looks at signals between its own steps only; ours reach compiled code through this pipe."""
        import _loopscope

        if self.pipe is not None:
            return
        self.pipe = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self.pipe[1], False)
        if _loopscope.watch_interrupts(self.pipe[0]):
            signal.set_wakeup_fd(self.pipe[1], warn_on_full_buffer=False)

    def run(self, params):
        """One cell."""
        shows.forget_measured()
        return self._timed(lambda: self._run(params))

    def _run(self, params):
        answer = cells.run(params["code"], params.get("name", "cell"), self.names, None if params.get("quiet") else self.show, params.get("maybe", False), params.get("usual", False))
        if params.get("view") == "chart":
            shows.show_measured(self.show)
        return answer

    def cases(self, params):
        """An exercise: the learner's code, then its hidden cases."""
        return self._timed(lambda: questions.run_cases(params["code"], params["cases"], params.get("name", "exercise"), self.names))

    def primitive(self, params):
        """A question made from a trace."""
        return self._timed(lambda: questions.primitive(self.names, params["schedule"], params.get("step", 0), params.get("round")))

    def primitive_check(self, params):
        """Is the answer right?"""
        return self._timed(lambda: questions.check_primitive(self.names, params["schedule"], params.get("step", 0), params["answer"], params.get("round")))

    def needs(self, params):
        """Which of the modules and data sets are missing, and the packages of Debian that have them."""
        missing = [name for name in params["modules"] if not _there(name)]
        packages = [package for package in map(offline.package_of, missing) if package]
        return {"missing": missing, "packages": packages}

    def _timed(self, work):
        start = time.perf_counter_ns()
        self.count = 0
        signal.signal(signal.SIGINT, self.guard.signal)
        if self.pipe is not None:
            signal.set_wakeup_fd(self.pipe[1], warn_on_full_buffer=False)
        self.guard.pending = False
        self.guard.running = True
        try:
            answer = work()
        except KeyboardInterrupt as interrupt:
            self.leftover = interrupt
            gc.disable()
            answer = {"status": "interrupted"}
        except questions.Unanswerable as problem:
            answer = {"status": "error", "name": "Question", "message": str(problem), "traceback": ""}
        finally:
            self.guard.running = False
        cells.flush()
        answer["ns"] = time.perf_counter_ns() - start
        return answer

    # ---- the loop ----

    def _answer(self, request):
        methods = {"hello": self.hello, "run": self.run, "cases": self.cases, "primitive": self.primitive,
                   "primitive-check": self.primitive_check, "needs": self.needs}
        reply = {"jsonrpc": "2.0", "id": request.get("id")}
        method = methods.get(request.get("method"))
        if method is None:
            reply["error"] = {"code": -32601, "message": f"the kernel has no method {request.get('method')}"}
            return reply
        try:
            reply["result"] = method(request.get("params") or {})
        except Exception:
            reply["error"] = {"code": -32603, "message": traceback.format_exc()}
        return reply

    def serve(self):
        """Answers until the other side goes."""
        while True:
            request = self.wire.read()
            if request is None:
                os._exit(0)
            reply = self._answer(request)
            if request.get("id") is not None:
                self.wire.send(reply)
            self._sweep()

    def _sweep(self):
        """What an interrupted cell had in its hands may be large: it is dropped when the answer is out."""
        self.leftover = None
        gc.enable()


def _there(name):
    folder = offline.data_folder(name)
    if folder is not None:
        return os.path.isdir(folder)
    try:
        spec = importlib.util.find_spec(name)
        return spec is not None and _FALLBACK not in (spec.origin or "")
    except (ImportError, ValueError):
        return False
