"""Dependences of the selected loop: words for the arrows, the rounds, the switches."""
import os
import sys

import driver
from driver import Atspi, check, description, find, has_state, key, name_of, run, wait, walk


def shown(app, part):
    return any(part in name_of(node) for node in walk(app))


def gone(app, part):
    return wait(lambda: not shown(app, part)) is not None


def kept(line):
    path = os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0", "settings", "keyfile")
    return os.path.exists(path) and line in open(path, encoding="utf-8").read().split("\n")


def quick(app):
    """Rows go while the keyboard is in one of them: keys that come in the same moment reach the window all the same."""
    lost = []
    track = find(app, "Steps", "slider")

    def where():
        return description(track)

    for _ in range(20):
        key("alt+End")
        wait(lambda: where().startswith("step 5"))
        driver.strokes("alt+Home", "alt+Right", "alt+Right")
        if not wait(lambda: where().startswith("step 2"), 3.0):
            lost.append(where())
    check("keys right after one another arrive all", not lost, lost)
    check("the keyboard is in the loops still", wait(lambda: any("extent " in name_of(node) for node in walk(app) if has_state(node, Atspi.StateType.FOCUSED))))


def drive(app):
    check("the arrows are there in words", wait(lambda: shown(app, "C after Y_update: RAW on Y")))
    check("the keyboard is in the loops from the start", wait(lambda: any("extent " in name_of(node) for node in walk(app) if has_state(node, Atspi.StateType.FOCUSED))),
          [(node.get_role_name(), name_of(node)) for node in walk(app) if has_state(node, Atspi.StateType.FOCUSED)])
    key("r")
    check("R shows the rounds of the reduction",
          wait(lambda: shown(app, "A round of k needs what an earlier one left in Y")))
    check("the picture says the same", wait(
        lambda: "order has to stay" in description(find(app, "Rounds of the loop"))))
    key("a")
    check("A takes arrows and rounds away", gone(app, "C after Y_update") and gone(app, "A round of k needs"))
    key("a")
    check("and brings the arrows back", wait(lambda: shown(app, "C after Y_update: RAW on Y")))
    check("the switches are kept", wait(lambda: kept("arrows=true")) and kept("rounds=false"))
    key("r")
    check("each as it is left", wait(lambda: kept("rounds=true")))
    quick(app)
    key("alt+Home")
    check("another step has its own", wait(lambda: shown(app, "C after Y: RAW on Y")))


sys.exit(run(sys.argv[1], [], drive))
