"""Measuring on this machine."""
from ..utils import get_global_func_with_default_on_worker
from .config import EvaluatorConfig
from .runner import PyRunner, PyRunnerFuture, RunnerResult
from .utils import alloc_argument_common, run_evaluator_common
from .workers import measure


def default_alloc_argument(device, args_info, alloc_repeat):
    """Lists of arguments."""
    return alloc_argument_common(device, args_info, alloc_repeat)


def default_run_evaluator(rt_mod, device, evaluator_config, repeated_args):
    """Seconds."""
    return run_evaluator_common(rt_mod, device, evaluator_config, repeated_args)


def default_cleanup():
    """Nothing is left."""


class LocalRunnerFuture(PyRunnerFuture):
    """A result that is there."""

    def __init__(self, res=None, error_message=None):
        self.res, self.error_message = res, error_message

    def done(self):
        return True

    def result(self):
        return RunnerResult(self.res, self.error_message)


class LocalRunner(PyRunner):
    """Programs run in processes of their own.

    f_alloc_argument, f_run_evaluator, f_cleanup: functions or names of registered ones; without them programs are measured by workers that
    stay for the whole round, else each in a process that is started for it, after `initializer`.
    """

    def __init__(self, timeout_sec=30.0, evaluator_config=None, cooldown_sec=0.0, alloc_repeat=1, f_alloc_argument=None, f_run_evaluator=None,
                 f_cleanup=None, initializer=None, max_workers=None):
        self.timeout_sec, self.evaluator_config = timeout_sec, EvaluatorConfig._normalized(evaluator_config)
        self.cooldown_sec, self.alloc_repeat, self.max_workers = cooldown_sec, alloc_repeat, max_workers
        self.f_alloc_argument, self.f_run_evaluator, self.f_cleanup, self.initializer = f_alloc_argument, f_run_evaluator, f_cleanup, initializer

    @property
    def _is_plain(self):
        own = (self.f_alloc_argument, self.f_run_evaluator, self.f_cleanup, self.initializer)
        return all(f is None for f in own) and self.alloc_repeat == 1 and not self.evaluator_config.enable_cpu_cache_flush

    def run(self, runner_inputs):
        return self._run_plain(list(runner_inputs)) if self._is_plain else [self._run_one(one) for one in runner_inputs]

    def _run_plain(self, inputs):
        found = [None] * len(inputs)
        jobs = ((i, one.artifact_path, [arg.as_json() for arg in one.args_info]) for i, one in enumerate(inputs))
        for i, seconds, problem in measure(jobs, self.evaluator_config, self.timeout_sec * 2, self.max_workers):
            found[i] = LocalRunnerFuture(seconds, None if problem is None else self._words(problem))
        return found

    def _words(self, problem):
        if problem == "it took too long":
            return f"LocalRunner: Timeout, killed after {self.timeout_sec} seconds\n"
        return f"LocalRunner: An exception occurred\n{problem}"

    def _work(self, one):
        from ... import runtime

        device = runtime.device(one.device_type, 0)
        module = runtime.load_module(one.artifact_path)
        alloc = get_global_func_with_default_on_worker(self.f_alloc_argument, default_alloc_argument)
        evaluate = get_global_func_with_default_on_worker(self.f_run_evaluator, default_run_evaluator)
        clean = get_global_func_with_default_on_worker(self.f_cleanup, default_cleanup)
        try:
            args = alloc(device, [arg.as_json() for arg in one.args_info], self.alloc_repeat)
            return evaluate(module, device, self.evaluator_config, args)
        finally:
            clean()

    def _run_one(self, one):
        from ...contrib.popen_pool import PopenWorker

        worker = PopenWorker(self.initializer)
        try:
            worker.send(self._work, (one,), timeout=self.timeout_sec)
            return LocalRunnerFuture(worker.recv(), None)
        except TimeoutError:
            return LocalRunnerFuture(None, f"LocalRunner: Timeout, killed after {self.timeout_sec} seconds\n")
        except Exception as error:  # noqa: BLE001
            return LocalRunnerFuture(None, "LocalRunner: An exception occurred\n" + str(error))
