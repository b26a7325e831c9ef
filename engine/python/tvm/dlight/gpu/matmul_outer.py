"""Matrix products of OpenCL devices whose second factor lies row by row: the first one in shared memory, vectors of columns in registers.

What unpacks the second factor (words of several values, and their scales) goes along and is read in runs.
"""
from ...tir import IntImm, IterVar, Var


def _is_known(sch, loop):
    return isinstance(sch.get(loop).extent, IntImm)


def is_inner_sum(block):
    """Does the last index of the last factor run along the sum?"""
    last = block.reads[-1].region[-1].min
    return any(one.var.same_as(last) and one.iter_type == IterVar.CommReduce for one in block.iter_vars)


def schedule_outer(sch, block, blocks, tiles):
    """A schedule of a product over (batch, an unknown number of rows, columns, sum). None: it is another one."""
    loops = list(sch.get_loops(block))
    if len(loops) != 4 or len(blocks) not in (1, 3):
        return None
    batch, rows, columns, sums = loops
    if not (_is_known(sch, columns) and _is_known(sch, batch) and isinstance(sch.get(rows).extent, Var)):
        return None
    (along_x, along_y), lanes, rows_each = tiles.threads, tiles.lanes, tiles.unroll
    unpack = None
    if len(blocks) > 1:
        decode, unpack, product = blocks
        sch.compute_inline(decode)
    else:
        product, = blocks
    m = sch.fuse(batch, rows)
    sch.pad_einsum(product, [1, along_y * rows_each, along_x * lanes, 1])
    padded, result = sch.get_producers(product)[0], sch.get_consumers(product)[0]
    block_y, thread_y, row = sch.split(m, [None, along_y, rows_each])
    block_x, thread_x, column = sch.split(columns, [None, along_x, lanes])
    outer, scale, word, value = sch.split(sums, [None, along_x * lanes // 32, 4, 8])
    sch.reorder(block_x, block_y, thread_x, thread_y, outer, scale, word, value, row, column)
    sch.compute_at(padded, outer)
    if unpack is not None:
        sch.compute_at(unpack, value)
    sch.reverse_compute_at(result, thread_y)
    sch.set_scope(padded, 0, "shared")
    sch.set_scope(product, 0, "local")
    if unpack is not None:
        sch.set_scope(unpack, 0, "local")
    for loop, axis in ((block_y, "blockIdx.y"), (block_x, "blockIdx.x"), (thread_y, "threadIdx.y"), (thread_x, "threadIdx.x")):
        sch.bind(loop, axis)
    _vectorize_last(sch, product)
    if unpack is not None:
        _vectorize_last(sch, unpack)
    thread, vector = sch.split(list(sch.get_loops(padded))[-1], [None, lanes])
    sch.bind(thread, "threadIdx.x")
    sch.vectorize(vector)
    _vectorize_last(sch, result)
    if unpack is not None:
        words, scales = (sch.cache_read(unpack, which, "local") for which in (0, 1))
        sch.compute_at(scales, scale)
        sch.compute_at(words, word)
        for copy in (scales, words):
            sch.set_scope(copy, 0, "local")
        for copy in (words, scales):
            _vectorize_last(sch, copy)
    sch.decompose_reduction(product, outer)
    return sch


def _vectorize_last(sch, block):
    sch.vectorize(list(sch.get_loops(block))[-1])
