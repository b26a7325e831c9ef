"""Calls of a graph by hand: chosen with the keyboard, put together where that may be, told why not where it may not; taken back."""
import os
import subprocess
import sys
import time

from driver import check, description, find, key, name_of, press, run, wait, walk

SAMPLE = os.path.join(os.path.dirname(__file__), "..", "..", "data", "samples", "mlp.py")


def says(app, words, seconds=10.0):
    return wait(lambda: any(words in name_of(node) for node in walk(app)), seconds)


def picture(name):
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(0.8)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-edit-" + name + ".png"], check=False)


def mark(app, canvas, name, title):
    """Finds a call by its name and chooses it with Space."""
    key("ctrl+f")
    time.sleep(0.3)
    subprocess.run(["xdotool", "type", name], check=False)
    check(f"{name} is found", wait(lambda: description(canvas).startswith(title + ","), 10.0), description(canvas))
    key("Escape")
    time.sleep(0.3)
    key("space")
    time.sleep(0.3)


def edit(app):
    press(wait(lambda: find(app, "Edit calls"), 10.0))


def drive(app):
    check("a module of Relax opens on its graph", says(app, "13 nodes · 12 edges"))
    canvas = wait(lambda: find(app, "Graph", "list"))
    mark(app, canvas, "lv0", "matmul")
    mark(app, canvas, "lv2", "relu")
    edit(app)
    if not says(app, "Chosen: lv0, lv2"):
        check("what was chosen is said", False, [name_of(n) for n in walk(app) if name_of(n)])
        return
    check("and why it cannot be one", says(app, "lv1 (add) needs something of the selection and the selection needs it"))
    picture("refused")
    press(wait(lambda: find(app, "Choose These Too"), 10.0))
    check("what is missing is chosen too", says(app, "Chosen: lv0, lv1, lv2"))
    picture("allowed")
    press(wait(lambda: find(app, "Fuse These"), 10.0))
    check("it is the next state", says(app, "FuseThese([\"lv0\", \"lv1\", \"lv2\"])"))
    check("with the function", says(app, "fused_relax_matmul_relax_add_relax_nn_relu"))
    picture("fused")
    press(wait(lambda: find(app, "Take the last pass away"), 10.0))
    check("it can be taken back", says(app, "13 nodes · 12 edges"))


sys.exit(run(os.path.abspath(sys.argv[1]), [SAMPLE], drive, ready="Nodes"))
