"""The interface of a model of cost."""
from ..utils import Named, missing


class CostModel(Named):
    """A model by name."""

    def load(self, path):
        """Reads what save wrote."""
        raise NotImplementedError

    def save(self, path):
        """Writes the model."""
        raise NotImplementedError

    def update(self, context, candidates, results):
        """Learns from measurements."""
        raise NotImplementedError

    def predict(self, context, candidates):
        """An array of scores: the higher, the faster."""
        raise NotImplementedError

    @staticmethod
    def create(kind="xgb", *args, **kwargs):
        """"xgb" (the ridge regression where XGBoost's library is not installed), "ridge", "mlp", "random" or "none"."""
        from .random_model import RandomModel
        from .ridge_model import RidgeModel
        from .xgb_model import XGBModel, available

        if isinstance(kind, CostModel):
            return kind
        if kind == "xgb" and available():
            kwargs.setdefault("num_tuning_cores", kwargs.pop("num_tuning_cores", None))
            return XGBModel(*args, **kwargs)
        if kind in ("xgb", "mlp", "ridge"):
            return RidgeModel()
        if kind == "random":
            kwargs.pop("num_tuning_cores", None)
            return RandomModel(*args, **kwargs)
        if kind == "none":
            return None
        raise ValueError(f"there is no cost model {kind}; there are xgb, ridge, mlp, random and none")


class PyCostModel(CostModel):
    """A base for models written in Python."""

    load = missing("load")
    save = missing("save")
    update = missing("update")
    predict = missing("predict")
