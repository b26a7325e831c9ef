"""The passes of the graph page, edits by hand among them, are kept in a saved session and run again when it is opened."""
import json
import os
import sys
import tempfile

from driver import check, name_of, run, wait, walk

SAMPLE = os.path.join(os.path.dirname(__file__), "..", "..", "data", "samples", "mlp.py")
FOLDER = tempfile.TemporaryDirectory()
SESSION = os.path.join(FOLDER.name, "edited.loopscope")


def says(app, words):
    return wait(lambda: any(words in name_of(node) for node in walk(app)), 20.0)


def drive(app):
    check("a saved session comes back with its passes", says(app, "FuseThese([\"lv0\", \"lv1\"])"), [name_of(n) for n in walk(app) if name_of(n)][:60])
    check("and one that cannot be run any more is said", says(app, "could not be run again"))


with open(SAMPLE, encoding="utf-8") as file:
    text = file.read()
with open(SESSION, "w", encoding="utf-8") as file:
    json.dump({"format": "loopscope-session", "version": 1, "name": "mlp.py", "target": "llvm", "module": text, "steps": [{"parent": 0, "call": "", "name": ""}],
               "passes": ["FuseThese([\"lv0\", \"lv1\"])", "FuseThese([\"gone\", \"lv9\"])", "LegalizeOps()"], "current": 0}, file)
sys.exit(run(os.path.abspath(sys.argv[1]), [SESSION], drive, ready="Nodes"))
