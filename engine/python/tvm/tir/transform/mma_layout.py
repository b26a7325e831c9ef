"""TransformMmaBufferLayout: what a warp's tensor cores hold becomes registers of each thread.

Memory of the scopes m16n8k8.matrixA, .matrixB and .matrixC is made of small blocks (32 x 8, 8 x 32 and 16 x 8), of which a
thread has a few elements: an array of blocks in registers takes its place.  An element of matrixC is found in it by the map
below; A and B are only handed on to instructions that know the order."""
import _loopscope as _core

from ...error import TVMError as _TVMError
from .each import each_function, with_body

# rows and columns of a block, and the shape of what a thread has of it
_BLOCKS = {"m16n8k8.matrixA": ((32, 8), (4, 2)), "m16n8k8.matrixB": ((8, 32), (1, 8)), "m16n8k8.matrixC": ((16, 8), (2, 2))}


def matrix_c_place(i, j):
    """Where an element of matrixC stands: its block, and its place in the thread that has it."""
    return [(i // 8) // 2, j // 8, (i // 8) % 2, (j % 8) % 2]


class _Layouts:
    """One function."""

    def __init__(self):
        self._buffers, self._data = {}, {}

    def rewrite(self, body):
        """The body with registers."""
        return _core.transform(body, self._enter, self._leave, ["Block", "BufferStore", "BufferLoad", "Var"])

    def _registers(self, buffer):
        from .. import decl_buffer

        scope = buffer.scope()
        if scope not in _BLOCKS:
            return
        block, own = _BLOCKS[scope]
        extents = [int(n) if _core.kind(n) == "IntImm" else 0 for n in buffer.shape[-2:]]
        if len(extents) != 2 or any(n == 0 or n % of != 0 for n, of in zip(extents, block)):
            raise _TVMError(f"TransformMmaBufferLayout: {buffer.name} of the scope {scope} has blocks of {block[0]} x {block[1]}, which its shape {list(buffer.shape)} does not hold")
        fresh = decl_buffer([*buffer.shape[:-2], *(n // of for n, of in zip(extents, block)), *own], buffer.dtype, buffer.name, scope="local",
                            axis_separators=buffer.axis_separators)
        self._buffers[_core.address(buffer)] = (buffer, fresh)
        self._data[_core.address(buffer.data)] = fresh.data

    def _enter(self, node):
        if _core.kind(node) == "Block":
            for buffer in node.alloc_buffers:
                self._registers(buffer)
        return None

    def _leave(self, node):
        return getattr(self, "_" + _core.kind(node))(node)

    def _Var(self, node):
        return self._data.get(_core.address(node), node)

    def _Block(self, node):
        from ..stmt import Block

        allocs = [self._buffers.get(_core.address(buffer), (None, buffer))[1] for buffer in node.alloc_buffers]
        return Block(node.iter_vars, node.reads, node.writes, node.name_hint, node.body, node.init, allocs, node.match_buffers, node.annotations)

    def _place(self, node):
        old, fresh = self._buffers.get(_core.address(node.buffer), (None, None))
        if fresh is None:
            return None, None
        if old.scope() != "m16n8k8.matrixC":
            raise _TVMError(f"TransformMmaBufferLayout: {old.name} of the scope {old.scope()} is handed to ldmatrix and mma by its pointer; its elements have no place of their own")
        if len(node.indices) != 2:
            raise _TVMError(f"TransformMmaBufferLayout: an element of {old.name} has two indices, not {len(node.indices)}")
        return fresh, matrix_c_place(*node.indices)

    def _BufferStore(self, node):
        from ..stmt import BufferStore

        buffer, indices = self._place(node)
        return node if buffer is None else BufferStore(buffer, node.value, indices)

    def _BufferLoad(self, node):
        from ..expr import BufferLoad

        buffer, indices = self._place(node)
        return node if buffer is None else BufferLoad(buffer, indices)


def _used(body):
    found = []
    _core.walk(body, None, lambda node: found.extend(b for b in node.alloc_buffers if b.scope() in _BLOCKS) if _core.kind(node) == "Block" else None)
    return found


def TransformMmaBufferLayout():
    """Keeps in registers what a warp's tensor cores hold, and finds elements of matrixC in them."""
    return each_function("TransformMmaBufferLayout", lambda func, ctx: with_body(func, _Layouts().rewrite(func.body)) if _used(func.body) else func)
