"""Programs from elsewhere."""
from . import torch
