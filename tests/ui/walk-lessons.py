"""Lessons from their first page to their last as a learner walks them, with a picture of each cell, question and exercise.

/usr/bin/python3 tests/ui/walk-lessons.py PROGRAM [FOLDER [LESSON..]]: pictures go to FOLDER/LESSON, by default into a temporary one.
LESSON is the beginning of a file's name in lessons/ (01, 04-primitives); by default LS_UI_LESSONS, or else all.

Next runs each cell; a question gets its first answer and is revealed; an exercise is checked as it starts, which fails, and again with
the solution.  What has to hold: each cell ends as its file says, the view that the file names is open at the right, Next has nothing
left at the end, and all of it is there when the lesson is opened again.  LS_UI_LANGUAGE chooses the language of the window and of
the lessons (words.py), LS_UI_SIZE the size.  data/scripts/lesson-matrix goes through all of them.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, application, check, fill_screen, find, has_state, name_of, press, role_of, wait, walk
from words import LANGUAGE, pattern, t

LESSONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lessons")
PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="loopscope-lessons-")
WHICH = sys.argv[3:] or os.environ.get("LS_UI_LESSONS", "").split()

# What stands at the right when a cell says view=KIND; a picture and a table have no name of their own.
VIEWS = {"history": "Steps", "loops": "Loop nest", "graph": "Graph", "text": "TVMScript"}
MEDIAN = pattern("median %s, from %s to %s, %u sample")
# What a view says that has nothing to show, and what a graph says that has.
EMPTY = ("There is no graph to show yet.", "This module has no loops.", "No module yet.", "The text has errors; they are listed below it.")
FINDING = pattern("Line %u: %s")
NODES, EDGES = pattern("%u node"), pattern("%u edge")


class Part:
    """A fence: what kind, its options, the number of its cell, its lines."""

    def __init__(self, kind, options, number):
        self.kind = kind
        self.options = dict((key, value.strip('"')) for key, _, value in (o.partition("=") for o in re.findall(r'\w+="[^"]*"|[^\s,]+', options)))
        self.number = number
        self.lines = []

    @property
    def choices(self):
        """How many answers a question offers."""
        return sum(line.startswith("- (") for line in self.lines)


def read(path):
    """[[part, ..] of each page] of a lesson's file."""
    pages, part, cells = [[]], None, 0
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("---\n", 2)[2].splitlines():
            fence = re.match(r"```(\w*) ?(?:\{(.*)\})?$", line)
            if part is not None:
                if line == "```":
                    part = None
                else:
                    part.lines.append(line)
            elif line.startswith("## "):
                pages.append([])
            elif fence:
                cells += fence.group(1) in ("python", "exercise")
                part = Part(fence.group(1), fence.group(2) or "", cells)
                if part.kind in ("python", "exercise", "predict", "primitive"):
                    pages[-1].append(part)
    return pages


def named(app, text, role=None, seconds=60.0):
    return wait(lambda: find(app, text, role), seconds)


def newest(app, text, role="push button"):
    """Pages that wait behind have the same buttons; that of the page of now was made last."""
    found = [n for n in walk(app) if name_of(n) == text and role_of(n) == role and has_state(n, Atspi.StateType.VISIBLE)]
    return found[-1] if found else None


def on_screen(node):
    """Has it got room?  What waits behind on a page of a stack has none; GTK gives the state for it to nothing."""
    try:
        place = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
        return place is not None and place.width > 0 and place.height > 0
    except (driver.GLib.Error, AttributeError, TypeError):
        return False


def graph_counts(node):
    """Does it say of how many nodes and edges a graph is?  Nodes alone are none."""
    nodes, edges = NODES.match(name_of(node)), EDGES.search(name_of(node))
    return nodes is not None and edges is not None and int(nodes.group("a0")) > 1 and int(edges.group("a0")) > 0


class Walk:
    """One lesson."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path).split(".")[0]
        self.pages = read(path)
        with open(path, encoding="utf-8") as file:
            self.title = re.search(r"^title: (.*)$", file.read(), re.M).group(1)
        self.folder = os.path.join(FOLDER, self.name)
        self.pictures = 0
        self.page = 0
        self.app = None
        os.makedirs(self.folder, exist_ok=True)

    def check(self, what, passed, detail=""):
        check(f"{self.name}, page {self.page}: {what}", passed, detail)

    def picture(self, what):
        self.pictures += 1
        time.sleep(0.9)
        path = os.path.join(self.folder, f"{self.pictures:02d}-page{self.page}-{what}.png")
        try:
            subprocess.run(["import", "-window", "root", path], check=False)
        except FileNotFoundError:
            print("# no picture of", what)

    # ---- cells

    def state(self, button):
        """What the head of a cell says."""
        node = find(self.app, button, "push button")
        try:
            head = node.get_parent()
            return next((name_of(n) for n in walk(head) if name_of(n).startswith("Python · ")), "")
        except (driver.GLib.Error, AttributeError):
            return ""

    def ended(self, button, seconds=600.0):
        """Its last words, once it runs no more."""
        open_yet = ("", t("Python · not run"), t("Python · waits"), t("Python · runs"))
        return wait(lambda: next((s for s in [self.state(button)] if s not in open_yet), None), seconds) or ""

    def cell(self, part):
        button = t("Run") + f" {t('cell')} {part.number}"
        if self.state(button) == t("Python · not run"):
            press(named(self.app, t("Run next"), "push button"))
        words = self.ended(button)
        skipped = words == t("Python · left out") and "needs" in part.options
        self.check(f"cell {part.number} ends well ({words})", re.search(r"\d", words) is not None or skipped)
        if "expect" in part.options:
            self.check(f"cell {part.number} ends with {part.options['expect']}", wait(lambda: any(re.match(r"\w+(Error|Exception|Interrupt)?: ", name_of(n)) for n in walk(self.app))) is not None)
        if not skipped:
            self.opened(part)
        self.picture(f"cell{part.number}")

    def opened(self, part):
        view = part.options.get("view")
        if view in VIEWS:
            self.check(f"cell {part.number} opens {view}", named(self.app, t("Result of cell %u", part.number)) is not None and named(self.app, t(VIEWS[view])) is not None)
            if view == "graph":
                self.check(f"the graph of cell {part.number} has nodes and edges", wait(lambda: any(graph_counts(n) and on_screen(n) for n in walk(self.app))) is not None)
            self.check(f"the view of cell {part.number} is not empty", wait(lambda: not self.emptiness()) is not None, str(self.emptiness()))
        elif view == "chart":
            self.check(f"cell {part.number} opens a chart", wait(lambda: any(MEDIAN.search(name_of(n)) for n in walk(self.app))) is not None)
        elif view in ("picture", "table"):
            self.check(f"cell {part.number} opens a {view}", named(self.app, t("Result of cell %u", part.number)) is not None)

    def emptiness(self):
        """The sentences of views that have nothing to show, and what is wrong with a program."""
        texts = [t(text) for text in EMPTY]
        return [name for n in walk(self.app) for name in [name_of(n)] if (name in texts or FINDING.match(name)) and on_screen(n)]

    # ---- questions

    def predict(self, part):
        if part.choices:
            boxes = wait(lambda: [n for n in walk(self.app) if role_of(n) in ("check box", "radio button")][-part.choices:]) or [None]
            self.check("a key chooses an answer", driver.insist(lambda: self.key("1"), lambda: has_state(boxes[0], Atspi.StateType.CHECKED)))
        self.picture("asked")
        button = wait(lambda: newest(self.app, t("Reveal")))
        press(button)
        self.check("the question is answered", button is not None and wait(lambda: newest(self.app, t("Reveal")) is None) is not None)
        self.picture("told")

    def key(self, name):
        driver.focus(self.title)
        driver.key(name)

    def primitive(self, part):
        press(wait(lambda: newest(self.app, t("Ask me"))))
        found = wait(lambda: newest(self.app, t("I don’t know, show me")))
        self.check("the trace is asked about", found is not None and named(self.app, t("Left and right")) is not None)
        self.picture("which")
        press(found)
        self.check("and the step is told", wait(lambda: any(t("✓ The step was: %s", "") in name_of(n) and name_of(n).endswith(")") for n in walk(self.app))) is not None)
        self.picture("told")

    def exercise(self, part):
        button = t("Check") + f" {t('exercise')} {part.number}"
        press(named(self.app, button, "push button"))
        words = self.ended(button)
        self.check(f"exercise {part.number} is not done by its start ({words})", words in (t("Python · not yet"), t("Python · stopped")))
        self.picture("tried")
        press(newest(self.app, t("Show me a solution")))
        press(named(self.app, button, "push button"))
        done = wait(lambda: re.search(r"\d", self.state(button)))
        self.check(f"exercise {part.number} is done by its solution ({self.state(button)})", done is not None)
        self.picture("solved")

    # ---- the way

    def start(self):
        child = subprocess.Popen([PROGRAM, self.path], stdout=subprocess.DEVNULL, env=driver.program_env(LANGUAGE=LANGUAGE))
        self.app = wait(application)
        self.check("the window appears", self.app is not None and named(self.app, t("Run next")) is not None)
        fill_screen()
        time.sleep(0.5)
        return child

    def go(self):
        child = self.start()
        try:
            self.picture("open")
            for number, parts in enumerate(self.pages, 1):
                self.turn(number)
                self.picture("comes")
                for part in parts:
                    {"python": self.cell, "predict": self.predict, "primitive": self.primitive, "exercise": self.exercise}[part.kind](part)
            run_next = find(self.app, t("Run next"), "push button")
            self.check("Next has nothing left to do", wait(lambda: not has_state(run_next, Atspi.StateType.SENSITIVE)) is not None)
            self.check("the program is alive", child.poll() is None)
        finally:
            time.sleep(1.0)
            child.terminate()
            child.wait(60)
        time.sleep(0.5)
        self.again()

    def turn(self, number):
        self.page = number
        if number > 1:
            press(named(self.app, t("Next page (Alt+Page Down)"), "push button"))
        self.check("the page is there", named(self.app, t("%u of %u", number, len(self.pages))) is not None)

    def again(self):
        child = self.start()
        try:
            self.check("the place was kept", named(self.app, t("%u of %u", len(self.pages), len(self.pages))) is not None)
            self.check("nothing runs by opening", wait(lambda: not any(name_of(n) == t("Python · runs") for n in walk(self.app))) is not None)
            self.picture("again")
        finally:
            child.terminate()
            self.check("the program ends well", child.wait(60) == 0)
        time.sleep(0.5)


def main():
    os.environ["LANGUAGE"] = LANGUAGE
    files = sorted(glob.glob(os.path.join(LESSONS, f"[0-9][0-9]-*.{LANGUAGE}.md")))
    for path in files:
        if not WHICH or any(os.path.basename(path).startswith(which) for which in WHICH):
            Walk(path).go()
    print(f"1..{driver.COUNT}")
    return 1 if driver.FAILED else 0


sys.exit(main())
