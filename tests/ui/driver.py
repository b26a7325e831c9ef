"""Drives a window through AT-SPI; used by the scripts beside it, which print TAP.

A script runs itself again on a display and a bus of its own (display.py), so that it can be started by hand, and beside others:
/usr/bin/python3 tests/ui/window.py PROGRAM
"""
import os
import shutil
import signal
import subprocess
import sys
import time

import display
import xkeys

STARTED = "LS_UI_TEST_DISPLAY"
TOOLS = ("xdotool", "gdbus")


def show(line):
    """What the script says, as TAP."""
    tap = line.startswith(("ok", "not ok", "1..", "#", "Bail out!"))
    print(line if tap else "# " + line, end="", flush=True)


def main_again():
    need = display.missing() + [tool for tool in TOOLS if shutil.which(tool) is None]
    if need:
        print("1..0 # SKIP " + ", ".join(need) + " is not installed")
        return 0
    env = {STARTED: "1", "LC_ALL": "C.UTF-8", "GTK_A11Y": "atspi",
           "LS_UI_TEST_G_DEBUG": os.environ.pop("G_DEBUG", "")}         # libatspi has criticals of its own when objects go away
    return display.on_display(["/usr/bin/python3"] + sys.argv, env, show)


if os.environ.get(STARTED) is None:
    sys.exit(main_again())

try:
    import tree
    from tree import Atspi, GLib, walk
except (ImportError, ValueError) as problem:
    print("1..0 # SKIP what Python needs for AT-SPI is not installed:", problem)
    sys.exit(0)

def look():
    """look.c, of the build that the program is of."""
    folder = os.path.abspath(sys.argv[1])
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        found = os.path.join(folder, "tests", "ui", "libui-look.so")
        if os.path.exists(found):
            return found
    sys.exit("Bail out! No tests/ui/libui-look.so in a folder above " + sys.argv[1])


LOOK = look()                   # now: a script may go to another folder before it starts the program


COUNT = 0
FAILED = 0
ACTED = []                      # what was done to the program since one looked at it


def check(name, passed, detail=""):
    """`passed`, or a function that gives it: what one can see is waited for, because a widget that goes or is filled says nothing, or the old
    words, for a moment.  `detail`, or a function that gives it, is said where it does not come."""
    global COUNT, FAILED
    if callable(passed):
        passed = bool(wait(passed))
    if callable(detail):
        detail = seen(detail) if not passed else ""
    COUNT += 1
    FAILED += not passed
    print(f"{'ok' if passed else 'not ok'} {COUNT} - {name}", flush=True)
    if not passed and detail:
        print(f"# {detail}", flush=True)


def application():
    """The program, once it is on the bus."""
    for node in tree.applications():
        name = name_of(node).lower()
        if "loopscope" in name or "fixture" in name:
            return node
    return None


def name_of(node):
    try:
        return node.get_name() or ""
    except GLib.Error:
        return ""


def role_of(node):
    try:
        return node.get_role_name()
    except GLib.Error:
        return ""


def top_level(app, title):
    """The window of that title; what is in the windows is not looked at."""
    try:
        windows = app.get_children()
    except GLib.Error:
        return None
    return next((one for one in windows if name_of(one) == title), None)


def find(root, text, role=None, whole=True):
    for node in walk(root):
        name = name_of(node)
        try:
            if (name == text if whole else text in name) and role in (None, node.get_role_name()):
                return node
        except GLib.Error:
            continue
    return None


def seen(what):
    """What it gives, or None: an object went while it was asked."""
    try:
        return what()
    except GLib.Error:
        return None


def wait(what, seconds=120.0):
    """What it gives once it gives something; the time is for slow machines, a good answer comes at once.  To look takes the program's
    time too: it gets as much for itself, a tenth of what it has been waited for, and more where it tells of no change; after a key or a
    press, until it tells of one."""
    if ACTED:
        ACTED.clear()
        tree.pause(0.01, 0.1)
    begun = start = time.monotonic()
    while start < begun + seconds:
        found = seen(what)
        if found:
            return found
        now = time.monotonic()
        took, waited = now - start, now - begun
        tree.pause(min(max(0.05, took, waited / 10), 0.5), min(max(0.1, 4 * took, waited / 5), 1.0))
        start = time.monotonic()
    return None


def has_state(node, state):
    try:
        return node is not None and node.get_state_set().contains(state)
    except GLib.Error:
        return False


def description(node):
    try:
        return node.get_description() or "" if node is not None else ""
    except GLib.Error:
        return ""


def key(name):
    ACTED.append(name)
    xkeys.stroke(name)


def strokes(*names):
    """Keys that nobody waits for."""
    xkeys.stroke(*names)


def window(title):
    """The X number of the open window whose title begins so."""
    return xkeys.find("^" + title)


def focus(title):
    """There is no window manager: the keyboard is given to the window whose title begins so."""
    number = window(title)
    if number is not None:
        xkeys.focus(number)


def insist(action, done, seconds=120.0):
    """Does an action that may be repeated until its effect is there: a key can come before its window."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if seen(done):
            return True
        action()
        if wait(done, 3.0):
            return True
    return bool(seen(done))


def has_typed(app, title, text):
    """An entry of the window whose title begins so has it."""
    for node in (node for one in app.get_children() if name_of(one).startswith(title) for node in walk(one)):
        try:
            if role_of(node) in ("text", "entry") and Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node)) == text:
                return True
        except GLib.Error:
            continue
    return False


def answer_file(app, title, path, before=lambda: None):
    """GTK's dialog of files takes a whole path as a name: Return comes once the path stands there.  True: the dialog is gone."""
    def typed():
        focus(title)
        xkeys.stroke("ctrl+a")
        subprocess.run(["xdotool", "type", path], check=False)
        if wait(lambda: has_typed(app, title, path) or window(title) is None, 10.0):
            before()
            focus(title)
            key("Return")
    return wait(lambda: window(title)) is not None and insist(typed, lambda: window(title) is None)


def still(look, seconds=120.0):
    """What it gives once it has given the same for a second; None: it never stands still."""
    end, before = time.monotonic() + seconds, seen(look)
    while time.monotonic() < end:
        time.sleep(1.0)
        now = seen(look)
        if now == before:
            return now
        before = now
    return None


def focused(root):
    """What has the keyboard, or None."""
    return next((node for node in walk(root) if has_state(node, Atspi.StateType.FOCUSED)), None)


def tab_to(root, there, name="Tab", most=90):
    """Tab by Tab, each as soon as the one before has led on; a key that comes late leads past it, then once more around."""
    for _ in range(most):
        if seen(there):
            return True
        here = focused(root)
        key(name)
        wait(lambda: focused(root) != here, 3.0)        # pylint: disable=cell-var-from-loop
    return bool(seen(there))


def close_by(name, title):
    """A key, in the window of that title, until the window is gone; it comes first."""
    def hit():
        focus(title)
        key(name)
    return wait(lambda: window(title)) is not None and insist(hit, lambda: window(title) is None)


def takes_a_press(node):
    """It has had a frame, and is no button of a message that is still coming."""
    return Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW).width > 0 and has_state(node, Atspi.StateType.SENSITIVE)


def press(node):
    """do_action returns at once and the click comes later; callers wait for its effect."""
    ACTED.append(node)
    try:
        for _ in range(600 if node is not None else 0):
            if takes_a_press(node):
                break
            time.sleep(0.05)
        return node is not None and Atspi.Action.do_action(node, 0)
    except GLib.Error:
        return False


HOLDERS = ("scroll pane", "list", "panel", "filler", "window", "frame")


def unnamed(top):
    """What takes the focus and would be read as nothing: neither it nor anything in it has words."""
    found = []
    for node in walk(top):
        words = [name_of(one) for one in walk(node) if name_of(one) and not name_of(one).startswith(("Gtk", "Ls"))]
        if has_state(node, Atspi.StateType.FOCUSABLE) and not words and node.get_role_name() not in HOLDERS:
            found.append(node.get_role_name())
    return found


def walk_cells(app, title, begins, rows, columns, but=None):
    """Tab to a grid of values whose words begin so (another one than `but`), then by arrows through some of its cells: (the grid, the words of
    each, by the steps down and to the right), or None: a key did not lead on."""
    def focused():
        return next((node for node in walk(top_level(app, title)) if has_state(node, Atspi.StateType.FOCUSED)), None)

    def grid():
        node = focused()
        return node if node is not None and node != but and name_of(node).startswith(begins) else None

    def hit(*keys):
        focus(title)
        xkeys.stroke(*keys)

    for _ in range(90):             # a Tab that comes late leads past it: once more around
        if grid():
            break
        here = focused()
        hit("Tab")
        wait(lambda: focused() != here, 3.0)        # pylint: disable=cell-var-from-loop
    if not grid():
        return None
    node, told, before = grid(), {}, None
    for row in range(rows):
        for column in range(columns):
            words = wait(lambda: name_of(node) if name_of(node) != before else None)      # pylint: disable=cell-var-from-loop
            if not words:
                return None
            told[row, column] = before = words
            if column + 1 < columns:
                hit("Right")
        if row + 1 < rows:
            hit("Down")
            wait(lambda: name_of(node) != before)         # pylint: disable=cell-var-from-loop
            for _ in range(columns - 1):
                before = name_of(node)
                hit("Left")
                wait(lambda: name_of(node) != before)     # pylint: disable=cell-var-from-loop
            before = None
    return node, told


def reach_cells(title, node, begins, rows, columns):
    """With the keyboard in a grid of values: to its corners, along a row, over pages; (what the words should begin with, what they are) of each stop where they
    differ."""
    wrong = []

    def at(row, column, *keys):
        def hit():
            focus(title)
            xkeys.stroke(*keys)
            time.sleep(0.3)
        words = f"{begins}{row}, {column}]"
        if not insist(hit, lambda: name_of(node).startswith(words)):
            wrong.append((words, name_of(node)))

    at(rows - 1, columns - 1, "ctrl+End")
    at(rows - 1, 0, "Home")
    at(0, 0, "ctrl+Home")
    at(0, columns - 1, "End")
    for _ in range(rows // 32 + 4):         # a page is what is shown
        focus(title)
        xkeys.stroke("Page_Down")
        time.sleep(0.4)
    if not wait(lambda: name_of(node).startswith(f"{begins}{rows - 1}, {columns - 1}]")):
        wrong.append(("pages down", name_of(node)))
    focus(title)
    subprocess.run(["xdotool", "key", "--delay", "8", *(["Up"] * (rows // 2))], check=False)           # faster than the parts come
    subprocess.run(["xdotool", "key", "--delay", "8", *(["Left"] * (columns // 2))], check=False)
    middle = f"{begins}{rows - 1 - rows // 2}, {columns - 1 - columns // 2}]"
    if not wait(lambda: name_of(node).startswith(middle)):
        wrong.append((middle, name_of(node)))
    at(0, 0, "ctrl+Home")
    return wrong


def program_env(**more):
    """What the program is started with: it tells its objects at once (tree.py), and ends at a critical message, where the test run asks for
    that."""
    return dict(os.environ, G_DEBUG=os.environ.get("LS_UI_TEST_G_DEBUG", ""), LD_PRELOAD=LOOK, **more)


def fill_screen():
    """Without a window manager a window keeps its own size: it gets that of LS_UI_SIZE, and the corner; the pointer,
    which would open cards and previews, goes away."""
    subprocess.run(["xdotool", "mousemove", "9999", "9999"], check=False)
    size = os.environ.get("LS_UI_SIZE")
    number = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "loopscope"], check=False,
                            stdout=subprocess.PIPE, text=True).stdout.split()
    if size and number:
        subprocess.run(["xdotool", "windowmove", number[0], "0", "0", "windowsize", number[0]] + size.split("x"), check=False)


def descendants(ancestor):
    """Processes that this one started, or that those did (the jail starts the worker), with their names, the oldest first."""
    parents, names, started = {}, {}, {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8") as file:
                head, tail = file.read().rsplit(")", 1)
        except (OSError, ValueError):
            continue
        fields = tail.split()
        parents[int(entry)], started[int(entry)] = int(fields[1]), int(fields[19])
        names[int(entry)] = head.split("(", 1)[1]
    found = {}
    for pid in sorted(names, key=lambda one: (started[one], one)):
        above = pid
        while above in parents and above != ancestor:
            above = parents[above]
        if above == ancestor and pid != ancestor:
            found[pid] = names[pid]
    return found


def run(program, arguments, drive, ready="Loop nest"):
    """Starts the program, calls drive (app) once its window is there; the exit status."""
    child = subprocess.Popen([program] + arguments, stdout=subprocess.DEVNULL, env=program_env())
    try:
        app = wait(application)
        check("the window appears", app is not None)
        if app is not None:
            check("and its content", wait(lambda: find(app, ready)) is not None)
            fill_screen()
            time.sleep(0.5)
            drive(app)
        check("the program is alive", child.poll() is None)
    finally:
        child.terminate()
        status = child.wait(60)
    check("and ends well", status in (0, -signal.SIGTERM), f"status {status}")
    print(f"1..{COUNT}")
    return 1 if FAILED else 0
