"""Files dropped onto the window by another program: one takes the place of what is there, the others have their own windows."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from unittest import mock

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

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "python"))
with mock.patch.dict(sys.modules, {name: mock.MagicMock() for name in ("tvm", "tvm.relax", "tvm.relax.frontend", "tvm.relax.frontend.onnx", "tvm.relax.frontend.torch")}):
    import model_pairs          # what writes files there needs no engine

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TRACE = '[[["GetBlock", [], ["Y", "mm_relu"], ["b0"]], ["GetLoops", ["b0"], [], ["l1", "l2", "l3"]], ["Unroll", ["l3"], [], []]], []]'
FOLDER = tempfile.mkdtemp(prefix="loopscope-drop-")
CLI = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli")
RESULT = """{
"format": "loopscope-device-result",
"version": 1,
"name": "mm_relu.py",
"program": "%(hash)s",
"made_by": "loopscope 0",
"when": "2026-01-02T03:04:05Z",
"device": {"api": "cuda", "name": "Test GPU", "kind": "GPU"},
"steps": [{"name": "plain", "hash": "%(hash)s", "verdict": "same", "simulated": {"kernels": [{"global_load_sectors": 64}]},
"time": {"unit": "ns", "min": 12000, "q1": 12100, "median": 12300, "q3": 12400, "settled": true, "samples": [12000, 12300, 12400]}}]"""


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


def result_of(name, step):
    """A result of a device for the program with this structural hash, as a bundle writes it."""
    text = (RESULT % {"hash": step}).encode()
    total = 14695981039346656037
    for byte in text:
        total = (total ^ byte) * 1099511628211 % 2**64
    path = os.path.join(FOLDER, name)
    with open(path, "wb") as file:
        file.write(text + b',\n"checksum": "%016x"\n}\n' % total)
    return path


def drop_results(app):
    """What a device of another machine measured: it stands at its step, and what does not belong here is refused."""
    stranger = result_of("stranger.json", "0123456789abcdef")
    check("a result of another program is refused", drop([stranger], lambda: any("structural hash" in name_of(node) for node in walk(app))))
    program = os.path.join(FOLDER, "first.py")
    told = subprocess.run([CLI, "device", "import", stranger, "--program", program], check=False, capture_output=True, text=True).stderr
    own = re.search("that of .* is ([0-9a-f]{16})", told)
    check("the command tells the hash", own is not None, told)
    result = result_of("result.json", own.group(1))
    taken = drop([result], lambda: any("has what Test GPU measured of it" in name_of(node) for node in walk(app)))
    check("a dropped result is taken", taken)
    gone = wait(lambda: not any("has what Test GPU measured of it" in name_of(node) for node in walk(app)), 30.0)
    check("which is news, and goes by itself", gone)
    check("its time stands at its step", wait(lambda: any("12.3" in name_of(node) and "µs on Test GPU" in name_of(node) for node in walk(app))))


def drop_models(app):
    """Models of other programs: a whole one is shown as a graph, a damaged one leaves what is there and says where it ends."""
    whole, cut = os.path.join(FOLDER, "model.onnx"), os.path.join(FOLDER, "cut.onnx")
    model_pairs.onnx(whole, model_pairs.weights())
    with open(whole, "rb") as file, open(cut, "wb") as other:
        other.write(file.read()[:100])
    damaged = drop([cut], lambda: any("cut.onnx" in name_of(node) and "do not end where they should" in name_of(node) for node in walk(app)))
    check("of a damaged model it is said where", damaged, str([name_of(node) for node in walk(app) if "cut.onnx" in name_of(node)]))
    check("a dropped model is open", drop([whole], lambda: any(name_of(node).startswith("model.onnx") for node in walk(app))))
    check("as a graph", wait(lambda: any("matmul" in name_of(node) for node in walk(app)) and any("relu" in name_of(node) for node in walk(app))))


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
    drop_results(app)
    drop_models(app)


if not have_gtk():
    print("1..0 # SKIP gir1.2-gtk-4.0 is not installed")
    sys.exit(0)
status = run(sys.argv[1], [], drive)
shutil.rmtree(FOLDER, ignore_errors=True)
sys.exit(status)
