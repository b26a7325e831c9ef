"""The whole story on mm_relu by keyboard and accessibility, with a picture at each station.

/usr/bin/python3 tests/ui/tour.py PROGRAM [FOLDER]: pictures go to FOLDER, by default into a temporary one.

The last lines say how long the window's main loop did not answer, from the log that the program keeps (app/base/frame-log.h): told,
not judged, because machines differ.

In the environment: LS_UI_SIZE=1024x700 is the size of the screen and the window, LS_UI_LOOK one of light, dark, contrast and
contrast-dark, LS_UI_LANGUAGE a language with a catalogue (words.py).  data/scripts/tour-matrix
goes through all of them.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

from driver import Atspi, check, close_by, description, find, focus, has_state, insist, key, name_of, press, run, wait, walk, window
from words import LANGUAGE, pattern, t

FOLDER = sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="loopscope-tour-")
STATION = 0
TITLE = "mm_relu"
LOOK = os.environ.get("LS_UI_LOOK", "light")
WIDE = int(os.environ.get("LS_UI_SIZE", "1440x900").split("x")[0]) >= 1280      # below it the time pane is folded


def step(number, of=None):
    return pattern("step %u of %u, %s, %s", number, of)


MEASURING = pattern("measuring, sample %u of %u")


def ranked(name):
    """How many moves have been measured, from the sentence over the list; None: it is another sentence."""
    for text in ("%u of %u measured.", "%u of %u measured; none is faster than the program as it is now.",
                 "%u of %u measured; %s is %s the speed of the program as it is now."):
        found = pattern(text).match(name)
        if found:
            return int(found.group("a0"))
    return None


def prepare():
    """The look goes into the settings that the program reads."""
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "loopscope")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "settings.ini"), "w", encoding="utf-8") as file:
        file.write(f"[Look]\ncolours={'dark' if LOOK.endswith('dark') else 'light'}\ntext-size=100\n"
                   f"high-contrast={'true' if LOOK.startswith('contrast') else 'false'}\n")
    os.environ["LANGUAGE"] = LANGUAGE


def names(app):
    return [name_of(node) for node in walk(app)]


def said(app, part):
    return any(part in name for name in names(app))


def at(app, text):
    return wait(lambda: text.match(description(find(app, t("Steps"), "slider")))) is not None


def station(name):
    """A picture, when there is a program that takes it."""
    global STATION
    STATION += 1
    time.sleep(0.6)
    path = os.path.join(FOLDER, f"{STATION:02d}-{name}.png")
    try:
        subprocess.run(["import", "-window", "root", path], check=False)
    except FileNotFoundError:
        print("# no picture of", name)


def inspect(app):
    key("alt+Home")
    check("the start", at(app, step(0, 5)))
    check("the loop nest reads aloud", said(app, ", ".join(("k", t("reduction"), t("extent %<PRId64>", 128), t("family %s", "c")))))
    station("inspect")


def repair_of(app):
    return find(app, t("First %s", "rfactor(k, 0)"), "push button")


def illegal_and_repair(app):
    check("a count scrolls to its group", press(find(app, t("Can, with a change"), "push button")))
    row = wait(lambda: next((n for n in walk(app) if name_of(n).startswith("parallel(k)")), None))
    check("parallel(k) says why not", row is not None and t("All %<PRId64> iterations of %s add into the same %s.", 128, "k", "Y") in name_of(row))
    check("and offers a repair", lambda: repair_of(app) is not None)
    station("why-not")
    # What would help is found out meanwhile, and the list is filled anew: a row that was just found may have gone.
    check("the repair makes a branch", insist(lambda: press(repair_of(app)), lambda: said(app, t("%u branches", 2))))
    check("the loop is parallel now", wait(lambda: said(app, ", " + t("parallel"))) is not None)
    station("repaired")


def measure(app):
    check("the seed's schedule is open at its last step", at(app, step(5, 5)))
    station("open")
    key("shift+F5")
    check("times come with the word that the output is right" if WIDE else "times come",
          wait(lambda: said(app, t("output equals step 0") if WIDE else "±"), 120.0) is not None)
    wait(lambda: not any(MEASURING.search(name) for name in names(app)), 120.0)
    station("measured")


TABS = {}


def on_page(app, name):
    """Pages that wait behind have names too: the tab tells which one is in front.  It is looked for once: on a slow machine
    the way through all widgets takes longer than a page is waited for."""
    TABS[name] = TABS.get(name) or find(app, t(name), "page tab")
    return has_state(TABS[name], Atspi.StateType.SELECTED)


def edit(app):
    key("alt+Home")
    check("back at the start", at(app, step(0)))
    key("alt+Right")
    check("at the first step of the path", at(app, step(1)))
    key("F2")
    check("its arguments can be edited", wait(lambda: said(app, t("Edit step %u, replay the later ones", 1))))
    key("F2")
    time.sleep(0.5)
    check("F2 again is still one editor", wait(lambda: sum(t("Edit step %u, replay the later ones", 1) in name for name in names(app)) == 1) is not None)
    station("edit")
    check("and left alone", insist(lambda: key("Escape"), lambda: not said(app, t("Edit step %u, replay the later ones", 1))))


def sweep(app):
    title = t("All moves, fastest first")
    key("ctrl+shift+m")
    check("all moves are measured and ranked",
          wait(lambda: any(ranked(name) is not None for name in names(app))) is not None)
    wait(lambda: any((ranked(name) or 0) >= 5 for name in names(app)), 120.0)
    station("ranking")
    check("Escape closes the ranking", close_by("Escape", title))
    focus(TITLE)


def compare(app):
    check("the page for comparing opens", insist(lambda: key("ctrl+2"), lambda: on_page(app, "Compare")))
    check("and a screen reader gets the words", wait(lambda: any(
        description(node) for node in walk(app)
        if name_of(node) == t("What happened to the loops"))) is not None)
    station("compare")
    button = find(app, t("Swap"), "push button")
    press(button)
    time.sleep(1.0)
    station("compare-swapped")
    check("and one is back", insist(lambda: key("ctrl+1"), lambda: on_page(app, "Explore")))


def written(shortcut, title, path, part):
    """Asks for a file, takes the name that is offered in the folder where the program was started."""
    insist(lambda: key(shortcut), lambda: window(title))
    close_by("Return", title)
    focus(TITLE)
    return wait(lambda: os.path.exists(path) and part in open(path, encoding="utf-8").read()) is not None


def export(app):
    path = os.path.join(FOLDER, "mm_relu_report.html")
    check("the report is one page with the history in it", written("ctrl+r", t("Save the report"), path, "<svg"))
    check("the window says where it is", wait(lambda: said(app, t("Written to %s", "mm_relu_report.html"))) is not None)
    station("exported")


def save(app):
    path = os.path.join(FOLDER, "mm_relu.loopscope")
    check("the session is saved", written("ctrl+s", t("Save the session"), path, "mm_relu"))
    station("saved")


def told_stalls(path):
    """The sums of the log, and its longest turns."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError:
        lines = []
    turns = sorted((float(line.split()[3]), line) for line in lines if line.startswith("stall "))
    sums = next((line for line in lines if line.startswith("longest ")), None)
    print("# main loop, ms:", sums or "the program wrote no sums")
    for cpu, line in reversed(turns[-5:]):
        print("# main loop, ms:", line)


def drive(app):
    measure(app)
    inspect(app)
    illegal_and_repair(app)
    edit(app)
    sweep(app)
    compare(app)
    export(app)
    save(app)
    print("# pictures in", FOLDER)


PROGRAM = os.path.abspath(sys.argv[1])
os.makedirs(FOLDER, exist_ok=True)
FOLDER = os.path.abspath(FOLDER)
prepare()
os.chdir(FOLDER)
LOG = os.environ.setdefault("LOOPSCOPE_FRAME_LOG", os.path.join(FOLDER, "frames.log"))
STATUS = run(PROGRAM, [], drive, t("Loop nest"))
told_stalls(LOG)
sys.exit(STATUS)
