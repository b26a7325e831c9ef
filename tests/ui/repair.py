"""A text that cannot be read: what is meant stands below it, and a button writes it; also while it is written."""
import os
import sys
import tempfile

from driver import Atspi, check, find, insist, key, name_of, press, run, wait, walk

FOLDER = tempfile.TemporaryDirectory()
PROGRAM = os.path.join(FOLDER.name, "meant.py")
TEXT = """from tvm.script import tir as T


@T.prim_func
def meant(A: T.Buffer((8, 8), "flot32"), B: T.Buffer((8, 8), "float32")):
    for i, j in T.gird(8, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
"""


def said(app, part):
    return any(part in name_of(node) for node in walk(app))


def button(app, words):
    return find(app, words, "push button")


def text_of(app):
    node = find(app, "Text of the opened program")
    return Atspi.Text.get_text(node, 0, -1) if node is not None else ""


def drive(app):
    check("what is wrong is said, and what is meant", wait(lambda: said(app, "T has no member `gird`")) and said(app, "Did you mean `T.grid`?"),
          [name_of(node) for node in walk(app) if name_of(node)][-40:])
    check("each as a button", lambda: button(app, "Write grid") and button(app, 'Write "float32"'))
    check("one writes it", insist(lambda: press(button(app, "Write grid")), lambda: "T.grid(8, 8)" in text_of(app)), text_of(app))
    check("and no more than that", text_of(app) == TEXT.replace("gird", "grid"), text_of(app))
    check("what else is wrong is still said", wait(lambda: said(app, "is no type") and not said(app, "gird")))
    check("the other does too", insist(lambda: press(button(app, 'Write "float32"')), lambda: text_of(app) == TEXT.replace("gird", "grid").replace("flot", "float")))
    check("then it is read", wait(lambda: said(app, "The program is read.")))
    check("and shown", wait(lambda: said(app, "j, spatial, extent 8") or said(app, "j, extent 8")), [name_of(node) for node in walk(app) if "extent" in name_of(node)])
    key("ctrl+z")
    check("Ctrl+Z takes the last one back", wait(lambda: "flot32" in text_of(app) and "T.grid" in text_of(app)))
    check("and its button is there again", wait(lambda: button(app, 'Write "float32"')))


with open(PROGRAM, "w", encoding="utf-8") as file:
    file.write(TEXT)
sys.exit(run(os.path.abspath(sys.argv[1]), [PROGRAM], drive, ready="Write grid"))
