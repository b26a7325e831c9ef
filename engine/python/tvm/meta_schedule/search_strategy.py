"""How trials are chosen.

A trial is a design with decisions of its own, applied to the module and finished by the postprocs.  The strategies draw trials, are told what became
of them, and end when max_trials are given out.  Source of the concepts: TVM's meta_schedule (ReplayTrace, ReplayFunc, EvolutionarySearch).
"""

import itertools

from ..error import TVMError
from ..tir.schedule import Schedule, ScheduleError
from ..tir.schedule.trace import Trace
from .arg_info import ArgInfo
from .utils import Named, hash_of, missing


class MeasureCandidate(Named):
    """A schedule that is to be measured."""

    def __init__(self, sch, args_info):
        self.sch, self.args_info = sch, args_info


class SearchStrategy(Named):
    """By name: "evolutionary" changes decisions of fast traces, "replay-trace" and "replay-func" draw each trial anew."""

    def __init__(self):
        if type(self) is SearchStrategy:
            raise TypeError("a SearchStrategy is one of its kinds: SearchStrategy.create makes one")
        self._context = None
        self._state = None

    def _initialize_with_tune_context(self, context):
        if context.mod is None:
            raise TVMError("ValueError: the context of a search needs a module (mod)")
        if context.space_generator is None:
            raise TVMError("ValueError: the context of a search needs a space_generator")
        self._context = context
        self._state = None

    def pre_tuning(self, max_trials, num_trials_per_iter, design_spaces, database=None, cost_model=None):
        """Before the first candidates."""
        if not design_spaces:
            raise TVMError("ValueError: there are no design spaces to search")
        if self._state is not None:
            raise TVMError("ValueError: the search has begun already; post_tuning ends it before pre_tuning begins another")
        self._state = self._begin(max_trials, num_trials_per_iter, design_spaces, database, cost_model)

    def _begin(self, max_trials, num_trials_per_iter, design_spaces, database, cost_model):
        raise NotImplementedError

    def post_tuning(self):
        """After the last candidates."""
        self._running()
        self._state = None

    def leave(self):
        """In place of post_tuning when the search is broken off; gives what is large, to be dropped later."""
        state, self._state = self._state, None
        return state

    def _running(self):
        if self._state is None:
            raise TVMError("ValueError: a search begins with pre_tuning")
        return self._state

    def generate_measure_candidates(self):
        """The next candidates; None: the search is over."""
        return self._running().generate()

    def notify_runner_results(self, measure_candidates, results):
        """What became of the last candidates."""
        self._running().notify(measure_candidates, results)

    def clone(self):
        """The same again."""
        import copy

        other = copy.copy(self)
        other._context = other._state = None
        return other

    @staticmethod
    def create(kind="evolutionary", *args, **kwargs):
        """A strategy by name."""
        if isinstance(kind, SearchStrategy):
            return kind
        kinds = {"evolutionary": EvolutionarySearch, "replay-trace": ReplayTrace, "replay-func": ReplayFunc}
        if kind not in kinds:
            raise ValueError(f"there is no search strategy {kind}; there are {', '.join(kinds)}")
        return kinds[kind](*args, **kwargs)


class PySearchStrategy(SearchStrategy):
    """A base for strategies written in Python."""

    def __init__(self):
        pass

    _initialize_with_tune_context = missing("_initialize_with_tune_context")
    pre_tuning = missing("pre_tuning")
    post_tuning = missing("post_tuning")
    generate_measure_candidates = missing("generate_measure_candidates")
    notify_runner_results = missing("notify_runner_results")
    clone = missing("clone")

    def leave(self):
        self.post_tuning()


def finish(context, sch):
    """Applies the postprocs; False: the program is not one to measure."""
    sch.enter_postproc()
    try:
        return all(proc.apply(sch) for proc in context.space_generator.postprocs or ())
    except ScheduleError:
        return False


def apply_trace(context, trace):
    """The finished schedule of a trace, or None."""
    # results are compared and the best is applied once more, as strictly as asked for: thousands of trials are not asked for their order
    sch = Schedule(context.mod, seed=context._draw_seed(), strict=False)
    try:
        trace.apply_to_schedule(sch, remove_postproc=True)
    except ScheduleError:
        return None
    return sch if finish(context, sch) else None


def candidate_of(sch):
    """A schedule with what its function takes."""
    return MeasureCandidate(sch, ArgInfo.from_entry_func(sch.mod))


class _Replay:
    """Draws of a fixed number of trials."""

    def __init__(self, strategy, max_trials, per_iter, draw):
        self.strategy, self.max_trials, self.per_iter, self.draw = strategy, max_trials, per_iter, draw
        self.done = 0

    def generate(self):
        if self.done >= self.max_trials:
            return None
        found = []
        for _ in range(min(self.per_iter, self.max_trials - self.done)):
            sch = next(filter(None, (self.draw() for _ in range(self.strategy.max_fail_count))), None)
            if sch is not None:
                found.append(candidate_of(sch))
        return found

    def notify(self, candidates, results):
        self.done += self.per_iter


class ReplayTrace(SearchStrategy):
    """Each trial is a design's trace with fresh decisions."""

    def __init__(self, max_fail_count=100):
        super().__init__()
        self.max_fail_count = max_fail_count

    def _begin(self, max_trials, num_trials_per_iter, design_spaces, database, cost_model):
        traces = [Trace(sch.trace.simplified(True).insts, {}) for sch in design_spaces]
        return _Replay(self, max_trials, num_trials_per_iter, lambda: apply_trace(self._context, self._context._random.choice(traces)))


class ReplayFunc(SearchStrategy):
    """Each trial makes the space anew."""

    def __init__(self):
        super().__init__()
        self.max_fail_count = 100

    def _begin(self, max_trials, num_trials_per_iter, design_spaces, database, cost_model):
        def draw():
            context = self._context
            sch = context._random.choice(context.space_generator.generate_design_space(context.mod))
            return sch if finish(context, sch) else None

        return _Replay(self, max_trials, num_trials_per_iter, draw)


class EvolutionarySearch(SearchStrategy):
    """Evolution over traces, led by a model of cost that learns from what was measured."""

    def __init__(self, *, population_size=512, init_measured_ratio=0.2, init_min_unmeasured=50, max_fail_count=5, genetic_num_iters=4,
                 genetic_mutate_prob=0.85, genetic_max_fail_count=10, eps_greedy=0.05):
        super().__init__()
        self.population_size, self.init_measured_ratio, self.init_min_unmeasured = population_size, init_measured_ratio, init_min_unmeasured
        self.max_fail_count, self.genetic_num_iters, self.genetic_mutate_prob = max_fail_count, genetic_num_iters, genetic_mutate_prob
        self.genetic_max_fail_count, self.eps_greedy = genetic_max_fail_count, eps_greedy

    def _begin(self, max_trials, num_trials_per_iter, design_spaces, database, cost_model):
        if database is None:
            raise TVMError("ValueError: evolution starts from the best of a database: pre_tuning needs one")
        if cost_model is None:
            raise TVMError("ValueError: evolution ranks by a cost model: pre_tuning needs one")
        return _Evolution(self, max_trials, num_trials_per_iter, design_spaces, database, cost_model)

    def _initialize_with_tune_context(self, context):
        super()._initialize_with_tune_context(context)
        if context.target is None:
            raise TVMError("ValueError: the context of a search needs a target")


class _Seen:
    """Programs, by structure."""

    def __init__(self):
        self.by_hash = {}

    def copy(self):
        other = _Seen()
        other.by_hash = {key: list(mods) for key, mods in self.by_hash.items()}
        return other

    def add(self, mod):
        """True: it was not there."""
        from ..ir.base import structural_equal

        same = self.by_hash.setdefault(hash_of(mod), [])
        if any(structural_equal(mod, other) for other in same):
            return False
        same.append(mod)
        return True


class _Evolution:
    EMPTY_ITERS = 5             # rounds without a new program, after which the search is over
    REMEMBERED = 64             # programs of earlier searches that are not measured again
    KEPT = 4096                 # schedules of traces that came before

    def __init__(self, strategy, max_trials, per_iter, design_spaces, database, cost_model):
        self.strategy, self.context = strategy, strategy._context
        self.max_trials, self.start, self.end = max_trials, 0, per_iter
        self.per_iter, self.empty = per_iter, 0
        self.designs = [Trace(sch.trace.simplified(True).insts, {}) for sch in design_spaces]
        self.database, self.cost_model = database, cost_model
        self.made = {}          # a trace with its decisions, as text -> its schedule
        self.workload = database.commit_workload(self.context.mod)
        self.measured = _Seen()
        for sch in self._best_of_database(self.REMEMBERED):
            self.measured.add(sch.mod)

    # ---- where a generation starts ------------------------------------------------

    def _best_of_database(self, n):
        records = self.database.get_top_k(self.workload, n)
        return [sch for sch in (apply_trace(self.context, record.trace) for record in records) if sch is not None]

    def _sample(self, n):
        found, fails = [], 0
        while len(found) < self.strategy.init_min_unmeasured and fails < self.strategy.max_fail_count:
            traces = [self.context._random.choice(self.designs) for _ in range(n)]
            made = [sch for sch in (apply_trace(self.context, trace) for trace in traces) if sch is not None]
            fails += not made
            found += made
        return found

    # ---- evolution ------------------------------------------------------------------

    def _scores(self, population):
        different = {id(sch): sch for sch in population}
        predicted = self.cost_model.predict(self.context, [candidate_of(sch) for sch in different.values()])
        scores = {key: max(float(score), 0.0) for key, score in zip(different, predicted)}
        return [scores[id(sch)] for sch in population]

    def _mutator(self):
        """One of the mutators, or None: the trace stays."""
        probs = self.context.space_generator.mutator_probs or {}
        weights = list(probs.values())
        total = sum(weights)
        if total <= 0 or self.context._random.random() >= self.strategy.genetic_mutate_prob:
            return None
        return self.context._random.choices(list(probs), weights)[0]

    def _schedule_of(self, trace):
        """A changed trace has all its decisions: what it makes is made once.  A small space meets the same ones again and again."""
        key = str(trace)
        if key not in self.made:
            if len(self.made) >= self.KEPT:
                self.made.clear()
            self.made[key] = apply_trace(self.context, trace)
        return self.made[key]

    def _child(self, population, sums):
        parent = self.context._random.choices(population, cum_weights=sums)[0]
        for _ in range(self.strategy.genetic_max_fail_count + 1):
            mutator = self._mutator()
            if mutator is None:
                return parent
            changed = mutator.apply(parent.trace.simplified(True))
            sch = self._schedule_of(changed) if changed is not None else None
            if sch is not None:
                return sch
        return parent

    def _evolve(self, population, n):
        known, best, looked_at = self.measured.copy(), [], {}
        for generation in range(self.strategy.genetic_num_iters + 1):
            scores = self._scores(population)
            for score, sch in zip(scores, population):
                if id(sch) not in looked_at and known.add(sch.mod):
                    best.append((score, sch))
                looked_at[id(sch)] = sch
            best.sort(key=lambda pair: -pair[0])
            del best[n:]
            if generation == self.strategy.genetic_num_iters:
                break
            sums = list(itertools.accumulate(scores if sum(scores) > 0 else [1.0] * len(scores)))
            population = [self._child(population, sums) for _ in range(self.strategy.population_size)]
        return [sch for _, sch in best]

    def _pick(self, unmeasured, bests, n):
        n_best = n - int(n * self.strategy.eps_greedy)
        rands = list(unmeasured)
        self.context._random.shuffle(rands)
        bests, rands, picks = bests[::-1], rands[::-1], []
        for i in range(n):
            first, second = (bests, rands) if i < n_best else (rands, bests)
            if not first and not second:
                break
            sch = (first or second).pop()
            if self.measured.add(sch.mod):
                picks.append(sch)
        return picks

    # ---- what the strategy offers ------------------------------------------------------

    def generate(self):
        if self.start >= self.max_trials:
            return None
        n = self.per_iter - max(0, self.end - self.max_trials)
        self.end = min(self.end, self.max_trials)
        size = self.strategy.population_size
        measured = self._best_of_database(int(size * self.strategy.init_measured_ratio))
        unmeasured = self._sample(size - len(measured))
        if len(unmeasured) < self.strategy.init_min_unmeasured:
            self.context.logger.warning("too few programs could be drawn to begin with: %d of %d", len(unmeasured), self.strategy.init_min_unmeasured)
            return None
        picks = self._pick(unmeasured, self._evolve(measured + unmeasured, n), n)
        if not picks:
            self.empty += 1
            if self.empty >= self.EMPTY_ITERS:
                return None
        return [candidate_of(sch) for sch in picks]

    def notify(self, candidates, results):
        self.start += len(results)
        self.end += len(results)


create = SearchStrategy.create
