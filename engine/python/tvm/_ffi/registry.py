"""Functions and classes by name."""
from ..runtime._registry import get_global_func, list_global_func_names, register_func, remove_global_func
from . import register_object
