"""The moves of a selection: groups with headings, another loop for a step, the ghost follows the slider."""
import re
import sys

from driver import Atspi, check, close_by, description, find, focus, focused, insist, key, name_of, press, role_of, run, wait, walk, window


def names(app):
    return [name_of(node) for node in walk(app)]


def said(app, part):
    return any(part in name for name in names(app))


def where(app):
    return description(find(app, "Steps", "slider"))


def headings(app):
    check("what may change the result has a heading of its own", wait(lambda: said(app, "May change the result")))
    check("and its moves stand there", wait(lambda: said(app, "loop_partition(k, [64]), May change the result: ")))


def other_loop(app):
    key("alt+Home")
    wait(lambda: where(app).startswith("step 0"))
    key("alt+Right")
    check("the first step", wait(lambda: where(app).startswith("step 1")))
    key("F2")
    check("its arguments can be edited", wait(lambda: said(app, "replay the later ones")))
    check("the loop is one of them", wait(lambda: "loop" in names(app)))
    key("Escape")
    check("Escape leaves them", wait(lambda: not said(app, "replay the later ones")))


def ghost(app):
    key("alt+Home")
    wait(lambda: where(app).startswith("step 0"))
    key("ctrl+m")
    check("the first move unfolds", wait(lambda: find(app, "Apply", "push button")))
    divisor = wait(lambda: find(app, "8", "push button"))
    press(divisor)
    check("the ghost shows the chosen factors", wait(lambda: said(app, "k_1 8") and said(app, "k_0 16")))
    key("Escape")


def in_list(app):
    node = focused(app)
    return node is not None and role_of(node) == "list item"


def lost(app):
    """The keyboard has left the pane; while moves are due the pane itself has it.  A row that goes while it is asked gives no role: whoever
    has the keyboard after it is asked the next time."""
    node = focused(app)
    role = role_of(node) if node is not None else ""
    return role not in ("", "list item") and name_of(node) not in ("", "Moves")


def last_of_several(place):
    """Is "step 2 of 2, .." said, or a later last step?"""
    found = re.match(r"step (\d+) of (\d+)\b", place)
    return found is not None and found[1] == found[2] and int(found[1]) > 1


def one_after_the_other(app):
    """The rows go and come with each step; the keyboard stays with them."""
    insist(lambda: key("F6"), lambda: lost(app))
    key("alt+Home")
    wait(lambda: where(app).startswith("step 0"))
    key("ctrl+m")
    check("the keyboard is at a move", wait(lambda: in_list(app)))
    key("Return")
    check("Return applies it", wait(lambda: where(app).startswith("step 1 of 1")), where(app))
    check("the keyboard is at the moves of the new step", wait(lambda: in_list(app)))
    check("and not for a moment only", not wait(lambda: lost(app), 3.0), name_of(focused(app)))
    wait(lambda: in_list(app))
    key("Return")
    # Any move is one step, but for what is likely to help: that may be of several, and may have come above the others just before the key.
    check("Return applies the next", wait(lambda: last_of_several(where(app))), where(app))
    check("and stays again", wait(lambda: in_list(app)))


def frames(app, title):
    return sum(1 for node in walk(app) if name_of(node).startswith(title) and node.get_role_name() == "frame")


def ranking(app):
    """A move that could not be measured has a long reason, which once pushed the column of the factors out of the window."""
    title = "All moves"
    key("alt+End")
    check("all moves are measured", insist(lambda: key("ctrl+shift+m"), lambda: window(title)))
    check("one of them computes something else", wait(lambda: said(app, "could not be measured"), 180.0))
    check("to the end", wait(lambda: any("16 measured" in name or "15 of 16" in name for name in names(app)), 180.0))
    frame = next((node for node in walk(app) if name_of(node).startswith(title)), None)
    width = Atspi.Component.get_extents(frame, Atspi.CoordType.WINDOW).width
    boxes = [(name_of(node), Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)) for node in walk(frame)
             if node.get_role_name() == "label" and (name_of(node).startswith("×") or "elements differ" in name_of(node))]
    check("factors and the reason are in sight", len(boxes) > 2 and all(box.x + box.width <= width for _, box in boxes),
          [(name, box.x + box.width, width) for name, box in boxes])
    focus("mm_relu")
    key("ctrl+shift+m")
    check("asked for again, it is the same window", not wait(lambda: frames(app, title) > 1, 3.0), frames(app, title))
    focus(title)
    check("Escape closes the ranking", close_by("Escape", title))
    focus("mm_relu")


def drive(app):
    wait(lambda: said(app, "Can be applied"))
    headings(app)
    other_loop(app)
    ghost(app)
    ranking(app)
    one_after_the_other(app)


sys.exit(run(sys.argv[1], [], drive))
