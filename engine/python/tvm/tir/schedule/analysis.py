"""Questions about blocks, accesses and tensor intrinsics."""
import _loopscope as _core

from .schedule import ScheduleError


def suggest_index_map(buffer, indices, loops, predicate):
    """A layout of the buffer in the order in which the loops run through it when it is accessed at these indices; None: there is none."""
    return _core.suggest_index_map(buffer, list(indices), list(loops), predicate)


class TensorizeInfo:
    """Which loops of a program a tensor intrinsic would take.

    loop_map: {place of a loop: loop of the description}; desc_loop_indexer: {loop of the description: its number, outermost 0};
    block_iter_paddings: to multiples of what the block's variables have to be padded, None when they fit.
    """

    def __init__(self, loop_map, desc_loop_indexer, block_iter_paddings):
        self.loop_map, self.desc_loop_indexer, self.block_iter_paddings = loop_map, desc_loop_indexer, block_iter_paddings


def get_tensorize_loop_mapping(sch, block, desc_func, allow_padding=False):
    """The loops around the block that stand for those of the description; None when they do not fit."""
    found = sch._tensorize_loops(block, desc_func, bool(allow_padding))
    if found is None:
        return None
    loops, asked, desc_loops, paddings = found
    places = {sch._sref_of(loop): other for loop, other in zip(loops, asked)}
    return TensorizeInfo(places, {loop: i for i, loop in enumerate(desc_loops)}, paddings)


class AutoTensorizeMappingInfo:
    """How a block would have to be laid out for a tensor intrinsic.

    mappings: index maps of the block's variables; lhs_buffer_map: {buffer of the program: buffer of the description};
    rhs_buffer_indices: {buffer of the description: its indices}; lhs_iters, rhs_iters: variables of the block, of the description.
    """

    def __init__(self, mappings, lhs_buffer_map, rhs_buffer_indices, lhs_iters, rhs_iters):
        self.mappings, self.lhs_buffer_map, self.rhs_buffer_indices = mappings, lhs_buffer_map, rhs_buffer_indices
        self.lhs_iters, self.rhs_iters = lhs_iters, rhs_iters


def get_auto_tensorize_mapping_info(sch, block, desc_func):
    """How the block's variables have to be fused for its buffers to be indexed as the description's are; None: it computes something else."""
    found = sch._tensorize_mapping(block, desc_func)
    if found is None:
        return None
    mappings, own, asked, indices, own_iters, asked_iters = found
    return AutoTensorizeMappingInfo(mappings, dict(zip(own, asked)), dict(zip(asked, indices)), own_iters, asked_iters)


def has_block(sch, block_name):
    """Is there a block of this name?"""
    try:
        sch.copy().get_block(block_name)
        return True
    except ScheduleError:
        return False


def is_output_block(sch, block):
    """Does the block write what the block around it does not allocate?"""
    place = sch.get_sref(block)
    scope = place.parent
    while scope is not None and not hasattr(scope.stmt, "alloc_buffers"):
        scope = scope.parent
    own = list(scope.stmt.alloc_buffers) if scope is not None else []
    return any(not any(region.buffer.same_as(b) for b in own) for region in place.stmt.writes)
