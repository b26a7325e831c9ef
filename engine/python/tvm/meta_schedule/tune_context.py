"""One task: a module, a target and how to search."""
import random

from .space_generator import SpaceGenerator
from .utils import as_target, normalize_mod


class TuneContext:
    """What a search of one module needs."""

    def __init__(self, mod=None, *, target=None, space_generator=None, search_strategy=None, task_name="main", rand_state=-1,
                 num_threads="physical", logger=None):
        from .search_strategy import SearchStrategy

        self.mod = normalize_mod(mod) if mod is not None else None
        self.target = as_target(target) if target is not None else None
        self.space_generator = SpaceGenerator.create(space_generator) if space_generator is not None else None
        self.search_strategy = SearchStrategy.create(search_strategy) if search_strategy is not None else None
        self.task_name = task_name
        self.rand_state = rand_state
        self.num_threads = num_threads
        self.logger = logger
        self._random = random.Random(None if rand_state in (-1, None) else rand_state)
        if self.space_generator is not None:
            self.space_generator._initialize_with_tune_context(self)

    def _draw_seed(self):
        return self._random.randrange(1, 2**31 - 1)

    def initialize(self):
        """Nothing is left to do."""

    def generate_design_space(self):
        """The designs of the module."""
        if self.space_generator is None:
            raise ValueError("space_generator is not provided. Please construct TuneContext with space_generator")
        return self.space_generator.generate_design_space(self.mod)

    def clone(self):
        """The same again."""
        return TuneContext(self.mod, target=self.target, space_generator=self.space_generator.clone() if self.space_generator else None,
                           search_strategy=self.search_strategy, task_name=self.task_name, rand_state=self.rand_state,
                           num_threads=self.num_threads, logger=self.logger)
