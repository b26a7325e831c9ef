"""The Tune page measures on the machines of a queue: they are listed with what each does, a wrong address and a queue without machines are said, and a search
goes on when the queue was away."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import gi
gi.require_version("Atspi", "2.0")
import gi.repository.Atspi          # pylint: disable=wrong-import-position
import gi.repository.GLib           # pylint: disable=wrong-import-position

import driver                       # pylint: disable=wrong-import-position
from driver import Atspi, check, find, focus, insist, key, name_of, press, wait, walk

SHOTS = os.environ.get("LS_SHOTS")


def shot(name):
    if SHOTS:
        time.sleep(1.0)
        subprocess.run(["import", "-window", "root", os.path.join(SHOTS, f"fleet-{name}.png")], check=False)


def names(app):
    return [name_of(node) for node in walk(app) if name_of(node)]


def said(app, pattern):
    return next((name for name in names(app) if re.search(pattern, name)), None)


def measured(app):
    return [name for name in names(app) if re.match(r"candidate \d+, .*\d\s*(ns|µs|ms|s)(,|$)", name)]


def set_queue(app, text):
    entry = find(app, "Measured on", "text") or find(app, "Measured on", "entry")
    return entry is not None and Atspi.EditableText.set_text_contents(entry, text)


def table():
    """Names in the table of kinds, asked for anew: of a row that is shown only now GTK does not tell, so that a client that keeps what it was told misses it."""
    def below(node):
        yield node
        for i in range(node.get_child_count()):
            child = node.get_child_at_index(i)
            if child is not None:
                yield from below(child)

    try:
        desktop = gi.repository.Atspi.get_desktop(0)
        desktop.clear_cache()
        found = next((node for node in below(desktop) if node.get_name() == "Results by kind of machine"), None)
        return [node.get_name() for node in below(found)] if found else []
    except gi.repository.GLib.Error:
        return []


class Fleet:
    def __init__(self, folder):
        self.folder = folder
        self.socket = os.path.join(folder, "redis.sock")
        self.processes = []
        self.redis = None

    def start_redis(self):
        if os.path.exists(self.socket):
            os.unlink(self.socket)
        self.redis = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self.folder, "--save", ""], stdout=subprocess.DEVNULL)
        self.processes.append(self.redis)

    def start_machine(self, name):
        self.processes.append(subprocess.Popen([MEASURE, "--queue", "unix://" + self.socket, "--name", name, "--lease", "4", "--quiet"]))

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


def drive(app, fleet):
    focus("mm_relu")
    key("ctrl+5")
    check("the page is there", wait(lambda: find(app, "Start the search", "push button")), names(app)[-30:])
    check("it measures on this machine unless told otherwise", set_queue(app, "http://somewhere"))
    press(find(app, "Start the search", "push button"))
    check("a wrong address is said", wait(lambda: said(app, "^a queue is named as redis://")), names(app)[-30:])
    fleet.start_redis()
    set_queue(app, "unix://" + fleet.socket)
    check("it starts", insist(lambda: press(find(app, "Start the search", "push button")), lambda: find(app, "Pause", "push button")), names(app)[-30:])
    check("a queue without machines is said", wait(lambda: said(app, "^No machine takes jobs from")), names(app)[-30:])
    fleet.start_machine("anna")
    fleet.start_machine("bert")
    check("machines are listed with what they do", wait(lambda: said(app, r"2 machines measure for the queue\nanna.*\nbert.*measured"), 60), names(app)[-30:])
    check("what was said goes", wait(lambda: not said(app, "^No machine takes jobs from")))
    check("candidates come with their times", wait(lambda: len(measured(app)) >= 5, 120), names(app)[-40:])
    shot("running")
    fleet.redis.kill()
    fleet.redis.wait()
    check("a queue that is away is said", wait(lambda: said(app, "trying again")), names(app)[-30:])
    shot("away")
    before = len(measured(app))
    fleet.start_redis()
    check("the search goes on when it is back", wait(lambda: len(measured(app)) > before + 2, 120), names(app)[-40:])
    check("Stop stops", insist(lambda: press(find(app, "Stop", "push button")), lambda: find(app, "Start again", "push button")), names(app)[-40:])
    # What was measured there and what is measured here stand side by side.
    check("one kind of machine is no comparison", not find(app, "Kind of machine"))
    set_queue(app, "")
    check("it starts on this machine", insist(lambda: press(find(app, "Start again", "push button")), lambda: find(app, "Pause", "push button")), names(app)[-30:])
    check("candidates of this machine come", wait(lambda: said(app, r"^[1-9]\d* of 64 trials"), 60), names(app)[-40:])
    check("both kinds of machines are there, with the times of one in those of the other",
          wait(lambda: {"Kind of machine", "this machine"} <= set(table()) and any(re.match(r"×[\d.]+$", name) for name in table()), 60), table())
    shot("kinds")
    check("Stop stops that", insist(lambda: press(find(app, "Stop", "push button")), lambda: find(app, "Start again", "push button")), names(app)[-40:])
    focus("mm_relu")
    driver.strokes("ctrl+q")


def main():
    fleet = Fleet(FOLDER.name)
    child = subprocess.Popen([PROGRAM], stdout=subprocess.DEVNULL, env=driver.program_env())
    try:
        app = wait(driver.application)
        check("the window appears", app is not None)
        check("and its content", wait(lambda: find(app, "Loop nest")) is not None)
        driver.fill_screen()
        time.sleep(0.5)
        drive(app, fleet)
        check("the program ends", wait(lambda: child.poll() is not None, 60) is not None)
        check("well", child.poll() == 0, child.poll())
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        fleet.end()
    print(f"1..{driver.COUNT}")
    return 1 if driver.FAILED else 0


if shutil.which("redis-server") is None:
    print("1..0 # SKIP redis-server is not installed")
    sys.exit(0)
PROGRAM, MEASURE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = os.path.join(FOLDER.name, "cache")
os.environ.setdefault("LANGUAGE", "en")
os.chdir(FOLDER.name)
sys.exit(main())
