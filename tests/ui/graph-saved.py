"""The passes of the graph page, edits by hand among them, are kept in a saved session and run again when it is opened; the graph as a file."""
import json
import os
import sys
import tempfile

from driver import check, close_by, find, insist, name_of, press, run, wait, walk, window

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "samples", "mlp.py")
FOLDER = tempfile.TemporaryDirectory()
PROGRAM = os.path.abspath(sys.argv[1])
SESSION = os.path.join(FOLDER.name, "edited.loopscope")


def says(app, words):
    return wait(lambda: any(words in name_of(node) for node in walk(app)), 20.0)


def drive(app):
    check("a saved session comes back with its passes", says(app, "FuseThese([\"lv0\", \"lv1\"])"), [name_of(n) for n in walk(app) if name_of(n)][:60])
    check("and one that cannot be run any more is said", says(app, "could not be run again"))
    check("the graph is saved under a name", insist(lambda: press(find(app, "Export", "push button")), lambda: window(r"Save the graph")))
    close_by("Return", r"Save the graph")
    check("the picture is there", wait(lambda: os.path.exists("graph.svg") and "<svg" in open("graph.svg", encoding="utf-8").read()))
    check("and the window says so", says(app, "Written to graph.svg"))


with open(SAMPLE, encoding="utf-8") as file:
    text = file.read()
with open(SESSION, "w", encoding="utf-8") as file:
    json.dump({"format": "loopscope-session", "version": 1, "name": "mlp.py", "target": "llvm", "module": text, "steps": [{"parent": 0, "call": "", "name": ""}],
               "passes": ["FuseThese([\"lv0\", \"lv1\"])", "FuseThese([\"gone\", \"lv9\"])", "LegalizeOps()"], "current": 0}, file)
os.chdir(FOLDER.name)
sys.exit(run(PROGRAM, [SESSION], drive, ready="Nodes"))
