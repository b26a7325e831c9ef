"""Two programs in step: the element that both make, by keys, by the clock, from either side; where they part."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, close_by, find, focus, has_state, insist, name_of, press, reach_cells, run, top_level, unnamed, wait, walk, walk_cells, window

TITLE = "Two programs in step"


def names(app):
    top = top_level(app, TITLE)
    return [name_of(node) for node in walk(top) if name_of(node)] if top else []


def says(app, words):
    return any(words in name for name in names(app))


def keys(*sequence, title=TITLE):
    focus(title)
    driver.strokes(*sequence)


def made(app):
    """The element that both make, with its values."""
    for name in names(app):
        found = re.match(r"Both make (\S+\[.*\]): (\S+) and (\S+), (.*)\.$", name)
        if found:
            return found.groups()
    return None


def picture(name):
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(0.6)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-pair-" + name + ".png"], check=False)


def values(app):
    """The cursor on an expression of either text shows its value, on each side that of its own run."""
    for side in ("left", "right"):
        node = find(top_level(app, TITLE), f"The {side} program")
        text = Atspi.Text.get_text(node, 0, -1)
        click = ["xdotool", "windowmove", window(TITLE), "0", "0", "mousemove", "300" if side == "left" else "860", "290", "click", "1"]
        insist(lambda: subprocess.run(click, check=False), lambda: has_state(node, Atspi.StateType.FOCUSED))    # pylint: disable=cell-var-from-loop
        for what, at in ((r"B\[vk, vj\](: | = )", text.index("B[vk, vj]", text.index("Y[vi, vj] + "))), (r"A\[vi, vk\] \* B\[vk, vj\](: | = )", text.index("A[vi, vk] * ") + 10)):
            Atspi.Text.set_caret_offset(node, at)
            check(f"the cursor on an expression of the {side} program shows its value, on an operator that of its two sides",
                  wait(lambda: next((name for name in names(app) if re.match(what, name)), None)), names(app))       # pylint: disable=cell-var-from-loop


def drive(app):
    keys("alt+End", title="mm_relu")
    time.sleep(1.0)
    check("Ctrl+Shift+B opens it", insist(lambda: keys("ctrl+shift+b", title="mm_relu"), lambda: window(TITLE)))
    check("both stand before the same element", wait(lambda: made(app), 240.0), names(app))
    picture("begin")
    check("the sides are named", says(app, "Left: step") and says(app, "Right: step"), names(app))
    first = made(app)
    keys("F4")
    check("F4 goes to the next element that is made", wait(lambda: made(app) not in (None, first)), names(app))
    second = made(app)
    check("with the same value on both sides", second and second[1] == second[2] and second[3] == "the same", second)
    check("and says which write of it that is", lambda: any(re.match(r"Write \d+ of \d+ on the left and \d+ on the right", name) for name in names(app)), lambda: names(app))
    values(app)
    keys("F4")
    first = walk_cells(app, TITLE, "Y[", 3, 4)
    check("elements of the left program by the keyboard, one by one, and said", first and len(set(first[1].values())) == 12
          and all(re.match(r"Y\[\d+, \d+\]( = -?[\d.]\S*$|, not written yet$)", words) for words in first[1].values()), first)
    wrong = first and reach_cells(TITLE, first[0], "Y[", 128, 128)
    check("the others are a few keys away", first and not wrong, wrong)
    second = walk_cells(app, TITLE, "Y[", 3, 4, first[0]) if first else None
    check("and of the right one", second and len(set(second[1].values())) == 12, (second, [(node.get_role_name(), name_of(node)) for node in walk(top_level(app, TITLE))
                                                                                             if has_state(node, Atspi.StateType.FOCUSED)]))
    check("everything that takes the focus has words", lambda: not unnamed(top_level(app, TITLE)), lambda: unnamed(top_level(app, TITLE)))
    for _ in range(3):
        keys("F4")
        time.sleep(0.3)
    picture("step")
    keys("shift+F4")
    time.sleep(0.3)
    keys("F11")
    check("a statement on, still in step", wait(lambda: made(app)), names(app))
    press(find(top_level(app, TITLE), "Right leads"))
    keys("F4")
    check("the right one can lead", wait(lambda: made(app)), names(app))
    press(find(top_level(app, TITLE), "Toy size"))
    check("a toy size is said in the title", wait(lambda: window(TITLE + ", toy size .128 → 8"), 60.0), names(app))
    press(find(top_level(app, TITLE), "Toy size") or find(app, "Toy size"))
    check("and can be left", wait(lambda: window(TITLE) and made(app), 240.0), names(app))
    press(find(top_level(app, TITLE), "To the end of the run (End)"))
    check("to the end of both", wait(lambda: says(app, "Both have made all that they make."), 60.0), names(app))
    press(find(top_level(app, TITLE), "Show where they part"))
    check("a right schedule does not part from its program, but by rounding",
          wait(lambda: says(app, "They do not part") or says(app, "differ by rounding only"), 240.0), names(app))
    picture("part")
    check("Escape closes it", close_by("Escape", TITLE))


# A product of stacked matrices: three dimensions, of which a grid shows two.
STACK = '''from tvm.script import ir as I, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4, 16, 12), "float32"), B: T.Buffer((4, 12, 20), "float32"), C: T.Buffer((4, 16, 20), "float32")):
        for b, i, j, k in T.grid(4, 16, 20, 12):
            with T.block("C"):
                vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
                with T.init():
                    C[vb, vi, vj] = T.float32(0)
                C[vb, vi, vj] = C[vb, vi, vj] + A[vb, vi, vk] * B[vb, vk, vj]
'''
SPLIT = 'l0, l1, l2, l3 = sch.get_loops(block=sch.get_block("C"))\nl4, l5 = sch.split(loop=l2, factors=[None, 4])'


def session():
    return json.dumps({"format": "loopscope-session", "version": 1, "name": "stack.py", "target": "llvm", "module": STACK, "branches": ["main"],
                       "steps": [{"parent": 0}, {"parent": 0, "call": "split", "name": "split", "lines": SPLIT}], "current": 1})


def indices(app):
    """The index of the slice of each side."""
    return [int(Atspi.Value.get_current_value(node)) for node in walk(top_level(app, TITLE)) if name_of(node) == "Index 1" and node.get_role_name() == "spin button"]


def cells(app):
    """The index of the slice of which each side tells an element: its label, and beside that the grid itself."""
    return [int(re.match(r"C\[(\d+), ", name).group(1)) for name in names(app) if re.match(r"C\[\d+, \d+, \d+\]( = |, not written yet)", name)][::2]


def slices(app):
    check("it opens on arrays of three dimensions", insist(lambda: keys("ctrl+shift+b", title="stack"), lambda: window(TITLE)))
    check("both stand before the same element", wait(lambda: made(app), 120.0), names(app))
    check("each side has an index for the dimension above two", wait(lambda: indices(app) == [0, 0], 20.0), names(app))
    press(find(top_level(app, TITLE), "To the end of the run (End)"))
    wait(lambda: says(app, "Both have made all that they make."), 60.0)
    keys("shift+F4")
    check("the slice follows what is made", wait(lambda: (made(app) or ("",))[0].startswith("C[3, ") and indices(app) == [3, 3] and cells(app) == [3, 3], 20.0),
          (made(app), indices(app), cells(app)))
    picture("slices")
    spins = [node for node in walk(top_level(app, TITLE)) if name_of(node) == "Index 1" and node.get_role_name() == "spin button"]
    Atspi.Value.set_current_value(spins[1], 1)
    check("another one can be chosen on one side", wait(lambda: indices(app) == [3, 1] and cells(app) == [3, 1], 20.0), (indices(app), cells(app)))
    check("everything that takes the focus has words", lambda: not unnamed(top_level(app, TITLE)), lambda: unnamed(top_level(app, TITLE)))
    keys("shift+F4")
    check("until the run moves", wait(lambda: indices(app) == [3, 3] and cells(app) == [3, 3], 20.0), (indices(app), cells(app)))
    check("Escape closes it", close_by("Escape", TITLE))


def main():
    status = 0 if os.environ.get("LS_ONLY") else run(PROGRAM, [], drive)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stack.loopscope")
        with open(path, "w", encoding="utf-8") as file:
            file.write(session())
        status = run(PROGRAM, [path], slices) or status
    print(f"1..{driver.COUNT}")
    return status


PROGRAM = os.path.abspath(sys.argv[1])
driver.print = lambda line, **more: None if line.startswith("1..") else print(line, **more)    # one plan for both
sys.exit(main())
