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


class BuilderInput:
    """What is built: a module for a target."""

    def __init__(self, mod, target, params=None):
        self.mod, self.target, self.params = mod, target, params


class BuilderResult:
    """Where it is, or why there is nothing."""

    def __init__(self, artifact_path=None, error_msg=None):
        self.artifact_path, self.error_msg = artifact_path, error_msg


class PyBuilder(Builder):
    """A base for builders written in Python."""
