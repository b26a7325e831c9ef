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
    """What orders the blocks of a scope: reads after writes, writes after writes, writes after reads, buffer by buffer."""

    def __init__(self, blocks=()):
        self._found, readers, writers = [], {}, {}
        for block in blocks:
            stmt = block.stmt
            reads, writes = ([region.buffer for region in regions] for regions in (stmt.reads, stmt.writes))
            for buffers, others, kind in ((reads, writers, DepKind.RAW), (writes, writers, DepKind.WAW), (writes, readers, DepKind.WAR)):
                for buffer in buffers:
                    self._found += [Dependency(other, block, kind) for other in others.get(buffer, ())]
            for buffers, kept in ((reads, readers), (writes, writers)):
                for buffer in buffers:
                    kept.setdefault(buffer, []).append(block)

    def get_deps_by_src(self, block):
        """What depends on a block."""
        return [dep for dep in self._found if dep.src.same_as(block)]

    def get_deps_by_dst(self, block):
        """What a block depends on."""
        return [dep for dep in self._found if dep.dst.same_as(block)]


class BlockDependenceInfo:
    """The scopes of all blocks of a module."""

    def __init__(self, mod):
        from .state import ScheduleState

        self._state = ScheduleState(mod)

    def get_sref(self, block):
        """The place of a block."""
        return self._state.get_sref(block)

    def get_block_scope(self, block_sref):
        """What orders the blocks directly inside a block."""
        from ..stmt import Block

        while block_sref.parent is not None and not isinstance(block_sref.stmt, Block):
            block_sref = block_sref.parent
        return self._state.get_block_scope(block_sref)

    get_sblock_scope = get_block_scope
