"""Errors and the string types."""
from ..error import TVMError

string_types = (str,)
numeric_types = (int, float)


def c_str(string):
    """A text as bytes."""
    return string.encode("utf-8")


def py_str(x):
    """Bytes as text."""
    return x.decode("utf-8")
