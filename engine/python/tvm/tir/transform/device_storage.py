"""LowerDeviceStorageAccessInfo: memory of a scope that a device describes is no allocation of the program.

The scope's tag (global.vtcm is none, global.mine is one) names a registered function tvm.info.mem.SCOPE that tells of the
memory.  With an address the allocation is a binding to it; without one the processor does not see the memory, and the
allocation and what declares buffers in it go.  T.tvm_access_ptr becomes an address."""
import _loopscope as _core

from ...target.memory_info import memory_info
from .each import each_function, with_body

_PLAIN_TAGS = ("", "dyn", "workspace", "vtcm")


def _tag(scope):
    return scope.partition(".")[2]


class _Lowering:
    """One function: what is known of the memory behind each pointer."""

    def __init__(self):
        self._known = {}

    def rewrite(self, body):
        """The body without the memory of devices."""
        return _core.transform(body, self._enter, self._leave, ["Allocate", "DeclBuffer", "Call"])

    def _enter(self, node):
        if _core.kind(node) != "Allocate":
            return None
        scope = node.buffer_var.type_annotation.storage_scope
        if _tag(scope) not in _PLAIN_TAGS:
            info = memory_info(scope)
            if info is None:
                raise ValueError(f"Cannot find memory info of {scope}")
            self._known[_core.address(node.buffer_var)] = info
        return None

    def _leave(self, node):
        return getattr(self, "_" + _core.kind(node))(node)

    def _Allocate(self, node):
        from ..stmt import LetStmt

        info = self._known.get(_core.address(node.buffer_var))
        if info is None:
            return node
        return node.body if info.head_address is None else LetStmt(node.buffer_var, info.head_address, node.body)

    def _DeclBuffer(self, node):
        info = self._known.get(_core.address(node.buffer.data))
        return node.body if info is not None and info.head_address is None else node

    def _Call(self, node):
        if getattr(node.op, "name", "") != "tir.tvm_access_ptr":
            return node
        from .. import BufferLoad, Cast, decl_buffer, op

        dtype, pointer, offset = node.args[0].dtype, node.args[1], node.args[2]
        info = self._known.get(_core.address(pointer))
        if info is None:
            return op.address_of(BufferLoad(decl_buffer([offset + 1], dtype, pointer.name, data=pointer), [offset]))
        bits = _bits(dtype)
        if info.unit_bits % bits:
            raise ValueError(f"memory of {info.unit_bits} bits a unit holds no {dtype}")
        return Cast(node.dtype, op.floordiv(offset, info.unit_bits // bits))


def _bits(dtype):
    from ...runtime import DataType

    parsed = DataType(dtype)
    return parsed.bits * parsed.lanes


def LowerDeviceStorageAccessInfo():
    """Replaces memory that a device describes by its address."""
    return each_function("LowerDeviceStorageAccessInfo", lambda func, ctx: with_body(func, _Lowering().rewrite(func.body)))
