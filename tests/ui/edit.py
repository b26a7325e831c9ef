"""The opened program is edited: findings at the line, the steps follow, undo, a draft survives."""
import sys

from driver import Atspi, check, find, key, name_of, run, wait, walk


def said(app, part):
    return any(part in name_of(node) for node in walk(app))


def editor(app):
    return find(app, "Text of the opened program")


def text_of(app):
    node = editor(app)
    return Atspi.Text.get_text(node, 0, -1) if node is not None else ""


def write(app, text):
    Atspi.EditableText.set_text_contents(editor(app), text)


def drive(app):
    wait(lambda: said(app, "k, reduction, extent 128"))
    key("ctrl+e")
    check("Ctrl+E shows the opened program", wait(lambda: "T.grid(128, 128, 128)" in text_of(app)))
    whole = text_of(app)
    write(app, whole.replace("T.grid(128, 128, 128)", "T.grid(128, 128)"))
    check("a finding stands below with its line", wait(lambda: said(app, "Line 14: T.grid got 2 extents")))
    check("the last good program stays", lambda: said(app, "the last good program stays") and said(app, "k, reduction, extent 128"))
    write(app, whole.replace("128", "64"))
    check("another program is read and the steps follow", wait(lambda: said(app, "all 5 steps are replayed")))
    check("the loop nest is the new one", wait(lambda: said(app, "k, reduction, extent 64")))
    write(app, whole.replace('"Y"', '"Z"'))
    check("a step that does not follow says why", wait(lambda: said(app, "Replay stops at step 1, split")))
    write(app, whole)
    check("and follows again", wait(lambda: said(app, "all 5 steps are replayed")))
    key("ctrl+Home")
    key("x")
    check("keys go into the text", wait(lambda: text_of(app).startswith("x")))
    check("what is wrong with it is said", wait(lambda: said(app, "the last good program stays")))
    key("ctrl+z")
    check("Ctrl+Z undoes in the text", wait(lambda: text_of(app) == whole))
    check("and all is well again", wait(lambda: said(app, "all 5 steps are replayed")))
    key("Escape")
    check("Escape shows the step again", wait(lambda: said(app, "line made by step")))


sys.exit(run(sys.argv[1], [], drive))
