"""Compare: whether both sides give the same is tried on random inputs, told in a sentence, and can be ended; where they differ, a button opens both in
step, and a program that hangs, fails or is too large for that takes nothing with it."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from driver import Atspi, check, close_by, descendants, find, focus, has_state, insist, key, name_of, press, run, top_level, wait, walk, window

OTHER = '''from tvm.script import tir as T

@T.prim_func
def mm_relu(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), C: T.Buffer((128, 128), "float32")):
    for i, j in T.grid(128, 128):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = T.%s
'''
# What the window says of a pair that was never run.
UNTRIED = "Run both to see"
SMALL = OTHER.replace("128", "64")


PAIR = "Two programs in step"


def said(app, part):
    return any(part in name_of(node) for node in walk(app))


def drive(app):
    key("ctrl+2")
    check("at first it is not tried", wait(lambda: said(app, UNTRIED)))
    check("Run both runs both", insist(lambda: press(find(app, "Run both", "push button")), lambda: not said(app, UNTRIED)))
    check("they give the same", wait(lambda: said(app, "Same results on ")), [name_of(n) for n in walk(app) if "esult" in name_of(n)])
    check("with the largest difference", lambda: said(app, "Random inputs"))
    shot("same")
    key("ctrl+F5")
    check("Ctrl+F5 tries again", wait(lambda: said(app, "Same results on ")))


def drive_other(app):
    """A file that computes something else, one of another size, and a run without an end."""
    for name, words in (("wrong.py", "Different results: C[0, 0] is"), ("small.py", "Not comparable: A is (128, 128) on the left and (64, 64)")):
        add_file(app, name)
        if name == "wrong.py":
            wait(lambda: said(app, UNTRIED))
            key("ctrl+F5")
        check(f"{name}: {words}", wait(lambda: said(app, words)), [name_of(n) for n in walk(app) if "esult" in name_of(n) or "ompar" in name_of(n)])
        shot(name[:-3])
        if name == "wrong.py":
            opened_where_they_part(app)
    check("without a button where nothing can be run", find(app, "Run both", "push button") is None)
    add_file(app, "endless.py")
    wait(lambda: said(app, UNTRIED))
    key("ctrl+F5")
    check("a run is said to be under way", wait(lambda: said(app, "Running both on random inputs")))
    shot("running")
    check("Cancel ends it", insist(lambda: press(find(app, "Cancel", "push button")), lambda: said(app, UNTRIED)))
    check("the window goes on", wait(lambda: find(app, "Run both", "push button") is not None))
    hangs_in_step(app)
    fails_in_step(app)


def in_step(app):
    top = top_level(app, PAIR)
    return [name_of(node) for node in walk(top) if name_of(node)] if top else []


def tells(app, words):
    return next((name for name in in_step(app) if re.search(words, name)), None)


def opened_where_they_part(app):
    check("different results have a button", wait(lambda: find(app, "Show where they part", "push button")))
    press(find(app, "Show where they part", "push button"))
    check("it opens both in step", wait(lambda: window(PAIR)))
    check("where they part is told unasked", wait(lambda: tells(app, r"^The results differ\. First at C\[0, 0\]: "), 240.0), in_step(app))
    check("the sides are told apart", tells(app, "^Left: the program as it was opened$") and tells(app, "^Right: the other file$"), in_step(app))
    check("both stand where it is made", wait(lambda: tells(app, r"^Both make C\[0, 0\]: \S+ and 1\b"), 240.0), in_step(app))
    shot("part")
    check("Escape closes it", close_by("Escape", PAIR))
    focus("mm_relu")


def open_pair(app, words):
    def hit():
        focus("mm_relu")
        key("ctrl+shift+b")
    return insist(hit, lambda: window(PAIR)) and wait(lambda: tells(app, words), 120.0)


def worker_of():
    found = [pid for pid, name in descendants(os.getpid()).items() if name.startswith("loopscope-work")]
    return found[-1] if found else None


def hangs_in_step(app):
    """The right program has no end."""
    check("one that has no end is run in step: how far it is, is told", open_pair(app, r"^Statement [\d,]{9,} on the left, [\d,]{9,} on the right"), in_step(app))
    focus(PAIR)
    key("F9")
    check("F9 pauses it, and both can be looked at", wait(lambda: tells(app, "^Both make C|^Both make Y|does not come to it"), 120.0), in_step(app))
    check("it says which one is not through", wait(lambda: tells(app, r"Right: It was paused before statement [\d]+; what comes then is not known\.")), in_step(app))
    shot("paused")
    def leads():
        return next((node for node in walk(top_level(app, PAIR)) if name_of(node) == "Right leads" and "button" in node.get_role_name()), None)
    check("the right one leads", insist(lambda: press(leads()), lambda: has_state(leads(), Atspi.StateType.PRESSED) or has_state(leads(), Atspi.StateType.CHECKED)),
          [(node.get_role_name(), name_of(node)) for node in walk(top_level(app, PAIR)) if name_of(node) == "Right leads"])
    press(find(top_level(app, PAIR), "To the end of the run (End)"))
    check("to the end of what is known", wait(lambda: tells(app, "^Both stand at the end of what is known of them"), 120.0), in_step(app))
    focus(PAIR)
    key("shift+F4")
    check("and back", wait(lambda: tells(app, r"^Both make C\[0, 0\]|^Only the right program makes C\[0, 0\]|^The right program makes C\[0, 0\]")), in_step(app))
    press(find(top_level(app, PAIR), "Begin again"))
    check("it begins again", wait(lambda: tells(app, r"^Statement [\d,]{9,} on the left"), 120.0), in_step(app))
    press(find(top_level(app, PAIR), "End the run"))
    check("End ends it", wait(lambda: tells(app, "^The run was ended")), in_step(app))
    press(find(top_level(app, PAIR), "Show where they part"))
    check("where they part is asked", wait(lambda: tells(app, "^Running the programs of the steps")), in_step(app))
    press(find(top_level(app, PAIR), "End the run"))
    check("and End ends that", wait(lambda: not tells(app, "^Running the programs of the steps")), in_step(app))
    press(find(top_level(app, PAIR), "Begin again"))
    check("it runs once more", wait(lambda: tells(app, r"^Statement [\d,]{9,} on the left"), 120.0), in_step(app))
    os.kill(worker_of(), signal.SIGKILL)
    check("a process that dies is told, and the window stays", wait(lambda: tells(app, "SIGKILL|ended")), in_step(app))
    check("and can be closed", close_by("Escape", PAIR))


def fails_in_step(app):
    """The right program writes where nothing is; then one with an array of 4 TiB."""
    focus("mm_relu")
    add_file(app, "fails.py")
    check("one that fails is run in step", open_pair(app, r"Right: The run ends at statement \d+: "), in_step(app))
    check("up to there", tells(app, r"^Both make C\[0, 0\]|makes C\[0, 0\]|makes Y\[0, 0\]"), in_step(app))
    check("and is closed", close_by("Escape", PAIR))
    focus("mm_relu")
    add_file(app, "huge.py")
    check("one that is too large is refused with a reason", open_pair(app, r"^On the right: .*"), in_step(app))
    shot("huge")
    check("and closed, too", close_by("Escape", PAIR))
    focus("mm_relu")
    check("the window goes on", lambda: find(app, "File…", "push button") is not None)


def add_file(app, name):
    title = "Compare with a file"
    insist(lambda: press(find(app, "File…", "push button")), lambda: window(title))
    focus(title)
    subprocess.run(["xdotool", "type", os.path.join(FOLDER.name, name)], check=False)
    insist(lambda: (focus(title), key("Return")), lambda: window(title) is None)
    focus("mm_relu")


def shot(name):
    if os.environ.get("LS_SHOTS"):
        time.sleep(0.5)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], f"results-{name}.png")], check=False)


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)
for file, text in (("wrong.py", OTHER % "float32(1)"), ("small.py", SMALL % "float32(1)"),
                   ("fails.py", OTHER % "float32(1)" + "            C[vi, vj + T.int64(1099511627776)] = T.float32(0)\n"),
                   ("huge.py", OTHER.replace("128, 128)", "1048576, 1048576)") % "float32(1)"),
                   ("endless.py", OTHER.replace("        with T.block", "        while C[0, 0] < T.float32(1):\n            C[0, 0] = T.float32(0)\n        with T.block") % "float32(1)")):
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)


def drive_all(app):
    drive(app)
    drive_other(app)


sys.exit(run(PROGRAM, [], drive_all))
