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


def bind(app):
    return next((name_of(node) for node in walk(app) if name_of(node).startswith("bind(i,")), "")


def target(app):
    """A loop cannot be bound to threads that the target lacks: the row offers another target, the message the way back."""
    i = row(app, "i, extent 128, family a")
    check("no threads to bind to", insist(lambda: pointer("mousemove", *middle(i), "click", 1), lambda: "no threads to bind to" in bind(app)), bind(app))
    check("another target is offered and taken", insist(lambda: driver.press(find(app, "Change the target to cuda", "push button")),
                                                        lambda: shown(app, "mm_relu.py · cuda")))
    check("the loop can be bound now", wait(lambda: "Can be applied" in bind(app)), bind(app))
    check("it is said", wait(lambda: shown(app, "The target is cuda now")))
    check("and taken back", insist(lambda: driver.press(find(app, "Change back", "push button")), lambda: shown(app, "mm_relu.py · llvm")))
    check("no threads again", wait(lambda: "no threads to bind to" in bind(app)), bind(app))
    check("any target can be asked for", insist(lambda: driver.press(find(app, "Change back", "push button")), lambda: shown(app, "mm_relu.py · cuda")))


def drive(app):
    key("alt+Home")
    target(app)
    k, i = row(app, "k, reduction"), row(app, "i, extent 128, family a")
    check("the rows are there", k is not None and i is not None)
    refused(app)
    check("where it can be dropped is said", drag(middle(k), middle(i), lambda: shown(app, "drop here: the two change places")))
    pointer("mouseup", 1)
    check("and the two have changed places", wait(lambda: shown(app, "reorder(k, i)")))
    check("in a branch of its own", wait(lambda: shown(app, "2 branches")))


sys.exit(run(sys.argv[1], [], drive))
