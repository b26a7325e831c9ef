"""The timeline of a measured run below the graph: walked and zoomed by keys, a call and its node chosen together; the same after passes."""
import os
import subprocess
import sys
import time

from driver import check, description, find, insist, key, name_of, press, run, wait, walk

SAMPLE = os.path.join(os.path.dirname(__file__), "..", "..", "data", "samples", "mlp.py")


def has(app, text, seconds=60.0):
    return wait(lambda: any(text in name_of(node) for node in walk(app)), seconds) is not None


def toggle(app):
    return find(app, "Timeline", "toggle button") or find(app, "Timeline", "push button")


def shows(app, text):
    return any(text in name_of(node) for node in walk(app))


def picture(name):
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(1.0)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-times-" + name + ".png"], check=False)


def timeline(app):
    return next((node for node in walk(app) if name_of(node) == "Timeline of the run"), None)


def says(app, words):
    return wait(lambda: words in (description(timeline(app)) or ""), 30.0)


def click():
    """On the strip above the foot of the window; the widget does not say where it is."""
    subprocess.run(["xdotool", "mousemove", "500", "812", "click", "1"], check=False)
    time.sleep(0.5)


def drive(app):
    wait(lambda: toggle(app))
    check("without times it says so", insist(lambda: press(toggle(app)), lambda: shows(app, "The times of this state are not measured yet.")))
    picture("none")
    press(wait(lambda: find(app, "Measure", "push button")))
    check("the run is there", wait(lambda: timeline(app) is not None, 60.0))
    check("with its calls and the time of a run", says(app, "7 calls in the median of"), description(timeline(app)))
    click()
    check("a click chooses a call", says(app, " at "), description(timeline(app)))
    key("Home")
    check("Home goes to the first call", says(app, "permute_dims at"), description(timeline(app)))
    check("with its bytes", says(app, "iB"), description(timeline(app)))
    check("its node is chosen", has(app, "an operator; the pass LegalizeOps makes a PrimFunc of it"))
    for name in ("plus", "plus", "Right"):
        key(name)
        time.sleep(0.2)
    check("the next call is matmul", says(app, "matmul at"), description(timeline(app)))
    check("with its operations", says(app, "flop"), description(timeline(app)))
    picture("zoomed")
    key("f")
    key("End")
    check("End goes to the last call", says(app, "add at"), description(timeline(app)))
    key("F6")           # the canvas
    time.sleep(0.4)
    key("Up")
    check("a node that is chosen is marked in the timeline", wait(lambda: "matmul at" in description(timeline(app))), description(timeline(app)))
    press(wait(lambda: find(app, "Add a pass")))
    press(wait(lambda: find(app, "Legalise and fuse (four passes)")))
    check("another state is not measured", has(app, "4 of 4") and wait(lambda: timeline(app) is None or not description(timeline(app))))
    press(wait(lambda: find(app, "Measure", "push button")))
    check("four calls are left", says(app, "4 calls in the median of"), description(timeline(app)))
    picture("fused")
    press(wait(lambda: toggle(app)))
    check("it can be put away", wait(lambda: timeline(app) is None))


sys.exit(run(os.path.abspath(sys.argv[1]), [SAMPLE], drive, ready="Graph"))
