"""view=run in the lesson window: a run stepped through, its stops, and the question what is written next."""
import os
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, application, check, find, name_of, press, wait, walk

LESSON = '''---
title: Stepped
id: stepped
---

```python {view=run, stops="write S[1]", ask=element}
import tvm
from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((2, 3), "float32"), S: T.Buffer((2,), "float32")):
    for i, k in T.grid(2, 3):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vk]
main
```
'''


def says(app, part, seconds=60.0):
    return wait(lambda: any(part in name_of(node) for node in walk(app)), seconds) is not None


def names(app):
    return [name_of(node) for node in walk(app) if name_of(node)]


def named(app, text):
    return wait(lambda: next((node for node in walk(app) if name_of(node) == text and node.get_role_name() == "push button"), None))


def statement(app):
    return next((name for name in names(app) if name.startswith("Before statement ")), None)


def picture(name):
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(0.8)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-lesson-" + name + ".png"], check=False)


def drive(app):
    press(named(app, "Run cell 1"))
    check("the run is written down", says(app, "Before statement 1 of"), names(app))
    press(named(app, "Next statement"))
    check("it is stepped through", says(app, "Before statement 2 of"), names(app))
    press(named(app, "A statement back"))
    check("backwards too", says(app, "Before statement 1 of"), names(app))
    press(named(app, "On to the next stop"))
    check("a stop asks", says(app, "Which element is written next?"), names(app))
    entry = wait(lambda: find(app, "Your answer"))
    picture("asked")
    Atspi.EditableText.set_text_contents(entry, "S[0]")
    press(named(app, "Check"))
    check("a wrong answer is told, with the right one", says(app, "No: S[1] becomes 0. 0 of 1 right."), names(app))
    first = statement(app)
    press(named(app, "On to the next stop"))
    wait(lambda: statement(app) != first)
    check("the next stop asks again", statement(app) != first and says(app, "Which element is written next?"), names(app))
    Atspi.EditableText.set_text_contents(wait(lambda: find(app, "Your answer")), "S[ 1 ]")
    press(named(app, "Check"))
    check("a right one is right", says(app, "1 of 2 right."), names(app))
    picture("answered")
    press(named(app, "Back to the last stop"))
    check("an answer stays given", wait(lambda: statement(app) == first) and says(app, "No: S[1] becomes 0. 1 of 2 right."), names(app))


def again(app):
    """Another start of the program: what was answered is there, and told again."""
    press(named(app, "Run cell 1"))
    wait(lambda: statement(app))
    press(named(app, "On to the next stop"))
    check("the answers are kept, with what came of them", says(app, "No: S[1] becomes 0. 1 of 2 right."), names(app))
    check("as they were given", wait(lambda: Atspi.EditableText is not None and find(app, "Your answer") is not None
                                     and not driver.has_state(find(app, "Your answer"), Atspi.StateType.SENSITIVE)))
    picture("kept")


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stepped.en.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(LESSON)
        for part in (drive, again):
            child = subprocess.Popen([sys.argv[1], path], stdout=subprocess.DEVNULL, env=driver.program_env(XDG_DATA_HOME=folder))
            app = wait(application)
            try:
                part(app)
                check("the program is alive", child.poll() is None)
            finally:
                time.sleep(0.8)
                child.terminate()
                child.wait(60)
    print(f"1..{driver.COUNT}")
    return 1 if driver.FAILED else 0


sys.exit(main())
