"""Random numbers that depend on nothing but a state that the caller keeps."""
from .threefry import threefry_generate, threefry_split, threefry_test_wrapping, uniform
