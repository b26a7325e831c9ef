"""Reading a program: a text, a class or a function."""
from ...source import from_source


def parse(program, extra_vars=None, check_well_formed=True):
    """The module or function that a program means."""
    return from_source(program, extra_vars, check_well_formed)
