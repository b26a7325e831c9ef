"""estimate_tir_flops: how many operations a program computes, counted over its extents.

Counted are arithmetic and comparisons of stored values; indices, casts, conditions and calls themselves are free.  Of
two branches the longer one counts.  A loop over an extent that varies runs as often as it can at most.  What a function
says of itself (its attribute estimated_flops) stands."""
import _loopscope as _core

_BINARY = frozenset("Add Sub Mul Div Mod FloorDiv FloorMod Min Max EQ NE LT LE GT GE And Or".split())


class _Counter:
    def __init__(self):
        from ...arith import Analyzer

        self.analyzer = Analyzer()

    def value(self, expr):
        kind = _core.kind(expr)
        if kind in _BINARY:
            return 1 + self.value(expr.a) + self.value(expr.b)
        if kind == "Not":
            return 1 + self.value(expr.a)
        if kind == "Cast":
            return self.value(expr.value)
        if kind == "Select":
            return max(self.value(expr.true_value), self.value(expr.false_value))
        if kind == "Let":
            return self.value(expr.value) + self.value(expr.body)
        if kind == "Call":
            if getattr(expr.op, "name", "") == "tir.if_then_else":
                return max(self.value(expr.args[1]), self.value(expr.args[2]))
            return sum(self.value(arg) for arg in expr.args if _core.kind(arg) != "StringImm")
        return 0

    def stmt(self, node):
        kind = _core.kind(node)
        if kind == "BufferStore":
            return self.value(node.value)
        if kind == "For":
            return self._loop(node)
        if kind == "SeqStmt":
            return sum(self.stmt(s) for s in node.seq)
        if kind == "IfThenElse":
            return max(self.stmt(node.then_case), 0 if node.else_case is None else self.stmt(node.else_case))
        if kind == "BlockRealize":
            return self.stmt(node.block)
        if kind == "Block":
            return self.stmt(node.body)
        if kind == "LetStmt":
            return self.value(node.value) + self.stmt(node.body)
        if kind == "Evaluate":
            return self.value(node.value)
        if kind in ("AttrStmt", "Allocate", "AllocateConst", "DeclBuffer", "BufferRealize", "AssertStmt"):
            return self.stmt(node.body)
        raise NotImplementedError(f"estimate_tir_flops: how often a {kind} runs is not known")

    def _loop(self, node):
        from ...error import TVMError
        from ...ir import Range

        bound = self.analyzer.const_int_bound(node.extent)
        if bound.max_value >= 2 ** (31 if node.extent.dtype == "int32" else 63) - 1:
            raise TVMError(f"estimate_tir_flops: the extent {node.extent} of the loop over {node.loop_var} has no upper bound")
        self.analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent))
        return bound.max_value * self.stmt(node.body)


def _of(func):
    known = (func.attrs or {}).get("estimated_flops")
    return float(known) if known is not None else float(_Counter().stmt(func.body))


def estimate_tir_flops(stmt_or_mod):
    """How many operations a statement or all functions of a module compute."""
    from ...ir.module import IRModule

    if isinstance(stmt_or_mod, IRModule):
        return sum(_of(f) for f in stmt_or_mod.functions.values() if _core.kind(f) == "PrimFunc")
    return float(_Counter().stmt(stmt_or_mod))
