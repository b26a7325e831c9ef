"""Two models side by side: stages of one by lineage, times and values of both, and another file that is opened beside it."""
import os
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, close_by, find, focus, insist, name_of, press, run, top_level, wait, walk, window

SAMPLE = os.path.join(os.path.dirname(__file__), "..", "..", "data", "samples", "mlp.py")
TITLE = "Two models side by side"


def names(app):
    top = top_level(app, TITLE)
    return [name_of(node) for node in walk(top) if name_of(node)] if top else []


def says(app, words):
    return wait(lambda: any(words in name for name in names(app)), 30.0)


def page(app, word):
    press(wait(lambda: find(top_level(app, TITLE), word, "radio button") or find(top_level(app, TITLE), word, "toggle button") or find(top_level(app, TITLE), word, "page tab")))
    time.sleep(0.5)


def picture(name):
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(1.0)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-beside-" + name + ".png"], check=False)


def fuse(app):
    press(wait(lambda: find(app, "Add a pass")))
    press(wait(lambda: find(app, "Legalise and fuse (four passes)")))
    check("four passes are run", wait(lambda: any("4 of 4" in name_of(node) for node in walk(app))))


def other(app):
    """A file that was made elsewhere: other names, one operator more, one less."""
    title = "Another model"
    insist(lambda: press(find(top_level(app, TITLE), "Another file…")), lambda: window(title), 20.0)
    focus(title)
    subprocess.run(["xdotool", "type", OTHER], check=False)
    insist(lambda: (focus(title), driver.strokes("Return")), lambda: window(title) is None, 20.0)
    focus(TITLE)
    check("another file is compared by structure", says(app, "Matched by structure."), names(app))
    check("what only it has is listed", says(app, "Only on the right: tanh"), names(app))
    check("and what it has not", says(app, "Only on the left: relu"), names(app))
    picture("other")


def width_of(node):
    return Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW).width if node else 0


def drive(app):
    fuse(app)
    check("Ctrl+Shift+H opens it", insist(lambda: (focus("mlp"), driver.strokes("ctrl+shift+h")), lambda: window(TITLE)))
    check("the first and the last state are compared", says(app, "7 of 7 calls on the left and 4 of 4 on the right have a counterpart; score 100"), names(app))
    check("by what the passes noted", says(app, "All matches are known from what the passes and steps noted"), names(app))
    check("both pictures have their nodes", says(app, "fused_matmul_add_relu"), names(app))
    widths = [width_of(find(top_level(app, TITLE), name, "list") or find(top_level(app, TITLE), name)) for name in ("The left model", "The right model")]
    check("both have the same room, so that what lies in the middle of one does in the other", abs(widths[0] - widths[1]) < 16 < min(widths), widths)
    picture("sides")
    press(find(top_level(app, TITLE), "Measure times"))
    check("both are measured", wait(lambda: find(top_level(app, TITLE), "Measure times") is not None and not says_now(app, "Measuring"), 60.0))
    page(app, "Table")
    check("a row tells both times", wait(lambda: any("µs" in name for name in names(app)), 30.0), names(app))
    check("what was fused is one row", says(app, "matmul (lv0), add (lv1), relu (lv2)"), names(app))
    press(find(top_level(app, TITLE), "Compare values"))
    check("the values of both are equal", says(app, "equal"), names(app))
    picture("table")
    page(app, "Memory")
    check("who holds the peak is said", says(app, "Most at call 2 of 7"), names(app))
    picture("memory")
    page(app, "Timelines")
    check("the runs are drawn", says(app, "Run of the left model"), names(app))
    picture("runs")
    page(app, "One picture")
    picture("merged")
    other(app)
    check("Escape closes it", close_by("Escape", TITLE))


def says_now(app, words):
    return any(words in name for name in names(app))


FOLDER = tempfile.TemporaryDirectory()
OTHER = os.path.join(FOLDER.name, "other.py")
with open(SAMPLE, encoding="utf-8") as file:
    CHANGED = file.read().replace("R.nn.relu", "R.tanh").replace("lv1", "hidden")
with open(OTHER, "w", encoding="utf-8") as file:
    file.write(CHANGED)
sys.exit(run(os.path.abspath(sys.argv[1]), [SAMPLE], drive, ready="Graph"))
