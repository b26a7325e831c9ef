"""What kernels over the rows of a tensor share."""
from ... import te, tir
from ...target import Target


def threads():
    """How many threads a block has: what the current target holds, at most 256."""
    target = Target.current(allow_none=True)
    return min(256, int(target.max_num_threads)) if target is not None and "gpu" in target.keys else 256


def axis_of(data, axis):
    """The number of an axis that may be counted from the end."""
    n = len(data.shape)
    if not -n <= axis < n:
        raise ValueError(f"axis {axis} of a tensor of {n} dimensions: it lies between {-n} and {n - 1}")
    return axis % n


def rows(shape, axis):
    """Before, along and behind an axis: how many rows there are in front of it, how long one is, and how far apart its elements are."""
    before, behind = tir.const(1, _index(shape)), tir.const(1, _index(shape))
    for extent in shape[:axis]:
        before = before * extent
    for extent in shape[axis + 1:]:
        behind = behind * extent
    return before, shape[axis], behind


def _index(shape):
    return next((extent.dtype for extent in shape if hasattr(extent, "dtype")), "int32")


def launch(builder, blocks, per_block):
    """The block and the thread of a kernel that begins here."""
    block, thread = te.thread_axis("blockIdx.x"), te.thread_axis("threadIdx.x")
    builder.scope_attr(block, "thread_extent", blocks)
    builder.scope_attr(thread, "thread_extent", per_block)
    return block.var, thread.var


def wait(builder):
    """All threads of the block come to this place before one goes on."""
    builder.emit(tir.call_intrin("int32", "tir.tvm_storage_sync", "shared"))
