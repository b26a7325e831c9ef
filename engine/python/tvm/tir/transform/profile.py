"""InstrumentProfileIntrinsics: marks where measuring begins and ends around functions and loops.

Functions and loops are numbered from the outside in, loops as they are met; a loop is measured where it has loops beside
it (tir.instr_siblings), or else where it is not nested deeper than tir.lwp_max_depth; never where less than
tir.lwp_min_height loops are inside, nor inside of a parallel loop."""
import _loopscope as _core

from ...ir import transform as _transform
from .each import with_body

_next = [0]


class _Loop:
    """What is known of a loop: its number, how deep it is, how many loops are inside."""

    def __init__(self, depth, in_parallel):
        self.id, _next[0] = _next[0], _next[0] + 1
        self.depth, self.in_parallel, self.height, self.beside = depth, in_parallel, 0, False


class _Numbering:
    """Numbers the loops of a function.  Inside a loop only what stands there directly is looked at: sequences, branches,
    bindings, attributes and allocations are passed, blocks are not."""

    def __init__(self, body):
        self.loops = {}
        _core.walk(body, self._outermost, None)

    def _outermost(self, node):
        if _core.kind(node) != "For":
            return None
        loop = self.loops[_core.address(node)] = _Loop(0, False)
        loop.height = self._height(node.body, 0, False)
        return False

    def _meet(self, node, depth, parallel):
        loop = self.loops[_core.address(node)] = _Loop(depth + 1, parallel)
        loop.height = self._height(node.body, depth + 1, parallel or int(node.kind) == 1)
        return loop

    def _height(self, stmt, depth, parallel):
        kind = _core.kind(stmt)
        if kind == "For":
            return self._meet(stmt, depth, parallel).height + 1
        if kind == "SeqStmt":
            return self._of_sequence(stmt, depth, parallel)
        if kind == "IfThenElse":
            branches = [stmt.then_case] + ([stmt.else_case] if stmt.else_case is not None else [])
            return max(self._height(branch, depth, parallel) for branch in branches)
        if kind in ("LetStmt", "AttrStmt", "Allocate"):
            return self._height(stmt.body, depth, parallel)
        return 0

    def _of_sequence(self, stmt, depth, parallel):
        loops, height = [], 0
        for part in stmt.seq:
            if _core.kind(part) == "For":
                loops.append(self._meet(part, depth, parallel))
                height = loops[-1].height = max(height, loops[-1].height)
        for loop in loops if len(loops) > 1 else []:
            loop.beside = True
        return height + 1 if loops else height


def _measured(stmt, number):
    from .. import Call, Evaluate, SeqStmt
    from ...ir import Op

    marks = [Evaluate(Call("handle", Op.get(f"tir.{end}_profile_intrinsic"), [number])) for end in ("start", "end")]
    return SeqStmt([marks[0], stmt, marks[1]])


def _instrument(func, depth, height, siblings, functions):
    from .. import SeqStmt

    number, _next[0] = _next[0], _next[0] + 1
    loops = _Numbering(func.body).loops

    def rewrite(body):
        return _core.transform(body, enter, None, ["For", "SeqStmt"])

    def enter(node):
        from ..stmt import For

        if _core.kind(node) == "SeqStmt":
            return SeqStmt([rewrite(part) for part in node.seq])
        loop, body = loops.get(_core.address(node)), rewrite(node.body)
        after = node if body.same_as(node.body) else For(node.loop_var, node.min, node.extent, node.kind, body, node.thread_binding, node.annotations)
        if loop is None or loop.in_parallel or loop.height < height or (not loop.beside if siblings else loop.depth > depth):
            return after
        return _measured(after, loop.id)

    body = rewrite(func.body)
    return with_body(func, _measured(body, number) if functions else body)


def InstrumentProfileIntrinsics():
    """Marks where measuring begins and ends around functions and loops."""
    def run(mod, ctx):
        from ..function import PrimFunc

        option = ctx.config.get
        if option("tir.reset_start_id"):
            _next[0] = 0
        result = mod.clone()
        for var, func in mod.functions.items():
            if isinstance(func, PrimFunc):
                result[var] = _instrument(func, int(option("tir.lwp_max_depth") or 0), int(1 if option("tir.lwp_min_height") is None else option("tir.lwp_min_height")),
                                          bool(True if option("tir.instr_siblings") is None else option("tir.instr_siblings")), not option("tir.lwp_disable_func_prof"))
        return result

    return _transform.ModulePass(run, _transform.PassInfo(0, "tir.InstrumentProfileIntrinsics"))
