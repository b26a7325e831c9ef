"""A lesson: nothing runs by itself; cells, an edit, a question, an exercise, a crash, an endless loop; the presenter; progress."""
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, application, check, find, key, name_of, press, wait, walk

LESSON = '''---
title: A small lesson
id: small
---

Some *prose*.

```python {id=one}
x = 20
print("twenty is", x)
```

## Shown

```python {view=loops, mark="T.grid"}
import tvm
from tvm import te
A = te.placeholder((8, 8), name="A")
B = te.compute((8, 8), lambda i, j: A[i, j] * 2.0, name="B")
te.create_prim_func([A, B])
```

## Asked

```predict
What is x + 1?

- ( ) 20
- (x) 21
---
Because one is added.
```

```python
x + 1
```

```notes
Say that it is easy.
```

## Step by step

```python {id=schedule}
sch = tvm.tir.Schedule(te.create_prim_func([A, B]))
sch.split(sch.get_loops(sch.get_block("B"))[0], [2, 4])
sch
```

```primitive {schedule=sch}
Which one?
```

```python {id=timed, view=chart}
import numpy as np
x = tvm.nd.array(np.ones((8, 8), "float32"))
tvm.build(sch.mod, target="llvm").time_evaluator("main", tvm.cpu(), number=10, repeat=5)(x, x)
```

## Tried

```exercise {id=double}
Write `double(n)`.
--- start
def double(n):
    return n
--- cases
# case: three
assert double(3) == 6, "twice three is six"
--- solution
def double(n):
    return 2 * n
```

## Stages

```python {view=graph}
import tvm
from tvm import te
P = te.placeholder((8,), name="P")
Q = te.compute((8,), lambda i: P[i] + 1.0, name="Q")
te.compute((8,), lambda i: Q[i] * 2.0, name="S")
```

```python
te.create_prim_func([P, te.compute((8,), lambda i: Q[i] * 2.0, name="S")])
```

## Ended

```python {id=crash}
print("last words")
import os
os.abort()
```

## Endless

```python {id=loop}
while True:
    pass
```

## Broken

```python
print("never closed")
'''


ALONE = '''---
title: Alone
id: alone
---

```predict
What is 3 * 4?

- (x) 12
- ( ) 7
---
Three times four.
```

```python
print("twelve is", 3 * 4)
```

```exercise {id=double}
Write `double(n)`.
--- start
def double(n):
    return n
--- cases
# case: three
assert double(3) == 6, "twice three is six"
--- solution
def double(n):
    return 2 * n
```
'''


TALL = "---\ntitle: Tall\nid: tall\n---\n\n" + "\n\n".join(f"Paragraph {n}." for n in range(24)) + '''

```python
print("\\n".join(f"line {n}" for n in range(10)))
```
'''

CONSTANTS = '''---
title: Constants
id: constants
---

```python {view=text, mark="metadata"}
import numpy as np
from tvm import relax
bb = relax.BlockBuilder()
x = relax.Var("x", relax.TensorStructInfo((1, 3), "float32"))
with bb.function("main", [x]):
    with bb.dataflow():
        out = bb.emit_output(bb.emit(relax.op.add(x, relax.const(np.ones((1, 3), "float32")))))
    bb.emit_func_output(out)
bb.get()
```

```python
bb.get()
```
'''

LAYERS = '''---
title: Layers
id: layers
---

```python {view=graph}
from tvm import relax
from tvm.script import ir as I, relax as R

@I.ir_module
class Layers:
    @R.function
    def main(x: R.Tensor((1, 8), "float32"), w0: R.Tensor((8, 8), "float32"), w1: R.Tensor((8, 8), "float32")):
        with R.dataflow():
            lv0 = R.matmul(x, w0)
            lv1 = R.nn.relu(lv0)
            lv2 = R.matmul(lv1, w1)
            lv3 = R.nn.relu(lv2)
            lv4 = R.exp(lv3)
            lv5 = R.sqrt(lv4)
            lv6 = R.nn.relu(lv5)
            out = R.exp(lv6)
            R.output(out)
        return out

Layers
```
'''

DIFFERENT = '''---
title: Different
id: different
---

```python
import tvm
from tvm import te
A = te.placeholder((8,), name="A")
one = te.create_prim_func([A, te.compute((8,), lambda i: A[i] + 1.0, name="B")])
two = te.create_prim_func([A, te.compute((8,), lambda i: A[i] * 2.0, name="B")])
tvm.ir.assert_structural_equal(one, two)
```

```exercise {id=same}
Write the same.
--- start
mine = one
--- cases
# case: equal
tvm.ir.assert_structural_equal(mine, two)
--- solution
mine = two
```
'''


KEYS = """---
title: Keys
id: keys
---

```predict
Choose well.

- ( ) a
- (x) b
---
B it is.
```

## Passed

```python
print("never run")
```

## Read

Only words.
"""

def named(app, text, role=None):
    return wait(lambda: next((n for n in walk(app) if name_of(n) == text and (role is None or n.get_role_name() == role)), None))


def says(app, part, seconds=60.0):
    return wait(lambda: any(part in name_of(n) or part in content(n) for n in walk(app)), seconds) is not None


def content(node):
    try:
        if node.get_role_name() in ("text", "terminal"):
            return Atspi.Text.get_text(node, 0, -1)
    except driver.GLib.Error:
        pass
    return ""


PAGES = ["A small lesson", "Shown", "Asked", "Step by step", "Tried", "Stages", "Ended", "Endless", "Broken"]


def go_to(app, title):
    """A page by its button; a key could meet a window that has no focus yet."""
    number = PAGES.index(title) + 1
    press(named(app, f"Page {number}, {title}", "push button"))
    return says(app, f"{number} of {len(PAGES)}")


def opened(app):
    check("the title is there", says(app, "A small lesson"))
    check("what is wrong with the file is said", says(app, "never closed"))
    check("nothing was run", says(app, "Python · not run") and not says(app, "twenty is 20", 1.0))


def cells(app):
    press(named(app, "Run cell 1", "push button"))
    check("a cell prints", says(app, "twenty is 20"))
    box = wait(lambda: next((n for n in walk(app) if name_of(n) == "Output" and "twenty" in content(n)), None))
    check("one line takes the room of one", wait(lambda: place(box).height < 40) is not None, str(place(box).height))
    press(named(app, "Next page: Shown", "push button"))
    press(named(app, "Run cell 2", "push button"))
    check("a function is shown as loops and text", says(app, "Result of cell 2") and says(app, "Loop nest"))


def question(app):
    key("alt+Next")
    check("the question is asked", says(app, "What is x + 1?"))
    check("the answer is not there yet", not says(app, "Because one is added.", 0.5))
    key("2")
    time.sleep(0.4)
    press(named(app, "Reveal", "push button"))
    check("Reveal says that it was right", says(app, "As you said: 21"))
    check("and why", says(app, "Because one is added."))


def hovered(app):
    """The pointer stands still over words of the shown program, of some of which nothing is told; GtkSourceView asks after half a second."""
    box = place(named(app, "TVMScript of this step"))
    for down in range(12, min(box.height, 150), 24):
        for right in (120, 180):
            subprocess.run(["xdotool", "mousemove", str(box.x + right), str(box.y + down), "mousemove_relative", "1", "0"], check=False)
            time.sleep(0.8)
    subprocess.run(["xdotool", "mousemove", "9999", "9999"], check=False)


def primitive(app):
    go_to(app, "Step by step")
    press(named(app, "Run cell 4", "push button"))
    check("a schedule shows what its step did", says(app, "Schedule, 1 step"))
    press(named(app, "Practice", "push button"))
    asked = lambda: any(name_of(n) in ("Which primitive made this change?", "Which primitive comes next?") for n in walk(app))
    check("its steps are practised", wait(lambda: driver.window("Practice")) is not None and wait(asked) is not None)
    check("and Escape leads back", driver.close_by("Escape", "Practice"))
    hovered(app)
    press(named(app, "Ask me", "push button"))
    check("the question made of the trace has choices", wait(lambda: named(app, "split")) is not None)
    press(named(app, "I don’t know, show me", "push button"))
    check("and the step as its answer, which nobody gave", says(app, "✓ The step was: ") and says(app, "split(i, ["))
    check("its two programs stand side by side", says(app, "Left and right"))
    go_to(app, "Shown")
    check("they go with its page, and the last result is back", says(app, "Result of cell 4") and not says(app, "Left and right", 0.5))
    go_to(app, "Step by step")
    press(named(app, "Run cell 5", "push button"))
    check("a measurement is a chart in words too", says(app, "median "))


def stale(app):
    check("the place can be jumped to", go_to(app, "A small lesson"))
    press(named(app, "Edit cell 1"))
    text = wait(lambda: next((n for n in walk(app) if name_of(n) == "Code of cell 1" and n.get_state_set().contains(Atspi.StateType.EDITABLE)), None))
    Atspi.EditableText.set_text_contents(text, 'x = 30\nprint("thirty is", x)')
    check("an edited cell is stale", says(app, "stale: edited since it ran"))
    check("and those after it", says(app, "stale: an earlier cell was changed"))
    press(named(app, "Run cell 2", "push button"))
    check("running a later one runs the edited one first", says(app, "thirty is 30", 20))
    check("which is stale no more", wait(lambda: not says(app, "stale: edited since it ran", 0.3), 20) is not None)


def exercise(app):
    go_to(app, "Tried")
    press(named(app, "Check exercise 6", "push button"))
    check("the start fails its case, with its message", says(app, "✗ three: twice three is six"))
    press(named(app, "Show me a solution", "push button"))
    time.sleep(0.6)
    press(named(app, "Check exercise 6", "push button"))
    check("the solution passes", says(app, "✓ three"))


def stages(app):
    go_to(app, "Stages")
    press(named(app, "Run cell 7", "push button"))
    check("a tensor is shown as the graph of its stages", says(app, "Result of cell 7") and says(app, "te.Tensor S") and says(app, "3 nodes · 2 edges"))
    press(named(app, "Run cell 8", "push button"))
    check("a function of them as a strip too", wait(lambda: named(app, "Q, 32\u202fB, inside")) is not None and named(app, "P, argument") is not None)
    stage = named(app, "S, stage", "push button")
    check("the stage says what it computes", lambda: "S[v_i] = Q[v_i]" in driver.description(stage), lambda: driver.description(stage))
    press(stage)
    check("pressed, its block is selected", says(app, "S after Q: RAW on Q"))


def ends(app):
    go_to(app, "Ended")
    press(named(app, "Run cell 9", "push button"))
    check("a crash is told with its signal", says(app, "SIGABRT"))
    check("what was printed before is there", says(app, "last words"))
    go_to(app, "Endless")
    press(named(app, "Run cell 10", "push button"))
    stop = wait(lambda: named(app, "Stop cell 10", "push button"))
    check("the loop can be stopped", stop is not None)
    press(stop)
    check("and is", says(app, "Interrupted."))
    go_to(app, "Broken")
    press(named(app, "Run cell 11", "push button"))
    check("Python is there again", says(app, "never closed"))


def presenting(app):
    press(named(app, "Present", "push button"))
    check("the presenter has its window", wait(lambda: named(app, "Full screen", "push button")) is not None)
    for number in (8, 7, 6, 5, 4, 3):
        key("Page_Up")
        says(app, f"{number} of 9")
    check("notes stand in the first window", says(app, "Say that it is easy."))
    key("Escape")
    check("Escape leaves", wait(lambda: not any(name_of(n) == "Full screen" for n in walk(app))))


def next_until(app, text):
    """Next, until it has led to this text; a button that was just pressed does not hear the second time."""
    for _ in range(8):
        press(named(app, "Run next", "push button"))
        if says(app, text, 4.0):
            return True
    return False


def last_page(app):
    """A question that is left open does not stand in the way; an exercise that nothing follows: Next shows it, Next again checks it,
    and is over when everything is answered."""
    check("Next passes over an open question to the cell behind it", next_until(app, "twelve is 12"))
    key("1")
    check("a guess is revealed by Next", next_until(app, "Three times four."))
    check("Next checks an exercise that nothing follows", next_until(app, "✗ three: twice three is six"))
    press(named(app, "Show me a solution", "push button"))
    check("and one that was written in", next_until(app, "✓ three"))
    run_next = named(app, "Run next", "push button")
    check("at the end there is nothing to go on to", wait(lambda: not run_next.get_state_set().contains(Atspi.StateType.SENSITIVE)) is not None)


def place(node):
    return Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)


def tall(app):
    check("a cell far down is run", next_until(app, "line 9"))
    box = next(n for n in walk(app) if name_of(n) == "Output" and "line 9" in content(n))
    foot = named(app, "Run next", "push button")
    check("what it printed comes into view", wait(lambda: place(box).y + place(box).height <= place(foot).y) is not None,
          f"{place(box).y} + {place(box).height}, {place(foot).y}")


def different(app):
    press(named(app, "Run cell 1", "push button"))
    told = "The two programs differ: the first has A[v_i] + T.float32(1.0) where the second has A[v_i] * T.float32(2.0)."
    check("two programs that differ are told in a sentence", says(app, told))
    press(named(app, "Check exercise 2", "push button"))
    check("and in an exercise", says(app, "equal: " + told))
    check("which draws yours beside what is wanted", says(app, "Yours and wanted") and says(app, "\u2260") and named(app, "Wanted") is not None)


DRILL = """---
title: Drill
id: drill
---

```python {folded}
import tvm
from tvm import te
A = te.placeholder((8,), name="A")
sch = tvm.tir.Schedule(te.create_prim_func([A, te.compute((8,), lambda i: A[i] + 1.0, name="B")]))
i0, i1 = sch.split(sch.get_loops(sch.get_block("B"))[0], [2, 4])
sch.vectorize(i1)
```

```primitive {id=drill, schedule=sch, drill}
Which one?
```
"""


def drilled(app):
    """Questions without end: each step comes, with choices of its own, right or wrong."""
    press(named(app, "Ask me", "push button"))
    met = []
    for number in range(4):
        check(f"question {number + 1} has choices", wait(lambda: named(app, "Check", "push button")) is not None and named(app, "unroll") is not None)
        given = [name_of(n) for n in walk(app) if n.get_role_name() in ("check box", "radio button") and name_of(n).isalpha()]
        press(named(app, "I don’t know, show me", "push button"))
        told = wait(lambda: next((name_of(n) for n in walk(app) if name_of(n).startswith("✓ The step was: ")), None)) or ""
        met.append(told.split(": ")[-1].split("(")[0])
        check("its step is told and was among them", met[-1] in ("split", "vectorize") and met[-1] in given, (told, given))
        press(named(app, "Another one", "push button"))
        check("it goes on", wait(lambda: not any(name_of(n).startswith("✓ The step was: ") for n in walk(app))) is not None)
    check("each step comes once before one comes again", set(met[:2]) == {"split", "vectorize"} and set(met[2:]) == {"split", "vectorize"}, met)
    check("and never twice in a row", all(a != b for a, b in zip(met, met[1:])), met)


SIDES = """---
title: Sides
id: sides
---

```python
import tvm
from tvm import te
A = te.placeholder((8,), name="A")
f = te.create_prim_func([A, te.compute((8,), lambda i: A[i] + 1.0, name="B")])
wanted = tvm.tir.Schedule(f)
wanted.split(wanted.get_loops(wanted.get_block("B"))[0], [2, 4])
```

```predict
Which?

- ( ) This one.
  > Not this: think of the halves.
- (x) That one.
---
That one it is.
```

```exercise {id=split}
Split it.
--- start
sch = tvm.tir.Schedule(f)
sch.split(sch.get_loops(sch.get_block("B"))[0], [4, 2])
--- cases
# case: the same loops
tvm.ir.assert_structural_equal(sch.mod, wanted.mod)
--- hint
First look at the factors.
--- hint
Then exchange them.
--- solution
sch = tvm.tir.Schedule(f)
sch.split(sch.get_loops(sch.get_block("B"))[0], [2, 4])
```
"""


def sides(app):
    """The first loop that differs is named; a wrong choice has its reply and another try; hints come in stages."""
    key("1")
    time.sleep(0.4)
    key("Return")
    check("a wrong choice is replied to, and stays open", says(app, "Not this: think of the halves.") and not says(app, "That one it is.", 0.5))
    key("2")
    time.sleep(0.4)
    key("Return")
    check("and one may choose again", says(app, "As you said: That one.") and says(app, "That one it is."))
    press(named(app, "Check exercise 2", "push button"))
    check("the first loop that differs is named", says(app, "yours has loop i_0 (4) where loop i_0 (2) is wanted"))
    check("the first hint is there, the second not yet", named(app, "Hint 1 of 2") is not None and "Hint 2 of 2" not in [name_of(n) for n in walk(app)])
    picture = os.environ.get("LS_UI_PICTURE")
    if picture:
        subprocess.run(["import", "-window", "root", picture], check=False)


def constants(app):
    """Their values are left out of the text, which then is no program that could be read again."""
    press(named(app, "Run cell 1", "push button"))
    check("a text without its constants is shown as it is", says(app, 'metadata["relax.expr.Constant"][0]') and says(app, "Result of cell 1"))
    check("and nothing is wrong with it", not says(app, "is not defined here", 1.0))
    press(named(app, "Run cell 2", "push button"))
    check("its graph is drawn", says(app, "Result of cell 2") and says(app, "edges"))
    check("nor with that", not says(app, "is not defined here", 1.0))


def zoom(app):
    return next((name_of(n) for n in walk(app) if re.fullmatch(r"[0-9]+ %", name_of(n).replace("\u202f", " "))), None)


def layers(app):
    """A graph that is higher than its pane at the size at which it could be read well."""
    press(named(app, "Run cell 1", "push button"))
    check("a graph of many layers is drawn", says(app, "Result of cell 1") and says(app, "edges"))
    before = driver.still(lambda: zoom(app))
    press(named(app, "Fit", "push button"))
    whole = driver.still(lambda: zoom(app))
    check("and all of it is seen from the start", before is not None and before == whole, f"{before}, whole: {whole}")


def refused(app):
    """A machine that refuses a jail: it is said and asked before anything runs."""
    check("a machine that refuses a jail is said to", says(app, "lets the jail for cells hold only in part"))
    press(named(app, "Run cell 1", "push button"))
    check("nothing runs before it is answered", says(app, "Not run: this machine refuses a jail") and not says(app, "twelve is 12", 1.0))
    press(named(app, "Run anyway", "push button"))
    check("the question is gone", wait(lambda: find(app, "Run anyway", "push button") is None) is not None)
    press(named(app, "Run cell 1", "push button"))
    check("and afterwards it does", says(app, "twelve is 12"))


def no_python(app):
    check("a machine without Python says so in the cell", next_until(app, "Cells cannot run here: there is no python3"))
    check("which can be tried again", wait(lambda: named(app, "Run cell 1", "push button")) is not None)



def done(app, number):
    """Is the page marked as done, by what its dot says?"""
    dot = next(n for n in walk(app) if name_of(n).startswith(f"Page {number}, "))
    return driver.description(dot) == "done"


def keys(app):
    """Enter on a chosen answer reveals; Page Down turns; a page that was only passed is not done; text grows."""
    key("Page_Down")
    check("Page Down turns the page", says(app, "2 of 3"))
    key("Page_Up")
    check("Page Up turns back", says(app, "1 of 3"))
    key("2")
    time.sleep(0.4)
    key("Return")
    check("Enter on a chosen answer reveals it", says(app, "As you said: b") and says(app, "1 of 3"))
    check("an answered page is done", wait(lambda: done(app, 1)) is not None)
    key("Page_Down")
    says(app, "2 of 3")
    key("Page_Down")
    check("the last page", says(app, "3 of 3"))
    check("a page that was passed over is not done, one to read is", not done(app, 2) and done(app, 3))


def mended(app, path):
    """The file is mended while the window shows it."""
    check("what is wrong is said", says(app, "Exactly one answer"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(KEYS)
    check("a mended file is read again", says(app, "Choose well.") and wait(lambda: not says(app, "Exactly one answer", 0.3)) is not None)


def course(app):
    """The map: every lesson with what it builds on; the first that is not done is next."""
    key("F10")
    press(wait(lambda: next((n for n in walk(app) if name_of(n).startswith("All lessons") and n.get_role_name() == "menu item"), None)))
    row = wait(lambda: next((n for n in walk(app) if name_of(n) == "2  Tensor expressions"), None))
    check("the map of lessons opens", row is not None)
    check("with what a lesson builds on", says(app, "builds on: Tensor programs and loops"))
    check("and which comes next", wait(lambda: any(driver.description(n) == "next" for n in walk(app) if name_of(n) == "1  Tensor programs and loops")) is not None)


def moved(app):
    """A teacher put a question in front: the answer stays with its own."""
    press(next(n for n in walk(app) if name_of(n).startswith("Page 1, ")))
    check("the answer stands at its question", says(app, "As you said: b") and not says(app, "As you said: new", 0.5))

def alone(program, folder, env, part, lesson=ALONE):
    path = os.path.join(folder, "alone.en.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(lesson)
    child, app = start(program, path, env, "Run next")
    try:
        part(app)
    finally:
        child.terminate()
        child.wait(60)
    time.sleep(0.5)


def start(program, path, env, there="Next page: Shown"):
    child = subprocess.Popen([program, path], stdout=subprocess.DEVNULL, env=env)
    app = wait(application)
    check("the window appears", app is not None)
    wait(lambda: find(app, there) or find(app, "Pages"))
    time.sleep(0.5)
    return child, app


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "small.en.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(LESSON)
        env = driver.program_env(XDG_DATA_HOME=folder)
        child, app = start(sys.argv[1], path, env)
        try:
            for part in (opened, cells, question, primitive, stale, exercise, stages, ends, presenting):
                part(app)
            check("the program is alive", child.poll() is None)
        finally:
            time.sleep(0.8)
            child.terminate()
            child.wait(60)
        time.sleep(0.5)
        child, app = start(sys.argv[1], path, env)
        try:
            check("the place is kept, and the answers", says(app, "As you said: 21"))
            check("nothing was run by opening", not says(app, "twenty is 20", 1.0))
            press(named(app, "Present", "push button"))
            named(app, "Full screen", "push button")
        finally:
            child.terminate()
            check("it ends well with both windows open", child.wait(60) == 0)
        time.sleep(0.5)
        alone(sys.argv[1], folder, dict(env, LS_PYTHON="/nowhere/python3"), no_python)
        alone(sys.argv[1], folder, {name: value for name, value in dict(env, LS_JAIL_REFUSE="namespaces").items() if name != "LS_JAIL"}, refused)
        alone(sys.argv[1], folder, env, lambda app: mended(app, os.path.join(folder, "alone.en.md")), KEYS.replace("(x)", "( )"))
        alone(sys.argv[1], folder, env, course, KEYS)
        alone(sys.argv[1], folder, env, keys, KEYS)
        alone(sys.argv[1], folder, env, moved, KEYS.replace("```predict", "```predict\nAnother?\n- (x) new\n- ( ) old\n```\n\n```predict", 1))
        alone(sys.argv[1], folder, env, last_page)
        alone(sys.argv[1], folder, env, tall, TALL)
        alone(sys.argv[1], folder, env, different, DIFFERENT)
        alone(sys.argv[1], folder, env, sides, SIDES)
        alone(sys.argv[1], folder, env, drilled, DRILL)
        alone(sys.argv[1], folder, env, constants, CONSTANTS)
        alone(sys.argv[1], folder, env, layers, LAYERS)
        child, app = start(sys.argv[1], "loopscope:///lesson/loops?step=4", env)
        try:
            check("a link opens a lesson at its place", says(app, "4 of ") and says(app, "Tensor programs and loops"))
            check("and runs nothing", not says(app, "Result of cell", 0.5))
        finally:
            child.terminate()
            child.wait(60)
    print(f"1..{driver.COUNT}")
    return 1 if driver.FAILED else 0


sys.exit(main())
