"""The program of a schedule and what is known of its blocks."""
from enum import IntEnum
from typing import NamedTuple

import _loopscope as _core

from ...error import TVMError
from ...ir.module import IRModule
from ..function import PrimFunc
from .block_scope import BlockScope, StmtSRef


class ScheduleDebugMask(IntEnum):
    """What is checked after each step: the tree of loops and blocks, the flags of blocks."""

    VERIFY_SREF_TREE = 1
    VERIFY_CACHED_FLAGS = 2


def parse_debug_mask(debug_mask):
    """The bits that "all", "none" or a number stand for; ValueError for anything else."""
    if isinstance(debug_mask, str):
        bits = {"all": ScheduleDebugMask.VERIFY_SREF_TREE | ScheduleDebugMask.VERIFY_CACHED_FLAGS, "none": 0}.get(debug_mask)
        if bits is None:
            raise ValueError(f"Unrecognizable debug_mask: {debug_mask}")
        return int(bits)
    if not isinstance(debug_mask, bool) and isinstance(debug_mask, int) and debug_mask >= -1:
        return debug_mask
    raise TypeError(f"`debug_mask` should be integer or string, but gets: {debug_mask}")


class CachedFlags(NamedTuple):
    """What is known of a block."""

    affine_binding: bool
    region_cover: bool
    stage_pipeline: bool


class _Place(StmtSRef):
    """A loop or block of a state that replaces parts of its program: found by its node, without holding it."""

    def __init__(self, owner, address, parent):
        super().__init__(None, -1, parent, owner)
        self._address = address

    @property
    def stmt(self):
        """The loop or block; None: it is gone."""
        return self._owner._node(self._address) if self._address is not None else None

    def same_as(self, other):
        """The same place?"""
        return self is other

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)


def _places(node, parent=None):
    """(loop or block, the one around it) of a tree, outermost first."""
    found, around = [], [parent]

    def enter(inner):
        if _core.kind(inner) in ("For", "Block"):
            found.append((inner, around[-1]))
            around.append(_core.address(inner))
        return True

    def leave(inner):
        if around[-1] is not None and around[-1] == _core.address(inner):
            around.pop()

    _core.walk(node, enter, leave)
    return found


class ScheduleState:
    """A module being scheduled: that of a schedule, or one of its own whose parts can be replaced."""

    def __init__(self, mod, *, debug_mask="none", enable_check=True):
        from .schedule import Schedule

        self._sch = mod if isinstance(mod, Schedule) else None
        self._mod = None
        if self._sch is None:
            self._mod = mod if isinstance(mod, IRModule) else IRModule({"main": mod}) if isinstance(mod, PrimFunc) else None
            if self._mod is None:
                raise TypeError(f"mod is an IRModule or a PrimFunc, not {type(mod)}")
            self._srefs = {}
            self._plant()
        self.debug_mask = parse_debug_mask(debug_mask) if self._sch is None else self._sch._debug_mask

    @property
    def mod(self):
        """The module."""
        return self._sch.mod if self._sch is not None else _core.wrap_as(self._mod, IRModule)

    def _plant(self):
        """A place for each loop and block that has none yet."""
        for func in self._mod.functions.values():
            for node, parent in _places(func):
                address = _core.address(node)
                above = self._srefs.get(parent)
                if address not in self._srefs:
                    self._srefs[address] = _Place(self, address, above)
                self._srefs[address]._parent = above

    def _node(self, address):
        for func in self._mod.functions.values():
            for node, _ in _places(func):
                if _core.address(node) == address:
                    return node
        return None

    def get_sref(self, stmt):
        """The place of a block or loop."""
        return self._srefs.get(_core.address(stmt)) if self._sch is None else self._sch._sref_of(stmt)

    def _schedule(self):
        from .schedule import Schedule

        return self._sch if self._sch is not None else Schedule(self._mod)

    def _get_cached_flags(self, block_sref):
        flags = self._schedule()._flags(block_sref.stmt)
        if flags is None:
            raise ValueError(f"{block_sref.stmt.name_hint} is no block of this program")
        return CachedFlags(*flags)

    def get_block_scope(self, block_sref):
        """What orders the blocks directly inside a block."""
        children, root = [], block_sref.stmt

        def enter(node):
            if _core.kind(node) == "Block" and not node.same_as(root):
                children.append(self.get_sref(node))
                return False
            return True

        _core.walk(root.body, enter, lambda node: None)
        return BlockScope(children)

    get_sblock_scope = get_block_scope

    def replace(self, src_sref, tgt_stmt, block_sref_reuse=None):
        """Puts a loop, block or BlockRealize in the place of a loop or block.

        Places live on where the node is the same, where a loop keeps its variable, and where block_sref_reuse ({old block: new block}) says so.
        Nodes on the way to the place are changed where they are unless somebody else holds them."""
        if self._sch is not None:
            raise TVMError("ValueError: the program of a schedule is changed by primitives; replace needs a ScheduleState of its own")
        old = src_sref.stmt
        if old is None or self._srefs.get(_core.address(old)) is not src_sref:
            raise TVMError("ValueError: what is replaced has to be a loop or block of this state")
        wanted = ("Block",) if _core.kind(old) == "Block" else ("For", "BlockRealize")
        if _core.kind(tgt_stmt) not in wanted:
            raise TVMError(f"ValueError: a {_core.kind(old)} cannot be replaced by a {_core.kind(tgt_stmt)}")
        above, place = [], src_sref.parent
        while place is not None:
            above.append(place)
            place = place.parent
        before = {_core.address(node): self._srefs[_core.address(node)] for node, _ in _places(old)}
        index, moved = self._function_of(old), self._moved(old, before, tgt_stmt, block_sref_reuse or {})
        for address, place in before.items():
            self._srefs.pop(address)
            place._address = None
        root, self._mod = self._mod, None
        self._mod = _core.replace_node(root, old, tgt_stmt)
        del root, old
        self._settle(moved, above, index)

    # ---- the pieces of replace ------------------------------------------------------------------

    def _function_of(self, node):
        for i, func in enumerate(self._mod.functions.values()):
            if any(inner.same_as(node) for inner, _ in _places(func)):
                return i
        return 0

    @staticmethod
    def _moved(old, before, tgt_stmt, reuse):
        """{node of the new part: the place that lives on in it, or None}."""
        chosen = {_core.address(new): before[_core.address(was)] for was, new in reuse.items() if _core.address(was) in before}
        variables = {_core.address(node.loop_var): before[_core.address(node)] for node, _ in _places(old) if _core.kind(node) == "For"}
        moved = {}
        for node, _ in _places(tgt_stmt):
            address = _core.address(node)
            place = chosen.get(address) or before.get(address)
            if place is None and _core.kind(node) == "For":
                place = variables.get(_core.address(node.loop_var))
            moved[address] = place
        return moved

    def _settle(self, moved, above, index):
        """The places that live on get their nodes, from the new part up to the root; what is new gets a place."""
        for address, place in moved.items():
            if place is not None:
                place._address = address
                self._srefs[address] = place
        around = {_core.address(node): parent for node, parent in _places(list(self._mod.functions.values())[index])}
        address = around.get(next(iter(moved), None))
        for place in above:
            self._srefs.pop(place._address, None)
        for place in above:
            place._address = address
            self._srefs[address] = place
            address = around.get(address)
        self._plant()


__all__ = ["ScheduleDebugMask", "ScheduleState", "CachedFlags", "IRModule"]
