"""Matrix products: tiles in shared memory, tiles of tiles in registers; halves and bytes on tensor cores where the target has them."""
from ..analysis import detect_product, get_reduction_blocks, get_root_block
from ..base.inline import auto_inline_consumer_chain, auto_inline_producers
from ..base.rule import schedule_of
from ..base.threads import unroll_fully
from ...tir.schedule import ScheduleError
from .base import GPUScheduleRule
from .matmul_metal import on_simd_groups
from .matmul_outer import is_inner_sum, schedule_outer
from .matmul_tensor import on_tensor_cores


class Tiles:
    """Sizes: threads in x and y, results of a thread, steps along the sum, lanes of a vector, steps to unroll.

    x runs along rows and y along columns, or the other way where columns_first says so.  align: are rows in shared memory apart by more than
    their length?  shared: do the factors come by way of it?
    """

    def __init__(self, threads, results, steps, lanes, unroll, align, shared=True, columns_first=False):
        self.threads, self.results, self.steps, self.lanes, self.unroll, self.align = threads, results, steps, lanes, unroll, align
        self.shared, self.columns_first = shared, columns_first


_WIDE = Tiles((8, 16), (4, 4), 16, 2, 256, True)
_SMALL = Tiles((8, 8), (4, 4), 8, 1, 256, False)
_ANDROID = Tiles((32, 8), (8, 2), 16, 8, 4, False, shared=False, columns_first=True)


def _tiles_for(target):
    if target.kind.name in ("cuda", "rocm"):
        return _WIDE
    if target.kind.name == "opencl" and any(word in str(target.host) for word in ("android", "windows")):
        return _ANDROID
    return _SMALL


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
        tiles = _tiles_for(target)
        found = self._special(func, target, tiles)
        if found is not None:
            return found
        try:
            return self._tile(sch, sums[0], tiles)
        except ScheduleError:
            return None

    @staticmethod
    def _special(func, target, tiles):
        """A schedule with what this target has; None: nothing that is for this product."""
        if target.kind.name == "metal":
            return on_simd_groups(func, as_product)
        if target.kind.name != "opencl":
            return on_tensor_cores(func, target, as_product)
        sch = schedule_of(func)
        blocks = list(sch.get_child_blocks(get_root_block(sch)))
        block, = get_reduction_blocks(sch, blocks)
        try:
            return None if is_inner_sum(sch.get(block)) else schedule_outer(sch, block, blocks, tiles)
        except ScheduleError:
            return None

    @staticmethod
    def _tile(sch, block, tiles):
        as_product(sch, block)
        (x, y), (along_x, along_y) = tiles.threads, tiles.results
        sizes = [x * along_x, y * along_y]
        sch.pad_einsum(block, [1, *(sizes[::-1] if tiles.columns_first else sizes), tiles.steps])
        batch, *axes, k = sch.get_loops(block)
        in_x, in_y = axes[::-1] if tiles.columns_first else axes
        block_y, virtual_y, thread_y, of_y = sch.split(in_y, [None, 1, y, along_y])
        block_x, virtual_x, thread_x, of_x = sch.split(in_x, [None, 1, x, along_x])
        outer, inner = sch.split(k, [None, tiles.steps])
        results = [of_y, of_x] if tiles.columns_first else [of_x, of_y]
        sch.reorder(block_y, block_x, virtual_y, virtual_x, thread_y, thread_x, outer, inner, *results)
        block_y = sch.fuse(batch, block_y)
        for loop, axis in ((block_x, "blockIdx.x"), (block_y, "blockIdx.y"), (virtual_y, "vthread.y"), (virtual_x, "vthread.x"),
                           (thread_y, "threadIdx.y"), (thread_x, "threadIdx.x")):
            sch.bind(loop, axis)
        if (along_x if tiles.columns_first else along_y) % tiles.lanes == 0:
            _, lane = sch.split(results[1], [None, tiles.lanes])
            sch.vectorize(lane)
        unroll_fully(sch, thread_x, tiles.unroll)
        result = sch.cache_write(block, 0, "local")
        sch.reverse_compute_at(result, thread_x, preserve_unit_loops=True)
        if along_x % tiles.lanes == 0:
            _, lane = sch.split(list(sch.get_loops(result))[-1], [None, tiles.lanes])
            sch.vectorize(lane)
        if tiles.shared:
            fetched = [Matmul._fetch(sch, block, operand, outer, tiles) for operand in (0, 1)]
            for tile in fetched:
                auto_inline_producers(sch, tile)
        else:
            auto_inline_producers(sch, block)
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
        return tile
