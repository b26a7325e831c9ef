"""InjectPTXLDG32: a guarded element of global memory is fetched by one instruction instead of a branch.

    C[i] = T.if_then_else(p, A[j], 0)    ->    addr[0] = j
                                               addr[1] = i
                                               predicate[0] = p
                                               C[i] = 0, where addr[1] names i
                                               T.ptx_ldg32("float32", C.data, predicate[0], A[addr[0]], addr[1])

The instruction reads by way of the cache of what never changes: only float32 that the function does not write is fetched so, and only in kernels of
CUDA (or where no target is said).  The places and the guard have buffers of their own around the first allocation, or around the body of the threads."""
import _loopscope as _core

from .each import each_function, with_body


def _local(name, dtype, extent):
    """A buffer in registers; a pointer to booleans is one to bytes."""
    from ...ir import PointerType, PrimType
    from .. import Var, decl_buffer

    pointer = PointerType(PrimType("int8" if dtype == "bool" else dtype), "local")
    return decl_buffer([extent], dtype, name, data=Var(name, pointer), scope="local")


class _Fetches:
    """One function while its stores are looked at."""

    def __init__(self, written):
        self._written, self.count = written, 0
        self.places, self.guard = _local("addr", "int32", 2), _local("predicate", "bool", 1)

    def store(self, node):
        """What takes the place of a store; None: it stays."""
        from .. import BufferLoad, BufferStore, Call, Evaluate, SeqStmt

        parts = self._guarded(node)
        if parts is None:
            return None
        condition, load, other = parts
        self.count += 1
        here = BufferLoad(self.places, [1])
        fetched = BufferLoad(load.buffer, [BufferLoad(self.places, [0])])
        fetch = Call(node.buffer.dtype, "tir.ptx_ldg32", [node.buffer.data, BufferLoad(self.guard, [0]), fetched, here])
        return SeqStmt([BufferStore(self.places, load.indices[0], [0]), BufferStore(self.places, node.indices[0], [1]),
                        BufferStore(self.guard, condition, [0]), BufferStore(node.buffer, other, [here]), Evaluate(fetch)])

    def _guarded(self, node):
        """(condition, load, what stands otherwise); None: the store is no guarded element."""
        from .. import BufferLoad, Not, Ramp

        call = node.value
        if _core.kind(call) != "Call" or getattr(call.op, "name", "") != "tir.if_then_else" or node.buffer.dtype != "float32":
            return None
        condition, first, second = call.args
        turned = not isinstance(first, BufferLoad)
        load, other = (second, first) if turned else (first, second)
        if not isinstance(load, BufferLoad) or _core.kind(other) not in ("FloatImm", "IntImm") or load.buffer.scope() != "global":
            return None
        if len(load.indices) != 1 or len(node.indices) != 1 or any(isinstance(i, Ramp) or i.dtype != "int32" for i in (load.indices[0], node.indices[0])):
            return None
        if any(load.buffer.data.same_as(one) for one in self._written):
            return None
        return Not(condition) if turned else condition, load, other

    def around(self, body):
        """The statement with the two buffers."""
        from .. import Allocate, DeclBuffer

        for buffer in (self.places, self.guard):
            body = Allocate(buffer.data, buffer.dtype, buffer.shape, True, DeclBuffer(buffer, body))
        return body


def _written_in(body):
    found = []
    _core.walk(body, None, lambda node: found.append(node.buffer.data) if _core.kind(node) == "BufferStore" else None)
    return found


def _in_threads(body, around):
    """`around` of what stands inside of the threads that a body begins with: each has registers of its own."""
    from .. import AttrStmt, For, ForKind

    if _core.kind(body) == "For" and int(body.kind) == int(ForKind.THREAD_BINDING):
        return For(body.loop_var, body.min, body.extent, body.kind, _in_threads(body.body, around), body.thread_binding, body.annotations)
    if _core.kind(body) == "AttrStmt" and body.attr_key in ("thread_extent", "virtual_thread"):
        return AttrStmt(body.node, body.attr_key, body.value, _in_threads(body.body, around))
    return around(body)


def _rewrite(func, ctx):
    del ctx
    target = (func.attrs or {}).get("target")
    if target is not None and target.kind.name != "cuda":
        return func
    fetches = _Fetches(_written_in(func.body))
    body = _core.transform(func.body, None, fetches.store, ["BufferStore"])
    if not fetches.count:
        return func
    outermost = []
    _core.walk(body, lambda node: not (outermost or (_core.kind(node) == "Allocate" and not outermost.append(node))), None)
    if not outermost:
        return with_body(func, _in_threads(body, fetches.around))
    return with_body(func, _core.transform(body, lambda node: fetches.around(node) if node.same_as(outermost[0]) else None, None, ["Allocate"]))


def InjectPTXLDG32(enable_inject_ptx_intrin=True):
    """Fetches guarded elements of global memory by one instruction."""
    return each_function("InjectPTXLDG32", _rewrite if enable_inject_ptx_intrin else lambda func, ctx: func)
