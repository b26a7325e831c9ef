"""What the rules for GPUs share."""
from ..base.rule import ScheduleRule


class GPUScheduleRule(ScheduleRule):
    """A rule that is for targets with threads."""

    def is_target_available(self, target):
        """Does the target have threads to bind loops to?"""
        return "gpu" in target.keys
