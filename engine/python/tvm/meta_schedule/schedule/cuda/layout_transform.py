"""Moving data in tiles on CUDA."""


def cuda_layout_transform_schedule_rule(sch, block, testing_tile_sizes=None):
    """Not offered."""
    raise NotImplementedError("this rule is not offered")
