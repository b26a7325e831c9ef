"""Where variables are made and used, and what is done under threads."""
import _loopscope as _core

from .checks import _is_thread


class _Scopes:
    """A walk in the order of the program that knows which variables exist."""

    def __init__(self, defs):
        self.known, self.found = {_core.address(v): v for v in defs or []}, {}

    def use(self, var):
        if _core.address(var) not in self.known:
            self.found.setdefault(_core.address(var), var)

    def buffer(self, buffer):
        for expr in (buffer.data, *buffer.shape, *buffer.strides, buffer.elem_offset):
            if expr is not None:
                self.visit(expr)

    def inside(self, variables, *parts):
        """Parts that see these variables."""
        before = dict(self.known)
        self.known.update((_core.address(v), v) for v in variables)
        for part in parts:
            if part is not None:
                self.visit(part)
        self.known = before

    def visit(self, node):
        """One node and what is below it."""
        from ..expr import Var

        def enter(n):
            kind = _core.kind(n)
            if isinstance(n, Var):
                self.use(n)
            elif kind == "For":
                self.visit(n.min)
                self.visit(n.extent)
                self.inside([n.loop_var], n.body)
            elif kind in ("Let", "LetStmt"):
                self.visit(n.value)
                self.inside([n.var], n.body)
            elif kind in ("Allocate", "AllocateConst"):
                for extent in n.extents:
                    self.visit(extent)
                self.inside([n.buffer_var], n.condition if kind == "Allocate" else None, n.body)
            elif _is_thread(n):
                self.visit(n.value)
                self.inside([n.node.var], n.body)
            elif kind == "Block":
                self.block(n)
            elif kind in ("BufferLoad", "BufferStore", "BufferRegion", "DeclBuffer"):
                self.buffer(n.buffer)
                return True
            elif kind == "PrimFunc":
                self.function(n)
            else:
                return True
            return False

        _core.walk(node, enter, None)

    def block(self, block):
        iters = [v.var for v in block.iter_vars]
        for v in block.iter_vars:
            self.visit(v.dom.min)
            self.visit(v.dom.extent)
        made = [b.data for b in block.alloc_buffers]
        for match in block.match_buffers:
            b = match.buffer
            made += [v for v in (b.data, *b.strides, b.elem_offset) if _core.kind(v) in ("Var", "SizeVar")]
        self.inside(iters + made, *block.reads, *block.writes, *[m.source for m in block.match_buffers], block.init, block.body)

    def function(self, func):
        made = list(func.params)
        for b in func.buffer_map.values():
            made += [v for v in (b.data, *b.shape, *b.strides, b.elem_offset) if _core.kind(v) in ("Var", "SizeVar")]
        self.inside(made, func.body)


def undefined(node, defs=None):
    """The variables that are used where they do not exist."""
    scopes = _Scopes(defs)
    scopes.visit(node)
    return list(scopes.found.values())


def outside_of_threads(func):
    """The buffers from outside that a function for a GPU accesses on the host."""
    target = (func.attrs or {}).get("target")
    if target is None or getattr(target, "kind", None) is None or "gpu" not in target.keys:
        return []
    own = [v for v in func.params if v.dtype == "handle"] + [b.data for b in func.buffer_map.values()]
    outer, found, depth = {_core.address(v) for v in own}, [], [0]

    def threads(node):
        return _is_thread(node) or _core.kind(node) == "For" and node.thread_binding is not None

    def enter(node):
        depth[0] += threads(node)
        if _core.kind(node) == "LetStmt" and any(_core.uses(node.value, v) for v in own) and node.var.dtype == "handle":
            outer.add(_core.address(node.var))
            own.append(node.var)
        if _core.kind(node) in ("BufferLoad", "BufferStore") and not depth[0] and _core.address(node.buffer.data) in outer:
            found.append(node.buffer)
        return True

    def leave(node):
        depth[0] -= threads(node)

    _core.walk(func.body, enter, leave)
    return found
