"""A session on Hexagon."""


class Session:
    """Not offered."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("Hexagon is not offered")
