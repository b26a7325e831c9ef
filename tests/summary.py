"""Counts the test cases in meson's logs (testlog.json) and prints the last line of ./check.

A case is a TAP line of a test program.  A program that ended before it had run its plan counts as
one failure more, and so does one that ran no case and does not say why (-p with a name that no case
has); one that does not speak TAP counts as one case.  LOG.list beside LOG.json, where it is, has the
names of all programs (meson test --list): one that the log does not know has failed, as when meson
itself ended early.  What failed and why anything was skipped is printed before the last line;
with CI in the environment what is skipped because something "is not installed" has failed, for ./check
installs it.
"""
import collections
import json
import os
import re
import sys

CASE = re.compile(r"^(not )?ok\b\s*(\d*)\s*-?\s*([^#]*)(?:#\s*(SKIP|TODO)\b\s*(.*))?", re.I)
PLAN = re.compile(r"^1\.\.(\d+)(?:\s*#\s*SKIP\b\s*(.*))?", re.I)
GOOD = {"OK", "EXPECTEDFAIL"}
MISSING = "is not installed"


class Tally:
    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = []

    def skip(self, name, reason):
        if os.environ.get("CI") and MISSING in (reason or ""):
            self.failed.append((name, "skipped: " + reason))
        else:
            self.skipped.append((name, reason or "no reason given"))

    def add_case(self, program, match):
        bad, _, name, directive, reason = match.groups()
        name = f"{program}: {name.strip()}"
        directive = (directive or "").upper()
        if directive == "SKIP":
            self.skip(name, reason.strip())
        elif bad and directive != "TODO":
            self.failed.append((name, "failed"))
        else:
            self.passed += 1

    def add_program(self, record):
        program, result = record["name"], record["result"]
        plan, seen, failures = None, 0, len(self.failed)
        for line in (record.get("stdout") or "").splitlines():
            if match := PLAN.match(line):
                plan = int(match[1])
                if plan == 0 and match[2] is not None:
                    self.skip(program, match[2])
                elif plan == 0:
                    self.failed.append((program, "ran no case"))
            elif match := CASE.match(line):
                seen += 1
                self.add_case(program, match)
        if plan is None and seen == 0:
            self.add_plain(record)
        elif plan is not None and seen < plan:
            self.failed.append((program, f"{ending(record)} after {seen} of {plan} cases"))
        elif result not in GOOD and result != "SKIP" and len(self.failed) == failures:
            self.failed.append((program, ending(record)))

    def add_plain(self, record):
        if record["result"] in GOOD:
            self.passed += 1
        elif record["result"] == "SKIP":
            self.skip(record["name"], spoken_reason(record))
        else:
            self.failed.append((record["name"], ending(record)))


def listed(path):
    """The names of the programs that were to run, from the list beside a log."""
    path = os.path.splitext(path)[0] + ".list"
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", errors="replace") as names:
        return [line.strip() for line in names if " / " in line]


def spoken_reason(record):
    """What a program that does not speak TAP says of why it ended with 77: "skipped: .." or "SKIP: ..", last."""
    found = re.findall(r"^(?:skipped|SKIP): (.*)$", record.get("stdout") or "", re.M)
    return found[-1] if found else ""


def ending(record):
    code = record.get("returncode", 0)
    if record["result"] == "TIMEOUT":
        return "timed out"
    if code < 0:
        return f"ended by signal {-code}"
    return f"ended with status {code}"


def tell_output(record, limit=100):
    for stream in ("stdout", "stderr"):
        lines = (record.get(stream) or "").splitlines()
        for line in lines[-limit:]:
            print(f"    {line}")


def main(paths):
    tally = Tally()
    for path in paths:
        try:
            with open(path, encoding="utf-8", errors="replace") as log:
                records = [json.loads(line) for line in log if line.strip()]
        except OSError as error:
            tally.failed.append((path, str(error)))
            continue
        missing = collections.Counter(listed(path))
        missing.subtract(record["name"] for record in records)
        tally.failed += [(name, "did not run") for name, n in missing.items() for _ in range(n)]
        for record in records:
            failures = len(tally.failed)
            tally.add_program(record)
            if len(tally.failed) > failures:
                print(f"--- {record['name']}")
                tell_output(record)
    for name, reason in tally.skipped:
        print(f"skipped  {name}: {reason}")
    for name, reason in tally.failed:
        print(f"failed   {name}: {reason}")
    line = f"{tally.passed} passed, {len(tally.failed)} failed"
    if tally.skipped:
        line += f", {len(tally.skipped)} skipped"
    print(line)
    return 1 if tally.failed or tally.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
