"""What a screen reader and a keyboard meet: everything that takes the focus has a name, Tab goes round every page.

Three programs one after the other: the workbench with its pages and small windows, a graph, a lesson.
"""
import os
import re
import subprocess
import sys
import tempfile

import driver
import tree
from driver import Atspi, GLib, application, check, close_by, find, focus, has_state, insist, key, name_of, walk, wait, window

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
HOLDERS = ("scroll pane", "list item", "table row", "table cell", "tree item", "page tab list", "filler", "list", "panel")


def role(node):
    try:
        return node.get_role_name()
    except GLib.Error:
        return ""


def own_name(node):
    """GTK says the class where there is no name."""
    name = name_of(node).strip()
    return "" if re.match(r"(Gtk|Ls)[A-Z]\w+$", name) else name


def named(node):
    """By itself or, where it only holds something, by what is in it."""
    if own_name(node):
        return True
    return role(node) in HOLDERS and (node.get_child_count() == 0 or any(own_name(child) for child in walk(node)))


def place(node):
    words = []
    while node is not None and len(words) < 5:
        words.append(f"{role(node)} '{name_of(node)[:24]}'")
        try:
            node = node.get_parent()
        except GLib.Error:
            break
    return " in ".join(words)


# Of AdwPreferencesWindow, where there is one page and no search: they never show, and GTK 4.8 does not tell what shows.
NEVER_SHOWN = ("in page tab list 'AdwViewSwitcher'", "entry 'GtkSearchEntry' in panel '' in panel 'GtkStackPage'",
               "scroll pane '' in panel '' in panel 'GtkStackPage'")


def nameless(root):
    found = {place(node) for node in walk(root) if has_state(node, Atspi.StateType.FOCUSABLE) and not named(node)}
    return sorted(one for one in found if not any(part in one for part in NEVER_SHOWN))


def all_named(app, where):
    found = wait(lambda: not nameless(app), 10.0)
    check(f"everything that takes the focus has a name: {where}", found, lambda: "\n# ".join(nameless(app)))


FOCUS = [None]


def took_focus(node):
    FOCUS[0] = node


def focused():
    """What took the keyboard last; walking the tree for it would take as long as the whole test."""
    while GLib.MainContext.default().iteration(False):
        pass
    return FOCUS[0]


def walk_round(where, least):
    """Tab visits at least so many different objects and never stays with one."""
    visited = []
    for _ in range(2 * least):
        last = focused()
        key("Tab")
        now = wait(lambda: focused() if focused() != last else None, 20.0)
        if now is None:
            break
        if now not in visited:
            visited.append(now)
        if len(visited) >= least:
            break
    check(f"Tab goes on: {where}", len(visited) >= least,
          f"{len(visited)} places, last {place(visited[-1]) if visited else 'nowhere'}")


def small_window(app, shortcut, title):
    check(f"the window opens: {title}", insist(lambda: key(shortcut), lambda: window(title) is not None))
    frame = wait(lambda: next((child for child in app.get_children()
                               if name_of(child).startswith(title)), None))
    all_named(frame, title)
    check(f"Escape closes it: {title}", close_by("Escape", title))
    focus("mm_relu")


def workbench(app):
    walk_round("Explore", 14)
    check("Compare is there", insist(lambda: key("ctrl+2"), lambda: has_state(find(app, "Compare", "page tab"), Atspi.StateType.SELECTED)))
    walk_round("Compare", 10)
    all_named(app, "the workbench")                     # its pages are all in the tree
    small_window(app, "ctrl+comma", "Preferences")
    small_window(app, "F1", "Help")


def graph(app):
    insist(lambda: key("ctrl+3"), lambda: has_state(find(app, "Graph", "page tab"), Atspi.StateType.SELECTED))
    wait(lambda: find(app, "Nodes of the graph"))
    all_named(app, "Graph")
    walk_round("Graph", 12)


def lesson(app):
    for number in range(1, 8):
        key("alt+Next")
        check(f"page {number + 1} is there", wait(lambda: find(app, f"{number + 1} of 8")))      # pylint: disable=cell-var-from-loop
    all_named(app, "lesson")                            # pages that were shown stay in the tree
    walk_round("lesson", 6)


def go(arguments, ready, drive):
    child = subprocess.Popen([sys.argv[1]] + arguments, stdout=subprocess.DEVNULL, env=driver.program_env())
    try:
        app = wait(application)
        check("the window appears", app is not None and wait(lambda: find(app, ready)) is not None)
        driver.fill_screen()
        drive(app)
        check("the program is alive", child.poll() is None)
    finally:
        child.terminate()
        child.wait(60)
        wait(lambda: application() is None, 10.0)


def main():
    tree.on_focus(took_focus)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        go([], "Loop nest", workbench)
        go([os.path.join(TOP, "data", "samples", "mlp.py")], "Nodes of the graph", graph)
        go([os.path.join(TOP, "lessons", "03-te-fusion.en.md")], "Next page: Two stages", lesson)
    print(f"1..{driver.COUNT}")
    return 1 if driver.FAILED else 0


sys.exit(main())
