"""A plugin of pytest for tvm-tests: the beginning and the end of each test as a line of JSON, so that a crash loses no other's; what is told there already
is not run again."""
import json
import os

TOLD = os.environ["LS_TVM_TESTS_TOLD"]


def _tell(**what):
    with open(TOLD, "a", encoding="utf-8") as out:
        out.write(json.dumps(what) + "\n")


def pytest_collection_modifyitems(items):
    with open(TOLD, encoding="utf-8") as file:
        known = {json.loads(line).get("test") for line in file}
    items[:] = [item for item in items if item.nodeid not in known]


def pytest_runtest_logstart(nodeid, location):      # pylint: disable=unused-argument
    _tell(begins=nodeid)


def _why(report):
    """The first line of what was raised; of what is skipped, the reason."""
    crash = getattr(getattr(report.longrepr, "reprcrash", None), "message", None)
    if crash:
        return crash
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    lines = [line for line in str(report.longrepr or "").splitlines() if line.strip()]
    errors = [line[1:].strip() for line in lines if line.startswith("E ")]
    return (errors or lines or [""])[-1]


class _Outcomes:
    """A test has up to three reports; the worst of them is what came of it, and the call's is told only once it was torn down."""

    def __init__(self):
        self.outcome, self.why = "passed", ""

    def add(self, report):
        if hasattr(report, "wasxfail"):
            found = "expected" if report.skipped else "passed"
        else:
            found = report.outcome
        if found != "passed" and self.outcome != "failed":
            self.outcome, self.why = found, _why(report)


_running = {}


def pytest_runtest_logreport(report):
    _running.setdefault(report.nodeid, _Outcomes()).add(report)


def pytest_runtest_logfinish(nodeid, location):     # pylint: disable=unused-argument
    one = _running.pop(nodeid, None) or _Outcomes()
    _tell(test=nodeid, outcome=one.outcome, why=one.why)


def pytest_collectreport(report):
    if report.outcome != "passed":
        _tell(test=report.nodeid or "the collection", outcome="skipped" if report.skipped else "failed", why=_why(report))
