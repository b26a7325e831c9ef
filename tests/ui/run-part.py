"""Whatever found that two programs give different results opens them in step, where they part: a failed exercise, a step that was measured, a
candidate of a search, two programs that are compared."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, close_by, find, focus, insist, key, name_of, press, run, top_level, wait, walk, window

TITLE = "Two programs in step"
LESSON = '''---
title: Parts
id: parts
---

```python
import tvm
from tvm import te
A = te.placeholder((8,), name="A")
one = te.create_prim_func([A, te.compute((8,), lambda i: A[i] + tvm.tir.Select(i < 3, 1.0, 2.0), name="B")])
import numpy as np
got = np.arange(40 * 48, dtype="float32").reshape(40, 48)
two = te.create_prim_func([A, te.compute((8,), lambda i: A[i] + 1.0, name="B")])
three = te.create_prim_func([A, te.compute((8,), lambda i: A[i] * 3.0, name="B")])
```

```exercise {id=part}
Add one.
--- start
mine = one
--- cases
# case: equal
tvm.ir.assert_structural_equal(mine, two)
--- solution
mine = two
```

```exercise {id=again}
Add one again.
--- start
mine = three
--- cases
# case: equal
tvm.ir.assert_structural_equal(mine, two)
--- solution
mine = two
```

```exercise {id=numbers}
Make it like the one before.
--- start
mine = got.copy()
mine[35, 40:42] = -1
--- cases
# case: the numbers are right
np.testing.assert_allclose(mine, got, rtol=1e-6)
--- solution
mine = got
```
'''
HEAD = '''from tvm.script import ir as I, tir as T

@I.ir_module
class Module:
    @T.prim_func
'''
# What C reads of S is not what it says: put into the loop of S, it reads what is not there yet.
STEPPED = HEAD + '''    def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
        S = T.alloc_buffer((16, 16))
        for i, j in T.grid(16, 16):
            with T.block("S"):
                vi, vj = T.axis.remap("SS", [i, j])
                S[vi, vj] = A[vi, vj] + T.float32(1)
        for i, j in T.grid(16, 16):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(S[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = S[15 - vi, vj] * T.float32(2)
'''
STEPS = (("split", 'l0, l1 = sch.get_loops(block=sch.get_block("S"))\nl2, l3 = sch.split(loop=l1, factors=[None, 4])'),
         ("reverse_compute_at", 'sch.reverse_compute_at(block=sch.get_block("C"), loop=sch.get_loops(block=sch.get_block("S"))[0])'),
         ("unroll", 'sch.unroll(loop=sch.get_loops(block=sch.get_block("S"))[2])'))
# Reads a row that it does not name: in tiles it is read before it is whole.
SEARCHED = HEAD + '''    def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((17, 17), "float32")):
        for i, j, k in T.grid(16, 16, 16):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], B[vk, vj])
                T.writes(C[vi + 1, vj])
                with T.init():
                    C[vi + 1, vj] = T.float32(0)
                C[vi + 1, vj] = C[vi + 1, vj] + A[vi, vk] * B[vk, vj] + C[vi, vj + 1] * T.float32(0.0625)
'''


def names(app):
    top = top_level(app, TITLE)
    return [name_of(node) for node in walk(top) if name_of(node)] if top else []


def says(app, words):
    return next((name for name in names(app) if re.search(words, name)), None)


def everywhere(app, words):
    return next((name_of(node) for node in walk(app) if re.search(words, name_of(node))), None)


def shot(name):
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(0.6)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-part-" + name + ".png"], check=False)


def stands_apart(app, element):
    """Both stand where the element that differs is made, with two values."""
    found = wait(lambda: says(app, r"^Both make " + element + r": \S+ and \S+, (which differ|half-way through sums in another order)\.$"), 240.0)
    check(f"both stand where {element} is made, with its two values", found, names(app))
    values = re.match(r"Both make .*: (\S+) and (\S+), ", found or "")
    check("which are not the same", values and values.group(1) != values.group(2), found)


def buttons(app):
    return [node for node in walk(app) if name_of(node) == "Run two programs in step" and node.get_role_name() == "push button"]


def lesson(app):
    check("a cell runs", insist(lambda: press(find(app, "Run cell 1", "push button")), lambda: everywhere(app, r"^Python · \d")))
    check("an exercise that is not solved has the button", insist(lambda: press(find(app, "Check exercise 2", "push button")),
                                                                   lambda: find(app, "Run two programs in step", "push button")))
    shot("exercise")
    press(find(app, "Run two programs in step", "push button"))
    check("it opens both in step", wait(lambda: window(TITLE)))
    check("named as what they are here", wait(lambda: says(app, "^Yours$") and says(app, "^Wanted$")), names(app))
    check("where they part is told unasked", wait(lambda: says(app, r"^The results differ\. First at B\[3\]: "), 240.0), names(app))
    stands_apart(app, r"B\[3\]")
    shot("lesson")
    check("the other exercise has a button of its own", insist(lambda: press(find(app, "Check exercise 3", "push button")), lambda: len(buttons(app)) == 2), buttons(app))
    press(buttons(app)[-1])
    check("shows its own two in place of the others", wait(lambda: says(app, r"^The results differ\. First at B\[0\]: "), 240.0), names(app))
    stands_apart(app, r"B\[0\]")
    check("Escape closes it", close_by("Escape", TITLE))
    arrays(app)


def arrays(app):
    """Where arrays were compared, both are shown at the first element that differs."""
    title = "Yours and wanted"

    def told(words):
        top = top_level(app, title)
        return next((name_of(node) for node in walk(top) if re.search(words, name_of(node))), None) if top else None

    focus("Parts")
    check("an exercise that compares arrays has a button, too", insist(lambda: press(find(app, "Check exercise 4", "push button")),
                                                                      lambda: find(app, "Show the first element that differs", "push button")))
    press(find(app, "Show the first element that differs", "push button"))
    check("it shows both", wait(lambda: window(title)))
    check("with the first element that differs", wait(lambda: told(r"^First at \[35, 40\]: yours is -1, 1720 is wanted\.$")), [name_of(n) for n in walk(top_level(app, title))])
    check("how many do", lambda: told(r"^2 of 1,920 elements differ\.$"))
    check("and the cell of the keyboard there, on both sides", lambda: told(r"^\[35, 40\] = -1$") and told(r"^\[35, 40\] = 1720$"), lambda: [name_of(n) for n in walk(top_level(app, title))])
    shot("arrays")
    focus(title)
    key("F4")
    check("F4 goes to the next one", wait(lambda: told(r"^\[35, 41\] = -1$") and told(r"^\[35, 41\] = 1721$")))
    key("shift+F4")
    check("Shift+F4 back", wait(lambda: told(r"^\[35, 40\] = -1$")))
    check("Escape closes it", close_by("Escape", title))


def measured(app):
    focus("stepped")
    key("alt+End")
    check("the last step is measured and its output is another one", insist(lambda: (focus("stepped"), key("F5")), lambda: find(app, "Show where they part", "push button"), 120.0),
          [name_of(n) for n in walk(app) if 'art' in name_of(n)])
    shot("measured")
    press(find(app, "Show where they part", "push button"))
    check("it opens two programs in step", wait(lambda: window(TITLE)))
    check("the step that changed the result is found", wait(lambda: says(app, r"^Step 2, reverse_compute_at\(.*\), changed the result\. The results differ\. First at C\[0, 0\]: "), 240.0),
          names(app))
    check("the programs before and after that step are shown", wait(lambda: says(app, "^Left: step 1, split") and says(app, "^Right: step 2, reverse_compute_at")), names(app))
    stands_apart(app, r"C\[0, 0\]")
    check("Escape closes it", close_by("Escape", TITLE))


def searched(app):
    key("ctrl+5")
    wait(lambda: find(app, "Trials", "spin button"))
    Atspi.Value.set_current_value(find(app, "Trials", "spin button"), 6)
    check("the search runs to its end", insist(lambda: press(find(app, "Start the search", "push button")), lambda: everywhere(app, r"^6 of 6 trials"), 240.0),
          [name_of(n) for n in walk(app)][-40:])
    rows = find(app, "Candidates, fastest first")
    check("its list takes the keyboard", insist(lambda: (focus("searched"), key("Tab")),
                                                lambda: any(driver.has_state(n, Atspi.StateType.FOCUSED) for n in walk(rows)), 60))
    key("Home")
    check("a candidate with another output has the button", insist(lambda: key("Down"), lambda: find(app, "Show where they part", "push button")),
          [name_of(n) for n in walk(app)][-60:])
    shot("searched")
    press(find(app, "Show where they part", "push button"))
    check("it opens the candidate in step", wait(lambda: window(TITLE)))
    check("with the step that changed the result", wait(lambda: says(app, r"^Step \d+, reorder\(.*\), changed the result\. The results differ\. First at C\["), 240.0), names(app))
    stands_apart(app, r"C\[\d+, \d+\]")
    shot("tune")
    check("Escape closes it", close_by("Escape", TITLE))


def write(name, text):
    path = os.path.join(FOLDER.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def session():
    return json.dumps({"format": "loopscope-session", "version": 1, "name": "stepped.py", "target": "llvm", "module": STEPPED, "branches": ["main"],
                       "steps": [{"parent": 0}] + [{"parent": n, "call": name, "name": name, "lines": lines} for n, (name, lines) in enumerate(STEPS)], "current": len(STEPS)})


def main():
    status = 0
    for path, drive, ready in ((write("parts.en.md", LESSON), lesson, "Run next"), (write("stepped.loopscope", session()), measured, "Loop nest"),
                               (write("searched.py", SEARCHED), searched, "Loop nest")):
        if not os.environ.get("LS_ONLY") or os.environ["LS_ONLY"] in path:
            status = run(PROGRAM, [path], drive, ready) or status
    print(f"1..{driver.COUNT}")
    return status


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = os.path.join(FOLDER.name, "cache")
os.environ["XDG_DATA_HOME"] = os.path.join(FOLDER.name, "data")
driver.print = lambda line, **more: None if line.startswith("1..") else print(line, **more)    # one plan for all three
sys.exit(main())
