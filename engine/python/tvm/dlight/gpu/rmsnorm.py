"""RMS normalisation: known by name. GeneralReduction and Reduction take such programs."""
from .base import GPUScheduleRule


class RMSNorm(GPUScheduleRule):
    """Takes no program here: none of the recorded normalisations is taken by the rule of this name either."""

    def apply(self, func, target, tunable):
        del func, target, tunable
        return None
