"""The whole story on mm_relu by keyboard and accessibility, with a picture at each station.

/usr/bin/python3 tests/ui/tour.py PROGRAM [FOLDER]: pictures go to FOLDER, by default into a temporary one.
"""
import os
import subprocess
import sys
import tempfile
import time

from driver import check, description, find, key, name_of, press, run, wait, walk

FOLDER = sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="loopscope-tour-")
STATION = 0


def names(app):
    return [name_of(node) for node in walk(app)]


def said(app, part):
    return any(part in name for name in names(app))


def at(app, text):
    return wait(lambda: description(find(app, "Steps", "slider")).startswith(text), 10.0) is not None


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
    check("the repair makes a branch", wait(lambda: said(app, "2 branches"), 20.0) is not None)
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


def edit(app):
    key("alt+Home")
    check("back at the start", at(app, "step 0 of"))
    time.sleep(0.5)
    key("alt+Right")
    check("at the first step of the path", at(app, "step 1 of"))
    key("F2")
    check("its arguments can be edited", wait(lambda: said(app, "replay the later ones")) is not None)
    station("edit")
    key("Escape")
    time.sleep(0.5)


def sweep(app):
    key("ctrl+shift+m")
    check("all moves are measured and ranked",
          wait(lambda: any(" of " in name and "measured" in name for name in names(app)), 20.0) is not None)
    wait(lambda: any(name.startswith("5 of") or name.startswith("6 of") for name in names(app)), 90.0)
    station("ranking")
    key("Escape")
    time.sleep(0.5)
    key("Escape")
    time.sleep(0.5)


def compare(app):
    key("ctrl+2")
    check("the comparison names what happened", wait(lambda: said(app, "What happened to the loops")) is not None)
    check("and a screen reader gets the words", wait(lambda: any(
        "step" in description(node) for node in walk(app)
        if name_of(node) == "What happened to the loops")) is not None)
    station("compare")
    button = find(app, "Swap", "push button")
    press(button)
    time.sleep(1.0)
    station("compare-swapped")
    key("ctrl+1")
    time.sleep(0.5)


def export(app):
    path = os.path.join(FOLDER, "mm_relu_report.html")
    key("ctrl+r")
    time.sleep(1.5)
    key("Return")                       # the name that is offered, in the folder where the program was started
    check("the report is one page with the history in it",
          wait(lambda: os.path.exists(path) and "<svg" in open(path, encoding="utf-8").read(), 15.0) is not None)
    check("the window says where it is", wait(lambda: said(app, "Written to mm_relu_report.html")) is not None)
    station("exported")


def save(app):
    path = os.path.join(FOLDER, "mm_relu.loopscope")
    key("ctrl+s")
    time.sleep(1.5)
    key("Return")
    check("the session is saved", wait(lambda: os.path.exists(path), 15.0) is not None)
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
