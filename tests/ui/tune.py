"""The Tune page: a search is started, paused, resumed and stopped; candidates are listed, looked at and opened as branches by the keyboard. It is a process of
its own: it goes on when the window is killed or closed, is shown again by the next one, and nothing that was measured is lost or counted twice."""
import fcntl
import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import driver
from driver import check, descendants, find, focus, has_state, insist, key, name_of, press, role_of, tab_to, wait, walk
from driver import Atspi

SHOTS = os.environ.get("LS_SHOTS")


def shot(name):
    if SHOTS:
        time.sleep(1.0)
        subprocess.run(["import", "-window", "root", os.path.join(SHOTS, f"tune-{name}.png")], check=False)


def names(app):
    return [name_of(node) for node in walk(app) if name_of(node)]


def said(app, pattern):
    return next((name for name in names(app) if re.search(pattern, name)), None)


def trials(app):
    """(used up, planned) as the head says."""
    for name in names(app):
        found = re.match(r"(\d+) of (\d+) trials", name)
        if found:
            return int(found.group(1)), int(found.group(2))
    return None


def measured(app):
    """Rows of the list that have a time."""
    return [name for name in names(app) if re.match(r"candidate \d+, .*\d\s*(ns|µs|ms|s)(,|$)", name)]


def files(what):
    return glob.glob(os.path.join(os.environ["XDG_CACHE_HOME"], "loopscope/tuning/*", what))


def searcher():
    """The process that searches, or 0."""
    for path in files("run-*.lock"):
        with open(path, encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return int(lock.read() or 0)          # empty: it was made this moment
    return 0


def workers():
    pid = searcher()
    return [pid for pid, name in descendants(pid).items() if "worker" in name or "jail" in name] if pid else []


def records():
    """The steps of each record of the database, in the order in which they were measured."""
    paths = files("database_tuning_record.json")
    if not paths:
        return []
    with open(paths[0], encoding="utf-8") as lines:
        return [json.dumps(json.loads(line)[1][0]) for line in lines if line.endswith("\n")]


def once_each(when):
    all_records = records()
    check(f"nothing is counted twice {when}", len(all_records) == len(set(all_records)), (len(all_records), len(set(all_records))))


def set_value(app, name, value):
    spin = find(app, name, "spin button")
    return spin is not None and Atspi.Value.set_current_value(spin, value)


def begin(app, trials_wanted):
    focus("mm_relu")
    key("ctrl+5")
    check("the empty page says what will happen", wait(lambda: said(app, "Let the computer search for a fast schedule")), names(app)[-30:])
    check("and how", wait(lambda: said(app, "runs it in a process of its own")))
    shot("empty")
    set_value(app, "Trials", trials_wanted)
    check("Start starts", insist(lambda: press(find(app, "Start the search", "push button")), lambda: trials(app)), names(app)[-30:])


def search(app):
    begin(app, 400)
    check("candidates come with their times", wait(lambda: len(measured(app)) >= 5, 300), names(app)[-40:])
    check("the head says how far it is", wait(lambda: said(app, r"of 400 trials .*best")), names(app)[-40:])
    check("it is measured in a process of its own", wait(workers, 20), searcher())
    check("which is no child of the window", os.getsid(searcher()) == searcher())
    check("Pause pauses", insist(lambda: press(find(app, "Pause", "push button")), lambda: find(app, "Resume", "push button")))
    time.sleep(1.5)                 # what is being measured ends
    before = trials(app)
    time.sleep(1.5)                 # some ten trials of a machine that has nothing else to do
    check("nothing goes on while it pauses", before == trials(app), (before, trials(app)))
    check("Resume goes on", insist(lambda: press(find(app, "Resume", "push button")), lambda: find(app, "Pause", "push button")))
    check("with more trials", wait(lambda: trials(app)[0] > before[0], 120))
    check("what decisions are worth is told", wait(lambda: said(app, r"explains .* of the spread"), 300), names(app)[-40:])
    shot("running")


def tree_by_keyboard(app):
    """The tree of decisions: right opens a decision, Enter on a value looks at its fastest candidate, left goes back; what is open stays open while the search
    goes on and the decisions are weighed anew."""
    tree = find(app, "Which decisions matter", "list", whole=True)
    check("which decisions matter is a list with a name", tree is not None)
    share = r"^.* explains .* of the spread of \d+ programs?$"
    value = r"^.*: best .*, median .*, \d+ programs?$"
    check("its rows say what a decision explains", wait(lambda: any(re.search(share, name) for name in names(tree))), names(tree)[:20])
    check("it takes the keyboard", tab_to(app, lambda: driver.focused(tree)))
    key("Home")
    check("right opens a decision", insist(lambda: key("Right"), lambda: any(re.search(value, name) for name in names(tree)), 20), names(tree)[:20])
    key("Home")
    # While it goes on the best of a value may be another one by the time Enter comes: what the row says is read anew.
    def best():
        row = next((name for node in walk(tree) if has_state(node, Atspi.StateType.FOCUSED) for name in [name_of(node)] + names(node) if re.search(value, name)), None)
        return row and re.search(r"best (.*), median", row).group(1)

    check("down is at its first value", insist(lambda: key("Down"), best, 30), [name_of(node) for node in walk(tree) if has_state(node, Atspi.StateType.FOCUSED)])
    check("Enter on a value looks at its fastest candidate",
          insist(lambda: key("Return"), lambda: best() and said(app, r"^candidate \d+, .*" + re.escape(best())) and said(app, r"^Candidate \d+$"), 20), (best(), names(app)[-40:]))
    shot("tree")
    before = trials(app)[0]
    check("the search goes on beside it", wait(lambda: trials(app)[0] > before + 8, 120), (before, trials(app)))
    check("and what was opened is open", any(re.search(value, name) for name in names(tree)), names(tree)[:20])
    key("Left")
    check("left closes it again", insist(lambda: key("Left"), lambda: not any(re.search(value, name) for name in names(tree)), 20), names(tree)[:20])


def open_by_keyboard(app):
    rows = find(app, "Candidates, fastest first", whole=True)
    check("the candidates are a list with a name", rows is not None)
    check("the list takes the keyboard", tab_to(app, lambda: driver.focused(rows), "shift+Tab"))
    key("Home")
    check("the arrows look at a candidate", insist(lambda: key("Down"), lambda: said(app, r"^Candidate \d+$")))
    check("Enter opens it as a branch", insist(lambda: key("Return"), lambda: said(app, r"^Candidate \d+ is a branch of the history")), names(app)[-40:])
    shot("opened")
    check("another one that is looked at can be compared with it",
          insist(lambda: key("Down"), lambda: said(app, r"^Compare with candidate \d+$")), names(app)[-60:])
    check("and the page Compare has both",
          insist(lambda: press(find(app, said(app, r"^Compare with candidate \d+$") or "", "push button")), lambda: said(app, r"^\d+ steps? apart")), names(app)[:80])
    shot("compared")
    key("ctrl+1")
    check("the history has it", wait(lambda: said(app, r"candidate \d+")), names(app)[:60])
    check("with its steps", wait(lambda: said(app, r"split\(|vectorize\(")))
    key("ctrl+5")


def stop(app):
    check("Stop stops", insist(lambda: press(find(app, "Stop", "push button")), lambda: find(app, "Start again", "push button")), names(app)[-40:])
    check("and says that it can go on", wait(lambda: said(app, "goes on from here")), names(app)[-40:])
    done = trials(app)[0]
    press(find(app, "Keep the best", "push button"))
    check("Keep the best makes a branch of it", wait(lambda: said(app, r"^Candidate \d+ is a branch")))
    return done


def again(app, done):
    set_value(app, "Trials", 5000)
    check("it starts again", insist(lambda: press(find(app, "Start again", "push button")), lambda: find(app, "Pause", "push button")))
    check("what was measured counts", wait(lambda: said(app, "from an earlier run")), names(app)[-40:])
    check("and is there", wait(lambda: trials(app)[0] >= done), (done, trials(app)))


def open_window():
    child = subprocess.Popen([PROGRAM], stdout=subprocess.DEVNULL, env=driver.program_env())
    CHILDREN.append(child)
    app = wait(driver.application)
    check("the window appears", app is not None)
    check("and its content", wait(lambda: find(app, "Loop nest")) is not None)
    driver.fill_screen()
    time.sleep(0.5)
    return child, app


def first(child, app):
    search(app)
    tree_by_keyboard(app)
    open_by_keyboard(app)
    done = stop(app)
    again(app, done)
    check("it is under way when the window is killed", wait(lambda: len(records()) > done and searcher()), (done, searcher()))
    pid, before = searcher(), len(records())
    child.send_signal(signal.SIGKILL)
    child.wait()
    check("the search goes on without a window", wait(lambda: len(records()) >= before + 5, 60), (before, len(records())))
    check("in the same process", searcher() == pid, (pid, searcher()))
    return pid


def second(child, app, pid):
    before = len(records())
    focus("mm_relu")
    key("ctrl+5")
    check("the next window shows it", insist(lambda: key("ctrl+5"), lambda: trials(app), 60), names(app)[:60])
    check("as far as it is", wait(lambda: trials(app)[0] >= before, 60), (trials(app), before))
    check("all of it", wait(lambda: len(measured(app)) > 0) and wait(lambda: said(app, "from an earlier run")), names(app)[-40:])
    check("as under way", wait(lambda: find(app, "Pause", "push button")))
    shot("again")
    check("with what is measured since", wait(lambda: trials(app)[0] >= before + 3, 60), trials(app))
    check("which can be paused", insist(lambda: press(find(app, "Pause", "push button")), lambda: find(app, "Resume", "push button")))
    check("and go on", insist(lambda: press(find(app, "Resume", "push button")), lambda: find(app, "Pause", "push button")))
    press(find(app, "Keep the best", "push button"))
    check("Keep the best makes a branch of what it found", wait(lambda: said(app, r"^Candidate \d+ is a branch")))
    focus("mm_relu")
    driver.strokes("ctrl+q")
    check("the program ends", wait(lambda: child.poll() is not None, 60) is not None)
    check("well", child.poll() == 0, child.poll())
    check("a search outlives a window that is closed", searcher() == pid, (pid, searcher()))
    once_each("while it goes on")


def third(child, app, pid):
    focus("mm_relu")
    key("ctrl+5")
    check("and is shown by the next one", wait(lambda: find(app, "Pause", "push button")))
    left = [pid, *descendants(pid)]
    stop(app)
    check("Stop leaves nothing running", wait(lambda: not any(os.path.exists(f"/proc/{one}") for one in left), 20) is not None, left)
    once_each("at its end")
    check("every record is a trial", trials(app) and trials(app)[0] >= len(records()), (trials(app), len(records())))
    focus("mm_relu")
    driver.strokes("ctrl+q")
    check("the program ends", wait(lambda: child.poll() is not None, 60) is not None)


def fourth(child, app):
    """Of one that was killed what it measured is there, and it says so."""
    focus("mm_relu")
    key("ctrl+5")
    check("how it ended is shown afterwards", wait(lambda: said(app, "goes on from here")), names(app))
    set_value(app, "Trials", 5000)
    check("it starts again", insist(lambda: press(find(app, "Start again", "push button")), lambda: searcher() and find(app, "Pause", "push button")), (searcher(), names(app)))
    before = len(records())
    check("and measures", wait(lambda: len(records()) >= before + 3, 60), (before, len(records())))
    os.kill(searcher(), signal.SIGKILL)
    check("that its process is gone is said", wait(lambda: said(app, "^The process that searched is gone")), names(app))
    check("and it can be started again", wait(lambda: find(app, "Start again", "push button")))
    once_each("when it was killed")
    focus("mm_relu")
    driver.strokes("ctrl+q")
    check("the program ends", wait(lambda: child.poll() is not None, 60) is not None)


def main():
    try:
        pid = first(*open_window())
        second(*open_window(), pid)
        third(*open_window(), pid)
        fourth(*open_window())
    finally:
        for child in CHILDREN:
            if child.poll() is None:
                child.kill()
                child.wait()
        if searcher():
            os.kill(searcher(), signal.SIGKILL)
    print(f"1..{driver.COUNT}")
    return 1 if driver.FAILED else 0


CHILDREN = []
PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = os.path.join(FOLDER.name, "cache")
os.environ.setdefault("LANGUAGE", "en")
os.chdir(FOLDER.name)
sys.exit(main())
