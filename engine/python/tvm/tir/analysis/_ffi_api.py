"""The functions of this folder by the names that they have in the registry."""
from .memcpy import identify_memcpy as _identify_memcpy
