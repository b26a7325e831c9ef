"""The timeline of a measured run below the graph: walked and zoomed by keys, a call and its node chosen together, the run as a file; the same after passes."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

from driver import check, close_by, description, find, focus, insist, key, name_of, press, run, strokes, wait, walk, window

SAMPLE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "data", "samples", "mlp.py"))
PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
SAVE = "Save the run for Perfetto (.pftrace, .json) or as a table (.csv)"


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


def run_button(app):
    return find(app, SAVE, "push button")


def export(app):
    """The button above the graph; another page has one of that name."""
    return next((node for node in walk(app) if name_of(node) == "Export" and description(node).startswith("Save the graph")), None)


def save(app, button, title, name):
    """Under that name, by the dialog that a button asks with."""
    asked = insist(lambda: press(button(app)), lambda: window("^" + title))
    focus(title)
    strokes("ctrl+a", *({".": "period"}.get(letter, letter) for letter in name))
    return asked and close_by("Return", "^" + title)


def files(app):
    """The run in each format: the same calls, notes and times."""
    check("the dialog proposes Perfetto's format", insist(lambda: press(run_button(app)), lambda: window("^Save the run")))
    close_by("Return", "^Save the run")
    check("the window says where it is", has(app, "Written to run.pftrace"))
    check("the ending makes it JSON", save(app, run_button, "Save the run", "run.json") and has(app, "Written to run.json"))
    check("or a table", save(app, run_button, "Save the run", "run.csv") and has(app, "Written to run.csv"))
    check("another one is refused in a sentence", save(app, run_button, "Save the run", "run.txt") and has(app, "run.txt: a run has a name that ends in .pftrace, .json or .csv."))
    check("and nothing is there", not os.path.exists("run.txt"))
    check("the graph's dialog takes Perfetto's name, too", save(app, export, "Save the graph", "same.pftrace") and has(app, "Written to same.pftrace"))
    check("what was refused is no longer said", not shows(app, "run.txt: a run has a name that ends in .pftrace, .json or .csv."))
    with open("run.pftrace", "rb") as one, open("same.pftrace", "rb") as other:
        trace = one.read()
        check("both are the same file", trace == other.read())
    with open("run.json", encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    calls = [event for event in events if event["ph"] == "X" and event["tid"] == 1]
    check("JSON has the calls of the run", [call["name"] for call in calls] == ["permute_dims", "matmul", "add", "relu", "permute_dims", "matmul", "add"], calls)
    check("with what they are", calls[1]["args"]["binding"] == "lv0" and calls[1]["args"]["flop"] == 200704.0, calls[1])
    check("and the bytes of values with the weights", max(event["args"]["bytes"] for event in events if event["ph"] == "C") > 784 * 128 * 4)
    check("the program has its name in both", all("mlp" in text for text in (events[0]["args"]["name"], trace[:200].decode(errors="replace"))), events[0])
    with open("run.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check("the table has the same medians", [float(row["ns"]) for row in rows] == [float(f"{call['args']['median_ns']:.9g}") for call in calls], rows)


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
    files(app)
    press(wait(lambda: find(app, "Add a pass")))
    press(wait(lambda: find(app, "Legalise and fuse (four passes)")))
    check("another state is not measured", has(app, "4 of 4") and wait(lambda: timeline(app) is None or not description(timeline(app))))
    check("and has no file", save(app, export, "Save the graph", "no.pftrace") and has(app, "The times of this state are not measured yet."))
    check("which is not made", not os.path.exists("no.pftrace"))
    press(wait(lambda: find(app, "Measure", "push button")))
    check("four calls are left", says(app, "4 calls in the median of"), description(timeline(app)))
    picture("fused")
    press(wait(lambda: toggle(app)))
    check("it can be put away", wait(lambda: timeline(app) is None))


os.chdir(FOLDER.name)
sys.exit(run(PROGRAM, [SAMPLE], drive, ready="Graph"))
