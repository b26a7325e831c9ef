"""RewriteLayout: inputs that may be laid out freely are copied into the order in which the program runs through them.

    func attribute layout_free_buffers (numbers of parameters), annotation layout_free_placeholders of blocks (buffers)
    for each of them: the last read of it says, with the loops around it, the layout (suggest_index_map); a copy in that layout is put
    in front.  Where copies (cache_read) stand between the input and what computes, all of them get the layout.

The copy is marked with meta_schedule.layout_rewrite_preproc.  Source: TVM v0.20's postprocessor of this name.
"""
import _loopscope as _core

from ..error import TVMError
from ..tir import PrimFunc
from ..tir.schedule.analysis import suggest_index_map
from ..tir.stmt_functor import post_order_visit, pre_order_visit, substitute

_MARK = "meta_schedule.layout_rewrite_preproc"


def _index_of(regions, buffer):
    return next((i for i, one in enumerate(regions) if one.buffer.same_as(buffer)), -1)


class _LastRead:
    """Where a buffer is read last: the block, the number among its reads, and the layout in which that read goes on."""

    def __init__(self, buffer, body):
        self.buffer, self.loops, self.realizes, self.found = buffer, [], [], None
        _core.walk(body, self._enter, self._leave)

    def _enter(self, node):
        kind = _core.kind(node)
        if kind == "For":
            self.loops.append(node)
        elif kind == "BlockRealize":
            self.realizes.append(node)
        elif kind == "BufferLoad" and node.buffer.same_as(self.buffer):
            self._look(node)
        return True

    def _leave(self, node):
        if _core.kind(node) == "For":
            self.loops.pop()
        elif _core.kind(node) == "BlockRealize":
            self.realizes.pop()

    def _look(self, load):
        if not self.realizes:
            raise TVMError("a buffer is read where no block is around")
        realize = self.realizes[-1]
        at = _index_of(realize.block.reads, self.buffer)
        if at < 0:
            raise TVMError(f"block {realize.block.name_hint} does not say that it reads {self.buffer.name}")
        values = {var.var: value for var, value in zip(realize.block.iter_vars, realize.iter_values)}
        indices = [substitute(one, values) for one in load.indices]
        self.found = (realize.block.name_hint, at, suggest_index_map(self.buffer, indices, self.loops, realize.predicate))


def _free_buffers(func):
    attrs = func.attrs or {}
    found = [func.buffer_map[func.params[int(i)]] for i in (attrs["layout_free_buffers"] if "layout_free_buffers" in attrs else ())]

    def visit(node):
        if _core.kind(node) == "Block" and "layout_free_placeholders" in node.annotations:
            found.extend(one for one in node.annotations["layout_free_placeholders"] if not any(one.same_as(known) for known in found))

    post_order_visit(func.body, visit)
    return found


def _copies_of(buffer, body):
    """Names of the blocks that only read the buffer, of those that only read what they write, and so on."""
    names, current = [], [buffer]

    def visit(node):
        if (_core.kind(node) == "Block" and node.init is None and len(node.reads) == len(node.writes) == 1
                and node.reads[0].buffer.same_as(current[0])):
            names.append(node.name_hint)
            current[0] = node.writes[0].buffer
        return True

    pre_order_visit(body, visit)
    return names


def _put_copy(sch, block, index):
    sch.annotate(sch.cache_read(block, index, "global"), _MARK, True)


def _rewrite(sch, name, func, buffer):
    copies = _copies_of(buffer, func.body)
    read = sch.get(sch.get_block(copies[-1], name)).writes[0].buffer if copies else buffer
    found = _LastRead(read, func.body).found
    if found is None or found[2] is None:
        return
    anchor, index, layout = found
    block = sch.get_block(anchor, name)
    if not copies:
        _put_copy(sch, block, index)
    sch.transform_layout(block, ("read", index), layout)
    for i in reversed(range(len(copies))):
        copy = sch.get_block(copies[i], name)
        if i == 0:
            _put_copy(sch, copy, 0)
        sch.transform_layout(copy, ("read", 0), layout)


def rewrite_layouts(sch):
    """Does it for all functions; TVMError: a step was refused."""
    for var, func in list(sch.mod.functions.items()):
        if isinstance(func, PrimFunc):
            for buffer in _free_buffers(func):
                _rewrite(sch, var.name_hint, func, buffer)
