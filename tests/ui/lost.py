"""Nothing is lost: typing that goes on, keys just before the end, two windows at once, a program killed at a bad moment."""
import json
import os
import signal
import subprocess
import sys
import time

import driver
from driver import Atspi, check, find, has_state, insist, key, name_of, press, strokes, wait, walk
from stories import STATE, change, frames, path, said, session_text, tell, workers

WORDS = "# the quick brown fox jumps over the lazy dog 012345"


def folder(state):
    return os.path.join(path(state), "loopscope", "sessions")


def files(state, begin):
    where = folder(state)
    return sorted(name for name in (os.listdir(where) if os.path.isdir(where) else []) if name.startswith(begin) and name.endswith(".loopscope"))


def document(state, name):
    try:
        with open(os.path.join(folder(state), name), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def base(document_):
    """What the opened program reads: the draft stands for it."""
    return document_.get("draft") or document_.get("module") or ""


def editor(app):
    return find(app, "Text of the opened program")


def text_of(app):
    node = editor(app)
    return Atspi.Text.get_text(node, 0, -1) if node is not None else ""


def edit(app):
    check("the opened program is shown as text", insist(lambda: key("ctrl+e"), lambda: "T.grid(128, 128, 128)" in text_of(app)))
    check("it has the keyboard", wait(lambda: editor(app) is not None and has_state(editor(app), Atspi.StateType.FOCUSED)))
    key("ctrl+Home")
    time.sleep(0.3)


def place(app):
    return driver.description(find(app, "Steps", "slider"))


def act(window, name, *values):
    """An action of window number `window`, by its name on the bus."""
    subprocess.run(["gdbus", "call", "--session", "--dest", "org.loopscope.Loopscope", "--object-path", f"/org/loopscope/Loopscope/window/{window}",
                    "--method", "org.gtk.Actions.Activate", name, "[" + ", ".join(f"<'{value}'>" for value in values) + "]", "{}"],
                   stdout=subprocess.DEVNULL, check=False)


def ended(child):
    check("the program ends", wait(lambda: child.poll() is not None) is not None)
    check("with status 0", child.poll() == 0, str(child.poll()))


# ---- typing ----

def typing_killed(app, child):
    """Keys come for minutes and never pause: what they wrote is on the disk meanwhile (within half a second: tests/unit/session/autosave.c, on
    a clock of its own), and a kill then takes none of it."""
    edit(app)
    typist = subprocess.Popen(["xdotool", "type", "--delay", "58", WORDS + "x" * 3000])

    def on_disk():
        return next((base(document("typing", name)) for name in files("typing", "open-")), "")

    check("what was typed comes to the disk", wait(lambda: on_disk().startswith(WORDS[:40])) is not None, on_disk()[:60])
    check("while keys still come", typist.poll() is None)
    child.kill()
    typist.kill()
    typist.wait()
    subprocess.run(["xdotool", "keyup", "x"], check=False)
    copies = files("typing", "open-")
    check("there is one copy", len(copies) == 1, str(copies))
    check("whole", on_disk().startswith(WORDS[:40]), on_disk()[:60])


def typing_restored(app, child):
    check("it is said", wait(lambda: said(app, "Restored")) is not None)
    insist(lambda: key("ctrl+e"), lambda: "T.grid(128, 128, 128)" in text_of(app))
    check("the text is there again", wait(lambda: text_of(app).startswith(WORDS[:40])) is not None, text_of(app)[:60])


def type_and(action, app):
    """A key that stands in the text, so the next ones go there as well; then two more and, in the same breath, the way out: nothing has paused."""
    edit(app)
    check("a key stands in the text", insist(lambda: key("numbersign"), lambda: text_of(app).startswith("#")), text_of(app)[:40])
    strokes("a", "b")
    action()


def begins_typed(text):
    """As check() takes it: one key or several, when the first had to be repeated, and then both of the last."""
    return text.lstrip("#").startswith("ab") and text.startswith("#"), text[:60]


def closed_in_typing(app, child):
    type_and(lambda: key("ctrl+w"), app)
    ended(child)
    check("the last keys are in its file", *begins_typed(base(json.load(open(path("close.loopscope"), encoding="utf-8")))))


def quit_in_typing(app, child):
    type_and(lambda: key("ctrl+q"), app)
    ended(child)
    check("the last keys are in its file", *begins_typed(base(json.load(open(path("quit.loopscope"), encoding="utf-8")))))


def saved_in_typing(app, child):
    type_and(lambda: key("ctrl+s"), app)
    check("it is saved", wait(lambda: said(app, "Saved as")) is not None)
    check("with the last keys", *begins_typed(base(json.load(open(path("save.loopscope"), encoding="utf-8")))))


def ended_in_typing(app, child):
    type_and(lambda: child.send_signal(signal.SIGTERM), app)
    ended(child)
    copies = files("term", "open-")
    check("a copy is left for the next start", len(copies) == 1, str(copies))
    check("with the last keys", copies and base(document("term", copies[0])).lstrip("#").startswith("a"), base(document("term", copies[0]))[:20] if copies else "")


# ---- windows ----

def two_windows(app, child):
    """Both are changed in other ways, and one Ctrl+Q ends the program."""
    change(app)
    for _ in range(3):                          # a key can be lost while the window changes; a window takes its time
        key("ctrl+n")
        if wait(lambda: len(frames(app)) == 2, 20.0):
            break
    check("a second window", len(frames(app)) == 2, str(frames(app)))
    act(2, "first-step")
    act(2, "edit-base")
    check("its program is shown as text", wait(lambda: [n for n in walk(app) if name_of(n) == "Text of the opened program" and
                                                       "T.grid" in Atspi.Text.get_text(n, 0, -1)]))
    node = [n for n in walk(app) if name_of(n) == "Text of the opened program" and "T.grid" in Atspi.Text.get_text(n, 0, -1)][-1]
    Atspi.EditableText.set_text_contents(node, "# of the second\n" + Atspi.Text.get_text(node, 0, -1))
    check("a copy of each", wait(lambda: len(files("two", "open-")) == 2) is not None, str(files("two", "open-")))
    subprocess.run(["gdbus", "call", "--session", "--dest", "org.loopscope.Loopscope", "--object-path", "/org/loopscope/Loopscope",
                    "--method", "org.gtk.Actions.Activate", "quit", "[]", "{}"], stdout=subprocess.DEVNULL, check=False)
    ended(child)
    kept = [document("two", name) for name in files("two", "closed-")]
    check("both are kept", len(kept) == 2, str(files("two", "closed-")))
    check("one with its step", any(len(one["steps"]) == 7 for one in kept), str([len(one["steps"]) for one in kept]))
    check("the other with its words", any(base(one).startswith("# of the second") for one in kept))
    check("no copy is left", not files("two", "open-"))


def many_kept(app, child):
    check("that there are many is said", wait(lambda: said(app, "16 closed documents are kept")) is not None)
    change(app)
    insist(lambda: press(find(app, "Kept work…", "push button")), lambda: driver.window("Kept work"))
    check("they are listed", wait(lambda: said(app, "old, 2020-01-01 12:00:00")) is not None)
    check("each can be opened or removed", lambda: len([n for n in walk(app) if name_of(n) == "Remove" and driver.role_of(n) == "push button"]) == 16)
    check("the list closes", driver.close_by("Escape", "Kept work"))
    driver.focus("mm_relu")
    key("ctrl+w")
    ended(child)
    check("one more is kept and none has gone", len(files("many", "closed-")) == 17, str(len(files("many", "closed-"))))


def link_opened(app, child):
    """The same file by another name."""
    again = subprocess.run([driver_program(), path("link.loopscope")], stdout=subprocess.DEVNULL, env=driver.program_env(), check=False, timeout=60)
    check("the second start ends", again.returncode == 0)
    check("the window that has it says so", wait(lambda: said(app, "Already open")) is not None)
    check("there is one window", len(frames(app)) == 1, str(frames(app)))


def driver_program():
    return os.path.abspath(sys.argv[1])


def two_programs(app, child):
    """A second program, on a bus of its own, has the same session: who closes last loses nothing, and the file is not overwritten.  It has no
    accessibility: its bus would leave an address at the display that leads nowhere afterwards."""
    change(app)
    state = path("programs")
    other = subprocess.Popen(["dbus-run-session", "--", driver_program(), path("both.loopscope")], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, env=driver.program_env(XDG_STATE_HOME=state, GTK_A11Y="none"))
    try:
        check("the other has a window", wait(lambda: len(subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", "^mm_relu"], check=False, stdout=subprocess.PIPE, text=True).stdout.split()) == 2))
        check("it does not take the copy of the first", len(files("programs", "open-")) == 1, str(files("programs", "open-")))
        text = session_text().replace('"name": "mm_relu.py"', '"name": "other.py"')
        with open(path("both.loopscope"), "w", encoding="utf-8") as out:
            out.write(text)
    finally:
        other.kill()
        other.wait(60)
    driver.focus("mm_relu")
    insist(lambda: key("ctrl+w"), lambda: child.poll() is not None)
    ended(child)
    check("the file is what the other wrote", open(path("both.loopscope"), encoding="utf-8").read() == text)
    kept = files("programs", "closed-")
    check("what was done is kept", len(kept) == 1 and len(document("programs", kept[0])["steps"]) == 2, str(kept))


# ---- a bad moment ----

def killed_in_step(app, child):
    """The kill comes right behind the key that applies a step, and while it is measured."""
    change(app)
    check("the step is in a copy", wait(lambda: any(len(document("step", name).get("steps", [])) == 2 for name in files("step", "open-"))))
    key("shift+F5")
    wait(lambda: workers(child))
    key("ctrl+m")
    key("Down")
    key("Return")
    time.sleep(0.05)
    child.kill()
    child.wait(60)
    check("the copy can be read whole", all(len(document("step", name).get("steps", [])) >= 2 for name in files("step", "open-")),
          str([document("step", name).get("steps") for name in files("step", "open-")]))
    check("its file is as it was", open(path("step.loopscope"), encoding="utf-8").read() == session_text())


def step_restored(app, child):
    check("it is said", wait(lambda: said(app, "Restored")) is not None)
    check("the step is there", wait(lambda: find(app, "Steps", "slider") and " of " in place(app) and not place(app).startswith("step 0 of 0")), place(app))
    insist(lambda: key("ctrl+s"), lambda: said(app, "Saved as"))
    check("and is saved where it belongs", len(json.load(open(path("step.loopscope"), encoding="utf-8"))["steps"]) >= 2)


for name in ("close", "quit", "save", "step", "both", "linked"):
    with open(path(name + ".loopscope"), "w", encoding="utf-8") as out:
        out.write(session_text())
os.symlink(path("linked.loopscope"), path("link.loopscope"))
os.makedirs(folder("many"))
for day in range(1, 17):
    with open(os.path.join(folder("many"), f"closed-2020-01-{day:02d}-120000-old.loopscope"), "w", encoding="utf-8") as out:
        out.write(session_text())

STORIES = [
    ("typing and a kill", [], typing_killed, False, path("typing")),
    ("typing comes back", [], typing_restored, True, path("typing")),
    ("typing and close", [path("close.loopscope")], closed_in_typing, False, STATE),
    ("typing and quit", [path("quit.loopscope")], quit_in_typing, False, STATE),
    ("typing and save", [path("save.loopscope")], saved_in_typing, True, STATE),
    ("typing and an end from outside", [], ended_in_typing, False, path("term")),
    ("two windows", [], two_windows, False, path("two")),
    ("many kept", [], many_kept, False, path("many")),
    ("one file by two names", [path("linked.loopscope")], link_opened, True, STATE),
    ("two programs", [path("both.loopscope")], two_programs, False, path("programs")),
    ("killed in a step", [path("step.loopscope")], killed_in_step, False, path("step")),
    ("after the kill", [], step_restored, True, path("step")),
]
sys.exit(tell(STORIES))
