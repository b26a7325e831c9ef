"""From a line of a step to the line of the opened program that it stems from (Shift+F12), and from there to what became of it."""
import subprocess
import sys

from driver import Atspi, check, description, find, insist, key, name_of, run, wait, walk


def pane(app):
    return find(app, "TVMScript of this step")


def editor(app):
    return find(app, "Text of the opened program")


def text_of(node):
    return Atspi.Text.get_text(node, 0, -1)


def put_cursor(node, where, after=0):
    at = text_of(node).index(where) + after
    return insist(lambda: Atspi.Text.set_caret_offset(node, at), lambda: Atspi.Text.get_caret_offset(node) == at)


def selected_text(node):
    found = Atspi.Text.get_selection(node, 0) if node is not None else None
    return Atspi.Text.get_text(node, found.start_offset, found.end_offset) if found is not None else ""


def moves_for(app, name):
    """The moves say what is selected."""
    return any(name_of(node) == name for node in walk(find(app, "Moves")))


def drive(app):
    check("the text is there", wait(lambda: pane(app)) is not None)
    subprocess.run(["xdotool", "mousemove", "640", "700", "click", "1", "mousemove", "9999", "9999"], check=False)
    check("the cursor at the statement of C", put_cursor(pane(app), "T.max("))
    check("it says its line", wait(lambda: "from line 26 of mm_relu.py" in description(pane(app))), description(pane(app)))
    key("shift+F12")
    check("Shift+F12 opens the program", wait(lambda: editor(app)) is not None)
    check("with that line selected", wait(lambda: selected_text(editor(app)).startswith("C[vi, vj] = T.max(")), selected_text(editor(app)))

    check("the cursor at a loop there", put_cursor(editor(app), "for i, j, k in", 7))
    check("what became of it is selected in the loops", wait(lambda: moves_for(app, "j_0")), [name_of(node) for node in walk(find(app, "Moves"))][:8])
    key("shift+F12")
    check("Shift+F12 leads back to the step", wait(lambda: editor(app) is None and pane(app)))
    check("to the first line that the loop became",
          wait(lambda: text_of(pane(app))[Atspi.Text.get_caret_offset(pane(app)):].startswith("for i, j_0 in")),
          text_of(pane(app))[Atspi.Text.get_caret_offset(pane(app)):][:40])
    check("the line of the block it stands in", put_cursor(pane(app), "# from tvm"))
    key("shift+F12")
    check("a line that has no source says so", wait(lambda: find(app, "No line to go to")) is not None)


sys.exit(run(sys.argv[1], [], drive))
