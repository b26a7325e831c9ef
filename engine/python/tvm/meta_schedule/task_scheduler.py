"""Which task is next, and the way of its candidates: built, measured, told to the callbacks.

Source of the concepts: TVM's meta_schedule (TaskScheduler, RoundRobin, GradientBased).
"""
import random

from ..error import TVMError
from .builder import BuilderInput
from .runner import RunnerFuture, RunnerInput, RunnerResult
from .utils import Named

FAR = 1e10


class TaskRecord(Named):
    """A task while it is tuned."""

    def __init__(self, ctx, task_weight=1.0):
        self.ctx, self.task_weight, self.flop = ctx, task_weight, 1.0
        self.is_terminated = False
        self.build_error_count = self.run_error_count = 0
        self.measure_candidates = self.builder_results = self.runner_futures = None
        self.latency_ms = []


class TaskScheduler(Named):
    """By name: "round-robin", "gradient"."""

    def __init__(self):
        self.tasks_, self.measure_callbacks_ = [], []
        self.database_ = self.cost_model_ = None
        self.remaining_tasks_ = 0

    def next_task_id(self):
        """The number of the task whose turn it is; -1: all are over."""
        raise NotImplementedError

    def tune(self, tasks, task_weights, max_trials_global, max_trials_per_task, num_trials_per_iter, builder, runner, measure_callbacks=(),
             database=None, cost_model=None):
        """Searches the tasks.  Ctrl+C ends the search; what was measured stays in the database."""
        if len(tasks) != len(task_weights):
            raise ValueError(f"{len(tasks)} tasks have {len(task_weights)} weights")
        self.tasks_, self.measure_callbacks_ = [], list(measure_callbacks or ())
        self.database_, self.cost_model_ = database, cost_model
        self.remaining_tasks_ = len(tasks)
        for context, weight in zip(tasks, task_weights):
            for what in ("mod", "space_generator", "search_strategy"):
                if getattr(context, what) is None:
                    raise TVMError(f"ValueError: a task needs a {what} in its context")
            self.tasks_.append(TaskRecord(context, float(weight)))
            designs = context.generate_design_space()
            context.logger.info("%d sketches", len(designs))
            context.search_strategy.pre_tuning(max_trials_per_task, num_trials_per_iter, designs, database, cost_model)
        self._started()
        try:
            self._run(max_trials_global, max_trials_per_task, builder, runner)
        except KeyboardInterrupt:
            # Populations are large: they are dropped with the exception, by whoever handles it.
            unfinished = [task.ctx.search_strategy.leave() for task in self.tasks_]
            tasks[0].logger.warning("the search was ended; what was measured is in the database")
            raise
        for number, task in enumerate(self.tasks_):
            if not task.is_terminated:
                if task.runner_futures is not None:
                    self.join_running_task(number)
                self.terminate_task(number)
            task.ctx.search_strategy.post_tuning()

    def _started(self):
        """The tasks are there."""

    def _run(self, max_trials_global, max_trials_per_task, builder, runner):
        given = 0
        while given < max_trials_global:
            number = self.next_task_id()
            if number == -1:
                return
            task = self.tasks_[number]
            candidates = task.ctx.search_strategy.generate_measure_candidates() if len(task.latency_ms) < max_trials_per_task else None
            if candidates is None:
                self.terminate_task(number)
                continue
            given += len(candidates)
            if candidates:
                task.ctx.logger.info("%d programs are built", len(candidates))
            task.measure_candidates = list(candidates)
            task.builder_results = builder.build([BuilderInput(one.sch.mod, task.ctx.target) for one in candidates])
            self._send_to_runner(task, runner)

    @staticmethod
    def _send_to_runner(task, runner):
        good = [i for i, result in enumerate(task.builder_results) if result.error_msg is None]
        inputs = [RunnerInput(task.builder_results[i].artifact_path, task.ctx.target.kind.name, task.measure_candidates[i].args_info) for i in good]
        futures = iter(runner.run(inputs) if good else [])
        task.runner_futures = []
        for result in task.builder_results:
            failed = RunnerResult(None, result.error_msg) if result.error_msg is not None else None
            task.runner_futures.append(next(futures) if failed is None else RunnerFuture(lambda: True, lambda failed=failed: failed))

    def touch_task(self, task_id):
        """Takes the results of a task when they are all there."""
        task = self.tasks_[task_id]
        if not task.is_terminated and task.runner_futures is not None and all(future.done() for future in task.runner_futures):
            self.join_running_task(task_id)

    def join_running_task(self, task_id):
        """Waits for the results of a task; gives them."""
        task = self.tasks_[task_id]
        results = [future.result() for future in task.runner_futures]
        task.ctx.search_strategy.notify_runner_results(task.measure_candidates, results)
        for callback in self.measure_callbacks_:
            callback.apply(self, task_id, task.measure_candidates, task.builder_results, results)
        for built, result in zip(task.builder_results, results):
            seconds = [float(x) for x in result.run_secs] if result.error_msg is None and result.run_secs else []
            task.latency_ms.append(sum(seconds) / len(seconds) * 1000 if seconds else FAR)
            if not seconds:
                task.build_error_count += built.error_msg is not None
                task.run_error_count += built.error_msg is None
                task.ctx.logger.info("%s: a program has no time: %s", task.ctx.task_name, result.error_msg)
        if results:
            task.ctx.logger.info("%s: %d measured, the best takes %.4f ms", task.ctx.task_name, len(task.latency_ms), min(task.latency_ms, default=FAR))
        task.measure_candidates = task.builder_results = task.runner_futures = None
        return results

    def terminate_task(self, task_id):
        """The task is over."""
        task = self.tasks_[task_id]
        task.is_terminated = True
        self.remaining_tasks_ -= 1
        errors = task.build_error_count + task.run_error_count
        if task.latency_ms and errors == len(task.latency_ms):
            task.ctx.logger.warning("%s: no program could be measured", task.ctx.task_name)
        task.ctx.logger.info("task %d is done, %d are left", task_id, self.remaining_tasks_)

    def print_tuning_statistics(self):
        """Logs what was measured."""
        for number, task in enumerate(self.tasks_):
            best = min(task.latency_ms, default=FAR)
            task.ctx.logger.info("%d %s: %d trials, best %.4f ms", number, task.ctx.task_name, len(task.latency_ms), best)

    @staticmethod
    def create(kind="gradient", *args, **kwargs):
        """A scheduler of tasks."""
        if isinstance(kind, TaskScheduler):
            return kind
        kinds = {"gradient": GradientBased, "round-robin": RoundRobin}
        if kind not in kinds:
            raise ValueError(f"there is no task scheduler {kind}; there are {', '.join(kinds)}")
        return kinds[kind](*args, **kwargs)


class RoundRobin(TaskScheduler):
    """One after the other."""

    def __init__(self):
        super().__init__()
        self.task_id = -1

    def next_task_id(self):
        for number in range(len(self.tasks_)):
            self.touch_task(number)
        for _ in self.tasks_:
            self.task_id = (self.task_id + 1) % len(self.tasks_)
            if not self.tasks_[self.task_id].is_terminated:
                if self.tasks_[self.task_id].runner_futures is not None:
                    self.join_running_task(self.task_id)
                return self.task_id
        return -1


class GradientBased(TaskScheduler):
    """First each once, then the one from which most is expected: `alpha` weighs what the last `window_size` rounds gained against its time."""

    def __init__(self, *, alpha=0.2, window_size=3, seed=-1):
        super().__init__()
        self.alpha, self.window_size = alpha, window_size
        self._draw = random.Random(None if seed == -1 else seed)
        self._started()

    def _started(self):
        self._rounds, self._history = 0, [[] for _ in self.tasks_]

    def next_task_id(self):
        n = len(self.tasks_)
        if self._rounds < n:
            self._rounds += 1
            return self._rounds - 1
        if self._rounds == n:
            for number, task in enumerate(self.tasks_):
                if task.runner_futures is not None:
                    self.join_running_task(number)
            self._rounds += 1
        for number in range(n):
            self.touch_task(number)
        alive = [number for number in range(n) if not self.tasks_[number].is_terminated]
        if not alive:
            return -1
        gains = [self._gain(number) for number in alive]
        best = max(gains)
        chosen = self._draw.choice(alive) if best == min(gains) else alive[gains.index(best)]
        if self.tasks_[chosen].runner_futures is not None:
            self.join_running_task(chosen)
        return chosen

    def _gain(self, number):
        history, w = self._history[number], self.window_size
        if not history or history[-1] >= 1e9:
            return -1e9
        n, best = len(history), history[-1]
        lately = (history[n - 1 - w] - best) / w if n >= 1 + w else 0.0
        return (self.alpha * lately + (1 - self.alpha) * best / n) * self.tasks_[number].task_weight

    def join_running_task(self, task_id):
        results = super().join_running_task(task_id)
        if task_id < len(self._history):
            self._history[task_id].append(min([x for x in self.tasks_[task_id].latency_ms if x < FAR], default=FAR))
        return results


class PyTaskScheduler(TaskScheduler):
    """A base for schedulers written in Python."""

    def next_task_id(self):
        raise ValueError("next_task_id is not defined")


create = TaskScheduler.create
