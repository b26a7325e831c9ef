"""Tags of stages."""
ELEMWISE = "elemwise"
BROADCAST = "broadcast"
INJECTIVE = "injective"
COMM_REDUCE = "comm_reduce"
COMM_REDUCE_IDX = "comm_reduce_idx"


def is_broadcast(tag):
    """Is it a broadcast?"""
    return tag in (ELEMWISE, BROADCAST)


def is_injective(tag):
    """Does each element come from one?"""
    return tag in (ELEMWISE, BROADCAST, INJECTIVE)
