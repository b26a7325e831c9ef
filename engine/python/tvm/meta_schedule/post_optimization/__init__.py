"""Refining what a search found."""
from .post_opt import PostOpt
