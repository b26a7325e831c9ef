"""A piece of droplet search."""


class Droplet:
    """Not offered."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("droplet search is not offered")
