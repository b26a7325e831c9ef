"""The Tune page with a Relax module: its functions are searched as one, each with its candidates, charts and tree; the time of all calls falls; the best of one
function and of all become branches of the module; another window shows the same."""
import glob
import json
import os
import re
import signal
import shutil
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, find, focus, has_state, insist, key, name_of, press, tab_to, wait, walk

SHOTS = os.environ.get("LS_SHOTS")
ROOT = os.environ.get("LS_SOURCE_ROOT") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def shot(name):
    if SHOTS:
        time.sleep(1.0)
        subprocess.run(["import", "-window", "root", os.path.join(SHOTS, f"tune-model-{name}.png")], check=False)


def names(app):
    return [name_of(node) for node in walk(app) if name_of(node)]


def said(app, pattern):
    return next((name for name in names(app) if re.search(pattern, name)), None)


def model():
    """The last line of the log that tells how the module stands."""
    for path in glob.glob(os.path.join(os.environ["XDG_CACHE_HOME"], "loopscope/tuning/*/run-*.log")):
        with open(path, encoding="utf-8") as lines:
            all_lines = [json.loads(line) for line in lines if line.endswith("\n")]
        models = [line for line in all_lines if line.get("event") == "model"]
        if models:
            return models[-1]
    return {"tasks": []}


def task(name):
    return next((one for one in model()["tasks"] if one["name"] == name), None)


def candidates(app):
    return [name for name in names(app) if re.match(r"candidate \d+, ", name)]


def choice(app, name):
    return next((node for role in ("radio button", "toggle button", "push button") for node in [find(app, name, role)] if node), None)


def chosen(app, name):
    button = choice(app, name)
    return button is not None and (has_state(button, Atspi.StateType.PRESSED) or has_state(button, Atspi.StateType.CHECKED))


def focused(app, name):
    button = choice(app, name)
    return button is not None and has_state(button, Atspi.StateType.FOCUSED)


def curve(app):
    """After how many trials of the shown function the chart is."""
    words = said(app, r"^Best time over the trials: ")
    found = words and re.search(r"after (\d+) trial", words)
    return int(found.group(1)) if found else None


def show_task(app, name):
    return insist(lambda: press(choice(app, name)), lambda: chosen(app, name), 30)


def search(app):
    focus("two_layers")
    key("ctrl+5")
    check("the empty page says what will happen", wait(lambda: said(app, "Let the computer search for a fast schedule")), names(app)[-30:])
    Atspi.Value.set_current_value(find(app, "Trials", "spin button"), 48)
    check("Start starts", insist(lambda: press(find(app, "Start the search", "push button")), lambda: said(app, r"^\d+ of 48 trials")), names(app)[-30:])
    check("the functions that are called are its tasks", wait(lambda: all(choice(app, name) for name in ("dense", "clip", "head")), 60), names(app)[-40:])
    check("the first is the shown one", wait(lambda: chosen(app, "dense")))
    check("its candidates come with their times", wait(lambda: [name for name in candidates(app) if re.search(r"(ns|µs|ms)", name)], 120), names(app)[-40:])
    check("each function gets its turn", wait(lambda: len(model()["tasks"]) == 3 and all(one["trials"] > 0 for one in model()["tasks"]), 240), model())
    check("the time of all calls is told", wait(lambda: said(app, r"^All calls together: .* after \d+ trials, from .* as it was$"), 120), names(app)[-60:])
    shot("running")
    check("it ends with its trials", wait(lambda: said(app, r"^48 of 48 trials.*ended"), 400), names(app)[-40:])
    shot("ended")
    stands = model()
    check("a function that is called twice weighs two", task("dense")["weight"] == 2, stands)
    check("the trials went where most was expected", task("dense")["trials"] > task("clip")["trials"], stands)
    check("and the module is faster", stands["total"] < 0.5 * stands["base"], (stands["total"], stands["base"]))


def look(app):
    """Each function has what a program that is searched alone has."""
    for name in ("head", "clip", "dense"):
        check(f"{name} can be chosen", show_task(app, name), names(app)[-60:])
        trials = task(name)["trials"]
        check(f"its candidates are shown, its {trials}", wait(lambda: len(candidates(app)) > 0 and curve(app) == trials), (curve(app), trials, candidates(app)[:8]))
    check("the scatter is that of the function", wait(lambda: said(app, rf"^Predicted against measured times? of {task('dense')['trials']} candidates?$")),
          [name for name in names(app) if "Predicted" in name])
    check("what its decisions are worth is told", wait(lambda: said(app, r"explains .* of the spread"), 60), names(app)[-60:])
    # By the keyboard: down from one function to the next.
    check("the keyboard comes to the functions", tab_to(app, lambda: focused(app, "dense")), names(app)[-40:])
    check("and goes from one to the next", insist(lambda: key("Down"), lambda: focused(app, "head") or focused(app, "clip"), 20))
    key("space")
    check("and chooses it", wait(lambda: chosen(app, "head") or chosen(app, "clip")))


def keep(app):
    check("head is shown", show_task(app, "head") and wait(lambda: curve(app) == task("head")["trials"]))
    check("Keep the best makes a branch of its best", insist(lambda: press(find(app, "Keep the best", "push button")), lambda: said(app, r"^Candidate \d+ is a branch of the history")), names(app)[-40:])
    key("ctrl+1")
    check("the history has it, for this function", wait(lambda: said(app, r"^candidate \d+$") or said(app, r"candidate \d+")), names(app)[:60])
    check("with its steps", wait(lambda: said(app, r"head.*func_name|split\(|vectorize\(|parallel\(")), names(app)[:80])
    shot("kept")
    key("ctrl+5")
    check("Keep all makes one branch of the best of each",
          insist(lambda: press(find(app, "Keep all", "push button")), lambda: said(app, r"^The fastest candidates of \d+ functions are a branch of the history")), names(app)[-40:])
    key("ctrl+1")
    check("the history has that", wait(lambda: said(app, "best of each function")), names(app)[:80])
    shot("kept-all")
    key("ctrl+5")


def first(app):
    search(app)
    look(app)
    keep(app)


def second(app):
    focus("two_layers")
    key("ctrl+5")
    check("another window shows the same functions", wait(lambda: choice(app, "dense"), 60), names(app)[-40:])
    check("and the same candidates", wait(lambda: curve(app) == task("dense")["trials"]), (curve(app), task("dense")))


def stop():
    for path in glob.glob(os.path.join(os.environ["XDG_CACHE_HOME"], "loopscope/tuning/*/run-*.lock")):
        with open(path, encoding="utf-8") as lock:
            words = lock.readline().strip()
        if words.isdigit() and os.path.exists(f"/proc/{words}"):
            with open(f"/proc/{words}/cmdline", encoding="utf-8") as line:
                if "tune" in line.read():
                    os.kill(int(words), signal.SIGKILL)


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = os.path.join(FOLDER.name, "cache")
os.environ.setdefault("LANGUAGE", "en")
MODULE = os.path.join(FOLDER.name, "two_layers.py")
shutil.copy(os.path.join(ROOT, "tests", "data", "tune", "two_layers.py"), MODULE)
os.chdir(FOLDER.name)
for drive in (first, second):
    child = subprocess.Popen([PROGRAM, MODULE], stdout=subprocess.DEVNULL, env=driver.program_env())
    try:
        window = wait(driver.application)
        check("the window appears", window is not None)
        check("and its content", wait(lambda: find(window, "Loop nest")) is not None)
        driver.fill_screen()
        time.sleep(0.5)
        drive(window)
        check("the program is alive", child.poll() is None)
    finally:
        child.terminate()
        status = child.wait(60)
        check("and ends well", status in (0, -signal.SIGTERM), status)
        if drive == second or driver.FAILED:
            stop()
print(f"1..{driver.COUNT}")
sys.exit(1 if driver.FAILED else 0)
