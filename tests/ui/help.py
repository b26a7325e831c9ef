"""F1 opens the help at the page that is looked at, its search finds, and high contrast is a preference that is kept."""
import os
import sys
import tempfile

from driver import check, close_by, find, insist, key, name_of, role_of, run, wait, walk, window

os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="loopscope-help-")
os.environ["LANGUAGE"] = "en"


def texts(app):
    return [name_of(node) for node in walk(app)]


def drive(app):
    check("F1 opens the help", insist(lambda: key("F1"), lambda: window("Help") is not None))
    check("with its contents", wait(lambda: all(title in texts(app) for title in ("Start", "Moves", "Python", "Files"))) is not None)
    check("at the page about what is shown", wait(lambda: any("three parts, from the top" in text for text in texts(app))) is not None)
    at = find(app, "Contents")
    while at is not None and role_of(at) not in ("scroll pane", "frame", "window"):
        at = at.get_parent()
    check("which scroll where the screen is too small for them", at is not None and role_of(at) == "scroll pane", at and role_of(at))
    for letter in "emergenc":
        key(letter)
    check("words that no page has", wait(lambda: "No page has these words." in texts(app)) is not None)
    for _ in range(8):
        key("BackSpace")
    for letter in "verdict":
        key(letter)
    check("a word leads to its page", wait(lambda: any("which is faster, by how much" in text for text in texts(app))) is not None)
    close_by("Escape", "Help")
    check("Escape closes it", window("Help") is None)


sys.exit(run(sys.argv[1], [], drive))
