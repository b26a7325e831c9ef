"""How trials are chosen."""


class MeasureCandidate:
    """A schedule that is to be measured."""

    def __init__(self, sch, args_info):
        self.sch, self.args_info = sch, args_info


class SearchStrategy:
    """By name: "evolutionary" changes decisions of fast traces, "replay-trace" and "replay-func" draw each trial anew."""

    evolutionary = True

    @staticmethod
    def create(kind="evolutionary", *args, **kwargs):
        """A strategy by name."""
        if isinstance(kind, SearchStrategy):
            return kind
        kinds = {"evolutionary": EvolutionarySearch, "replay-trace": ReplayTrace, "replay-func": ReplayFunc}
        if kind not in kinds:
            raise ValueError(f"Unknown SearchStrategy: {kind}")
        return kinds[kind](*args, **kwargs)

    def clone(self):
        """The same again."""
        return self


class EvolutionarySearch(SearchStrategy):
    """Evolution over traces, led by a model of cost that learns from what was measured."""

    def __init__(self, **options):
        self.options = options


class ReplayTrace(SearchStrategy):
    """Random draws."""

    evolutionary = False

    def __init__(self, max_fail_count=100):
        self.max_fail_count = max_fail_count


class ReplayFunc(ReplayTrace):
    """Random draws."""


create = SearchStrategy.create


class PySearchStrategy(SearchStrategy):
    """A base for strategies written in Python."""
