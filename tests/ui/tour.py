"""The whole story on mm_relu by keyboard and accessibility, with a picture at each station.

/usr/bin/python3 tests/ui/tour.py PROGRAM [FOLDER]: pictures go to FOLDER, by default into a temporary one.
"""
import os
import subprocess
import sys
import tempfile
import time

from driver import Atspi, check, close_by, description, find, focus, has_state, insist, key, name_of, press, run, wait, walk, window

FOLDER = sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="loopscope-tour-")
STATION = 0
TITLE = "mm_relu"


def names(app):
    return [name_of(node) for node in walk(app)]


def said(app, part):
    return any(part in name for name in names(app))


def at(app, text):
    return wait(lambda: description(find(app, "Steps", "slider")).startswith(text)) is not None


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
    check("the start", at(app, "step 0 of 5"))
    check("the loop nest reads aloud", said(app, "k, reduction, extent 128, family c"))
    station("inspect")


def illegal_and_repair(app):
    row = wait(lambda: next((n for n in walk(app) if name_of(n).startswith("parallel(k)")), None))
    check("parallel(k) says why not", row is not None and "add into the same Y" in name_of(row))
    repair = find(app, "First rfactor(k, 0)", "push button") or find(app, "First rfactor", None, False)
    check("and offers a repair", repair is not None)
    station("why-not")
    press(repair)
    check("the repair makes a branch", wait(lambda: said(app, "2 branches")) is not None)
    check("the loop is parallel now", wait(lambda: said(app, ", parallel")) is not None)
    station("repaired")


def measure(app):
    check("the seed's schedule is open at its last step", at(app, "step 5 of 5"))
    station("open")
    key("shift+F5")
    check("times come with the word that the output is right",
          wait(lambda: said(app, "output equals step 0"), 120.0) is not None)
    wait(lambda: not said(app, "measuring, sample"), 120.0)
    station("measured")


def on_page(app, name):
    """Pages that wait behind have names too: the tab tells which one is in front."""
    return has_state(find(app, name, "page tab"), Atspi.StateType.SELECTED)


def edit(app):
    key("alt+Home")
    check("back at the start", at(app, "step 0 of"))
    key("alt+Right")
    check("at the first step of the path", at(app, "step 1 of"))
    check("its arguments can be edited", insist(lambda: key("F2"), lambda: said(app, "replay the later ones")))
    key("F2")
    time.sleep(0.5)
    check("F2 again is still one editor", wait(lambda: sum("replay the later ones" in name for name in names(app)) == 1) is not None)
    station("edit")
    check("and left alone", insist(lambda: key("Escape"), lambda: not said(app, "replay the later ones")))


def sweep(app):
    title = "All moves"
    key("ctrl+shift+m")
    check("all moves are measured and ranked",
          wait(lambda: any(" of " in name and "measured" in name for name in names(app))) is not None)
    wait(lambda: any(name.startswith("5 of") or name.startswith("6 of") for name in names(app)), 120.0)
    station("ranking")
    check("Escape closes the ranking", close_by("Escape", title))
    focus(TITLE)


def compare(app):
    check("the page for comparing opens", insist(lambda: key("ctrl+2"), lambda: on_page(app, "Compare")))
    check("and a screen reader gets the words", wait(lambda: any(
        "step" in description(node) for node in walk(app)
        if name_of(node) == "What happened to the loops")) is not None)
    station("compare")
    button = find(app, "Swap", "push button")
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
    check("the report is one page with the history in it", written("ctrl+r", "Save the report", path, "<svg"))
    check("the window says where it is", wait(lambda: said(app, "Written to mm_relu_report.html")) is not None)
    station("exported")


def save(app):
    path = os.path.join(FOLDER, "mm_relu.loopscope")
    check("the session is saved", written("ctrl+s", "Save the session", path, "mm_relu"))
    station("saved")


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
os.chdir(FOLDER)
sys.exit(run(PROGRAM, [], drive))
