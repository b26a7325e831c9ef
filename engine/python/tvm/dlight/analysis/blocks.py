"""The blocks of a function, as the rules see them: each with its iterators and the loops that run them."""
from ...tir import BlockRealize, For, IndexMap, IntImm, IterVar, PrimFunc, Var
from ...tir.schedule import ScheduleError

KINDS = {IterVar.DataPar: "S", IterVar.CommReduce: "R"}


class IterInfo:
    """One iterator of a block: kind ("S" data, "R" reduction, "O" other), var, dom (its extent) and the loop that runs it."""

    def __init__(self, kind, var, dom, loop_rv):
        self.kind, self.var, self._dom, self.loop_rv = kind, var, dom, loop_rv

    @property
    def dom(self):
        """The extent: an int where it is known, otherwise an expression."""
        return int(self._dom) if isinstance(self._dom, (int, IntImm)) else self._dom

    def __repr__(self):
        return f'Iter("{self.kind}", {self.dom})'


class BlockInfo:
    """A block: name, iters, block_rv, and whether it sums."""

    def __init__(self, name, iters, block_rv, reduction_block=False):
        self.name, self.iters, self.block_rv, self._reduction = name, list(iters), block_rv, bool(reduction_block)

    def dom(self):
        """The extents of the iterators."""
        return [one.dom for one in self.iters]

    def dom_kind(self):
        """The kinds of the iterators as text: "SSR"."""
        return "".join(one.kind for one in self.iters)

    def is_injective(self):
        """Does every instance of the block stand for other data?"""
        return all(one.kind == "S" for one in self.iters)

    def is_elementwise(self, sch):
        """Is the block injective, and is everything that it reads and writes at the place of its iterators?"""
        if not self.is_injective():
            return False
        block = sch.get(self.block_rv)
        own = [one.var for one in block.iter_vars]
        return all(
            len(region.region) == len(own) and all(
                isinstance(dim.min, Var) and dim.min.same_as(var) and isinstance(dim.extent, IntImm) and int(dim.extent) == 1
                for dim, var in zip(region.region, own)) for region in [*block.reads, *block.writes])

    def is_reduction(self):
        """Does the block sum?"""
        return self._reduction

    def is_gemv(self):
        """Kept for its name: `analysis.is_gemv(sch, info)` answers."""
        raise NotImplementedError("is_gemv asks for the schedule too: dlight.analysis.is_gemv(sch, block_info)")

    def __repr__(self):
        return f'BlockInfo("{self.name}", "{self.dom_kind()}", {self.dom()})'


def get_root_block(sch, func_name="main"):
    """The root of a function, whatever its name is."""
    func = sch.mod[func_name]
    if not isinstance(func.body, BlockRealize):
        raise ValueError(f"the body of {func_name} is no block: it has been lowered")
    return sch.get_block(func.body.block.name_hint, func_name=func_name)


def _info(sch, block_rv):
    block = sch.get(block_rv)
    loops = sch.get_loops(block_rv)
    kinds = [KINDS.get(one.iter_type, "O") for one in block.iter_vars]
    iters = [IterInfo(kind, one.var, one.dom.extent, loop) for kind, one, loop in zip(kinds, block.iter_vars, loops)]
    return BlockInfo(str(block.name_hint), iters, block_rv, block.init is not None and "R" in kinds)


def get_block_info(sch, block):
    """One block with its iterators and loops as they stand."""
    return _info(sch, block)


def get_reduction_blocks(sch, blocks):
    """Those of the blocks that sum; None where there is none, or where a block is neither spatial nor a reduction."""
    found = []
    for block in blocks:
        kinds = {one.iter_type for one in sch.get(block).iter_vars}
        if kinds <= {IterVar.DataPar}:
            continue
        if not kinds <= {IterVar.DataPar, IterVar.CommReduce}:
            return None
        found.append(block)
    return found or None


def _is_plain(sch, block_rv):
    """Is each iterator of the block one loop of its own from 0, in order?"""
    place = sch.get_sref(block_rv)
    loops = [sch.get(one) for one in sch.get_loops(block_rv)]
    values = []

    def visit(node):
        if hasattr(node, "iter_values") and node.block.same_as(place.stmt):
            values.extend(node.iter_values)
            return False
        return not values

    from ...tir.stmt_functor import pre_order_visit
    pre_order_visit(loops[0] if loops else place.parent.stmt, visit)
    return len(values) == len(loops) and all(
        isinstance(loop, For) and value.same_as(loop.loop_var) and isinstance(loop.min, IntImm) and int(loop.min) == 0
        for value, loop in zip(values, loops))


def normalize_prim_func(sch):
    """Gives every block under the root loops of its own (`ax0`, `ax1`, ...), one for each iterator `v0`, `v1`, ... that is not of extent 1.

    A block without data to run over gets one iterator of extent 1 in front. The blocks in order; None, with nothing changed, where a block's
    iterators are not its loops one by one.
    """
    try:
        blocks = list(sch.get_child_blocks(get_root_block(sch)))
    except (ValueError, ScheduleError):
        return None
    if not all(_is_plain(sch, one) for one in blocks):
        return None
    for block_rv in blocks:
        iters = sch.get(block_rv).iter_vars
        kept = [one for one in iters if not (isinstance(one.dom.extent, IntImm) and int(one.dom.extent) == 1)]
        out = [one.var for one in kept]
        if not any(one.iter_type == IterVar.DataPar for one in kept):
            out.insert(0, IntImm("int64", 0))
        sch.transform_block_layout(block_rv, IndexMap([one.var for one in iters], out, None))
    return [_info(sch, one) for one in blocks]


def functions_of(mod):
    """The functions of TensorIR of a module, with their names."""
    return [(name, func) for name, func in mod.functions.items() if isinstance(func, PrimFunc)]
