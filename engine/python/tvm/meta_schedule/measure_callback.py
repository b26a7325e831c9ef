"""Called after each round of measurements."""
from .utils import Named, missing, remove_build_dir


class MeasureCallback(Named):
    """Its apply (task_scheduler, task_id, candidates, builder_results, runner_results) is called for each round."""

    def apply(self, task_scheduler, task_id, measure_candidates, builder_results, runner_results):
        """What is done."""
        raise NotImplementedError

    @staticmethod
    def create(kind="default"):
        """Those of a name: "default"."""
        if kind != "default":
            raise ValueError(f"there is no list of callbacks {kind}; there is default")
        return [AddToDatabase(), RemoveBuildArtifact(), UpdateCostModel()]


class AddToDatabase(MeasureCallback):
    """Keeps what was measured."""

    def apply(self, task_scheduler, task_id, measure_candidates, builder_results, runner_results):
        from .database import TuningRecord

        database = task_scheduler.database_
        if database is None:
            return
        context = task_scheduler.tasks_[task_id].ctx
        workload = database.commit_workload(context.mod)
        for candidate, result in zip(measure_candidates, runner_results):
            seconds = result.run_secs if result.run_secs is not None else [1e10]
            database.commit_tuning_record(TuningRecord(candidate.sch.trace, workload, seconds, context.target, candidate.args_info))


class RemoveBuildArtifact(MeasureCallback):
    """Deletes what was built."""

    def apply(self, task_scheduler, task_id, measure_candidates, builder_results, runner_results):
        for result in builder_results:
            if result.artifact_path is not None:
                remove_build_dir(result.artifact_path)


class UpdateCostModel(MeasureCallback):
    """Lets the model learn."""

    def apply(self, task_scheduler, task_id, measure_candidates, builder_results, runner_results):
        model = task_scheduler.cost_model_
        if model is None:
            return
        good = [i for i, (built, result) in enumerate(zip(builder_results, runner_results))
                if built.error_msg is None and result.run_secs and sum(float(x) for x in result.run_secs) > 0]
        model.update(task_scheduler.tasks_[task_id].ctx, [measure_candidates[i] for i in good], [runner_results[i] for i in good])


class PyMeasureCallback(MeasureCallback):
    """A base for callbacks written in Python."""

    apply = missing("apply")


create = MeasureCallback.create
