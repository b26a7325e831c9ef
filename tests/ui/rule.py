"""The source of a rule: of the shown step, of the chosen move where it refuses; by keyboard."""
import os
import re
import subprocess
import sys
import time

import driver
from driver import Atspi, check, close_by, description, find, focus, insist, key, name_of, run, top_level, wait, walk, window

ROOT = os.environ.get("LS_SOURCE_ROOT", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def keys(title, *sequence):
    focus(title)
    driver.strokes(*sequence)


def rule(app, title):
    return top_level(app, title)


def names(app, title):
    return [name_of(node) for node in walk(rule(app, title)) if name_of(node)]


def place(app, title):
    """File and line that the window says."""
    for name in names(app, title):
        found = re.match(r"(engine/\S+\.c), line (\d+)$", name)
        if found:
            return found[1], int(found[2])
    return None


def split_place(text):
    return text.rpartition(":")[0], int(text.rpartition(":")[2])


def line_of(where):
    with open(os.path.join(ROOT, where[0])) as file:
        return file.read().split("\n")[where[1] - 1]


def links(app):
    return [(name_of(node), description(node)) for node in walk(app) if name_of(node).startswith("Source of ")]


def refusals(app):
    return [link for link in links(app) if link[1].startswith("engine/")]


def to_last_move(app):
    """The moves that cannot be are the last ones."""
    keys("mm_relu", "ctrl+m")
    time.sleep(0.5)
    key("End")


def drive(app):
    title = "Source of decompose_reduction"
    check("Ctrl+Shift+R opens the source of the last step", insist(lambda: keys("mm_relu", "ctrl+shift+r"), lambda: window(title)))
    check("it says file and line", wait(lambda: place(app, title)), names(app, title))
    where = place(app, title)
    check("of the function that does it", where[0].endswith("primitive/decompose_reduction.c") and line_of(where).startswith("apply"),
          (where, line_of(where)))
    text = find(rule(app, title), "Source text")
    shown = Atspi.Text.get_text(text, 0, -1)
    check("the text is that of the file", shown.split("\n")[where[1] - 1] == line_of(where), shown[:200])
    if os.environ.get("LS_UI_PICTURE"):
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-step.png"], check=False)
    check("Escape closes it", close_by("Escape", title))

    keys("mm_relu", "alt+Home")
    keys("mm_relu", "ctrl+shift+r")
    check("the first program has no rule, and it says so", wait(lambda: find(app, "No rule here")))
    keys("mm_relu", "Escape")
    keys("mm_relu", "alt+End")

    insist(lambda: to_last_move(app), lambda: refusals(app), 30.0)
    found = refusals(app)
    check("a refused move that is chosen offers its source, and says where", found, links(app))
    refused = found[0][0]
    keys("mm_relu", "ctrl+shift+r")
    check("Ctrl+Shift+R opens it there", wait(lambda: window(refused)), refused)
    check("at the check that refused", wait(lambda: place(app, refused) == split_place(found[0][1])), (place(app, refused), found))
    check("which refuses there", re.search(r"ls_move_refuse \(|cannot \(|checked_at", line_of(place(app, refused))), line_of(place(app, refused)))
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(1)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-move.png"], check=False)
    check("Escape closes that too", close_by("Escape", refused))
    focus("mm_relu")


PROGRAM = os.path.abspath(sys.argv[1])
sys.exit(run(PROGRAM, [], drive))
