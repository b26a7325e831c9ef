"""What the rules ask of a block: its loops, how it reads, whether it is worth tiling or summing in parts.

The rules of a CPU ask the engine (engine/schedule/space); these are the same questions for the rules that are written here.
Source: TVM v0.20's tir.schedule analysis as meta_schedule uses it.
"""
from ..tir import Block, BlockRealize, Call, For, IfThenElse, IntImm, IterVar, Select, SeqStmt, Var
from ..tir.expr import Add, Sub
from ..tir.stmt_functor import post_order_visit, pre_order_visit

STRUCTURE = "meta_schedule.tiling_structure"


def loops_of(sref):
    """The places of the loops around a block, outermost first."""
    loops = []
    place = sref.parent
    while place is not None and isinstance(place.stmt, For):
        loops.insert(0, place)
        place = place.parent
    return loops


def realize_of(sref):
    """The realize of a block; None for a root."""
    found = []

    def visit(node):
        if isinstance(node, BlockRealize) and node.block.same_as(sref.stmt):
            found.append(node)
        return not found

    if sref.parent is not None:
        pre_order_visit(sref.parent.stmt, visit)
    return found[0] if found else None


def scope_of(sref):
    """The place of the block around a block."""
    place = sref.parent
    while place is not None and not isinstance(place.stmt, Block):
        place = place.parent
    return place


def _variables(expr):
    found = []
    post_order_visit(expr, lambda node: found.append(node) if isinstance(node, Var) else None)
    return found


def loop_type(loop):
    """What the blocks right below a loop make of its variable: DataPar, CommReduce; None for others and where they differ."""
    seen = set()

    def visit(node):
        if not isinstance(node, BlockRealize):
            return True
        for var, value in zip(node.block.iter_vars, node.iter_values):
            if any(one.same_as(loop.loop_var) for one in _variables(value)):
                seen.add(var.iter_type)
        return False

    pre_order_visit(loop.body, visit)
    if seen - {IterVar.DataPar, IterVar.CommReduce} or len(seen) > 1:
        return None
    return IterVar.CommReduce if IterVar.CommReduce in seen else IterVar.DataPar


def extent_of(loop):
    """The extent of a loop as a number; None: not known."""
    return int(loop.extent) if isinstance(loop.extent, IntImm) else None


def is_single(body):
    """Is there one statement below?"""
    if isinstance(body, BlockRealize):
        return is_single(body.block.body)
    if isinstance(body, Block):
        return is_single(body.body)
    return len(body.seq) == 1 if isinstance(body, SeqStmt) else True


def thread_tag(loop):
    """The thread axis of a loop, "" where it is not bound."""
    return str(loop.thread_binding.thread_tag) if loop.thread_binding is not None else ""


def is_tiled(block):
    """Was the block tiled before?"""
    return STRUCTURE in block.annotations


def has_plain_bindings(sref):
    """Is each variable of the block one loop, in order?"""
    realize, loops = realize_of(sref), loops_of(sref)
    return realize is not None and len(loops) == len(realize.iter_values) and all(
        value.same_as(loop.stmt.loop_var) for value, loop in zip(realize.iter_values, loops))


def is_spatial(block):
    """Do all variables of the block run over data?"""
    return all(var.iter_type == IterVar.DataPar for var in block.iter_vars)


def is_reduction(block):
    """Does the block sum: an init, and variables of data and of reductions alone?"""
    kinds = {var.iter_type for var in block.iter_vars}
    return block.init is not None and IterVar.CommReduce in kinds and kinds <= {IterVar.DataPar, IterVar.CommReduce}


def needs_tiling(sref):
    """Are values that the block reads used again by its other instances?"""
    block = sref.stmt
    if is_tiled(block) or len(block.writes) != 1 or len(block.reads) == 0 or is_spatial(block) or not has_plain_bindings(sref):
        return False
    out = block.writes[0].buffer
    variables = [var.var for var in block.iter_vars if var.iter_type == IterVar.DataPar and not (
        isinstance(var.dom.extent, IntImm) and int(var.dom.extent) == 1 and isinstance(var.dom.min, IntImm) and int(var.dom.min) == 0)]
    seen, unused = [], 0
    for region in block.reads:
        if any(region.buffer.same_as(one) for one in seen):
            return False
        seen.append(region.buffer)
        if region.buffer.same_as(out):
            continue
        if not all(isinstance(r.extent, IntImm) for r in region.region):
            return False
        used = [var for r in region.region for var in _variables(r.min)]
        unused += sum(not any(var.same_as(one) for one in used) for var in variables)
    return unused >= 1


def needs_parallel_reduction(sref, most_parallel, least_reduced):
    """Is the block a sum that is worth being made in parts by many threads?"""
    block, loops = sref.stmt, loops_of(sref)
    if len(block.writes) == 0 or not is_reduction(block) or not has_plain_bindings(sref) or is_tiled(block):
        return False
    spatial = reduced = 1
    has_reduction = False
    for i, place in enumerate(loops):
        loop, kind, extent = place.stmt, loop_type(place.stmt), extent_of(place.stmt)
        below = loops[i + 1].stmt if i + 1 < len(loops) else None
        alone = loop.body.same_as(below) if below is not None else isinstance(loop.body, BlockRealize) and loop.body.block.same_as(block)
        if kind is None or not alone or extent is None:
            return False
        has_reduction |= kind == IterVar.CommReduce
        spatial, reduced = (spatial, reduced * extent) if kind == IterVar.CommReduce else (spatial * extent, reduced)
    if not has_reduction:
        return False
    if needs_tiling(sref):
        return spatial < reduced and spatial <= most_parallel
    return reduced > 1 and reduced > least_reduced


def _shifted(expr):
    """The variable of `v`, `v + c` and `v - c`; None for anything else."""
    if isinstance(expr, Var):
        return expr
    if isinstance(expr, Add) and isinstance(expr.b, IntImm) or isinstance(expr, Sub) and isinstance(expr.b, IntImm):
        return expr.a if isinstance(expr.a, Var) else None
    if isinstance(expr, Add) and isinstance(expr.a, IntImm):
        return expr.b if isinstance(expr.b, Var) else None
    return None


def read_pattern(read, write):
    """(injective, ordered): is each index of the write read at most once, are they read in order?  Both False where an index of the read is
    neither a constant nor an index of the write with a shift."""
    places = []
    for r in write.region:
        if not isinstance(r.extent, IntImm) or not isinstance(r.min, Var):
            return False, False
        places.append(r.min)
    mapped = []
    for r in read.region:
        if not isinstance(r.extent, IntImm):
            return False, False
        if isinstance(r.min, IntImm):
            continue
        var = _shifted(r.min)
        at = [i for i, one in enumerate(places) if var is not None and one.same_as(var)]
        if not at:
            return False, False
        mapped.append(at[-1])
    return all(mapped.count(i) <= 1 for i in range(len(places))), all(a <= b for a, b in zip(mapped, mapped[1:]))


def is_write_cache(block):
    """Does the block copy, or change element by element, what it reads?"""
    return len(block.writes) == 1 and all(read_pattern(read, block.writes[0]) == (True, True) for read in block.reads)


def has_op(realize, names):
    """Is one of these operators called?"""
    found = []
    post_order_visit(realize, lambda node: found.append(node) if isinstance(node, Call) and getattr(node.op, "name", None) in names else None)
    return bool(found)


def has_condition(realize):
    """Is there an if, a select or an if_then_else?"""
    found = []
    post_order_visit(realize, lambda node: found.append(node) if isinstance(node, (IfThenElse, Select)) else None)
    return bool(found) or has_op(realize, ("tir.if_then_else",))
