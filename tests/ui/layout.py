"""Pages after one another at sizes where their panes stand or float: GTK has nothing to say about widgets without a place, and
the panes of Explore keep a height."""
import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("LS_UI_SIZE", "1280x800")

import driver
from driver import Atspi, application, check, fill_screen, find, focus, has_state, insist, key, program_env, role_of, wait, walk, window

SAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "data", "samples")
RULES = ("without a current allocation", "attempt to allocate", "Expect overlapping widgets")


def height(app, name):
    """Of the pane of Explore that is called so; the page comes first."""
    pane = find(app, name, "filler")
    return Atspi.Component.get_extents(pane, Atspi.CoordType.WINDOW).height if pane is not None else 0


def shows(app, hit, page):
    return insist(lambda: key(hit), lambda: has_state(find(app, page, "page tab"), Atspi.StateType.SELECTED))


def pages(app, title):
    focus(title)
    for hit, page in (("ctrl+3", "Graph"), ("ctrl+1", "Explore"), ("ctrl+2", "Compare"), ("ctrl+1", "Explore"), ("ctrl+3", "Graph"), ("ctrl+4", "Why"), ("ctrl+5", "Tune"), ("ctrl+1", "Explore")):
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


def tabs(app):
    return [node for node in walk(app) if role_of(node) == "page tab"]


def keys_only(app, title):
    """The pages in a language whose words are not looked for here."""
    focus(title)
    for hit, number in (("ctrl+2", 1), ("ctrl+3", 2), ("ctrl+4", 3), ("ctrl+5", 4), ("ctrl+1", 0)):
        check(f"{hit} shows its page", insist(lambda: key(hit), lambda: len(tabs(app)) > number and has_state(tabs(app)[number], Atspi.StateType.SELECTED)))
        time.sleep(0.5)


def sizes(app, title):
    """Past the sizes at which panes begin to float, and back; the history floats open when it gets a place of its own."""
    number = window(title)
    focus(title)
    for size in ("1000x900", "1370x900", "1000x560", "1370x560", "1040x720", "1440x900"):
        subprocess.run(["xdotool", "windowsize", number] + size.split("x"), check=False)
        time.sleep(0.8)
        if size.startswith("10"):
            key("F9")
            time.sleep(0.8)
    check("its loops have a height", wait(lambda: height(app, "Loop nest") > 100) is not None)


def play(program, size, arguments, title, name, pages=pages, language="en"):
    os.environ["LS_UI_SIZE"] = size
    os.environ["LANGUAGE"] = language
    print(f"# {name} at {size}")
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen([program] + arguments, stdout=subprocess.DEVNULL, stderr=errors, env=program_env())
        try:
            app = wait(application)
            check("the window appears", app is not None and wait(lambda: len(tabs(app)) == 5) is not None)
            fill_screen()
            pages(app, title)
            check("the program is alive", child.poll() is None)
        finally:
            child.terminate()
            child.wait(60)
        errors.seek(0)
        said = errors.read()
        check("every widget has its place, and the room that it asked for", not any(rule in said for rule in RULES), said)
    wait(lambda: application() is None)


def drive(program):
    for size in ("1280x800", "1024x700"):
        play(program, size, [], "mm_relu", "the first start", starts)
        play(program, size, [os.path.join(SAMPLES, "mlp.py")], "main", "a model")
    play(program, "1440x900", [], "mm_relu", "growing and shrinking", sizes)
    for language in ("zh_CN", "ko"):
        play(program, "1440x900", [], "mm_relu", "the pages in " + language, keys_only, language)


drive(sys.argv[1])
print(f"1..{driver.COUNT}")
sys.exit(1 if driver.FAILED else 0)
