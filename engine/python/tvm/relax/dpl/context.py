"""Graphs of patterns."""
import _loopscope as _core


class PatternContext:
    """How patterns stand to each other; what is said inside of `with` belongs to it."""

    _stack = []

    def __init__(self, incremental=False):
        current = PatternContext._stack[-1] if PatternContext._stack else None
        self._graph = _core.PatternGraph(current._graph if incremental and current is not None else None)

    def __enter__(self):
        PatternContext._stack.append(self)
        return self

    def __exit__(self, *unused):
        PatternContext._stack.pop()

    @staticmethod
    def current():
        """The innermost context."""
        if not PatternContext._stack:
            raise RuntimeError("there is no pattern context")
        return PatternContext._stack[-1]

    @staticmethod
    def _note_use(producer, consumer, only, index):
        if PatternContext._stack:
            PatternContext._stack[-1]._graph.use(producer, consumer, only, index)

    @staticmethod
    def _note_constraint(constraint):
        if PatternContext._stack:
            PatternContext._stack[-1]._graph.add(constraint)

    def match_dfb(self, dfb):
        """Variables of a dataflow block that stand as the patterns do, or None."""
        return self._graph.match(dfb)
