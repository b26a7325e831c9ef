"""A log that a command writes: shown before it runs, listed as it comes, stopped, and what it says when it fails."""
import os
import re
import subprocess
import sys
import tempfile
import time

import tree
import driver
from driver import Atspi, GLib, check, find, focus, has_state, insist, name_of, press, program_env, role_of, run, wait, walk

SLOW = """#!/bin/sh
echo 'warning: first'
for pass in One Two Three; do
  echo "; *** IR Dump After ${pass}Pass on f ***"
  printf 'define i32 @f() {\\n  %%x = add i32 1, 2\\n  ret i32 %%x\\n}\\n'
done
if [ "$1" = wait ]; then sleep 300 & echo $! > child; wait; fi
echo '; *** IR Dump After LastPass on f ***'
printf 'define i32 @f() {\\n  ret i32 3\\n}\\n'
exit $2
"""


def passes(app):
    return next((one for one in app.get_children() if name_of(one).endswith("– Passes")), None)


def names(app):
    return [name_of(node) for node in walk(passes(app)) if name_of(node)] if passes(app) else []


def rows(app):
    return [name_of(node) for node in walk(passes(app)) if role_of(node) == "list item" and has_state(node, Atspi.StateType.VISIBLE) and re.match(r"\d+ ", name_of(node))]


def says(app, words, seconds=20.0):
    return wait(lambda: any(words in name for name in names(app)), seconds)


def dialog(app):
    return next((one for one in app.get_children() if find(one, "Command") is not None), None)


def ask(app, command):
    def hit():
        focus(name_of(passes(app)).split(" – ", maxsplit=1)[0])
        driver.strokes("ctrl+shift+o")
    check("the command is asked for", insist(hit, lambda: dialog(app) is not None))
    entry = find(dialog(app), "Command")
    Atspi.EditableText.set_text_contents(entry, "")
    check("nothing can be sent before it is written", wait(lambda: not has_state(find(dialog(app), "Run Run", "push button"), Atspi.StateType.SENSITIVE)))
    Atspi.EditableText.set_text_contents(entry, command)
    if os.environ.get("LS_SHOTS"):
        time.sleep(1.5)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], "command-dialog.png")], check=False)
    check("it can be sent", insist(lambda: press(find(dialog(app), "Run Run", "push button")), lambda: dialog(app) is None))


def drive(app):
    ask(app, f"sh {SCRIPT} end 0")
    check("its log is read", says(app, "2 of 4 passes change something") or says(app, "1 of 4 passes changes something"), names(app))
    check("and listed", wait(lambda: any("LastPass" in row for row in rows(app))), rows(app))
    check("the kind is recognised", lambda: any(name == "LLVM" for name in names(app)), lambda: names(app))
    ask(app, f"sh {SCRIPT} end 3")
    check("a failure is told with its status", says(app, "The command failed (status 3)."), names(app))
    ask(app, f"cd {FOLDER} && sh {SCRIPT} wait 0")
    check("what has come is listed while it runs", wait(lambda: any("ThreePass" in row for row in rows(app)) and not any("LastPass" in row for row in rows(app))), rows(app))
    search = find(passes(app), "Look for a text in all dumps")
    Atspi.EditableText.set_text_contents(search, "add i32")
    press(find(passes(app), "First mention"))
    check("it can be searched while it runs", says(app, "dumps mention “add i32” so far, first 1 ") or says(app, "dump mentions “add i32” so far, first 1 "), names(app))
    check("which is said to be of a part", says(app, "; still being read."), names(app))
    Atspi.EditableText.set_text_contents(search, "nowhere")
    press(find(passes(app), "First mention"))
    check("as is that there is nothing so far", says(app, "No dump mentions “nowhere” so far"), names(app))
    Atspi.EditableText.set_text_contents(search, "add i32")
    press(find(passes(app), "First mention"))
    check("and it can be stopped", lambda: find(passes(app), "Stop") is not None, lambda: names(app))
    check("its own child runs", wait(lambda: os.path.exists(os.path.join(FOLDER, "child"))))
    with open(os.path.join(FOLDER, "child"), encoding="utf-8") as file:
        child = int(file.read())
    press(find(passes(app), "Stop"))
    check("what came until then is the log", says(app, "The command was stopped."), names(app))
    check("and it is searched as a whole", says(app, "“add i32” is mentioned in 1 "), names(app))
    check("without the rest", len(rows(app)) >= 1 and not any("LastPass" in row for row in rows(app)), rows(app))
    check("and what it started is gone", wait(lambda: not os.path.exists(f"/proc/{child}"), 10.0))
    ask(app, "sh -c 'echo nothing of the kind; exit 1'")
    check("where there is no log the output is shown", says(app, "nothing of the kind"), names(app))
    pipe()


def titled(title):
    """A window of any program on the bus."""
    for one in tree.applications():
        try:
            found = next((child for child in one.get_children() if name_of(child) == title), None)
        except GLib.Error:
            continue
        if found is not None:
            return found
    return None


def lists(title, words):
    return wait(lambda: any(words in name_of(node) for node in walk(titled(title)) if role_of(node) == "list item") if titled(title) else None)


def pipe():
    """What comes through a pipe with a name is opened in the program that runs; standard input in one of its own."""
    log = subprocess.run(["sh", SCRIPT, "end", "0"], stdout=subprocess.PIPE, text=True, check=True).stdout
    path = os.path.join(FOLDER, "named")
    os.mkfifo(path)
    with subprocess.Popen(["sh", "-c", 'cat > "$0"', path], stdin=subprocess.PIPE, text=True) as writer:
        subprocess.run([PROGRAM, path], stdout=subprocess.DEVNULL, env=program_env(), check=False, timeout=60)
        writer.stdin.write(log)
        writer.stdin.close()
        check("a pipe is read to its end", lists("named – Passes", "LastPass"), [name_of(one) for one in tree.applications()])
        writer.kill()
    with subprocess.Popen([PROGRAM, "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=program_env(), text=True) as other:
        other.stdin.write(log)
        other.stdin.close()
        check("standard input too", lists("stdin – Passes", "LastPass"), [name_of(one) for one in tree.applications()])
        other.kill()


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.mkdtemp()
SCRIPT = os.path.join(FOLDER, "compiler.sh")
with open(SCRIPT, "w", encoding="utf-8") as script:
    script.write(SLOW)
EMPTY = os.path.join(FOLDER, "first.log")
with open(EMPTY, "w", encoding="utf-8") as first:
    first.write("; *** IR Dump After FirstPass on f ***\ndefine void @f() {\n  ret void\n}\n")
sys.exit(run(PROGRAM, [EMPTY], drive, ready="Only passes that change something"))
