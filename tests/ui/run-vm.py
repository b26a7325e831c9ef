"""The virtual machine instruction by instruction: keys, breakpoints, registers, memory that is used again, planned memory, a run that is ended."""
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, close_by, find, focus, has_state, insist, name_of, press, run, top_level, unnamed, wait, walk, window

TITLE = "Virtual machine, instruction by instruction"
LAYER = """from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Layer:
    @R.function
    def main(x: R.Tensor((4, 6), "float32"), w: R.Tensor((6, 6), "float32")) -> R.Tensor((4, 6), "float32"):
        with R.dataflow():
            q = R.matmul(x, w)
            k = R.nn.relu(q)
            e = R.exp(k)
            s = R.matmul(e, w)
            R.output(s)
        return s
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
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-vm-" + name + ".png"], check=False)


def element(app):
    """The element of a register that the keyboard is on, as it is read."""
    return next((found.groups() for name in names(app) if (found := re.match(r"r2 of 2\[(\d+), (\d+)\] = (\S+)", name))), None)


def walked(app):
    """Tab to the values, then Down and Right through all of them: 24 elements, each with its value."""
    if not insist(lambda: keys("Tab"), lambda: any(name_of(node).startswith("r2 of 2[") and has_state(node, Atspi.StateType.FOCUSED)
                                                   for node in walk(top_level(app, TITLE))), 60.0):
        return False
    seen = {}
    for row in range(4):
        for column in range(6):
            found = wait(lambda: (lambda at: at if at and at[:2] == (str(row), str(column)) else None)(element(app)), 5.0)
            if not found:
                return False
            seen[found[:2]] = float(found[2])
            keys("Right" if column < 5 else "Down")
        for _ in range(5):
            keys("Left")
    return len(seen) == 24 and len(set(seen.values())) > 12


def stop_at(app, words):
    keys("F2")
    time.sleep(0.3)
    subprocess.run(["xdotool", "type", words], check=False)
    driver.strokes("Return")
    return wait(lambda: words in names(app))


def drive(app):
    check("Ctrl+Shift+J opens it", insist(lambda: keys("ctrl+shift+j", title="layer"), lambda: window(TITLE)))
    check("it stands before the first instruction", wait(lambda: says(app, "Before the first of 11 instructions of the run."), 60.0), names(app))
    check("what comes next is told", says(app, "main, next 0: match  r0"), names(app))
    keys("F11")
    check("F11 executes one", wait(lambda: says(app, "The value is what is expected.")), names(app))
    check("a breakpoint is listed", stop_at(app, "matmul*"), names(app))
    keys("F8")
    check("F8 goes on behind the kernel", wait(lambda: says(app, "The compiled function matmul ran. It changed 24 of 24 elements of")), names(app))
    check("its registers are told with their memory", says(app, ", block 2 from byte 0 on"), names(app))
    check("the values are those of a register", wait(lambda: any(name.startswith("r2 of 2[0, 0] = ") for name in names(app))), names(app))
    check("each element of it by the keyboard, and said", walked(app), names(app))
    check("everything that takes the focus has words", lambda: not unnamed(top_level(app, TITLE)), lambda: unnamed(top_level(app, TITLE)))
    picture("kernel")
    press(find(top_level(app, TITLE), "To the end of the run (End)"))
    check("at the end it says what was returned", wait(lambda: says(app, "main returned (4, 6) float32.")), names(app))
    check("memory that was used again is told", wait(lambda: any(name.startswith("Block ") and "before: " in name for name in names(app))), names(app))
    keys("shift+F11")
    check("backwards too", wait(lambda: says(app, "kernel matmul")), names(app))
    press(find(top_level(app, TITLE), "Planned memory"))
    check("planned memory is another run", wait(lambda: says(app, "Before the first of") and not says(app, "of 11 instructions"), 60.0), names(app))
    check("with a breakpoint on its storages", stop_at(app, "alloc_storage"), names(app))
    keys("F8")
    check("which are told", wait(lambda: says(app, "The function alloc_storage ran.")), names(app))
    picture("planned")
    check("Escape closes it", close_by("Escape", TITLE))


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
PATH = os.path.join(FOLDER.name, "layer.py")
with open(PATH, "w", encoding="utf-8") as file:
    file.write(LAYER)
sys.exit(run(PROGRAM, [PATH], drive))
