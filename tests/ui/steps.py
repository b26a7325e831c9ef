"""The step bar by keyboard: bookmarks, a second window that is independent."""
import sys

from driver import check, description, find, key, name_of, run, wait, walk


def where(app):
    return description(find(app, "Steps", "slider"))


def at(app, text):
    return wait(lambda: where(app).startswith(text)) is not None


def windows(app):
    return app.get_children()


def drive(app):
    key("alt+Home")
    check("the first step", at(app, "step 0 of 5"))
    key("ctrl+b")
    check("Ctrl+B sets a bookmark", wait(lambda: any(", bookmark 1" in name_of(node) for node in walk(app))))
    key("alt+Right")
    at(app, "step 1 of 5")
    key("alt+Right")
    check("two steps on", at(app, "step 2 of 5"))
    key("ctrl+b")
    check("the next bookmark is 2", wait(lambda: any(", bookmark 2" in name_of(node) for node in walk(app))))
    key("alt+1")
    check("Alt+1 goes to the first", at(app, "step 0 of 5"))
    key("alt+2")
    check("Alt+2 goes to the second", at(app, "step 2 of 5"))
    key("ctrl+n")
    check("Ctrl+N opens one more window", wait(lambda: len(windows(app)) == 2))
    check("which stands elsewhere", wait(lambda: sorted(
        where(window)[:6] for window in windows(app)) == ["step 2", "step 5"]))


sys.exit(run(sys.argv[1], [], drive))
