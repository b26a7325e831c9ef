from .base import GPUScheduleRule


class LowBatchGEMV(GPUScheduleRule):
    def __init__(self, *a): pass

    def apply(self, func, target, tunable):
        return None
