"""Remote devices: not offered."""


class Proxy:
    """Not offered."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("remote sessions are not offered: programs run on this machine")
