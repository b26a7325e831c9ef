"""The graph page on a Relax module: nodes, selection, search, passes, keyboard; the page of a schedule follows its steps."""
import os
import subprocess
import sys
import time

from driver import Atspi, check, description, find, key, name_of, press, run, wait, walk, window

SAMPLE = os.path.join(os.path.dirname(__file__), "..", "..", "data", "samples", "mlp.py")


def has(app, text, seconds=60.0):
    return wait(lambda: any(text in name_of(node) for node in walk(app)), seconds) is not None


def type_text(entry, text):
    Atspi.EditableText.set_text_contents(entry, text)


def nodes(app):
    check("a module of Relax opens on its graph", has(app, "13 nodes · 12 edges"))
    for start in ("matmul, R.matmul, (1, 128) float32; from", "x, parameter, (1, 784) float32", "logits, (1, 10) float32"):
        check(f"the list reads {start}", has(app, start))


def keyboard(app):
    key("F6")
    time.sleep(0.4)
    key("Down")
    canvas = wait(lambda: find(app, "Graph", "list"))
    check("the canvas is there by name", canvas is not None)
    check("an arrow key selects a node", wait(lambda: "float32" in description(canvas)) is not None, description(canvas))
    key("f")


def searching(app):
    entry = wait(lambda: next((n for n in walk(app) if name_of(n) == "Search nodes"), None))
    check("the search entry is there", entry is not None)
    key("ctrl+f")
    time.sleep(0.3)
    subprocess.run(["xdotool", "type", "matmul -> add"], check=False)
    check("a pattern is found twice", has(app, "1 of 2"))
    check("the match is shown beside the graph", has(app, "an operator; the pass LegalizeOps makes a PrimFunc of it"))
    key("ctrl+g")
    check("Ctrl+G goes to the next", has(app, "2 of 2"))
    key("Escape")


def passes(app):
    press(wait(lambda: find(app, "Add a pass")))
    button = wait(lambda: find(app, "Legalise and fuse (four passes)"))
    check("passes are offered", button is not None)
    press(button)
    check("four passes make five states", has(app, "4 of 4"))
    check("fused calls are nodes", has(app, "fused_matmul_add_relu"))
    press(wait(lambda: find(app, "Previous state", "push button")))
    check("one can go back", has(app, "3 of 4"))


def size_of(node):
    box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
    return box.width, box.height


def narrow(app):
    """The list goes below the graph, which keeps its share; the divider once went to the top with the turn."""
    canvas = find(app, "Graph", "list")
    for size in (("1024", "700"), ("1440", "900"), ("1024", "700")):
        subprocess.run(["xdotool", "windowsize", window("main")] + list(size), check=False)
        check(f"at {size[0]} the graph has room", wait(lambda: size_of(canvas)[0] > 600 and size_of(canvas)[1] > 200
                                                       and (size_of(canvas)[0] > 1000) == (size[0] == "1024")) is not None,
              str(size_of(canvas)))


def drive(app):
    nodes(app)
    keyboard(app)
    searching(app)
    passes(app)
    narrow(app)


sys.exit(run(sys.argv[1], [SAMPLE], drive, "Nodes"))
