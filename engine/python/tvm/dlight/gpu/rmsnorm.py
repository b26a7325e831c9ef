"""RMS normalisation: a row of the matrix for each block of threads, kept in registers between its sum and its use."""
from ...ir import Op
from ...tir import BufferStore, Call, Cast
from ...tir.expr import BufferLoad
from ...tir.schedule import ScheduleError
from ..analysis.blocks import get_root_block
from ..base.rule import ScheduleRule, schedule_of

# Threads of a block.
_THREADS = {"cuda": 512, "opencl": 256}
_OTHER_THREADS = 64
_LANES = 8


def _stores_one(block):
    """What a block stores that reads one buffer and writes one; None: it is no such block."""
    body = block.body
    return body if len(block.reads) == len(block.writes) == 1 and isinstance(body, BufferStore) else None


def _is_copy(block):
    """Is the block `B[i, j] = A[i, j]`, or the same with another type?"""
    store = _stores_one(block)
    source = store.value if store is not None else None
    source = source.value if isinstance(source, Cast) else source
    return isinstance(source, BufferLoad) and len(source.indices) == len(store.indices) and all(
        a.same_as(b) for a, b in zip(source.indices, store.indices))


def _is_root(block):
    """Does the block store 1/sqrt(...) of what it reads?"""
    store = _stores_one(block)
    return store is not None and isinstance(store.value, Call) and store.value.op == Op.get("tir.rsqrt")


class RMSNorm(ScheduleRule):
    """Each block of threads squares and sums a row that its threads hold, takes the root once, and multiplies the row by it.

    Taken are programs that, with copies and casts inlined, are squares, their sum, its root and the product.
    """

    def apply(self, func, target, tunable):
        del tunable
        sch = schedule_of(func)
        blocks = list(sch.get_child_blocks(get_root_block(sch))) if sch is not None else []
        if not any(_is_root(sch.get(one)) for one in blocks):
            return None
        try:
            return self._schedule(sch, blocks, _THREADS.get(target.kind.name, _OTHER_THREADS))
        except ScheduleError:
            return None

    @staticmethod
    def _schedule(sch, blocks, threads):
        sch.cache_read(blocks[0], 0, "local")
        sch.cache_write(blocks[-1], 0, "local")
        for one in blocks:
            if _is_copy(sch.get(one)):
                sch.compute_inline(one)
        parts = list(sch.get_child_blocks(get_root_block(sch)))
        if len(parts) != 6 or not _is_root(sch.get(parts[3])):
            return None
        read, square, total, root, product, write = parts
        for one in parts:
            sch.fuse(*list(sch.get_loops(one))[:-1])
        row, thread = _over_threads(sch, read, threads)
        sch.bind(row, "blockIdx.x")
        sch.bind(thread, "threadIdx.x")
        sch.vectorize(list(sch.get_loops(read))[-1])
        for one in (square, total):
            sch.reverse_compute_at(one, thread)
        for one in (root, product):
            sch.reverse_compute_at(one, row)
        _, thread = _over_threads(sch, product, threads)
        sch.bind(thread, "threadIdx.x")
        sch.reverse_compute_at(write, thread)
        sch.vectorize(list(sch.get_loops(write))[-1])
        for one in (square, total, root, product):
            sch.set_scope(one, 0, "shared" if one is root else "local")
        return sch


def _over_threads(sch, block, threads):
    """Splits the inner of the two loops of a block: the outer loop, and the one of its parts that is for threads."""
    row, column = sch.get_loops(block)
    return row, sch.split(column, [threads, None, _LANES])[0]
