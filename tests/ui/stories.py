"""What the scripts about failures share: one start of the program for each story, with folders of its own."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import driver
from driver import application, check, find, insist, key, name_of, press, wait, walk

PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.mkdtemp(prefix="loopscope-failures-")
STATE = ""        # a folder that no other story has: the copy that a killed program leaves would come back in the next one
os.environ.update(XDG_STATE_HOME=os.path.join(FOLDER, "state"), XDG_CONFIG_HOME=os.path.join(FOLDER, "config"),
                  XDG_DATA_HOME=os.path.join(FOLDER, "data"))


def said(app, part):
    return any(part in name_of(node) for node in walk(app))


def story(name, arguments, drive, alive=True, state=STATE, before=None, ready="Loop nest", **env):
    """Starts the program, calls drive (app, child); alive: it still runs afterwards and is then ended."""
    print("#", name, flush=True)
    # What a story measured of the machine would put other moves first in the next one.
    shutil.rmtree(os.path.join(os.environ["XDG_CACHE_HOME"], "loopscope"), ignore_errors=True)
    state = state or tempfile.mkdtemp(prefix="state-", dir=FOLDER)
    child = subprocess.Popen([PROGRAM] + arguments, stdout=subprocess.DEVNULL, env=driver.program_env(XDG_STATE_HOME=state, **env),
                             preexec_fn=before)
    try:
        app = wait(application)
        check(name + ": the window appears", app is not None and wait(lambda: find(app, ready)) is not None)
        if app is not None:
            drive(app, child)
        if alive:
            check(name + ": the program goes on", child.poll() is None)
    finally:
        if child.poll() is None:
            child.kill()
        child.wait(60)
        wait(lambda: application() is None)


def children(child):
    return driver.descendants(child.pid)


def workers(child):
    return [pid for pid, name in children(child).items() if name.startswith("loopscope-work")]


def kill_workers(child, seconds):
    """One measures, one lays graphs out; a new one comes with the next request."""
    end = time.monotonic() + seconds
    n = 0
    while time.monotonic() < end:
        for pid in workers(child):
            try:
                os.kill(pid, signal.SIGKILL)
                n += 1
            except ProcessLookupError:
                pass
        time.sleep(0.1)
    return n


def frames(app):
    return [name_of(node) for node in walk(app) if node.get_role_name() in ("frame", "window") and find(node, "Loop nest")]


def change(app):
    """A step more than there was."""
    insist(lambda: key("alt+Home"), lambda: driver.description(find(app, "Steps", "slider")).startswith("step 0"))
    insist(lambda: press(find(app, "Apply", "push button")) or unfold(app),
           lambda: driver.description(find(app, "Steps", "slider")).startswith("step 1 of 1"))


def unfold(app):
    key("ctrl+m")
    time.sleep(0.3)
    key("Down")
    time.sleep(0.3)


def session_text():
    module = open(os.path.join(os.environ.get("LS_SOURCE_ROOT", os.path.join(os.path.dirname(__file__), "../..")),
                               "data/samples/mm_relu.py"), encoding="utf-8").read()
    return json.dumps({"format": "loopscope-session", "version": 1, "name": "mm_relu.py", "target": "llvm", "module": module,
                       "branches": ["main"], "steps": [{"parent": 0}], "current": 0})


def path(name):
    return os.path.join(FOLDER, name)


def tell(stories):
    """Those whose name has one of the words of the command line; the exit status."""
    for one in stories:
        if not sys.argv[2:] or any(word in one[0] for word in sys.argv[2:]):
            story(*one[:7], **(one[7] if len(one) > 7 else {}))
    print(f"1..{driver.COUNT}")
    if not os.environ.get("LS_KEEP"):
        shutil.rmtree(FOLDER, ignore_errors=True)
    return 1 if driver.FAILED else 0
