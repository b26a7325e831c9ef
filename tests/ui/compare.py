"""The Compare page by keyboard: changes of the texts one after the other, one column and back."""
import sys

from driver import Atspi, check, find, key, name_of, run, wait, walk


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


sys.exit(run(sys.argv[1], [], drive))
