"""Practice: questions about the steps of the history, answered by keyboard; the answer is what the history says; no step, no question."""
import sys

from driver import check, close_by, find, focus, insist, key, name_of, run, top_level, wait, walk, window

TITLE = "Practice"
STEPS = ("split", "reorder", "reverse_compute_at", "vectorize", "decompose_reduction")
ASKED = ("Which primitive made this change?", "Which primitive comes next?")


def names(app):
    return [name_of(node) for node in walk(top_level(app, TITLE)) if name_of(node)]


def question(app):
    return next((name for name in names(app) if name in ASKED), None)


def buttons(app):
    """Answers, with their marks."""
    return [name_of(node) for node in walk(top_level(app, TITLE)) if node.get_role_name() == "push button" and name_of(node).split(" ")[-1].replace("_", "").isalpha()
            and name_of(node).islower()]


def verdict(app):
    return next((name for name in names(app) if name.startswith(("✓ Right", "✗ It is: "))), None)


def drive(app):
    insist(lambda: (focus("mm_relu"), key("ctrl+shift+k")), lambda: window(TITLE) is not None)
    check("a question is asked", wait(lambda: question(app)) in ASKED)
    choices = buttons(app)
    check("with four answers, one of them a step of this history", len(choices) == 4 and any(one in STEPS for one in choices), choices)
    right = asked = 0
    for number in range(4):
        before = buttons(app)
        focus(TITLE)
        key("1")
        told = wait(lambda: verdict(app))
        marked = [one for one in buttons(app) if one.startswith("✓ ")]
        good = told is not None and told.startswith("✓")
        asked += 1
        right += good
        check(f"{number + 1}: the answer is marked, a step of this history", len(marked) == 1 and marked[0][2:] in STEPS, (before, marked))
        check(f"{number + 1}: and said", told is not None and (good == (before[:1] == [marked[0][2:]]) and (good or told == "✗ It is: " + marked[0][2:])), (told, marked))
        check(f"{number + 1}: with the call", any(name.startswith(marked[0][2:] + "(") for name in names(app)))
        check(f"{number + 1}: the score", wait(lambda: f"{right} of {asked} right" in names(app)) is not None, names(app)[:6])
        key("Return")
        check(f"{number + 1}: another question", wait(lambda: verdict(app) is None and question(app)) is not None)
    check("Escape leaves it", close_by("Escape", TITLE))
    focus("mm_relu")
    check("the window goes on", find(app, "Loop nest") is not None)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], [], drive))
