"""The Compare page by keyboard: changes of the texts one after the other, one column and back."""
import os
import sys
import tempfile

from driver import Atspi, check, close_by, find, focus, insist, key, name_of, press, run, wait, walk, window


def said(app, part):
    return any(part in name_of(node) for node in walk(app))


def text_of(app, name):
    node = find(app, name)
    return Atspi.Text.get_text(node, 0, -1) if node is not None else ""


def drive(app):
    key("ctrl+2")
    check("the texts stand beside each other", wait(lambda: "T.grid(128, 128, 128)" in text_of(app, "Text on the left")))
    check("it says how many changes there are", wait(lambda: said(app, " changes")))
    key("alt+Down")
    check("Alt+Down goes to the first", wait(lambda: said(app, "change 1 of")))
    key("alt+Down")
    check("and to the second", wait(lambda: said(app, "change 2 of")))
    key("alt+Up")
    check("Alt+Up goes back", wait(lambda: said(app, "change 1 of")))
    key("ctrl+i")
    check("Ctrl+I puts both into one column",
          wait(lambda: all(part in text_of(app, "Text on the right")
                           for part in ("T.grid(128, 128, 128)", "T.grid(128, 32)"))))
    key("ctrl+i")
    check("and beside each other again",
          wait(lambda: "T.grid(128, 128, 128)" not in text_of(app, "Text on the right")))
    title = "Save the figure"
    check("Export asks for a name", insist(lambda: press(find(app, "Export", "push button")), lambda: window(title)))
    close_by("Return", title)
    focus("mm_relu")
    path = os.path.join(FOLDER.name, "compared.svg")
    check("the ribbons are saved as a picture", wait(lambda: os.path.exists(path) and "<svg" in open(path, encoding="utf-8").read()))


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)
sys.exit(run(PROGRAM, [], drive))
