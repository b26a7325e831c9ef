"""Blocks on a GPU: loops bound to thread blocks and threads, copies made by all threads, sums made by many.

    for i, j: B                  ->  for blockIdx.x: for threadIdx.x: B          bind_block
    for k: C += A[k]             ->  for k_0: for threadIdx.x: C += A[k_0 .. ]    reduce_across_threads
    for f: A_shared = A          ->  for f_0: for threadIdx.x: for vector: ...    fetch_together

Source: TVM v0.20's AutoBind, RewriteUnboundBlock, CrossThreadReduction and RewriteCooperativeFetch.
"""
from ..tir import Block, For, ForKind, IterVar, PrimFunc
from ..tir.stmt_functor import pre_order_visit
from ._blocks import extent_of, is_single, is_tiled, loop_type, loops_of, needs_parallel_reduction, needs_tiling, thread_tag

COOPERATIVE = "meta_schedule.cooperative_fetch"


def limit_of(target, name):
    """A number of the target; None where it does not say."""
    attrs = target.attrs if target is not None else {}
    return int(attrs[name]) if name in attrs else None


def drawn_factor(sch, extents):
    """A function that draws one of the extents that are not larger than what it is given."""

    def draw(most):
        fit = [one for one in extents if one <= most]
        if len(fit) < 2:
            return fit[0] if fit else most
        return sch.sample_categorical(fit, [1.0 / len(fit)] * len(fit))

    return draw


def _bind_spatial(sch, loop, most_blocks, most_threads, factor):
    extent = extent_of(sch.get(loop))
    if extent is not None and extent <= most_blocks * most_threads:
        outer, inner = sch.split(loop, [None, factor(min(extent, most_threads))])
    else:
        rest, outer, inner = sch.split(loop, [None, most_blocks, most_threads])
        sch.reorder(outer, inner, rest)
    sch.bind(outer, "blockIdx.x")
    sch.bind(inner, "threadIdx.x")


class _Nest:
    """Where in the loops around a block threads are bound, statements branch off and the first reduction comes."""

    def __init__(self, places):
        n = len(places)
        loops = [place.stmt for place in places]
        tags = [thread_tag(loop) for loop in loops]
        self.block = next((i for i, tag in enumerate(tags) if tag.startswith("blockIdx")), None)
        self.thread = next((i for i, tag in enumerate(tags) if tag.startswith("threadIdx")), None)
        self.branch = next((i if loop.kind != ForKind.SERIAL else i + 1 for i, loop in enumerate(loops)
                            if loop.kind != ForKind.SERIAL or not is_single(loop.body)), n)
        self.spatial = next((i for i, loop in enumerate(loops) if loop_type(loop) != IterVar.DataPar), n)


def bind_block(sch, block, most_blocks, most_threads, factor):
    """Binds the outer spatial loops of a block; those that are bound stay."""
    sref = sch.get_sref(block)
    if sref.parent is None or is_tiled(sref.stmt):
        return
    nest = _Nest(loops_of(sref))
    if nest.block is not None:
        assert nest.thread is not None, "a loop is bound to blockIdx and none to threadIdx: threads are bound to both or to neither before"
        return
    loops = sch.get_loops(block)
    if nest.spatial == 0:
        loops = [sch.add_unit_loop(loops[0] if loops else block), *loops]
        nest.spatial, nest.branch = 1, nest.branch + 1
        nest.thread = nest.thread + 1 if nest.thread is not None else None
    if nest.thread is not None:
        loops = sch.get_loops(block)
        sch.bind(sch.fuse(*loops[:min(nest.branch, nest.thread, nest.spatial)]), "blockIdx.x")
    else:
        _bind_spatial(sch, sch.fuse(*loops[:min(nest.branch, nest.spatial)]), most_blocks, most_threads, factor)


def unbound_blocks(sch):
    """(function, block) of all blocks right below the roots that no thread block or no thread runs."""
    found = []

    def look(stmt, name, block_idx, thread_idx):
        def visit(node):
            if isinstance(node, For):
                tag = thread_tag(node)
                block, thread = block_idx or tag.startswith("blockIdx"), thread_idx or tag.startswith("threadIdx")
                if not (block and thread):
                    look(node.body, name, block, thread)
                return False
            if isinstance(node, Block):
                found.append((name, node.name_hint))
                return False
            return True

        pre_order_visit(stmt, visit)

    for var, func in sch.mod.functions.items():
        if isinstance(func, PrimFunc):
            look(func.body.block.body, var.name_hint, False, False)
    return found


def threads_fit(stmt, warp, threads=(1, 1, 1)):
    """Do as many threads run each block as its annotations ask for?  False too where their number is not known."""
    fits = True

    def visit(node):
        nonlocal fits
        if not fits:
            return False
        if isinstance(node, For) and thread_tag(node).startswith("threadIdx."):
            axis, extent = "xyz".index(thread_tag(node)[-1]), extent_of(node)
            fits = extent is not None and threads_fit(node.body, warp, (*threads[:axis], extent, *threads[axis + 1:]))
            return False
        if isinstance(node, Block):
            notes = node.annotations
            now = (warp, *threads[1:]) if "warp_execution" in notes else threads
            low, high = (notes[f"meta_schedule.thread_extent_{side}_inclusive"] if f"meta_schedule.thread_extent_{side}_inclusive" in notes else None
                         for side in ("low", "high"))
            fits = (low is None or high is None or int(low) <= now[0] * now[1] * now[2] <= int(high)) and all(
                threads_fit(part, warp, now) for part in (node.init, node.body) if part is not None)
            return False
        return True

    pre_order_visit(stmt, visit)
    return fits


# ---- sums by many threads -----------------------------------------------------------------------


def _common_place(places):
    chains = []
    for place in places:
        chain = []
        while place is not None:
            chain.insert(0, place)
            place = place.parent
        chains.append(chain)
    common = None
    for level in zip(*chains):
        if not all(place.stmt.same_as(level[0].stmt) for place in level):
            break
        common = level[0]
    return common


def _target_of(sch, block):
    """(loop to compute at, consumer, innermost loop of the consumer); None: the block stays where it is."""
    if len(sch.get(block).writes) != 1:
        return None
    consumers = sch.get_consumers(block)
    if not consumers or needs_tiling(sch.get_sref(consumers[0])):
        return None
    places = [sch.get_sref(one) for one in consumers]
    common = _common_place([place.parent for place in places] if len(places) == 1 else places)
    if len(places) > 1 and isinstance(common.stmt, Block):
        return None
    common = common if len(places) > 1 else places[0]
    theirs, own = sch.get_loops(consumers[0]), sch.get_loops(block)
    position = min(len(own), len(theirs)) - 1
    for i, (mine, other) in enumerate(zip(own, theirs)):
        if loop_type(sch.get(mine)) != IterVar.DataPar:
            position = i - 1
            break
        if sch.get(other).same_as(common.stmt):
            position = i
            break
    return (theirs[position], consumers[0], theirs[-1]) if position >= 0 else None


def _drawn_extent(sch):
    """The extent of threadIdx.x as the trace says it: the factor of the split that made the loop."""
    insts = list(sch.trace.insts)
    for bound in insts:
        if bound.kind.name != "Bind" or str(bound.attrs[0]) != "threadIdx.x":
            continue
        for split in insts:
            if split.kind.name != "Split":
                continue
            at = next((i for i, made in enumerate(split.outputs) if made.same_as(bound.inputs[0])), None)
            if at is not None:
                return split.inputs[1 + at]
    raise ValueError('no loop is bound to threadIdx.x, so its extent is not known')


def _fused_reduction(sch, block):
    """The reduction loops behind the spatial ones, as one loop."""
    loops = sch.get_loops(block)
    spatial = [loop for loop in loops if loop_type(sch.get(loop)) == IterVar.DataPar]
    reduced = [loop for loop in loops if not any(loop.same_as(one) for one in spatial)]
    order = spatial + reduced
    if not all(a.same_as(b) for a, b in zip(order, loops)):
        sch.reorder(*order)
    return sch.fuse(*reduced) if len(reduced) > 1 else reduced[0]


def reduce_across_threads(sch, block, extents, most_threads, warp):
    """The designs of CrossThreadReduction."""
    if most_threads is None or warp is None or not needs_parallel_reduction(sch.get_sref(block), most_threads, warp):
        return [sch]
    made = sch.copy()
    target = _target_of(made, block)
    extent = made.sample_categorical(extents, [1.0 / len(extents)] * len(extents))
    if target is not None:
        loop, consumer, innermost = target
        if any(thread_tag(made.get(one)).startswith("threadIdx") for one in made.get_loops(consumer)):
            extent = _drawn_extent(made)
        else:
            outer, inner = made.split(innermost, [None, extent])
            made.bind(inner, "threadIdx.x")
            loop = outer if innermost.same_as(loop) else loop
        made.compute_at(block, loop, preserve_unit_loops=True)
        made.set_scope(block, 0, "shared")
    _, inner = made.split(_fused_reduction(made, block), [None, extent])
    made.bind(inner, "threadIdx.x")
    return [made, sch]


# ---- copies by all threads ------------------------------------------------------------------------


def _fetch(sch, block, x, y, lanes):
    sch.unannotate(block, COOPERATIVE)
    fused = sch.get_loops(block)[-1]
    extent = extent_of(sch.get(fused))
    if extent is None:
        return
    threads = [x] if y is None else [y, x]
    factors = [None, *threads] + ([lanes] if extent % lanes == 0 and lanes > 1 else [])
    loops = sch.split(fused, factors)
    if len(factors) > len(threads) + 1:
        sch.vectorize(loops[-1])
    sch.bind(loops[len(threads)], "threadIdx.x")
    if y is not None:
        sch.bind(loops[1], "threadIdx.y")


def fetch_together(sch, warp):
    """Does what blocks are marked for: their copies are shared by the threads that are bound before the mark."""
    x = y = None
    todo = []
    for inst in sch.trace.insts:
        name = inst.kind.name
        if name == "Bind" and str(inst.attrs[0]) == "threadIdx.x":
            x = extent_of(sch.get(inst.inputs[0]))
        elif name == "Bind" and str(inst.attrs[0]) == "threadIdx.y":
            y = extent_of(sch.get(inst.inputs[0]))
        elif name == "Annotate" and str(inst.attrs[0]) == "warp_execution":
            x = warp
        elif name == "Annotate" and str(inst.attrs[0]) == COOPERATIVE:
            lanes = inst.inputs[1]
            todo.append((inst.inputs[0], x, y, int(lanes if isinstance(lanes, int) else sch.get(lanes))))
    for one in todo:
        _fetch(sch, *one)
