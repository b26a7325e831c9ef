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


def getitem_helper(obj, elem_getter, length, idx):
    """What `obj[idx]` is for a list of which an element and the length are known: an element, or a list for a slice."""
    if isinstance(idx, slice):
        return [elem_getter(obj, i) for i in range(*idx.indices(length))]
    if not -length <= idx < length:
        raise IndexError(f"there is no item {idx} among {length}")
    return elem_getter(obj, idx % length)
