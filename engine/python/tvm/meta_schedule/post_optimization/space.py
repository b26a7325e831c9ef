"""A piece of droplet search."""


class Space:
    """Not offered."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("droplet search is not offered")
