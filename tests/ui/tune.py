"""The Tune page: a search is started, paused, resumed and stopped; candidates are listed, looked at and opened as branches by the keyboard; nothing is left
running when the window is closed meanwhile, and the same search goes on afterwards."""
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import check, descendants, find, focus, has_state, insist, key, name_of, press, role_of, wait, walk
from driver import Atspi

SHOTS = os.environ.get("LS_SHOTS")


def shot(name):
    if SHOTS:
        time.sleep(1.0)
        subprocess.run(["import", "-window", "root", os.path.join(SHOTS, f"tune-{name}.png")], check=False)


def names(app):
    return [name_of(node) for node in walk(app) if name_of(node)]


def said(app, pattern):
    return next((name for name in names(app) if re.search(pattern, name)), None)


def trials(app):
    """(used up, planned) as the head says."""
    for name in names(app):
        found = re.match(r"(\d+) of (\d+) trials", name)
        if found:
            return int(found.group(1)), int(found.group(2))
    return None


def measured(app):
    """Rows of the list that have a time."""
    return [name for name in names(app) if re.match(r"candidate \d+, .*\d\s*(ns|µs|ms|s)(,|$)", name)]


def workers(child):
    return [pid for pid, name in descendants(child.pid).items() if "worker" in name or "jail" in name]


def set_value(app, name, value):
    spin = find(app, name, "spin button")
    return spin is not None and Atspi.Value.set_current_value(spin, value)


def begin(app, trials_wanted):
    focus("mm_relu")
    key("ctrl+5")
    check("the empty page says what will happen", wait(lambda: said(app, "Let the computer search for a fast schedule")), names(app)[-30:])
    check("and how", wait(lambda: said(app, "runs it in a process of its own")))
    shot("empty")
    set_value(app, "Trials", trials_wanted)
    check("Start starts", insist(lambda: press(find(app, "Start the search", "push button")), lambda: trials(app)), names(app)[-30:])


def search(app, child):
    begin(app, 400)
    check("candidates come with their times", wait(lambda: len(measured(app)) >= 5, 300), names(app)[-40:])
    check("the head says how far it is", wait(lambda: said(app, r"of 400 trials .*best")), names(app)[-40:])
    check("it is measured in a process of its own", len(workers(child)) > 0, descendants(child.pid))
    check("Pause pauses", insist(lambda: press(find(app, "Pause", "push button")), lambda: find(app, "Resume", "push button")))
    time.sleep(3)
    before = trials(app)
    time.sleep(3)
    check("nothing goes on while it pauses", before == trials(app), (before, trials(app)))
    check("Resume goes on", insist(lambda: press(find(app, "Resume", "push button")), lambda: find(app, "Pause", "push button")))
    check("with more trials", wait(lambda: trials(app)[0] > before[0], 120))
    check("what decisions are worth is told", wait(lambda: said(app, r"explains .* of the spread"), 300), names(app)[-40:])
    shot("running")


def open_by_keyboard(app):
    rows = find(app, "Candidates, fastest first", whole=True)
    check("the candidates are a list with a name", rows is not None)
    check("the list takes the keyboard", insist(lambda: key("Tab"), lambda: any(has_state(node, Atspi.StateType.FOCUSED) for node in walk(rows)), 60))
    key("Home")
    check("the arrows look at a candidate", insist(lambda: key("Down"), lambda: said(app, r"^Candidate \d+$")))
    check("Enter opens it as a branch", insist(lambda: key("Return"), lambda: said(app, r"^Candidate \d+ is a branch of the history")), names(app)[-40:])
    shot("opened")
    check("another one that is looked at can be compared with it",
          insist(lambda: key("Down"), lambda: said(app, r"^Compare with candidate \d+$")), names(app)[-60:])
    check("and the page Compare has both",
          insist(lambda: press(find(app, said(app, r"^Compare with candidate \d+$") or "", "push button")), lambda: said(app, r"^\d+ steps? apart")), names(app)[:80])
    shot("compared")
    key("ctrl+1")
    check("the history has it", wait(lambda: said(app, r"candidate \d+")), names(app)[:60])
    check("with its steps", wait(lambda: said(app, r"split\(|vectorize\(")))
    key("ctrl+5")


def stop(app, child):
    check("Stop stops", insist(lambda: press(find(app, "Stop", "push button")), lambda: find(app, "Start again", "push button")), names(app)[-40:])
    check("and says that it can go on", wait(lambda: said(app, "goes on from here")), names(app)[-40:])
    done = trials(app)[0]
    press(find(app, "Keep the best", "push button"))
    check("Keep the best makes a branch of it", wait(lambda: said(app, r"^Candidate \d+ is a branch")))
    return done


def again(app, done):
    set_value(app, "Trials", 500)
    check("it starts again", insist(lambda: press(find(app, "Start again", "push button")), lambda: find(app, "Pause", "push button")))
    check("what was measured counts", wait(lambda: said(app, "from an earlier run")), names(app)[-40:])
    check("and is there", wait(lambda: trials(app)[0] >= done), (done, trials(app)))


def drive(app, child):
    search(app, child)
    open_by_keyboard(app)
    done = stop(app, child)
    again(app, done)
    check("it is under way when the window is closed", len(workers(child)) > 0)
    focus("mm_relu")
    subprocess.run(["xdotool", "key", "ctrl+q"], check=False)


def main():
    child = subprocess.Popen([PROGRAM], stdout=subprocess.DEVNULL, env=driver.program_env())
    left = []
    try:
        app = wait(driver.application)
        check("the window appears", app is not None)
        check("and its content", wait(lambda: find(app, "Loop nest")) is not None)
        driver.fill_screen()
        time.sleep(0.5)
        drive(app, child)
        left = list(descendants(child.pid))
        check("the program ends", wait(lambda: child.poll() is not None, 60) is not None)
        check("well", child.poll() == 0, child.poll())
        check("and leaves nothing running", wait(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in left), 20) is not None, left)
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
    print(f"1..{driver.COUNT}")
    return 1 if driver.FAILED else 0


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = os.path.join(FOLDER.name, "cache")
os.environ.setdefault("LANGUAGE", "en")
os.chdir(FOLDER.name)
sys.exit(main())
