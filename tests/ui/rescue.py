"""More of what goes wrong: a worker that hangs, an end from outside, files that are not what they seem, a step that breaks."""
import json
import os
import resource
import signal
import subprocess
import sys
import time

import driver
from driver import Atspi, check, find, insist, key, name_of, press, wait, walk
from stories import STATE, change, children, path, said, session_text, tell, workers


def no_more():
    """No file may be longer than 700 bytes: as on a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))


def picture(name):
    if os.environ.get("LS_SHOTS"):
        time.sleep(1)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], name + ".png")], check=False)


def place(app):
    return driver.description(find(app, "Steps", "slider"))


def gone(pids):
    return wait(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids)) is not None


def hung_worker(app, child):
    """The app does not wait in silence for a process that stands still, and a new one comes."""
    before = workers(child)
    key("shift+F5")
    held = wait(lambda: set(workers(child)) - set(before))
    check("a worker measures", bool(held))
    for pid in held or []:
        os.kill(pid, signal.SIGSTOP)
    picture("hung-1")
    check("that nothing comes is said", wait(lambda: said(app, "No answer for ")) is not None)
    picture("hung-2")
    cancel = wait(lambda: find(app, "Cancel", "push button"))
    check("it can be ended", press(cancel))
    check("and is, though it stands still", wait(lambda: find(app, "Measure", "push button", False) is not None) is not None)
    check("the words go", wait(lambda: not said(app, "No answer for ")) is not None)
    check("what measured is gone", wait(lambda: any(not os.path.exists(f"/proc/{pid}") for pid in held)) is not None)
    for pid in held:
        if os.path.exists(f"/proc/{pid}"):
            os.kill(pid, signal.SIGCONT)
    check("and measures when it is asked again",
          insist(lambda: key("shift+F5"), lambda: said(app, "output equals step 0"), 120.0))
    picture("hung-3")


def idle_worker(app, child):
    check("it measures", insist(lambda: key("shift+F5"), lambda: said(app, "output equals step 0"), 120.0))
    check("to its end", wait(lambda: find(app, "Cancel", "push button") is None, 120.0) is not None)
    before = workers(child)
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    check("a dead worker that had nothing to do is no news", wait(lambda: said(app, "SIGKILL"), 3.0) is None)
    check("the next measurement has one of its own", insist(lambda: key("shift+F5"), lambda: set(workers(child)) - set(before)))
    check("and ends well", wait(lambda: find(app, "Cancel", "push button") is None and said(app, "output equals step 0"), 120.0) is not None)
    check("without a word about the dead one", not said(app, "SIGKILL"))
    picture("idle-worker")


def closed_while_ranking(app, child):
    check("all moves are measured", insist(lambda: key("ctrl+shift+m"), lambda: driver.window("All moves")))
    running = wait(lambda: workers(child))
    picture("ranking")
    child.send_signal(signal.SIGTERM)
    check("the program ends", wait(lambda: child.poll() is not None) is not None)
    check("with status 0", child.poll() == 0, str(child.poll()))
    check("and nothing of it is left", gone(running), str(running))


def ended_from_outside(app, child):
    """A session with a file: it is saved there."""
    change(app)
    ends(child)
    check("what was done is in its file", len(json.load(open(path("mm.loopscope"), encoding="utf-8"))["steps"]) == 2)


def ended_without_file(app, child):
    check("a step more", insist(lambda: key("ctrl+z"), lambda: place(app).startswith("step 4")))
    change(app)
    ends(child)
    # Its number may be that of another program by now: this one, say.
    folder = os.path.join(path("ended"), "loopscope", "sessions")
    for name in os.listdir(folder):
        os.rename(os.path.join(folder, name), os.path.join(folder, name.replace(str(child.pid), str(os.getpid()))))


def ends(child):
    every = list(children(child))
    child.send_signal(signal.SIGTERM)
    check("the program ends", wait(lambda: child.poll() is not None) is not None)
    check("with status 0", child.poll() == 0, str(child.poll()))
    check("and nothing of it is left", gone(every), str(every))


def kept(app, child):
    picture("after-term")
    check("what was done is there again", wait(lambda: place(app).startswith("step 1 of 1")) is not None, place(app))


def act(name, *values):
    """An action of the window, by its name on the bus."""
    subprocess.run(["gdbus", "call", "--session", "--dest", "org.loopscope.Loopscope", "--object-path", "/org/loopscope/Loopscope/window/1",
                    "--method", "org.gtk.Actions.Activate", name, "[" + ", ".join(f"<'{value}'>" for value in values) + "]", "{}"],
                   stdout=subprocess.DEVNULL, check=False)


def write_to(app, name, values, title, place_of):
    """The dialog takes a whole path as a name."""
    act(name, *values)
    check(title + " is asked for", wait(lambda: driver.window(title)) is not None)
    driver.focus(title)
    time.sleep(1)
    key("ctrl+a")
    subprocess.run(["xdotool", "type", place_of], check=False)
    time.sleep(1)
    key("Return")


def not_written(app, child):
    for name, values, title, file in (("export", ["report"], "Save the report", "report.html"),
                                      ("export-figure", ["loops"], "Save the figure", "loops.svg")):
        write_to(app, name, values, title, path(file))
        check(file + ": what stands in the way is said", wait(lambda: said(app, file + " could not be written (File too large)")) is not None,
              str([name_of(n) for n in walk(app) if "ritten" in name_of(n)]))
        check("another place is offered", lambda: find(app, "Save elsewhere…", "push button") is not None)
        check("nothing is left behind", not [one for one in os.listdir(path("")) if one.startswith(file)])
        picture("not-written-" + values[0])
    check("the session is there", lambda: place(app).startswith("step 5 of 5"))


def trace_applied(app, child):
    act("open-recent", "file://" + path("trace.json"))
    check("the trace is offered", wait(lambda: find(app, "Apply the trace", "push button")) is not None)
    picture("trace-offered")
    press(find(app, "Apply the trace", "push button"))
    check("and applied", wait(lambda: place(app).startswith("step 1 of 1")) is not None, place(app))
    picture("trace-applied")


def zero_byte(app, child):
    check("the line of a zero byte is said", wait(lambda: said(app, "zero.py: line 3 has a zero byte")) is not None)
    picture("zero")


def weights(app, child):
    check("weights without a program are named", wait(lambda: said(app, "w.safetensors holds weights (safetensors) and no program")) is not None)
    act("open-recent", "file://" + path("model.pt"))
    check("and an archive", wait(lambda: said(app, "model.pt is an archive and no program")) is not None)
    act("open-recent", "file://" + path("tvm.json"))
    check("and what TVM saved for itself", wait(lambda: said(app, "tvm.json: this is a module as save_json of TVM writes it")) is not None)
    picture("weights")


def odd_version(app, child):
    check("a version that is no number is refused", wait(lambda: said(app, "does not say a version")) is not None)
    picture("version")


def lone_trace(app, child):
    check("a trace alone is told", wait(lambda: said(app, "is a trace")) is not None)
    picture("trace-alone")


def crashing_lesson(app, child):
    button = lambda: find(app, "Run next", "push button")
    insist(lambda: press(button()), lambda: said(app, "SIGABRT"))
    check("what ended Python is said", said(app, "SIGABRT"))
    picture("lesson-abort")


def steps(app):
    return [name_of(node) for node in walk(app) if name_of(node).startswith("step ")]


TRACE = '[[["GetBlock", [], ["Y", "mm_relu"], ["b0"]], ["GetLoops", ["b0"], [], ["l1", "l2", "l3"]], ["Unroll", ["l3"], [], []]], []]'
MODULE = json.loads(session_text())["module"]
with open(path("zero.py"), "wb") as file:
    file.write(b"# one\n# two\n# th\0ree\n" + MODULE.encode())
with open(path("w.safetensors"), "wb") as file:
    file.write(b"\x50" + bytes(7) + b'{"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}'.ljust(80) + bytes(8))
with open(path("model.pt"), "wb") as file:
    file.write(b"PK\x03\x04" + bytes(range(256)))
with open(path("tvm.json"), "w", encoding="utf-8") as file:
    file.write('{"root": 1, "nodes": [{"type_key": ""}], "b64ndarrays": [], "attrs": {"tvm_version": "0.20.0"}}')
with open(path("version.loopscope"), "w", encoding="utf-8") as file:
    file.write(session_text().replace('"version": 1', '"version": "soon"'))
with open(path("trace.json"), "w", encoding="utf-8") as file:
    file.write(TRACE)
with open(path("crash.md"), "w", encoding="utf-8") as file:
    file.write("# Crash\n\nSome words.\n\n```python\nimport os\nprint('before', flush=True)\nos.abort()\n```\n\n```python\nprint(6 * 7)\n```\n")
with open(path("mm.loopscope"), "w", encoding="utf-8") as file:
    file.write(session_text())

STORIES = [
    ("a worker that hangs", [], hung_worker, True, STATE),
    ("a worker killed while idle", [], idle_worker, True, STATE),
    ("closed while ranking", [], closed_while_ranking, False, STATE),
    ("ended from outside", [path("mm.loopscope")], ended_from_outside, False, path("ended")),
    ("ended without a file", [], ended_without_file, False, path("ended")),
    ("started after that", [], kept, True, path("ended")),
    ("a zero byte", [path("zero.py")], zero_byte, True, STATE),
    ("weights and other files", [path("w.safetensors")], weights, True, STATE),
    ("an odd version", [path("version.loopscope")], odd_version, True, STATE),
    ("not written", [], not_written, True, STATE, no_more),
    ("a trace for a program", [path("mm.loopscope")], trace_applied, True, STATE),
    ("a trace without a program", [path("trace.json")], lone_trace, True, STATE),
    ("a lesson that crashes", [path("crash.md")], crashing_lesson, True, STATE, None, "Run next"),
]
sys.exit(tell(STORIES))
