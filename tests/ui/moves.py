"""The moves of a selection: groups with headings, another loop for a step, the ghost follows the slider."""
import sys

from driver import check, description, find, key, name_of, press, run, wait, walk


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


def drive(app):
    wait(lambda: said(app, "Can be applied"))
    headings(app)
    other_loop(app)
    ghost(app)


sys.exit(run(sys.argv[1], [], drive))
