"""Take to a device…: the shown step, and the whole history, as a folder that the command line's program writes; what it refuses is said."""
import json
import os
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, find, has_state, insist, key, name_of, press, run, wait, walk, window

SAMPLE = os.path.join(os.environ.get("LS_SOURCE_ROOT", os.path.join(os.path.dirname(__file__), "../..")), "data/samples/gpu/vector_add.py")
DIALOG = "Take to a device"
PLACE = "Where the folder for the device goes"
STEPS = (("split", 'block = sch.get_block("C")\ni, = sch.get_loops(block)\ni0, i1 = sch.split(i, factors=[None, 128])\nsch.bind(i0, "blockIdx.x")\nsch.bind(i1, "threadIdx.x")'),)
FOLDER = tempfile.TemporaryDirectory()


def session():
    lines = STEPS[0][1].split("\n")
    steps, text = [{"parent": 0}], []
    for i, line in enumerate(lines):
        text.append(line)
        if "split" in line or "bind" in line:
            steps.append({"parent": len(steps) - 1, "call": line, "lines": "\n".join(text), "name": line.split("sch.")[1].split("(")[0]})
            text = []
    # Another block size, as a branch of the opened program.
    steps += [{"parent": 0, "call": "i0, i1 = sch.split(i, factors=[None, 64])", "name": "split",
               "lines": 'block = sch.get_block("C")\ni, = sch.get_loops(block)\ni0, i1 = sch.split(i, factors=[None, 64])'},
              {"parent": 4, "call": 'sch.bind(i0, "blockIdx.x")', "lines": 'sch.bind(i0, "blockIdx.x")', "name": "bind"},
              {"parent": 5, "call": 'sch.bind(i1, "threadIdx.x")', "lines": 'sch.bind(i1, "threadIdx.x")', "name": "bind"}]
    return json.dumps({"format": "loopscope-session", "version": 1, "name": "vector_add.py", "target": "cuda", "module": open(SAMPLE, encoding="utf-8").read(),
                       "branches": ["main"], "steps": steps, "current": 3})


def picture(name):
    if os.environ.get("LS_SHOTS"):
        time.sleep(0.7)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], f"take-{name}.png")], check=False)


def said(app, part):
    return any(part in name_of(node) for node in walk(app))


def ask():
    subprocess.run(["gdbus", "call", "--session", "--dest", "org.loopscope.Loopscope", "--object-path", "/org/loopscope/Loopscope/window/1",
                    "--method", "org.gtk.Actions.Activate", "take-to-device", "[]", "{}"], stdout=subprocess.DEVNULL, check=False)


def dialog():
    return window(DIALOG)


def ticked(app, name):
    return any(has_state(find(app, name, role), Atspi.StateType.CHECKED) for role in ("radio button", "check box"))


def answer_with(name):
    """Return takes what is suggested, Escape cancels."""
    driver.focus(DIALOG)
    key(name)


def choose(app, folder):
    os.makedirs(os.path.join(FOLDER.name, folder), exist_ok=True)
    check("the place is asked for", insist(lambda: answer_with("Return"), lambda: window(PLACE)))
    time.sleep(1)

    def typed():
        driver.focus(PLACE)
        subprocess.run(["xdotool", "type", os.path.join(FOLDER.name, folder)], check=False)
        time.sleep(1)
        picture("place")
        key("Return")
    check("and answered", insist(typed, lambda: window(PLACE) is None))


def made(folder, *parts):
    return os.path.join(FOLDER.name, folder, "main-on-device", *parts)


def drive(app):
    check("the dialog comes", insist(ask, lambda: dialog()))
    picture("dialog")
    choose(app, "one")
    check("the folder is written", wait(lambda: os.path.exists(made("one", "run")), 90.0) is not None,
          [name_of(n) for n in walk(app) if "evice" in name_of(n)] + [os.path.join(at, name) for at, names, _ in os.walk(FOLDER.name) for name in names])
    check("and said so", wait(lambda: said(app, "Written to main-on-device"), 60.0) is not None)
    picture("written")
    check("the shown step alone is in it", sorted(os.listdir(made("one", "kernels"))) == ["03_bind.cu", "03_bind.sm_80.ptx", "03_bind.sm_90.ptx"], os.listdir(made("one", "kernels")))

    check("a place that is taken", insist(ask, lambda: dialog()))
    choose(app, "one")
    check("is refused with the reason", wait(lambda: said(app, "The folder for the device was not written"), 60.0) is not None)
    picture("refused")
    check("and can be asked again", insist(lambda: press(find(app, "Ask again…", "push button")), lambda: dialog()))
    check("all of the history", insist(lambda: answer_with("alt+h"),
                                       lambda: ticked(app, "The whole history, with all branches")))
    choose(app, "all")
    check("is a folder too", wait(lambda: os.path.exists(made("all", "run")), 120.0) is not None)
    check("and said so once more", wait(lambda: said(app, "Written to main-on-device"), 60.0) is not None)
    kernels = [name for name in os.listdir(made("all", "kernels")) if name.endswith(".cu")]
    check("with both branches", {"03_bind.cu", "03_bind_branch1.cu"} <= set(kernels), kernels)
    picture("whole")

    check("the dialog once more", insist(ask, lambda: dialog()))
    check("the dialog goes", insist(lambda: answer_with("Escape"), lambda: dialog() is None))


PROGRAM = os.path.abspath(sys.argv[1])
with open(os.path.join(FOLDER.name, "vector_add.loopscope"), "w", encoding="utf-8") as out:
    out.write(session())
sys.exit(run(PROGRAM, [os.path.join(FOLDER.name, "vector_add.loopscope")], drive))
