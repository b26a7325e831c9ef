"""Scores at random."""
from .cost_model import PyCostModel


class RandomModel(PyCostModel):
    """Uniform scores below max_range; its state can be saved."""

    def __init__(self, *, seed=None, path=None, max_range=100):
        import numpy as np

        self.max_range = max_range
        self.random_state = np.random.RandomState(seed).get_state()
        if path is not None:
            self.load(path)

    def load(self, path):
        import numpy as np

        self.random_state = tuple(np.load(path, allow_pickle=True))

    def save(self, path):
        import numpy as np

        np.save(path, np.array(self.random_state, dtype=object), allow_pickle=True)

    def update(self, context, candidates, results):
        """It learns nothing."""

    def predict(self, context, candidates):
        import numpy as np

        draw = np.random.RandomState()
        draw.set_state(self.random_state)
        scores = draw.rand(len(candidates)) * self.max_range
        self.random_state = draw.get_state()
        return scores
