"""Two models side by side of which one or both are files of other programs: a model of ONNX and what torch.export writes of the same.  The values that are compared are
made with the weights in the files."""
import os
import re
import subprocess
import sys
import tempfile
import time
from unittest import mock

import driver
from driver import check, find, focus, insist, name_of, press, run, top_level, wait, walk, window

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "python"))
os.environ.setdefault("LS_BUILD_ROOT", "")
with mock.patch.dict(sys.modules, {name: mock.MagicMock() for name in ("tvm", "tvm.relax", "tvm.relax.frontend", "tvm.relax.frontend.onnx", "tvm.relax.frontend.torch")}):
    import model_pairs          # what writes files there needs no engine

TITLE = "Two models side by side"
FOLDER = tempfile.TemporaryDirectory()


def path(name):
    return os.path.join(FOLDER.name, name)


def names(app):
    top = top_level(app, TITLE)
    return [name_of(node) for node in walk(top) if name_of(node)] if top else []


def says(app, words):
    return wait(lambda: any(words in name for name in names(app)), 60.0)


def picture(name):
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(1.0)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-files-" + name + ".png"], check=False)


def open_other(app, name):
    title = "Another model"
    insist(lambda: press(find(top_level(app, TITLE), "Another file…")), lambda: window(title), 20.0)
    focus(title)
    subprocess.run(["xdotool", "type", path(name)], check=False)
    insist(lambda: (focus(title), driver.strokes("Return")), lambda: window(title) is None, 20.0)
    focus(TITLE)
    check(f"{name} is compared by structure", says(app, "Matched by structure."), names(app))


def errors(app):
    """How far what matched calls compute is apart, of each row."""
    found = [re.fullmatch(r"([0-9.]+(?:e[+-][0-9]+)?) at .*", name) for name in names(app)]
    return [0.0 for name in names(app) if name == "equal"] + [float(match[1]) for match in found if match]


def values(app):
    press(wait(lambda: find(top_level(app, TITLE), "Compare values")))
    wait(lambda: errors(app), 120.0)
    time.sleep(1.0)
    return errors(app)


def drive(app):
    insist(lambda: (focus("model"), driver.strokes("ctrl+shift+h")), lambda: window(TITLE))
    open_other(app, "same.pt2")
    press(wait(lambda: find(top_level(app, TITLE), "Table", "radio button") or find(top_level(app, TITLE), "Table", "toggle button") or find(top_level(app, TITLE), "Table", "page tab")))
    found = values(app)
    picture("same")
    check("an ONNX model and what torch.export writes of it compute the same", found and max(found) < 1e-4, names(app))
    check("nothing of it is random but what goes in", not any("random numbers of their own" in name for name in names(app)), names(app))
    open_other(app, "other.pt2")
    found = values(app)
    picture("other")
    check("with another weight they do not", found and max(found) > 0.1, names(app))
    open_other(app, "same.onnx")
    found = values(app)
    check("two files of ONNX with the same weights are equal", found and max(found) == 0.0, names(app))
    open_other(app, "other.onnx")
    found = values(app)
    picture("onnx")
    check("with other weights they are not", found and max(found) > 0.1, names(app))


parts = model_pairs.weights()
others = dict(parts, p_2_weight=("fc2.weight", parts["p_2_weight"][1] * 1.5))
model_pairs.onnx(path("model.onnx"), parts)
for name, values_of in (("same", parts), ("other", others)):
    model_pairs.onnx(path(name + ".onnx"), values_of)
    model_pairs.exported(path(name + ".pt2"), values_of)
sys.exit(run(os.path.abspath(sys.argv[1]), [path("model.onnx")], drive, ready="Graph"))
