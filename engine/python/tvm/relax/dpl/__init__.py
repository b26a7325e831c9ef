"""Patterns of dataflow: not offered yet."""


def is_op(op_name):
    """Not offered yet."""
    raise NotImplementedError("patterns of dataflow are not offered")


def wildcard():
    """Not offered yet."""
    raise NotImplementedError("patterns of dataflow are not offered")
