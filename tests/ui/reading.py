"""Readings: the shown step as NumPy and as C; the selected loop marks its lines, the cursor selects what its line comes from."""
import sys
import time

import driver
from driver import Atspi, check, close_by, find, focus, insist, key, name_of, run, top_level, wait, walk, window

TITLE = "Readings"


def names(app):
    return [name_of(node) for node in walk(top_level(app, TITLE)) if name_of(node)]


def field(app, language="NumPy"):
    return next((node for node in walk(top_level(app, TITLE)) if name_of(node) == f"The program as {language}"), None)


def content(app, language="NumPy"):
    node = field(app, language)
    return Atspi.Text.get_text(node, 0, -1) if node is not None else ""


def said(app, part):
    return wait(lambda: any(part in name for name in names(app)), 20) is not None


def drive(app):
    insist(lambda: (focus("mm_relu"), key("ctrl+shift+c")), lambda: window(TITLE) is not None)
    check("the program stands there as NumPy", wait(lambda: "import numpy as np" in content(app)) is not None, content(app)[:300])
    text = content(app)
    loops = [line for line in text.split("\n") if line.strip().startswith("for ")]
    check("loop for loop", len(loops) >= 5 and all("in range(" in line for line in loops), loops)
    check("and what it is is said", said(app, "loop for loop, as Python with NumPy"))
    row = next(n for n in walk(top_level(app, "mm_relu")) if n.get_role_name() == "table row" or name_of(n).startswith("j_1"))
    check("a loop is there to be selected", row is not None)
    at = text.index("Y[")
    line = text[:at].count("\n")
    Atspi.Text.set_caret_offset(field(app), at)
    selected = wait(lambda: next((name for name in names(app) if name.endswith((" come from Y_init.", " comes from Y_init."))), None), 20)
    check("the block that the cursor's line comes from is selected", selected is not None, (line, names(app)[:8]))
    drop = wait(lambda: next((n for n in walk(top_level(app, TITLE)) if name_of(n) == "Language" and n.get_role_name() in ("combo box", "button")), None))
    check("the language can be chosen", drop is not None, [(n.get_role_name(), name_of(n)) for n in walk(top_level(app, TITLE))][:20])

    def choose():
        focus(TITLE)
        for node in walk(drop):
            if driver.press(node):
                break
        time.sleep(0.7)
        key("End")
        time.sleep(0.2)
        key("Return")

    check("the same as C", insist(choose, lambda: "#include <stdint.h>" in content(app, "C"), 40.0), content(app, "C")[:200])
    check("which is said", said(app, "as C11"))
    check("Escape leaves it", close_by("Escape", TITLE))
    focus("mm_relu")
    check("the window goes on", lambda: find(app, "Loop nest") is not None)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], [], drive))
