"""The window on written-down data: its tree of accessible objects, its keys."""
import sys

import driver
from tree import Library
from driver import Atspi, check, description, find, has_state, insist, key, name_of, run, wait, walk


def panes(app):
    for name in ("History", "Step bar", "Loop nest", "TVMScript", "Time per step", "Moves"):
        check(f"pane {name} is there", lambda: find(app, name) is not None)


def rows(app):
    names = [name_of(node) for node in walk(app)]
    for text in ("step 3, reverse_compute_at(C, j_0), 225 ±2\u202fµs · you are here, ×3.90",
                 "step 4′, fuse(j_0, k), stops here: j_0 has 2 children",
                 "step 5, vectorize(j_1), measuring, sample 12 of 30"):
        check(f"history row: {text}", text in names)
    check("loop row reads everything",
          any(name.startswith("k, reduction, extent 128, family c, level 3") for name in names))
    check("a move reads its reason",
          "parallel(k), Can, with a change: All 128 iterations of k add into the same Y[vi, vj]."
          in names)
    check("groups have counts", "Can be applied, 5" in names and "Cannot, 3" in names)


def buttons(app):
    bare = []
    for node in walk(app):
        if node.get_role_name() in ("push button", "toggle button") and has_state(node, Atspi.StateType.VISIBLE):
            label = name_of(node)
            inner = any(name_of(child) for child in walk(node))
            if not label and not inner:
                bare.append(node.get_role_name())
    check("every button has a name", not bare, f"{len(bare)} without")


def at_step(node, step):
    # GTK 4.8 gives a Value only to its own ranges; the words are in the description.
    return description(node).startswith(f"step {step} of 5")


def slider(app):
    node = wait(lambda: find(app, "Steps", "slider"))
    check("the step bar is a slider", node is not None)
    if node is None:
        return
    check("it says where we are",
          lambda: description(node).startswith("step 3 of 5, reverse_compute_at, 225"))


def stepping(app):
    node = find(app, "Steps", "slider")
    if node is None:
        return
    key("alt+Left")
    check("Alt+Left goes one step back",
          wait(lambda: at_step(node, 2)) is not None)
    check("the selection survives the step",
          wait(lambda: find(app, "Moves for")) is not None)
    key("alt+End")
    check("Alt+End goes to the last step",
          wait(lambda: at_step(node, 5)) is not None)
    key("ctrl+z")
    check("Ctrl+Z goes up the history",
          wait(lambda: at_step(node, 4)) is not None)
    key("ctrl+m")
    check("Escape folds the move, then cancels the measurement", insist(
        lambda: key("Escape"), lambda: find(app, "Cancel", "push button") is None))


def text(app):
    found = None
    for node in walk(app):
        if name_of(node) == "TVMScript of this step":
            found = node
    check("the text pane is labelled", found is not None)
    if found is not None:
        content = driver.Atspi.Text.get_text(found, 0, -1)
        check("the text is readable", "for k, j_1 in T.grid(128, 4):" in content)


def waterfall(app):
    check("W shows what each step took off the one before", insist(lambda: key("w"), lambda: find(app, "than before") is not None))
    check("and W again the times", insist(lambda: key("w"), lambda: find(app, "than before") is None))


def one_by_one(node):
    """(name, role) of the object and all below it, each asked for by libatspi in messages of their own."""
    yield node.get_name(), node.get_role_name()
    for i in range(node.get_child_count()):
        yield from one_by_one(node.get_child_at_index(i))


def same(app):
    """What the driver reads in one message is what a screen reader finds."""
    desktop = Library.get_desktop(0)
    child = next(one for one in (desktop.get_child_at_index(i) for i in range(desktop.get_child_count())) if one.get_name() == name_of(app))
    # Both anew: while the window fills, what was asked for a moment ago is no longer there.
    check("the tree is that of libatspi", wait(lambda: [(name_of(node), node.get_role_name()) for node in walk(app)] == list(one_by_one(child)), 30.0),
          f"{len(list(one_by_one(child)))} objects")


def drive(app):
    same(app)
    panes(app)
    rows(app)
    buttons(app)
    slider(app)
    text(app)
    waterfall(app)
    stepping(app)


sys.exit(run(sys.argv[1], [], drive))
