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
