"""The interface of a runner."""
from ..utils import Named, missing, run_secs


class RunnerInput(Named):
    """What is measured."""

    def __init__(self, artifact_path, device_type, args_info):
        self.artifact_path, self.device_type, self.args_info = artifact_path, device_type, args_info


class RunnerResult(Named):
    """Seconds of each run, or why there are none."""

    def __init__(self, run_secs=None, error_msg=None):  # noqa: F811
        self.run_secs, self.error_msg = _seconds(run_secs), error_msg


_seconds = run_secs


class RunnerFuture(Named):
    """A result that may not be there yet."""

    def __init__(self, f_done=None, f_result=None):
        self._done, self._result = f_done, f_result

    def done(self):
        """Is it there?"""
        return self._done()

    def result(self):
        """The result; waits for it."""
        return self._result()


class PyRunnerFuture(RunnerFuture):
    """A base for results written in Python."""

    done = missing("done")
    result = missing("result")


class Runner(Named):
    """By name: "local", "rpc"."""

    def run(self, runner_inputs):
        """A RunnerFuture for each RunnerInput."""
        raise NotImplementedError

    @staticmethod
    def create(kind="local", *args, max_workers=None, **kwargs):
        """A runner."""
        from .local_runner import LocalRunner
        from .rpc_runner import RPCRunner

        if isinstance(kind, Runner):
            return kind
        kinds = {"local": LocalRunner, "rpc": RPCRunner}
        if kind not in kinds:
            raise ValueError(f"there is no runner {kind}; there are {', '.join(kinds)}")
        return kinds[kind](*args, max_workers=max_workers, **kwargs)


class PyRunner(Runner):
    """A base for runners written in Python."""

    run = missing("run")
