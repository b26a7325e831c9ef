"""A lesson is written: its window shows what is written while it is, what is wrong stands at its line, and nothing is lost."""
import os
import sys
import tempfile

import driver
from driver import Atspi, application, check, insist, key, name_of, wait, walk, window

LESSON = '''---
title: Tensors by hand
id: written
---

First words.

```python {id=one}
print("twenty")
```
'''


def said(app, part, seconds=20.0):
    return wait(lambda: any(part in name_of(node) for node in walk(app)), seconds) is not None


def text(app):
    return next((node for node in walk(app) if name_of(node) == "Text of the lesson"), None)


def write(app, contents):
    Atspi.EditableText.set_text_contents(text(app), contents)


def edited(app, path):
    check("Ctrl+E opens the text", insist(lambda: (driver.focus("Tensors by hand"), key("ctrl+e")), lambda: text(app) is not None))
    check("nothing is wrong with it", said(app, "Nothing is wrong with the text."))
    write(app, LESSON.replace("First words.", "Other words.").replace("{id=one}", "{id=one, view=nest}"))
    check("the lesson's window shows what is written", said(app, "Other words."))
    check("what is wrong stands at its line", said(app, "Line 8: There is no view"), [name_of(n) for n in walk(app) if name_of(n).startswith("Line")])
    with open(path, encoding="utf-8") as file:
        check("the file has the old text until it is saved", "First words." in file.read())
    check("which the title says", wait(lambda: any(name_of(n) == "written.en.md •" for n in walk(app))) is not None)
    write(app, LESSON.replace("First words.", "Last words."))
    check("mended, it is gone", said(app, "Last words.") and wait(lambda: not any(name_of(n).startswith("Line 8") for n in walk(app))) is not None)
    driver.focus("written.en.md")
    check("Ctrl+S saves", insist(lambda: (driver.focus("written.en.md"), key("ctrl+s")), lambda: "Last words." in open(path, encoding="utf-8").read()))
    write(app, LESSON.replace("First words.", "Unsaved words."))
    said(app, "Unsaved words.")
    check("closing the lesson asks about what is not saved", insist(lambda: (driver.focus("Tensors by hand"), key("ctrl+w")), lambda: said(app, "Save what you wrote?", 2.0)))
    key("Return")
    check("and it is saved", wait(lambda: "Unsaved words." in open(path, encoding="utf-8").read(), 20.0) is not None)
    check("and both windows go", wait(lambda: window("Tensors by hand") is None and text(app) is None) is not None)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "written.en.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(LESSON)
        child = driver.subprocess.Popen([sys.argv[1], path], stdout=driver.subprocess.DEVNULL, env=driver.program_env(XDG_DATA_HOME=folder))
        try:
            app = wait(application)
            check("the lesson opens", app is not None and said(app, "First words."))
            edited(app, path)
            check("and the program ends well", wait(lambda: child.poll() is not None) is not None and child.poll() == 0, child.poll())
        finally:
            child.terminate()
            child.wait(60)
    print(f"1..{driver.COUNT}")
    return 1 if driver.FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
