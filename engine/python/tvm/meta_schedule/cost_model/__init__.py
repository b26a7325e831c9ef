"""Models that rank programs before they are measured."""
from .cost_model import CostModel, PyCostModel
from .random_model import RandomModel
from .ridge_model import RidgeModel
from .xgb_model import XGBModel

create = CostModel.create
