"""Called after each round of measurements."""


class MeasureCallback:
    """Its apply (task_scheduler, task_id, candidates, builder_results, runner_results) is called for each round."""

    def apply(self, task_scheduler, task_id, measure_candidates, builder_results, runner_results):
        """Nothing by itself."""

    @staticmethod
    def create(kind="default"):
        """The records are written and the model learns in any case."""
        return []


PyMeasureCallback = MeasureCallback
