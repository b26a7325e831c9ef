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
    """Forgets the decisions: the trace is drawn anew."""

    def _initialize_with_tune_context(self, context):
        pass

    def apply(self, trace, *unused):
        """The steps without decisions."""
        return type(trace)(trace.insts, {})

    def clone(self):
        """The same again."""
        return DummyMutator()
