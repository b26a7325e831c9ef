"""What a lesson is handed out as, from the menu of its window: a page for a browser, sheets of paper; what cannot be written says why."""
import os
import subprocess
import sys
import tempfile

import driver
from driver import application, check, insist, key, name_of, press, wait, walk

LESSON = '''---
title: Shared
id: shared
language: en
---

Words of the lesson.

```python
print(6 * 7)
```

```predict {id=q}
Which?

- ( ) a
- (x) b
---
Because.
```
'''


def said(app, part):
    return wait(lambda: any(part in name_of(node) for node in walk(app)), 90.0) is not None


def menu(app, entry, title):
    """Until the dialog is there."""
    def choose():
        driver.focus("Shared")
        key("F10")
        press(wait(lambda: next((n for n in walk(app) if name_of(n) == entry and n.get_role_name() == "menu item"), None), 5.0))
    return insist(choose, lambda: driver.window(title) is not None)


def answer(title, path, seconds=60.0):
    """The whole path instead of the name, and Enter."""
    def hit():
        driver.focus(title)
        key("ctrl+a")
        subprocess.run(["xdotool", "type", path], check=False)
        key("Return")
    return insist(hit, lambda: driver.window(title) is None, seconds)


def shared(app, entry, title, path, begins):
    check(f"{entry} asks where", menu(app, entry, title))
    check(f"{entry}: and is told", answer(title, path))
    made = said(app, "The page was written") and os.path.exists(path)
    check(f"{entry}: it is made", made)
    if not made:
        return
    with open(path, "rb") as file:
        data = file.read()
    check(f"{entry}: the file is what its name says", data.startswith(begins) and (b"42" in data or begins == b"%PDF"), data[:40])


def refused(app):
    check("a place that takes nothing is asked for", menu(app, "Save as PDF…", "Save as sheets of paper"))
    answer("Save as sheets of paper", "/proc/shared.pdf", 4.0)
    check("and refused", driver.window("Save as sheets of paper") is not None or said(app, "The page could not be written"))


def started(folder, part):
    """The program with the lesson, for one part."""
    path = os.path.join(folder, "shared.en.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(LESSON)
    child = subprocess.Popen([sys.argv[1], path], stdout=subprocess.DEVNULL, env=driver.program_env(XDG_DATA_HOME=folder))
    try:
        app = wait(application)
        check("the lesson opens", app is not None and said(app, "Words of the lesson."))
        part(app)
        check("the program is alive", child.poll() is None)
    finally:
        child.terminate()
        child.wait(60)
    wait(lambda: application() is None)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for entry, title, name, begins in (("Share as a page…", "Share as a page", "shared.html", b"<!DOCTYPE html>"),
                                           ("Save as PDF…", "Save as sheets of paper", "shared.pdf", b"%PDF")):
            started(folder, lambda app: shared(app, entry, title, os.path.join(folder, name), begins))      # pylint: disable=cell-var-from-loop
        started(folder, refused)
    print(f"1..{driver.COUNT}")
    return 1 if driver.FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
