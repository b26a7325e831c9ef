"""The model that ranks programs before they are measured.

There is one: a ridge regression of the logarithm of the time on counts of the program (engine/tune/features.c).  "xgb" and "mlp" of TVM
are accepted as names for it; "random" switches it off, which makes every trial a fresh draw.
"""


class CostModel:
    """A model by name."""

    learns = True

    @staticmethod
    def create(kind="xgb", *args, **kwargs):
        """"xgb", "mlp", "random" or "none"."""
        if isinstance(kind, CostModel):
            return kind
        if kind in ("xgb", "mlp", "ridge"):
            return Regression()
        if kind in ("random", "none"):
            return RandomModel()
        raise ValueError(f"Unknown CostModel: {kind}")


class Regression(CostModel):
    """The ridge regression."""


class RandomModel(CostModel):
    """No model."""

    learns = False

    def __init__(self, *, seed=None, path=None, max_range=100):
        self.seed = seed


create = CostModel.create
