"""UnrollLoop with its options: which loops are written out, which are only marked, which stay.

A loop of kind unrolled always is; a serial one of constant extent is where nothing inside stays a loop, where not more
than auto_max_depth are unrolled inside, and where all its statements together are at most auto_max_step or its extent
is at most auto_max_extent; an auto_max_extent of 1 takes every loop of one round away.
Without explicit_unroll the loop is marked for the code generator.  The attributes
pragma_auto_unroll_max_step and pragma_unroll_explicit set the options of what they stand around.  The writing out
itself is the engine's pass."""
import _loopscope as _core

from ...ir.transform import PassInfo, ModulePass
from .each import with_body

_PRAGMAS = {"pragma_auto_unroll_max_step": "auto_max_step", "pragma_unroll_explicit": "explicit_unroll"}
_DEFAULTS = {"auto_max_step": 0, "auto_max_depth": 8, "auto_max_extent": 0, "explicit_unroll": True, "unroll_local_access": False}


class _Marker:
    """Counts statements from the inside out and decides loop by loop."""

    def __init__(self, options):
        self.options = dict(options)
        self.steps = self.depth = self.loops = 0

    def rewrite(self, body):
        """The statement with the kinds of its loops decided."""
        return _core.transform(body, self._enter, None, ["For", "AttrStmt", "BufferStore", "Evaluate", "SeqStmt"])

    def _enter(self, node):
        return getattr(self, "_" + _core.kind(node))(node)

    def _count(self, node):
        self.steps += 1
        return node

    _BufferStore = _Evaluate = _count

    def _AttrStmt(self, node):
        from ..stmt import AttrStmt

        option = _PRAGMAS.get(node.attr_key)
        if option is None:
            return AttrStmt(node.node, node.attr_key, node.value, self.rewrite(node.body))
        before = self.options[option]
        self.options[option] = type(before)(int(node.value))
        body = self.rewrite(node.body)
        self.options[option] = before
        return body

    def _SeqStmt(self, node):
        from ..stmt import SeqStmt

        total, parts = [0, 0, 0], []
        for part in node.seq:
            self.steps = self.depth = self.loops = 0
            parts.append(self.rewrite(part))
            total = [total[0] + self.steps, max(total[1], self.depth), max(total[2], self.loops)]
        self.steps, self.depth, self.loops = total
        return SeqStmt(parts)

    def _is_local(self, loop):
        """Does the variable of the loop choose an element in local memory?"""
        found = []

        def enter(node):
            if _core.kind(node) in ("BufferLoad", "BufferStore") and node.buffer.scope() == "local":
                for index in node.indices:
                    _core.walk(index, None, lambda n: found.append(n) if n.same_as(loop.loop_var) else None)
            return True

        _core.walk(loop.body, enter, None)
        return bool(found)

    def _For(self, loop):
        from ...arith import Analyzer
        from ..stmt import For, ForKind
        from ..stmt_functor import substitute

        body = self.rewrite(loop.body)
        extent, options = Analyzer().simplify(loop.extent), self.options
        value = int(extent) if _core.kind(extent) == "IntImm" else -1
        unrolled = (loop.kind == ForKind.SERIAL and value >= 0 and self.loops == 0 and self.depth <= options["auto_max_depth"]
                    and (value * self.steps <= options["auto_max_step"] or value <= options["auto_max_extent"]))
        if options["unroll_local_access"] and loop.kind == ForKind.SERIAL and value >= 0 and self._is_local(loop):
            unrolled = True
        single = value == 1 and options["auto_max_extent"] == 1 and loop.kind in (ForKind.SERIAL, ForKind.UNROLLED)
        unrolled = unrolled or single or loop.kind == ForKind.UNROLLED
        if unrolled:
            self.steps *= max(value, 1)
            self.depth += 1
        else:
            self.loops += 1
        if single:
            return substitute(body, {loop.loop_var: loop.min})
        kind = ForKind.UNROLLED if unrolled else loop.kind
        expand = unrolled and options["explicit_unroll"] and value >= 0
        annotations = dict(loop.annotations or {})
        if expand:
            annotations["tir.expand"] = 1
        return For(loop.loop_var, loop.min, extent if unrolled else loop.extent, kind, body, loop.thread_binding, annotations)


def _set_aside(body, aside):
    """Loops that are only marked become serial for a while (aside), and get their kind back."""
    from ..stmt import For, ForKind

    def change(loop):
        notes = dict(loop.annotations or {})
        if aside and loop.kind == ForKind.UNROLLED:
            kind = ForKind.UNROLLED if notes.pop("tir.expand", None) is not None else ForKind.SERIAL
            if kind == ForKind.SERIAL:
                notes["tir.marked"] = 1
        elif not aside and notes.pop("tir.marked", None) is not None:
            kind = ForKind.UNROLLED
        else:
            return None
        return For(loop.loop_var, loop.min, loop.extent, kind, loop.body, loop.thread_binding, notes)

    return _core.transform(body, None, change, ["For"])


def UnrollLoop():
    """Writes loops out.  PassContext(config={"tir.UnrollLoop": {...}}) has auto_max_step, auto_max_depth, auto_max_extent,
    explicit_unroll and unroll_local_access."""
    def run(mod, ctx):
        options = {**_DEFAULTS, **(ctx.config.get("tir.UnrollLoop") or {})}

        def decided(func):
            return with_body(func, _set_aside(_Marker(options).rewrite(func.body), True))

        marked = _each(mod, decided)
        return _each(_core.run_pass("UnrollLoop", marked), lambda f: with_body(f, _set_aside(f.body, False)))

    return ModulePass(run, PassInfo(0, "tir.UnrollLoop"))


def _each(mod, change):
    result = mod.clone()
    for var, func in mod.functions.items():
        if _core.kind(func) == "PrimFunc":
            result[var] = change(func)
    return result
