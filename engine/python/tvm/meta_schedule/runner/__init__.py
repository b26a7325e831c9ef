"""Programs are measured."""
from .config import EvaluatorConfig, RPCConfig
from .local_runner import LocalRunner, LocalRunnerFuture
from .rpc_runner import RPCRunner, RPCRunnerFuture
from .runner import PyRunner, PyRunnerFuture, Runner, RunnerFuture, RunnerInput, RunnerResult

create = Runner.create
