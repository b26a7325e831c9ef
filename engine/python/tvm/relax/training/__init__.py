"""Training: losses, optimizers, and what makes a trainer of a backbone."""
from . import loss, optimizer, utils
from .utils import AppendLoss, register_te_gradient
from .setup_trainer import SetupTrainer
from .trainer import Trainer
