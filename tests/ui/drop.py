"""Files dropped onto the window by another program: one takes the place of what is there, the others have their own windows."""
import os
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = """
import sys
import gi
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, Gio, GLib, Gtk

def started(application):
    window = Gtk.ApplicationWindow(application=application, title="Files to drop", default_width=200, default_height=120)
    source = Gtk.DragSource(actions=Gdk.DragAction.COPY)
    uris = "".join(Gio.File.new_for_path(path).get_uri() + "\\r\\n" for path in sys.argv[1:])
    source.connect("prepare", lambda *_: Gdk.ContentProvider.new_for_bytes("text/uri-list", GLib.Bytes.new(uris.encode())))
    label = Gtk.Label(label="files")
    label.add_controller(source)
    window.set_child(label)
    window.present()

application = Gtk.Application(application_id="org.loopscope.TestDrop", flags=Gio.ApplicationFlags.NON_UNIQUE)
application.connect("activate", started)
application.run([])
"""

import driver
from driver import check, find, name_of, press, run, wait, walk, window

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TRACE = '[[["GetBlock", [], ["Y", "mm_relu"], ["b0"]], ["GetLoops", ["b0"], [], ["l1", "l2", "l3"]], ["Unroll", ["l3"], [], []]], []]'
FOLDER = tempfile.mkdtemp(prefix="loopscope-drop-")


def have_gtk():
    words = "import gi; gi.require_version('Gtk', '4.0'); from gi.repository import Gtk"
    return subprocess.run(["/usr/bin/python3", "-c", words], check=False, stderr=subprocess.DEVNULL).returncode == 0


def xdotool(*words):
    subprocess.run(["xdotool"] + [str(word) for word in words], check=False, stderr=subprocess.DEVNULL)


def drop(paths, done):
    """Drags from a window of another program, at the right edge, to the middle of ours."""
    with open(os.path.join(FOLDER, "source.py"), "w", encoding="utf-8") as file:
        file.write(SOURCE)
    source = subprocess.Popen(["/usr/bin/python3", os.path.join(FOLDER, "source.py")] + paths, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    try:
        number = wait(lambda: window("Files to drop"))
        check("there is a window with files", number is not None)
        xdotool("windowmove", number, 1200, 600)
        xdotool("windowraise", number)
        for _ in range(5):
            time.sleep(0.5)
            xdotool("mousemove", 1300, 660, "mousedown", 1)
            for x in range(1290, 600, -30):
                xdotool("mousemove", x, 500)
                time.sleep(0.03)
            time.sleep(0.5)
            xdotool("mousemove", 602, 500)
            time.sleep(0.5)
            xdotool("mouseup", 1)
            if wait(done, 30.0):
                return True
        return False
    finally:
        source.terminate()
        source.wait(60)


def titles(app):
    return [name for name in (name_of(node) for node in walk(app)) if name in ("first.py · llvm", "second.py · llvm", "third.py · llvm")]


def drive(app):
    paths = []
    for name in ("first.py", "second.py", "third.py"):
        paths.append(os.path.join(FOLDER, name))
        shutil.copy(os.path.join(TOP, "data", "samples", "mm_relu.py"), paths[-1])
    dropped = drop(paths, lambda: len(set(titles(app))) == 3)
    check("each of three dropped files is open", dropped, str(titles(app)))
    check("in a window of its own", len([n for n in walk(app) if name_of(n) == "Loop nest"]) >= 3 and find(app, "mm_relu.py · llvm") is None)
    trace = os.path.join(FOLDER, "steps.json")
    with open(trace, "w", encoding="utf-8") as file:
        file.write(TRACE)
    check("a dropped trace is offered", drop([trace], lambda: find(app, "Apply the trace", "push button") is not None))
    press(find(app, "Apply the trace", "push button"))
    check("and applied", wait(lambda: any(driver.description(node).startswith("step 1 of 1") for node in walk(app) if name_of(node) == "Steps")))


if not have_gtk():
    print("1..0 # SKIP gir1.2-gtk-4.0 is not installed")
    sys.exit(0)
status = run(sys.argv[1], [], drive)
shutil.rmtree(FOLDER, ignore_errors=True)
sys.exit(status)
