"""Still more of what goes wrong: folders that take nothing, workers killed in the middle of a ranking, kernels that crash, an
edit that breaks the later steps, files that went away.  Nothing is lost, and everything can be taken back."""
import json
import os
import subprocess
import sys
import time

import driver
from driver import check, find, insist, key, name_of, press, wait, walk
from stories import STATE, change, children, kill_workers, path, said, session_text, tell, workers

# Root may write everywhere but where the kernel says no.
CLOSED = "/sys/kernel" if os.geteuid() == 0 else path("closed")
MEMORY = 700                    # MiB that the window may take, whatever it is handed


def picture(name):
    if os.environ.get("LS_SHOTS"):
        time.sleep(1)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], name + ".png")], check=False)


def place(app):
    return driver.description(find(app, "Steps", "slider"))


def at_once(app, text):
    return place(app).startswith(text)


def at(app, text):
    return wait(lambda: at_once(app, text)) is not None


def act(name, *values):
    """An action of the window, by its name on the bus."""
    subprocess.run(["gdbus", "call", "--session", "--dest", "org.loopscope.Loopscope", "--object-path", "/org/loopscope/Loopscope/window/1",
                    "--method", "org.gtk.Actions.Activate", name, "[" + ", ".join(f"<'{value}'>" for value in values) + "]", "{}"],
                   stdout=subprocess.DEVNULL, check=False)


def answer(app, title, file):
    check(title + " is asked for and answered", driver.answer_file(app, title, file))


def to_window(name):
    """A key for the window itself: after a restart nobody has given it the keyboard yet."""
    driver.focus("mm_relu")
    key(name)


def gone(pids):
    return wait(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids)) is not None


def closed_folder(app, child):
    """Told, another place offered, and there it is written."""
    for name, values, title, file in (("export", ["report"], "Save the report", "report.html"),
                                      ("export-figure", ["loops"], "Save the figure", "loops.svg"),
                                      ("save-trace", [], "Save the trace", "trace.json")):
        act(name, *values)
        answer(app, title, os.path.join(CLOSED, file))
        check(file + ": what stands in the way is said", wait(lambda: said(app, file + " could not be written")) is not None,
              "")
        picture("closed-folder-" + file)
        check("another place is offered", wait(lambda: find(app, "Save elsewhere…", "push button")) is not None)
        insist(lambda: press(find(app, "Save elsewhere…", "push button")), lambda: driver.window(title))
        answer(app, title, path(file))
        check(file + " is there", wait(lambda: os.path.exists(path(file)) and os.path.getsize(path(file)) > 0) is not None)
        check("and the words go", wait(lambda: not said(app, file + " could not be written")) is not None)
    check("the session is there", lambda: place(app).startswith("step 5 of 5"))


def ranking_killed(app, child):
    """A worker that is killed costs a move its time, not the window its ranking."""
    check("all moves are measured", insist(lambda: key("ctrl+shift+m"), lambda: driver.window("All moves")))
    check("a worker ran", wait(lambda: workers(child)) is not None and kill_workers(child, 2.0) > 0)
    picture("ranking-killed")
    check("the ranking ends", wait(lambda: said(app, "could not be measured.") and not said(app, ", waits"), 240.0) is not None)
    check("and says what ended the worker", said(app, "SIGKILL"), str([name_of(n) for n in walk(app) if len(name_of(n)) > 30][:30]))
    picture("ranking-after")
    check("the window closes", driver.close_by("Escape", "All moves"))
    driver.focus("mm_relu")
    check("measuring goes on with another worker",
          insist(lambda: key("shift+F5"), lambda: said(app, "output equals step 0"), 120.0))


def closed_in_ranking(app, child):
    change(app)
    check("all moves are measured", insist(lambda: key("ctrl+shift+m"), lambda: driver.window("All moves")))
    wait(lambda: workers(child))
    every = list(children(child))
    driver.focus("mm_relu")
    key("ctrl+q")
    check("the program ends", wait(lambda: child.poll() is not None) is not None)
    check("with status 0", child.poll() == 0, str(child.poll()))
    check("and nothing of it is left", gone(every), str(every))
    steps = json.load(open(path("ranked.loopscope"), encoding="utf-8"))["steps"]
    check("what was done is in its file", len(steps) == 2, str(steps))


def opened_again(app, child):
    check("the step is there", at(app, "step 1 of 1"), place(app))


def crashing_kernel(app, child):
    insist(lambda: key("shift+F5"), lambda: said(app, "SIGSEGV") or said(app, "SIGBUS") or said(app, "SIGABRT"), 120.0)
    picture("crashing-kernel")
    check("what the kernel did is said", said(app, "SIGSEGV") or said(app, "SIGBUS") or said(app, "SIGABRT"),
          str([name_of(n) for n in walk(app) if len(name_of(n)) > 30][:30]))
    check("the program can still be changed", at(app, "step 0"))


def peak(child):
    with open(f"/proc/{child.pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) // 1024 for line in file if line.startswith("VmHWM"))


def far_too_large(app, child):
    check("its size is said", wait(lambda: said(app, "the window opens up to 16 MiB, the command line any size")) is not None)
    check(f"and it took less than {MEMORY} MiB", peak(child) < MEMORY, str(peak(child)))
    check("the window can be used", insist(lambda: to_window("alt+Home"), lambda: place(app).startswith("step 0")))


def chooser(app):
    return next((n for n in walk(app) if name_of(n).startswith("loop: ") and n.get_role_name() == "push button"), None)


def choose_loop(app, name, way):
    """Step 1 gets another loop, by keyboard; a slow start may still move the place meanwhile."""
    def edit():
        to_window("Escape")
        to_window("alt+Home")
        wait(lambda: place(app).startswith("step 0"), 10.0)
        key("alt+Right")
        wait(lambda: place(app).startswith("step 1"), 10.0)
        key("F2")

    check("step 1 can be edited", insist(edit, lambda: said(app, "Edit step 1,") and chooser(app), 180.0))

    def turn():
        if chooser(app) is None:        # a Return that found no list open has closed the editor
            edit()
            wait(lambda: chooser(app), 10.0)
        time.sleep(1)                   # a button that is told of and not shown yet takes no press
        press(chooser(app))
        time.sleep(1)
        key(way)
        key("Return")
    check("it gets the loop " + name, insist(turn, lambda: said(app, "loop: " + name), 180.0))
    picture("edit-" + name[0])


def back_to_life(app, child):
    """Another loop for the first step breaks the others; the old one brings them back."""
    at_the_end(app)
    choose_loop(app, "k", "Down")
    check("where the replay stops is said before", wait(lambda: said(app, "Replay stops at step")) is not None)
    press(find(app, "Apply", "push button"))
    check("what stops is said in the history", wait(lambda: said(app, "stops here:")) is not None)
    picture("stops-here")
    choose_loop(app, "j of Y", "Down")
    check("nothing stops any more", wait(lambda: said(app, "All 4 later steps are replayed.")) is not None)
    press(find(app, "Apply", "push button"))
    check("the later steps are there again", at(app, "step 1 of 5, split"), place(app))
    insist(lambda: to_window("alt+End"), lambda: place(app).startswith("step 5 of 5"))
    check("all five of them", at(app, "step 5 of 5, decompose_reduction") and "not reached" not in place(app), place(app))
    picture("back-to-life")


def no_home(app, child):
    """Neither state nor settings can be kept; a session can still be saved where one says."""
    change(app)
    check("the copy for emergencies is missed", wait(lambda: said(app, "The copy for emergencies")) is not None)
    picture("no-home")
    insist(lambda: to_window("ctrl+s"), lambda: driver.window("Save the session"))
    answer(app, "Save the session", path("home.loopscope"))
    check("it is saved elsewhere", wait(lambda: os.path.exists(path("home.loopscope"))) is not None)
    check("with its step", len(json.load(open(path("home.loopscope"), encoding="utf-8"))["steps"]) == 7)


def at_the_end(app):
    check("five steps are there", insist(lambda: to_window("alt+End"), lambda: place(app).startswith("step 5 of 5")), place(app))


def recent_gone(app, child):
    at_the_end(app)
    act("open-recent", "file://" + path("gone.py"))
    check("a recent file that is gone is named", wait(lambda: said(app, "Not opened") and said(app, "gone.py")) is not None)
    picture("recent-gone")
    check("what was there stays", at(app, "step 5 of 5"))
    check("undo goes on", insist(lambda: at_once(app, "step 5 of 5") and to_window("ctrl+z"), lambda: at_once(app, "step 4 of 5")), place(app))
    check("redo too", insist(lambda: at_once(app, "step 4 of 5") and to_window("ctrl+shift+z"), lambda: at_once(app, "step 5 of 5")), place(app))


WORDS = "@T.prim_func\ndef main(A: T.Buffer((1024,), \"float32\"), B: T.Buffer((1024,), \"float32\")):\n    for i in range(1024):\n" \
        "        with T.block(\"B\"):\n            vi = T.axis.spatial(1024, i)\n            T.reads(A[vi])\n            T.writes(B[0:1024])\n" \
        "            if A[vi] < T.float32(1e9):\n                B[vi * 100000000] = A[vi]\n"
with open(path("crash.py"), "w", encoding="utf-8") as out:
    out.write(WORDS)
with open(path("huge.py"), "w", encoding="utf-8") as out:
    for number in range(1 << 20):
        out.write(f"# {number:098d}\n")
with open(path("ranked.loopscope"), "w", encoding="utf-8") as out:
    out.write(session_text())
if not os.path.isdir(CLOSED):
    os.mkdir(CLOSED, mode=0o555)

STORIES = [
    ("a folder that takes nothing", [], closed_folder, True, STATE),
    ("a ranking whose worker is killed", [], ranking_killed, True, STATE),
    ("closed in a ranking", [path("ranked.loopscope")], closed_in_ranking, False, STATE),
    ("opened after that", [path("ranked.loopscope")], opened_again, True, STATE),
    ("a kernel that crashes", [path("crash.py")], crashing_kernel, True, STATE),
    ("100 MB", [path("huge.py")], far_too_large, True, STATE),
    ("a home that takes nothing", [], no_home, True, CLOSED, None, "Loop nest",
     {name: CLOSED for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}),
    ("a recent file that is gone", [], recent_gone, True, STATE),
    ("back to life", [], back_to_life, True, STATE),
]
sys.exit(tell(STORIES))
