"""Matrix products on Apple's GPUs: tiles in shared memory, matrices of 8 x 8 that the lanes of a SIMD group hold."""
from ...tir.schedule import ScheduleError
from ...tir.tensor_intrin.metal import get_simdgroup_intrin_group
from ..analysis import get_reduction_blocks, get_root_block
from ..base.inline import auto_inline_consumer_chain, auto_inline_producers
from ..base.rule import schedule_of

_TILE = (16, 16, 32)            # rows, columns and steps of a SIMD group
_GROUPS = (1, 4)                # SIMD groups of a block, along rows and columns
_MATRIX = 8
_LANES = 32
_VECTOR = 4


def _spread(sch, block):
    """The two last loops of a copy, over all threads of the block."""
    fused = sch.fuse(*list(sch.get_loops(block))[-2:])
    _, column, row, lane, vector = sch.split(fused, [None, _GROUPS[1], _GROUPS[0], _LANES, _VECTOR])
    sch.bind(column, "threadIdx.z")
    sch.bind(row, "threadIdx.y")
    sch.bind(lane, "threadIdx.x")
    sch.vectorize(vector)


def _fetch(sch, block, operand, loop):
    """The tile of an operand, which all threads bring to shared memory."""
    tile = sch.cache_read(block, operand, "shared")
    sch.compute_at(tile, loop, preserve_unit_loops=True)
    _spread(sch, tile)
    return tile


def _by_matrices(sch, block, intrin):
    """Each matrix of a copy, or of zeros, by the instruction."""
    rows, columns = list(sch.get_loops(block))[-2:]
    row, first = sch.split(rows, [None, _MATRIX])
    column, second = sch.split(columns, [None, _MATRIX])
    sch.reorder(row, column, first, second)
    sch.tensorize(first, intrin)


def _schedule(sch, block, as_product):
    as_product(sch, block)
    sch.pad_einsum(block, [1, _GROUPS[0] * _TILE[0], _GROUPS[1] * _TILE[1], _TILE[2]])
    batch, i, j, k = sch.get_loops(block)
    block_x, group_y, row, first = sch.split(i, [None, _GROUPS[0], _TILE[0] // _MATRIX, _MATRIX])
    block_y, group_z, column, second = sch.split(j, [None, _GROUPS[1], _TILE[1] // _MATRIX, _MATRIX])
    outer, step, third = sch.split(k, [None, _TILE[2] // _MATRIX, _MATRIX])
    sch.reorder(block_x, block_y, group_y, group_z, outer, step, row, column, first, second, third)
    for loop, axis in ((block_x, "blockIdx.x"), (block_y, "blockIdx.y"), (batch, "blockIdx.z"), (group_y, "threadIdx.y"), (group_z, "threadIdx.z")):
        sch.bind(loop, axis)
    tiles = [_fetch(sch, block, operand, outer) for operand in (0, 1)]
    for tile in tiles:
        auto_inline_producers(sch, tile)
    loads = [sch.cache_read(block, operand, "metal.simdgroup") for operand in (0, 1)]
    for load in loads:
        sch.compute_at(load, step)
    store = sch.cache_write(block, 0, "metal.simdgroup")
    result = sch.cache_write(store, 0, "shared")
    sch.reverse_compute_at(store, group_z, preserve_unit_loops=True)
    sch.reverse_compute_at(result, block_y, preserve_unit_loops=True)
    group = get_simdgroup_intrin_group("shared", "shared", "float16", trans_a=False, trans_b=True)
    sch.transform_layout(loads[1], ("write", 0), lambda s, i, j: (s, j, i))
    start = sch.decompose_reduction(block, outer)
    for copy, name in ((loads[0], "load_a"), (loads[1], "load_b"), (store, "store"), (start, "init")):
        _by_matrices(sch, copy, group[name])
    sch.tensorize(list(sch.get_loops(block))[-3], group["compute"])
    auto_inline_consumer_chain(sch, result)
    _spread(sch, result)
    return sch


def on_simd_groups(func, as_product):
    """The function's product on SIMD groups. None: not with its types, or with what stands around it."""
    sch = schedule_of(func)
    sums = get_reduction_blocks(sch, list(sch.get_child_blocks(get_root_block(sch))))
    try:
        return _schedule(sch, sums[0], as_product)
    except ScheduleError:
        return None
