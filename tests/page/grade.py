"""A class hands in: what is right, half, wrong, broken, altered, copied and hostile is graded, and nothing of it does harm.

    grade.py CLI LESSON [N]         N submissions (24 unless given), a dozen of them hostile or broken

With LS_TEST_UNJAILED=1 only the two that reach out are graded, without a jail: each attack that then works is named, and the checks fail.
"""
import csv
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CLI, LESSON = sys.argv[1:3]
N = int(sys.argv[3]) if len(sys.argv) > 3 else 24
COUNT = FAILED = 0
# Numbers of system calls.
CALLS = {"tkill": 200 if os.uname().machine == "x86_64" else 130, "pidfd_open": 434, "pidfd_send_signal": 424}

RIGHT = '''def te_dense(A, B, bias):
    C = te_matmul(A, B)
    D = te.compute(C.shape, lambda i, j: C[i, j] + bias[j], name="add{n}")
    return te_relu(D)
'''
HALF = '''def te_dense(A, B, bias):
    C = te_matmul(A, B)
    D = te.compute(C.shape, lambda i, j: C[i, j] - bias[j], name="sub{n}")
    return te_relu(D)
'''

# What each tries; {canary} is a file that must still be there afterwards, {new} one that must not.
HOSTILE = {
    "loop": "import time\nwhile True:\n    time.sleep(0.01)\n",
    "deaf": "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    try:\n        time.sleep(1)\n    except BaseException:\n        pass\n",
    "memory": "x = []\nwhile True:\n    x.append(bytearray(64 << 20))\n",
    "end": "import os\nos._exit(0)\n",
    "files": "import os\nfor path in ({canary!r}, {new!r}):\n    try:\n        open(path, 'w').write('hostile')\n    except OSError:\n        pass\n    try:\n        os.remove(path)\n    except OSError:\n        pass\n",
    "forge": "import sys\nfor module in list(sys.modules.values()):\n    if getattr(module, '__name__', '').endswith('questions'):\n        module.split_cases = lambda text: [('three blocks', '', 0), ('the numbers are right', '', 0), ('x', '', 0)]\n",
    "parent": "import os, signal\nfor pid in range(2, 40):\n    try:\n        os.kill(pid, signal.SIGKILL)\n    except OSError:\n        pass\n",
    "flood": "import sys\nfor _ in range(200000):\n    print('x' * 1000)\n    print('y' * 1000, file=sys.stderr)\n",
}
# Of this process, which the grader's program was started by: each says what it reached, by the sentence of its failure.
HOSTILE["reach"] = """import ctypes, os, resource, signal
libc, got = ctypes.CDLL(None, use_errno=True), []
def call(name, *words):
    if libc.syscall(*map(ctypes.c_long, words)) >= 0:
        got.append(name)
def attempt(name, work):
    try:
        if work():
            got.append(name)
    except (OSError, ValueError):
        pass
call("tkill", {tkill}, {parent}, int(signal.SIGUSR1))
fd = libc.syscall(ctypes.c_long({pidfd_open}), ctypes.c_long({parent}), ctypes.c_long(0))
if fd >= 0:
    call("pidfd_send_signal", {pidfd_send_signal}, fd, int(signal.SIGUSR1), 0, 0)
attempt("prlimit", lambda: resource.prlimit({parent}, resource.RLIMIT_NOFILE))
attempt("memory read", lambda: open("/proc/{parent}/mem", "rb", 0).fileno())
attempt("memory written", lambda: open("/proc/{parent}/mem", "r+b", 0).fileno())
attempt("environment", lambda: b"LS_TEST_SECRET" in open("/proc/{parent}/environ", "rb").read() or "LS_TEST_SECRET" in os.environ)
attempt("home", lambda: [name for name in os.listdir({home!r}) if name not in (".cache", "home")])
attempt("canary", lambda: open({canary!r}).read())
attempt("passwords", lambda: open("/etc/shadow").read())
raise ValueError("reached: " + ", ".join(got) if got else "nothing was in reach")
"""
HOSTILE["left"] = """import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 1024)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        os.execv("/bin/sleep", ["{word}", "600"])
    os._exit(0)
time.sleep(0.3)
started = 0
try:
    for started in range(1000):
        os.posix_spawn("/bin/sleep", ["{word}", "600"], {})
except OSError:
    pass
raise ValueError("reached: a thousand processes" if started == 999 else "nothing was in reach")
"""
BROKEN = {"torn": '{"format": "loopscope-submission 1", "answers": [', "deep": "[" * 200000}


def check(name, good, more=""):
    """One line of TAP."""
    global COUNT, FAILED
    COUNT += 1
    FAILED += not good
    print(f"{'ok' if good else 'not ok'} {COUNT} - {name}{' # ' + str(more) if not good and more != '' else ''}", flush=True)


def submission(student, code, choice="It goes; matmul becomes an argument that the caller supplies.", lesson="te-fusion", key=None):
    """As the window and the page write it."""
    answers = [("part bias", "exercise", code), (key or PREDICT, "predict", choice), (PRIMITIVE, "primitive", "reverse_compute_at")]
    text = "\n".join(["loopscope-submission 1", lesson, "en", student, "2026-01-01T00:00:00Z"] + [x for p, k, v in answers for x in (p, k, str(len(v.encode())), v)])
    return {"format": "loopscope-submission 1", "lesson": lesson, "language": "en", "student": student, "saved": "2026-01-01T00:00:00Z",
            "answers": [{"part": p, "kind": k, "value": v} for p, k, v in answers], "seal": hashlib.sha256(text.encode()).hexdigest()}


def keys(folder):
    """What the page of the lesson calls its questions."""
    out = os.path.join(folder, "keys.html")
    subprocess.run([CLI, "lesson", "export", LESSON, "-o", out], check=True, stdout=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as file:
        data = file.read().split('id="data">')[1].split("</script>")[0]
    return {q["kind"]: q["key"] for q in json.loads(data)["questions"] if q["key"] != "part drill"}     # a drill is not graded


def write(folder, name, value):
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))


def fill(folder, places):
    """The class; who is expected to get which points (of 4), or None where it is no submission."""
    wanted = {}
    for name, code in HOSTILE.items():
        for place, value in places.items():
            code = code.replace("{" + place + "}", str(value)).replace("{" + place + "!r}", repr(value))
        write(folder, "hostile-" + name, submission("hostile " + name, code))
        wanted["hostile-" + name] = 2
    for name, text in BROKEN.items():
        write(folder, "broken-" + name, text)
        wanted["broken-" + name] = None
    os.symlink("/etc/passwd", os.path.join(folder, "link.json"))
    wanted["link"] = None
    for n in range(N - len(wanted)):
        name, right = f"student-{n:03}", n % 3
        one = submission(f"Student {n}", (RIGHT if right != 1 else HALF).replace("{n}", str(n)), **({} if right != 2 else {"choice": "An error: C is not an output."}))
        wanted[name] = 4 if right == 0 else 3
        if n == 3:
            one["student"] = "Somebody else"
        elif n == 4:
            one["student"] = '=HYPERLINK("x")<script>\033[31m'
            del one["seal"]
        elif n in (6, 9):
            one = submission(f"Student {n}", RIGHT.replace("{n}", "same") + ("# mine\n" if n == 9 else ""))
        write(folder, name, one)
    return wanted


STOPPED = '''---
title: Stopped
id: stopped
---

```python {id=run, view=run, stops="write S[1]", ask=element}
import tvm
from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((2, 3), "float32"), S: T.Buffer((2,), "float32")):
    for i, k in T.grid(2, 3):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vk]
main
```
'''


def stops(folder):
    """Answers at the stops of a run: a point for each that is right, none for one at a statement that is no stop."""
    lesson, out, handed = (os.path.join(folder, name) for name in ("stopped.en.md", "stopped.html", "stopped"))
    os.mkdir(handed)
    with open(lesson, "w", encoding="utf-8") as file:
        file.write(STOPPED)
    subprocess.run([CLI, "lesson", "export", lesson, "-o", out], check=True, stdout=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as file:
        view = next(v for v in json.loads(file.read().split('id="data">')[1].split("</script>")[0])["views"] if v["kind"] == "run")
    places = [i for i, step in enumerate(view["steps"]) if step[2] == 1]
    for name, answers in (("all", {at: "S[1]" for at in places}), ("one", {places[0]: "S[ 1 ]", places[1]: "S[0]"}), ("none", {}), ("elsewhere", {next(i for i in range(len(view["steps"])) if i not in places): "S[1]"}),
                          ("hostile", {-1: "S[1]", 10 ** 30: "S[1]", "x": "\n\n", places[0]: "S[1]" * 1000})):
        text = "".join(f"{at} {given}\n" for at, given in answers.items())
        write(handed, name, {"format": "loopscope-submission 1", "lesson": "stopped", "language": "en", "student": name, "saved": "2026-01-01T00:00:00Z",
                             "answers": [{"part": view["key"], "kind": "stops", "value": text}] if answers else []})
    run = subprocess.run([CLI, "lesson", "grade", handed, "--lesson", lesson, "--json"], capture_output=True, text=True, timeout=600, check=False)
    grades = {g["file"][:-5]: g for g in json.loads(run.stdout or '{"grades": []}')["grades"]}
    got = {name: (g["points"], g["most"]) for name, g in grades.items()}
    check("answers at the stops of a run are graded", len(places) >= 3 and got == {"all": (len(places), len(places)), "one": (1, len(places)), "none": (0, len(places)),
                                                                                    "elsewhere": (0, len(places)), "hostile": (0, len(places))}, (got, run.stderr[-500:]))
    check("the first wrong one is told", f"statement {places[1] + 1}: S[0]" in str(grades["one"]["parts"]), grades["one"])


def spoken(folder, handed):
    """The page in the language of the user, where the command line is asked to speak it; what programs read stays as it is."""
    one, page = os.path.join(folder, "one"), os.path.join(folder, "ko.html")
    os.mkdir(one)
    shutil.copy(os.path.join(handed, "student-003.json"), one)
    run = subprocess.run([CLI, "lesson", "grade", one, "--lesson", LESSON, "--html", page, "--json"], capture_output=True, text=True, timeout=600, check=False,
                         env={**os.environ, "LS_SPEAK": "1", "LANGUAGE": "ko", "LC_ALL": "C.UTF-8"})
    with open(page, encoding="utf-8") as file:
        text = file.read()
    words = re.sub(r"<h1>.*?</h1>", "", re.sub(r"<[^>]*>", " ", text[text.find("<main"):text.find("</main>")]))
    check("the page speaks the user's language", 'lang="ko"' in text and all(word in words for word in ("제출물 1개", "학생", "봉인", "바뀜"))
          and not re.search(r"\b(submission|Student|Points|Seal|exercise|proof|changed)\b", words), words[:600])
    check("programs read the same words", json.loads(run.stdout)["grades"][0]["seal"] == "changed", run.stdout[:300])


def running(word):
    """How many processes have the word in their command line, this one not counted."""
    found = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                found += int(pid) != os.getpid() and word.encode() in file.read()
        except OSError:
            pass
    return found


def gone(word, seconds=60):
    """Do all of them end?"""
    end = time.monotonic() + seconds
    while running(word) and time.monotonic() < end:
        time.sleep(0.05)
    return not running(word)


def unjailed(handed, alone, word, signals):
    """What the attacks do where nothing holds."""
    os.environ["LS_JAIL"] = "off"
    shutil.copy(os.path.join(handed, "hostile-reach.json"), alone)
    run = subprocess.run([CLI, "lesson", "grade", alone, "--lesson", LESSON, "--seconds", "120", "--json"], capture_output=True, text=True, timeout=1200, check=False)
    for grade in json.loads(run.stdout)["grades"]:
        note = str(grade["parts"][-1]["note"])
        check(f"{grade['file']}: nothing is in reach", "nothing was in reach" in note, note)
    check("no signal came", not signals, len(signals))
    check("nothing stays", gone(word, 3), running(word))
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if int(pid) != os.getpid() and word.encode() in file.read():
                    os.kill(int(pid), signal.SIGKILL)
        except OSError:
            pass
    print(f"1..{COUNT}")


def main():
    global PREDICT, PRIMITIVE
    signals = []
    signal.signal(signal.SIGUSR1, lambda *_: signals.append(1))
    os.environ["LS_TEST_SECRET"] = "secret"
    with tempfile.TemporaryDirectory(dir=os.path.expanduser("~")) as home, tempfile.TemporaryDirectory() as folder:
        canary, new, handed = os.path.join(home, "canary"), os.path.join(home, "new"), os.path.join(folder, "in")
        os.mkdir(handed)
        with open(canary, "w", encoding="utf-8") as file:
            file.write("alive")
        found = keys(folder)
        PREDICT, PRIMITIVE = found["predict"], found["primitive"]
        word = f"graded-{os.getpid()}"
        wanted = fill(handed, {"canary": canary, "new": new, "home": os.path.expanduser("~"), "parent": os.getpid(), "word": word, **CALLS})
        table, page = os.path.join(folder, "t.csv"), os.path.join(folder, "t.html")
        # What starts processes until it may not takes its time on a busy machine; it is graded by itself.
        alone = os.path.join(folder, "alone")
        os.mkdir(alone)
        os.rename(os.path.join(handed, "hostile-left.json"), os.path.join(alone, "hostile-left.json"))
        del wanted["hostile-left"]
        if os.environ.get("LS_TEST_UNJAILED"):
            unjailed(handed, alone, word, signals)
            return 1
        run = subprocess.run([CLI, "lesson", "grade", alone, "--lesson", LESSON, "--seconds", "120", "--json"], capture_output=True, text=True, timeout=1200, check=False)
        left = json.loads(run.stdout)["grades"][0]
        run = subprocess.run([CLI, "lesson", "grade", handed, "--lesson", LESSON, "--csv", table, "--html", page, "--seconds", "10", "--json"],
                             capture_output=True, text=True, timeout=1200, check=False)
        check("the class is graded", run.returncode == 0, run.stderr[-800:])
        grades = {g["file"][:-5]: g for g in json.loads(run.stdout)["grades"]}
        check("each file has a row", sorted(grades) == sorted(wanted))
        wrong = {name: (grades[name]["points"], grades[name]["parts"]) for name, points in wanted.items() if points is not None and grades[name]["points"] != points}
        check("each has the points that it earned", not wrong, wrong)
        check("what is no submission is said to be none", all(grades[name]["seal"] == "unreadable" for name, points in wanted.items() if points is None))
        check("what answers for the cases is noticed", "answers for the cases" in grades["hostile-forge"].get("notes", ""), grades["hostile-forge"])
        check("a loop is told", "did not end" in grades["hostile-loop"]["parts"][-1]["note"], grades["hostile-loop"])
        notes = {"reach": str(grades["hostile-reach"]["parts"][-1]), "left": str(left["parts"][-1])}
        said = subprocess.run([CLI, "jail", "--json"], stdout=subprocess.PIPE, text=True, check=False).stdout
        if json.loads(said)["state"] == "holds":
            check("nothing outside is in reach of what is graded", all("nothing was in reach" in note for note in notes.values()) and left["points"] == 2 and not signals, (notes, signals))
            check("and nothing of it stays", gone(word), running(word))
        check("an altered file is told", grades["student-003"]["seal"] == "changed" and grades["student-004"]["seal"] == "none" and grades["student-000"]["seal"] == "whole")
        check("the same code is told of both", "student-009" in grades["student-006"].get("notes", "") and "student-006" in grades["student-009"].get("notes", ""))
        check("a wrong answer is shown", "An error" in str(grades["student-002"]["parts"]))
        with open(canary, encoding="utf-8") as file:
            check("no file was harmed", file.read() == "alive" and not os.path.exists(new))
        with open(table, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        check("the table has a row for each", len(rows) == len(wanted) and {r["student"]: r["points"] for r in rows}["Student 0"] == "4")
        check("no cell is a formula", not any(value and value[0] in "=+-@" for row in rows for value in row.values()))
        with open(page, encoding="utf-8") as file:
            text = file.read()
        check("nor a tag in the page", "<script>\033" not in text and "HYPERLINK(&quot;x&quot;)&lt;script&gt;" in text and "no proof" in text)
        spoken(folder, handed)
        stops(folder)
    print(f"1..{COUNT}")
    return 1 if FAILED else 0


PREDICT = PRIMITIVE = ""
sys.exit(main())
