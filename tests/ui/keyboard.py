"""The pages and tool windows by keyboard alone: Tab goes round each of them, stops once at a list, and each stop has a name."""
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
import tree
from driver import Atspi, GLib, application, check, close_by, find, focus, has_state, insist, key, name_of, role_of, wait, window

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
ROWS = ("list item", "table row", "tree item")
FOCUS = [None]
RIBBONS = "What happened to the loops"
MOST = 120
WALKED = set()
SAID = {}                       # by stop: its words, when the keyboard came there


def took_focus(node):
    FOCUS[0] = node


def focused():
    while GLib.MainContext.default().iteration(False):
        pass
    return FOCUS[0]


def parents(node):
    while node is not None:
        yield node
        try:
            node = node.get_parent()
        except GLib.Error:
            return


def row_and_list(node):
    """The row that the node is or is in, and its list; (None, None): it is in no list."""
    above = list(parents(node))
    return next(((at, owner) for at, owner in zip(above, above[1:]) if role_of(at) in ROWS), (None, None))


def spoken(node):
    """Its name, or that of what it holds; GTK gives the class where there is none."""
    for at in [node] + [child for child in driver.walk(node)]:
        name = name_of(at).strip()
        if name and not re.match(r"(Gtk|Ls|Adw)[A-Z]\w+$", name):
            return name
    return ""


def go(hit):
    """The focus after the key; the same as before where nothing moved.  GTK 4.8 says nothing when a search entry gets it: once more."""
    before = focused()
    for _ in range(2):
        key(hit)
        now = wait(lambda: focused() if focused() != before else None, 2.0)
        if now:
            return now
    return before


def stops(hit="Tab"):
    """Where Tab stops until it comes round."""
    ring = []
    for _ in range(MOST):
        node = go(hit)
        if node is None or node in ring:
            break
        ring.append(node)
        SAID[node] = wait(lambda: spoken(node), 5.0) or ""          # pylint: disable=cell-var-from-loop
    return ring


def judge(ring, where, least):
    told = [f"{role_of(node)} '{SAID[node][:30]}'" for node in ring]
    check(f"Tab comes round: {where}", least <= len(ring) < MOST, told)
    check(f"each stop has a name: {where}", all(SAID[node] for node in ring), told)
    rows = {}
    for node in ring:
        row, owner = row_and_list(node)
        if row is not None:
            rows.setdefault(owner, set()).add(row)
    crowded = [f"{name_of(owner)}: {len(found)} rows" for owner, found in rows.items() if len(found) > 1]
    if where != "Preferences":                          # its rows are what they set
        check(f"a list is one stop: {where}", not crowded, crowded)


def moves(app):
    """Tab comes to the moves, which begin with the name of a group; Down goes on to the first move, Return applies it."""
    where = wait(lambda: find(app, "Can be applied", None, False))
    check("there are moves", where is not None)
    node = None
    for _ in range(MOST):
        node = go("Tab")
        if node is not None and "Can be applied" in spoken(node):
            break
    check("Tab comes to the moves", lambda: node is not None and "Can be applied" in spoken(node), lambda: spoken(node) if node else "nowhere")
    first = go("Down")
    check("Down goes to the first move", lambda: first is not None and "(" in spoken(first), lambda: spoken(first) if first else "nowhere")


def page(app, hit, name):
    return insist(lambda: key(hit), lambda: has_state(find(app, name, "page tab"), Atspi.StateType.SELECTED))


def settle(app, title):
    """What comes from the worker is there: the window has had the same in it for a second, and can be used."""
    last = []
    for _ in range(60):
        time.sleep(1.0)
        top = next((one for one in app.get_children() if name_of(one).startswith(title)), None)
        now = [(name_of(node), has_state(node, Atspi.StateType.SENSITIVE)) for node in driver.walk(top)] if top is not None else []
        if now and now == last:
            return
        last = now


def tool(app, hit, title, least, back="mm_relu"):
    WALKED.add(hit)
    if not insist(lambda: key(hit), lambda: window(title)):
        check(f"{hit} opens {title}", False)
        return
    settle(app, title)
    focus(title)
    judge(stops(), title, least)
    check(f"Escape leaves {title}", close_by("Escape", title))
    focus(back)


def graph(app):
    focus("mlp")
    tool(app, "ctrl+shift+n", "Graph, binding by binding", 6, "mlp")
    tool(app, "ctrl+shift+j", "Virtual machine, instruction by instruction", 4, "mlp")
    tool(app, "ctrl+shift+h", "Two models", 6, "mlp")
    tool(app, "ctrl+shift+h", "Two models", 3, "mlp")


def children(app, name):
    """What the children of that list are called."""
    of = find(app, name, "list")
    try:
        return [name_of(node) for node in of.get_children()] if of is not None else []
    except GLib.Error:
        return []


def drive(app):
    focus("mm_relu")
    time.sleep(1.0)
    judge(stops(), "Explore", 8)
    moves(app)
    for hit, name, least in (("ctrl+2", "Compare", 6), ("ctrl+3", "Graph", 6), ("ctrl+4", "Why", 6), ("ctrl+5", "Tune", 6)):
        check(f"{hit} shows {name}", page(app, hit, name))
        time.sleep(1.0)
        judge(stops(), name, least)
    check("the graph has its nodes as children", lambda: {"A", "B", "C", "Y_update"} <= {name.split(",")[0] for name in children(app, "Graph")})
    check("the comparison has its loops as children", lambda: all(any(name.startswith(side) for name in children(app, RIBBONS)) for side in ("Left: ", "Right: ")),
          lambda: children(app, RIBBONS))
    check("and what happened to them", lambda: any("split" in name and not name.startswith(("Left", "Right")) for name in children(app, RIBBONS)),
          lambda: children(app, RIBBONS))
    check("ctrl+1 shows Explore", page(app, "ctrl+1", "Explore"))
    for hit, title, least in (("ctrl+shift+o", "Access order", 4), ("ctrl+shift+l", "Passes", 3), ("ctrl+shift+a", "Machine code", 1),
                              ("ctrl+shift+r", "Source of", 1), ("ctrl+shift+t", "Rules of arithmetic", 2), ("ctrl+shift+d", "Run", 6), ("ctrl+shift+b", "Two programs in step", 6),
                              ("ctrl+shift+g", "Threads", 3), ("ctrl+shift+c", "Readings", 1), ("ctrl+shift+y", "Passes", 3),
                              ("ctrl+shift+k", "Practice", 2), ("ctrl+shift+m", "All moves", 2), ("F1", "Help", 1), ("ctrl+comma", "Preferences", 4)):
        tool(app, hit, title, least)


def start(arguments, ready, do):
    child = subprocess.Popen([sys.argv[1]] + arguments, stdout=subprocess.DEVNULL, env=driver.program_env())
    try:
        app = wait(application)
        check("the window appears", app is not None and wait(lambda: find(app, ready)) is not None)
        driver.fill_screen()
        do(app)
        check("the program is alive", child.poll() is None)
    finally:
        child.terminate()
        child.wait(60)
        wait(lambda: application() is None, 10.0)


def rows_of_tools():
    """The keys of all rows of app/tools.c."""
    keys = set()
    for folder, _, names in os.walk(os.path.join(TOP, "app")):
        for name in names:
            if name.endswith(".c"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    keys |= set(re.findall(r"^const LsTool \w+ = .*\.accel = \"([^\"]+)\"", file.read(), re.M))
    return {hit.replace("<Control>", "ctrl+").replace("<Shift>", "shift+") for hit in keys}


def main():
    tree.on_focus(took_focus)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        start([], "Loop nest", drive)
        start([os.path.join(TOP, "data", "samples", "mlp.py")], "Nodes of the graph", graph)
    rows = rows_of_tools()
    check("each tool window of the table was gone through", len(rows) >= 15 and rows <= WALKED, sorted(rows - WALKED))
    print(f"1..{driver.COUNT}")
    return 1 if driver.FAILED else 0


sys.exit(main())
