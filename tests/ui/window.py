"""Drives the window on the fixture session through AT-SPI; prints TAP.

Runs itself again under dbus-run-session and xvfb-run when there is no display, so that it
can be started by hand: /usr/bin/python3 tests/ui/window.py PROGRAM
"""
import os
import shutil
import subprocess
import sys
import time

STARTED = "LS_UI_TEST_DISPLAY"


def main_again():
    need = [tool for tool in ("dbus-run-session", "xvfb-run") if shutil.which(tool) is None]
    if need:
        print("1..0 # SKIP no " + ", ".join(need))
        return 0
    env = dict(os.environ, **{STARTED: "1", "GSK_RENDERER": "cairo", "GDK_BACKEND": "x11",
                              "LC_ALL": "C.UTF-8", "GTK_A11Y": "atspi"})
    command = ["dbus-run-session", "--", "xvfb-run", "-a", "-s", "-screen 0 1440x900x24",
               "/usr/bin/python3"] + sys.argv
    return subprocess.call(command, env=env, stderr=subprocess.DEVNULL)


if os.environ.get(STARTED) is None:
    sys.exit(main_again())

try:
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi
except (ImportError, ValueError) as problem:
    print("1..0 # SKIP no Atspi for Python:", problem)
    sys.exit(0)

COUNT = 0
FAILED = 0


def check(name, passed, detail=""):
    global COUNT, FAILED
    COUNT += 1
    FAILED += not passed
    print(f"{'ok' if passed else 'not ok'} {COUNT} - {name}", flush=True)
    if not passed and detail:
        print(f"# {detail}", flush=True)


def application():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(i)
        if child is not None and "fixture" in (child.get_name() or ""):
            return child
    return None


def walk(node, depth=0):
    if node is None or depth > 40:
        return
    yield node
    for i in range(node.get_child_count()):
        yield from walk(node.get_child_at_index(i), depth + 1)


def find(root, text, role=None, whole=True):
    for node in walk(root):
        name = node.get_name() or ""
        if (name == text if whole else text in name) and role in (None, node.get_role_name()):
            return node
    return None


def wait(what, seconds=6.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.1)
    return None


def showing(node):
    return node.get_state_set().contains(Atspi.StateType.SHOWING)


def key(name):
    subprocess.run(["xdotool", "key", name], check=False)


def panes(app):
    for name in ("History", "Step bar", "Loop nest", "TVMScript", "Time per step", "Moves"):
        check(f"pane {name} is there", find(app, name) is not None)


def rows(app):
    names = [node.get_name() or "" for node in walk(app)]
    for text in ("step 3, reverse_compute_at(C, j_0), 225 ±2\u202fµs · you are here, ×3.90",
                 "step 4′, fuse(j_0, k), stops here: j_0 has 2 children",
                 "step 5, vectorize(j_1), measuring, sample 12 of 30"):
        check(f"history row: {text}", text in names)
    check("loop row reads everything",
          any(name.startswith("k, reduction, extent 128, family c, level 3") for name in names))
    check("a move reads its reason",
          "parallel(k), Can, with a change: All 128 iterations of k add into the same Y[vi, vj]."
          in names)
    check("groups have counts", "Can be applied, 5" in names and "Cannot, 3" in names)


def buttons(app):
    bare = []
    for node in walk(app):
        if node.get_role_name() in ("push button", "toggle button") and showing(node):
            label = node.get_name() or ""
            inner = any((child.get_name() or "") for child in walk(node))
            if not label and not inner:
                bare.append(node.get_role_name())
    check("every button has a name", not bare, f"{len(bare)} without")


def at_step(node, step):
    # GTK 4.8 gives a Value only to its own ranges; the words are in the description.
    return (node.get_description() or "").startswith(f"step {step} of 5")


def slider(app):
    node = wait(lambda: find(app, "Steps", "slider"))
    check("the step bar is a slider", node is not None)
    if node is None:
        return
    check("it says where we are",
          (node.get_description() or "").startswith("step 3 of 5, reverse_compute_at, 225"))


def stepping(app):
    node = find(app, "Steps", "slider")
    if shutil.which("xdotool") is None or node is None:
        print("# no xdotool: keys not tested")
        return
    key("alt+Left")
    check("Alt+Left goes one step back",
          wait(lambda: at_step(node, 2)) is not None)
    check("the selection survives the step",
          wait(lambda: find(app, "Moves for")) is not None)
    key("alt+End")
    check("Alt+End goes to the last step",
          wait(lambda: at_step(node, 5)) is not None)
    key("ctrl+z")
    check("Ctrl+Z goes up the history",
          wait(lambda: at_step(node, 4)) is not None)
    key("ctrl+m")
    key("Escape")
    check("Escape cancels the measurement",
          wait(lambda: not showing(find(app, "Cancel", "push button") or node)) is not None
          or find(app, "Cancel", "push button") is None)


def text(app):
    found = None
    for node in walk(app):
        if node.get_name() == "TVMScript of this step":
            found = node
    check("the text pane is labelled", found is not None)
    if found is not None:
        content = Atspi.Text.get_text(found, 0, -1)
        check("the text is readable", "for k, j_1 in T.grid(128, 4):" in content)


def run(program):
    child = subprocess.Popen([program], stdout=subprocess.DEVNULL)
    try:
        app = wait(application, 20.0)
        check("the window appears", app is not None)
        if app is not None and wait(lambda: find(app, "Loop nest")) is not None:
            time.sleep(0.5)
            panes(app)
            rows(app)
            buttons(app)
            slider(app)
            text(app)
            stepping(app)
        check("the program is alive", child.poll() is None)
    finally:
        child.terminate()
        child.wait(10)
    print(f"1..{COUNT}")
    return 1 if FAILED else 0


sys.exit(run(sys.argv[1]))
