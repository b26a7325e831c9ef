"""Practice: questions about the steps of the history, answered by keyboard; the answer is what the history says, of measured steps what the times say."""
import re
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


SIDES = ("The left one", "The right one", "Neither")
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


def seconds(text):
    """The two times of "3.4 ms on the left, 12 ms on the right."."""
    found = re.findall(r"([0-9.,]+) ?(ns|µs|ms|s)\b on the (left|right)", text.replace("\u202f", " ").replace("\u00a0", " "))
    return {side: float(number.replace(",", "")) * UNITS[unit] for number, unit, side in found}


def faster(app):
    """Once two steps are measured it is asked which of them is faster: the answer is what the times say, which are told with why."""
    key("shift+F5")
    check("every step has its time",
          wait(lambda: sum(name_of(node).startswith("step ") and "±" in name_of(node) for node in walk(app)) >= 6, 120.0) is not None)
    insist(lambda: (focus("mm_relu"), key("ctrl+shift+k")), lambda: window(TITLE) is not None)
    for _ in range(60):
        asked = wait(lambda: next((name for name in names(app) if name in ASKED or name.startswith("Which of the two")), None))
        if asked not in ASKED:
            break
        focus(TITLE)
        key("1")
        wait(lambda: verdict(app))
        key("Return")
        wait(lambda: verdict(app) is None)
    check("which one is faster is asked", asked == "Which of the two is faster here?", asked)
    check("of the two that stand there, or neither", lambda: all(find(top_level(app, TITLE), side, "push button") for side in SIDES))
    focus(TITLE)
    key("1")
    told = wait(lambda: verdict(app))
    times = wait(lambda: next((found for found in map(seconds, names(app)) if len(found) == 2), None)) or {}
    check("the times are told", len(times) == 2, names(app))
    said = "The left one" if told == "✓ Right." else told[len("✗ It is: "):]
    left, right = times.get("left", 0), times.get("right", 0)
    meant = "Neither" if abs(left - right) < 0.05 * max(left, right) else "The left one" if left < right else "The right one"
    check("the answer is what they say", said == meant, (told, times))
    check("its row has the mark", lambda: find(top_level(app, TITLE), "✓ " + meant, "push button") is not None, lambda: buttons(app))
    check("Escape leaves it", close_by("Escape", TITLE))


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
        check(f"{number + 1}: with the call", lambda: any(name.startswith(marked[0][2:] + "(") for name in names(app)))
        check(f"{number + 1}: the score", wait(lambda: f"{right} of {asked} right" in names(app)) is not None, names(app)[:6])
        key("Return")
        check(f"{number + 1}: another question", wait(lambda: verdict(app) is None and question(app)) is not None)
    check("Escape leaves it", close_by("Escape", TITLE))
    focus("mm_relu")
    check("the window goes on", lambda: find(app, "Loop nest") is not None)
    faster(app)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], [], drive))
