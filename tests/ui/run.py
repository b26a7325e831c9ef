"""The window that steps through a run: keys and buttons, forwards and backwards; breakpoints; values; pause, end, and a crash of the worker."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, close_by, descendants, find, focus, insist, name_of, press, program_env, run, top_level, wait, walk, window

TITLE = "Run"
ENDLESS = """from tvm.script import tir as T

@T.prim_func
def endless(A: T.Buffer((4,), "int32")):
    while A[0] < 1:
        A[0] = 0
"""


def names(app):
    top = top_level(app, TITLE)
    return [name_of(node) for node in walk(top) if name_of(node)] if top else []


def says(app, words):
    return any(words in name for name in names(app))


def keys(*sequence, title=TITLE):
    focus(title)
    driver.strokes(*sequence)


def clock(app):
    for name in names(app):
        found = re.match(r"(?:Before statement |The run is over after )([\d,]+)", name)
        if found:
            return int(found[1].replace(",", ""))
    return None


def stop_at(app, words):
    """Types a breakpoint."""
    keys("F2")
    time.sleep(0.3)
    subprocess.run(["xdotool", "type", words], check=False)
    driver.strokes("Return")


def picture(name):
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(0.6)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-run-" + name + ".png"], check=False)


def worker_of():
    """The process of the debugged run: the last worker that the program started."""
    found = [pid for pid, name in descendants(os.getpid()).items() if name.startswith("loopscope-work")]
    return found[-1] if found else None


def text_of_the_program(app):
    """Breakpoints from the text, and the values of its expressions."""
    node = wait(lambda: find(top_level(app, TITLE), "The program that runs"))
    lines = Atspi.Text.get_text(node, 0, -1).split("\n")
    line = next(n for n, one in enumerate(lines) if "Y[vi, vj] + A[vi, vk]" in one)
    at = sum(len(one) + 1 for one in lines[:line]) + lines[line].index("A[vi, vk]")
    number = window(TITLE)
    subprocess.run(["xdotool", "windowmove", number, "0", "0", "mousemove", "300", "300", "click", "1"], check=False)
    time.sleep(0.3)
    Atspi.Text.set_caret_offset(node, at)
    shown = wait(lambda: next((name for name in names(app) if name.startswith("A[vi, vk]: vi has no value now")), None))
    check("the cursor on an expression says why it has no value", shown is not None, names(app))
    keys("ctrl+b")
    wanted = f"line {line + 1}"
    check("Ctrl+B sets a breakpoint on its line", wait(lambda: wanted in names(app)), names(app))
    keys("F8")
    check("the run stops there", wait(lambda: says(app, f"Stopped for {wanted}.")), names(app))
    picture("breakpoint")
    check("and the cursor on the expression shows its value", wait(lambda: next((name for name in names(app) if re.match(r"A\[vi, vk\] = -?[\d.]", name)), None)), names(app))
    Atspi.Text.set_caret_offset(node, at)
    keys("ctrl+b")
    check("and Ctrl+B takes it away", wait(lambda: wanted not in names(app)), names(app))
    hover(app, node, at)


def hover(app, node, at):
    """The pointer rests on the statement: what comes beside it is one of the values that stand at the right."""
    spot = Atspi.Text.get_character_extents(node, at, Atspi.CoordType.WINDOW)
    values = [name for name in names(app) if re.match(r"[AY]\[.* = -?[\d.]", name)]
    subprocess.run(["xdotool", "mousemove", str(spot.x + 3), str(spot.y + spot.height // 2)], check=False)
    subprocess.run(["xdotool", "mousemove_relative", "1", "0"], check=False)
    check("the pointer on an expression shows its value", wait(lambda: any(names(app).count(one) > values.count(one) for one in values), 10.0), names(app))
    picture("hover")


def stands(app):
    """The row of the loop nest where the run stands, marked in the main window."""
    def described():
        return [name_of(node) for node in walk(top_level(app, "mm_relu")) if driver.description(node) == "The run stands here" and name_of(node)]
    check("the loop nest of the main window marks where the run stands", wait(lambda: len(described()) == 1), described())
    for hit, title, words in (("ctrl+shift+c", "Readings", "The run stands here"), ("ctrl+shift+a", "Machine code", " come from the lines of where the run stands.")):
        def told():
            top = top_level(app, title)         # pylint: disable=cell-var-from-loop
            return [name_of(node) for node in walk(top) if name_of(node)] if top else []
        insist(lambda: keys(hit, title="mm_relu"), lambda: window(title))       # pylint: disable=cell-var-from-loop
        check(f"{title} marks it, too", wait(lambda: any(words in name for name in told()), 120.0), told())     # pylint: disable=cell-var-from-loop
        close_by("Escape", title)

    def followed():
        top = top_level(app, "Passes")
        return [name_of(node) for node in walk(top) if name_of(node)] if top else []
    insist(lambda: keys("ctrl+shift+y", title="mm_relu"), followed)
    check("the passes of the program follow its line through their stages", wait(lambda: any(name.startswith("The run stands at ") for name in followed()), 120.0),
          [name_of(one) for one in app.get_children()] + followed()[:40])
    picture("passes")
    close_by("Escape", "Passes")
    focus(TITLE)


def drive(app):
    global TITLE        # pylint: disable=global-statement
    keys("alt+Home", title="mm_relu")
    time.sleep(1.0)
    check("Ctrl+Shift+D opens it", insist(lambda: keys("ctrl+shift+d", title="mm_relu"), lambda: window(TITLE)))
    check("it stands before the first statement", wait(lambda: clock(app) == 0, 30.0), names(app))
    keys(*["F11"] * 6)                  # those that come while one is still asked for wait
    check("F11 goes a statement on, however fast it comes", wait(lambda: clock(app) == 6, 60.0), lambda: names(app))
    check("variables have values", says(app, "vk = 0") and says(app, "i = 0"), names(app))
    check("so has what the statement evaluates", lambda: any(re.match(r"A\[vi, vk\] \* B\[vk, vj\] = -?[\d.]+", name) for name in names(app)), lambda: names(app))
    check("loops say their round", says(app, "k: round 1 of 128"), names(app))
    picture("statement")
    stands(app)
    keys("shift+F11")
    check("Shift+F11 goes back", wait(lambda: clock(app) == 5), names(app))
    keys("F7")
    check("F7 goes to the next round", wait(lambda: says(app, "k: round 2 of 128")), names(app))
    stop_at(app, "loop k if i == 3 and k > 5")
    check("a breakpoint is listed", wait(lambda: "loop k if i == 3 and k > 5" in names(app)), names(app))
    keys("F8")
    check("F8 goes on to it", wait(lambda: says(app, "Stopped for loop k if i == 3 and k > 5.") and says(app, "k: round 7 of 128")), names(app))
    here = clock(app)
    keys("F8")
    check("and to the next one", wait(lambda: says(app, "k: round 8 of 128")), names(app))
    keys("shift+F8")
    check("Shift+F8 goes back to it", wait(lambda: clock(app) == here), names(app))
    stop_at(app, "loop q")
    check("a breakpoint on nothing says what is wrong", wait(lambda: says(app, "There is no loop q.")), names(app))
    press(find(top_level(app, TITLE), "Remove all breakpoints"))
    check("breakpoints can go", wait(lambda: "loop k if i == 3 and k > 5" not in names(app)), names(app))
    text_of_the_program(app)
    keys("F4")
    check("F4 goes to a write of the buffer that is shown", wait(lambda: says(app, " becomes ")), names(app))
    picture("write")
    grid = next((n for n in walk(top_level(app, TITLE)) if re.search(r"\[\d+, \d+\] = ", name_of(n))), None)
    check("the cell of the keyboard is told", grid is not None, names(app))
    found = driver.walk_cells(app, TITLE, re.match(r"\w+\[", name_of(grid))[0], 1, 2) if grid else None
    wrong = found and driver.reach_cells(TITLE, found[0], re.match(r"\w+\[", name_of(found[0]))[0], 128, 128)
    check("every element of a large array is a few keys away, and said", found and not wrong, wrong or found)
    press(find(top_level(app, TITLE), "To the end of the run (End)"))
    check("to the end", wait(lambda: says(app, "The run is over after 4,260,099 statements"), 60.0), names(app))
    picture("end")
    keys("shift+F11")
    check("and a step back from there", wait(lambda: clock(app) == 4260098, 20.0), names(app))
    press(find(top_level(app, TITLE), "Toy size"))
    TITLE = wait(lambda: next((name_of(one) for one in app.get_children() if name_of(one).startswith("Run, toy size (")), None), 20.0) or TITLE
    check("a toy size says so in the title", TITLE == "Run, toy size (128 \u2192 8)", TITLE)
    check("a toy size begins anew", wait(lambda: clock(app) == 0, 20.0), names(app))
    press(find(top_level(app, TITLE), "To the end of the run (End)"))
    check("and is over soon", wait(lambda: clock(app) is not None and 100 < clock(app) < 10000, 20.0), names(app))
    keys("F3")
    time.sleep(0.3)
    subprocess.run(["xdotool", "type", "C[0, 0]"], check=False)
    driver.strokes("Return")
    check("an element can be plotted over the run", wait(lambda: any(re.match(r"C\[0, 0\] = \S+ at statement [\d,]+, point \d+ of \d+", name) for name in names(app)), 20.0), names(app))
    picture("plot")
    for _ in range(12):
        keys("shift+F11")
        time.sleep(0.2)
    check("the last accesses of the buffer are told", wait(lambda: any(re.match(r"Last: (writes|reads) \w+\[", name) for name in names(app))), names(app))
    picture("trail")
    check("Escape closes it", close_by("Escape", "Run, toy size"))
    TITLE = "Run"

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "endless.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(ENDLESS)
        subprocess.run([PROGRAM, path], stdout=subprocess.DEVNULL, env=program_env(), check=False, timeout=60)
        check("a program that never ends", wait(lambda: window("endless")))
    insist(lambda: keys("ctrl+shift+d", title="endless"), lambda: window(TITLE))
    wait(lambda: clock(app) == 0, 20.0)
    keys("F8")
    check("runs on", wait(lambda: (clock(app) or 0) > 1000000, 30.0), names(app))
    keys("F9")
    stopped = driver.still(lambda: clock(app))
    check("F9 pauses it", stopped is not None, (stopped, clock(app)))
    keys("F11")
    check("and it can be stepped", wait(lambda: clock(app) == stopped + 1), (stopped, clock(app)))
    keys("F8")
    check("and goes on", wait(lambda: (clock(app) or 0) > 30000000, 60.0), names(app))
    keys("F9")
    driver.still(lambda: clock(app))
    stop_at(app, "write A[0] if A[0] == 7")
    before = wait(lambda: clock(app))
    wait(lambda: says(app, "write A[0] if A[0] == 7"))
    keys("shift+F8")
    time.sleep(0.8)
    keys("F9")
    back = driver.still(lambda: clock(app))
    check("F9 pauses it on its way back, too", back is not None and 0 < back <= before, (before, back, clock(app)))
    keys("F11")
    check("from where it can be stepped", wait(lambda: clock(app) == back + 1), (back, clock(app)))
    press(find(top_level(app, TITLE), "Remove all breakpoints"))
    wait(lambda: not says(app, "write A[0] if A[0] == 7"))
    keys("F8")
    time.sleep(0.5)
    press(find(top_level(app, TITLE), "Begin again"))
    check("Begin again ends a run that goes on", wait(lambda: clock(app) == 0, 20.0), names(app))
    keys("F8")
    pid = wait(worker_of)
    check("a worker runs it", pid is not None)
    os.kill(pid, signal.SIGKILL)
    check("a worker that dies is said, and the window stays", wait(lambda: says(app, "SIGKILL") or says(app, "ended"), 20.0), names(app))
    press(find(top_level(app, TITLE), "Begin again"))
    check("and begun again", wait(lambda: clock(app) == 0, 20.0), names(app))


PROGRAM = os.path.abspath(sys.argv[1])
sys.exit(run(PROGRAM, [], drive))
