"""Questions about blocks."""


def suggest_index_map(*unused):
    """Not offered."""
    raise NotImplementedError("suggest_index_map is not offered")


def has_block(sch, block_name):
    """Is there a block of this name?"""
    from .schedule import ScheduleError

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
