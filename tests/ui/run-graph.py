"""A graph binding by binding: keys, breakpoints on operators, the first NaN and its statement, a pass beside it, into a call."""
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, close_by, find, focus, has_state, insist, name_of, press, run, top_level, unnamed, wait, walk, walk_cells, window

TITLE = "Graph, binding by binding"
LAYER = """from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Layer:
    @R.function
    def main(x: R.Tensor((4, 6), "float32"), wq: R.Tensor((6, 6), "float32"), wk: R.Tensor((6, 6), "float32")) -> R.Tensor((4, 6), "float32"):
        with R.dataflow():
            q = R.matmul(x, wq)
            k = R.matmul(x, wk)
            kt = R.permute_dims(k)
            s = R.matmul(q, kt)
            r = R.sqrt(s)
            a = R.nn.softmax(r)
            o = R.matmul(a, x)
            R.output(o)
        return o
"""


def names(app, title=TITLE):
    top = top_level(app, title)
    return [name_of(node) for node in walk(top) if name_of(node)] if top else []


def says(app, words, title=TITLE):
    return any(words in name for name in names(app, title))


def keys(*sequence, title=TITLE):
    focus(title)
    driver.strokes(*sequence)


def picture(name):
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(0.6)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-graph-" + name + ".png"], check=False)


def choose_pass(app, words):
    """In the drop-down that can be searched: opened by the pointer, chosen by keys; None: the first row, no pass."""
    box = Atspi.Component.get_extents(find(top_level(app, TITLE), "Pass after which the same tensors are shown"), Atspi.CoordType.WINDOW)
    focus(TITLE)
    subprocess.run(["xdotool", "mousemove", "--window", str(window(TITLE)), str(box.x + box.width // 2), str(box.y + box.height // 2), "click", "1"], check=False)
    time.sleep(0.5)
    if words is None:           # what was searched for last time still stands there
        driver.strokes("shift+Tab", "ctrl+a", "BackSpace")
        time.sleep(0.5)
        driver.strokes("Tab", "Home", "Return")
        return
    driver.strokes("shift+Tab")
    subprocess.run(["xdotool", "type", words], check=False)
    time.sleep(0.5)
    driver.strokes("Tab", "Down", "Return")


def each_value(app):
    """From the first one F11 through all values: what is said of each."""
    told = []
    press(find(top_level(app, TITLE), "First value (Home)"))
    wait(lambda: says(app, "x: parameter"))
    while True:
        here = [name for name in names(app) if re.match(r"\w+ is made by |\w+: parameter|\w+ is a constant", name)]
        figures = [name for name in names(app) if re.search(r"\) (float32|int64|float16|bool)", name)]
        if not here or not figures or (here[0] in told):
            return told
        told.append(here[0])
        keys("F11")
        if not wait(lambda: here[0] not in names(app), 5.0):        # pylint: disable=cell-var-from-loop
            return told


def card(app):
    """The card of a name in the program's text tells the value that the run gave."""
    def shown():
        return any(re.search(r"In the run of the graph: \(4, 6\) float32, from -?[\d.]", name_of(node)) for node in walk(app))

    insist(lambda: keys("ctrl+1", title="main"), lambda: find(app, "TVMScript of this step"))
    pane = find(app, "TVMScript of this step")
    at = Atspi.Text.get_text(pane, 0, -1).find(" q: R.Tensor") + 1 if pane else 0

    def ask():
        focus("main")
        if not has_state(pane, Atspi.StateType.FOCUSED):        # its page is behind, or another pane has the keyboard
            driver.strokes("ctrl+1", "F6")
            time.sleep(0.5)
            return
        Atspi.Text.set_caret_offset(pane, at)
        driver.strokes("ctrl+F1")
    check("the card of a name in the text tells its value", at > 0 and insist(ask, shown, 40.0), [at] + [name_of(node) for node in walk(app) if "\n" in name_of(node)])
    picture("card")
    insist(lambda: driver.strokes("Escape"), lambda: not shown(), 10.0)
    focus(TITLE)


def drive(app):
    check("Ctrl+Shift+N opens it", insist(lambda: keys("ctrl+shift+n", title="layer"), lambda: window(TITLE)))
    check("it stands at the first value", wait(lambda: says(app, "x: parameter"), 30.0), names(app))
    for _ in range(3):
        keys("F11")
        time.sleep(0.3)
    check("F11 goes a binding on", wait(lambda: says(app, "q is made by relax.matmul from x, wq.")), names(app))
    check("the value has its figures", says(app, "(4, 6) float32, from") and says(app, "Histogram from"), names(app))
    picture("value")
    found = walk_cells(app, TITLE, "q[", 4, 6)
    check("each of its elements by the keyboard, and said", found and {re.match(r"q\[(\d+), (\d+)\] = -?[\d.]", words).groups() for words in found[1].values()}
          == {(str(i), str(j)) for i in range(4) for j in range(6)}, found)
    check("everything that takes the focus has words", lambda: not unnamed(top_level(app, TITLE)), lambda: unnamed(top_level(app, TITLE)))
    told = each_value(app)
    check("each value of the graph by the keyboard, with its figures", len(told) >= 10, told)
    card(app)
    press(find(top_level(app, TITLE), "First value (Home)"))
    check("and back to the first one", wait(lambda: says(app, "x: parameter")), names(app))
    keys("F2")
    time.sleep(0.3)
    subprocess.run(["xdotool", "type", "softmax"], check=False)
    driver.strokes("Return")
    check("a breakpoint is listed", wait(lambda: "softmax" in names(app)), names(app))
    keys("F8")
    check("F8 goes on to the operator", wait(lambda: says(app, "Stopped for softmax.") and says(app, "a is made by relax.nn.softmax from r.")), names(app))
    press(find(top_level(app, TITLE), "First NaN"))
    check("the first NaN is traced to its operator", wait(lambda: says(app, "The first NaN or infinity is in r[") and says(app, "made by relax.sqrt.")), names(app))
    check("and to its statement", says(app, "T.sqrt(s["), names(app))
    picture("nan")
    choose_pass(app, "ToMixed")
    check("with a pass beside it the largest error is told, and what matched", wait(lambda: says(app, "After the pass the largest error is") and
                                                                              says(app, "Of 10 values the pass tells what became of 10;"), 60.0), names(app))
    check("a value says how it was matched", insist(lambda: keys("End"), lambda: says(app, "The pass itself put one in the place of the other")), names(app))
    picture("pass")
    choose_pass(app, None)
    check("without it they are gone", wait(lambda: not says(app, "After the pass") and says(app, "x: parameter"), 60.0), names(app))
    press(find(top_level(app, TITLE), "First NaN"))
    wait(lambda: says(app, "The first NaN or infinity is in r["))
    press(find(top_level(app, TITLE), "Into its TensorIR"))
    check("a call opens in the window Run", wait(lambda: window("Run"), 30.0))
    check("before its first statement", wait(lambda: says(app, "Before statement 0", "Run"), 30.0), names(app, "Run"))
    picture("into")
    check("Escape closes Run", close_by("Escape", "Run"))
    check("Escape closes it", close_by("Escape", TITLE))


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
PATH = os.path.join(FOLDER.name, "layer.py")
with open(PATH, "w", encoding="utf-8") as file:
    file.write(LAYER)
sys.exit(run(PROGRAM, [PATH], drive))
