"""Blocks and loops of a program, and what depends on what."""
from enum import IntEnum


class StmtSRef:
    """A block or loop where it stands."""

    def __init__(self, stmt, seq_index=-1, parent=None, owner=None):
        self._stmt = stmt
        self._owner = owner
        self.seq_index = seq_index
        self._parent = parent

    @property
    def stmt(self):
        """The block or loop."""
        return self._stmt

    @property
    def parent(self):
        """What stands around it."""
        return self._parent

    def same_as(self, other):
        """The same place?"""
        return isinstance(other, StmtSRef) and self._owner is other._owner and self._stmt.same_as(other._stmt)

    def __eq__(self, other):
        return self.same_as(other)

    def __hash__(self):
        return hash(self._stmt)

    @staticmethod
    def inline_mark():
        """Stands for inlining."""
        return StmtSRef(None)

    @staticmethod
    def root_mark():
        """Stands for the root."""
        return StmtSRef(None)


class DepKind(IntEnum):
    """How one block depends on another."""

    RAW = 0
    WAW = 1
    WAR = 2
    OPAQUE = 3


class Dependency:
    """One block depends on another."""

    def __init__(self, src, dst, kind):
        self.src, self.dst, self.kind = src, dst, kind


class BlockScope:
    """Not offered: ask sch.get_producers and get_consumers."""


class BlockDependenceInfo:
    """Not offered."""

    def __init__(self, mod):
        raise NotImplementedError("BlockDependenceInfo is not offered")
