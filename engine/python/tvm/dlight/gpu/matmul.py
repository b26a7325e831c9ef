"""Matrix products: tiles in shared memory, tiles of tiles in registers; halves and bytes on tensor cores where the target has them."""
from ..analysis import detect_product, get_reduction_blocks, get_root_block
from ..base.inline import auto_inline_consumer_chain, auto_inline_producers
from ..base.rule import schedule_of
from ..base.threads import unroll_fully
from ...tir.schedule import ScheduleError
from .base import GPUScheduleRule
from .matmul_tensor import on_tensor_cores


class Tiles:
    """Sizes: threads in x (along rows) and y (along columns), results of a thread, steps along the sum, lanes of a vector, steps to unroll."""

    def __init__(self, threads, results, steps, lanes, unroll, align):
        self.threads, self.results, self.steps, self.lanes, self.unroll, self.align = threads, results, steps, lanes, unroll, align


_WIDE = Tiles((8, 16), (4, 4), 16, 2, 256, True)
_SMALL = Tiles((8, 8), (4, 4), 8, 1, 256, False)


def as_product(sch, block):
    """Makes the block a product over (batch, row, column, sum) with operands of three axes. None: it is no product; nothing changes then."""
    product = detect_product(sch.get(block))
    if product is None:
        return None
    maps = product.operand_maps()
    whole = product.block_map()
    for where, index_map in zip((("read", 0), ("read", 1), ("write", 0)), maps):
        sch.reindex(block, where)
        sch.transform_layout(block, where, index_map)
    sch.transform_block_layout(block, whole)
    return product


class Matmul(GPUScheduleRule):
    """One product, with what can be inlined before and after it."""

    def apply(self, func, target, tunable):
        del tunable
        sch = schedule_of(func) if self.is_target_available(target) else None
        if sch is None:
            return None
        blocks = list(sch.get_child_blocks(get_root_block(sch)))
        sums = get_reduction_blocks(sch, blocks)
        if sums is None or len(sums) != 1 or detect_product(sch.get(sums[0])) is None:
            return None
        found = on_tensor_cores(func, target, as_product)
        if found is not None:
            return found
        tiles = _WIDE if target.kind.name in ("cuda", "rocm") else _SMALL
        try:
            return self._tile(sch, sums[0], tiles)
        except ScheduleError:
            return None

    @staticmethod
    def _tile(sch, block, tiles):
        as_product(sch, block)
        (x, y), (rows, columns) = tiles.threads, tiles.results
        sch.pad_einsum(block, [1, x * rows, y * columns, tiles.steps])
        batch, i, j, k = sch.get_loops(block)
        block_x, virtual_x, thread_x, row = sch.split(i, [None, 1, x, rows])
        block_y, virtual_y, thread_y, column = sch.split(j, [None, 1, y, columns])
        outer, inner = sch.split(k, [None, tiles.steps])
        sch.reorder(block_y, block_x, virtual_y, virtual_x, thread_y, thread_x, outer, inner, row, column)
        block_y = sch.fuse(batch, block_y)
        for loop, axis in ((block_x, "blockIdx.x"), (block_y, "blockIdx.y"), (virtual_y, "vthread.y"), (virtual_x, "vthread.x"),
                           (thread_y, "threadIdx.y"), (thread_x, "threadIdx.x")):
            sch.bind(loop, axis)
        _, lane = sch.split(column, [None, tiles.lanes])
        sch.vectorize(lane)
        unroll_fully(sch, thread_x, tiles.unroll)
        result = sch.cache_write(block, 0, "local")
        sch.reverse_compute_at(result, thread_x, preserve_unit_loops=True)
        _, lane = sch.split(list(sch.get_loops(result))[-1], [None, tiles.lanes])
        sch.vectorize(lane)
        for operand in (0, 1):
            Matmul._fetch(sch, block, operand, outer, tiles)
        auto_inline_consumer_chain(sch, result)
        if list(sch.get_consumers(result)):
            return None
        sch.decompose_reduction(block, outer)
        return sch

    @staticmethod
    def _fetch(sch, block, operand, loop, tiles):
        """The tile of an operand, which all threads of a block bring to shared memory together."""
        tile = sch.cache_read(block, operand, "shared")
        count = len(list(sch.get_loops(tile)))
        sch.compute_at(tile, loop, preserve_unit_loops=True)
        loops = list(sch.get_loops(tile))[-count:]
        thread_y, thread_x, _, lane = sch.split(sch.fuse(*loops), [tiles.threads[1], tiles.threads[0], None, tiles.lanes])
        sch.vectorize(lane)
        sch.bind(thread_y, "threadIdx.y")
        sch.bind(thread_x, "threadIdx.x")
        if tiles.align:
            sch.storage_align(tile, 0, axis=1, factor=8, offset=tiles.lanes)
        auto_inline_producers(sch, tile)
