"""Tags of stages."""


class TagScope:
    """The tag of the stages that are made inside a `with` or a decorated function."""

    _current = None

    def __init__(self, tag):
        self.tag = tag
        self._outer = None

    def __enter__(self):
        if TagScope._current is not None:
            raise ValueError("nested op_tag is not allowed for now")
        TagScope._current = self
        return self

    def __exit__(self, *unused):
        TagScope._current = None

    def __call__(self, func):
        def tagged(*args, **kwargs):
            with self:
                return func(*args, **kwargs)

        return tagged

    @staticmethod
    def get_current():
        """The innermost one, or None."""
        return TagScope._current
