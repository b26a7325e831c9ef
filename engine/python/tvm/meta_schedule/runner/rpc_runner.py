"""Measuring through a tracker, or on a fleet.

A tracker_host "redis://[USER:PASSWORD@]HOST" or "unix:///PATH" is a queue for whose machines run `loopscope-measure --queue`: they measure, those of the kind
tracker_key ("": of which there are most).  A tracker that meta_schedule.testing.local_rpc started stands for this machine: programs run here, in a process
each.  TVM's own trackers are not asked: their protocol hands out sessions that run what they are sent.
"""
from ..utils import get_global_func_with_default_on_worker
from . import _fleet
from .config import EvaluatorConfig, RPCConfig
from .runner import PyRunner, PyRunnerFuture, RunnerResult
from .utils import T_ARG_INFO_JSON_OBJ_LIST, T_ARGUMENT_LIST, alloc_argument_common, run_evaluator_common

_TRACKERS = set()       # (host, port, key) of this process


def _elsewhere(rpc_config):
    return (f"the tracker {rpc_config.tracker_host}:{rpc_config.tracker_port} is not of this machine, and TVM's own trackers are not asked; to measure on other "
            "machines start a redis-server, run `loopscope-measure --queue redis://HOST` on each of them, and give RPCConfig(tracker_host=\"redis://HOST\", "
            "tracker_key=KIND) or TVM_TRACKER_HOST=redis://HOST")


def default_create_session(rpc_config):
    """A session on this machine."""
    from ...rpc import LocalSession

    if (rpc_config.tracker_host, rpc_config.tracker_port, rpc_config.tracker_key) not in _TRACKERS:
        raise NotImplementedError(_elsewhere(rpc_config))
    return LocalSession()


def default_upload_module(session, local_path, remote_path):
    """The module of a file, in the session."""
    session.upload(local_path, remote_path)
    return session.load_module(remote_path)


def default_alloc_argument(session, device, args_info, alloc_repeat):
    """Lists of arguments."""
    return alloc_argument_common(device, args_info, alloc_repeat)


def default_run_evaluator(session, rt_mod, device, evaluator_config, repeated_args):
    """Seconds."""
    return run_evaluator_common(rt_mod, device, evaluator_config, repeated_args)


def default_cleanup(session, remote_path):
    """Removes what was uploaded."""
    if session is not None:
        session.remove(remote_path)
        session.remove("")


class RPCRunnerFuture(PyRunnerFuture):
    """A result that is there."""

    def __init__(self, res=None, error_message=None):
        self.res, self.error_message = res, error_message

    def done(self):
        return True

    def result(self):
        return RunnerResult(self.res, self.error_message)


class RPCRunner(PyRunner):
    """Programs run in sessions that the tracker gives."""

    def __init__(self, rpc_config=None, evaluator_config=None, cooldown_sec=0.0, alloc_repeat=1, f_create_session=None, f_upload_module=None,
                 f_alloc_argument=None, f_run_evaluator=None, f_cleanup=None, max_workers=None, initializer=None):
        self.rpc_config, self.evaluator_config = RPCConfig._normalized(rpc_config), EvaluatorConfig._normalized(evaluator_config)
        self.cooldown_sec, self.alloc_repeat, self.max_workers, self.initializer = cooldown_sec, alloc_repeat, max_workers, initializer
        self.f_create_session, self.f_upload_module, self.f_alloc_argument = f_create_session, f_upload_module, f_alloc_argument
        self.f_run_evaluator, self.f_cleanup = f_run_evaluator, f_cleanup

    def _work(self, one):
        import os

        chosen = get_global_func_with_default_on_worker
        clean, session = chosen(self.f_cleanup, default_cleanup), None
        remote = os.path.join(*os.path.normpath(one.artifact_path).split(os.sep)[-2:])
        try:
            session = chosen(self.f_create_session, default_create_session)(self.rpc_config)
            device = session.device(one.device_type, 0)
            module = chosen(self.f_upload_module, default_upload_module)(session, one.artifact_path, remote)
            args = chosen(self.f_alloc_argument, default_alloc_argument)(session, device, [arg.as_json() for arg in one.args_info], self.alloc_repeat)
            return chosen(self.f_run_evaluator, default_run_evaluator)(session, module, device, self.evaluator_config, args)
        finally:
            clean(session, remote)

    def run(self, runner_inputs):
        queue = _fleet.address(self.rpc_config.tracker_host, self.rpc_config.tracker_port)
        if queue is None:
            return [self._run_one(one) for one in runner_inputs]
        if any((self.f_create_session, self.f_upload_module, self.f_alloc_argument, self.f_run_evaluator, self.f_cleanup, self.initializer)):
            raise ValueError("RPCRunner: machines of a queue run no functions of the caller (f_create_session, f_upload_module, f_alloc_argument, f_run_evaluator, "
                             "f_cleanup, initializer): nothing but the program travels")
        found = _fleet.measure(queue, self.rpc_config.tracker_key, list(runner_inputs), self.evaluator_config, self.rpc_config.session_timeout_sec)
        return [RPCRunnerFuture(seconds, None if problem is None else "RPCRunner: " + problem) for seconds, problem in found]

    def _run_one(self, one):
        from ...contrib.popen_pool import PopenWorker

        worker = PopenWorker(self.initializer)
        try:
            worker.send(self._work, (one,), timeout=self.rpc_config.session_timeout_sec)
            return RPCRunnerFuture(worker.recv(), None)
        except TimeoutError:
            return RPCRunnerFuture(None, f"RPCRunner: An exception occurred\nit took more than {self.rpc_config.session_timeout_sec} seconds")
        except Exception as error:  # noqa: BLE001
            return RPCRunnerFuture(None, "RPCRunner: An exception occurred\n" + str(error))


_ = (T_ARG_INFO_JSON_OBJ_LIST, T_ARGUMENT_LIST)
