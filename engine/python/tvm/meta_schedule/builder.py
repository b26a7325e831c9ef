"""Programs are built in the processes that measure them (runner.py), several at once."""


class Builder:
    """By name: "local"."""

    def __init__(self, max_workers=None, timeout_sec=30.0):
        self.max_workers, self.timeout_sec = max_workers, timeout_sec

    @staticmethod
    def create(kind="local", *args, **kwargs):
        """A builder."""
        if isinstance(kind, Builder):
            return kind
        if kind != "local":
            raise ValueError(f"Unknown Builder: {kind}")
        return LocalBuilder(*args, **kwargs)


class LocalBuilder(Builder):
    """On this machine."""


create = Builder.create
