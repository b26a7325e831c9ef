"""The names of TVM's model on xgboost.  It needs the package xgboost, which is no part of this one; CostModel.create("xgb") gives the ridge
regression instead."""
from .cost_model import PyCostModel


def available():
    """Is there a model on xgboost here?"""
    return False


def _refuse():
    raise ImportError("the model on xgboost is not offered; CostModel.create('xgb') gives the ridge regression")


class PackSum:
    """Not offered."""

    def __init__(self, xs, ys):
        _refuse()


class XGBModel(PyCostModel):
    """Not offered."""

    def __init__(self, *, extractor=None, config=None, num_warmup_samples=100, early_stopping_rounds=50, verbose_eval=25, average_peak_n=32,
                 adaptive_training=True, num_tuning_cores=None):
        _refuse()


def _get_custom_call_back(*args, **kwargs):
    _refuse()
