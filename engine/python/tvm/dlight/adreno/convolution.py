"""Convolutions with channels in blocks (NCHWc with kernels OIHWo)."""
from .base import AdrenoScheduleRule, has_condition, inline_left


def _pad(sch, block):
    """A row of channels is a vector, the rest goes over threads."""
    *rest, last = sch.get_loops(block)
    blocks, outer, inner = sch.split(sch.fuse(*rest), [None, 16, 16])
    for loop, thread in ((blocks, "blockIdx.x"), (outer, "threadIdx.y"), (inner, "threadIdx.x")):
        sch.bind(loop, thread)
    sch.vectorize(last)


def _product(sch, block):
    """A thread makes the channels of one pixel: it reads four input channels at a time and keeps its sums in registers."""
    batch, outer, row, column, lanes, channels, kernel_row, kernel_column = sch.get_loops(block)
    sch.reorder(batch, outer, row, column, channels, kernel_row, kernel_column, lanes)
    blocks, high, low = sch.split(sch.fuse(batch, outer, row, column), [None, 16, 16])
    for loop, thread in ((low, "threadIdx.x"), (high, "threadIdx.y"), (blocks, "blockIdx.x")):
        sch.bind(loop, thread)
    fours, one = sch.split(channels, [None, 4])
    sch.reorder(fours, kernel_row, kernel_column, one, lanes)
    read = sch.cache_read(block, 0, "local")
    sch.compute_at(read, kernel_column)
    sch.vectorize(sch.get_loops(read)[-1])
    written = sch.cache_write(block, 0, "local")
    sch.reverse_compute_at(written, low)
    sch.vectorize(sch.get_loops(written)[-1])
    sch.vectorize(lanes)
    sch.vectorize(sch.get_loops(sch.decompose_reduction(block, fours))[-1])


class Conv2d(AdrenoScheduleRule):
    """Functions with one convolution whose block is called conv2d_NCHWc_OIHWo..., with its padding and what follows it."""

    def apply(self, func, target, _):
        sch, infos = self.begin(func, target)
        sums = [one for one in infos if "R" in one.dom_kind()]
        if sch is None or len(sums) != 1 or any("O" in one.dom_kind() for one in infos):
            return None
        if "conv2d_NCHWc_OIHWo" not in sums[0].name or sums[0].dom_kind() != "SSSSSRRR" or len(sch.get_loops(sums[0].block_rv)) != 8:
            return None
        at = infos.index(sums[0])
        pads = [one for one in infos[:at] if has_condition(sch.get(one.block_rv))]
        inline_left(sch, [one for one in infos[:at] if one not in pads], False)
        for one in pads:
            _pad(sch, one.block_rv)
        _product(sch, sums[0].block_rv)
        inline_left(sch, infos[at + 1:], True)
        return sch
