"""Programs are measured in processes of their own, each in a jail where the machine allows one (the module loopscope).

A worker reads one request a line and answers each with one line (_worker.py).  Workers load programs at the same time; a lock lets one of
them measure at a time, so that times are not disturbed by the others' measurements.  A worker that crashes or takes too long is
ended and replaced; its program has no time.
"""
import json
import os
import selectors
import shutil
import subprocess
import sys
import tempfile
import threading
import time


def _jail(read):
    """What stands before the command line of a worker; nothing where there is no jail."""
    try:
        from loopscope import _jail as jail
    except ImportError:
        return []
    if jail.is_inside() or os.environ.get("LS_JAIL") == "off":
        return []
    return jail.command(read=read + jail.python_places(), optional=True, group=False) or []


class _Worker:
    def __init__(self, lock):
        package = os.path.abspath(__file__)
        for _ in range(4):
            package = os.path.dirname(package)
        env = dict(os.environ)
        env["PYTHONPATH"] = package + (os.pathsep + env["PYTHONPATH"] if env.get("PYTHONPATH") else "")
        self._folder = tempfile.TemporaryDirectory(prefix="loopscope-tune-")
        line = _jail([self._folder.name, lock, package]) + [sys.executable, "-m", "tvm.meta_schedule.runner._worker", lock]
        self._process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env, start_new_session=True)
        self.job = None
        self.deadline = None
        self.pending = b""

    @property
    def stream(self):
        return self._process.stdout

    def send(self, job, request, timeout):
        self.job = job
        self.deadline = time.monotonic() + timeout
        if os.path.isfile(request["path"]):
            request["path"] = shutil.copy(request["path"], self._folder.name)
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()

    def receive(self):
        """An answer, None when there is none yet; EOFError when the process has ended."""
        data = os.read(self.stream.fileno(), 65536)
        if not data:
            raise EOFError
        self.pending += data
        if b"\n" not in self.pending:
            return None
        line, self.pending = self.pending.split(b"\n", 1)
        return json.loads(line)

    def why_ended(self):
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            code = None
        return f"it was ended by signal {-code}" if code is not None and code < 0 else f"its process ended with status {code}"

    def stop(self):
        """Ends it without waiting for its end: it may have much memory to give back."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        threading.Thread(target=self._process.wait, daemon=True).start()
        self._folder.cleanup()


def measure(candidates, config, timeout_sec, max_workers=None):
    """Yields (key, seconds, problem) for (key, path of what was built, arguments), as the measurements come in.  `candidates` is
    asked for the next one when a worker is free."""
    workers, selector = [], selectors.DefaultSelector()
    source = iter(candidates)
    with tempfile.NamedTemporaryFile(prefix="loopscope-tune-") as lock:

        def start():
            worker = _Worker(lock.name)
            workers.append(worker)
            selector.register(worker.stream, selectors.EVENT_READ, worker)
            return worker

        def drop(worker):
            selector.unregister(worker.stream)
            workers.remove(worker)
            worker.stop()

        def feed(worker):
            try:
                key, path, args = next(source)
            except StopIteration:
                return False
            worker.send(key, {"path": path, "args": args, "number": config.number, "repeat": config.repeat,
                              "min_repeat_ms": config.min_repeat_ms}, timeout_sec)
            return True

        try:
            for _ in range(max(1, max_workers or min(os.cpu_count() or 1, 4))):
                worker = start()
                if not feed(worker):
                    drop(worker)
                    break
            while workers:
                wait = max(0.0, min(worker.deadline for worker in workers) - time.monotonic())
                ready = [event.data for event, _ in selector.select(wait)]
                now = time.monotonic()
                late = [worker for worker in workers if worker not in ready and worker.deadline < now]
                for worker in ready + late:
                    problem, answer = None, None
                    try:
                        answer = worker.receive() if worker in ready else {"error": "it took too long"}
                    except EOFError:
                        problem = worker.why_ended()
                    if answer is None and problem is None:
                        continue
                    key = worker.job
                    if problem is not None or worker in late:
                        drop(worker)
                        worker = start()
                    yield (key, (answer or {}).get("seconds"), problem or answer.get("error"))
                    if not feed(worker):
                        drop(worker)
        finally:
            for worker in list(workers):
                drop(worker)
