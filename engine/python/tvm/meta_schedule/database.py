"""What was measured, in memory or in TVM's two files."""
import base64
import fcntl
import json
import math
import os

from ..error import _json_rows, _reading
from ..ir.base import load_json, save_json, structural_equal, structural_hash
from ..script.source import from_source
from ..tir.schedule import Schedule
from ..tir.schedule.trace import Trace
from .arg_info import ArgInfo
from .utils import Named, as_target, hash_of, missing, normalize_mod
from .utils import run_secs as seconds_of


class Workload(Named):
    """A module that is tuned."""

    def __init__(self, mod, shash=None):
        self.mod = mod
        self.shash = hash_of(mod) if shash is None else shash

    def as_json(self):
        """[hash, TVM's JSON of the module in base64]."""
        return [str(self.shash & (2**64 - 1)), base64.b64encode(save_json(self.mod).encode()).decode()]

    @staticmethod
    def from_json(data):
        """What as_json gave, here or in TVM; the hash is told anew.  The command line keeps the text of the module."""
        text = base64.b64decode(data[1]).decode()
        return Workload(load_json(text) if text.lstrip().startswith("{") else from_source(text, check_well_formed=False))


class TuningRecord(Named):
    """A trace and its times; run_secs None: it was not measured."""

    UNKNOWN = 1e10              # stands for a time that is not known

    def __init__(self, trace, workload, run_secs=None, target=None, args_info=None):
        self.trace, self.workload, self.run_secs = trace, workload, seconds_of(run_secs)
        self.target = as_target(target) if target is not None else None
        self.args_info = args_info

    def as_measure_candidate(self):
        """The schedule with what it takes."""
        from .search_strategy import MeasureCandidate

        sch = Schedule(self.workload.mod)
        self.trace.apply_to_schedule(sch, remove_postproc=False)
        return MeasureCandidate(sch, ArgInfo.from_entry_func(sch.mod))

    def is_valid(self):
        """Does it have a time?  What is no number or infinite, as a damaged file may say, is none."""
        return any(x != self.UNKNOWN for x in self.run_secs or ()) and all(math.isfinite(x) for x in self.run_secs)

    @property
    def _mean(self):
        return sum(self.run_secs) / len(self.run_secs) if self.is_valid() else self.UNKNOWN

    def as_json(self):
        """[trace, run_secs, target, arguments], as TVM writes it."""
        return [self.trace.as_json(False), [float(x) for x in self.run_secs] if self.run_secs is not None else None,
                self.target.export() if self.target is not None else None,
                [one.as_json() for one in self.args_info] if self.args_info is not None else None]

    @staticmethod
    def from_json(data, workload):
        """What as_json gave."""
        trace, seconds, target, args = data
        return TuningRecord(Trace.from_json(trace), workload, seconds, target, [ArgInfo.from_json(one) for one in args] if args is not None else None)


class Database(Named):
    """Workloads and their records.

    Who derives from it writes has_workload, commit_workload, commit_tuning_record, get_top_k, get_all_tuning_records and __len__.
    """

    _current = []

    def has_workload(self, mod):
        """Was the module tuned?"""
        raise NotImplementedError

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
        raise NotImplementedError

    def query_tuning_record(self, mod, target, workload_name=""):
        """The fastest record of a module, or None."""
        mod = normalize_mod(mod)
        if not self.has_workload(mod):
            return None
        best = self.get_top_k(self.commit_workload(mod), 1)
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
            raise ValueError(f"a database is asked for a schedule, record or ir_module, not for {kind}")
        return kinds[kind](mod, target, workload_name)

    def dump_pruned(self, destination):
        """Copies the best record of each workload."""
        workloads = []
        for record in self.get_all_tuning_records():
            if not any(record.workload is known for known in workloads):
                workloads.append(record.workload)
        for workload in workloads:
            for record in self.get_top_k(workload, 1):
                destination.commit_tuning_record(TuningRecord(record.trace, destination.commit_workload(workload.mod), record.run_secs, record.target,
                                                              record.args_info))

    def __len__(self):
        raise NotImplementedError

    def __bool__(self):
        return True

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
        """By name: "json", "memory", "union", "ordered_union"; from a function: what it schedules."""
        if isinstance(kind, Database):
            return kind
        if callable(kind):
            return ScheduleFnDatabase(kind, *args, **kwargs)
        kinds = {"json": JSONDatabase, "memory": MemoryDatabase, "union": UnionDatabase, "ordered_union": OrderedUnionDatabase}
        if kind not in kinds:
            raise ValueError(f"there is no database {kind}; there are {', '.join(kinds)}")
        return kinds[kind](*args, **kwargs)


class PyDatabase(Database):
    """A base for databases written in Python."""

    has_workload = missing("has_workload")
    commit_workload = missing("commit_workload")
    commit_tuning_record = missing("commit_tuning_record")
    get_top_k = missing("get_top_k")
    get_all_tuning_records = missing("get_all_tuning_records")


class _Same:
    """When two modules are one workload: "structural"; "ignore-tensor" (functions hold no arrays here, so it is the same);
    "anchor-block": when their heavy blocks are equal, whatever stands around them."""

    def __init__(self, name):
        if name not in ("structural", "ignore-tensor", "ignore-ndarray", "anchor-block"):
            raise ValueError(f"modules are compared by structural, ignore-tensor or anchor-block, not by {name}")
        self._by_anchor = name == "anchor-block"

    def _anchor(self, mod):
        from ..tir.analysis import find_anchor_block

        return find_anchor_block(mod) if self._by_anchor else None

    def hash(self, mod):
        """Equal modules have equal ones."""
        anchor = self._anchor(mod)
        return hash_of(mod) if anchor is None else structural_hash(anchor, map_free_vars=True)

    def __call__(self, a, b):
        one, other = self._anchor(a), self._anchor(b)
        if one is None and other is None:
            return structural_equal(a, b)
        return one is not None and other is not None and structural_equal(one, other, map_free_vars=True)


class MemoryDatabase(Database):
    """Kept while the program runs.  module_equality: "structural", "ignore-tensor", "anchor-block"."""

    def __init__(self, module_equality="structural"):
        self._same = _Same(module_equality)
        self._workloads, self._records, self._by_hash = [], [], {}

    def _find(self, mod):
        return next((workload for workload in self._by_hash.get(self._same.hash(mod), ()) if self._same(workload.mod, mod)), None)

    def _keep(self, workload):
        self._workloads.append(workload)
        self._by_hash.setdefault(self._same.hash(workload.mod), []).append(workload)

    def has_workload(self, mod):
        return self._find(mod) is not None

    def get_top_k(self, workload, top_k):
        good = [r for r in self._records if r.is_valid() and (r.workload is workload or self._same(r.workload.mod, workload.mod))]
        good.sort(key=lambda r: r._mean)
        return good[:top_k]

    def __len__(self):
        return len(self._records)

    def commit_workload(self, mod):
        found = self._find(mod)
        if found is None:
            found = Workload(mod)
            self._keep(found)
        return found

    def commit_tuning_record(self, record):
        self._records.append(record)

    def get_all_tuning_records(self):
        return list(self._records)


class _Locked:
    """A file of lines, with its lock while one is in the block: what is added to it are whole lines, whoever else adds (engine/tune/database.c does
    the same).  A last line without its end, of a process that was killed, goes to FILE.torn first."""

    def __init__(self, path):
        self.path = os.fspath(path)

    def __enter__(self):
        self.file = open(self.path, "a+b")
        fcntl.flock(self.file, fcntl.LOCK_EX)
        try:
            self._mend()
        except BaseException:
            self.file.close()
            raise
        return self

    def __exit__(self, *unused):
        self.file.close()

    def _mend(self):
        """Cuts off what stands behind the last line end."""
        size = at = self.file.seek(0, os.SEEK_END)
        kept = b""
        while at > 0 and b"\n" not in kept:
            step = min(at, 65536)
            at -= step
            self.file.seek(at)
            kept = self.file.read(step) + kept
        torn = kept[kept.rfind(b"\n") + 1:]
        if torn:
            with open(self.path + ".torn", "ab") as aside:
                aside.write(torn + b"\n")
            self.file.truncate(size - len(torn))

    def lines(self, skipped):
        """Those behind the first `skipped` ones."""
        self.file.seek(0)
        return [line for line in self.file.read().split(b"\n")[:-1] if line.strip()][skipped:]

    def append(self, value):
        self.file.write((json.dumps(value) + "\n").encode())
        self.file.flush()


class JSONDatabase(MemoryDatabase):
    """Kept in database_workload.json and database_tuning_record.json, one entry a line; lines are added as they come.

    Several processes may have the same files: each line is added under a lock, and a record has the number that its module has in the file."""

    def __init__(self, path_workload=None, path_tuning_record=None, *, work_dir=None, allow_missing=True, module_equality="structural"):
        super().__init__(module_equality)
        if work_dir is not None:
            path_workload = path_workload or os.path.join(work_dir, "database_workload.json")
            path_tuning_record = path_tuning_record or os.path.join(work_dir, "database_tuning_record.json")
        if path_workload is None:
            raise ValueError("a database of two files needs path_workload, the file of the modules")
        if path_tuning_record is None:
            raise ValueError("a database of two files needs path_tuning_record, the file of the records")
        self.path_workload, self.path_tuning_record = path_workload, path_tuning_record
        for path in (path_workload, path_tuning_record):
            if os.path.exists(path) and os.access(path, os.W_OK):
                with _Locked(path):                     # so that no line is read that somebody is writing
                    pass
        for place, row in self._rows(path_workload, allow_missing):
            with _reading(place):
                self._keep(Workload.from_json(row))
        for place, row in self._rows(path_tuning_record, allow_missing):
            with _reading(place):
                at, record = row
                if not isinstance(at, int) or not 0 <= at < len(self._workloads):
                    raise ValueError(f"there is no workload {at}")
                self._records.append(TuningRecord.from_json(record, self._workloads[at]))

    @staticmethod
    def _rows(path, allow_missing):
        if not os.path.exists(path):
            if not allow_missing:
                raise ValueError(f"{path} is not there; allow_missing=True makes it")
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            with open(os.fspath(path), "w", encoding="utf-8"):
                return []
        return _json_rows(path)

    def commit_workload(self, mod):
        if self._find(mod) is not None:
            return super().commit_workload(mod)
        with _Locked(self.path_workload) as file:
            for line in file.lines(len(self._workloads)):       # of other processes
                with _reading(f"{self.path_workload}, line {len(self._workloads) + 1}"):
                    self._keep(Workload.from_json(json.loads(line)))
            before = len(self._workloads)
            found = super().commit_workload(mod)
            if len(self._workloads) > before:
                file.append(found.as_json())
        return found

    def commit_tuning_record(self, record):
        workload = self.commit_workload(record.workload.mod)
        super().commit_tuning_record(record)
        with _Locked(self.path_tuning_record) as file:
            file.append([self._workloads.index(workload), record.as_json()])


class UnionDatabase(Database):
    """The best of several databases."""

    def __init__(self, *databases):
        self._databases = databases

    def query_tuning_record(self, mod, target, workload_name=""):
        found = [d.query_tuning_record(mod, target, workload_name) for d in self._databases]
        found = [r for r in found if r is not None]
        return min(found, key=lambda r: r._mean) if found else None


class OrderedUnionDatabase(UnionDatabase):
    """The first of several databases that has a record."""

    def query_tuning_record(self, mod, target, workload_name=""):
        found = (d.query_tuning_record(mod, target, workload_name) for d in self._databases)
        return next((r for r in found if r is not None), None)


class ScheduleFnDatabase(Database):
    """What a function schedules: it gets a Schedule, changes it and gives True; False: there is no record."""

    def __init__(self, schedule_fn):
        self._schedule_fn = schedule_fn

    def query_tuning_record(self, mod, target, workload_name=""):
        mod = normalize_mod(mod)
        sch = Schedule(mod)
        if not self._schedule_fn(sch):
            return None
        return TuningRecord(sch.trace, Workload(mod), None, target, ArgInfo.from_entry_func(mod))


create = Database.create
