"""The program itself on its sample: steps, moves, apply, branch, undo."""
import re
import sys
import time

from driver import Atspi, check, description, find, key, name_of, press, run, wait, walk


def names(app):
    return [name_of(node) for node in walk(app)]


def place(app):
    """The step bar's description: "step 5 of 5, decompose_reduction, ..."."""
    node = find(app, "Steps", "slider")
    return description(node)


def at(app, text):
    return wait(lambda: place(app).startswith(text)) is not None


def sample(app):
    check("starts at the last of five steps", at(app, "step 5 of 5, decompose_reduction"))
    for call in ("split(j, [None, 4])", "reorder(j_0, k, j_1)", "reverse_compute_at(C, j_0)",
                 "vectorize(j_1)", "decompose_reduction(Y, k)"):
        check(f"history has {call}", lambda: any(call in name for name in names(app)))             # pylint: disable=cell-var-from-loop
    check("the loop nest reads extents and families",
          lambda: any(name.startswith("k, reduction, extent 128, family c, level 3") for name in names(app)))
    check("reasons stand beside the moves",
          lambda: any("bind(k," in name and "no threads to bind to" in name for name in names(app)))


def height_of_apply(app):
    """Where the button stands that applies the unfolded move; None: there is none, or it has no place yet."""
    button = find(app, "Apply", "push button")
    return Atspi.Component.get_extents(button, Atspi.CoordType.WINDOW).y or None if button is not None else None


def back_and_branch(app):
    key("ctrl+z")
    check("Ctrl+Z goes up", at(app, "step 4 of 5, vectorize"))
    key("alt+Home")
    check("Alt+Home goes to the start", at(app, "step 0 of 5"))
    key("alt+Right")
    check("Alt+Right goes on", at(app, "step 1 of 5, split"))
    check("unroll can be applied to k", wait(lambda: any(name.startswith("unroll(k)") and "Can be applied" in name for name in names(app))))
    wait(lambda: any(name.startswith("Likely to help") for name in names(app)))        # they come late, above the others
    key("ctrl+m")
    first = wait(lambda: height_of_apply(app))
    check("the first move unfolds", first is not None)
    key("Down")
    # The one folds and the other unfolds: its button is another, at another height.
    check("the selected move unfolds with Apply", wait(lambda: height_of_apply(app) not in (None, first)) is not None)
    time.sleep(0.4)
    press(find(app, "Apply", "push button"))
    check("applying at step 1 makes a branch",
          wait(lambda: any("2 branches" in name for name in names(app))) is not None)
    # The first move may be one that is likely to help, of several steps.
    last = wait(lambda: re.match(r"step (\d+) of \1\b", place(app)))
    check("and goes there", last is not None and int(last[1]) > 1, place(app))
    for _ in range(int(last[1]) - 1 if last else 0):
        before = place(app)
        if before.startswith("step 1 of "):
            break
        key("ctrl+z")
        wait(lambda before=before: place(app) != before)
    check("undo leads back to the fork", at(app, "step 1 of "), place(app))


def measure(app):
    key("shift+F5")
    check("measuring says that the output is right",
          wait(lambda: any("output equals step 0" in name for name in names(app)), 60.0) is not None)
    check("every step has its time",
          wait(lambda: sum(name.startswith("step ") and "±" in name for name in names(app)) >= 6, 60.0)
          is not None)


def drive(app):
    sample(app)
    measure(app)
    back_and_branch(app)


sys.exit(run(sys.argv[1], [], drive))
