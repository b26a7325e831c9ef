"""Pages after one another at sizes where their panes stand or float: GTK has nothing to say about widgets without a place, and
the panes of Explore keep a height."""
import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("LS_UI_SIZE", "1280x800")

import driver
from driver import Atspi, application, check, fill_screen, find, focus, has_state, insist, key, program_env, wait

SAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "data", "samples")
RULE = "without a current allocation"


def height(app, name):
    """Of the pane of Explore that is called so; the page comes first."""
    pane = find(app, name, "filler")
    return Atspi.Component.get_extents(pane, Atspi.CoordType.WINDOW).height if pane is not None else 0


def shows(app, hit, page):
    return insist(lambda: key(hit), lambda: has_state(find(app, page, "page tab"), Atspi.StateType.SELECTED))


def pages(app, title):
    focus(title)
    for hit, page in (("ctrl+3", "Graph"), ("ctrl+1", "Explore"), ("ctrl+2", "Compare"), ("ctrl+1", "Explore"), ("ctrl+3", "Graph"), ("ctrl+1", "Explore")):
        check(f"{hit} shows {page}", shows(app, hit, page))
        if page == "Explore":
            check("its loops have a height", wait(lambda: height(app, "Loop nest") > 100) is not None)
            check("its text has a height", wait(lambda: height(app, "TVMScript") > 100) is not None)


def starts(app, title):
    """Nothing is done: what stands there at first is all there."""
    check("the moves have come", wait(lambda: find(app, "split(k, [32, 4])", None, False)) is not None)
    for name in ("Loop nest", "TVMScript"):
        check(f"{name} has a height", wait(lambda: height(app, name) > 100) is not None)
    time.sleep(1.0)


def play(program, size, arguments, title, name, pages=pages):
    os.environ["LS_UI_SIZE"] = size
    print(f"# {name} at {size}")
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen([program] + arguments, stdout=subprocess.DEVNULL, stderr=errors, env=program_env())
        try:
            app = wait(application)
            check("the window appears", app is not None and wait(lambda: find(app, "Loop nest")) is not None)
            fill_screen()
            pages(app, title)
            check("the program is alive", child.poll() is None)
        finally:
            child.terminate()
            child.wait(60)
        errors.seek(0)
        said = errors.read()
        check("nothing was painted before it had a place", RULE not in said, said)
    wait(lambda: application() is None)


def drive(program):
    for size in ("1280x800", "1024x700"):
        play(program, size, [], "mm_relu", "the first start", starts)
        play(program, size, [os.path.join(SAMPLES, "mlp.py")], "main", "a model")


drive(sys.argv[1])
print(f"1..{driver.COUNT}")
sys.exit(1 if driver.FAILED else 0)
