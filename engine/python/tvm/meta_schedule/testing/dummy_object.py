"""Builders, runners and the like that do nothing of their own."""
import random

from ..builder import BuilderResult, PyBuilder
from ..mutator import PyMutator
from ..runner import PyRunner, PyRunnerFuture, RunnerResult


class DummyRunnerFuture(PyRunnerFuture):
    """A result at random."""

    def done(self):
        """It is there."""
        return True

    def result(self):
        """A few seconds."""
        return RunnerResult([random.uniform(5, 30) for _ in range(random.randint(1, 10))], None)


class DummyBuilder(PyBuilder):
    """Builds nothing."""

    def build(self, build_inputs):
        """Says that it did."""
        return [BuilderResult("test_path", None) for _ in build_inputs]


class DummyRunner(PyRunner):
    """Runs nothing."""

    def run(self, runner_inputs):
        """Results at random."""
        return [DummyRunnerFuture() for _ in runner_inputs]


class DummyMutator(PyMutator):
    """Changes nothing."""

    def apply(self, trace, *unused):
        """The trace again."""
        return type(trace)(trace.insts, {})
