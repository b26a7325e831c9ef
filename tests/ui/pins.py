"""Pins: seven letters by keyboard on names, loops and blocks; they follow the steps, are in the machine code and in the file."""
import json
import os
import subprocess
import sys

from driver import Atspi, check, description, find, focus, insist, key, name_of, press, run, wait, walk, window


def pane(app):
    return find(app, "TVMScript of this step")


def text_of(app):
    return Atspi.Text.get_text(pane(app), 0, -1)


def put_cursor(app, where, after=0):
    """The cursor at the first `where` of the text of the step."""
    at = text_of(app).index(where) + after
    return insist(lambda: Atspi.Text.set_caret_offset(pane(app), at),
                  lambda: Atspi.Text.get_caret_offset(pane(app)) == at)


def rows(app):
    return [name_of(node) for node in walk(app) if ", level " in name_of(node)]


def row(app, start):
    return next((name for name in rows(app) if name.startswith(start)), "")


def pinned(app):
    return [name_of(node) for node in walk(app) if name_of(node).startswith("pinned ")]


def drive(app):
    check("the text is there", wait(lambda: pane(app)) is not None)
    check("nothing is pinned", pinned(app) == [] and "pinned" not in " ".join(rows(app)), (pinned(app), rows(app)))
    subprocess.run(["xdotool", "mousemove", "640", "700", "click", "1", "mousemove", "9999", "9999"], check=False)

    check("the cursor is at a buffer", put_cursor(app, "Y[vi, vj] = Y["))
    key("p")
    check("P pins it as A", wait(lambda: "pinned A: buffer Y" in pinned(app)), pinned(app))
    check("the place says so", wait(lambda: description(pane(app)).endswith("pinned A")), description(pane(app)))
    check("blocks that use it say so", wait(lambda: "uses what is pinned A" in row(app, "block C")), rows(app))

    check("the cursor is at the line of a block", put_cursor(app, "with T.block(\"C\")"))
    key("ctrl+p")
    check("Ctrl+P pins the block as B", wait(lambda: "pinned B: block C" in pinned(app)), pinned(app))
    check("its row has the letter", wait(lambda: row(app, "block C").startswith("block C, pinned B")), rows(app))

    key("alt+Home")
    check("the first step", wait(lambda: "j_0" not in text_of(app)))
    check("the cursor is at a loop", put_cursor(app, "for i, j, k", 7))
    key("ctrl+alt+7")
    check("Ctrl+Alt+7 pins it as G", wait(lambda: "pinned G: loop j" in pinned(app)), pinned(app))
    check("its row", wait(lambda: row(app, "j,").startswith("j, pinned G")), rows(app))
    key("alt+End")
    check("in the last step both loops that it became have the letter",
          wait(lambda: row(app, "j_0,").startswith("j_0, pinned G") and row(app, "j_1,").startswith("j_1, pinned G")), rows(app))
    check("and the loop that computes at them", wait(lambda: "pinned" not in row(app, "k,")), rows(app))
    check("the cursor at one of them", put_cursor(app, "j_1 in"))
    check("is told of it", wait(lambda: description(pane(app)).endswith("pinned G")), description(pane(app)))

    check("an axis can be pinned too", put_cursor(app, "vj = T.axis"))
    key("p")
    check("with the next free letter", wait(lambda: "pinned C: variable vj" in pinned(app)), pinned(app))
    key("p")
    check("and P takes it away again", wait(lambda: "pinned C: variable vj" not in pinned(app)), pinned(app))

    check("a place without a name", put_cursor(app, "T.reads(", 3))
    key("p")
    check("says what can be pinned", wait(lambda: find(app, "Nothing was pinned")) is not None)

    check("a button of the bar leads to a use", press(find(app, "pinned B: block C")))
    check("namely to the name in the line", wait(lambda: text_of(app)[Atspi.Text.get_caret_offset(pane(app)):].startswith('"C"')))

    key("ctrl+3")
    canvas = wait(lambda: next((node for node in walk(app) if name_of(node) == "Graph" and description(node)), None))
    check("the graph is there", canvas is not None)
    check("its block has the letter when it is selected", insist(lambda: key("Down"), lambda: description(canvas).endswith(", pinned B, uses what is pinned A")),
          description(canvas))
    key("ctrl+1")

    def open_code():
        focus("mm_relu")
        key("ctrl+shift+a")
    check("the machine code", insist(open_code, lambda: window("Machine code")))
    check("has the pins at its lines",
          wait(lambda: any(description(node).startswith("pinned ") and "G" in description(node)
                           for node in walk(find(app, "Machine code", "frame") or find(app, "Machine code", "window")))))

    check("the pins are in the copy that is kept of the session", wait(lambda: kept_pins() == {"A": "Y", "B": "C", "G": "j"}), kept_pins())
    focus("mm_relu")
    key("ctrl+shift+p")
    check("Ctrl+Shift+P takes all away", wait(lambda: pinned(app) == [] and "pinned" not in " ".join(rows(app))), (pinned(app), rows(app)))


def kept_pins():
    """Of the copy that the program keeps of an unsaved session."""
    for folder, _, names in os.walk(os.environ["XDG_STATE_HOME"]):
        for name in names:
            if name.endswith(".loopscope"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    return {pin["pin"]: pin["name"] for pin in json.load(file)["pins"]}
    return None


sys.exit(run(sys.argv[1], [], drive))
