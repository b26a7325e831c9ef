"""Programs from elsewhere."""
from . import torch
from .common import detach_params
