"""Rules of default schedules: known by name only."""


class _Rule:
    """Not offered."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("default schedules for GPUs are not offered")


class Matmul(_Rule):
    """Not offered."""


class GEMV(_Rule):
    """Not offered."""


class Reduction(_Rule):
    """Not offered."""


class GeneralReduction(_Rule):
    """Not offered."""


class Transpose(_Rule):
    """Not offered."""


class Fallback(_Rule):
    """Not offered."""
