"""One task: a module, a target and how to search."""
import logging
import random

from .space_generator import SpaceGenerator
from .utils import Named, as_target, cpu_count, normalize_mod

_normalize_mod = normalize_mod


class TuneContext(Named):
    """What a search of one module needs."""

    def __init__(self, mod=None, *, target=None, space_generator=None, search_strategy=None, task_name="main", rand_state=-1,
                 num_threads="physical", logger=None):
        from .search_strategy import SearchStrategy

        self.mod = normalize_mod(mod) if mod is not None else None
        self.target = as_target(target) if target is not None else None
        self.space_generator = SpaceGenerator.create(space_generator) if space_generator is not None else None
        self.search_strategy = SearchStrategy.create(search_strategy) if search_strategy is not None else None
        self.task_name = task_name
        self.rand_state = random.randrange(1, 2**31 - 1) if rand_state in (-1, None) else rand_state
        self.num_threads = cpu_count(num_threads == "logical") if isinstance(num_threads, str) else num_threads
        self.logger = logger or logging.getLogger(__name__)
        self._random = random.Random(self.rand_state)
        self.initialize()

    def _draw_seed(self):
        return self._random.randrange(1, 2**31 - 1)

    def initialize(self):
        """Tells the space and the strategy what they work for."""
        for part in (self.space_generator, self.search_strategy):
            if part is not None:
                part._initialize_with_tune_context(self)

    def _need(self, what):
        part = getattr(self, what)
        if part is None:
            raise ValueError(f"this context was made without a {what}")
        return part

    def generate_design_space(self):
        """The designs of the module."""
        return self._need("space_generator").generate_design_space(self.mod)

    def pre_tuning(self, max_trials, num_trials_per_iter=64, design_spaces=None, database=None, cost_model=None):
        """Before the first candidates; what is not given is made."""
        from .cost_model import CostModel
        from .database import MemoryDatabase

        strategy = self._need("search_strategy")
        strategy.pre_tuning(max_trials, num_trials_per_iter, design_spaces if design_spaces is not None else self.generate_design_space(),
                            database if database is not None else MemoryDatabase(),
                            cost_model if cost_model is not None else CostModel.create("random"))

    def post_tuning(self):
        """After the last candidates."""
        self._need("search_strategy").post_tuning()

    def generate_measure_candidates(self):
        """The next candidates; None: the search is over."""
        return self._need("search_strategy").generate_measure_candidates()

    def notify_runner_results(self, measure_candidates, results):
        """What became of the last candidates."""
        self._need("search_strategy").notify_runner_results(measure_candidates, results)

    def clone(self):
        """The same again."""
        return TuneContext(self.mod, target=self.target, space_generator=self.space_generator.clone() if self.space_generator else None,
                           search_strategy=self.search_strategy.clone() if self.search_strategy else None, task_name=self.task_name,
                           rand_state=self._draw_seed(), num_threads=self.num_threads, logger=self.logger)
