"""Calls of a graph by hand: chosen with the keyboard, put together where that may be, told why not where it may not; taken back.  And one replaced by a
library's function and by a PrimFunc of a file, with the same values; one that does not fit is refused with the reason."""
import os
import subprocess
import sys
import tempfile
import time

from driver import check, close_by, description, find, focus, insist, key, name_of, press, run, top_level, wait, walk, window
from tree import Atspi

FUNCTION = """from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def my_relu(A: T.Buffer((1, N), "float32"), B: T.Buffer((1, N), "float32")):
        for i, j in T.grid(1, N):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.max(A[vi, vj], T.float32(0))
"""
BESIDE = "Two models side by side"
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


def compare_values(app, what, wanted):
    """Before and after, run on the same numbers."""
    insist(lambda: (focus("mlp"), key("ctrl+shift+h")), lambda: window(BESIDE))
    press(wait(lambda: find(top_level(app, BESIDE), "Compare values")))
    press(wait(lambda: find(top_level(app, BESIDE), "Table", "page tab")))
    rows = lambda: [name_of(node) for node in walk(top_level(app, BESIDE)) if name_of(node)]
    check(what, wait(lambda: wanted(rows()), 60.0), rows())
    picture("values")
    close_by("Escape", BESIDE)
    focus("mlp")


def take_back(app):
    press(wait(lambda: find(app, "Remove the last pass"), 10.0))
    check("and is taken back", wait(lambda: not any("ReplaceBy" in name_of(node) for node in walk(app)), 10.0))


def replace_by_library(app, canvas):
    mark(app, canvas, "lv2", "relu")
    edit(app)
    entry = wait(lambda: find(app, "Function that takes their place"), 10.0)
    Atspi.EditableText.set_text_contents(entry, "env.relo")
    check("a name that nobody knows is said before, with the nearest that is", says(app, "which has env.relu"))
    Atspi.EditableText.set_text_contents(entry, "env.relu")
    check("one that is known is not", wait(lambda: not any("Nobody knows" in name_of(node) for node in walk(app)), 10.0))
    press(wait(lambda: find(app, "Replace by"), 10.0))
    check("a library's function takes the place of a call", says(app, "ReplaceBy([\"lv2\"], \"env.relu\")"))
    picture("library")
    compare_values(app, "what a library computes is followed: all is equal",
                   lambda names: names.count("equal") >= 7 and not any("not known" in name or "cannot" in name for name in names))
    take_back(app)


def choose_file(app, path):
    title = "A PrimFunc"
    insist(lambda: press(find(app, "Replace by a PrimFunc of a file…")), lambda: window(title), 20.0)
    focus(title)
    subprocess.run(["xdotool", "type", path], check=False)
    insist(lambda: (focus(title), key("Return")), lambda: window(title) is None, 20.0)
    focus("mlp")


def replace_by_file(app, canvas):
    with tempfile.TemporaryDirectory() as folder:
        for name, extent in (("narrow.py", 64), ("fits.py", 128)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(FUNCTION.replace("N", str(extent)))
        mark(app, canvas, "lv2", "relu")
        edit(app)
        choose_file(app, os.path.join(folder, "narrow.py"))
        check("a function of other extents is refused, with the reason", says(app, "64"), [name_of(n) for n in walk(app) if len(name_of(n)) > 25])
        check("and the popover says so, with what else can be done", wait(lambda: find(app, "Fuse these"), 10.0))
        check("and nothing is changed", not any("ReplaceBy" in name_of(node) for node in walk(app)))
        picture("narrow")
        choose_file(app, os.path.join(folder, "fits.py"))
        check("a PrimFunc of a file takes the place of a call", says(app, "my_relu"))
        picture("own")
        compare_values(app, "the PrimFunc gives the same values", lambda names: names.count("equal") >= 7)
        take_back(app)


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
    press(wait(lambda: find(app, "Choose these too"), 10.0))
    check("what is missing is chosen too", says(app, "Chosen: lv0, lv1, lv2"))
    picture("allowed")
    press(wait(lambda: find(app, "Fuse these"), 10.0))
    check("it is the next state", says(app, "FuseThese([\"lv0\", \"lv1\", \"lv2\"])"))
    check("with the function", says(app, "fused_relax_matmul_relax_add_relax_nn_relu"))
    picture("fused")
    press(wait(lambda: find(app, "Remove the last pass"), 10.0))
    check("it can be taken back", says(app, "13 nodes · 12 edges"))
    replace_by_library(app, canvas)
    replace_by_file(app, canvas)


sys.exit(run(os.path.abspath(sys.argv[1]), [SAMPLE], drive, ready="Nodes"))
