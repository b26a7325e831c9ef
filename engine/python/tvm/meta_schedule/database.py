"""What was measured, in memory or in TVM's two files."""
import json
import os

import _loopscope as _core

from ..ir.module import IRModule
from ..tir import PrimFunc
from ..tir.schedule import Schedule
from ..tir.schedule.trace import Trace
from .arg_info import ArgInfo
from .utils import as_target, normalize_mod


class Workload:
    """A module that is tuned."""

    def __init__(self, mod):
        self.mod = mod

    def as_json(self):
        """[hash, text of the module in base64]."""
        return json.loads(_core.workload_line(self.mod))

    @staticmethod
    def from_json(data):
        """What as_json gave."""
        return Workload(_core.workload_read(json.dumps(data)))


class TuningRecord:
    """A trace and its times; run_secs None: it was not measured."""

    def __init__(self, trace, workload, run_secs=None, target=None, args_info=None):
        self.trace, self.workload = trace, workload
        self.run_secs = [float(x) for x in run_secs] if run_secs is not None else None
        self.target = as_target(target) if target is not None else None
        self.args_info = args_info

    def as_measure_candidate(self):
        """The schedule with what it takes."""
        from .search_strategy import MeasureCandidate

        sch = Schedule(self.workload.mod)
        self.trace.apply_to_schedule(sch, remove_postproc=False)
        return MeasureCandidate(sch, ArgInfo.from_entry_func(sch.mod))

    def is_valid(self):
        """Does it have a time?"""
        return bool(self.run_secs) and all(0 < x < 1e9 for x in self.run_secs)

    @property
    def _mean(self):
        return sum(self.run_secs) / len(self.run_secs) if self.is_valid() else float("inf")

    def as_json(self):
        """[trace, run_secs, target, arguments], as TVM writes it."""
        return [self.trace.as_json(False), self.run_secs, self.target.export() if self.target is not None else None,
                [one.as_json() for one in self.args_info] if self.args_info is not None else None]

    @staticmethod
    def from_json(data, workload):
        """What as_json gave."""
        trace, run_secs, target, args = data
        return TuningRecord(Trace.from_json(trace), workload, run_secs, target, [ArgInfo.from_json(one) for one in args] if args is not None else None)


def _same(a, b, equality):
    from ..ir.base import structural_equal

    if structural_equal(a, b):
        return True
    return equality != "exact" and structural_equal(_plain(a), _plain(b))


def _plain(mod):
    """Without the attributes that tuning adds."""
    funcs = {}
    for var, func in mod.functions.items():
        if isinstance(func, PrimFunc) and func.attrs and "tir.noalias" in func.attrs:
            func = func.without_attr("tir.noalias")
        funcs[var.name_hint] = func
    return IRModule(funcs)


class Database:
    """Workloads and their records."""

    _current = []

    def __init__(self, module_equality="structural"):
        self._equality = module_equality

    def _all_workloads(self):
        raise NotImplementedError

    def _find(self, mod):
        for workload in self._all_workloads():
            if _same(workload.mod, mod, self._equality):
                return workload
        return None

    def has_workload(self, mod):
        """Was the module tuned?"""
        return self._find(mod) is not None

    def commit_workload(self, mod):
        """The workload of a module, a fresh one when there is none."""
        raise NotImplementedError

    def commit_tuning_record(self, record):
        """Keeps a record."""
        raise NotImplementedError

    def get_all_tuning_records(self):
        """All of them."""
        raise NotImplementedError

    def get_top_k(self, workload, top_k):
        """The fastest records of a workload."""
        good = [r for r in self.get_all_tuning_records() if r.workload is workload or _same(r.workload.mod, workload.mod, self._equality)]
        good = [r for r in good if r.is_valid()]
        good.sort(key=lambda r: r._mean)
        return good[:top_k]

    def query_tuning_record(self, mod, target, workload_name=""):
        """The fastest record of a module, or None."""
        workload = self._find(normalize_mod(mod))
        if workload is None:
            return None
        best = self.get_top_k(workload, 1)
        return best[0] if best else None

    def query_schedule(self, mod, target, workload_name=""):
        """The schedule of the fastest record, or None."""
        record = self.query_tuning_record(mod, target, workload_name)
        if record is None:
            return None
        sch = Schedule(record.workload.mod)
        record.trace.apply_to_schedule(sch, remove_postproc=False)
        return sch

    def query_ir_module(self, mod, target, workload_name=""):
        """The module after the fastest schedule, or None."""
        sch = self.query_schedule(mod, target, workload_name)
        return sch.mod if sch is not None else None

    def query(self, mod, target, *, workload_name="", kind="schedule"):
        """One of the three, by `kind`: schedule, record, ir_module."""
        kinds = {"schedule": self.query_schedule, "record": self.query_tuning_record, "ir_module": self.query_ir_module}
        if kind not in kinds:
            raise ValueError(f'Unknown kind: {kind}. Candidates are: "schedule", "record", "ir_module"')
        return kinds[kind](mod, target, workload_name)

    def dump_pruned(self, destination):
        """Copies the best record of each workload."""
        for workload in self._all_workloads():
            for record in self.get_top_k(workload, 1):
                destination.commit_tuning_record(TuningRecord(record.trace, destination.commit_workload(workload.mod), record.run_secs, record.target,
                                                              record.args_info))

    def __len__(self):
        return len(self.get_all_tuning_records())

    def __enter__(self):
        Database._current.append(self)
        return self

    def __exit__(self, *unused):
        Database._current.pop()

    @staticmethod
    def current():
        """The one that is entered, or None."""
        return Database._current[-1] if Database._current else None

    @staticmethod
    def create(kind="json", *args, **kwargs):
        """By name: "json", "memory", "union", "ordered_union"."""
        if isinstance(kind, Database):
            return kind
        kinds = {"json": JSONDatabase, "memory": MemoryDatabase, "union": UnionDatabase, "ordered_union": OrderedUnionDatabase}
        if kind not in kinds:
            raise ValueError(f"Unknown Database: {kind}")
        return kinds[kind](*args, **kwargs)


PyDatabase = Database


class MemoryDatabase(Database):
    """Kept while the program runs."""

    def __init__(self, module_equality="structural"):
        super().__init__(module_equality)
        self._workloads, self._records = [], []

    def _all_workloads(self):
        return self._workloads

    def commit_workload(self, mod):
        found = self._find(mod)
        if found is None:
            found = Workload(mod)
            self._workloads.append(found)
        return found

    def commit_tuning_record(self, record):
        self._records.append(record)

    def get_all_tuning_records(self):
        return list(self._records)


class JSONDatabase(MemoryDatabase):
    """Kept in database_workload.json and database_tuning_record.json, one entry a line; lines are added as they come."""

    def __init__(self, path_workload=None, path_tuning_record=None, *, work_dir=None, allow_missing=True, module_equality="structural"):
        super().__init__(module_equality)
        if work_dir is not None:
            path_workload = path_workload or os.path.join(work_dir, "database_workload.json")
            path_tuning_record = path_tuning_record or os.path.join(work_dir, "database_tuning_record.json")
        if path_workload is None:
            raise ValueError("`path_workload` is not specified.")
        if path_tuning_record is None:
            raise ValueError("`path_tuning_record` is not specified.")
        self.path_workload, self.path_tuning_record = path_workload, path_tuning_record
        for line in self._lines(path_workload, allow_missing):
            self._workloads.append(Workload.from_json(line))
        for i, (at, record) in enumerate(self._lines(path_tuning_record, allow_missing)):
            if not 0 <= at < len(self._workloads):
                raise ValueError(f"{path_tuning_record}, line {i + 1}: there is no workload {at}")
            self._records.append(TuningRecord.from_json(record, self._workloads[at]))

    @staticmethod
    def _lines(path, allow_missing):
        if not os.path.exists(path):
            if not allow_missing:
                raise ValueError(f"File doesn't exist: {path}")
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            with open(path, "w", encoding="utf-8"):
                return []
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.strip()]

    @staticmethod
    def _append(path, value):
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(value) + "\n")

    def commit_workload(self, mod):
        before = len(self._workloads)
        found = super().commit_workload(mod)
        if len(self._workloads) > before:
            self._append(self.path_workload, found.as_json())
        return found

    def commit_tuning_record(self, record):
        super().commit_tuning_record(record)
        self._append(self.path_tuning_record, [self._workloads.index(self._find(record.workload.mod)), record.as_json()])


class UnionDatabase(Database):
    """The best of several databases."""

    def __init__(self, *databases):
        super().__init__()
        self._databases = databases

    def query_tuning_record(self, mod, target, workload_name=""):
        found = [d.query_tuning_record(mod, target, workload_name) for d in self._databases]
        found = [r for r in found if r is not None]
        return min(found, key=lambda r: r._mean) if found else None


class OrderedUnionDatabase(UnionDatabase):
    """The first of several databases that has a record."""

    def query_tuning_record(self, mod, target, workload_name=""):
        for database in self._databases:
            record = database.query_tuning_record(mod, target, workload_name)
            if record is not None:
                return record
        return None


create = Database.create
