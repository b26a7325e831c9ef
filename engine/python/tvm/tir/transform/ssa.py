"""ConvertSSA: every variable of a module gets one definition.

Parameters and threads belong to a whole function: where another function has them already, the function is renewed with
others, and the buffers that live on them.  Inside, a loop, a binding or an allocation of a variable that has a definition
gets a variable of its own; the inner ones are renewed first, so that each use finds the innermost definition."""
import _loopscope as _core

from .removal import each_function

_DEFINED = {"For": "loop_var", "LetStmt": "var", "Let": "var", "Allocate": "buffer_var", "AllocateConst": "buffer_var"}


def _is_thread(node):
    return _core.kind(node) == "AttrStmt" and node.attr_key in ("thread_extent", "virtual_thread") and _core.kind(node.node) == "IterVar"


def _fresh(var):
    from ..expr import Var

    annotation = getattr(var, "type_annotation", None)
    return Var(var.name, annotation if annotation is not None and var.dtype == "handle" else var.dtype)


class _Renaming:
    """Variables, and the buffers that live on them, replaced by others."""

    def __init__(self, variables):
        self.variables = variables
        self.by_address = {_core.address(old): new for old, new in variables.items()}
        self.buffers = {}

    def buffer(self, old):
        from ..buffer import decl_buffer

        known = self.buffers.get(_core.address(old))
        if known is None:
            data = self.by_address.get(_core.address(old.data), old.data)
            shape = [_core.substitute(e, self.variables) for e in old.shape]
            strides = [_core.substitute(e, self.variables) for e in old.strides]
            offset = _core.substitute(old.elem_offset, self.variables)
            new = old
            if not all(a.same_as(b) for a, b in zip([data, offset, *shape, *strides], [old.data, old.elem_offset, *old.shape, *old.strides])):
                new = decl_buffer(shape, old.dtype, old.name, data, strides or None, offset, old.scope(), old.data_alignment, old.offset_factor,
                                  axis_separators=old.axis_separators)
            known = self.buffers[_core.address(old)] = (old, new)
        return known[1]

    def _change(self, node):
        from ..expr import BufferLoad, IterVar
        from ..stmt import AttrStmt, BufferRegion, BufferStore, DeclBuffer

        kind = _core.kind(node)
        if kind == "AttrStmt":
            var = self.by_address.get(_core.address(node.node.var)) if _core.kind(node.node) == "IterVar" else None
            if var is None:
                return None
            old = node.node
            return AttrStmt(IterVar(old.dom, var, old.iter_type, old.thread_tag), node.attr_key, node.value, node.body)
        new = self.buffer(node.buffer)
        if new.same_as(node.buffer):
            return None
        if kind == "BufferLoad":
            return BufferLoad(new, node.indices)
        if kind == "BufferStore":
            return BufferStore(new, node.value, node.indices)
        return BufferRegion(new, node.region) if kind == "BufferRegion" else DeclBuffer(new, node.body)

    def __call__(self, node):
        kinds = ["AttrStmt", "BufferLoad", "BufferStore", "DeclBuffer", "BufferRegion"]
        return _core.substitute(_core.transform(node, None, self._change, kinds), self.variables)


class _Converter:
    def __init__(self):
        self.seen = {}

    def define(self, var):
        """Is it the first definition of the variable?"""
        first = _core.address(var) not in self.seen
        self.seen[_core.address(var)] = var
        return first

    def function(self, func):
        from ..function import PrimFunc

        buffers = dict(func.buffer_map.items())
        owned = list(func.params) + [b.data for b in buffers.values()]
        known = set()

        def note(node):
            if _is_thread(node) and _core.address(node.node.var) not in known:
                owned.append(node.node.var)
            known.update([_core.address(node.node.var)] if _is_thread(node) else [])
            return True

        _core.walk(func.body, note, None)
        renamed = {var: _fresh(var) for var in owned if not self.define(var)}
        body, params, result = func.body, list(func.params), func
        if renamed:
            renaming = _Renaming(renamed)
            for var in renamed.values():
                self.define(var)
            body = renaming(body)
            params = [renamed.get(p, p) for p in params]
            buffers = {renamed.get(p, p): renaming.buffer(b) for p, b in buffers.items()}
        body = self.convert(body)
        if renamed or not body.same_as(func.body):
            result = PrimFunc(params, body, func.ret_type, buffers, func.attrs)
        return result

    def convert(self, node):
        """The statement with renewed definitions inside."""
        return _core.transform(node, self._definition, None, list(_DEFINED))

    def _definition(self, node):
        """A definition: its scope is renewed inside, then told of its own new variable.  Values and extents stand outside."""
        var = old = getattr(node, _DEFINED[_core.kind(node)])
        first = self.define(old)
        value = self.convert(node.value) if _core.kind(node) in ("LetStmt", "Let") else None
        body = self.convert(node.body)
        if not first:
            var = _fresh(old)
            self.define(var)
            body = _Renaming({old: var})(body)
        elif body.same_as(node.body) and (value is None or value.same_as(node.value)):
            return node
        return _with_parts(node, var, value, body)


def _with_parts(node, var, value, body):
    from .. import expr, stmt

    kind = _core.kind(node)
    if kind in ("LetStmt", "Let"):
        return (stmt.LetStmt if kind == "LetStmt" else expr.Let)(var, value, body)
    if kind == "For":
        return stmt.For(var, node.min, node.extent, node.kind, body, node.thread_binding, node.annotations)
    if kind == "Allocate":
        return stmt.Allocate(var, node.dtype, node.extents, node.condition, body, node.annotations)
    return stmt.AllocateConst(var, node.dtype, node.extents, node.data, body, node.annotations)


def ConvertSSA():
    """Gives every variable one definition."""
    from ...ir import transform as _transform

    def run(mod, ctx):
        converter = _Converter()
        return each_function("ConvertSSA", lambda func, unused: converter.function(func))._func(mod, ctx)

    return _transform.ModulePass(run, _transform.PassInfo(0, "tir.ConvertSSA"))
