"""Gradient boosted trees by XGBoost's C library, on the counts that the engine makes of a program (engine/tune/boost.c, features.c)."""
import _loopscope as _core

from .ridge_model import RidgeModel


def available():
    """Is XGBoost's library here?"""
    return _core.tune_has_xgboost()


class PackSum:
    """Not offered: there is one row for each program here, and no sums over rows."""

    def __init__(self, xs, ys):
        raise NotImplementedError("PackSum packs rows of features for each store; the engine's counts are one row for each program")


class XGBModel(RidgeModel):
    """Trees of depth 6 at most, in one thread, trained anew when a fifth more was learned and while that takes less than a tenth of the time.

    They learn what the ridge regression leaves over, and before sixteen programs leave it alone.  Extractors of features and the configuration of the trees are not
    taken: they are the engine's."""

    _KIND = "xgb"

    def __init__(self, *, extractor=None, config=None, num_warmup_samples=100, early_stopping_rounds=50, verbose_eval=25, average_peak_n=32,
                 adaptive_training=True, num_tuning_cores=None):
        if not available():
            raise ImportError("XGBoost's library is not here (Debian: libxgboost0); CostModel.create('xgb') gives the ridge regression then")
        if extractor is not None or config is not None:
            raise NotImplementedError("the features and the trees are the engine's; extractor and config are not taken")
        super().__init__()


def _get_custom_call_back(*args, **kwargs):
    raise NotImplementedError("training has no call-backs here")
