"""detect_buffer_access_lca: the innermost loop or block around all accesses of each buffer.

The scopes are loops, thread attributes and blocks.  A block that reduces writes what it reduces into at the scope around
the outermost of its reduction loops; what it reads or writes by an ordered or opaque block variable counts at the scope
around the loops of that variable.  Buffers in global memory reach as far out as the binding to blockIdx."""
import _loopscope as _core


class _Scope:
    def __init__(self, outer, stmt):
        self.outer, self.stmt = outer, stmt
        self.depth = 0 if outer is None else outer.depth + 1


def _common(a, b):
    while a is not b:
        if a.depth >= b.depth:
            a = a.outer
        else:
            b = b.outer
    return a


def _variables(expr):
    found = []
    _core.walk(expr, None, lambda n: found.append(_core.address(n)) if _core.kind(n) == "Var" else None)
    return found


class _Finder:
    def __init__(self, func):
        self.func = func
        self.root = _Scope(None, None)
        self.now = self.root
        self.loops, self.data, self.views, self.block_indices = {}, {}, set(), []
        self.result = {}

    def reach(self, buffer, scope):
        if _core.address(buffer) in self.views:
            return
        known = self.result.get(buffer)
        self.result[buffer] = scope if known is None else _common(known, scope)

    def enter(self, node):
        kind = _core.kind(node)
        if kind == "For":
            self.now = _Scope(self.now, node)
            self.loops[_core.address(node.loop_var)] = self.now
            if node.thread_binding is not None and node.thread_binding.thread_tag.startswith("blockIdx"):
                self.block_indices.append(self.now)
        elif kind == "AttrStmt" and node.attr_key == "thread_extent":
            self.now = _Scope(self.now, node)
            self.loops[_core.address(node.node.var)] = self.now
            if node.node.thread_tag.startswith("blockIdx"):
                self.block_indices.append(self.now)
        elif kind == "BlockRealize":
            self.now = _Scope(self.now, node.block)
            self._block(node)
        elif kind in ("BufferLoad", "BufferStore"):
            self.reach(node.buffer, self.now)
        elif kind == "Var" and _core.address(node) in self.data:
            self.reach(self.data[_core.address(node)], self.now)
        return True

    def leave(self, node):
        kind = _core.kind(node)
        if kind in ("For", "BlockRealize") or kind == "AttrStmt" and node.attr_key == "thread_extent":
            self.now = self.now.outer

    def _block(self, realize):
        block = realize.block
        for buffer in block.alloc_buffers:
            self.data[_core.address(buffer.data)] = buffer
        above, reduction = {}, None
        for var, value in zip(block.iter_vars, realize.iter_values):
            if var.iter_type == var.DataPar:
                continue
            for name in _variables(value):
                if name not in self.loops:
                    continue
                scope = self.loops[name].outer
                if var.iter_type == var.CommReduce:
                    reduction = scope if reduction is None or scope.depth < reduction.depth else reduction
                else:
                    known = above.get(_core.address(var.var))
                    above[_core.address(var.var)] = scope if known is None or scope.depth < known.depth else known
        for regions, written in ((block.reads, False), (block.writes, True)):
            for region in regions:
                scope = self.now
                if above:
                    for r in region.region:
                        for name in _variables(r.min) + _variables(r.extent):
                            if name in above and above[name].depth < scope.depth:
                                scope = above[name]
                if written and reduction is not None and reduction.depth < scope.depth:
                    scope = reduction
                if scope is not self.now:
                    self.reach(region.buffer, scope)
        for match in block.match_buffers:
            self.reach(match.source.buffer, self.now)
            self.views.add(_core.address(match.buffer))
            self.views.add(_core.address(match.buffer.data))


def detect_buffer_access_lca(func):
    """{buffer: the statement that all its accesses stand in, or None: the whole function}."""
    finder = _Finder(func)
    for buffer in func.buffer_map.values():
        finder.data[_core.address(buffer.data)] = buffer
    _core.walk(func.body, finder.enter, finder.leave)
    for buffer, scope in finder.result.items():
        if buffer.scope() in ("", "global"):
            for bound in finder.block_indices:
                scope = _common(scope, bound)
        finder.result[buffer] = scope
    return {buffer: scope.stmt for buffer, scope in finder.result.items()}
