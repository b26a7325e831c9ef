"""What goes wrong: the window says what happened, goes on, and nothing is lost.  One start of the program for each story."""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

import driver
from driver import check, find, insist, key, name_of, press, wait, walk
from stories import FOLDER, PROGRAM, STATE, change, frames, kill_workers, path, said, session_text, tell, unfold, workers


def no_more():
    """No file may be longer than 700 bytes; a program that writes more is told, not ended."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))


def killed_worker(app, child):
    killed = 0
    for _ in range(10):
        key("shift+F5")
        killed += kill_workers(child, 3.0)
        if said(app, "ended by SIGKILL"):
            break
    check("a worker ran", killed > 0)
    check("the window says what ended it", wait(lambda: said(app, "ended by SIGKILL")) is not None)
    check("and measures when it is asked again",
          insist(lambda: key("shift+F5"), lambda: said(app, "output equals step 0"), 120.0))


def closed_while_measuring(app, child):
    insist(lambda: key("shift+F5"), lambda: said(app, "measuring, sample"))
    running = wait(lambda: workers(child))
    key("ctrl+w")
    check("the window closes at once", wait(lambda: child.poll() is not None) is not None)
    check("with status 0", child.poll() == 0, str(child.poll()))
    check("and its worker is gone", wait(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in running)) is not None)


def too_large(app, child):
    check("its size is said", wait(lambda: said(app, "the window opens up to 16 MiB, the command line any size")) is not None)
    check("what was there stays", lambda: find(app, "Steps", "slider") is not None)


def large(app, child):
    """It may be read before one gets to the button, on a fast machine; what then is shown is the file."""
    button = wait(lambda: find(app, "Cancel", "push button") if said(app, "is being read") else said(app, "large.py"))
    if button is not None and button is not True:
        press(button)
    check("reading can be left off, or was done",
          wait(lambda: said(app, "Opening was left off") or said(app, "large.py")) is not None)


def broken(app, child):
    check("the line is named", wait(lambda: said(app, "is not JSON, so nothing was opened")) is not None)


def gone(app, child):
    check("a file that has gone is named", wait(lambda: said(app, "gone.loopscope") and said(app, "Not opened")) is not None)


def steps_in(file):
    return len(json.load(open(file, encoding="utf-8"))["steps"])


def changed_elsewhere(app, child):
    """Another program writes the file of the session: the first save tells, the second replaces."""
    file = path("shared/mm.loopscope")
    change(app)
    text = session_text().replace('"name": "mm_relu.py"', '"name": "other.py"')
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)
    insist(lambda: key("ctrl+s"), lambda: said(app, "Another program has written mm.loopscope since"))
    check("saving tells that another program has written it", said(app, "Another program has written mm.loopscope since"))
    check("and leaves that alone", open(file, encoding="utf-8").read() == text)
    check("a place elsewhere is offered", lambda: find(app, "Save elsewhere…", "push button") is not None)
    key("ctrl+s")
    check("saving again replaces it", wait(lambda: steps_in(file) == 2) is not None)


def closed_elsewhere(app, child):
    """The only window: it says that its file will not have the changes before it goes with them."""
    file = path("closing/mm.loopscope")
    change(app)
    with open(file, "w", encoding="utf-8") as out:
        out.write(session_text().replace('"name": "mm_relu.py"', '"name": "other.py"'))
    insist(lambda: key("ctrl+w"), lambda: said(app, "Not closed: another program has written mm.loopscope") or child.poll() is not None)
    check("the window says that it keeps the changes elsewhere", child.poll() is None and said(app, "Not closed: another program has written mm.loopscope"))
    key("ctrl+w")
    check("the second time it closes", wait(lambda: child.poll() is not None) is not None)
    folder = os.path.join(path("closing-state"), "loopscope", "sessions")
    check("the changes are kept", len([name for name in os.listdir(folder) if name.startswith("closed-")]) == 1, str(os.listdir(folder)))
    check("the file is the other program's", '"other.py"' in open(file, encoding="utf-8").read())


def not_overwritten(app, child):
    """What could not be opened is not what is saved over."""
    check("it is not opened", wait(lambda: said(app, "deep.loopscope is not JSON, so nothing was opened.")) is not None)
    key("ctrl+s")
    check("saving asks for a name", wait(lambda: find(app, "Save the session") or driver.window("Save the session")) is not None)
    check("the file is as it was", os.path.getsize(path("deep.loopscope")) == 300000)


def opened_twice(app, child):
    """The second start goes to the window that has the session."""
    again = subprocess.run([PROGRAM, path("shared/mm.loopscope")], stdout=subprocess.DEVNULL, env=driver.program_env(), check=False, timeout=60)
    check("the second start ends", again.returncode == 0)
    check("the window that has it says so", wait(lambda: said(app, "Already open")) is not None)
    check("there is one window", len(frames(app)) == 1, str(frames(app)))


def not_restored(app, child):
    check("a copy that is broken is told", wait(lambda: said(app, "Not restored")) is not None)
    folder = os.path.join(path("spoilt"), "loopscope", "sessions")
    check("and kept", any(name.endswith(".broken") for name in os.listdir(folder)), str(os.listdir(folder)))
    check("one that was never finished is cleared away", not any(name.endswith(".AB12CD") for name in os.listdir(folder)), str(os.listdir(folder)))


def left_out(app, child):
    check("what is left out is told", wait(lambda: said(app, "2 steps follow no step before them and are left out")) is not None)
    check("the rest is there", lambda: find(app, "Steps", "slider") is not None)


def no_disk(app, child):
    """The session's folder goes, and the state folder cannot be made: a file has its name."""
    shutil.rmtree(os.path.join(FOLDER, "work"))
    open(os.path.join(FOLDER, "work"), "w", encoding="utf-8").close()
    insist(lambda: key("alt+Home"), lambda: driver.description(find(app, "Steps", "slider")).startswith("step 0"))
    insist(lambda: press(find(app, "Apply", "push button")) or unfold(app),
           lambda: driver.description(find(app, "Steps", "slider")).startswith("step 1 of 1"))
    check("the copy for emergencies is missed", wait(lambda: said(app, "The copy for emergencies")) is not None)
    key("ctrl+s")
    check("saving says why not", wait(lambda: said(app, "Not saved")) is not None)
    check("and offers another place", wait(lambda: find(app, "Save elsewhere…", "push button")) is not None)
    key("ctrl+w")
    check("the window stays with what is nowhere else", wait(lambda: said(app, "could be written nowhere")) is not None)
    check("it is still there", child.poll() is None)
    key("ctrl+w")
    check("closing again gives up", wait(lambda: child.poll() is not None) is not None)


def copies():
    """Whole ones: while one is written it has another ending, and a program killed then leaves that behind."""
    folder = os.path.join(path("killed"), "loopscope", "sessions")
    return [name for name in (os.listdir(folder) if os.path.isdir(folder) else []) if name.startswith("open-") and name.endswith(".loopscope")]


def kept_steps(name):
    try:
        with open(os.path.join(path("killed"), "loopscope", "sessions", name), encoding="utf-8") as file:
            return len(json.load(file)["steps"])
    except (OSError, ValueError, KeyError):
        return 0


def killed_program(app, child):
    change(app)
    check("a copy with what is not saved is kept", wait(lambda: any(kept_steps(name) == 2 for name in copies())) is not None)
    child.kill()
    check("the program is killed", child.wait(60) == -signal.SIGKILL)
    # Its number may be that of another program by now: this one, say.
    folder = os.path.join(path("killed"), "loopscope", "sessions")
    for name in copies():
        os.rename(os.path.join(folder, name), os.path.join(folder, name.replace(str(child.pid), str(os.getpid()))))


def restored(app, child):
    check("the next start brings the session back", wait(lambda: driver.description(find(app, "Steps", "slider")).startswith("step 1 of 1")) is not None,
          driver.description(find(app, "Steps", "slider")))
    check("and says so", wait(lambda: said(app, "Restored")) is not None, str([name_of(n) for n in walk(app) if len(name_of(n)) > 25][:10]))


def full_disk(app, child):
    """Files may not grow over a few bytes: as on a disk that is full."""
    change(app)
    check("what stands in the way is said", wait(lambda: said(app, "The copy for emergencies")) is not None)
    key("ctrl+s")
    check("saving says why not", wait(lambda: said(app, "Not saved")) is not None)
    text = open(path("full/mm.loopscope"), encoding="utf-8").read()
    check("the file is as it was", text == session_text(), f"{len(text)} of {len(session_text())} characters: {text[:200]!r}")
    check("and what was done is still there", lambda: driver.description(find(app, "Steps", "slider")).startswith("step 1 of 1"))


def no_python(app, child):
    shot = os.environ.get("LS_SHOTS")
    if shot:
        press(find(app, "Run next", "push button"))
        time.sleep(5)
        subprocess.run(["import", "-window", "root", os.path.join(shot, "no-python.png")], check=False)
    insist(lambda: press(find(app, "Run next", "push button")), lambda: said(app, "Python 3.10 or newer"))
    check("the cell says that there is no Python", said(app, "Python 3.10 or newer"),
          str([name_of(n) for n in walk(app) if "ython" in name_of(n)][:10]))
    check("without the words of the system", not said(app, "Failed to"))
    check("the lesson is still there", lambda: find(app, "Run next", "push button") is not None)


with open(path("huge.py"), "wb") as file:
    file.truncate(100 * 1024 * 1024)
with open(path("large.py"), "w", encoding="utf-8") as file:
    file.write("@I.ir_module\nclass Module:\n")
    for i in range(3000):
        file.write(f"    @T.prim_func\n    def f{i}(A: T.Buffer((128, 128), \"float32\"), B: T.Buffer((128, 128), \"float32\")):\n"
                   "        for i, j in T.grid(128, 128):\n            with T.block(\"B\"):\n"
                   "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                   "                B[vi, vj] = A[vi, vj] * T.float32(2)\n\n")
with open(path("cut.loopscope"), "w", encoding="utf-8") as file:
    file.write(session_text()[:700])
os.mkdir(path("work"))
with open(path("work/mm.loopscope"), "w", encoding="utf-8") as file:
    file.write(session_text())
os.mkdir(path("full"))
with open(path("full/mm.loopscope"), "w", encoding="utf-8") as file:
    file.write(session_text())
os.mkdir(path("closing"))
with open(path("closing/mm.loopscope"), "w", encoding="utf-8") as file:
    file.write(session_text())
os.mkdir(path("shared"))
with open(path("shared/mm.loopscope"), "w", encoding="utf-8") as file:
    file.write(session_text())
with open(path("deep.loopscope"), "w", encoding="utf-8") as file:
    file.write("[" * 300000)
with open(path("cyclic.loopscope"), "w", encoding="utf-8") as file:
    cyclic = json.loads(session_text())
    cyclic["steps"] += [{"parent": parent, "call": "x", "lines": "x", "name": "x"} for parent in (2, 1)]
    json.dump(cyclic, file)
os.makedirs(os.path.join(path("spoilt"), "loopscope", "sessions"))
with open(os.path.join(path("spoilt"), "loopscope", "sessions", f"open-{os.getpid()}-0.loopscope"), "w", encoding="utf-8") as file:
    file.write(session_text()[:500])
shutil.copy(file.name, file.name + ".AB12CD")
LESSON = os.path.join(os.environ.get("LS_SOURCE_ROOT", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")), "lessons/01-loops.en.md")
open(path("no-folder"), "w", encoding="utf-8").close()

STORIES = [
    ("a killed worker", [], killed_worker, True, STATE),
    ("closed while measuring", [], closed_while_measuring, False, STATE),
    ("100 MB", [path("huge.py")], too_large, True, STATE),
    ("1 MB", [path("large.py")], large, True, STATE),
    ("a session that was cut off", [path("cut.loopscope")], broken, True, STATE),
    ("a session that nests too deep", [path("deep.loopscope")], not_overwritten, True, STATE),
    ("a session that goes in circles", [path("cyclic.loopscope")], left_out, True, STATE),
    ("a session opened twice", [path("shared/mm.loopscope")], opened_twice, True, STATE),
    ("a session changed elsewhere", [path("shared/mm.loopscope")], changed_elsewhere, True, STATE),
    ("closed after it changed elsewhere", [path("closing/mm.loopscope")], closed_elsewhere, False, path("closing-state")),
    ("a broken copy", [], not_restored, True, path("spoilt")),
    ("a session that has gone", [path("gone.loopscope")], gone, True, STATE),
    ("a killed program", [path("work/mm.loopscope")], killed_program, False, path("killed")),
    ("after that", [], restored, True, path("killed")),
    ("a full disk", [path("full/mm.loopscope")], full_disk, True, STATE, no_more),
    ("no Python", [LESSON], no_python, True, STATE, None, "Run next", {"LS_PYTHON": "/nowhere/python3"}),
    ("nothing can be written", [path("work/mm.loopscope")], no_disk, False, path("no-folder")),
]
sys.exit(tell(STORIES))
