"""Applying the trace of one program to another."""


def schedule_using_anchor_trace(sch, anchor_trace, target):
    """Not offered."""
    raise NotImplementedError("schedules are not moved from one anchor block to another")
