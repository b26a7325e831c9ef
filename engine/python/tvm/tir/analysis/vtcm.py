"""What a program keeps in the fast memory of a Hexagon."""


def get_vtcm_compaction_passes():
    """The passes after which calculate_allocated_bytes says what a scheduled program needs of each memory."""
    from ...meta_schedule._lower import vtcm_passes

    return vtcm_passes()
