"""Cards in the program text: at the pointer and at the cursor (Ctrl+F1), while reading and while writing."""
import os
import subprocess
import sys

from driver import Atspi, check, find, has_state, insist, key, name_of, run, wait, walk


def shown(app):
    """Texts of what stands above the window: tooltips and cards."""
    return [name_of(node) for node in walk(app) if name_of(node)]


def card(app, sentence):
    return any(sentence in name_of(node) for node in walk(app))


def place_of(node, word, nth=1):
    """Where the nth word of that text is on the screen, or None."""
    whole = Atspi.Text.get_text(node, 0, -1)
    at = -1
    for _ in range(nth):
        at = whole.find(word, at + 1)
    return at


def shot(name):
    if os.environ.get("LS_SHOTS"):
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], f"card-{name}.png")], check=False)


def card_at(app, node, word, sentence, title, nth=1):
    offset = place_of(node, word, nth)

    def ask():
        if not has_state(node, Atspi.StateType.FOCUSED):
            key("F6")
            return
        Atspi.Text.set_caret_offset(node, offset)
        key("ctrl+F1")
    check(title, offset >= 0 and insist(ask, lambda: card(app, sentence), 40.0),
          [n for n in shown(app) if "\n" in n][:6])
    shot(title.replace(" ", "-"))
    check(f"{title}: Escape takes it away", insist(lambda: key("Escape"), lambda: not card(app, sentence), 20.0))


def drive(app):
    pane = wait(lambda: find(app, "TVMScript of this step"))
    card_at(app, pane, "Y[", "Y: ", "reading: a buffer")
    card_at(app, pane, "T.grid", "Nested loops, one for each extent", "reading: a construct")
    key("ctrl+e")
    editor = wait(lambda: find(app, "Text of the opened program"))
    wait(lambda: has_state(editor, Atspi.StateType.FOCUSED))
    card_at(app, editor, "vk,", "vk: ", "writing: an axis")
    card_at(app, editor, "T.axis.reduce", "An axis that is summed over", "writing: a construct")


sys.exit(run(os.path.abspath(sys.argv[1]), [], drive))
