"""Matrix products on tensor cores: tiles in shared memory, fragments of wmma, a software pipeline."""
from ...tir import IntImm
from ...tir.schedule import ScheduleError
from ...tir.tensor_intrin.cuda import get_wmma_intrin_group
from ..analysis import get_reduction_blocks, get_root_block
from ..base.inline import auto_inline_consumer_chain, auto_inline_producers
from ..base.rule import schedule_of

_FRAGMENT = 16                  # rows, columns and steps of a fragment
_LANES = 32
_VECTOR = 4
_WARPS = (4, 4)                 # of a block, along rows and columns
_FRAGMENTS = (2, 2)             # of a warp
_SMALLEST = 64                  # extents up to this are left to the other tiles

# How many fragments along the sum are in shared memory at a time, and how its rows are padded, by type of the factors.
_SUMS = {"float16": 4, "int8": 1}
_PADDED = {"float16": (16, 8), "int8": (32, 16)}
_RESULTS = {"float16": ("float16", "float32"), "int8": ("int32",)}


def _types(block):
    return {region.buffer.dtype for region in block.reads}, {region.buffer.dtype for region in block.writes}


def _architecture(target):
    text = str(target.attrs.get("arch", "")) if target.attrs is not None else ""
    digits = "".join(one for one in text.removeprefix("sm_") if one.isdigit())
    return int(digits) if text.startswith("sm_") and digits else 0


def tensor_core_types(block, target):
    """(type of the factors, type of the sums) where tensor cores of the target multiply them; None where they do not."""
    factors, sums = _types(block)
    if target.kind.name != "cuda" or _architecture(target) < 70 or len(factors) != 1 or len(sums) != 1:
        return None
    one, result = str(next(iter(factors))), str(next(iter(sums)))
    return (one, result) if result in _RESULTS.get(one, ()) else None


def is_large_enough(block):
    """Is no extent of rows, columns and sum (of a block over batch, row, column, sum) known to be small?"""
    return all(not isinstance(one.dom.extent, IntImm) or int(one.dom.extent) > _SMALLEST for one in list(block.iter_vars)[1:])


class _OnTensorCores:
    """One product while it is scheduled."""

    def __init__(self, sch, block, one, result):
        self.sch, self.block, self.one = sch, block, one
        self.group = get_wmma_intrin_group("shared.dyn", "shared.dyn", one, result, True)

    def schedule(self):
        """The schedule; None where a reader of the result cannot be taken in."""
        self.tile()
        fetched = [self.fetch(operand) for operand in (0, 1)]
        for copy in fetched:
            auto_inline_producers(self.sch, copy)
        loads = [self.sch.cache_read(self.whole, operand, scope) for operand, scope in enumerate(("wmma.matrix_a", "wmma.matrix_b"))]
        for load in loads:
            self.sch.compute_at(load, self.step)
        shared = self.sch.cache_write(self.whole, 0, "shared.dyn")
        self.sch.storage_align(shared, 0, axis=-2, factor=16, offset=4)
        store = self.sch.cache_write(self.whole, 0, "wmma.accumulator")
        for copy in (store, shared):
            self.sch.reverse_compute_at(copy, self.warp)
        self.cut(store)
        start = self.sch.decompose_reduction(self.whole, self.round)
        for load, name in zip(loads, ("load_a", "load_b")):
            outer, inner, first = self.cut(load)
            self.sch.unroll(outer)
            self.sch.unroll(inner)
            self.sch.tensorize(first, self.group[name])
        for block, depth, name in ((self.sch.get_child_blocks(start)[0], -2, "init"), (store, -2, "store"), (self.block, -3, "compute")):
            self.sch.tensorize(list(self.sch.get_loops(block))[depth], self.group[name])
        auto_inline_consumer_chain(self.sch, shared)
        self.spread(shared)
        return self.sch

    def tile(self):
        """Blocks, warps, fragments of a warp; the loops over the sum as a pipeline."""
        sch = self.sch
        sizes = [_FRAGMENT * warps * fragments for warps, fragments in zip(_WARPS, _FRAGMENTS)]
        sch.pad_einsum(self.block, [1, *sizes, _FRAGMENT * _SUMS[self.one]])
        batch, *axes = sch.get_loops(self.block)
        pairs = [sch.split(axis, [None, _FRAGMENT]) for axis in axes]
        sch.reorder(*[outer for outer, _ in pairs], *[inner for _, inner in pairs])
        self.whole = sch.blockize(pairs[0][1])
        rows, columns, steps = [outer for outer, _ in pairs]
        row = sch.split(rows, [None, 1, _WARPS[0], _FRAGMENTS[0]])
        column = sch.split(columns, [1, None, _WARPS[1], _FRAGMENTS[1]])
        self.round, self.step = sch.split(steps, [None, _SUMS[self.one]])
        for loop, order, stage in ((self.round, [0, 3, 1, 4, 5, 2, 6], [0, 0, 0, 0, 0, 1, 1]), (self.step, [0, 1, 2], [0, 0, 1])):
            sch.annotate(loop, "software_pipeline_order", order)
            sch.annotate(loop, "software_pipeline_stage", stage)
        sch.reorder(row[0], column[0], row[1], column[1], column[2], row[2], self.round, self.step, row[3], column[3])
        block_x, block_y = sch.fuse(row[0], column[0]), sch.fuse(row[1], column[1])
        self.warp = sch.fuse(column[2], row[2])
        for loop, axis in ((batch, "blockIdx.z"), (block_x, "blockIdx.x"), (block_y, "blockIdx.y"), (self.warp, "threadIdx.y")):
            sch.bind(loop, axis)

    def fetch(self, operand):
        """The tile of an operand, which all threads bring to shared memory by way of registers."""
        sch = self.sch
        copy = sch.cache_read(self.whole, operand, "shared.dyn")
        sch.compute_at(copy, self.round)
        _, warp, lane, vector = sch.split(sch.fuse(*list(sch.get_loops(copy))[-2:]), [None, _WARPS[0] * _WARPS[1], _LANES, _VECTOR])
        sch.bind(lane, "threadIdx.x")
        sch.bind(warp, "threadIdx.y")
        sch.vectorize(vector)
        factor, offset = _PADDED[self.one]
        sch.storage_align(copy, 0, axis=-2, factor=factor, offset=offset)
        sch.annotate(copy, "tir.manifest_shared_memory_local_stage", 1)
        sch.annotate(copy, "double_buffer_scope", 0)
        return copy

    def cut(self, block):
        """A copy in fragments: its two outer loops and the first of a fragment."""
        sch = self.sch
        (row, first), (column, second) = [sch.split(loop, [None, _FRAGMENT]) for loop in list(sch.get_loops(block))[-2:]]
        sch.reorder(row, column, first, second)
        return row, column, first

    def spread(self, block):
        """The result from shared memory to where it goes, by the lanes of the warp that made it."""
        sch = self.sch
        _, lane, vector = sch.split(sch.fuse(*list(sch.get_loops(block))[-2:]), [None, _LANES, _VECTOR])
        sch.bind(lane, "threadIdx.x")
        sch.vectorize(vector)


def on_tensor_cores(func, target, as_product):
    """The function's product on tensor cores.  None: not with its types, sizes or target, or with what stands around it."""
    sch = schedule_of(func)
    sums = get_reduction_blocks(sch, list(sch.get_child_blocks(get_root_block(sch))))
    types = tensor_core_types(sch.get(sums[0]), target)
    if types is None or as_product(sch, sums[0]) is None or not is_large_enough(sch.get(sums[0])):
        return None
    try:
        return _OnTensorCores(sch, sums[0], *types).schedule()
    except ScheduleError:
        return None
