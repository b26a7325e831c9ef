"""Stands in for IPython where it is not installed: display() and Code() of the course's cells."""
from . import display as display

version_info = (8, 0, 0)


def get_ipython():
    """None, as outside of a notebook: matplotlib and others ask this."""
    return None
