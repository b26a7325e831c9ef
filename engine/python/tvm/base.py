"""Errors and the texts of C, under the name that this module has beside `_ffi.base`."""
from ._ffi.base import *  # noqa: F401,F403
