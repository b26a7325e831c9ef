"""Cells that go wrong and lessons that are broken: what happened is said, the window goes on, the next cell runs.

/usr/bin/python3 tests/ui/kernel.py PROGRAM [WORD..]: the stories whose name has one of the words.  LS_SHOTS names a folder for pictures.
"""
import os
import signal
import subprocess
import sys
import time

import driver
from driver import Atspi, check, find, insist, key, name_of, press, wait, walk
from stories import FOLDER, STATE, children, path, tell

SHOTS = os.environ.get("LS_SHOTS")
MOST_RESIDENT = 600e6           # of the window, while a cell prints or allocates without end


def shot(name):
    """A picture for who looks at what is tested here."""
    if SHOTS:
        time.sleep(0.8)
        subprocess.run(["import", "-window", "root", os.path.join(SHOTS, name + ".png")], check=False)


def content(node):
    try:
        return Atspi.Text.get_text(node, 0, -1) if node.get_role_name() in ("text", "terminal") else ""
    except driver.GLib.Error:
        return ""


def says(app, part, seconds=60.0):
    return wait(lambda: any(part in name_of(n) or part in content(n) for n in walk(app)), seconds) is not None


def run(app, number):
    return press(wait(lambda: find(app, f"Run cell {number}", "push button")))


def pythons(child):
    return [pid for pid, name in children(child).items() if name.startswith("python")]


def resident(child):
    with open(f"/proc/{child.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def after(app, number):
    """A cell that runs after all that."""
    run(app, number)
    check("the next cell runs", says(app, "after all"))


# ---- cells


def killed(app, child):
    run(app, 1)
    check("the cell has begun", says(app, "half way"))
    running = pythons(child)
    check("there is one Python", len(running) == 1, str(children(child)))
    shot("killed-runs")
    os.kill(running[0], signal.SIGKILL)
    check("what ended it is told", says(app, "SIGKILL"))
    check("what it had printed stays", says(app, "half way"))
    check("no Python is left behind", wait(lambda: not pythons(child)) is not None)
    shot("killed-told")
    after(app, 2)
    shot("killed-after")


def endless(app, child):
    run(app, 1)
    stop = wait(lambda: find(app, "Stop cell 1", "push button"))
    check("it can be stopped", stop is not None)
    shot("endless-runs")
    began = time.monotonic()
    press(stop)
    check("and is, with its line", says(app, "Interrupted.") and says(app, "Run cell 1"))
    print(f"# stopped after {time.monotonic() - began:.1f} s")
    shot("endless-told")
    check("what was defined is still there", len(pythons(child)) == 1)
    after(app, 2)
    shot("endless-after")


def deaf(app, child):
    """A cell that catches the interrupt: Stop becomes End Python."""
    run(app, 1)
    check("the cell has begun", says(app, "half way"))
    insist(lambda: press(find(app, "Stop cell 1", "push button")), lambda: find(app, "End Python cell 1", "push button"))
    shot("deaf-asked")
    press(find(app, "End Python cell 1", "push button"))
    check("Python can be ended", wait(lambda: find(app, "Run cell 1", "push button")) is not None)
    check("and is gone", wait(lambda: not pythons(child)) is not None)
    shot("deaf-told")
    after(app, 2)


def printing(app, child):
    began, largest = time.monotonic(), 0
    run(app, 1)
    while not says(app, "the end of it", 0.3) and time.monotonic() - began < 120:
        largest = max(largest, resident(child))
    check("its end is seen", says(app, "the end of it", 5))
    check("and that something was left out", says(app, "left out"))
    largest = max(largest, resident(child))
    print(f"# {largest / 1e6:.0f} MB resident, {time.monotonic() - began:.1f} s")
    check("the window stays small", largest < MOST_RESIDENT, f"{largest / 1e6:.0f} MB")
    shot("printing-told")
    box = next((n for n in walk(app) if name_of(n) == "Output" and "the end of it" in content(n)), None)
    check("without scrolling", box is not None and wait(lambda: Atspi.Text.get_character_extents(box, Atspi.Text.get_character_count(box) - 1, Atspi.CoordType.WINDOW).y < 900) is not None)
    after(app, 2)
    shot("printing-after")


def asking(app, child):
    run(app, 1)
    check("input says that there is none", says(app, "a cell cannot ask for input; write the value into the cell"))
    shot("asking-told")
    run(app, 2)
    check("reading stdin ends at once", says(app, "read ''"))
    after(app, 3)


def hungry(app, child):
    run(app, 1)
    check("too much memory is told", says(app, "MemoryError") or says(app, "more memory than it may", 1))
    shot("hungry-told")
    check("the window stays small", resident(child) < MOST_RESIDENT)
    after(app, 2)
    shot("hungry-after")


# ---- lessons


def broken(*expected, page=None):
    def drive(app, child):
        for part in expected:
            check("it is told: " + part, says(app, part, 20), str([name_of(n) for n in walk(app) if len(name_of(n)) > 20][:12]))
        shot("broken-" + NAME_OF[drive])
        if page:
            check("the rest is there", says(app, page))
            run(app, 1)
            check("and runs", says(app, "after all"))
        else:
            for name in ("shift+Return", "alt+Next", "ctrl+period", "F5", "ctrl+Return"):
                driver.focus("")
                key(name)
            check("keys do no harm", says(app, expected[0]))
    return drive


HEAD = "---\ntitle: Gone wrong\nid: wrong\n---\n\n"
AFTER = "```python\nprint('after', 'all')\n```\n"
CELLS = {
    "killed": 'import time\nprint("half", "way")\nwhile True:\n    time.sleep(0.1)',
    "endless": 'n = 0\nwhile True:\n    n += 1',
    "deaf": 'print("half", "way")\nimport time\nwhile True:\n    try:\n        time.sleep(0.1)\n    except KeyboardInterrupt:\n        pass',
    "printing": 'line = "x" * 99 + "\\n"\nfor _ in range(1000):\n    print(line * 1000, end="")\nprint("the end of", "it")',
    "asking": 'name = input("Who are you? ")',
    "hungry": 'import numpy\nall = numpy.ones(int(1e11), dtype="int8")',
}
for name, code in CELLS.items():
    more = "```python\nimport sys\nprint('read', repr(sys.stdin.read()))\n```\n\n" if name == "asking" else ""
    with open(path(name + ".en.md"), "w", encoding="utf-8") as file:
        file.write(f"{HEAD}```python\n{code}\n```\n\n{more}{AFTER}")

FILES = {
    "unclosed": (HEAD + AFTER + "\n## Next\n\n```python\nprint('never closed')\n\n## Last\n\nText of the last page.\n").encode(),
    "option": (HEAD + AFTER.replace("python", "python {viw=loops, colour=red}") + "\nRest.\n").encode(),
    "question": (HEAD + AFTER + "\n```predict\nWhat is it?\n- ( ) one\n- ( ) two\n").encode(),
    "zero": (HEAD + "Be\0fore.\n\n" + AFTER).encode(),
    "latin": (HEAD + "Caf\xe9.\n\n" + AFTER).encode("latin-1"),
    "empty": b"",
    "binary": bytes(range(256)) * 40,
}
for name, data in FILES.items():
    with open(path(name + ".en.md"), "wb") as file:
        file.write(data)

LESSONS = {
    "unclosed": broken("unclosed.en.md", "Line 12: ", page="after"),
    "option": broken("option.en.md", "Line 6: ", "viw", "colour", page="after"),
    "question": broken("question.en.md", "Line 10: ", page="after"),
    "zero": broken("zero.en.md", "line 6", "Open a lesson"),
    "latin": broken("latin.en.md", "Line 6: ", page="after"),
    "empty": broken("empty.en.md", "Line 1: "),
    "binary": broken("binary.en.md", "line 1 has a zero byte", "Open a lesson"),
}
NAME_OF = {drive: name for name, drive in LESSONS.items()}
MORE = dict(XDG_DATA_HOME=os.path.join(FOLDER, "data"))
STORIES = [("a cell: " + name, [path(name + ".en.md")], drive, True, STATE, None, "Run next", MORE)
           for name, drive in (("killed", killed), ("endless", endless), ("deaf", deaf), ("printing", printing), ("asking", asking), ("hungry", hungry))]
STORIES += [("a lesson: " + name, [path(name + ".en.md")], drive, True, STATE, None, "Open a lesson" if name in ("zero", "binary") else "Pages", MORE) for name, drive in LESSONS.items()]
sys.exit(tell(STORIES))
