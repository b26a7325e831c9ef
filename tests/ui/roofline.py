"""The roofline of the time pane: the machine is measured and said to be, steps are points and rows, the chart is exported."""
import os
import subprocess
import sys
import tempfile

import driver
from driver import Atspi, check, close_by, find, focus, insist, key, name_of, press, run, wait, walk, window


def said(app, part):
    return any(part in name_of(node) for node in walk(app))


def names(app):
    return [name_of(node) for node in walk(app) if name_of(node)]


def shot(name):
    if os.environ.get("LS_SHOTS"):
        import subprocess
        import time
        time.sleep(0.7)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], f"roofline-{name}.png")], check=False)


def edges(node):
    box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
    return box.x, box.x + box.width


def within(app):
    """At 1280 the chart and its table once asked for more than stands between history and moves, which covered them."""
    subprocess.run(["xdotool", "windowsize", window("mm_relu"), "1280", "800"], check=False)
    left, right = find(app, "Previous step", "push button"), find(app, "Roofline", "push button")
    check("at 1280 the middle stays between history and moves",
          wait(lambda: edges(left)[0] >= 280 and edges(right)[1] <= 1280 - 300) is not None, (edges(left), edges(right)))


def low(app):
    """In a low window the pane once cut the lower labels of the chart off."""
    def bottom():
        chart = next((node for node in walk(app) if name_of(node).startswith("Roofline: one core")), None)
        box = chart is not None and Atspi.Component.get_extents(chart, Atspi.CoordType.WINDOW)
        return box and box.height > 0 and box.y + box.height

    subprocess.run(["xdotool", "windowsize", window("mm_relu"), "1024", "560"], check=False)
    fold = wait(lambda: find(app, "Fold the time pane", "push button"))
    check("a low window folds the time pane", wait(lambda: not bottom()) is not None)
    check("unfolded it has all of the chart", insist(lambda: press(fold), bottom) and wait(lambda: 0 < (bottom() or 0) <= 560) is not None, str(bottom()))
    subprocess.run(["xdotool", "windowsize", window("mm_relu"), "1440", "900"], check=False)


def export(app, suffix, begins):
    title = "Save the figure"
    check(f"Export asks for a name ({suffix})", insist(lambda: press(find(app, "Export the roofline", "push button")), lambda: window(title)))
    if suffix != "svg":
        import subprocess
        focus(title)
        driver.strokes("ctrl+a")
        subprocess.run(["xdotool", "type", f"roofline.{suffix}"], check=False)
    close_by("Return", title)
    focus("mm_relu")
    path = os.path.join(FOLDER.name, f"roofline.{suffix}")
    check(f"the chart is written as {suffix}", wait(lambda: os.path.exists(path) and open(path, "rb").read(400).find(begins) >= 0))


def drive(app):
    key("o")
    check("nothing is known of the machine at first", wait(lambda: said(app, "What this machine can do is not measured yet.")), names(app)[-30:])
    shot("unknown")
    check("Measure the machine measures it", insist(lambda: press(find(app, "Measure the machine", "push button")),
                                                    lambda: said(app, "Measured on ")))
    check("it says with what date", wait(lambda: said(app, "one core of")))
    check("steps without a time are listed as such", wait(lambda: said(app, "not measured")))
    check("the roofs are in words too", wait(lambda: any("Roofline: one core computes" in n and "GB/s" in n for n in names(app))))
    key("shift+F5")
    check("after measuring every step has its speed",
          wait(lambda: sum("FLOP/s" in n and len(n) < 20 for n in names(app)) >= 6 and not said(app, "not measured"), 120), names(app)[-40:])
    check("a sentence says how near the last one comes", wait(lambda: any(n.startswith("Step 5 reaches") for n in names(app))))
    shot("measured")
    within(app)
    low(app)
    export(app, "svg", b"<svg")
    export(app, "pdf", b"%PDF")
    export(app, "png", b"PNG")
    if os.environ.get("LS_SHOTS"):
        import shutil
        for suffix in ("svg", "pdf", "png"):
            shutil.copy(os.path.join(FOLDER.name, f"roofline.{suffix}"), os.environ["LS_SHOTS"])
    check("the button of the roofline takes it away",
          insist(lambda: press(find(app, "Roofline", "push button")), lambda: find(app, "Waterfall") is not None))


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = os.path.join(FOLDER.name, "cache")
os.chdir(FOLDER.name)
sys.exit(run(PROGRAM, [], drive))
