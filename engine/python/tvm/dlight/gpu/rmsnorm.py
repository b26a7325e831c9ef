from .base import GPUScheduleRule


class RMSNorm(GPUScheduleRule):
    def __init__(self, *a): pass

    def apply(self, func, target, tunable):
        return None
