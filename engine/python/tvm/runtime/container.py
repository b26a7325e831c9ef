"""Texts and shapes as values."""


class String(str):
    """A text."""

    __slots__ = ()

    def same_as(self, other):
        """Is it the same text?"""
        return self == other


class ShapeTuple(tuple):
    """Whole numbers."""

    def __new__(cls, shape=()):
        return super().__new__(cls, (int(x) for x in shape))


Shape = ShapeTuple
