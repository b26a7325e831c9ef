"""What the last line of ./check counts."""
import json
import os
import subprocess
import sys
import tempfile

SUMMARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "summary.py")
COUNT = 0
FAILED = 0


def record(name, lines, result="OK", code=0):
    return {"name": "loopscope:quick / " + name, "stdout": "\n".join(lines), "result": result, "returncode": code}


def check(name, records, names, last, status, ci=""):
    """What it prints last for these records, of programs with these names."""
    global COUNT, FAILED
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "log.json"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in records)
        if names is not None:
            with open(os.path.join(folder, "log.list"), "w", encoding="utf-8") as file:
                file.writelines(f"loopscope:quick / {one}\n" for one in names)
        done = subprocess.run([sys.executable, SUMMARY, os.path.join(folder, "log.json")], stdout=subprocess.PIPE, text=True, check=False,
                              env=dict(os.environ, CI=ci))
    COUNT += 1
    good = done.stdout.splitlines()[-1] == last and done.returncode == status
    FAILED += not good
    print(f"{'ok' if good else 'not ok'} {COUNT} - {name}")
    if not good:
        print("#", done.returncode, done.stdout.replace("\n", "\n# "))


TWO = record("a", ["1..2", "ok 1 - x", "ok 2 - y"])
BAD = record("b", ["1..2", "ok 1 - x", "not ok 2 - y"], "FAIL", 1)
CUT = record("c", ["1..3", "ok 1 - x"], "FAIL", -11)
check("cases are counted", [TWO, BAD], ["a", "b"], "3 passed, 1 failed", 1)
check("a program that ended early", [TWO, CUT], ["a", "c"], "3 passed, 1 failed", 1)
check("programs that never ran have failed", [TWO], ["a", "b", "c"], "2 passed, 2 failed", 1)
check("a name that is listed twice ran twice", [TWO], ["a", "a"], "2 passed, 1 failed", 1)
check("all of them", [TWO], ["a"], "2 passed, 0 failed", 0)
check("without a list", [TWO], None, "2 passed, 0 failed", 0)
check("what is skipped", [TWO, record("d", ["1..0 # SKIP no display"], "SKIP")], ["a", "d"], "2 passed, 0 failed, 1 skipped", 0)
check("a part of which no case ran, and nobody says why", [TWO, record("h", ["# Start of ui tests", "1..0"], "SKIP")], ["a", "h"], "2 passed, 1 failed", 1)
check("a program that ends with 77 says why", [TWO, record("g", ["skipped: numpy is not installed"], "SKIP", 77)], ["a", "g"], "2 passed, 1 failed", 1, "true")
check("in capitals too", [TWO, record("g", ["SKIP: numpy is not installed"], "SKIP", 77)], ["a", "g"], "2 passed, 1 failed", 1, "true")
MISSING = record("e", ["1..2", "ok 1 - x", "ok 2 - y # SKIP numpy is not installed"])
check("what is not installed is skipped", [MISSING], ["e"], "1 passed, 0 failed, 1 skipped", 0)
check("and has failed on a machine that could install it", [MISSING], ["e"], "1 passed, 1 failed", 1, "true")
check("there too what has another reason is skipped", [record("f", ["1..1", "ok 1 - x # SKIP no counters"]), TWO], ["f", "a"], "2 passed, 0 failed, 1 skipped", 0, "true")
print(f"1..{COUNT}")
sys.exit(1 if FAILED else 0)
