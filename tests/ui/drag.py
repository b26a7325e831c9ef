"""The pointer: a loop dragged onto another, refused with its reason and taken."""
import subprocess
import sys
import time

import driver
from driver import check, find, insist, key, name_of, run, wait, walk, Atspi


def shown(app, part):
    return any(part in name_of(node) for node in walk(app))


def pointer(*words):
    subprocess.run(["xdotool"] + [str(word) for word in words], check=False)


def middle(node):
    """Where a row is in the window; GTK tells no place on the screen, the window lies in the corner."""
    box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
    return box.x + min(box.width // 2, 60), box.y + box.height // 2


def row(app, begin):
    return wait(lambda: next((node for node in walk(app) if name_of(node).startswith(begin)), None))


def drag(start, end, done):
    """Picks up, goes there in small steps and waits for what is said there; the button is still down."""
    pointer("mousemove", *start)
    time.sleep(0.3)
    pointer("mousedown", 1)
    for part in range(1, 11):
        pointer("mousemove", start[0] + (end[0] - start[0]) * part // 10, start[1] + (end[1] - start[1]) * part // 10)
        time.sleep(0.05)
    return wait(lambda: pointer("mousemove_relative", "--", 1, 0) or pointer("mousemove_relative", "--", -1, 0) or done())


def refused(app):
    """A loop of another nest: neither is around the other."""
    k, d = row(app, "k, reduction"), row(app, "i, extent 128, family d")
    said = drag(middle(k), middle(d), lambda: shown(app, "i and k are not nested in each other inside one block."))
    check("where it cannot be dropped the reason is said", said)
    pointer("mouseup", 1)
    check("and gone with the pointer", wait(lambda: shown(app, "C after Y: RAW on Y")))
    check("nothing was done", not shown(app, "2 branches"))


def drive(app):
    key("alt+Home")
    k, i = row(app, "k, reduction"), row(app, "i, extent 128, family a")
    check("the rows are there", k is not None and i is not None)
    refused(app)
    check("where it can be dropped is said", drag(middle(k), middle(i), lambda: shown(app, "drop here: the two change places")))
    pointer("mouseup", 1)
    check("and the two have changed places", wait(lambda: shown(app, "reorder(k, i)")))
    check("in a branch of its own", wait(lambda: shown(app, "2 branches")))


sys.exit(run(sys.argv[1], [], drive))
