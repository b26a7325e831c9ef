"""Programs are built and measured in processes of their own.

A worker reads one request a line and answers each with one line (_worker.py).  Workers build at the same time; a lock lets one of
them measure at a time, so that times are not disturbed by the others' measurements.  A worker that crashes or takes too long is
ended and replaced; its program has no time.
"""
import json
import os
import selectors
import subprocess
import sys
import tempfile
import time


class EvaluatorConfig:
    """How often a program runs: `number` calls, averaged, `repeat` times, each at least `min_repeat_ms` long."""

    def __init__(self, number=3, repeat=1, min_repeat_ms=100, enable_cpu_cache_flush=False):
        self.number, self.repeat, self.min_repeat_ms, self.enable_cpu_cache_flush = number, repeat, min_repeat_ms, enable_cpu_cache_flush


class _Worker:
    def __init__(self, lock):
        package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        env = dict(os.environ)
        env["PYTHONPATH"] = package + (os.pathsep + env["PYTHONPATH"] if env.get("PYTHONPATH") else "")
        self._process = subprocess.Popen([sys.executable, "-m", "tvm.meta_schedule._worker", lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL, env=env, start_new_session=True)
        self.job = None
        self.deadline = None
        self.pending = b""

    @property
    def stream(self):
        return self._process.stdout

    def send(self, job, request, timeout):
        self.job = job
        self.deadline = time.monotonic() + timeout
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
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        self._process.wait()


class Runner:
    """By name: "local"."""

    def __init__(self, timeout_sec=30.0, evaluator_config=None, max_workers=None):
        self.timeout_sec = timeout_sec
        self.evaluator_config = evaluator_config or EvaluatorConfig()
        self.max_workers = max_workers

    @staticmethod
    def create(kind="local", *args, max_workers=None, **kwargs):
        """A runner."""
        if isinstance(kind, Runner):
            return kind
        if kind != "local":
            raise ValueError(f"Unknown Runner: {kind}")
        return LocalRunner(*args, max_workers=max_workers, **kwargs)

    def measure(self, candidates, target):
        """Yields (key, seconds, problem) for (key, text of the module, arguments), as the measurements come in.  `candidates` is
        asked for the next one when a worker is free."""
        config = self.evaluator_config
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
                    key, text, args = next(source)
                except StopIteration:
                    return False
                worker.send(key, {"mod": text, "args": args, "target": target, "number": config.number, "repeat": config.repeat,
                                  "min_repeat_ms": config.min_repeat_ms}, self.timeout_sec * 2)
                return True

            try:
                for _ in range(max(1, self.max_workers or min(os.cpu_count() or 1, 4))):
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


class LocalRunner(Runner):
    """On this machine."""


class RunnerInput:
    """What is measured."""

    def __init__(self, artifact_path, device_type, args_info):
        self.artifact_path, self.device_type, self.args_info = artifact_path, device_type, args_info


class RunnerResult:
    """Seconds of each run, or why there are none."""

    def __init__(self, run_secs=None, error_msg=None):
        self.run_secs, self.error_msg = run_secs, error_msg


class RunnerFuture:
    """A result that may not be there yet."""

    def __init__(self, f_done=None, f_result=None):
        self._done, self._result = f_done, f_result

    def done(self):
        """Is it there?"""
        return self._done() if self._done is not None else True

    def result(self):
        """The result; waits for it."""
        return self._result()


class PyRunnerFuture(RunnerFuture):
    """A base for results written in Python."""


class PyRunner(Runner):
    """A base for runners written in Python."""


class RPCConfig:
    """Not offered: programs run on this machine."""

    def __init__(self, **options):
        self.__dict__.update(options)


class RPCRunner(Runner):
    """Not offered: programs run on this machine."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("remote devices are not offered: programs run on this machine")



create = Runner.create
