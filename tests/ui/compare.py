"""The Compare page by keyboard: changes of the texts one after the other, one column and back."""
import os
import sys
import tempfile

from driver import Atspi, check, close_by, find, focus, has_state, insist, key, name_of, press, run, wait, walk, window


def said(app, part):
    return any(part in name_of(node) for node in walk(app))


def text_of(app, name):
    node = find(app, name)
    return Atspi.Text.get_text(node, 0, -1) if node is not None else ""


def height_of(app, name, word):
    """Where the first line with that word stands in the window."""
    node = find(app, name)
    offset = Atspi.Text.get_text(node, 0, -1).find(word)
    return Atspi.Text.get_character_extents(node, offset, Atspi.CoordType.WINDOW).y


def level(app):
    return abs(height_of(app, "Text on the left", "T.func_attr") - height_of(app, "Text on the right", "T.func_attr")) <= 2


def times(app):
    """How many of the two drop-downs tell a time."""
    return sum(any(name_of(part).endswith(("ns", "µs", "ms")) for part in walk(find(app, side, "combo box"))) for side in ("Left", "Right"))


def measuring(app):
    check("the drop-downs tell no time yet", times(app) == 0)
    check("Again has nothing to do again", find(app, "Again", "push button") is None)
    check("both are measured", press(find(app, "Measure both", "push button")))
    check("and the drop-downs tell their times", wait(lambda: times(app) == 2) is not None, str(times(app)))


def drive(app):
    key("ctrl+2")
    check("the texts stand beside each other", wait(lambda: "T.grid(128, 128, 128)" in text_of(app, "Text on the left")))
    check("at the same height", wait(lambda: level(app)) is not None)
    check("Space plays: its button has the keyboard", wait(lambda: has_state(find(app, "Play the steps between", "push button"), Atspi.StateType.FOCUSED)))
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
    for _ in range(2):
        press(find(app, "Swap", "push button"))
        check("they stay at the same height when swapped", wait(lambda: level(app)) is not None)
    measuring(app)
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
