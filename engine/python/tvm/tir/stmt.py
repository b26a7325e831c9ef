"""Statements."""
from enum import IntEnum

import _loopscope as _core

from ..error import TVMError
from ..ir.base import Node
from ..ir.expr import PrimExpr
from ..runtime.object import Object, register
from ..runtime.script_printer import Scriptable
from .expr import _bound


class ForKind(IntEnum):
    """How a loop runs."""

    SERIAL = 0
    PARALLEL = 1
    VECTORIZED = 2
    UNROLLED = 3
    THREAD_BINDING = 4


class Stmt(Node, Scriptable):
    """A statement."""

    __slots__ = ()


def _element(dtype):
    return "bool" if dtype.startswith(("bool", "uint1x")) or dtype == "uint1" else dtype.partition("x")[0]


def _condition(condition, what):
    if isinstance(condition, PrimExpr) and condition.dtype not in ("bool", "uint1"):
        raise TVMError(f"{what} is a condition, not {condition} of the type {condition.dtype}")


@register("LetStmt")
class LetStmt(Stmt):
    """A value with a name for the statements below."""

    __slots__ = ()

    def __new__(cls, var, value, body, span=None):
        return _core.make("LetStmt", _bound(var, value), var, body)


@register("AssertStmt")
class AssertStmt(Stmt):
    """A condition that has to hold."""

    __slots__ = ()

    def __new__(cls, condition, message, body, span=None):
        _condition(condition, "what is asserted")
        return _core.make("AssertStmt", condition, message, body)


@register("For")
class For(Stmt):
    """A loop."""

    __slots__ = ()

    def __new__(cls, loop_var, min, extent, kind, body, thread_binding=None, annotations=None, span=None):  # noqa: A002
        for bound, name in ((min, "beginning"), (extent, "extent")):
            if isinstance(bound, float) or (isinstance(bound, PrimExpr) and not bound.dtype.startswith(("int", "uint", "bool"))):
                raise TVMError(f"the {name} of a loop is a whole number, not {bound}")
        return _core.make("For", loop_var, min, extent, int(kind), thread_binding, annotations, body)

    @property
    def kind(self):
        """How it runs."""
        return ForKind(_core.field(self, "kind"))


@register("While")
class While(Stmt):
    """A loop with a condition."""

    __slots__ = ()

    def __new__(cls, condition, body, span=None):
        _condition(condition, "what a loop waits for")
        return _core.make("While", condition, body)


@register("BufferStore")
class BufferStore(Stmt):
    """Writes an element."""

    __slots__ = ()

    def __new__(cls, buffer, value, indices, predicate=None, span=None):
        from .expr import convert

        if isinstance(value, PrimExpr) and _element(value.dtype) != _element(buffer.dtype):
            raise TVMError(f"TypeError: dtype mismatch on BufferStore: buffer's dtype is `{buffer.dtype}`, but RHS's dtype is `{value.dtype}`")
        value = convert(value)
        if value.dtype != buffer.dtype and "x" not in value.dtype:
            value = value.astype(buffer.dtype)
        if predicate is not None:
            from .expr import check_predicate

            check_predicate(predicate, value.dtype, "value dtype", "store a value")
        return _core.buffer_store(value, (buffer, indices, predicate))


@register("BufferRealize")
class BufferRealize(Stmt):
    """Gives a buffer its memory."""

    __slots__ = ()

    def __new__(cls, buffer, bounds, condition, body, span=None):
        return _core.make("BufferRealize", buffer, bounds, condition, body)


@register("Allocate")
class Allocate(Stmt):
    """Memory for the statements below."""

    __slots__ = ()

    def __new__(cls, buffer_var, dtype, extents, condition, body, annotations=None, span=None):
        if buffer_var.dtype != "handle":
            raise TVMError(f"the variable of an allocation is a pointer; {buffer_var.name} is of the type {buffer_var.dtype}")
        return _core.make("Allocate", buffer_var, dtype, extents, condition, body, annotations)


@register("AllocateConst")
class AllocateConst(Stmt):
    """Memory with constants in it."""

    __slots__ = ()

    def __new__(cls, buffer_var, dtype, extents, data_or_idx, body, annotations=None, span=None):
        from ..ir.base import _plain

        data = _plain(data_or_idx)
        return _core.make("AllocateConst", buffer_var, data, dtype, extents, body, annotations)

    @property
    def irmod_storage_idx(self):
        """The number of the array in the module's attribute `constants`, once it was put there."""
        return (self.annotations or {}).get("irmod_storage_idx")


@register("DeclBuffer")
class DeclBuffer(Stmt):
    """A name for memory that is there."""

    __slots__ = ()

    def __new__(cls, buffer, body, span=None):
        return _core.make("DeclBuffer", buffer, body)


@register("AttrStmt")
class AttrStmt(Stmt):
    """A remark about the statements below."""

    __slots__ = ()

    def __new__(cls, node, attr_key, value, body, span=None):
        return _core.make("AttrStmt", node, attr_key, value, body)


@register("SeqStmt")
class SeqStmt(Stmt):
    """Statements one after another."""

    __slots__ = ()

    def __new__(cls, seq, span=None):
        parts = list(seq)
        if len(parts) < 2:
            raise TVMError("a SeqStmt of no statement is Evaluate(0)" if not parts else "a SeqStmt of one statement is that statement")
        if any(isinstance(stmt, SeqStmt) for stmt in parts):
            parts = [part for stmt in parts for part in (stmt.seq if isinstance(stmt, SeqStmt) else [stmt])]
            parts = [part for part in parts if not (isinstance(part, Evaluate) and _core.kind(part.value) == "IntImm" and part.value.value == 0)]
        return _core.make("SeqStmt", parts or [Evaluate(0)])

    def __getitem__(self, i):
        return self.seq[i]

    def __len__(self):
        return len(self.seq)


@register("IfThenElse")
class IfThenElse(Stmt):
    """One of two statements."""

    __slots__ = ()

    def __new__(cls, condition, then_case, else_case=None, span=None):
        return _core.make("IfThenElse", condition, then_case, else_case)


@register("Evaluate")
class Evaluate(Stmt):
    """An expression for what it does."""

    __slots__ = ()

    def __new__(cls, value, span=None):
        return _core.make("Evaluate", value)


@register("BufferRegion")
class BufferRegion(Object, Scriptable):
    """A part of a buffer."""

    __slots__ = ()

    def __new__(cls, buffer, region):
        return _core.make("BufferRegion", buffer, region)


@register("MatchBufferRegion")
class MatchBufferRegion(Object, Scriptable):
    """A buffer that stands for a part of another."""

    __slots__ = ()

    def __new__(cls, buffer, source):
        return _core.make("MatchBufferRegion", buffer, source)


@register("Block")
class Block(Stmt):
    """A block: iteration variables, what is read and written, and a body."""

    __slots__ = ()

    def __new__(cls, iter_vars, reads, writes, name_hint, body, init=None, alloc_buffers=None, match_buffers=None, annotations=None, span=None):
        return _core.make("Block", iter_vars, alloc_buffers or [], match_buffers or [], reads, writes, name_hint, annotations, init, body)


@register("BlockRealize")
class BlockRealize(Stmt):
    """A block with the values of its iteration variables."""

    __slots__ = ()

    def __new__(cls, iter_values, predicate, block, span=None):
        return _core.make("BlockRealize", iter_values, predicate, block)


def stmt_seq(*args):
    """Statements and expressions as one statement."""
    items = [x if isinstance(x, Stmt) else Evaluate(x) for x in args]
    return items[0] if len(items) == 1 else SeqStmt(items)


def stmt_list(stmt):
    """The statements of a sequence."""
    if isinstance(stmt, SeqStmt):
        return [y for x in stmt for y in stmt_list(x)]
    return [stmt]
