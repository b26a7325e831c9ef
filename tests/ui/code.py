"""The window of the machine code: it is that of the shown step, and the selection goes both ways."""
import os
import re
import subprocess
import sys
import time

import driver
from driver import Atspi, check, close_by, find, focus, has_state, insist, key, name_of, run, wait, walk, window

TITLE = "Machine code"


def code(app):
    return find(app, TITLE, "frame") or find(app, TITLE, "window")


def names(app):
    return [name_of(node) for node in walk(code(app)) if name_of(node)]


def sentence(app):
    return next((name for name in names(app) if "instruction" in name), "")


def counted(app, loop):
    """How many of how many instructions are said to come from the loop."""
    found = re.match(rf"(\d+) of (\d+) instructions? comes? from the lines of {loop}\.", sentence(app))
    return found and (int(found[1]), int(found[2]))


def selected(app):
    rows = [node for node in walk(code(app)) if node.get_role_name() == "list item"]
    return [row for row in rows if has_state(row, Atspi.StateType.SELECTED)]


def keys(title, *sequence):
    focus(title)
    driver.strokes(*sequence)


def drive(app):
    check("Ctrl+Shift+A opens it", insist(lambda: keys("mm_relu", "ctrl+shift+a"), lambda: window(TITLE)))
    check("part of the instructions comes from k", wait(lambda: counted(app, "k")), names(app)[:12])
    part, whole = counted(app, "k")
    check("not all, and not none", 0 < part < whole, (part, whole))
    check("a fused multiply and add stands under the line of the product",
          lambda: any("fmadd" in name or "mul" in name for name in names(app)), lambda: names(app))
    check("the rows of k are selected", wait(lambda: selected(app)))
    check("LLVM's words on the loop are there", lambda: any("unrolled" in name or "vectorized" in name for name in names(app)), lambda: names(app))
    check("and that the registers were enough", lambda: any(name.endswith("no register is spilled") for name in names(app)), lambda: names(app))

    keys("mm_relu", "alt+Home")
    check("another step has its own code", wait(lambda: counted(app, "k") not in (None, (part, whole))), sentence(app))
    keys("mm_relu", "alt+End")
    check("and the last one that of before", wait(lambda: counted(app, "k") == (part, whole)), sentence(app))

    before = len(selected(app))
    keys(TITLE, "Home")
    time.sleep(1.0)
    check("the first row is outside of every loop: choosing it changes nothing", counted(app, "k") and len(selected(app)) == before,
          (sentence(app), before, len(selected(app))))
    keys(TITLE, "Home", "Down")
    check("a row of another loop selects that loop", wait(lambda: counted(app, "i")), sentence(app))
    check("in the main window too", wait(lambda: any("extent 128" in name_of(node) and name_of(node).startswith("Moves for") or
                                                     name_of(node) == "i" for node in walk(app))))
    keys("mm_relu", "alt+Home")
    check("the cycles of a round are said", wait(lambda: any("innermost loop takes" in name for name in names(app))), names(app)[:12])
    check("step 0 waits for a chain, whose instructions are marked", wait(lambda: any(re.match(r"Critical chain, from round to round .*: .*(add|fmadd)\w* \d+", name) for name in names(app))),
          names(app)[:12])
    check("and how busy each unit is", lambda: any(re.search(r"in which each unit works: \w+ [\d.]+", name) for name in names(app)), lambda: names(app)[:12])
    if os.environ.get("LS_UI_PICTURE"):
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-chain.png"], check=False)
    keys("mm_relu", "alt+End")
    check("the last step waits for none, or has another", wait(lambda: any("innermost loop takes" in name for name in names(app))), names(app)[:12])
    check("Escape closes it", close_by("Escape", TITLE))
    focus("mm_relu")


PROGRAM = os.path.abspath(sys.argv[1])
sys.exit(run(PROGRAM, [], drive))
